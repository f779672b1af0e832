package emergence

import (
	"math"
	"math/bits"
	"slices"
)

// Bits is the law of hidden bits whose background is independent.
type Bits struct {
	Dim        int
	Support    []int     // A
	Accept     []bool    // y = +1 at the counts that are in P
	Pattern    []float64 // probabilities of the 2^k patterns on A; bit i of an index is the bit at Support[i]
	Background float64   // p_o
}

// Bits returns the mixture's law with A = {0, …, k−1}.
func (m Mixture) Bits() Bits {
	b := Bits{Dim: m.Dim, Background: m.Background, Pattern: make([]float64, 1<<m.Count)}
	for i := range m.Count {
		b.Support = append(b.Support, i)
	}
	for s := range m.Count + 1 {
		b.Accept = append(b.Accept, s%2 == 1)
	}
	for a := range b.Pattern {
		b.Pattern[a] = m.Uniform / float64(len(b.Pattern))
		if a == 0 || a == len(b.Pattern)-1 {
			b.Pattern[a] += (1 - m.Uniform) / 2
		}
	}
	return b
}

func (b Bits) label(pattern int) float64 {
	if b.Accept[bits.OnesCount(uint(pattern))] {
		return 1
	}
	return -1
}

// frequencies returns E φ̃ of the bits on A, E y, and E[yφ̃] of the bits on A.
func (b Bits) frequencies() (mean []float64, label float64, with []float64) {
	mean, with = make([]float64, len(b.Support)), make([]float64, len(b.Support))
	for a, p := range b.Pattern {
		y := b.label(a)
		label += p * y
		for i := range mean {
			if a&(1<<i) != 0 {
				mean[i] += p
				with[i] += p * y
			}
		}
	}
	return mean, label, with
}

// Gradient describes a neuron on hidden bits for its first gradient: z = Σⱼ (φ̃ⱼ − E φ̃ⱼ)·Steps[j]·Unit + Bias, hence
// qⱼ = σ̃·Unit·Steps[j].
type Gradient struct {
	Law   Bits
	Steps []int
	Unit  float64
	Bias  float64
	Noise float64 // standard deviation σ_ξ
}

// Certificate holds Tⱼ and the quantities that bound it.
type Certificate struct {
	Gamma, Sigma float64   // γ of the first bit of A, σ̃
	Largest      float64   // m = max(μ, 1−μ) over A
	Beta         float64   // β = E[I₋A]
	Epsilon      float64   // ε_A = E|I − I₋A|
	T            []float64 // D
	Change       []float64 // E|Δⱼ| outside A, 0 on A
	Share        float64   // p_o(1−p_o)/σ̃ = σ_φ²σ̃
}

// Level returns βγ/σ̃.
func (c Certificate) Level() float64 { return c.Beta * c.Gamma / c.Sigma }

// Allowed returns mε_A/σ̃.
func (c Certificate) Allowed() float64 { return c.Largest * c.Epsilon / c.Sigma }

// Cosine returns cos(T, 1_A) for A = {0, …, k−1}, and 0 for T = 0.
func (c Certificate) Cosine(k int) float64 {
	on, square := 0.0, 0.0
	for j, t := range c.T {
		square += t * t
		if j < k {
			on += t
		}
	}
	if square == 0 {
		return 0
	}
	return on / math.Sqrt(float64(k)*square)
}

// Certificate evaluates all fields by listing the values of the background sum. It omits each distinct step outside A
// from the sum in turn, at a cost of (D + 2^k)·Σ|Steps| each.
func (g Gradient) Certificate() Certificate {
	law := g.Law
	mean, label, with := law.frequencies()
	c := Certificate{T: make([]float64, law.Dim), Change: make([]float64, law.Dim)}
	c.Gamma = with[0] - label*mean[0]
	q := law.Background * (1 - law.Background)
	variance := q * float64(law.Dim-len(law.Support))
	for _, m := range mean {
		variance += m * (1 - m)
		c.Largest = max(c.Largest, m, 1-m)
	}
	c.Sigma = math.Sqrt(variance)
	c.Share = q / c.Sigma
	gates := g.gates(mean)
	g.onSupport(&c, mean, gates)
	g.outside(&c, gates)
	return c
}

