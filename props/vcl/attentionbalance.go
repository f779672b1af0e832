package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/attention"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// attentionBalance pairs the balance of queries against keys, and of values against the output, with a block.
var attentionBalance = props.Spec{
	Statement: &theory.AttentionBalance,
	Checks: []props.Check{
		props.Drawn[weightPair, balanceClaim]{
			Name:    "change of the balance",
			Cases:   props.Scale{Quick: 60, Standard: 250, Deep: 10000},
			Tries:   28,
			Regimes: pairs,
			Draw:    func(t *props.T) weightPair { return drawWeightPair(t, pairs, nil) },
			Claim:   theory.PairBalance.Next,
			Judge: func(r *props.Record, s weightPair, claim balanceClaim) {
				r.Regime(s.regime)
				got := algebra.Difference(algebra.Product(s.NextU, s.NextU.T()), algebra.Product(s.NextV, s.NextV.T()))
				r.WithinMatrix("Δ⁺", got, claim(s.statement()), s.rounding(r.Unit()))
				r.WithinMatrix("first order", algebra.Product(s.GradU, s.U.T()), algebra.Product(s.V, s.GradV.T()),
					s.rounding(r.Unit())/s.Rate)
			},
			Proven: map[string]string{"Δ⁺": "every rounding is counted, see Block.Apart"},
			Controls: []props.Wrong[weightPair, balanceClaim]{
				{Name: "sum in place of the difference, in second order", Instead: func(b theory.PairBalance) *mat.Dense {
					return algebra.Sum(b.Next(), algebra.Scaled(2*b.Step*b.Step, algebra.Product(b.GradV, b.GradV.T())))
				}},
				{Name: "conserved by the step", Instead: func(b theory.PairBalance) *mat.Dense {
					return algebra.Scaled(math.Pow(1-b.Step*b.Decay, 2), b.Balance())
				}},
				{Name: "decay counted once", Instead: func(b theory.PairBalance) *mat.Dense {
					return algebra.Sum(b.Next(), algebra.Scaled(b.Step*b.Decay, b.Balance()))
				}},
				{Name: "partner's gradient transposed", Criterion: "first order", Alter: func(s *weightPair) {
					s.V, s.GradV = s.GradV, s.V
				}},
				{Name: "heads stacked", Assumption: "one-head", Draw: stackHeads},
				{Name: "rotary positions", Assumption: "form", Draw: func(t *props.T) weightPair {
					return drawWeightPair(t, pairs[:1], func(b *attention.Block) { b.Mistake = attention.Rotary })
				}},
				{Name: "signs of the gradients for the gradients", Assumption: "plain-descent", Alter: func(s *weightPair) {
					sign := func(_, _ int, v float64) float64 { return math.Copysign(1, v) }
					var u, v mat.Dense
					u.Apply(sign, s.GradU)
					v.Apply(sign, s.GradV)
					s.GradU, s.GradV = &u, &v
					s.move()
				}},
				{Name: "two step sizes", Assumption: "plain-descent", Alter: func(s *weightPair) {
					s.NextV = algebra.Sum(s.NextV, algebra.Difference(s.NextV, s.V))
				}},
				{Name: "second weights step later, at the new first ones", Assumption: "both", Draw: func(t *props.T) weightPair {
					s := drawWeightPair(t, pairs[:1], nil)
					late := s.block.With(s.head, attention.Queries, s.NextU)
					s.GradV = late.Probe().Weights(s.head, attention.Keys)
					s.move()
					return s
				}},
			},
		},
	},
	Along: &props.Along{Param: "step", From: 0.02, To: 2, Of: []string{"change"}, Reps: 1,
		Each: &props.ParamSweep{Name: "query", Values: []string{"0.5", "1", "2"}}},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		q, k := scalarStep(t, v)
		before := math.Pow(v.Float("query"), 2) - math.Pow(v.Float("key"), 2)
		return map[string]float64{"balance": before, "change": q*q - k*k - before}, nil
	}},
}.Claim()

// pairs are the regimes.
var pairs = []string{"queries and keys", "output and values"}

