package vcl

import (
	"math"
	"slices"

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

// attentionLipschitz pairs the bounds on a step of one projection with what its attention weights or outputs do.
var attentionLipschitz = props.Spec{
	Statement: &theory.AttentionLipschitz,
	Checks: []props.Check{
		props.Drawn[aloneStep, boundClaim]{
			Name:    "attention weights after a step",
			Cases:   props.Scale{Quick: 150, Standard: 600, Deep: 20000},
			Tries:   28,
			Regimes: []string{"queries", "keys"},
			Draw:    drawAlone,
			Claim:   theory.ShortStep.Bound,
			Judge: func(r *props.Record, s aloneStep, claim boundClaim) {
				r.RegimeOf(s.role == attention.Keys)
				r.AtMost("‖P⁺ − P‖", s.Moved, claim(s.norms()), s.rounding)
			},
			Coarse: map[string]string{"‖P⁺ − P‖": "random heads are far from the bound, which the sharp family meets"},
			Controls: []props.Wrong[aloneStep, boundClaim]{
				{Name: "queries centred in the bound of the keys", Assumption: "uncentred-queries",
					Draw: func(t *props.T) aloneStep {
						b := attention.Draw(t, attention.Like{})
						equalQueries(b)
						s := stepAlone(t, b, attention.Keys)
						s.centredQueries = true
						return s
					}},
			},
		},
		props.Drawn[sharpStep, sharpClaim]{
			Name:    "sharp family",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 20000},
			Tries:   16,
			Regimes: []string{"queries", "keys"},
			Draw:    func(t *props.T) sharpStep { return drawSharp(t).take(1, false) },
			Claim:   sharpClaim{theory.ShortStep.Bound, theory.ShortStep.Halved},
			Judge: func(r *props.Record, s sharpStep, claim sharpClaim) {
				r.RegimeOf(s.role == attention.Keys)
				short := theory.ShortStep{Scale: s.Scale, Tokens: s.Tokens, Other: s.Other, Virtual: s.Virtual}
				// equal sequences move alike, each as if it had its part of the virtual update
				each, root := short, math.Sqrt(float64(s.Copies))
				each.Virtual /= root
				allowed := 64 * r.Unit() * claim.bound(short) * (1 + claim.bound(short))
				// P = ½ + ΔP loses what is small compared with ½
				allowed += 4 * root * r.Unit()
				r.Within("‖P⁺ − P‖ of the sharp family", s.Moved, root*claim.moved(each), allowed)
				r.AtMost("bound of the sharp family", s.Moved, claim.bound(short), allowed)
			},
			Controls: []props.Wrong[sharpStep, sharpClaim]{
				{Name: "constant 0.99/4", Criterion: "bound of the sharp family",
					Instead: sharpClaim{bound: func(s theory.ShortStep) float64 { return 0.99 * s.Bound() }}},
				{Name: "constant 1/16", Criterion: "bound of the sharp family",
					Instead: sharpClaim{bound: func(s theory.ShortStep) float64 { return s.Bound() / 4 }}},
				{Name: "first order of the step", Criterion: "‖P⁺ − P‖ of the sharp family",
					Instead: sharpClaim{moved: theory.ShortStep.Bound}},
				{Name: "tokens of one sequence for those of all", Criterion: "bound of the sharp family",
					Alter: func(s *sharpStep) { s.Tokens /= math.Sqrt(float64(s.Copies)) }},
				{Name: "twice the step", Assumption: "plain-descent", Criterion: "bound of the sharp family",
					Draw: func(t *props.T) sharpStep { return drawSharp(t).take(2, false) }},
				{Name: "keys, or queries, twice as large after the step", Assumption: "alone",
					Criterion: "bound of the sharp family", Draw: func(t *props.T) sharpStep { return drawSharp(t).take(1, true) }},
			},
		},
		props.Drawn[outputStep, sumClaim]{
			Name:    "output after a step",
			Cases:   props.Scale{Quick: 40, Standard: 200, Deep: 10000},
			Tries:   12,
			Regimes: []string{"output", "values"},
			Draw:    func(t *props.T) outputStep { return drawOutputStep(t, false) },
			Claim:   func(step, gradient float64) float64 { return step * step * gradient * gradient },
			Judge: func(r *props.Record, s outputStep, claim sumClaim) {
				r.RegimeOf(s.role == attention.Values)
				r.Within("sum along the virtual update", s.Along, claim(s.Rate, s.Gradient), s.rounding)
			},
			Controls: []props.Wrong[outputStep, sumClaim]{
				{Name: "both move", Assumption: "alone", Draw: func(t *props.T) outputStep { return drawOutputStep(t, true) }},
				{Name: "first order in the step", Instead: func(step, gradient float64) float64 {
					return step * gradient * gradient
				}},
			},
		},
	},
	Along: &props.Along{Param: "virtual", From: 0.05, To: 5, Reps: 1, Y: "how far attention weights move"},
	Try:   &props.Simulation{Run: simulateShort},
}.Claim()

