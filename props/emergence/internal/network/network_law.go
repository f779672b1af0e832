package network

import (
	"math"
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// law holds a label that depends on the count of ones on a support, and the means of the hidden bits: Lemma 4 uses
// nothing else of their law.
type law struct {
	K, Dim  int
	Support []int
	Accept  []bool // by count
	Mean    string // how the mean count was drawn
	Means   []string

	means  []*big.Rat   // E φ̃ⱼ
	bits   [][]*big.Rat // hidden bits for each count
	labels []int64      // y at each count
}

// drawLaw draws k ≤ limit, up to three further bits, any set P of counts, and rational means. A third of the mean
// counts are multiples of 1/8, where the two kinds of hats tie, and a third are within 1/2 of 0 or of k, where hats are
// farthest out: multiples of 1/16, or close to one.
func drawLaw(t *props.T, limit int, meanCount func(*law, *rand.Rand) *big.Rat) law {
	k := gen.Dim(t.T, "k", limit)
	in := law{K: k, Dim: k + rapid.IntRange(0, 3).Draw(t.T, "D−k"),
		Accept: rapid.SliceOfN(rapid.Bool(), k+1, k+1).Draw(t.T, "P"),
		Mean: rapid.SampledFrom([]string{"any mean", "mean where two hats tie", "mean near an end"}).Draw(t.T,
			"mean count")}
	r := t.Stream("law")
	in.Support, in.means = rational.Subset(r, in.Dim, k), make([]*big.Rat, in.Dim)
	for j := range in.means {
		denominator := 2 + r.Int64N(29)
		in.means[j] = big.NewRat(r.Int64N(denominator+1), denominator)
	}
	if total := meanCount(&in, r); total != nil {
		for _, j := range in.Support {
			in.means[j] = new(big.Rat).Quo(total, big.NewRat(int64(k), 1))
		}
	}
	in.Means = rational.Texts(in.means)
	for count := range k + 1 {
		in.bits = append(in.bits, in.bitsWith(r, count))
	}
	in.labels = labels(in.Accept)
	return in
}

// meanCount draws E S for the special kinds of means, and returns nil for any mean.
func (in *law) meanCount(r *rand.Rand) *big.Rat {
	switch in.Mean {
	case "mean where two hats tie":
		return big.NewRat(r.Int64N(8*int64(in.K)+1), 8)
	case "mean near an end":
		return in.nearEnd(r, 9)
	}
	return nil
}

// nearEnd draws E S at the given number of sixteenths from an end, or close to it.
func (in *law) nearEnd(r *rand.Rand, sixteenths int64) *big.Rat {
	low := big.NewRat(max(0, r.Int64N(sixteenths)<<20+r.Int64N(3)-1), 16<<20)
	if r.IntN(2) == 0 {
		return low.Sub(big.NewRat(int64(in.K), 1), low)
	}
	return low
}

// oddEighths draws E S at which a bias is as small as possible.
func oddEighths(in *law, r *rand.Rand) *big.Rat {
	in.Mean = "mean where two hats tie"
	return big.NewRat(2*r.Int64N(4*int64(in.K))+1, 8)
}

// nearestToEnd draws E S closer to an end than 1/2, where a bias exceeds 1/4.
func nearestToEnd(in *law, r *rand.Rand) *big.Rat {
	in.Mean = "mean near an end"
	return in.nearEnd(r, 8)
}

// bitsWith draws hidden bits with the given count of ones on the support; the others are fair.
func (in law) bitsWith(r *rand.Rand, count int) []*big.Rat {
	bits := list.Fill(in.Dim, func(int) *big.Rat { return big.NewRat(r.Int64N(2), 1) })
	for i, at := range r.Perm(in.K) {
		bits[in.Support[at]] = new(big.Rat)
		if i < count {
			bits[in.Support[at]] = big.NewRat(1, 1)
		}
	}
	return bits
}

// labels returns 1 at accepted counts and −1 at the others.
func labels(accept []bool) []int64 {
	out := make([]int64, len(accept))
	for count, yes := range accept {
		if out[count] = -1; yes {
			out[count] = 1
		}
	}
	return out
}

// centre returns φ̃ − E φ̃.
func (in law) centre(bits []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, len(bits))
	for j, b := range bits {
		out[j] = new(big.Rat).Sub(b, in.means[j])
	}
	return out
}

// deviation returns σ̃ when the bits are independent, or 1 if they do not vary. The claim holds for every law with
// these means; σ̃ cancels.
func (in law) deviation() float64 {
	variance := 0.0
	for _, mean := range in.means {
		p := rational.Float(mean)
		variance += p * (1 - p)
	}
	if variance == 0 {
		return 1
	}
	return math.Sqrt(variance)
}

// hats returns the hat functions for the law.
func (in law) hats() theory.Hats {
	mean := new(big.Rat)
	for _, j := range in.Support {
		mean.Add(mean, in.means[j])
	}
	return theory.Hats{K: in.K, Mean: mean, Accept: in.Accept}
}

// exact returns the network of the neurons on the centred hidden bits; all share one direction, which is nonzero only
// on the support.
func exact(neurons []theory.Neuron, slope *big.Rat, support []int, dim int) truncated.Exact {
	direction := list.Fill(dim, func(int) *big.Rat { return new(big.Rat) })
	for _, j := range support {
		direction[j] = slope
	}
	var net truncated.Exact
	for _, n := range neurons {
		net.V, net.B, net.A = append(net.V, direction), append(net.B, n.Bias), append(net.A, n.Out)
	}
	return net
}

// unitColumns draws a d×n matrix with columns of norm 1 and independent directions.
func unitColumns(r *rand.Rand, d, n int) *mat.Dense {
	m := gen.Gaussian(r, d, n, 1)
	for j := range n {
		column := m.ColView(j).(*mat.VecDense)
		column.ScaleVec(1/mat.Norm(column, 2), column)
	}
	return m
}

// Claims of the controls.

// hatsOf claims changed hats.
func hatsOf(change func(*theory.Hats)) func(*networkClaim) {
	return func(c *networkClaim) {
		c.hats = func(in law) theory.Hats {
			h := in.hats()
			change(&h)
			return h
		}
	}
}

// neuronsOf claims changed neurons.
func neuronsOf(change func(theory.Hats, []theory.Neuron)) func(*networkClaim) {
	return func(c *networkClaim) {
		c.neurons = func(h theory.Hats) []theory.Neuron {
			all := h.Neurons()
			change(h, all)
			return all
		}
	}
}

// silence sets output weights to zero rather than remove neurons: the number of neurons is a criterion of its own.
func silence(neurons []theory.Neuron) {
	for _, n := range neurons {
		n.Out.SetInt64(0)
	}
}

// centreAll undoes the shift of the shifted hats, which it recognises because they are twice as steep.
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

// bound claims changed bounds.
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
