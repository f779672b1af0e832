package layers

import (
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

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
		var out []Cell
		for i := range s.At(e) {
			for _, regime := range Conditions {
				out = append(out, Cell{regime, i})
			}
		}
		return out
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

// Halvings are remainders along halved step sizes, beside the steps themselves.
type Halvings struct{ Rest, Moved order.Remainder }

// Halve takes the remainders, of the second order in the step size, and the steps of a layer whose weights are known to
// so much, at six step sizes of which each is half of the one before. Where more than a quarter of a remainder is of
// another order, it tries steps of an eighth and of four times the size: the second order may be small by chance,
// beside the third one or beside rounding. The purest are taken, or the first that are NaN, which no criterion accepts.
func Halve(first, rounding float64, at func(rate float64) (rest, moved *mat.Dense)) (purest Halvings) {
	lowest := math.Inf(1)
	for _, factor := range []float64{1, 0.125, 4} {
		h := halve(factor*first, rounding, at)
		impure := 0.0
		for k, norm := range h.Rest.Norms {
			impure = max(impure, h.Rest.Beyond[k]/norm)
		}
		if !(impure >= lowest) {
			lowest, purest = impure, h
		}
		if !(lowest > 0.25) {
			break
		}
	}
	return purest
}

func halve(first, rounding float64, at func(rate float64) (rest, moved *mat.Dense)) Halvings {
	var steps []float64
	var rests, moves []*mat.Dense
	for k := range 6 {
		steps = append(steps, math.Ldexp(first, -k))
		rest, moved := at(steps[k])
		rests, moves = append(rests, rest), append(moves, moved)
	}
	return Halvings{order.Halved(steps, rests, 2, rounding), order.Halved(steps, moves, 1, rounding)}
}

// AnotherOrder is the criterion that a remainder of a lower order than the claimed one violates.
const AnotherOrder = "order of the remainder: the part of another order"

// Judge states that the steps are of the first order and the remainders of the second, or what [WrongOrders] claim.
func (h Halvings) Judge(r *props.Record, claimed string) {
	remainder, step := 2.0, 1.0
	switch claimed {
	case "first":
		remainder = 1
	case "second":
		step = 2
	}
	order.Judge(r, "order of the remainder", h.Rest, remainder)
	order.Judge(r, "order of the step itself", h.Moved, step)
}

// WrongOrders are controls of a check that calls [Halvings.Judge].
func WrongOrders() []props.Control {
	return []props.Control{
		{Name: "distance of first order", Criterion: "order of the remainder", Claimed: "first"},
		{Name: "steps of second order", Criterion: "order of the step itself", Claimed: "second"},
	}
}
