package network

import (
	"math/big"

	theory "github.com/thm-suite/thm/theory/emergence"
)

// What controls claim.

// hatsOf claims other hats.
func hatsOf(change func(*theory.Hats)) func(*networkClaim) {
	return func(c *networkClaim) {
		c.hats = func(in law) theory.Hats {
			h := in.hats()
			change(&h)
			return h
		}
	}
}

// neuronsOf claims other neurons.
func neuronsOf(change func(theory.Hats, []theory.Neuron)) func(*networkClaim) {
	return func(c *networkClaim) {
		c.neurons = func(h theory.Hats) []theory.Neuron {
			all := h.Neurons()
			change(h, all)
			return all
		}
	}
}

// silence leaves neurons without a voice: the number of neurons is a criterion of its own.
func silence(neurons []theory.Neuron) {
	for _, n := range neurons {
		n.Out.SetInt64(0)
	}
}

// centreAll takes back the shift of the hats that are shifted, which are twice as steep.
func centreAll(h theory.Hats, all []theory.Neuron) {
	steep, shift := big.NewRat(16*int64(h.K), 1), big.NewRat(1, 16*int64(h.K))
	for i := 0; i < len(all); i += 3 {
		if new(big.Rat).Abs(all[i].Out).Cmp(steep) != 0 {
			continue
		}
		for _, n := range all[i : i+3] {
			n.Out.Mul(n.Out, big.NewRat(1, 2))
			n.Bias.Add(n.Bias, shift)
		}
	}
}

func halfSlope(h theory.Hats) *big.Rat { return new(big.Rat).Mul(h.Slope(), big.NewRat(1, 2)) }

// bound claims other bounds for k.
func (c *sizesClaim) bound(change func(k int64, b *theory.Extremes)) {
	c.bounds = func(k int) theory.Extremes {
		b := theory.Bounds(k)
		change(int64(k), &b)
		return b
	}
}

func largerLeastBias(k int64, b *theory.Extremes) { b.LeastBias = big.NewRat(1, 31*k) }

func smallerMostBias(_ int64, b *theory.Extremes) { b.MostBias = big.NewRat(1, 4) }

func smallerPreActivation(_ int64, b *theory.Extremes) { b.PreActivation = big.NewRat(1, 4) }
