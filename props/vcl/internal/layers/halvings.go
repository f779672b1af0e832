package layers

import (
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/order"
)

// Cell is one layer of a sweep over the regimes of [Conditions].
type Cell struct {
	Regime string
	Index  int
}

// Cells are so many layers of every regime.
func Cells(s props.Scale) func(props.Effort) []Cell {
	return func(e props.Effort) []Cell {
		return list.Cross(s.Indices(e), Conditions, func(i int, regime string) Cell { return Cell{regime, i} })
	}
}

// spreads of well and ill-conditioned layers whose steps are halved.
const wellSpread, illSpread = 2.0, 30.0

// Draw draws weights of the regime, with sides of at most ten and now and then one of thirty or a single one. Singular
// values lie between 1/κ and 1, κ = 2 or 30.
func (c Cell) Draw(r *rand.Rand) *mat.Dense {
	small, large := 1+r.IntN(8), 0
	large = small + 1 + r.IntN(3)
	switch c.Index % 4 {
	case 1:
		large = 30
	case 2:
		small = 1 + r.IntN(2)
	}
	m, n := small, large
	switch shape, _, _ := strings.Cut(c.Regime, ","); shape {
	case Shapes[1]:
		n = m
	case Shapes[2]:
		m, n = n, m
	}
	return Conditioned(r, m, n, c.Spread())
}

// Spread is the condition of the layer.
func (c Cell) Spread() float64 {
	if strings.HasSuffix(c.Regime, Ill) {
		return illSpread
	}
	return wellSpread
}

// Halvings are remainders along halved step sizes, and the steps themselves.
type Halvings struct{ Rest, Moved order.Remainder }

// Reach bounds the orders of the steps of a layer: by the least singular value σ of its weights, by the rate d at which
// the target leaves them, and by the values at τ₀ = 1/10 of two series in τ = γd/σ. Their terms are positive and
// bound, in units of σ, those of the step and of what is compared with it.
//
// M(γ) = W₊ − W = γM₁ + γ²M₂ + …, W₊ the nearest weights with the Gram matrix of W − γ∇, has MWᵀ symmetric and WᵀM +
// MᵀW + MᵀM = −γ(Wᵀ∇ + ∇ᵀW) + γ²∇ᵀ∇. So M₁ is the projection of −∇ on the matrices whose product with Wᵀ is symmetric,
// and Mₖ is the projection of a solution of WᵀX + XᵀW = N, N = [k = 2]∇ᵀ∇ − ΣMⱼᵀMₖ₋ⱼ: of X = (W⁺)ᵀN(1 − P/2) with P
// the projection on the rows of W, for which ‖X‖ ≤ ‖N‖/σ. With d = ‖∇‖ the norms γᵏ‖Mₖ‖/σ are therefore at most the
// terms of the series that solves η = τ + τ² + η², with η(τ₀) < [Descended].
//
// Towards the true shift, G = WᵀW − γ(Wᵀ∇ + ∇ᵀW) + γ²WᵀΓ(WᵀΓ)ᵀ, let d be at least ‖WᵀΓ‖ too. For m ≥ n only N for k = 2
// is another one. For m < n the rows of W₊ are those of (1, Kᵀ), in bases of P and its complement P₀, with K =
// (P₀GP − K·PGP₀·K)(PGP)⁻¹. In units of σ
//
//	κ = τ(1 + κ²)/(1 − s),  s = 2τ + τ²,
//	μ = τ + τ²/2 + ½(τκ + (1 + s + τκ)κ²/(1 − κ²)) + μ²/2
//
// bound KWᵀ and M on the rows of W, and all of M is at most μ + κ(1 + μ): 0.13, 0.131 and less than [Shifted] at τ₀.
type Reach struct{ Size, Rate, Rest, Moved float64 }

// The values of the series at τ₀, rounded up.
const Descended, Shifted = 0.13, 0.28

