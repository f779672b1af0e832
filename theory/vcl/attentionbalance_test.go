package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// Queries ln 3, keys 1, N = ⅜: the balance ln²3 − 1 changes by (9γ²/64)(1 − ln²3).
func TestPairBalance(t *testing.T) {
	q := math.Log(3)
	for _, c := range []struct{ step, want float64 }{
		{1, -.0291021976142691}, {2.6, -.196730855872461}, {3, -.261919778528424},
	} {
		b := vcl.PairBalance{U: number(q), V: number(1), GradU: number(0.375), GradV: number(0.375 * q), Step: c.step}
		require.InDelta(t, c.want, b.Next().At(0, 0)-b.Balance().At(0, 0), 1e-15)
		b.Decay = 1 / c.step // forgets everything
		require.InDelta(t, c.want, b.Next().At(0, 0), 1e-15)
		b.V = mat.NewDense(2, 1, nil)
		require.True(t, math.IsNaN(b.Next().At(0, 0)))
	}
}

// A causal block whose numbers are known, γ = ⅛: the balance of queries against keys is diag(0, ½).
func TestPairBalanceOfAHead(t *testing.T) {
	b := vcl.PairBalance{Step: 0.125,
		U: mat.NewDense(2, 3, []float64{.5, -.25, 1, 1, .5, -.75}),
		V: mat.NewDense(2, 3, []float64{1, .25, -.5, -.5, 1, .25}),
		GradU: mat.NewDense(2, 3, []float64{-.499250789793965, .373649108383676, 1.842368009298394, .586407109500709,
			-1.128112899908697, -.957837972663325}),
		GradV: mat.NewDense(2, 3, []float64{.827520732686369, .326274645081733, -1.180481886697380, -1.006587572062073,
			-.094552873105873, 1.327952904474763})}
	require.Equal(t, mat.NewDense(2, 2, []float64{0, 0, 0, 0.5}), b.Balance())
	next := b.Next()
	require.InDelta(t, .024975026517537, next.At(0, 0), 1e-14)
	require.InDelta(t, -.000742593598635, next.At(0, 1), 1e-14)
	require.InDelta(t, -.003932064182128, next.At(1, 1)-0.5, 1e-14)
}
