package halfidentity

import (
	"math/big"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
)

// drawAny draws a law without symmetry and a network of a kind at which no input meets a kink: with mirrors, or alone
// with output weights times a factor.
func drawAny(t *props.T, kind string, alone bool, factor *big.Rat) instance {
	l := symmetric(6).with(func(r *rand.Rand, k int) []int64 { return summedPattern(r, k, 1, 0) })
	h := l.draw(t)
	net := drawNet(t, kind, h)
	if alone {
		for i := range net.A {
			net.A[i].Mul(net.A[i], factor)
		}
	} else {
		net = paired(net)
	}
	in := newInstance(h, net)
	in.kind = kind
	in.neuron, in.weight = t.Stream("neuron").IntN(len(net.A)), t.Stream("weight").IntN(h.Dim)
	if reach(net.Over(h), net, in.neuron).Sign() == 0 { // at a kink there is no derivative
		t.Skip("an input at a kink")
	}
	return in.computing()
}

// byHand returns the smallest case in which the indicator matters: one fair bit, x = y = ±1, and one neuron with w =
// 1/2 and a = 4; the weight on the bit is w/σ̃ = 1.
func byHand() instance {
	h := data.NewHidden(1, []int{0}, data.Parity(1), []int64{1, 1}, data.Fair)
	in := newInstance(h, truncated.Exact{V: [][]*big.Rat{{big.NewRat(1, 1)}}, B: []*big.Rat{new(big.Rat)},
		A: []*big.Rat{big.NewRat(4, 1)}})
	in.kind = "plain"
	return in.computing()
}

// computing stores the derivative that the implementation computes.
func (in instance) computing() instance {
	in.computed = in.net.HingeGradient(in.law)[in.neuron][in.weight]
	return in
}

// derivativeClaim holds the factors of the claimed derivative, −a·E[y·adds·input]: whether an input contributes, given
// pre-activation and margin, and what it contributes.
type derivativeClaim struct {
	adds  func(z, margin *big.Rat) bool
	input func(in instance, state int) *big.Rat
}

// between reports whether y g < 1 and 0 < z < 1.
func between(z, margin *big.Rat) bool {
	one := big.NewRat(1, 1)
	return z.Sign() > 0 && z.Cmp(one) < 0 && margin.Cmp(one) < 0
}

func withoutIndicator(c *derivativeClaim) {
	c.adds = func(z, _ *big.Rat) bool { return z.Sign() > 0 && z.Cmp(big.NewRat(1, 1)) < 0 }
}

// input returns φ̃ⱼ − E φ̃ⱼ.
func (in instance) input(state int) *big.Rat {
	bit := big.NewRat(int64(state>>in.weight&1), 1)
	return bit.Sub(bit, in.law.Mean()[in.weight])
}

// judgeQuotient compares the gradient formula and its implementation, at one weight of one neuron, with the difference
// quotient of the loss. Along one weight the loss is piecewise linear, so within the nearest kink the quotient is the
// derivative and there is no tolerance.
func judgeQuotient(r *props.Record, in instance, claim derivativeClaim) {
	r.Regime(in.kind)
	land := in.net.Over(in.law)
	by := reach(land, in.net, in.neuron)
	quotient := new(big.Rat).Sub(in.moved(by).HingeLoss(in.law), in.moved(new(big.Rat).Neg(by)).HingeLoss(in.law))
	quotient.Quo(quotient, new(big.Rat).Mul(by, big.NewRat(2, 1)))
	formula := claim.derivative(in, land)
	r.Show("difference quotient, claimed derivative", rational.Texts([]*big.Rat{quotient, formula}))
	rational.Exactly(r, "formula", []*big.Rat{quotient}, []*big.Rat{formula})
	rational.Exactly(r, "implementation", []*big.Rat{quotient}, []*big.Rat{in.computed})
}

// reach returns half of the distance that one weight of a neuron can certainly move before any input meets a kink: |φ̃ⱼ
// − E φ̃ⱼ| ≤ 1, so z moves no more than the weight, and the margin no more than |a| times that.
func reach(land truncated.Landscape, net truncated.Exact, neuron int) *big.Rat {
	one, nearest := big.NewRat(1, 1), big.NewRat(1, 1)
	for s, z := range land.Pre {
		toCut := new(big.Rat).Sub(one, z[neuron])
		toMargin := new(big.Rat).Sub(one, land.Margin[s])
		toMargin.Quo(toMargin, net.A[neuron])
		for _, distance := range []*big.Rat{new(big.Rat).Abs(z[neuron]), toCut.Abs(toCut), toMargin.Abs(toMargin)} {
			if distance.Cmp(nearest) < 0 {
				nearest = distance
			}
		}
	}
	return nearest.Mul(nearest, big.NewRat(1, 2))
}

// moved returns the network with the weight shifted by the given amount.
func (in instance) moved(by *big.Rat) truncated.Exact {
	net := in.net
	row := append([]*big.Rat{}, net.V[in.neuron]...)
	row[in.weight] = new(big.Rat).Add(row[in.weight], by)
	net.V = append([][]*big.Rat{}, net.V...)
	net.V[in.neuron] = row
	return net
}

func (c derivativeClaim) derivative(in instance, land truncated.Landscape) *big.Rat {
	sum := new(big.Rat)
	for s, w := range in.law.Weight {
		if c.adds(land.Pre[s][in.neuron], land.Margin[s]) {
			term := big.NewRat(w*int64(in.law.Label(s)), in.law.Total())
			sum.Add(sum, term.Mul(term, c.input(in, s)))
		}
	}
	return sum.Neg(sum.Mul(sum, in.net.A[in.neuron]))
}
