package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/vcl"
)

// H = (1, 0), Y = (4, −4), λ = 1: the eigenvalues on Y are 1 and 0 with equal weight, so the chord is exact: T = 3/8. S
// = 16, e₁ = e₀ = 32, and the upper bound is 1 − 1/(1.5)² = 5/9.
func TestLinearFitByHand(t *testing.T) {
	f := vcl.LinearFit{Lambda: 1, Top: 1, Similarity: 16, E1: 32, E0: 32}
	require.Equal(t, 0.375, f.Lower())
	if got := f.Upper(); !(math.Abs(got-5./9) <= roundoff.Ulp) {
		t.Errorf("upper bound %v, want 5/9", got)
	}
	require.Equal(t, 1-2.25/16, f.PrintedLower(math.Sqrt(32), 1, 1, 16))
	require.Equal(t, 1-72./16, f.PrintedLower(32, 1, 1, 16))
}

// With S = μe₁ all weight is on the largest eigenvalue, and the bounds meet.
func TestLinearFitBoundsMeet(t *testing.T) {
	f := vcl.LinearFit{Lambda: 2, Top: 6, Similarity: 6 * 5, E1: 5, E0: 4}
	require.Equal(t, f.Lower(), f.Upper())
	require.Equal(t, 1-1.25/16, f.Upper())
}

func TestLinearFitOutsideItsDomain(t *testing.T) {
	good := vcl.LinearFit{Lambda: 1, Top: 1, Similarity: 1, E1: 1, E0: 1}
	for _, degrade := range []func(*vcl.LinearFit){
		func(f *vcl.LinearFit) { f.Lambda = 0 }, func(f *vcl.LinearFit) { f.Top = math.NaN() },
		func(f *vcl.LinearFit) { f.E0 = 0 }, func(f *vcl.LinearFit) { f.Similarity = -1 },
	} {
		f := good
		degrade(&f)
		require.Error(t, f.Valid())
		require.True(t, math.IsNaN(f.Lower()) && math.IsNaN(f.Upper()) && math.IsNaN(f.PrintedLower(1, 1, 1, 1)))
	}
	require.True(t, math.IsNaN(good.PrintedLower(1, 1, 1, 0)))
}