// What is claimed: of a bound, of the sharp family, and of the output.
type (
	boundClaim func(theory.ShortStep) float64
	sharpClaim struct {
		bound, moved func(theory.ShortStep) float64
	}
	sumClaim func(step, gradient float64) float64
)

// aloneStep is a step of the queries' or the keys' weights alone.
type aloneStep struct {
	Scale, Rate, Moved float64

	role           attention.Role
	block          *attention.Block
	passes         []nn.HeadPass // of the head that moves, before it does
	rounding       float64
	centredQueries bool
}

func drawAlone(t *props.T) aloneStep {
	role := rapid.SampledFrom([]attention.Role{attention.Queries, attention.Keys}).Draw(t.T, "projection")
	return stepAlone(t, attention.Draw(t, attention.Like{}), role)
}

// equalQueries gives all tokens the same first coordinate, which alone the queries see.
func equalQueries(b *attention.Block) {
	for i := range b.Heads {
		q := b.Heads[i].Q
		k, d := q.Dims()
		for row := range k {
			for col := 1; col < d; col++ {
				q.Set(row, col, 0)
			}
		}
	}
	for _, x := range b.Tokens {
		_, n := x.Dims()
		for t := range n {
			x.Set(0, t, 1)
		}
	}
}

func stepAlone(t *props.T, b *attention.Block, role attention.Role) aloneStep {
	head := rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head")
	s := aloneStep{block: b, role: role, passes: b.Views()[head].Passes, Scale: b.Scale,
		Rate: gen.LogUniform(t.T, "γ", 1e-3, 1)}
	step := algebra.Scaled(-s.Rate, b.Probe().Weights(head, role))
	next := b.With(head, role, algebra.Sum(attention.Weights(b.Heads[head], role), step))
	k, d := b.Heads[head].Q.Dims()
	for i, x := range b.Tokens {
		_, passes := next.Forward(x)
		before, after := s.passes[i], passes[head]
		s.Moved = math.Hypot(s.Moved, algebra.Distance(after.Weights, before.Weights))
		_, n := x.Dims()
		for _, p := range []nn.HeadPass{before, after} {
			sigma := b.Scale * mat.Norm(p.Queries, 2) * mat.Norm(p.Keys, 2)
			s.rounding += float64(2*d+k+n+8) * (1 + sigma) * roundoff.Unit * math.Sqrt(float64(n))
		}
	}
	return s
}

// norms returns the norms of the bound.
func (s aloneStep) norms() theory.ShortStep {
	short := theory.ShortStep{Scale: s.Scale}
	var tokens []*mat.Dense
	for i, p := range s.passes {
		x, other := s.block.Tokens[i], centred(p.Keys)
		if s.role == attention.Keys {
			x, other = centred(x), p.Queries
			if s.centredQueries {
				other = centred(other)
			}
		}
		tokens = append(tokens, x)
		short.Other = max(short.Other, norm2(other))
		n, _ := p.Weights.Dims()
		for t := range n {
			keys := n
			if s.block.Causal {
				keys = t + 1
			}
			row := mat.NewDense(1, keys, p.WeightGrad.RawRowView(t)[:keys])
			short.Virtual = math.Hypot(short.Virtual, s.Rate*mat.Norm(centred(row), 2))
		}
	}
	short.Tokens = norm2(algebra.Beside(tokens...))
	return short
}

// sharpStep is a step of the queries' or the keys' weights alone, on equal sequences of three tokens, of which the
// second gives half of its attention to itself and to the first, and the others have no gradient.
type sharpStep struct {
	Scale, Tokens, Other, Virtual, Moved float64
	Copies                               int // sequences

	role attention.Role
}

func drawSharp(t *props.T) sharpStep {
	s := sharpStep{Scale: gen.LogUniform(t.T, "β", 0.3, 3), Tokens: gen.LogUniform(t.T, "‖X‖", 0.3, 3),
		Other: gen.LogUniform(t.T, "‖K‖ or ‖Q‖", 0.3, 3), Virtual: gen.LogUniform(t.T, "γ‖M‖", 1e-3, 3),
		Copies: rapid.IntRange(1, 3).Draw(t.T, "B")}
	if rapid.Bool().Draw(t.T, "keys") {
		s.role = attention.Keys
	}
	return s
}

