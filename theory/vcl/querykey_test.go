package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// Queries ln 3, keys 1, N = ⅜: γ* = 4(ln²3 + 1)/(3 ln 3), a little more than 1/‖N‖ = 8/3.
func TestQueryKeyPairOfNumbers(t *testing.T) {
	p := vcl.QueryKeyPair{Query: number(math.Log(3)), Key: number(1), Form: number(0.375)}
	require.InDelta(t, 2.678468687060, p.Limit(), 1e-12)
	square := math.Pow(math.Log(3), 2) + 1
	require.InDelta(t, .0646549979098, p.Smallest(2.6)*square, 1e-12)
	require.InDelta(t, -.264928688691, p.Smallest(3)*square, 1e-12)
	p.Form = number(-1)
	require.True(t, math.IsInf(p.Limit(), 1))
	p.Form = mat.NewDense(1, 2, nil)
	require.True(t, math.IsNaN(p.Limit()) && math.IsNaN(p.Smallest(1)))
}

// The causal block whose numbers are known.
func TestQueryKeyPair(t *testing.T) {
	p := vcl.QueryKeyPair{Query: mat.NewDense(2, 3, []float64{.5, -.25, 1, 1, .5, -.75}),
		Key: mat.NewDense(2, 3, []float64{1, .25, -.5, -.5, 1, .25}),
		Form: mat.NewDense(3, 3, []float64{-.381986095724727, .299361524092201, .384210150184577, .445708349037452,
			-.836700751748319, -.274231894566609, 1.129940867808096, -.032581304901447, -1.441144935431321})}
	require.InDelta(t, .760554622781701, p.Limit(), 1e-13)
}
