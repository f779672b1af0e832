package vcl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// attentionTokens pairs the law of all projections together with the gradient in the tokens that they share.
var attentionTokens = props.Spec{
	Statement: &theory.AttentionTokens,
	Checks: []props.Check{
		props.Drawn[gramStep, residualClaim]{
			Name:    "law of all projections together",
			Cases:   props.Scale{Quick: 24, Standard: 60, Deep: 5000},
			Tries:   12,
			Regimes: headCounts,
			Draw:    func(t *props.T) gramStep { return drawShared(t, attention.Like{}).step() },
			Claim:   gramStep.residual,
			Judge:   judgeProjection,
			Proven:  map[string]string{"residual": "every rounding is counted, see gramStep.rounding and Block.Apart"},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Name: "values of one head left out", Assumption: "all-branches", Draw: func(t *props.T) gramStep {
					s := drawShared(t, attention.Like{})
					return s.stepOf(slices.Delete(s.all(), 2, 3))
				}},
				{Name: "one head of several alone", Assumption: "all-branches", Draw: func(t *props.T) gramStep {
					return drawShared(t, attention.Like{Heads: 2}).stepOf([]int{0, 1, 2})
				}},
				{Name: "queries alone", Assumption: "all-branches", Draw: func(t *props.T) gramStep {
					return drawShared(t, attention.Like{}).stepOf([]int{0})
				}},
				{Name: "skip connection", Assumption: "no-skip", Draw: func(t *props.T) gramStep {
					s := drawShared(t, attention.Like{Square: true})
					step := s.step()
					step.InputGrads = algebra.Sum(step.InputGrads, s.block.Views()[0].O.PreGrads)
					return step
				}},
				{Name: "weight decay in the step", Assumption: "plain-descent", Alter: func(s *gramStep) {
					s.Next = algebra.Difference(s.Next, algebra.Scaled(0.1*s.Rate, s.W))
				}},
				{Name: "residual with the opposite sign", Instead: gramStep.oppositeResidual},
				{Name: "residual without cross-token terms", Instead: gramStep.residualOfSamples},
			},
		},
		props.Drawn[sharedTokens, crossTerms]{
			Name:    "shared and private tokens",
			Cases:   props.Scale{Quick: 24, Standard: 60, Deep: 5000},
			Regimes: headCounts,
			Draw:    func(t *props.T) sharedTokens { return drawShared(t, attention.Like{}) },
			Claim:   theory.CrossTerms,
			Judge:   judgeShared,
			Controls: []props.Wrong[sharedTokens, crossTerms]{
				{Name: "values of one head forgotten", Assumption: "all-branches", Alter: func(s *sharedTokens) {
					s.Private = slices.Delete(slices.Clone(s.Private), 2, 3)
				}},
				{Name: "cross terms dropped", Criterion: "cross terms", Instead: func(step float64, w []*mat.Dense) *mat.Dense {
					return algebra.Scaled(0, theory.CrossTerms(step, w))
				}},
				{Name: "cross terms counted once", Criterion: "cross terms",
					Instead: func(step float64, w []*mat.Dense) *mat.Dense {
						return algebra.Scaled(0.5, theory.CrossTerms(step, w))
					}},
				{Name: "cross terms of first order", Criterion: "cross terms",
					Instead: func(step float64, w []*mat.Dense) *mat.Dense {
						return algebra.Scaled(1/step, theory.CrossTerms(step, w))
					}},
			},
		},
	},
	Along: &props.Along{
		Param: "step", From: 0.01, To: 1, Each: &props.ParamSweep{Name: "heads", Values: []string{"1", "2", "4"}},
		Y: "trace of the cross terms", Reps: 2,
	},
	Try: &props.Simulation{Run: simulateCrossTerms},
}.Claim()

// headCounts are the regimes of blocks.
var headCounts = []string{"one head", "several heads"}

// crossTerms gives the claimed difference of the private shifts and the joint one.
type crossTerms func(step float64, signals []*mat.Dense) *mat.Dense

// sharedTokens is a block with the gradients in its tokens, as shared by all projections and by each alone.
type sharedTokens struct {
	Tokens, Shared *mat.Dense
	Private        []*mat.Dense // by head: queries, keys, values
	Rate           float64

	block *attention.Block
	apart []float64
}

