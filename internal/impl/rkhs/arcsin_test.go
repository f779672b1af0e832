package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The angle of (cos, sin) for sines over the whole range, close to both ends, and at the seams.
func TestArcsin(t *testing.T) {
	check := func(x float64) {
		cos := math.Sqrt((1 - x) * (1 + x))
		if got, want := arcsin(x), math.Atan2(x, cos); !(math.Abs(got-want) <= 4*0x1p-53*math.Abs(want)) {
			t.Errorf("arcsin %v = %v, want %v", x, got, want)
		}
	}
	for i := -4000; i <= 4000; i++ {
		check(float64(i) / 4000)
	}
	for k := range 53 {
		check(1 - math.Ldexp(1, -k))
		check(math.Ldexp(1, -k) - 1)
	}
	for _, x := range []float64{0.5, math.Nextafter(0.5, 1), -0.5, math.Nextafter(-0.5, -1)} {
		check(x)
	}
}

// BenchmarkGram is the Gram matrix of the neural tangent kernel for 500 points in 50 dimensions.
func BenchmarkGram(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(500, 50, nil)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	for b.Loop() {
		NeuralTangent().Gram(x)
	}
}
