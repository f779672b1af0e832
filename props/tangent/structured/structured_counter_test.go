package structured

import (
	"testing"

	"github.com/stretchr/testify/require"

	impl "github.com/thm-suite/thm/impl/tangent"
)

// Costs of the counterexamples to the theorem without (LC), and the structured penalties that they undercut, to the
// digits of an independent computation. The grid is good to a part in a thousand.
func TestCounterexamples(t *testing.T) {
	for name, want := range map[string][2]float64{"root": {4.58910, 4.83677}, "smooth step": {2.5200, 2.7552}} {
		in := counterexample(name)
		require.InDelta(t, want[0], in.cost(), 1e-5, name)
		optimum := map[string]func() float64{"root": rootOptimum, "smooth step": smoothOptimum}[name]()
		require.InDelta(t, want[1], optimum, 1e-3*want[1], name)
	}
	in := counterexample("smooth step")
	require.InDeltaSlice(t, []float64{2, 1}, singular(impl.Sided{A: in.A, Theta: in.Theta, C: in.C}.Product()), 1e-14)
}