// rate is the step size for τ.
func (a Reach) rate(tau float64) float64 { return tau * a.Size / a.Rate }

// beyond bounds what is of an order and of higher ones: (τ/τ₀)ᵏ of the whole series at τ₀.
func (a Reach) beyond(order int, rate, series float64) float64 {
	return math.Pow(10*rate*a.Rate/a.Size, float64(order)) * series * a.Size
}

// Halve takes the remainders, of the second order in the step size, and the steps of a layer whose weights are known to
// so much, at six step sizes of which each is half of the one before. The first moves the weights by τ = 1/64. Where
// more than a quarter of a remainder is of another order, it tries steps of an eighth and of four times the size: the
// leading order may be small by chance, against the next one or against rounding. The purest are taken, of remainders
// and of steps each by themselves, or the first that are NaN, which no criterion accepts.
func Halve(a Reach, rounding float64, at func(rate float64) (rest, moved *mat.Dense)) (purest Halvings) {
	for i, tau := range []float64{0x1p-6, 0x1p-9, 0x1p-4} {
		h := halve(a, a.rate(tau), rounding, at)
		if i == 0 || h.Rest.Resolved() > purest.Rest.Resolved() {
			purest.Rest = h.Rest
		}
		if i == 0 || h.Moved.Resolved() > purest.Moved.Resolved() {
			purest.Moved = h.Moved
		}
		if !(min(purest.Rest.Resolved(), purest.Moved.Resolved()) < 4) {
			break
		}
	}
	return purest
}

func halve(a Reach, first, rounding float64, at func(rate float64) (rest, moved *mat.Dense)) Halvings {
	var steps []float64
	var rests, moves []*mat.Dense
	for k := range 6 {
		steps = append(steps, math.Ldexp(first, -k))
		rest, moved := at(steps[k])
		rests, moves = append(rests, rest), append(moves, moved)
	}
	h := Halvings{order.Halved(steps, rests, 2, rounding), order.Halved(steps, moves, 1, rounding)}
	for _, rate := range h.Rest.Steps { // E(γ) − 2ᵖE(γ/2) has the rounding 1 + 2ᵖ times
		h.Rest.Allowed = append(h.Rest.Allowed, a.beyond(3, rate, a.Rest)+5*rounding)
		h.Moved.Allowed = append(h.Moved.Allowed, a.beyond(2, rate, a.Moved)+3*rounding)
	}
	return h
}

// MayDecline is the share of layers whose remainder or step is of no order that is seen, see [order.JudgeBounded].
func MayDecline(share float64) map[string]float64 {
	return map[string]float64{remainderOrder: share, stepOrder: share}
}

// AnotherOrder is the criterion that a remainder of a lower order than the claimed one violates.
const AnotherOrder = remainderOrder + order.PartOfAnother

// AnotherOrderOfSteps is the like of the steps.
const AnotherOrderOfSteps = stepOrder + order.PartOfAnother

const remainderOrder, stepOrder = "order of the remainder", "order of the step itself"

// Orders holds the orders of remainders and of the steps themselves.
type Orders struct{ Remainder, Step float64 }

// Stated are the orders that the statements claim.
var Stated = Orders{Remainder: 2, Step: 1}

// Judge states that remainders and steps are of these orders.
func (h Halvings) Judge(r *props.Record, o Orders) {
	order.JudgeBounded(r, remainderOrder, h.Rest, o.Remainder)
	order.JudgeBounded(r, stepOrder, h.Moved, o.Step)
}

// WrongOrders are controls of a check that calls [Halvings.Judge] with the orders in what it claims.
func WrongOrders[K, M, C any](in func(*C) *Orders) []props.WrongCell[K, M, C] {
	return []props.WrongCell[K, M, C]{
		{Name: "distance of first order", Criterion: remainderOrder, Claim: func(c *C) { in(c).Remainder = 1 }},
		{Name: "steps of second order", Criterion: stepOrder, Claim: func(c *C) { in(c).Step = 2 }},
	}
}
