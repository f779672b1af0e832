package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// W = diag(2, 1), h = g = (1, 1), γ = 1/4: G = [[3.25, −0.625], [−0.625, 0.5625]]. The 2×2 geometric mean has a closed form:
// X#Y = √(ab)/√det(X/a + Y/b)·(X/a + Y/b) with a = √det X, b = √det Y, and W₊ = W·(A⁻¹#G).
func TestNearestAgainstTheGeometricMean(t *testing.T) {
	w := mat.NewDense(2, 2, []float64{2, 0, 0, 1})
	g := mat.NewSymDense(2, []float64{3.25, -0.625, -0.625, 0.5625})
	a, b := 0.5, math.Sqrt(3.25*0.5625-0.625*0.625) // det A⁻¹ = 1/4
	sum := mat.NewDense(2, 2, []float64{0.25/a + 3.25/b, -0.625 / b, -0.625 / b, 1/a + 0.5625/b})
	sum.Scale(math.Sqrt(a*b/mat.Det(sum)), sum)
	var want mat.Dense
	want.Mul(w, sum)
	nearest := vcl.Nearest(w, g)
	for i, x := range want.RawMatrix().Data {
		if got := nearest.RawMatrix().Data[i]; !(math.Abs(got-x) <= 1e-14) { // a dozen operations on numbers of size 4
			t.Errorf("entry %d: %v, geometric mean %v", i, got, x)
		}
	}
	// Computed to 20 digits.
	for i, x := range []float64{1.796864545508709866, -0.29173827375767843042, -0.14586913687883921521, 0.69093326712851934936} {
		if got := nearest.RawMatrix().Data[i]; !(math.Abs(got-x) <= 1e-14) {
			t.Errorf("entry %d: %v, want %v", i, got, x)
		}
	}
	squared, rounding := vcl.Bures(mat.NewSymDense(2, []float64{4, 0, 0, 1}), g)
	if !(math.Abs(squared-0.24317528370812183713) <= rounding && rounding < 1e-13) {
		t.Errorf("squared distance %v ± %v", squared, rounding)
	}
	if gap := vcl.Gap(nearest, w); !(math.Abs(gap) <= 1e-13) {
		t.Errorf("gap of the solution %v", gap)
	}
}

// A vector of length 1 towards length 2: distance 1; turned by a right angle it misses 2√(AG) = 4.
func TestBuresScalar(t *testing.T) {
	b := vcl.BuresScalar{A: 1, G: 4}
	require.Equal(t, 1., b.Distance())
	if got := b.Gap(math.Pi / 2); !(math.Abs(got-4) <= 1e-14) {
		t.Errorf("gap %v, want 4", got)
	}
	if got := vcl.Gap(mat.NewDense(2, 1, []float64{0, 2}), mat.NewDense(2, 1, []float64{1, 0})); !(math.Abs(got-4) <= 1e-14) {
		t.Errorf("gap %v, want 4", got)
	}
	bad := vcl.BuresScalar{A: -1}
	require.Error(t, bad.Valid())
	require.True(t, math.IsNaN(bad.Distance()) && math.IsNaN(bad.Gap(1)))
	squared, _ := vcl.Bures(mat.NewSymDense(1, []float64{math.NaN()}), mat.NewSymDense(1, []float64{1}))
	require.True(t, math.IsNaN(squared))
}
