package vcl_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

func number(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }

// W_Q = ln 3, W_K = 1, N = ⅜: B⁺ = (ln 3 − ⅜γ)(1 − ⅜γ ln 3), the product of the weights after the step.
func TestScalarForms(t *testing.T) {
	for _, c := range []struct{ step, want float64 }{
		{1, .425498781457344}, {2.6, -.00879464120903605}, {3, .00622588559953132},
	} {
		f := vcl.NewForms(number(math.Log(3)), number(1), number(0.375), c.step)
		require.InDelta(t, c.want, f.NextProduct().At(0, 0), 2e-15)
		require.InDelta(t, math.Pow(math.Log(3)-0.375*c.step, 2), f.NextQueryGram().At(0, 0), 2e-15)
		require.InDelta(t, math.Pow(1-0.375*c.step*math.Log(3), 2), f.NextKeyGram().At(0, 0), 2e-15)
	}
	f := vcl.NewForms(number(1), number(1), number(1), 1)
	f.Gradient = mat.NewDense(1, 2, nil)
	require.True(t, math.IsNaN(f.NextProduct().At(0, 0)))
}

// The prediction agrees with the forms, and no square is negative where q⁺ = q − γnk is zero and they cancel.
func TestBilinearPrediction(t *testing.T) {
	for _, c := range []struct{ query, key, form string }{{"1.25", "1", "0.375"}, {"0.7", "0.3", "4.666666666666667"}} {
		parsed := func(s string) *mat.Dense {
			x, err := strconv.ParseFloat(s, 64)
			require.NoError(t, err)
			return number(x)
		}
		f := vcl.NewForms(parsed(c.query), parsed(c.key), parsed(c.form), 0.5)
		got, err := vcl.Bilinear.Evaluate(map[string]string{"query": c.query, "key": c.key, "form": c.form, "step": "0.5"})
		require.NoError(t, err)
		for i, want := range []*mat.Dense{f.NextProduct(), f.NextQueryGram(), f.NextKeyGram()} {
			require.InDelta(t, want.At(0, 0), got[i].Value, 1e-15)
		}
		require.GreaterOrEqual(t, got[1].Value, 0.)
	}
}

// The form of the causal block whose numbers are known, γ = ⅛, and the dyadic one, γ = 1.
func TestForms(t *testing.T) {
	f := vcl.NewForms(mat.NewDense(2, 3, []float64{.5, -.25, 1, 1, .5, -.75}),
		mat.NewDense(2, 3, []float64{1, .25, -.5, -.5, 1, .25}),
		mat.NewDense(3, 3, []float64{-.381986095724727, .299361524092201, .384210150184577, .445708349037452,
			-.836700751748319, -.274231894566609, 1.129940867808096, -.032581304901447, -1.441144935431321}), 0.125)
	want := mat.NewDense(3, 3, []float64{.157481904908576, 1.055316089950664, -.120366180135135, -.505867279753358,
		.586514754862287, .158420000556586, .925918097896261, -.476685348999223, -.324220707476158})
	want.Sub(want, f.NextProduct())
	require.Less(t, mat.Norm(want, 2), 1e-14)

	f = vcl.NewForms(mat.NewDense(4, 3, []float64{1, 2, 1, 0, 1, 0, 0, 0, -1, 0, 0, 2}),
		mat.NewDense(4, 3, []float64{0, 0, 2, 0, 0, 1, 1, 0, 0, 1, -1, 1}),
		mat.NewDense(3, 3, []float64{-20, 30, 0, 12.5, -18.75, 0, 0, 0, 0}), 1)
	require.Equal(t, mat.NewDense(3, 3, []float64{65, -42.5, 52, -66.25, 65, -26.25, -4, 5.5, 4}), f.NextProduct())
}
