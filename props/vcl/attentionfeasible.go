package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// negativeCount is the criterion on one head.
const negativeCount = "negative eigenvalues"

// attentionFeasible pairs the signs of the targets' eigenvalues with those of blocks.
var attentionFeasible = props.Spec{
	Statement: &theory.AttentionFeasible,
	Checks: []props.Check{
		oneHead,
		props.Drawn[stackTarget, stackClaim]{
			Name:    "all projections stacked",
			Cases:   props.Scale{Quick: 40, Standard: 100, Deep: 5000},
			Tries:   28,
			Regimes: headCounts,
			Draw:    func(t *props.T) stackTarget { return drawStack(t, 1, false) },
			Claim:   theory.StackBound,
			Judge: func(r *props.Record, s stackTarget, claim stackClaim) {
				r.Regime(s.regime)
				r.AtLeast("least eigenvalue", layers.Eigenvalues(s.Target)[0], claim(s.Smallest, s.Cross, s.Rate),
					s.rounding(r.Unit()))
			},
			Coarse: map[string]string{
				"least eigenvalue": "the directions of the bound's two terms seldom agree, as they do in the sharp family",
			},
			Controls: []props.Wrong[stackTarget, stackClaim]{
				{Name: "square of the shift with the opposite sign", Assumption: "whole-shift",
					Draw: func(t *props.T) stackTarget {
						s := drawStack(t, 40, false)
						s.Target = algebra.Difference(s.Target, algebra.Scaled(2, s.square))
						return s
					}},
				{Name: "queries of one head for the stack", Assumption: "stacked",
					Draw: func(t *props.T) stackTarget { return drawStack(t, 1, true) }},
				{Name: "no first order", Instead: func(smallest, _, step float64) float64 {
					return theory.StackBound(smallest, 0, step)
				}},
			},
		},
		props.Drawn[stackTarget, stackClaim]{
			Name:  "sharp family",
			Cases: props.Scale{Quick: 40, Standard: 200, Deep: 5000},
			Draw:  drawSharpStack,
			Claim: theory.StackBound,
			Judge: func(r *props.Record, s stackTarget, claim stackClaim) {
				r.Within("bound without the square of the shift", layers.Eigenvalues(algebra.Difference(s.Target, s.square))[0],
					claim(s.Smallest, s.Cross, s.Rate), s.rounding(r.Unit()))
			},
			Controls: []props.Wrong[stackTarget, stackClaim]{
				{Name: "square of the shift counted", Alter: func(s *stackTarget) { s.square.Zero() }},
				{Name: "first order smaller by a hundredth", Instead: func(smallest, cross, step float64) float64 {
					return theory.StackBound(smallest, 0.99*cross, step)
				}},
			},
		},
	},
	Along: &props.Along{Param: "head", From: 1, To: 16, Places: 16, Reps: 1,
		Each: &props.ParamSweep{Name: "tokens", Values: []string{"2", "4", "12"}}},
	Try: &props.Simulation{Run: simulateNegative},
}.Claim()

var oneHead = props.Drawn[headTarget, countClaim]{
	Name:    "one head",
	Cases:   props.Scale{Quick: 80, Standard: 300, Deep: 10000},
	Tries:   20,
	Regimes: []string{"small steps", "large steps"},
	Draw:    func(t *props.T) headTarget { return drawHeadTarget(t, inKernelToo) },
	Claim:   theory.AttentionShape.Negative,
	Judge: func(r *props.Record, s headTarget, claim countClaim) {
		r.RegimeOf(s.large)
		want := claim(s.shape, s.Projection)
		values := layers.Eigenvalues(s.Target)
		zero := roundingOf(values, r.Unit()) + s.stray
		if r.Declines(negativeCount, s.signal/zero, 1000) {
			return
		}
		count := 0.0
		for _, x := range values {
			if x < -zero {
				count++
			}
		}
		if s.large { // more may be
			count = min(count, want)
		}
		r.Exactly(negativeCount, count, want)
	},
	// of 400 heads none had signals that small
	Declined: map[string]float64{negativeCount: 0.1},
	Controls: []props.Wrong[headTarget, countClaim]{
		{Name: "tokens in the row space of the weights", Assumption: "outside", Draw: func(t *props.T) headTarget {
			return drawHeadTarget(t, inRowSpace)
		}},
		{Name: "identity added on the kernel", Alter: func(s *headTarget) {
			s.Target = algebra.Sum(s.Target, s.kernelSquare)
		}},
		{Name: "one more negative eigenvalue, of thrice the rounding", Alter: (*headTarget).lowerAnother},
		{Name: "feasible", Instead: func(theory.AttentionShape, string) float64 { return 0 }},
		{Name: "as many as tokens", Instead: func(s theory.AttentionShape, _ string) float64 {
			return float64(s.Tokens * s.Sequences)
		}},
	},
}

