package order

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// A pure power has its exponent as slope, to the rounding of a few logarithms, and errors widen what is allowed in
// proportion.
func TestSlopeOfAPower(t *testing.T) {
	x := []float64{0.5, 0.25, 0.125, 0.0625}
	y, none, percent := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for k := range x {
		y[k] = 3 * math.Pow(x[k], 2.5)
		percent[k] = 0.01 * y[k]
	}
	slope, allowed := Slope(x, y, none)
	require.True(t, math.Abs(slope-2.5) < 16*roundoff.Ulp, "slope %v", slope)
	require.Zero(t, allowed)
	_, allowed = Slope(x, y, percent)
	// The logarithms are at −3, −1, 1 and 3 halves of log 2: the weights are −3, −1, 1 and 3 tenths over log 2.
	require.True(t, math.Abs(allowed-0.02*0.8/math.Ln2) < 1e-15, "allowed %v", allowed)
}

// For E = γ² + γ³ the part beyond the leading order is bounded, by twice its first term.
func TestHalvedBoundsTheNextOrder(t *testing.T) {
	steps := []float64{0.1, 0.05, 0.025}
	var remainders []*mat.Dense
	for _, s := range steps {
		remainders = append(remainders, mat.NewDense(1, 1, []float64{s*s + s*s*s}))
	}
	r := Halved(steps, remainders, 2, 0)
	require.Len(t, r.Norms, 2)
	for k, s := range r.Steps {
		require.GreaterOrEqual(t, r.Beyond[k], s*s*s)
		require.InDelta(t, s*s*s/2, r.Another[k], 1e-18)
	}
	require.InDelta(t, 1.1/0.1, r.Resolved(), 1e-12)
}

// Polynomials of low degree are extrapolated exactly, others as well as stated.
func TestLimit(t *testing.T) {
	at := func(f func(float64) float64, count int) (values []*mat.Dense, errors []float64) {
		for k := range count {
			values = append(values, mat.NewDense(1, 1, []float64{f(math.Ldexp(1, -2-k))}))
		}
		return values, make([]float64, count)
	}
	limit, err := Limit(at(func(x float64) float64 { return 3 + 5*x - 2*x*x }, 4))
	require.Equal(t, 3., limit.At(0, 0))
	require.Zero(t, err)
	limit, err = Limit(at(func(x float64) float64 { return math.Exp(x) }, 5))
	require.LessOrEqual(t, math.Abs(limit.At(0, 0)-1), err)
	require.Less(t, err, 1e-6)
	values, _ := at(math.Exp, 2)
	_, err = Limit(values, []float64{0.5, 0.25})
	require.Greater(t, err, 4.5)
}
