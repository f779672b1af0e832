package vcl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
)

// A causal block whose numbers were computed to sixty digits.
func TestProbeAgainstDigits(t *testing.T) {
	b := attention.Block{
		Attention: nn.Attention{Scale: 1 / math.Sqrt2, Causal: true, Heads: []nn.Head{{
			Q: mat.NewDense(2, 3, []float64{.5, -.25, 1, 1, .5, -.75}),
			K: mat.NewDense(2, 3, []float64{1, .25, -.5, -.5, 1, .25}),
			V: mat.NewDense(2, 3, []float64{1, -1, .5, .25, .5, -1}),
			O: mat.NewDense(2, 2, []float64{1, .5, -.5, 2})}}},
		Tokens:  []*mat.Dense{mat.NewDense(3, 3, []float64{1, -.5, .25, .5, 1, -1, -1, .75, .5})},
		Targets: []*mat.Dense{mat.NewDense(2, 3, []float64{0, 1, -1, 1, 0, .5})},
	}
	p := b.Probe()
	require.InDelta(t, 6.59972905447977, p.Loss(), 1e-14)
	for _, c := range []struct {
		got  *mat.Dense
		want []float64
	}{
		{p.Weights(0, attention.Queries), []float64{-.499250789793965, .373649108383676, 1.842368009298394, .586407109500709,
			-1.128112899908697, -.957837972663325}},
		{p.Signals(0, attention.Queries), []float64{0, 1.623354050792186, 1.249704942408510, 0, -1.217515538094139,
			-.089402638185442}},
		{p.Signals(0, attention.Keys), []float64{.723713313974872, -.379647662940287, -.344065651034584, -.793938971029924,
			.548177791719507, .245761179310417}},
		{p.Signals(0, attention.Values), []float64{-.784125002998935, -.376798727921723, .374533564063091, 8.749756167662610,
			1.184112718155573, .615934824403359}},
		{p.Weights(0, attention.Output), []float64{.785460241934738, 1.457577842879958, -.400477346143675,
			5.687182081433725}},
		{p.Form(0), []float64{-.381986095724727, .299361524092201, .384210150184577, .445708349037452,
			-.836700751748319, -.274231894566609, 1.129940867808096, -.032581304901447, -1.441144935431321}},
		{p.Tokens(), []float64{2.523996838406552, -1.140345619880917, .597020862492951, 4.545992444294034,
			.407524681238828, -.263948940004489, -9.702160068906995, 1.490846901646377, 1.121561999020675}},
	} {
		rows, cols := c.got.Dims()
		var gap mat.Dense
		gap.Sub(c.got, mat.NewDense(rows, cols, c.want))
		require.Less(t, mat.Norm(&gap, 2), 5e-14)
	}
}
