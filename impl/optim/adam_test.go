package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
)

// By hand, for the gradients 1 and then 3: the first step is the rate whatever the gradient; before the second the mean
// is (0.9·0.1·1 + 0.1·3)/(1 − 0.81) = 39/19, and that of the square (0.999·0.001 + 0.001·9)/(1 − 0.998001) = 9999/1999.
func TestAdamByHand(t *testing.T) {
	stage := &nn.Stage{W: mat.NewDense(1, 2, []float64{5, 0}), Act: nn.Identity}
	rule := &optim.Adam{Gamma: 0.25}
	step := func(gradient float64) {
		before := mat.DenseCopyOf(stage.W)
		w, report, err := rule.Next(&nn.View{Stage: stage, Inputs: mat.NewDense(1, 2, []float64{1, -2}),
			PreGrad: mat.NewDense(1, 1, []float64{gradient})})
		require.NoError(t, err)
		require.Equal(t, "adam", report.Rule)
		require.Equal(t, before, stage.W)
		stage.W = w
	}
	// the second input is −2, which changes the sign of the step and nothing else but the share of 10⁻⁸
	near := func(want float64) {
		require.Less(t, math.Abs(stage.W.At(0, 0)-5+want), 5e-9)
		require.Less(t, math.Abs(stage.W.At(0, 1)-want), 5e-9)
	}
	step(1)
	near(0.25)
	step(3)
	near(0.25 + 0.25*(39./19)/math.Sqrt(9999./1999))
	require.Equal(t, 0.25, rule.Rate())
}
