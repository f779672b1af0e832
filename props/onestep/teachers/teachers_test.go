package teachers

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Vectors are orthogonal in blocks of the dimension, and their lengths are those of standard normal vectors.
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

// In the plane the mean over the circle of a polynomial of degree six is that over eight directions or more, exactly.
func TestMomentsAreMeansOverDirections(t *testing.T) {
	teacher := theory.Teacher{Coefficients: []float64{0.3, 0.8, -0.5, 0.4}, Noise: 0.2}
	x := mat.NewDense(3, 2, []float64{1.2, -0.4, 0.3, 2, -0.9, 0.5})
	link, got, want := features.Series(teacher.Coefficients...), Moments(teacher, x), mat.NewDense(3, 3, nil)
	const directions = 16
	for k := range directions {
		angle := 2 * math.Pi * float64(k) / directions
		y := make([]float64, 3)
		for i := range y {
			y[i] = link.Value(x.At(i, 0)*math.Cos(angle) + x.At(i, 1)*math.Sin(angle))
		}
		want.RankOne(want, 1./directions, mat.NewVecDense(3, y), mat.NewVecDense(3, y))
	}
	for i := range 3 {
		want.Set(i, i, want.At(i, i)+teacher.Noise)
	}
	if !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("got %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
