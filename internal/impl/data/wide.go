package data

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Wide is the law of [Hidden] for so many bits that their states cannot be listed: the bits on the support follow a
// pattern, the others are independent and one with probability Background.
type Wide struct {
	Dim        int
	Support    []int     // A, ascending
	Accept     []bool    // y = +1 when the count of ones on A is accepted; counts 0, …, |A|
	Pattern    []float64 // probabilities of the 2^|A| patterns: bit i of an index is the bit at Support[i]
	Background float64   // p_o
}

// Uniform returns the probabilities of k independent fair bits, mixed with those of k equal bits, 0 or 1 with equal
// chances: the first have the given share.
func Uniform(k int, share float64) []float64 {
	pattern := make([]float64, 1<<k)
	for p := range pattern {
		pattern[p] = math.Ldexp(share, -k)
	}
	pattern[0] += (1 - share) / 2
	pattern[len(pattern)-1] += (1 - share) / 2
	return pattern
}

// Label returns y = ±1 for a pattern on the support.
func (w Wide) Label(pattern int) float64 {
	count := 0
	for ; pattern != 0; pattern &= pattern - 1 {
		count++
	}
	if w.Accept[count] {
		return 1
	}
	return -1
}

// Mean returns E φ̃.
func (w Wide) Mean() []float64 {
	mean := make([]float64, w.Dim)
	for j := range mean {
		mean[j] = w.Background
	}
	pattern := slices.Clone(w.Pattern) // of the bits that are left, the lowest of which is added up and taken out
	for _, j := range w.Support {
		mean[j] = 0
		for p := range len(pattern) / 2 {
			mean[j] += pattern[2*p+1]
			pattern[p] = pattern[2*p] + pattern[2*p+1]
		}
		pattern = pattern[:len(pattern)/2]
	}
	return mean
}

// Deviation returns σ̃, the square root of the sum of the variances of the bits.
func (w Wide) Deviation() float64 { return deviation(w.Mean()) }

// deviation is the square root of the sum of the variances of bits with these means.
func deviation(mean []float64) float64 {
	variance := 0.0
	for _, p := range mean {
		variance += p * (1 - p)
	}
	return math.Sqrt(variance)
}

// Draw returns n independent inputs φ = (φ̃ − E φ̃)/σ̃, the rows of a matrix n×D, with their labels, each of weight
// 1/n. It panics when σ̃ = 0.
func (w Wide) Draw(r *rand.Rand, n int) Sample {
	out := Sample{mat.NewDense(n, w.Dim, nil), make([]float64, n), make([]float64, n)}
	w.DrawInto(r, out)
	return out
}

// DrawInto is [Wide.Draw] into the rows, labels and weights of a sample, which it overwrites.
func (w Wide) DrawInto(r *rand.Rand, out Sample) {
	mean := w.Mean()
	deviation := deviation(mean)
	if !(deviation > 0) {
		panic("data: the hidden bits do not vary")
	}
	value := make([][2]float64, w.Dim)
	for j, m := range mean {
		value[j] = [2]float64{-m / deviation, (1 - m) / deviation}
	}
	cumulative := make([]float64, len(w.Pattern))
	total := 0.0
	for p, probability := range w.Pattern {
		total += probability
		cumulative[p] = total
	}
	for i := range out.Y {
		row := out.X.RawRowView(i)
		w.background(r, row, value)
		pattern := indexOf(cumulative, r.Float64()*total)
		for b, j := range w.Support {
			row[j] = value[j][pattern>>b&1]
		}
		out.Y[i], out.P[i] = w.Label(pattern), 1/float64(len(out.Y))
	}
}

// background draws all bits as if none were on the support. A probability of 2^(−b) takes b random bits for each.
func (w Wide) background(r *rand.Rand, row []float64, value [][2]float64) {
	fraction, exponent := math.Frexp(w.Background)
	halvings := 1 - exponent
	if fraction != 0.5 || halvings < 1 || halvings > 8 {
		for j := range row {
			row[j] = value[j][0]
			if r.Float64() < w.Background {
				row[j] = value[j][1]
			}
		}
		return
	}
	for from := 0; from < len(row); from += 64 {
		word := r.Uint64()
		for range halvings - 1 {
			word &= r.Uint64()
		}
		part := row[from:min(from+64, len(row))]
		of := value[from:][:len(part)]
		for j := range part {
			part[j] = of[j][word&1]
			word >>= 1
		}
	}
}

// indexOf returns the first index whose cumulative weight exceeds x.
func indexOf(cumulative []float64, x float64) int {
	lo, hi := 0, len(cumulative)-1
	for lo < hi {
		if mid := (lo + hi) / 2; cumulative[mid] > x {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
