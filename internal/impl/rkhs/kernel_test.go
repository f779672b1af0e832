package rkhs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/rkhs"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// In the plane w is (r cos s, r sin s) with E r² = 2, so that the kernels are integrals over the angle s: those of
// 2·E σσ, and of that plus 2·⟨x,z⟩E σ′σ′. The trapezoidal rule on m points errs by the kinks, of order 1/m².
func TestKernelsOfNetworksAreIntegralsOverWeights(t *testing.T) {
	const m = 100000
	for _, angle := range []float64{0, 0.3, math.Pi / 2, 2.5, math.Pi} {
		x, z := []float64{3, 0}, []float64{2 * math.Cos(angle), 2 * math.Sin(angle)}
		value, slope := 0.0, 0.0
		for i := range m {
			c, s := math.Cos(2*math.Pi*(float64(i)+0.5)/m), math.Sin(2*math.Pi*(float64(i)+0.5)/m)
			p, q := c*x[0]+s*x[1], c*z[0]+s*z[1]
			if p > 0 && q > 0 {
				value += 2 * 2 * p * q / m
				slope += 2 * (x[0]*z[0] + x[1]*z[1]) / m
			}
		}
		near(t, "random features", rkhs.RandomFeatures().Of(x, z), value, 1e-6)
		near(t, "neural tangent", rkhs.NeuralTangent().Of(x, z), value+slope, 3*12./m)
	}
	r := rand.New(rand.NewPCG(1, 3))
	for d := 1; d < 200; d += 9 { // points that are equal have the angle 0, whatever their lengths round to
		x := mat.NewDense(1, d, nil)
		x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
		square := math.Pow(mat.Norm(x, 2), 2)
		near(t, "of equal points", rkhs.NeuralTangent().Gram(x).At(0, 0), 2*square, 1e-14*square)
		near(t, "of equal points", rkhs.NeuralTangent().Of(x.RawRowView(0), x.RawRowView(0)), 2*square, 1e-14*square)
	}
	// Points close to each other or to the opposite are not taken for equal ones: a cosine that errs by δ moves a small
	// angle θ by δ/θ.
	for _, angle := range []float64{1e-6, 1e-5, 1e-3, 0.03} {
		sin, cos := math.Sincos(angle)
		for sign, rest := range map[float64]float64{1: math.Pi - angle, -1: angle} {
			want, tolerance := (sin+2*rest*sign*cos)/math.Pi, 4*0x1p-53*(1/angle+1)
			got := rkhs.NeuralTangent().Of([]float64{1, 0}, []float64{sign * cos, sign * sin})
			near(t, "of close points", got, want, tolerance)
		}
	}
	near(t, "of a subnormal point", rkhs.NeuralTangent().Of([]float64{0, 0x1p-1060}, []float64{1, 2}),
		0x1p-1060*rkhs.NeuralTangent().Of([]float64{0, 1}, []float64{1, 2}), 1e-3*0x1p-1060)
	near(t, "at 0", rkhs.NeuralTangent().Of([]float64{0, 0}, []float64{1, 2}), 0, 0)
}

func TestKernelsByHand(t *testing.T) {
	x, z := []float64{1, 2}, []float64{4, 6}
	near(t, "polynomial", rkhs.Polynomial(3, 2).Of(x, z), 729, 0)
	near(t, "Gaussian", rkhs.Gaussian(5).Of(x, z), math.Exp(-0.5), 1e-16)
	near(t, "Laplace", rkhs.Laplace(5).Of(x, z), math.Exp(-1), 1e-16)
}

func TestMatricesHoldTheKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, z := mat.NewDense(9, 4, nil), mat.NewDense(5, 4, nil)
	for _, m := range []*mat.Dense{x, z} {
		m.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, m)
	}
	for _, k := range []rkhs.Kernel{rkhs.NeuralTangent(), rkhs.RandomFeatures(), rkhs.Polynomial(3, 4),
		rkhs.Gaussian(2), rkhs.Laplace(2)} {
		gram, cross := k.Gram(x), k.Cross(x, z)
		for i := range 9 {
			for j := range 9 {
				near(t, k.Name, gram.At(i, j), k.Of(x.RawRowView(i), x.RawRowView(j)), 1e-12)
			}
			for j := range 5 {
				near(t, k.Name, cross.At(i, j), k.Of(x.RawRowView(i), z.RawRowView(j)), 1e-12)
			}
		}
		values, _, err := linalg.SymEigen(gram, false)
		require.NoError(t, err)
		require.Positive(t, values[0], k.Name)
	}
	require.Equal(t, []float64{x.At(2, 0), x.At(2, 1), x.At(2, 2), x.At(2, 3), 7},
		rkhs.WithConstant(x, 7).RawRowView(2))
	require.PanicsWithValue(t, "rkhs: points of different dimensions", func() {
		rkhs.Laplace(1).Cross(x,
			mat.NewDense(1, 1, nil))
	})
}