// What is claimed of the count and of the stack.
type (
	countClaim func(s theory.AttentionShape, projection string) float64
	stackClaim func(smallest, cross, step float64) float64
)

// headTarget is the Gram matrix that a step of one head's projection asks for.
type headTarget struct {
	W, Target  *mat.Dense
	Projection string
	Rate       float64

	shape        theory.AttentionShape
	large        bool
	signal       float64    // γ²σ_r²
	stray        float64    // bounds what a part of the gradient on the kernel of W changes
	kernelSquare *mat.Dense // makes the block on the kernel positive
}

// Where tokens lie.
const (
	inKernelToo = iota
	inRowSpace
)

func drawHeadTarget(t *props.T, where int) headTarget {
	b := attention.Draw(t, attention.Like{Narrow: true})
	role := attention.Role(rapid.IntRange(0, 2).Draw(t.T, "projection"))
	s := headTarget{Projection: attention.Roles[role], large: rapid.Bool().Draw(t.T, "large")}
	h := b.Heads[0]
	b.Heads = b.Heads[:1]
	s.W = attention.Weights(h, role)
	rows, d := s.W.Dims()
	out, _ := h.O.Dims()
	_, tokens := b.Tokens[0].Dims()
	s.shape = theory.AttentionShape{Tokens: tokens, Sequences: len(b.Tokens), Width: d, Head: rows, Out: out}
	_, values, right := layers.SVD(s.W)
	onRows := algebra.Product(right, right.T())
	if where == inRowSpace {
		for i, x := range b.Tokens {
			b.Tokens[i] = algebra.Product(onRows, x)
		}
	}
	view, private := attention.View(b.Views()[0], role), b.Probe().Inputs(0, role)
	sigma := values[len(values)-1]
	s.Rate = sigma * sigma / (2 * mat.Norm(private, 2) * mat.Norm(view.Inputs, 2))
	if s.large {
		s.Rate *= 20
	} else {
		s.Rate *= 0.9
	}
	s.Target = algebra.Sum(algebra.Product(s.W.T(), s.W), covarianceShift(view.Inputs, private, s.Rate))
	outside := algebra.Difference(dense.Identity(d), onRows)
	// The gradient is Wᵀ∇ but for the rounding of its terms, which a saturated softmax makes large next to their sum.
	stray, inputs, moved := mat.Norm(algebra.Product(outside, private), 2), mat.Norm(view.Inputs, 2), mat.Norm(private, 2)
	s.stray = 2 * s.Rate * stray * (inputs + s.Rate*moved)
	_, across, _ := layers.SVD(algebra.Product(view.WeightGrad(), outside))
	if r := int(s.shape.Negative(s.Projection)); r > 0 && where == inKernelToo {
		s.signal = math.Pow(s.Rate*across[r-1], 2)
	} else {
		s.signal = math.Pow(s.Rate*sigma, 2)
	}
	s.kernelSquare = algebra.Scaled(mat.Norm(s.Target, 2), outside)
	return s
}

// roundingOf bounds the errors of all eigenvalues, given in their order.
func roundingOf(values []float64, unit float64) float64 {
	return 64 * float64(len(values)) * unit * math.Max(math.Abs(values[0]), math.Abs(values[len(values)-1]))
}

// lowerAnother makes one eigenvalue more negative, by three times what counts as rounding.
func (s *headTarget) lowerAnother() {
	values, vectors := must.Both(linalg.SymEigen(layers.Symmetric(s.Target), true))
	i, n := int(s.shape.Negative(s.Projection)), len(values)
	v := mat.DenseCopyOf(vectors.Slice(0, n, i, i+1))
	by := values[i] + 3*roundingOf(values, roundoff.Unit)
	s.Target = algebra.Difference(s.Target, algebra.Scaled(by, algebra.Product(v, v.T())))
}