// block has the norms of the step. Tokens and keys or queries have several singular values, so that another norm than
// the largest is seen, and where the bound subtracts a mean it is not zero. The third key, which the second query may
// not see, has a value that counts.
func (s sharpStep) block() *attention.Block {
	x, other := s.Tokens/math.Sqrt(float64(s.Copies)), s.Other
	// Orthogonal tokens. Two keys differ in the first entry, where the third is between them; it has another one.
	tokens := algebra.Scaled(x, mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}))
	head := nn.Head{Q: mat.NewDense(2, 3, nil), O: mat.NewDense(1, 1, []float64{1}),
		K: algebra.Scaled(other/x, mat.NewDense(2, 3, []float64{0, math.Sqrt2, math.Sqrt2 / 2, 0, 0, 1})),
		V: algebra.Scaled(1/x, mat.NewDense(1, 3, []float64{0, 2, 2}))}
	if s.role == attention.Keys {
		// Tokens like those keys, whose queries are 0, one of the full norm, and another one of half of it.
		tokens = algebra.Scaled(x, mat.NewDense(2, 3, []float64{0, math.Sqrt2, math.Sqrt2 / 2, 0, 0, 1}))
		head.Q = algebra.Scaled(other/x, mat.NewDense(2, 2, []float64{math.Sqrt2 / 2, -0.5, 0, 0.5}))
		head.K = mat.NewDense(2, 2, nil)
		head.V = algebra.Scaled(1/x, mat.NewDense(1, 2, []float64{math.Sqrt2, 1}))
	}
	return &attention.Block{Attention: nn.Attention{Scale: s.Scale, Causal: true, Heads: []nn.Head{head}},
		Tokens: slices.Repeat([]*mat.Dense{tokens}, s.Copies)}
}

// take takes the step, so many times as large, and may double the weights that stay. Norms become those of the block.
func (s sharpStep) take(times float64, double bool) sharpStep {
	b, root, stays := s.block(), math.Sqrt(float64(s.Copies)), attention.Keys-s.role
	view := b.Batches(b.Tokens, func(int, *mat.Dense) *mat.Dense {
		return mat.NewDense(1, 3, []float64{0, s.Virtual / root / math.Sqrt2, 0})
	})[0]
	short := aloneStep{Scale: s.Scale, Rate: 1, role: s.role, block: b, passes: view.Passes}.norms()
	s.Tokens, s.Other, s.Virtual = short.Tokens, short.Other, short.Virtual
	next := b.With(0, s.role, algebra.Scaled(-times, attention.View(view, s.role).WeightGrad()))
	if double {
		next = next.With(0, stays, algebra.Scaled(2, attention.Weights(b.Heads[0], stays)))
	}
	_, after := next.Forward(b.Tokens[0])
	s.Moved = root * algebra.Distance(after[0].Weights, view.Passes[0].Weights)
	return s
}

// outputStep is a step of the output's or the values' weights alone, seen in the output.
type outputStep struct {
	Rate, Gradient, Along float64 // γ, ‖∂loss/∂W‖, ⟨ΔY, −γ∂loss/∂Y⟩

	role     attention.Role
	rounding float64
}

// drawOutputStep allows ΔY to be off by what its complex gradient is, and by (2d + T + v + 8)u of the outputs' terms.
func drawOutputStep(t *props.T, both bool) outputStep {
	b := attention.Draw(t, attention.Like{})
	s := outputStep{Rate: gen.LogUniform(t.T, "γ", 1e-2, 1),
		role: rapid.SampledFrom([]attention.Role{attention.Output, attention.Values}).Draw(t.T, "projection")}
	head := rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head")
	view, probe := b.Views()[head], b.Probe()
	gradient := probe.Weights(head, s.role)
	s.Gradient = mat.Norm(gradient, 2)
	next := b
	for _, role := range []attention.Role{attention.Values, attention.Output} {
		if role == s.role || both {
			step := algebra.Scaled(-s.Rate, probe.Weights(head, role))
			next = next.With(head, role, algebra.Sum(attention.Weights(b.Heads[head], role), step))
		}
	}
	var size float64
	for i, x := range b.Tokens {
		before, _ := b.Forward(x)
		after, passes := next.Forward(x)
		var along mat.Dense
		along.MulElem(algebra.Difference(after, before), b.OutputGrad(i, before))
		s.Along -= s.Rate * mat.Sum(&along)
		for a, p := range passes {
			size += mat.Norm(next.Heads[a].O, 2) * mat.Norm(next.Heads[a].V, 2) * mat.Norm(x, 2) * mat.Norm(p.Weights, 2)
		}
		size += mat.Norm(before, 2)
	}
	inputs := attention.View(view, s.role).Inputs
	apart := b.Apart(head, s.role, inputs) * mat.Norm(inputs, 2)
	g := mat.Norm(view.O.PreGrads, 2)
	v, d := b.Heads[head].V.Dims()
	_, n := b.Tokens[0].Dims()
	s.rounding = 4*s.Rate*s.Rate*apart*s.Gradient + float64(2*(2*d+n+v+8))*roundoff.Unit*s.Rate*g*size +
		2*s.Rate*s.Rate*b.Apart(head, attention.Output, view.O.Inputs)*mat.Norm(view.O.Inputs, 2)*s.Gradient
	return s
}

// simulateShort takes the step of the sharp family.
func simulateShort(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	s := sharpStep{Scale: v.Float("scale"), Tokens: v.Float("tokens"), Other: v.Float("keys"),
		Virtual: v.Float("virtual"), Copies: 1}.take(1, false)
	return map[string]float64{"bound": s.Moved, "moved": s.Moved}, nil
}
