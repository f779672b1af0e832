package vcl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// mixedValues is the regime of values that are seen as a layer on mixed tokens.
const mixedValues = "values, mixed tokens"

// selfAttention pairs the law of a layer with the projections of self-attention, differentiated in two ways.
var selfAttention = props.Spec{
	Statement: &theory.Attention,
	Checks: []props.Check{
		props.Drawn[gramStep, residualClaim]{
			Name:    "law within rounding",
			Cases:   props.Scale{Quick: 60, Standard: 180, Deep: 10000},
			Tries:   12,
			Regimes: append([]string{mixedValues}, attention.Roles...),
			Draw:    func(t *props.T) gramStep { return drawBranch(t).step() },
			Claim:   gramStep.residual,
			Judge:   judgeProjection,
			Proven:  map[string]string{"residual": "every rounding is counted, see gramStep.rounding and Block.Apart"},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Name: "gradient in the tokens themselves", Assumption: "own-branch", Draw: func(t *props.T) gramStep {
					p := drawBranch(t, attention.Queries, attention.Keys)
					s := p.step()
					s.InputGrads = p.block.Probe().Tokens()
					return s
				}},
				{Name: "tokens with the signal at the contexts", Assumption: "own-branch", Draw: func(t *props.T) gramStep {
					p := drawBranch(t, attention.Values)
					s := p.step()
					s.Inputs, s.PreGrads = p.Inputs, p.view().O.InputGrads
					s.InputGrads = algebra.Product(s.W.T(), s.PreGrads)
					return s
				}},
				{Name: "one token left out", Assumption: "all-tokens", Alter: leaveSiteOut},
				{Name: "mean over the tokens in the weights alone", Assumption: "all-tokens", Alter: func(s *gramStep) {
					_, tokens := s.Inputs.Dims()
					by := algebra.Difference(s.Next, s.W)
					s.Next = algebra.Sum(s.W, algebra.Scaled(1/float64(tokens), by))
				}},
				{Name: "weight decay in the step", Assumption: "plain-descent", Alter: func(s *gramStep) {
					s.Next = algebra.Difference(s.Next, algebra.Scaled(0.1*s.Rate, s.W))
				}},
				{Name: "residual with the opposite sign", Instead: gramStep.oppositeResidual},
				{Name: "residual without cross-token terms", Instead: gramStep.residualOfSamples},
			},
		},
		props.Drawn[branch, struct{}]{
			Name:    "two differentiations",
			Cases:   props.Scale{Quick: 60, Standard: 180, Deep: 10000},
			Tries:   45,
			Regimes: attention.Roles,
			Draw:    func(t *props.T) branch { return drawBranch(t) },
			Judge: func(r *props.Record, p branch, _ struct{}) {
				r.Regime(attention.Roles[p.role])
				w, h := mat.Norm(p.W, 2), mat.Norm(p.Inputs, 2)
				m, tokens := p.Signals.Dims()
				apart := p.apart + float64(m+2*tokens)*r.Unit()*mat.Norm(p.Signals, 2)
				r.WithinMatrix("Wᵀ∇ = PHᵀ", algebra.Product(p.W.T(), p.Gradient),
					algebra.Product(p.Private, p.Inputs.T()), w*h*apart)
				r.WithinMatrix("gradient in the weights", algebra.Product(p.Signals, p.Inputs.T()), p.Gradient, h*apart)
				r.WithinMatrix("gradient in private tokens", algebra.Product(p.W.T(), p.Signals), p.Private, w*apart)
			},
			Controls: []props.Wrong[branch, struct{}]{
				{Name: "mask forgotten in one of them", Assumption: "same-block", Criterion: "Wᵀ∇ = PHᵀ",
					Draw: inAnother(func(b *attention.Block) { b.Causal = false })},
				{Name: "scale 1/k in place of 1/√k in one of them", Assumption: "same-block", Criterion: "Wᵀ∇ = PHᵀ",
					Draw: inAnother(func(b *attention.Block) {
						k, _ := b.Heads[0].Q.Dims()
						b.Scale /= math.Sqrt(float64(k))
					})},
				{Name: "softmax over the queries in one of them", Assumption: "same-block", Criterion: "Wᵀ∇ = PHᵀ",
					Draw: inAnother(func(b *attention.Block) { b.Mistake = attention.OverQueries })},
				{Name: "other heads forgotten in one of them", Assumption: "same-block",
					Draw: inAnother(func(b *attention.Block) { b.Heads = b.Heads[:1] })},
				{Name: "softmax differentiated without its normalisation", Alter: func(p *branch) {
					p.rescore(func(h nn.HeadPass) *mat.Dense {
						var r mat.Dense
						r.MulElem(h.Weights, h.WeightGrad)
						return &r
					})
				}},
				{Name: "gradient in the scores transposed", Alter: func(p *branch) {
					p.rescore(func(h nn.HeadPass) *mat.Dense { return mat.DenseCopyOf(h.ScoreGrad.T()) })
				}},
				{Name: "scale forgotten backwards", Alter: func(p *branch) {
					p.rescore(func(h nn.HeadPass) *mat.Dense { return algebra.Scaled(1/p.block.Scale, h.ScoreGrad) })
				}},
			},
		},
		props.Drawn[gramStep, residualClaim]{
			Name:    "law on dyadic numbers",
			Cases:   props.Scale{Quick: 60, Standard: 180, Deep: 10000},
			Regimes: append([]string{mixedValues}, attention.Roles...),
			Draw:    func(t *props.T) gramStep { return branchOf(t, attention.DrawDyadic(t)).step() },
			Claim:   gramStep.residual,
			Judge: func(r *props.Record, s gramStep, claim residualClaim) {
				s.declare(r)
				r.ExactlyMatrix("residual", s.gap(), claim(s))
			},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Name: "residual with the opposite sign, on dyadic numbers", Instead: gramStep.oppositeResidual},
				{Name: "one token left out, on dyadic numbers", Assumption: "all-tokens", Alter: leaveSiteOut},
				{Name: "queries and keys along a virtual step of opposite sign", Draw: func(t *props.T) gramStep {
					s := branchOf(t, attention.DrawDyadic(t), attention.Queries, attention.Keys).step()
					s.InputGrads = algebra.Scaled(-1, s.InputGrads)
					return s
				}},
			},
		},
	},
	Along: &props.Along{
		Param: "tokens", From: 1, To: 9, Of: []string{"gradient"},
		Each: &props.ParamSweep{Name: "projection", Values: attention.Roles}, Y: "rank of the gradient in the weights",
		Places: 9, Reps: 2,
	},
	Try: &props.Simulation{Run: simulateAttention},
}.Claim()