// stackTarget is the Gram matrix that a step of stacked projections asks for.
type stackTarget struct {
	W, Target             *mat.Dense
	Smallest, Cross, Rate float64 // σ, ‖wXᵀ‖₂, γ

	regime string
	square *mat.Dense // γ²wwᵀ
	size   float64
}

// drawStack draws a step for which the bound is at least zero, or so many times as long, or puts the queries of one
// head in the place of the stack.
func drawStack(t *props.T, times float64, queries bool) stackTarget {
	s := drawShared(t, attention.Like{})
	step := s.step()
	out := stackOf(step.W, s.Tokens, s.Shared, times*gen.LogUniform(t.T, "part", 0.05, 1))
	out.regime = step.regime
	if queries {
		q := s.block.Heads[0].Q
		out.Target = algebra.Sum(algebra.Product(q.T(), q), covarianceShift(s.Tokens, s.Shared, out.Rate))
	}
	return out
}

// stackOf takes a step that is so much of one for which the bound is zero.
func stackOf(w, tokens, shared *mat.Dense, part float64) stackTarget {
	s := stackTarget{W: w, Cross: norm2(algebra.Product(shared, tokens.T()))}
	_, values, _ := layers.SVD(w)
	smallest := values[len(values)-1]
	if m, d := w.Dims(); m >= d {
		s.Smallest = smallest
	}
	s.Rate = part * smallest * smallest / (2 * s.Cross)
	s.Target = algebra.Sum(algebra.Product(w.T(), w), covarianceShift(tokens, shared, s.Rate))
	s.square = algebra.Scaled(s.Rate*s.Rate, algebra.Product(shared, shared.T()))
	size, x, p := mat.Norm(w, 2), mat.Norm(tokens, 2), s.Rate*mat.Norm(shared, 2)
	s.size = size*size + 2*x*p + p*p
	return s
}

// rounding bounds the rounding of the least eigenvalue and of its bound.
func (s stackTarget) rounding(unit float64) float64 {
	m, d := s.W.Dims()
	return float64(64*(m+d)) * unit * s.size
}

// drawSharpStack draws two sequences of one token, along the last right singular vector of the stack and across it. The
// tokens attend to themselves, so that only the values, a multiple of I, have signals; the weaker ones are across.
func drawSharpStack(t *props.T) stackTarget {
	basis := gen.Orthonormal(t.Stream("basis"), 2, 2)
	along := func(i int, name string, lo, hi float64) *mat.Dense {
		return algebra.Scaled(gen.LogUniform(t.T, name, lo, hi), basis.Slice(0, 2, i, i+1))
	}
	value := gen.LogUniform(t.T, "σ", 0.3, 3)
	head := nn.Head{Q: mat.DenseCopyOf(along(1, "query", 0.3, 3).T()), K: mat.NewDense(1, 2, nil),
		V: algebra.Scaled(value, dense.Identity(2)), O: dense.Identity(2)}
	block := nn.Attention{Scale: 1, Heads: []nn.Head{head}}
	tokens := []*mat.Dense{along(0, "token", 1, 3), along(1, "token across", 0.3, 1)}
	signals := []*mat.Dense{along(0, "signal", 1, 3), along(1, "signal across", 0.3, 1)}
	view := block.Batches(tokens, func(i int, _ *mat.Dense) *mat.Dense { return signals[i] })[0]
	shared := attention.Sum(view.Q.InputGrads, view.K.InputGrads, view.V.InputGrads)
	return stackOf(algebra.Stacked(head.Q, head.K, head.V), view.V.Inputs, shared, gen.LogUniform(t.T, "part", 0.05, 1))
}

// simulateNegative counts for a step of a random head that is a thousandth of where the row space might turn.
func simulateNegative(t *props.Trial, v statement.Values) (map[string]float64, error) {
	w, view := randomHead(t, v)
	_, values, _ := layers.SVD(w)
	rate := 1. // of one token nothing moves
	if size := mat.Norm(view.InputGrads, 2) * mat.Norm(view.Inputs, 2); size > 0 {
		rate = math.Pow(values[len(values)-1], 2) / (2 * size)
	}
	all := layers.Eigenvalues(algebra.Sum(algebra.Product(w.T(), w), covarianceShift(view.Inputs, view.InputGrads, rate)))
	count := 0.0
	for _, e := range all {
		if e < -1e-13*all[len(all)-1] {
			count++
		}
	}
	return map[string]float64{"negative": count}, nil
}