// onSupport fills in β, ε_A and T on A.
func (g Gradient) onSupport(c *Certificate, mean []float64, gates lattice) {
	all, centre := g.sum(-1), 0.0
	for j, s := range g.Steps {
		if !slices.Contains(g.Law.Support, j) {
			centre += g.Law.Background * float64(s)
		}
	}
	without := make([]float64, len(all)) // the gate without the bits on A
	for i, atom := range all {
		without[i] = Gate((float64(atom.sum)-centre)*g.Unit+g.Bias, g.Noise)
		c.Beta += atom.probability * without[i]
	}
	for a, p := range g.Law.Pattern {
		on, open, changed := g.on(a), 0.0, 0.0
		for i, atom := range all {
			at := gates.at(atom.sum + on)
			open += atom.probability * at
			changed += atom.probability * math.Abs(at-without[i])
		}
		c.Epsilon += p * changed
		for i, j := range g.Law.Support {
			phi := -mean[i] / c.Sigma
			if a&(1<<i) != 0 {
				phi = (1 - mean[i]) / c.Sigma
			}
			c.T[j] += p * g.Law.label(a) * phi * open
		}
	}
}

// outside fills in T and E|Δⱼ| outside A, which are equal for coordinates with the same step.
func (g Gradient) outside(c *Certificate, gates lattice) {
	type pair struct{ t, change float64 }
	known := map[int]pair{}
	for j, step := range g.Steps {
		if slices.Contains(g.Law.Support, j) {
			continue
		}
		found, done := known[step]
		if !done {
			others, signed, changed := g.sum(j), 0.0, 0.0
			for a, p := range g.Law.Pattern {
				on, withSign, without := g.on(a), 0.0, 0.0
				for _, atom := range others {
					delta := gates.at(atom.sum+on+step) - gates.at(atom.sum+on)
					withSign += atom.probability * delta
					without += atom.probability * math.Abs(delta)
				}
				signed, changed = signed+p*g.Law.label(a)*withSign, changed+p*without
			}
			found = pair{c.Share * signed, changed}
			known[step] = found
		}
		c.T[j], c.Change[j] = found.t, found.change
	}
}

// on returns the sum of the steps on A over the bits at which a pattern is one.
func (g Gradient) on(pattern int) int {
	sum := 0
	for i, j := range g.Law.Support {
		sum += pattern >> i & 1 * g.Steps[j]
	}
	return sum
}

// lattice holds the gate at every value of Σ φ̃ⱼ·Steps[j], an integer.
type lattice struct {
	low  int
	open []float64
}

func (l lattice) at(sum int) float64 { return l.open[sum-l.low] }

// gates evaluates ψ(z) on the lattice, given the means on A.
func (g Gradient) gates(mean []float64) lattice {
	low, high, centre := 0, 0, 0.0
	for j, s := range g.Steps {
		low, high = low+min(0, s), high+max(0, s)
		m := g.Law.Background
		if i := slices.Index(g.Law.Support, j); i >= 0 {
			m = mean[i]
		}
		centre += m * float64(s)
	}
	l := lattice{low, make([]float64, high-low+1)}
	for i := range l.open {
		l.open[i] = Gate((float64(low+i)-centre)*g.Unit+g.Bias, g.Noise)
	}
	return l
}

// Gate returns ψ(z): the indicator of 0 < z < 1, or with noise of standard deviation s > 0 its average,
// ½(erf((1−z)/(s√2)) + erf(z/(s√2))).
func Gate(z, s float64) float64 {
	if s == 0 {
		if 0 < z && z < 1 {
			return 1
		}
		return 0
	}
	return (math.Erf((1-z)/(s*math.Sqrt2)) + math.Erf(z/(s*math.Sqrt2))) / 2
}

// atom holds a value of Σ φ̃ⱼ·Steps[j] outside A and its probability.
type atom struct {
	sum         int
	probability float64
}

// sum lists the values of the background sum without the given coordinate, or with all of them if it is −1. The steps
// are integers, so equal sums are one atom.
func (g Gradient) sum(without int) []atom {
	var steps []int
	low, high := 0, 0
	for j, s := range g.Steps {
		if j != without && !slices.Contains(g.Law.Support, j) {
			steps = append(steps, s)
			low, high = low+min(0, s), high+max(0, s)
		}
	}
	p := g.Law.Background
	law, next := make([]float64, high-low+1), make([]float64, high-low+1)
	law[-low] = 1
	from, to := -low, -low+1 // of what has been reached
	for _, s := range steps {
		begin, end := from+min(0, s), to+max(0, s)
		clear(next[begin:end])
		reached := law[from:to]
		stay, move := next[from:to], next[from+s:to+s]
		for i, q := range reached {
			stay[i] = q * (1 - p)
		}
		for i, q := range reached {
			move[i] += q * p
		}
		law, next, from, to = next, law, begin, end
	}
	out := make([]atom, 0, to-from)
	for i, q := range law {
		if q > 0 {
			out = append(out, atom{low + i, q})
		}
	}
	return out
}
