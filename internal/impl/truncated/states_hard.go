package truncated

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// hardGradient is [Net.StateGradient] without noise. A neuron's pre-activation at a state is one of 2^low numbers plus
// one of 2^(D−low), and its gate is 0 or 1: what is summed are the integer weights of the states, so that the sums are
// exact, and a state costs a neuron one addition in floating point. Outputs are found first, where they are not zero.
func (n Net) hardGradient(h data.Hidden) Gradient {
	neurons, dim := n.W.Dims()
	all, outputs := newAffine(n, h), n.A
	if n.mirrored() {
		all.w, outputs = all.w[:neurons/2], n.mirrorOutputs()
	}
	g := Gradient{W: mat.NewDense(neurons, dim, nil), B: make([]float64, neurons), A: make([]float64, neurons)}
	weights := g.within(h, all.outputs(outputs))
	byLow, byHigh, ones := make([]int64, len(all.lows)), make([]int64, len(all.highs)), make([]float64, dim)
	total := float64(h.Total())
	for i := range all.w {
		all.neuron(i)
		clear(byLow)
		full := openSums(byLow, byHigh, all.lows, all.highs, weights)
		low := len(byLow)
		for j := range ones {
			if 1<<j < low {
				ones[j] = sumWithBit(byLow, j) / total
			} else {
				ones[j] = sumWithBit(byHigh, j-bits.Len(uint(low))+1) / total
			}
		}
		open, value := sumAll(byLow)/total, float64(full)/total // σ(z) is zψ(z), or 1 where z ≥ 1
		value += all.bias[i] * open
		for j, x := range ones {
			value += all.w[i][j] * x
		}
		for k := i; k < neurons; k += len(all.w) { // the neuron and its mirror
			g.A[k], g.B[k] = -value, -n.A[k]*open
			row := g.W.RawRowView(k)
			for j, x := range ones {
				row[j] = -n.A[k] * (x - all.mean[j]*open) / all.deviation
			}
		}
	}
	return g
}

// within adds up loss and mass of the states by the outputs of the network there, and returns y times the weight of
// those within their margin, 0 of others. No outputs at all are zero everywhere.
func (g *Gradient) within(h data.Hidden, outputs []float64) []int64 {
	signed, total := slices.Clone(h.Weight), float64(h.Total())
	for s, w := range signed {
		margin, y := 0.0, h.Label(s)
		if outputs != nil {
			margin = float64(y) * outputs[s]
		}
		p := float64(w) / total
		g.Loss += p * max(0, 1-margin)
		if signed[s] = int64(y) * w; margin < 1 {
			g.Passing += p
		} else {
			signed[s] = 0
		}
	}
	return signed
}

// affine are the neurons of a network as functions of the bits of a state, z = bias + Σⱼ wⱼφ̃ⱼ, and tables of one of
// them: of the low bits, and of the high bits with the bias.
type affine struct {
	w           [][]float64 // weights over σ̃
	bias        []float64
	mean        []float64 // E φ̃
	deviation   float64   // σ̃
	lows, highs []float64
}

func newAffine(n Net, h data.Hidden) *affine {
	variance, _ := h.Variance().Float64()
	low := (h.Dim + 1) / 2
	a := &affine{deviation: math.Sqrt(variance), bias: slices.Clone(n.B), lows: make([]float64, 1<<low),
		highs: make([]float64, 1<<(h.Dim-low))}
	for _, m := range h.Mean() {
		mean, _ := m.Float64()
		a.mean = append(a.mean, mean)
	}
	for i := range a.bias {
		w := mat.Row(nil, i, n.W)
		for j := range w {
			w[j] /= a.deviation
			a.bias[i] -= w[j] * a.mean[j]
		}
		a.w = append(a.w, w)
	}
	return a
}

// neuron fills the tables.
func (a *affine) neuron(i int) {
	low := bits.Len(uint(len(a.lows))) - 1
	tabulate(a.lows, a.w[i][:low], 0)
	tabulate(a.highs, a.w[i][low:], a.bias[i])
}

// tabulate writes start plus the weights of the bits of every index: that of the index without its lowest one, and one
// weight.
func tabulate(dst, weights []float64, start float64) {
	dst[0] = start
	for i := 1; i < len(dst); i++ {
		dst[i] = dst[i&(i-1)] + weights[bits.TrailingZeros(uint(i))]
	}
}

// outputs returns Σᵢ aᵢσ(zᵢ) at every state, nil if all aᵢ are zero.
func (a *affine) outputs(out []float64) []float64 {
	if !slices.ContainsFunc(out, func(x float64) bool { return x != 0 }) {
		return nil
	}
	g := make([]float64, len(a.lows)*len(a.highs))
	for i := range a.w {
		a.neuron(i)
		for high, base := range a.highs {
			row := g[high*len(a.lows):][:len(a.lows)]
			for l, x := range a.lows {
				row[l] += out[i] * min(1, max(base+x, 0))
			}
		}
	}
	return g
}

// openSums adds up the weights of the states where 0 < lows + highs < 1, by their low bits and by their high bits, and
// returns the sum of those where it is at least 1. There are no branches, which would be as good as random: the bits of
// a number in (0, 1) are an integer between those of 0 and of 1.
func openSums(byLow, byHigh []int64, lows, highs []float64, weights []int64) (full int64) {
	const one = 0x3ff << 52
	for high, base := range highs {
		row, byLow := weights[high*len(lows):][:len(lows)], byLow[:len(lows)]
		sum := int64(0)
		for l, x := range lows {
			b, w := math.Float64bits(base+x), row[l]
			var open, above int64
			if b-1 < one-1 {
				open = w
			}
			if int64(b) >= one {
				above = w
			}
			byLow[l] += open
			sum += open
			full += above
		}
		byHigh[high] = sum
	}
	return full
}

// sumWithBit adds up the entries whose index has the bit.
func sumWithBit(x []int64, bit int) float64 {
	sum := int64(0)
	for i, v := range x {
		sum += v * int64(i>>bit&1)
	}
	return float64(sum)
}

func sumAll(x []int64) float64 {
	sum := int64(0)
	for _, v := range x {
		sum += v
	}
	return float64(sum)
}
