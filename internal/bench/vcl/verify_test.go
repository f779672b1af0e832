package vcl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// TestStepRatioRejectsWrongSteps poisons a right step in the ways that a solver goes wrong.
func TestStepRatioRejectsWrongSteps(t *testing.T) {
	p := Layer{12, 30, 4}.Problem()
	step, err := procrustes.Polar{}.Solve(p)
	require.NoError(t, err)
	sgd, _ := descent{}.Solve(p)
	holds(t, StepRatio("polar", p, step.W))
	holds(t, StepRatio("sgd", p, sgd.W))
	rejected(t, StepRatio("polar", p, sgd.W)) // right Gram matrix, not nearest
	rejected(t, StepRatio("polar", p, p.W))   // nearest to itself, no step
	for name, poison := range map[string]func(w *mat.Dense){
		"NaN":           func(w *mat.Dense) { w.Set(1, 2, math.NaN()) },
		"one entry off": func(w *mat.Dense) { w.Set(1, 2, w.At(1, 2)+1e-10) },
		"sign of a row": func(w *mat.Dense) { w.SetRow(3, negated(mat.Row(nil, 3, w))) },
		"swapped rows":  func(w *mat.Dense) { r := mat.Row(nil, 3, w); w.SetRow(3, mat.Row(nil, 4, w)); w.SetRow(4, r) },
		"transposed":    func(w *mat.Dense) { *w = *mat.DenseCopyOf(w.T()) },
	} {
		t.Run(name, func(t *testing.T) {
			w := mat.DenseCopyOf(step.W)
			poison(w)
			rejected(t, StepRatio("polar", p, w))
		})
	}
}

func holds(t *testing.T, r props.Ratio) {
	t.Helper()
	require.Equal(t, results.Holds, r.Verdict(), "ratio %v", r.Value)
}

func rejected(t *testing.T, r props.Ratio) {
	t.Helper()
	require.Equal(t, results.Refuted, r.Verdict(), "ratio %v", r.Value)
}

func negated(x []float64) []float64 {
	for i := range x {
		x[i] = -x[i]
	}
	return x
}
