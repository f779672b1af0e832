package truncated

import (
	"github.com/thm-suite/thm/internal/impl/data"
)

// Lattice is one neuron on the normalised hidden bits φ = (φ̃ − E φ̃)/σ̃ whose weights are integer multiples of a
// unit: z = Σⱼ (φ̃ⱼ − E φ̃ⱼ)·Steps[j]·Unit + Bias, that is qⱼ = σ̃·Unit·Steps[j]. Sums of the bits outside the
// support then lie on a lattice, and their law is known exactly for any number of bits.
type Lattice struct {
	Law   data.Wide
	Steps []int // D
	Unit  float64
	Bias  float64
	Noise Smooth // of the gate
}

// Moments returns Tⱼ = E[y φⱼ σ'(z)] for all j. With L = Σ|Steps| outside the support, and c values of the steps
// there, it costs about (D + 2·2^k + 3c)·L multiply-adds and L values of the gate. The error is some (D + L)u·max(1,
// 1/σ̃).
//
// One bit is taken out of the law of the sum by dividing the law's polynomial by 1 − p + p·xˢ, in the direction in
// which the larger of p and 1 − p divides.
func (l Lattice) Moments() []float64 {
	t := make([]float64, l.Law.Dim)
	law := l.background()
	sums := l.patternSums()
	gate := l.gates(law, sums)
	mean, deviation := l.Law.Mean(), l.Law.Deviation()
	labelled := make([]float64, len(law.p)) // Σ over patterns of y Pr[pattern] σ'(z), by the sum outside
	for a, probability := range l.Law.Pattern {
		open, signed := 0.0, probability*l.Law.Label(a)
		row := gate.from(law.low + sums[a])
		for i, p := range law.p {
			open += p * row[i]
			labelled[i] += signed * row[i]
		}
		for b, j := range l.Law.Support {
			t[j] += signed * (float64(a>>b&1) - mean[j]) / deviation * open
		}
	}
	scale := l.Law.Background * (1 - l.Law.Background) / deviation
	known := map[int]float64{0: 0}
	for _, j := range l.outside() {
		s := l.Steps[j]
		if _, done := known[s]; !done {
			known[s] = scale * law.difference(s, l.Law.Background, labelled)
		}
		t[j] = known[s]
	}
	return t
}

// outside lists the coordinates that are not on the support.
func (l Lattice) outside() []int {
	var out []int
	next := 0
	for j := range l.Law.Dim {
		if next < len(l.Law.Support) && l.Law.Support[next] == j {
			next++
			continue
		}
		out = append(out, j)
	}
	return out
}

// patternSums returns the sum of the steps of each pattern on the support.
func (l Lattice) patternSums() []int {
	sums := make([]int, len(l.Law.Pattern))
	for a := range sums {
		for b, j := range l.Law.Support {
			sums[a] += a >> b & 1 * l.Steps[j]
		}
	}
	return sums
}

// sumLaw is the law of an integer: p[i] is the probability of low + i.
type sumLaw struct {
	low int
	p   []float64
}

// background returns the law of the sum of the steps outside the support.
func (l Lattice) background() sumLaw {
	low, high := 0, 0
	for _, j := range l.outside() {
		low, high = low+min(0, l.Steps[j]), high+max(0, l.Steps[j])
	}
	law := sumLaw{low, make([]float64, high-low+1)}
	law.p[-low] = 1
	lo, hi, one := -low, -low, l.Law.Background // the entries that are not zero
	for _, j := range l.outside() {
		switch s := l.Steps[j]; {
		case s > 0:
			hi += s
			for i := hi; i >= lo+s; i-- {
				law.p[i] = (1-one)*law.p[i] + one*law.p[i-s]
			}
			for i := lo; i < lo+s; i++ {
				law.p[i] *= 1 - one
			}
		case s < 0:
			lo += s
			for i := lo; i <= hi+s; i++ {
				law.p[i] = (1-one)*law.p[i] + one*law.p[i-s]
			}
			for i := hi + s + 1; i <= hi; i++ {
				law.p[i] *= 1 - one
			}
		}
	}
	return law
}

// difference returns Σ p₋(x)(h(x + s) − h(x)) for the law p₋ without one bit of step s ≠ 0, and h given on the lattice.
func (law sumLaw) difference(s int, one float64, h []float64) float64 {
	if one > 0.5 { // a bit of step s is s and a bit of step −s with the opposite value
		return -law.difference(-s, 1-one, h)
	}
	n, sum := len(law.p), 0.0
	without := make([]float64, n)
	if s > 0 {
		for i := 0; i+s < n; i++ {
			without[i] = law.p[i]
			if i >= s {
				without[i] -= one * without[i-s]
			}
			without[i] /= 1 - one
			sum += without[i] * (h[i+s] - h[i])
		}
		return sum
	}
	for i := n - 1; i+s >= 0; i-- {
		without[i] = law.p[i]
		if i-s < n {
			without[i] -= one * without[i-s]
		}
		without[i] /= 1 - one
		sum += without[i] * (h[i+s] - h[i])
	}
	return sum
}

// gateTable is the gate at every sum of steps: values[i] is the gate at low + i.
type gateTable struct {
	low    int
	values []float64
}

// from returns the values from a sum on.
func (g gateTable) from(sum int) []float64 { return g.values[sum-g.low:] }

// gates tabulates the gate over all sums of a background and a pattern.
func (l Lattice) gates(law sumLaw, sums []int) gateTable {
	lo, hi := sums[0], sums[0]
	for _, s := range sums {
		lo, hi = min(lo, s), max(hi, s)
	}
	centre := 0.0
	for j, m := range l.Law.Mean() {
		centre += m * float64(l.Steps[j])
	}
	g := gateTable{law.low + lo, make([]float64, len(law.p)+hi-lo)}
	for i := range g.values {
		g.values[i] = l.Noise.Slope((float64(g.low+i)-centre)*l.Unit + l.Bias)
	}
	return g
}
