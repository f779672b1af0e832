package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// attentionHeads pairs the block of two heads in the output's Gram matrix with two heads of a block.
var attentionHeads = props.Spec{
	Statement: &theory.AttentionHeads,
	Checks: []props.Check{
		props.Drawn[twoHeads, headsClaim]{
			Name:    "cross-covariance of two heads",
			Cases:   props.Scale{Quick: 60, Standard: 180, Deep: 10000},
			Tries:   12,
			Regimes: []string{"one sequence", "several sequences"},
			Draw:    drawHeads,
			Claim:   headsClaim{theory.HeadPair.Shift, theory.HeadPair.Residual},
			Judge: func(r *props.Record, s twoHeads, claim headsClaim) {
				r.RegimeOf(s.several)
				both := s.both()
				gap := algebra.Difference(algebra.Product(s.NextA.T(), s.NextB), algebra.Product(s.OutputA.T(), s.OutputB))
				pair := theory.HeadPair{ContextA: s.ContextA, ContextB: s.ContextB, SignalA: s.SignalA, SignalB: s.SignalB,
					OutputGrad: s.OutputGrad, Step: s.Rate}
				gap.Sub(gap, claim.shift(pair))
				r.WithinMatrix("residual", gap, claim.residual(pair), both.rounding(r.Unit()))
			},
			Proven: map[string]string{"residual": "every rounding is counted, see gramStep.rounding and Block.Apart"},
			Controls: []props.Wrong[twoHeads, headsClaim]{
				{Name: "signal through the other head's weights", Assumption: "own-signal", Alter: func(s *twoHeads) {
					s.SignalA, s.SignalB = s.SignalB, s.SignalA // heads of a block have equal shapes
				}},
				{Name: "each head differentiated as if it were alone", Assumption: "one-output", Draw: func(t *props.T) twoHeads {
					s := drawHeads(t)
					alone := *s.block
					alone.Heads = alone.Heads[s.a : s.a+1]
					s.NextA = algebra.Difference(s.OutputA, algebra.Scaled(s.Rate, alone.Probe().Weights(0, attention.Output)))
					s.SignalA = alone.Probe().Inputs(0, attention.Output)
					return s
				}},
				{Name: "one token left out", Assumption: "all-tokens", Alter: func(s *twoHeads) {
					for _, m := range []**mat.Dense{&s.ContextA, &s.ContextB, &s.SignalA, &s.SignalB, &s.OutputGrad} {
						rows, tokens := (*m).Dims()
						*m = mat.DenseCopyOf((*m).Slice(0, rows, 1, tokens))
					}
				}},
				{Name: "weight decay in the step", Assumption: "plain-descent", Alter: func(s *twoHeads) {
					s.NextA = algebra.Difference(s.NextA, algebra.Scaled(0.1*s.Rate, s.OutputA))
				}},
				{Name: "no covariance between heads", Instead: headsClaim{shift: func(p theory.HeadPair) *mat.Dense {
					return algebra.Scaled(0, p.Shift())
				}}},
				{Name: "residual with the opposite sign", Instead: headsClaim{residual: func(p theory.HeadPair) *mat.Dense {
					return algebra.Scaled(-1, p.Residual())
				}}},
				{Name: "residual without its first term", Instead: headsClaim{residual: func(p theory.HeadPair) *mat.Dense {
					return algebra.Scaled(-p.Step*p.Step, algebra.Product(p.SignalA, p.SignalB.T()))
				}}},
			},
		},
	},
	Along: &props.Along{Param: "step", From: 0.01, To: 1, Y: "change of a product of two heads", Reps: 1},
	Try:   &props.Simulation{Run: simulateHeads},
}.Claim()

// headsClaim holds the closed forms for two heads.
type headsClaim struct {
	shift, residual func(theory.HeadPair) *mat.Dense
}

// twoHeads is a step of the output weights of two heads.
type twoHeads struct {
	OutputA    *mat.Dense `npy:"O_a"`
	OutputB    *mat.Dense `npy:"O_b"`
	NextA      *mat.Dense `npy:"O_a_next"`
	NextB      *mat.Dense `npy:"O_b_next"`
	ContextA   *mat.Dense `npy:"C_a"`
	ContextB   *mat.Dense `npy:"C_b"`
	SignalA    *mat.Dense `npy:"E_a"`
	SignalB    *mat.Dense `npy:"E_b"`
	OutputGrad *mat.Dense `npy:"G"`
	Rate       float64    `npy:"step"`

	block   *attention.Block
	a       int
	several bool // sequences
	apart   float64
}

// Valid names the hypothesis that a step violates.
func (s twoHeads) Valid() error {
	return theory.HeadPair{ContextA: s.ContextA, ContextB: s.ContextB, SignalA: s.SignalA, SignalB: s.SignalB,
		OutputGrad: s.OutputGrad}.Valid()
}

// drawHeads takes the step along gradients by complex steps.
func drawHeads(t *props.T) twoHeads {
	b := attention.Draw(t, attention.Like{Heads: 2})
	s := twoHeads{block: b, Rate: math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 γ")),
		several: len(b.Tokens) > 1}
	s.a = rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "a")
	other := (s.a + 1) % len(b.Heads)
	probe, views := b.Probe(), b.Views()
	next := func(head int) *mat.Dense {
		return algebra.Difference(b.Heads[head].O, algebra.Scaled(s.Rate, probe.Weights(head, attention.Output)))
	}
	s.OutputA, s.OutputB, s.NextA, s.NextB = b.Heads[s.a].O, b.Heads[other].O, next(s.a), next(other)
	s.ContextA, s.ContextB, s.OutputGrad = views[s.a].O.Inputs, views[other].O.Inputs, views[s.a].O.PreGrads
	s.SignalA, s.SignalB = probe.Inputs(s.a, attention.Output), probe.Inputs(other, attention.Output)
	s.apart = b.Apart(s.a, attention.Output, s.ContextA) + b.Apart(other, attention.Output, s.ContextB)
	return s
}

// both is the layer [O_a O_b], of whose law this is a block.
func (s twoHeads) both() gramStep {
	return gramStep{W: algebra.Beside(s.OutputA, s.OutputB), Next: algebra.Beside(s.NextA, s.NextB),
		Inputs: algebra.Stacked(s.ContextA, s.ContextB), PreGrads: s.OutputGrad,
		InputGrads: algebra.Stacked(s.SignalA, s.SignalB), Rate: s.Rate, Weights: 1, Virtual: 1, Covariance: 1,
		apart: s.apart}
}

// simulateHeads takes the step of a block whose tokens, queries and keys are one number each.
func simulateHeads(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	head := func(value, output string) nn.Head {
		return nn.Head{Q: one(1), K: one(1), V: one(v.Float(value)), O: one(v.Float(output))}
	}
	a := nn.Attention{Scale: 1, Heads: []nn.Head{head("va", "oa"), head("vb", "ob")}}
	views := a.Batches([]*mat.Dense{one(1)}, func(int, *mat.Dense) *mat.Dense { return one(v.Float("g")) })
	rate := v.Float("step")
	weights, contexts := 1.0, 1.0
	for i, h := range a.Heads {
		o := views[i].O
		weights *= h.O.At(0, 0) - rate*o.WeightGrad().At(0, 0)
		contexts *= o.Inputs.At(0, 0) - rate*o.InputGrads.At(0, 0)
	}
	weights -= v.Float("oa") * v.Float("ob")
	contexts -= v.Float("va") * v.Float("vb")
	return map[string]float64{"change": weights, "shift": contexts, "residual": weights - contexts}, nil
}
