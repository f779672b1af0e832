package emergence

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// counting is a label that depends on the count of ones on a support, and the means of the hidden bits. That is all
// that Lemma 4 asks of their law.
type counting struct {
	k, dim  int
	support []int
	accept  []bool     // by count
	means   []*big.Rat // E φ̃ⱼ
	rand    *rand.Rand // picks the bits of a given count
}

// drawCounting draws k ≤ most, up to three further bits, any set P of counts, and rational means. In every
// second case the mean count is a multiple of 1/8, where the choice between the two kinds of hats is a tie.
func drawCounting(t *props.T, most int) counting {
	k := rapid.IntRange(1, most).Draw(t.T, "k")
	dim := k + rapid.IntRange(0, 3).Draw(t.T, "D−k")
	accept := rapid.SliceOfN(rapid.Bool(), k+1, k+1).Draw(t.T, "P")
	eighths := rapid.Bool().Draw(t.T, "mean count in eighths")
	r := t.Stream("law")
	in := counting{k: k, dim: dim, accept: accept, support: subset(r, dim, k), means: make([]*big.Rat, dim), rand: r}
	for j := range in.means {
		denominator := 2 + r.Int64N(29)
		in.means[j] = big.NewRat(1+r.Int64N(denominator-1), denominator)
	}
	if eighths {
		mean := big.NewRat(1+r.Int64N(8*int64(k)-1), 8*int64(k))
		for _, j := range in.support {
			in.means[j] = mean
		}
	}
	t.Show("k, D", []int{k, dim})
	t.Show("A", in.support)
	t.Show("P", accepted(accept))
	t.Show("E φ̃", in.means)
	return in
}

// subset draws k of the numbers 0, …, n−1, in ascending order.
func subset(r *rand.Rand, n, k int) []int {
	s := r.Perm(n)[:k]
	slices.Sort(s)
	return s
}

// accepted lists the counts of P.
func accepted(accept []bool) []int {
	p := []int{}
	for count, in := range accept {
		if in {
			p = append(p, count)
		}
	}
	return p
}

// label returns y at a count.
func (c counting) label(count int) int {
	if c.accept[count] {
		return 1
	}
	return -1
}

// meanCount returns E S.
func (c counting) meanCount() *big.Rat {
	mean := new(big.Rat)
	for _, j := range c.support {
		mean.Add(mean, c.means[j])
	}
	return mean
}

// deviation returns σ̃ when the bits are independent. The claim holds for every law with these means; σ̃ cancels.
func (c counting) deviation() float64 {
	variance := 0.0
	for _, mean := range c.means {
		p, _ := mean.Float64()
		variance += p * (1 - p)
	}
	return math.Sqrt(variance)
}

// bitsWith draws hidden bits with the given count of ones on the support; the others are fair.
func (c counting) bitsWith(count int) []*big.Rat {
	bits := make([]*big.Rat, c.dim)
	for j := range bits {
		bits[j] = big.NewRat(c.rand.Int64N(2), 1)
	}
	for i, at := range c.rand.Perm(c.k) {
		bits[c.support[at]] = new(big.Rat)
		if i < count {
			bits[c.support[at]] = big.NewRat(1, 1)
		}
	}
	return bits
}

// centre returns φ̃ − E φ̃.
func (c counting) centre(bits []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, len(bits))
	for j, b := range bits {
		out[j] = new(big.Rat).Sub(b, c.means[j])
	}
	return out
}

// input returns x = M(φ̃ − E φ̃)/σ̃ and ‖x‖₊ = Σⱼ‖Mⱼ‖|φⱼ|.
func (c counting) input(m *mat.Dense, deviation float64, bits []*big.Rat) (x []float64, reach float64) {
	d, _ := m.Dims()
	x = make([]float64, d)
	for j, b := range c.centre(bits) {
		phi, _ := b.Float64()
		phi /= deviation
		for i := range x {
			x[i] += m.At(i, j) * phi
		}
		reach += math.Abs(phi) * mat.Norm(m.ColView(j), 2)
	}
	return x, reach
}

// unitColumns draws a d×n matrix whose columns have norm 1 and directions that are independent of each other.
func unitColumns(r *rand.Rand, d, n int) *mat.Dense {
	m := gen.Gaussian(r, d, n, 1)
	for j := range n {
		column := m.ColView(j).(*mat.VecDense)
		column.ScaleVec(1/mat.Norm(column, 2), column)
	}
	return m
}

// texts prints rationals.
func texts(xs []*big.Rat) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = x.RatString()
	}
	return out
}
