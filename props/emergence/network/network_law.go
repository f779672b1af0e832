package network

import (
	"math"
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// law is a label that depends on the count of ones on a support, and the means of the hidden bits: all that Lemma 4
// asks of their law.
type law struct {
	K, Dim  int
	Support []int
	Accept  []bool // by count
	Mean    string // how the mean count was drawn
	Means   []string

	means []*big.Rat   // E φ̃ⱼ
	bits  [][]*big.Rat // hidden bits for each count
	other bool         // the label changes sign with the first relevant bit
}

// drawLaw draws k ≤ limit, up to three further bits, any set P of counts, and rational means. A third of the mean
// counts are multiples of 1/8, where the choice between the two kinds of hats is a tie, and a third are within 1/2 of
// 0 or of k, where hats are farthest out: multiples of 1/16, or next to one.
func drawLaw(t *props.T, limit int, done string) law {
	k := gen.Dim(t.T, "k", limit)
	in := law{K: k, Dim: k + rapid.IntRange(0, 3).Draw(t.T, "D−k"),
		Accept: rapid.SliceOfN(rapid.Bool(), k+1, k+1).Draw(t.T, "P"),
		Mean: rapid.SampledFrom([]string{"any mean", "mean where two hats tie", "mean near an end"}).Draw(t.T,
			"mean count"), other: done == "other label"}
	r := t.Stream("law")
	in.Support, in.means = rational.Subset(r, in.Dim, k), make([]*big.Rat, in.Dim)
	for j := range in.means {
		denominator := 2 + r.Int64N(29)
		in.means[j] = big.NewRat(r.Int64N(denominator+1), denominator)
	}
	switch done {
	case "tie":
		in.Mean = "mean where two hats tie"
	case "end":
		in.Mean = "mean near an end"
	}
	if total := in.meanCount(r, done); total != nil {
		for _, j := range in.Support {
			in.means[j] = new(big.Rat).Quo(total, big.NewRat(int64(k), 1))
		}
	}
	in.Means = rational.Texts(in.means)
	for count := range k + 1 {
		bits := in.bitsWith(r, count)
		if done == "fractional" {
			bits[in.Support[0]] = big.NewRat(1, 2)
		}
		in.bits = append(in.bits, bits)
	}
	return in
}

// meanCount draws E S where it is special, or is nil. A bias is as small as it can be only at odd multiples of 1/8, and
// above 1/4 only nearer to an end than 1/2.
func (in law) meanCount(r *rand.Rand, done string) *big.Rat {
	k := int64(in.K)
	switch in.Mean {
	case "mean where two hats tie":
		if done == "tie" {
			return big.NewRat(2*r.Int64N(4*k)+1, 8)
		}
		return big.NewRat(r.Int64N(8*k+1), 8)
	case "mean near an end":
		sixteenths := int64(9)
		if done == "end" {
			sixteenths = 8
		}
		low := big.NewRat(max(0, r.Int64N(sixteenths)<<20+r.Int64N(3)-1), 16<<20)
		if r.IntN(2) == 0 {
			return low.Sub(big.NewRat(k, 1), low)
		}
		return low
	}
	return nil
}

// bitsWith draws hidden bits with the given count of ones on the support; the others are fair.
func (in law) bitsWith(r *rand.Rand, count int) []*big.Rat {
	bits := make([]*big.Rat, in.Dim)
	for j := range bits {
		bits[j] = big.NewRat(r.Int64N(2), 1)
	}
	for i, at := range r.Perm(in.K) {
		bits[in.Support[at]] = new(big.Rat)
		if i < count {
			bits[in.Support[at]] = big.NewRat(1, 1)
		}
	}
	return bits
}

// label returns y at a count.
func (in law) label(count int) int {
	y := -1
	if in.Accept[count] {
		y = 1
	}
	if in.other && in.bits[count][in.Support[0]].Sign() > 0 {
		y = -y
	}
	return y
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

// hats returns the hat functions for the law, or what is claimed of them.
func (in law) hats(claimed string) theory.Hats {
	mean := new(big.Rat)
	for _, j := range in.Support {
		mean.Add(mean, in.means[j])
	}
	labels := append([]bool{}, in.Accept...)
	for count := range labels {
		switch {
		case claimed == "parity":
			labels[count] = count%2 == 1
		case claimed == "flipped" && in.Accept[1]:
			labels[count] = !in.Accept[count]
		}
	}
	if claimed == "wrong mean" {
		half := big.NewRat(1, 2)
		if mean.Cmp(half) >= 0 {
			half.Neg(half) // towards the inside of [0, k]
		}
		mean.Add(half, mean)
	}
	return theory.Hats{K: in.K, Mean: mean, Accept: labels}
}

// neurons returns the neurons of the hats, or what is claimed of them.
func neurons(h theory.Hats, claimed string) []theory.Neuron {
	all := h.Neurons()
	silent := map[string][]theory.Neuron{"no zero hat": all[:3], "no last hat": all[len(all)-3:]}[claimed]
	for _, n := range silent { // and not removed: the number of neurons is a criterion of its own
		n.Out.SetInt64(0)
	}
	if claimed != "never shifted" {
		return all
	}
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
	return all
}

// exact is the network on the centred hidden bits; all neurons look along the same direction, nonzero on the support.
func exact(h theory.Hats, support []int, dim int, claimed string) truncated.Exact {
	slope := h.Slope()
	if claimed == "half weight" {
		slope.Mul(slope, big.NewRat(1, 2))
	}
	direction := make([]*big.Rat, dim)
	for j := range direction {
		direction[j] = new(big.Rat)
	}
	for _, j := range support {
		direction[j] = slope
	}
	var net truncated.Exact
	for _, n := range neurons(h, claimed) {
		net.V, net.B, net.A = append(net.V, direction), append(net.B, n.Bias), append(net.A, n.Out)
	}
	return net
}

// unitColumns draws a d×n matrix with orthonormal columns, or with columns of norm 1 and independent directions.
func unitColumns(r *rand.Rand, d, n int, orthonormal bool) *mat.Dense {
	if orthonormal {
		return gen.Orthonormal(r, d, n)
	}
	m := gen.Gaussian(r, d, n, 1)
	for j := range n {
		column := m.ColView(j).(*mat.VecDense)
		column.ScaleVec(1/mat.Norm(column, 2), column)
	}
	return m
}
