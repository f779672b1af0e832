package structured

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
)

// Costs of the counterexamples to the theorem without (LC), and the structured penalties that they undercut, to the
// digits of an independent computation. The grid is good to a part in a thousand, and exact for the step, whose
// stretches of 1 and 2 it has.
func TestCounterexamples(t *testing.T) {
	for name, want := range map[string][2]float64{"root": {4.58910, 4.83677}, "smooth step": {2.5200, 2.7552}} {
		in := counterexample(name)
		require.InDelta(t, want[0], in.cost(), 1e-5, name)
		optimum := map[string]func() float64{"root": rootOptimum, "smooth step": smoothOptimum}[name]()
		require.InDelta(t, want[1], optimum, 1e-3*want[1], name)
	}
	in := counterexample("smooth step")
	stretches := singular(impl.Sided{A: in.A, Theta: in.Theta, C: in.C}.Product())
	charged := step.Value(1) + step.Value(0) // of A, and as much of C
	require.InDelta(t, 2.5, 2*charged+math.Pow(mat.Norm(in.Theta, 2), 2), 1e-14)
	require.InDelta(t, 2.75, gridOptimum(step, []float64{2, 1}), 1e-14)
	require.InDeltaSlice(t, []float64{2, 1}, stretches, 1e-14)
}

// step costs 3/4 from 1 to 2, and no stretch beyond 2 is allowed.
var step = impl.Penalty{Name: "step", Slope: noSlope, Value: func(e float64) float64 {
	switch {
	case e == 0:
		return 0
	case e > 0 && e <= 1:
		return 0.75
	}
	return math.Inf(1)
}}
