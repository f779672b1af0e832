package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.12g, want %.12g within %.2g", what, got, want, tolerance)
	}
}

// The table of caps for D = 10, k = 3, to six digits, and the numbers of the two readings.
func TestFixedByHand(t *testing.T) {
	for _, c := range []struct {
		n          int
		fair, less float64 // p_o = 1/2, 3/10
	}{{10, 0.288675, 0.374965}, {56, 0.683130, 0.887329}, {176, 1.211060, 1.573065}, {120, 1, 1.298916}, {40, 0.577350,
		0.749930}} {
		f := emergence.Fixed{Law: emergence.Mixture{Dim: 10, Count: 3, Background: 0.5, Uniform: 0.5}, Features: c.n,
			Radius: 1}
		within(t, "cap at 1/2", f.Cap(), c.fair, 1e-6)
		within(t, "bound", f.Bound(), 0.5*(1-f.Cap()), 0)
		f.Law.Background = 0.3
		within(t, "cap at 3/10", f.Cap(), c.less, 1e-6)
	}
	for p, want := range map[float64]float64{0.5: 1, 0.3: 1.687182809631787, 0.1: 21.4334705075446} {
		within(t, "squared norm", emergence.BesselCap(3, p), want, 1e-13*want)
	}
	gamma := emergence.Fixed{Law: emergence.Mixture{Dim: 112, Count: 7, Background: 0.5, Uniform: 0.2}, Features: 112,
		Radius: 1}
	within(t, "printed bound at k = 7", gamma.Printed(), 0.4415, 5e-5)
	small := emergence.Fixed{Law: emergence.Mixture{Dim: 80, Count: 5, Background: 1e-5, Uniform: 1e-5}, Features: 1,
		Radius: 1}
	within(t, "printed bound at k = 5", small.Printed()/1e-5, 0.9558, 5e-5)
	require.Less(t, small.Bound(), 0.0)
}

// From where on C(4p_o(1−p_o))^k ≥ 4^k/2, so that the bound implies the printed one at D = 16k: p_o = 0.0300, 0.0289,
// 0.0282.
func TestFixedImpliesThePrintedBound(t *testing.T) {
	for k, from := range map[int]float64{5: 0.0300, 7: 0.0289, 9: 0.0282} {
		implied := func(p float64) bool {
			return emergence.Binomial(16*k, k)/emergence.BesselCap(k, p) >= math.Exp2(float64(2*k))/2
		}
		require.False(t, implied(from-1e-4))
		require.True(t, implied(from+1e-4))
	}
}

func TestPolynomialOptimum(t *testing.T) {
	for degree, want := range []float64{1, 0.3, 0.3, 0, 0} {
		require.Equal(t, want, emergence.PolynomialOptimum(3, degree, 0.3))
	}
	require.True(t, math.IsNaN(emergence.PolynomialOptimum(4, 1, 0.3)))
	require.True(t, math.IsNaN(emergence.PolynomialOptimum(3, -1, 0.3)))
	require.True(t, math.IsNaN(emergence.PolynomialOptimum(3, 1, 1.3)))
	require.True(t, math.IsNaN(emergence.Fixed{}.Cap()))
}
