package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// attentionKeys pairs what only attention conserves with the signals of a block.
var attentionKeys = props.Spec{
	Statement: &theory.AttentionKeys,
	Checks: []props.Check{
		props.Drawn[gramStep, residualClaim]{
			Name:    "law of the keys with centred tokens",
			Cases:   props.Scale{Quick: 60, Standard: 250, Deep: 10000},
			Tries:   12,
			Regimes: centres,
			Draw:    func(t *props.T) gramStep { return drawCentred(t, attention.Keys) },
			Claim:   gramStep.residual,
			Judge:   judgeProjection,
			Proven:  map[string]string{"residual": "every rounding is counted, see gramStep.rounding and Block.Apart"},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Name: "queries", Assumption: "keys",
					Draw: func(t *props.T) gramStep { return drawCentred(t, attention.Queries) }},
				{Name: "values", Assumption: "keys",
					Draw: func(t *props.T) gramStep { return drawCentred(t, attention.Values) }},
				{Name: "a vector of its own for every token", Assumption: "one-centre", Draw: func(t *props.T) gramStep {
					s := drawCentred(t, attention.Keys)
					d, tokens := s.Inputs.Dims()
					s.Inputs = algebra.Sum(s.Inputs, gen.Gaussian(t.Stream("centres"), d, tokens, 1))
					return s
				}},
				{Name: "softmax with a key that is nobody's", Assumption: "softmax",
					Draw: func(t *props.T) gramStep { return drawCentredIn(t, attention.Keys, attention.Sink) }},
				{Name: "residual with the opposite sign", Instead: gramStep.oppositeResidual},
			},
		},
		props.Drawn[signals, struct{}]{
			Name:    "sums of signals",
			Cases:   props.Scale{Quick: 60, Standard: 250, Deep: 10000},
			Tries:   12,
			Regimes: []string{"no mask", "causal mask"},
			Draw:    func(t *props.T) signals { return drawSignals(t, attention.None) },
			Judge: func(r *props.Record, s signals, _ struct{}) {
				r.RegimeOf(s.block.Causal)
				_, n := s.Keys.Dims()
				root := math.Sqrt(float64(n))
				r.WithinScale("key signals, zero", floats.Norm(rowSums(s.Keys), 2), 0, root*mat.Norm(s.Keys, 2), root*s.keysApart)
				r.WithinVector("value signals", rowSums(s.Values), rowSums(s.Contexts), root*s.valuesApart)
				if s.block.Causal {
					r.Exactly("signal of the first query, zero", mat.Norm(s.Queries.ColView(0), 2), 0)
				}
			},
			Coarse: map[string]string{"signal of the first query, zero": "zero has no relative error"},
			Controls: []props.Wrong[signals, struct{}]{
				{Name: "sums with a key that is nobody's", Assumption: "softmax", Criterion: "key signals, zero",
					Draw: func(t *props.T) signals { return drawSignals(t, attention.Sink) }},
				{Name: "values with a key that is nobody's", Assumption: "softmax", Criterion: "value signals",
					Draw: func(t *props.T) signals { return drawSignals(t, attention.Sink) }},
				{Name: "softmax over the queries of a key", Assumption: "softmax", Criterion: "value signals",
					Draw: func(t *props.T) signals { return drawSignals(t, attention.OverQueries) }},
				{Name: "signals of the queries", Assumption: "keys", Criterion: "key signals, zero",
					Alter: func(s *signals) { s.Keys = s.Queries }},
				{Name: "last query for the first", Criterion: "signal of the first query, zero", Alter: func(s *signals) {
					k, n := s.Queries.Dims()
					s.Queries = mat.DenseCopyOf(s.Queries.Slice(0, k, n-1, n))
				}},
			},
		},
	},
	Along: &props.Along{Param: "x1", From: -3, To: 3, Of: []string{"key_grad", "query_grad"},
		Y: "gradient in the weight", Reps: 1},
	Try: &props.Simulation{Run: simulateTwoTokens},
}.Claim()

// centres lists the vectors that may be subtracted from all tokens of a sequence.
var centres = []string{"mean of the sequence", "mean of the batch", "any vector"}