// branch is one projection of a block, with gradients by complex steps and the signal of the backward pass.
type branch struct {
	W, Inputs *mat.Dense
	Gradient  *mat.Dense // ∇, in the weights
	Private   *mat.Dense // P, in inputs that nothing else sees
	Signals   *mat.Dense // Γ
	Rate      float64

	apart float64 // bound on how far the signals of two differentiations are apart
	block *attention.Block
	head  int
	role  attention.Role
	mixed bool // values as a layer on mixed tokens
}

// declare names the regime. A step of a user's own has none.
func (s gramStep) declare(r *props.Record) {
	if s.regime != "" {
		r.Regime(s.regime)
	}
}

// judgeProjection judges the law of a projection.
func judgeProjection(r *props.Record, s gramStep, claim residualClaim) {
	s.declare(r)
	r.WithinMatrix("residual", s.gap(), claim(s), s.rounding(r.Unit()))
}

// drawBranch draws a projection, one of those named if any are.
func drawBranch(t *props.T, of ...attention.Role) branch {
	return branchOf(t, attention.Draw(t, attention.Like{}), of...)
}

func branchOf(t *props.T, b *attention.Block, of ...attention.Role) branch {
	if of == nil {
		of = []attention.Role{attention.Queries, attention.Keys, attention.Values, attention.Output}
	}
	p := branch{block: b, Rate: math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 γ"))}
	p.head = rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head")
	p.role = rapid.SampledFrom(of).Draw(t.T, "projection")
	p.mixed = p.role == attention.Values && rapid.Bool().Draw(t.T, mixedValues)
	view, probe := attention.View(p.view(), p.role), b.Probe()
	p.W, p.Inputs, p.Signals = attention.Weights(b.Heads[p.head], p.role), view.Inputs, view.PreGrads
	p.Gradient, p.Private = probe.Weights(p.head, p.role), probe.Inputs(p.head, p.role)
	p.apart = b.Apart(p.head, p.role, p.Inputs)
	return p
}

// inAnother draws a projection whose private inputs are differentiated in another block.
func inAnother(change func(*attention.Block)) func(*props.T) branch {
	return func(t *props.T) branch {
		p := drawBranch(t)
		other := *p.block
		change(&other)
		p.Private = other.Probe().Inputs(min(p.head, len(other.Heads)-1), p.role)
		return p
	}
}

func (p branch) view() nn.HeadBatch { return p.block.Views()[p.head] }

// rescore replaces the signals of queries and keys by those of other gradients in the scores.
func (p *branch) rescore(scores func(nn.HeadPass) *mat.Dense) {
	at := 0
	signals := mat.DenseCopyOf(p.Signals)
	for _, h := range p.view().Passes {
		r := scores(h)
		n, _ := r.Dims()
		m, _ := signals.Dims()
		to := signals.Slice(0, m, at, at+n).(*mat.Dense)
		switch p.role {
		case attention.Queries:
			to.Copy(algebra.Scaled(p.block.Scale, algebra.Product(h.Keys, r.T())))
		case attention.Keys:
			to.Copy(algebra.Scaled(p.block.Scale, algebra.Product(h.Queries, r)))
		}
		at += n
	}
	p.Signals = signals
}

// step moves the weights and the private inputs along the gradients by complex steps.
func (p branch) step() gramStep {
	s := gramStep{W: p.W, Next: algebra.Difference(p.W, algebra.Scaled(p.Rate, p.Gradient)), Inputs: p.Inputs,
		PreGrads: p.Signals, InputGrads: p.Private, Rate: p.Rate, Weights: 1, Virtual: 1, Covariance: 1,
		apart: p.apart, regime: attention.Roles[p.role]}
	if p.mixed {
		s.regime = mixedValues
		s.Inputs, s.PreGrads = p.block.Mixed(p.head), p.view().O.InputGrads
		contexts := p.block.Probe().Inputs(p.head, attention.Output)
		s.InputGrads = algebra.Product(p.W.T(), contexts)
		output := p.block.Heads[p.head].O
		s.apart = math.Max(p.apart*mat.Norm(p.Inputs, 2)/mat.Norm(s.Inputs, 2),
			mat.Norm(output, 2)*p.block.Apart(p.head, attention.Output, p.view().O.Inputs))
	}
	return s
}

// simulateAttention takes a step of a random head and counts.
func simulateAttention(t *props.Trial, v statement.Values) (map[string]float64, error) {
	w, view := randomHead(t, v)
	s := theory.LayerStep{W: w, Inputs: view.Inputs, PreGrads: view.PreGrads, Step: 1, Convention: theory.Sum}
	return map[string]float64{"gradient": numericalRank(view.WeightGrad()), "residual": numericalRank(s.Residual())}, nil
}

// randomHead draws a head and a batch of the given sizes, and returns the given projection and what it sees.
func randomHead(t *props.Trial, v statement.Values) (w *mat.Dense, view nn.Batch) {
	n, batch, d, k, out := v.Int("tokens"), v.Int("sequences"), v.Int("width"), v.Int("head"), v.Int("out")
	t.Need(n*batch <= 200 && max(d, k, out) <= 100, "a simulation needs at most 200 tokens and 100 entries of each")
	std := 1 / math.Sqrt(float64(d))
	a := nn.Attention{Scale: 1 / math.Sqrt(float64(k)), Heads: []nn.Head{{Q: gen.Gaussian(t.Rand, k, d, std),
		K: gen.Gaussian(t.Rand, k, d, std), V: gen.Gaussian(t.Rand, k, d, std), O: gen.Gaussian(t.Rand, out, k, 1)}}}
	x := list.Fill(batch, func(int) *mat.Dense { return gen.Gaussian(t.Rand, d, n, 1) })
	views := a.Batches(x, func(int, *mat.Dense) *mat.Dense { return gen.Gaussian(t.Rand, out, n, 1) })
	role := attention.Role(slices.Index(attention.Roles, v.Choice("projection")))
	return attention.Weights(a.Heads[0], role), attention.View(views[0], role)
}

// numericalRank counts the singular values beyond 10⁻¹⁰ of the largest.
func numericalRank(a *mat.Dense) float64 {
	values, rank := must.Get(linalg.SingularValues(a)), 0.0
	for _, x := range values {
		if x > 1e-10*values[0] {
			rank++
		}
	}
	return rank
}
