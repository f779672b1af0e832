package halfidentity

import (
	"math/big"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
)

// drawAny draws a law without symmetry and a network, plain, with bias or saturated, with mirrors or without, at
// which no input meets a kink. By hand it is the smallest case in which the indicator matters: one fair bit, x = y =
// ±1, and one neuron with w = 1/2 and a = 4; the weight on the bit is w/σ̃ = 1.
func drawAny(t *props.T, done string) instance {
	kind := rapid.SampledFrom([]string{"plain", "bias", "saturated"}).Draw(t.T, "kind")
	alone := rapid.Bool().Draw(t.T, "no mirrors")
	factor := big.NewRat(7, 2) // large enough for the hinge to be inactive somewhere
	switch done {
	case "large outputs": // for it to be inactive at most inputs with the right label
		kind, alone, factor = "plain", true, big.NewRat(112, 1)
	case "saturated":
		kind = "saturated"
	}
	h := drawLaw(t, "no symmetry", 6)
	net := drawNet(t, kind, h)
	if alone {
		half := len(net.A) / 2
		net = truncated.Exact{V: net.V[:half], B: net.B[:half], A: net.A[:half]}
		for i := range net.A {
			net.A[i].Mul(net.A[i], factor)
		}
	}
	if done == "by hand" {
		h = data.NewHidden(1, []int{0}, data.Parity(1), []int64{1, 1}, data.Fair)
		one := big.NewRat(1, 1)
		net, kind = truncated.Exact{V: [][]*big.Rat{{one}}, B: []*big.Rat{new(big.Rat)},
			A: []*big.Rat{big.NewRat(4, 1)}}, "plain"
	}
	in := newInstance(h, net)
	in.kind = kind
	in.neuron, in.weight = t.Stream("neuron").IntN(len(net.A)), t.Stream("weight").IntN(h.Dim)
	if reach(net.Over(h), net, in.neuron).Sign() == 0 { // at a kink there is no derivative
		t.Skip("an input at a kink")
	}
	return in
}

// judgeQuotient compares the gradient formula and its implementation, at one weight of one neuron, with the difference
// quotient of the loss. Along one weight the loss is piecewise linear, so within the nearest kink the quotient is the
// derivative and there is no tolerance.
func judgeQuotient(r *props.Record, in instance, claimed string) {
	r.Regime(in.kind)
	land := in.net.Over(in.law)
	by := reach(land, in.net, in.neuron)
	quotient := new(big.Rat).Sub(in.moved(by).HingeLoss(in.law), in.moved(new(big.Rat).Neg(by)).HingeLoss(in.law))
	quotient.Quo(quotient, new(big.Rat).Mul(by, big.NewRat(2, 1)))
	formula, computed := in.derivative(land, claimed), in.net.HingeGradient(in.law)[in.neuron][in.weight]
	if claimed == "twice" {
		computed = new(big.Rat).Mul(computed, big.NewRat(2, 1))
	}
	r.Show("difference quotient, claimed derivative", rational.Texts([]*big.Rat{quotient, formula}))
	rational.Exactly(r, "formula", []*big.Rat{quotient}, []*big.Rat{formula})
	rational.Exactly(r, "implementation", []*big.Rat{quotient}, []*big.Rat{computed})
}

// reach returns half of how far one weight of a neuron can move before any input meets a kink: |φ̃ⱼ − E φ̃ⱼ| ≤ 1, so z
// moves no more than the weight and the margin no more than |a| times that.
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

// moved returns the network with the weight changed.
func (in instance) moved(by *big.Rat) truncated.Exact {
	net := in.net
	row := append([]*big.Rat{}, net.V[in.neuron]...)
	row[in.weight] = new(big.Rat).Add(row[in.weight], by)
	net.V = append([][]*big.Rat{}, net.V...)
	net.V[in.neuron] = row
	return net
}

// derivative is −a·E[y 1{y g < 1} 1{0 < z < 1} (φ̃ⱼ − E φ̃ⱼ)], term by term, or what is claimed of it.
func (in instance) derivative(land truncated.Landscape, claimed string) *big.Rat {
	one, mean, sum := big.NewRat(1, 1), in.law.Mean()[in.weight], new(big.Rat)
	for s, w := range in.law.Weight {
		z := land.Pre[s][in.neuron]
		switch {
		case z.Sign() <= 0,
			z.Cmp(one) >= 0 && claimed != "no cut",
			land.Margin[s].Cmp(one) >= 0 && claimed != "no indicator":
			continue
		}
		term := big.NewRat(w*int64(in.law.Label(s)), in.law.Total())
		if claimed != "no input" {
			bit := big.NewRat(int64(s>>in.weight&1), 1)
			term.Mul(term, bit.Sub(bit, mean))
		}
		sum.Add(sum, term)
	}
	return sum.Neg(sum.Mul(sum, in.net.A[in.neuron]))
}
