package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/vcl"
)

// W = diag(2, 1), h = g = (1, 1), γ = 1/4: G = [[3.25, −0.625], [−0.625, 0.5625]]. The 2×2 geometric mean has a closed
// form: X#Y = √(ab)/√det(X/a + Y/b)·(X/a + Y/b) with a = √det X, b = √det Y, and W₊ = W·(A⁻¹#G).
func TestNearestAgainstTheGeometricMean(t *testing.T) {
	w := mat.NewDense(2, 2, []float64{2, 0, 0, 1})
	g := mat.NewSymDense(2, []float64{3.25, -0.625, -0.625, 0.5625})
	a, b := 0.5, math.Sqrt(3.25*0.5625-0.625*0.625) // det A⁻¹ = 1/4
	sum := mat.NewDense(2, 2, []float64{0.25/a + 3.25/b, -0.625 / b, -0.625 / b, 1/a + 0.5625/b})
	sum.Scale(math.Sqrt(a*b/mat.Det(sum)), sum)
	var want mat.Dense
	want.Mul(w, sum)
	p, err := vcl.Prescribe(w, g, roundoff.Unit)
	require.NoError(t, err)
	nearest, rounding := p.Nearest()
	require.Less(t, rounding, 1e-12)
	for i, x := range want.RawMatrix().Data {
		if got := nearest.RawMatrix().Data[i]; !(math.Abs(got-x) <= 1e-14) { // a dozen operations on numbers of size 4
			t.Errorf("entry %d: %v, geometric mean %v", i, got, x)
		}
	}
	// Computed to 20 digits.
	for i, x := range []float64{1.796864545508709866, -0.29173827375767843042, -0.14586913687883921521,
		0.69093326712851934936} {
		if got := nearest.RawMatrix().Data[i]; !(math.Abs(got-x) <= 1e-14) {
			t.Errorf("entry %d: %v, want %v", i, got, x)
		}
	}
	squared, rounding := p.Distance()
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
	if got := vcl.Gap(mat.NewDense(2, 1, []float64{0, 2}),
		mat.NewDense(2, 1, []float64{1, 0})); !(math.Abs(got-4) <= 1e-14) {
		t.Errorf("gap %v, want 4", got)
	}
	bad := vcl.BuresScalar{A: -1}
	require.Error(t, bad.Valid())
	require.True(t, math.IsNaN(bad.Distance()) && math.IsNaN(bad.Gap(1)))
}

// W = (1, 0) and G = [[1, ½], [½, 1]] of rank 2; G with a negative eigenvalue; G = 0; a NaN.
func TestPrescribeRefuses(t *testing.T) {
	w := mat.NewDense(1, 2, []float64{1, 0})
	for _, g := range [][]float64{{1, 0.5, 0.5, 1}, {1, 0, 0, -1}, {0, 0, 0, 0}, {math.NaN(), 0, 0, 1}} {
		_, err := vcl.Prescribe(w, mat.NewSymDense(2, g), roundoff.Unit)
		require.Error(t, err, "%v", g)
	}
	_, err := vcl.Prescribe(w, mat.NewSymDense(1, []float64{1}), roundoff.Unit)
	require.Error(t, err)
}

// W = diag(1, 0) has lost a direction of G = 1, but keeps the rank of G = diag(4, 0), whose nearest weights are diag(2,
// 0).
func TestPrescribeRanks(t *testing.T) {
	w := mat.NewDense(2, 2, []float64{1, 0, 0, 0})
	for _, c := range []struct {
		g             []float64
		gram, product int
	}{{[]float64{1, 0, 0, 1}, 2, 1}, {[]float64{4, 0, 0, 0}, 1, 1}} {
		p, err := vcl.Prescribe(w, mat.NewSymDense(2, c.g), roundoff.Unit)
		require.NoError(t, err)
		gram, product := p.Rank()
		require.Equal(t, [2]int{c.gram, c.product}, [2]int{gram, product})
	}
	p, err := vcl.Prescribe(w, mat.NewSymDense(2, []float64{4, 0, 0, 0}), roundoff.Unit)
	require.NoError(t, err)
	next, rounding := p.Nearest()
	require.InDelta(t, 2, next.At(0, 0), rounding)
	squared, rounding := p.Distance()
	require.InDelta(t, 1, squared, rounding)
}