func drawShared(t *props.T, like attention.Like) sharedTokens {
	b := attention.Draw(t, like)
	probe := b.Probe()
	s := sharedTokens{Tokens: b.Views()[0].Q.Inputs, Shared: probe.Tokens(), block: b,
		Rate: math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 γ"))}
	for head := range b.Heads {
		for role := attention.Queries; role <= attention.Values; role++ {
			s.Private = append(s.Private, probe.Inputs(head, role))
			s.apart = append(s.apart, b.Apart(head, role, s.Tokens))
		}
	}
	return s
}

// all are the indices of the projections.
func (s sharedTokens) all() []int { return props.Indices(len(s.Private)) }

func (s sharedTokens) step() gramStep { return s.stepOf(s.all()) }

// stepOf moves the named projections, stacked, and the tokens along their shared gradient.
func (s sharedTokens) stepOf(projections []int) gramStep {
	var w, gradients, signals []*mat.Dense
	views, probe, apart := s.block.Views(), s.block.Probe(), 0.0
	for _, i := range projections {
		head, role := i/3, attention.Role(i%3)
		w = append(w, attention.Weights(s.block.Heads[head], role))
		gradients = append(gradients, probe.Weights(head, role))
		signals = append(signals, attention.View(views[head], role).PreGrads)
		apart += s.apart[i]
	}
	before := algebra.Stacked(w...)
	return gramStep{W: before, Next: algebra.Difference(before, algebra.Scaled(s.Rate, algebra.Stacked(gradients...))),
		Inputs: s.Tokens, PreGrads: algebra.Stacked(signals...), InputGrads: s.Shared, Rate: s.Rate, Weights: 1, Virtual: 1,
		Covariance: 1, apart: apart, regime: s.regime()}
}

func (s sharedTokens) regime() string { return headCounts[min(1, len(s.block.Heads)-1)] }

// judgeShared allows w and Σwᵢ to be apart by δ = Σ‖Wᵢ‖ apart(i) and the rounding of n sums, which the shifts see as
// 2γ‖X‖δ + γ²·2Σ‖wᵢ‖·δ, in addition to (N + n + 4)u of all terms.
func judgeShared(r *props.Record, s sharedTokens, claim crossTerms) {
	r.Regime(s.regime())
	var apart, norms float64
	shifts := algebra.Scaled(-1, covarianceShift(s.Tokens, s.Shared, s.Rate))
	for i, w := range s.Private {
		head, role := i/3, attention.Role(i%3)
		apart += mat.Norm(attention.Weights(s.block.Heads[head], role), 2) * s.apart[i]
		norms += mat.Norm(w, 2)
		shifts.Add(shifts, covarianceShift(s.Tokens, w, s.Rate))
	}
	_, tokens := s.Tokens.Dims()
	n, x := len(s.Private), mat.Norm(s.Tokens, 2)
	apart += float64(n) * r.Unit() * norms
	r.WithinMatrix("gradient in the tokens", s.Shared, attention.Sum(s.Private...), apart)
	terms := 4*s.Rate*x*norms + 2*math.Pow(s.Rate*norms, 2)
	r.WithinMatrix("cross terms", shifts, claim(s.Rate, s.Private),
		2*s.Rate*apart*(x+s.Rate*norms)+float64(tokens+n+4)*r.Unit()*terms)
}

// covarianceShift is cov(X − γw) − cov(X), expanded.
func covarianceShift(x, w *mat.Dense, rate float64) *mat.Dense {
	cross := algebra.Product(x, w.T())
	cross.Add(cross, mat.DenseCopyOf(cross.T()))
	return algebra.Difference(algebra.Scaled(rate*rate, algebra.Product(w, w.T())), algebra.Scaled(rate, cross))
}

// simulateCrossTerms subtracts the joint shift from the private ones, for private gradients at one angle to each other.
func simulateCrossTerms(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, cosine, rate := 3*v.Int("heads"), v.Float("cosine"), v.Float("step")
	t.Need(n <= 60, "a simulation needs at most 20 heads")
	basis, x := gen.Orthonormal(t.Rand, n+1, n+1), gen.Gaussian(t.Rand, n+1, 1, 1)
	joint, sum := mat.NewDense(n+1, 1, nil), 0.0
	for i := range n { // √c of a direction that all have, √(1 − c) of one's own
		w := mat.NewDense(n+1, 1, nil)
		w.Apply(func(row, _ int, _ float64) float64 {
			return v.Float("signal") * (math.Sqrt(cosine)*basis.At(row, n) + math.Sqrt(1-cosine)*basis.At(row, i))
		}, w)
		joint.Add(joint, w)
		sum += mat.Trace(covarianceShift(x, w, rate))
	}
	return map[string]float64{"cross": sum - mat.Trace(covarianceShift(x, joint, rate))}, nil
}
