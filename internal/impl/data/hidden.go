// Package data holds the data models of the claims.
package data

import (
	"math"
	"math/big"
	"math/bits"

	"gonum.org/v1/gonum/mat"
)

// Hidden is a law of hidden bits φ̃ ∈ {0,1}^D and a label y = ±1 that depends on them, with probabilities that are
// known exactly. State s stands for the bits of s: φ̃ⱼ is bit j. It is the data model of Shi, Wei, Liang, arXiv
// 2206.01717.
type Hidden struct {
	Dim     int
	Support []int   // A: the coordinates that the label depends on
	Accept  []bool  // y = +1 when the count of ones on A is accepted; counts 0, …, |A|
	Weight  []int64 // of the 2^D states; probabilities are weights divided by their sum, which must fit int64
}

// Odds are the integer weights of a one and of a zero.
type Odds struct{ One, Zero int64 }

// Fair are the odds of a fair coin.
var Fair = Odds{1, 1}

// NewHidden makes the law whose bits on the support follow pattern and whose other bits are independent with the given
// odds. Bit i of an index of pattern (length 2^|A|) is the bit at support[i].
func NewHidden(dim int, support []int, accept []bool, pattern []int64, background Odds) Hidden {
	if len(pattern) != 1<<len(support) || len(accept) != len(support)+1 || len(support) > dim {
		panic("data: support, labels of counts and pattern do not fit")
	}
	h := Hidden{Dim: dim, Support: support, Accept: accept, Weight: make([]int64, 1<<dim)}
	for s := range h.Weight {
		p, ones := 0, bits.OnesCount(uint(s))
		for i, j := range support {
			p |= s >> j & 1 << i
			ones -= s >> j & 1
		}
		w := pattern[p]
		for j := range dim - len(support) {
			if j < ones {
				w *= background.One
			} else {
				w *= background.Zero
			}
		}
		h.Weight[s] = w
	}
	return h
}

// Mixture returns the pattern on k bits that is uniform with probability uniform/(uniform+equal) and otherwise has all
// bits equal, to 0 or to 1 with equal chances.
func Mixture(k int, uniform, equal int64) []int64 {
	pattern := make([]int64, 1<<k)
	for p := range pattern {
		pattern[p] = 2 * uniform
	}
	pattern[0] += equal << k
	pattern[len(pattern)-1] += equal << k
	return pattern
}

// Parity accepts the odd counts among 0, …, k.
func Parity(k int) []bool {
	accept := make([]bool, k+1)
	for count := range accept {
		accept[count] = count%2 == 1
	}
	return accept
}

// Count returns the number of ones on the support.
func (h Hidden) Count(state int) int {
	n := 0
	for _, j := range h.Support {
		n += state >> j & 1
	}
	return n
}

// Label returns y = ±1.
func (h Hidden) Label(state int) int {
	if h.Accept[h.Count(state)] {
		return 1
	}
	return -1
}

// Total returns the sum of the weights.
func (h Hidden) Total() int64 {
	var total int64
	for _, w := range h.Weight {
		total += w
	}
	return total
}

// CountLaw returns the probabilities of the counts 0, …, |A|.
func (h Hidden) CountLaw() []*big.Rat {
	weights := make([]int64, len(h.Support)+1)
	for s, w := range h.Weight {
		weights[h.Count(s)] += w
	}
	law, total := make([]*big.Rat, len(weights)), h.Total()
	for count, w := range weights {
		law[count] = big.NewRat(w, total)
	}
	return law
}

// Mean returns E φ̃.
func (h Hidden) Mean() []*big.Rat {
	mean, total := make([]*big.Rat, h.Dim), h.Total()
	for j := range mean {
		var ones int64
		for s, w := range h.Weight {
			ones += w * int64(s>>j&1)
		}
		mean[j] = big.NewRat(ones, total)
	}
	return mean
}

// Variance returns σ̃², the sum of the variances of the bits.
func (h Hidden) Variance() *big.Rat {
	v := new(big.Rat)
	for _, p := range h.Mean() {
		q := new(big.Rat).Sub(big.NewRat(1, 1), p)
		v.Add(v, q.Mul(q, p))
	}
	return v
}

// Sample is a finite law of labelled inputs: input i, a row of X, has label Y[i] and probability P[i].
type Sample struct {
	X *mat.Dense // N×d
	Y []float64
	P []float64
}

// Inputs returns the law of x = M(φ̃ − E φ̃)/σ̃ over all 2^D states, in the order of the states. The dictionary M is
// d×D. It panics when σ̃ = 0.
func (h Hidden) Inputs(dictionary mat.Matrix) Sample {
	d, dim := dictionary.Dims()
	if dim != h.Dim {
		panic("data: the dictionary has another number of columns than there are hidden bits")
	}
	variance, _ := h.Variance().Float64()
	if !(variance > 0) {
		panic("data: the hidden bits do not vary")
	}
	deviation, total := math.Sqrt(variance), float64(h.Total())
	n := len(h.Weight)
	phi := mat.NewDense(n, dim, nil)
	out := Sample{mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n)}
	for j, mean := range h.Mean() {
		m, _ := mean.Float64()
		for s := range n {
			phi.Set(s, j, (float64(s>>j&1)-m)/deviation)
		}
	}
	out.X.Mul(phi, dictionary.T())
	for s, w := range h.Weight {
		out.Y[s], out.P[s] = float64(h.Label(s)), float64(w)/total
	}
	return out
}