func drawCentred(t *props.T, role attention.Role) gramStep {
	return drawCentredIn(t, role, attention.None)
}

// drawCentredIn takes the step of a projection with centred tokens. Of a mistaken block all gradients are complex
// steps.
func drawCentredIn(t *props.T, role attention.Role, mistake attention.Mistake) gramStep {
	b := attention.Draw(t, attention.Like{Sequences: 2})
	b.Mistake = mistake
	p := branchOf(t, b, role)
	p.mixed = false
	if mistake != attention.None {
		p.Signals = b.Probe().Signals(p.head, role)
	}
	s := p.step()
	s.regime = rapid.SampledFrom(centres).Draw(t.T, "centre")
	d, n := b.Tokens[0].Dims()
	other := gen.Gaussian(t.Stream("centre"), d, len(b.Tokens), 1)
	var all mat.Dense
	for i, x := range b.Tokens {
		centre := map[string]mat.Matrix{centres[0]: columnMean(x), centres[1]: columnMean(s.Inputs),
			centres[2]: other.Slice(0, d, i, i+1)}[s.regime]
		var shifted mat.Dense
		shifted.Apply(func(row, _ int, v float64) float64 { return v - centre.At(row, 0) }, x)
		if i == 0 {
			all = *mat.NewDense(d, n*len(b.Tokens), nil)
		}
		all.Slice(0, d, i*n, (i+1)*n).(*mat.Dense).Copy(&shifted)
	}
	// δ‖X‖ for W⁺ and 2u‖X‖‖Γ‖ for the centring, in units of the centred tokens
	s.apart = (s.apart + 2*roundoff.Unit*mat.Norm(s.PreGrads, 2)) * math.Max(1, mat.Norm(s.Inputs, 2)/mat.Norm(&all, 2))
	s.Inputs = &all
	return s
}

// signals holds the signals of one sequence in one head, by complex steps.
type signals struct {
	Queries, Keys, Values, Contexts *mat.Dense

	block                  *attention.Block
	keysApart, valuesApart float64
}

func drawSignals(t *props.T, mistake attention.Mistake) signals {
	b := attention.Draw(t, attention.Like{})
	b.Tokens, b.Targets, b.Mistake = b.Tokens[:1], b.Targets[:1], mistake
	head := rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head")
	probe, contexts := b.Probe(), b.Views()[head].O.Inputs
	return signals{block: b, Queries: probe.Signals(head, attention.Queries), Keys: probe.Signals(head, attention.Keys),
		Values: probe.Signals(head, attention.Values), Contexts: probe.Inputs(head, attention.Output),
		keysApart: b.Apart(head, attention.Keys, b.Tokens[0]),
		valuesApart: b.Apart(head, attention.Values, b.Tokens[0]) +
			mat.Norm(b.Heads[head].O, 2)*b.Apart(head, attention.Output, contexts)}
}

// twoTokens returns the batch of a head of numbers on two tokens.
func twoTokens(h theory.TwoTokens) nn.HeadBatch {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	a := nn.Attention{Scale: h.Scale, Causal: true,
		Heads: []nn.Head{{Q: one(h.Query), K: one(h.Key), V: one(h.Value), O: one(1)}}}
	return a.Batches([]*mat.Dense{mat.NewDense(1, 2, []float64{h.X1, h.X2})}, func(int, *mat.Dense) *mat.Dense {
		return mat.NewDense(1, 2, []float64{0, h.Signal})
	})[0]
}

// simulateTwoTokens differentiates a block of two tokens.
func simulateTwoTokens(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	h := twoTokens(theory.TwoTokens{X1: v.Float("x1"), X2: v.Float("x2"), Query: v.Float("query"), Key: v.Float("key"),
		Value: 1, Signal: v.Float("signal"), Scale: 1})
	return map[string]float64{"weight": h.Passes[0].Weights.At(1, 0), "key_grad": h.K.WeightGrad().At(0, 0),
		"query_grad": h.Q.WeightGrad().At(0, 0)}, nil
}