// balanceClaim gives the claimed balance after the step.
type balanceClaim func(theory.PairBalance) *mat.Dense

// weightPair is a step of two weights of a head, with a gradient by complex steps each.
type weightPair struct {
	U, V, GradU, GradV, NextU, NextV *mat.Dense
	Rate, Decay                      float64

	regime         string
	block          *attention.Block
	head           int
	uApart, vApart float64
}

func drawWeightPair(t *props.T, of []string, change func(*attention.Block)) weightPair {
	b := attention.Draw(t, attention.Like{})
	if change != nil {
		change(b)
	}
	s := weightPair{block: b, head: rapid.IntRange(0, len(b.Heads)-1).Draw(t.T, "head"),
		regime: rapid.SampledFrom(of).Draw(t.T, "pair"),
		Rate:   math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 γ"))}
	if rapid.Bool().Draw(t.T, "decay") {
		s.Decay = gen.LogUniform(t.T, "λ", 0.01, 1)
	}
	s.of(s.head)
	s.move()
	return s
}

// of takes the weights and gradients of a head.
func (s *weightPair) of(head int) {
	view, probe := s.block.Views()[head], s.block.Probe()
	apart := func(role attention.Role) float64 {
		inputs := attention.View(view, role).Inputs
		return s.block.Apart(head, role, inputs) * mat.Norm(inputs, 2)
	}
	h := s.block.Heads[head]
	if s.regime == pairs[0] {
		s.U, s.V, s.uApart, s.vApart = h.Q, h.K, apart(attention.Queries), apart(attention.Keys)
		s.GradU, s.GradV = probe.Weights(head, attention.Queries), probe.Weights(head, attention.Keys)
		return
	}
	s.U, s.V, s.uApart, s.vApart = mat.DenseCopyOf(h.O.T()), h.V, apart(attention.Output), apart(attention.Values)
	s.GradU, s.GradV = mat.DenseCopyOf(probe.Weights(head, attention.Output).T()), probe.Weights(head, attention.Values)
}

func (s *weightPair) move() {
	next := func(w, grad *mat.Dense) *mat.Dense {
		return algebra.Difference(algebra.Scaled(1-s.Rate*s.Decay, w), algebra.Scaled(s.Rate, grad))
	}
	s.NextU, s.NextV = next(s.U, s.GradU), next(s.V, s.GradV)
}

func (s weightPair) statement() theory.PairBalance {
	return theory.PairBalance{U: s.U, V: s.V, GradU: s.GradU, GradV: s.GradV, Step: s.Rate, Decay: s.Decay}
}

// rounding returns (2d + 10)u of the squares of ‖U‖ + γ‖∇_U‖ and of the same for V, and the distances of the two
// gradients.
func (s weightPair) rounding(unit float64) float64 {
	size := func(w, grad *mat.Dense) (n int, size float64) {
		_, n = w.Dims()
		return n, mat.Norm(w, 2) + s.Rate*mat.Norm(grad, 2)
	}
	d, u := size(s.U, s.GradU)
	e, v := size(s.V, s.GradV)
	return float64(2*max(d, e)+10)*unit*(u*u+v*v) + 2*s.Rate*(s.uApart*mat.Norm(s.U, 2)+s.vApart*mat.Norm(s.V, 2))
}

// stackHeads puts the weights of two heads one below another.
func stackHeads(t *props.T) weightPair {
	b := attention.Draw(t, attention.Like{Heads: 2})
	s := weightPair{block: b, regime: rapid.SampledFrom(pairs).Draw(t.T, "pair"), Rate: 0.25}
	s.of(0)
	first := s
	s.of(1)
	s.U, s.V = algebra.Stacked(first.U, s.U), algebra.Stacked(first.V, s.V)
	s.GradU, s.GradV = algebra.Stacked(first.GradU, s.GradU), algebra.Stacked(first.GradV, s.GradV)
	s.uApart, s.vApart = s.uApart+first.uApart, s.vApart+first.vApart
	s.move()
	return s
}
