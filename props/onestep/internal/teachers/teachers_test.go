package teachers

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// Vectors are orthogonal in blocks of the dimension, and their lengths are distributed as of standard normal vectors.
func TestOrthogonal(t *testing.T) {
	const count, n = 12, 5
	x, sum := orthogonal(rand.New(rand.NewPCG(1, 2)), count, n), 0.0
	for i := range count {
		sum += floats.Dot(x.RawRowView(i), x.RawRowView(i)) / count
		for k := i / n * n; k < i; k++ {
			if dot := floats.Dot(x.RawRowView(i), x.RawRowView(k)); math.Abs(dot) > 1e-10 {
				t.Errorf("vectors %d and %d have the scalar product %v", i, k, dot)
			}
		}
	}
	if sd := math.Sqrt(2. * n / count); math.Abs(sum-n) > 4*sd {
		t.Errorf("mean square of the length %v, want %v ± %v", sum, n, sd)
	}
}
