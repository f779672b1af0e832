package emergence

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
)

// firstGradient is a neuron on a law of the bits, with its first gradient T.
type firstGradient struct {
	Dim        int
	Support    []int
	Accept     []bool
	Pattern    []float64
	Background float64
	Steps      []int
	Unit       float64
	Bias       float64
	Noise      float64
	T          []float64

	kind   string
	inputs int // inputs that were visited; by convolution, what stands for them in the rounding bound
}

// firstDraws holds the ranges from which a check draws its instances, and the method that computes T.
type firstDraws struct {
	bits, relevant int // at most
	kinds          []string
	odds           []data.Odds
	moments        func(*firstGradient)
}

var (
	anyOdds = []data.Odds{data.Fair, {One: 1, Zero: 3}, {One: 1, Zero: 15}, {One: 0, Zero: 1}}
	quarter = data.Odds{One: 1, Zero: 3}

	listed = firstDraws{10, 5, []string{"no weight on A", "gate closed by A", "no background bits", "hard gate",
		"smooth gate"}, anyOdds, (*firstGradient).enumerate}
	convolved = firstDraws{200, 5, []string{"no weight on A", "hard gate", "smooth gate"}, anyOdds,
		(*firstGradient).convolve}
)

// draw draws a law with equal covariances on A and a neuron on a lattice, none of whose pre-activations is near a kink.
func (d firstDraws) draw(t *props.T) firstGradient {
	kind := rapid.SampledFrom(d.kinds).Draw(t.T, "kind")
	k := rapid.IntRange(1, d.relevant).Draw(t.T, "k")
	dim := k
	if kind != "no background bits" {
		dim += rapid.IntRange(1, d.bits-k).Draw(t.T, "D−k")
	}
	odds := rapid.SampledFrom(d.odds).Draw(t.T, "odds")
	r := t.Stream("first gradient")
	in := newFirst(r, kind, dim, k, odds)
	for count := range in.Accept {
		in.Accept[count] = r.IntN(2) == 1
	}
	if !slices.Contains(in.Accept, !in.Accept[0]) && r.IntN(4) > 0 { // one label for all inputs has no covariance: rarely
		in.Accept[k] = !in.Accept[0]
	}
	in.Pattern = patternWithEqualBits(r.Float64, k)
	if kind == "gate closed by A" {
		in.equalBits()
	}
	in.drawNeuron(t, r)
	d.moments(&in)
	return in
}

// newFirst draws A, and returns an instance without weights or labels.
func newFirst(r *rand.Rand, kind string, dim, k int, odds data.Odds) firstGradient {
	return firstGradient{Dim: dim, Support: rational.Subset(r, dim, k), Accept: make([]bool, k+1), kind: kind,
		Steps: make([]int, dim), Background: float64(odds.One) / float64(odds.One+odds.Zero)}
}

// equalBits makes all bits on A equal and their common value the label.
func (in *firstGradient) equalBits() {
	k := len(in.Support)
	in.Accept, in.Pattern = data.Parity(k), data.Uniform(k, 0)
	in.Accept[k] = true
}

// drawNeuron draws weights and bias; a gate that A closes would be open without A.
func (in *firstGradient) drawNeuron(t *props.T, r *rand.Rand) {
	for j := range in.Steps {
		in.Steps[j] = r.IntN(25) - 12
	}
	for _, j := range in.Support {
		switch in.kind {
		case "no weight on A":
			in.Steps[j] = 0
		case "gate closed by A":
			in.Steps[j] = 100000 / len(in.Support)
		}
	}
	in.Unit = math.Ldexp(1, -rapid.IntRange(2, 7).Draw(t.T, "-log2 unit"))
	in.Bias = r.NormFloat64() * 0.2
	if in.kind == "gate closed by A" {
		in.Unit, in.Bias = math.Ldexp(1, -10), 0.3+0.4*r.Float64()
	}
	if in.kind == "smooth gate" {
		in.Noise = rapid.Float64Range(0.02, 1).Draw(t.T, "σ_ξ")
	}
}

// drawTelling draws a law with as many bits as the check allows and nearly all labels alike, so that E[yΔ] is nearly
// E[Δ]. The unit decides whether some pre-activations pass the upper cut; if none does, Δ has one sign.
func (d firstDraws) drawTelling(t *props.T, kinds []string, unit float64) firstGradient {
	kind := rapid.SampledFrom(kinds).Draw(t.T, "kind")
	k := rapid.IntRange(1, d.relevant).Draw(t.T, "k")
	r := t.Stream("first gradient")
	in := newFirst(r, kind, d.bits, k, quarter)
	in.Accept[k] = true
	in.Pattern = make([]float64, 1<<k)
	last := len(in.Pattern) - 1
	for pattern := range last {
		in.Pattern[pattern] = 15. / 16 / float64(last)
	}
	in.Pattern[last] = 1. / 16
	in.drawNeuron(t, r)
	in.Unit = unit
	d.moments(&in)
	return in
}

// drawBare draws equal bits on A without weight, and as many other bits as the check allows.
func (d firstDraws) drawBare(t *props.T) firstGradient {
	k := rapid.IntRange(1, d.relevant).Draw(t.T, "k")
	r := t.Stream("first gradient")
	in := newFirst(r, "no weight on A", d.bits, k, quarter)
	in.equalBits()
	in.drawNeuron(t, r)
	d.moments(&in)
	return in
}

// drawUnequal draws bits on A of which one is likelier than the others and alone determines the label; the weights on A
// are zero.
func drawUnequal(t *props.T) firstGradient {
	k := rapid.IntRange(2, listed.relevant).Draw(t.T, "k")
	dim := k + rapid.IntRange(1, listed.bits-k).Draw(t.T, "D−k")
	r := t.Stream("first gradient")
	in := newFirst(r, "no weight on A", dim, k, quarter)
	in.Pattern = make([]float64, 1<<k)
	in.Pattern[0], in.Pattern[1], in.Pattern[len(in.Pattern)-1] = 0.25, 0.5, 0.25
	in.Accept[k], in.Accept[1] = true, true
	in.drawNeuron(t, r)
	in.enumerate()
	return in
}

// drawCopied draws a law in which the first bit outside A is positively correlated with a relevant one; the means of
// both stay the same.
func drawCopied(t *props.T) firstGradient {
	return disturbedFirst(t, func(in *firstGradient) func(state int) float64 {
		mean, outside := in.wide().Mean(), in.firstOutside()
		centred := func(state, j int) float64 { return float64(state>>j&1) - mean[j] }
		return func(state int) float64 { return 1 + centred(state, outside)*centred(state, in.Support[0]) }
	})
}

// drawOddBit draws a law in which the first bit outside A is twice as likely as the others.
func drawOddBit(t *props.T) firstGradient {
	return disturbedFirst(t, func(in *firstGradient) func(state int) float64 {
		outside, p := in.firstOutside(), in.Background
		return func(state int) float64 {
			if state>>outside&1 == 1 {
				return 2
			}
			return (1 - 2*p) / (1 - p)
		}
	})
}

// disturbedFirst draws a law with background bits, and multiplies the probability of each state by a factor.
func disturbedFirst(t *props.T, factor func(in *firstGradient) func(state int) float64) firstGradient {
	d := listed
	d.kinds, d.odds = []string{"no weight on A", "hard gate", "smooth gate"}, []data.Odds{quarter}
	d.moments = func(in *firstGradient) {
		of := factor(in)
		in.differentiate(listInputs(in.wide(), func(state int, p float64) float64 { return p * of(state) }))
	}
	return d.draw(t)
}

func (in *firstGradient) firstOutside() int {
	outside := 0
	for slices.Contains(in.Support, outside) {
		outside++
	}
	return outside
}

// patternWithEqualBits draws the probabilities of the 2^k patterns of k bits, which depend on the count alone.
func patternWithEqualBits(uniform func() float64, k int) []float64 {
	byCount, total := make([]float64, k+1), 0.0
	for count := range byCount {
		byCount[count] = uniform() * uniform()
		total += byCount[count] * float64(binomial(k, count))
	}
	return list.Fill(1<<k, func(a int) float64 { return byCount[ones(a)] / total })
}

func (in *firstGradient) wide() data.Wide {
	return data.Wide{Dim: in.Dim, Support: in.Support, Accept: in.Accept, Pattern: in.Pattern,
		Background: in.Background}
}

// convolve computes T by convolution.
func (in *firstGradient) convolve() {
	l := truncated.Lattice{Law: in.wide(), Steps: in.Steps, Unit: in.Unit, Bias: in.Bias,
		Noise: truncated.Smooth(in.Noise)}
	in.T, in.inputs = l.Moments(), in.Dim*32
}

// enumerate computes T by a sum over all inputs.
func (in *firstGradient) enumerate() {
	in.differentiate(listInputs(in.wide(), func(_ int, p float64) float64 { return p }))
}

// differentiate computes T from the gradient of a pair of neurons over the given inputs.
func (in *firstGradient) differentiate(s data.Sample) {
	w, deviation := mat.NewDense(1, in.Dim, nil), in.wide().Deviation()
	for j, step := range in.Steps {
		w.Set(0, j, float64(step)*in.Unit*deviation)
	}
	net := truncated.Paired(w, []float64{in.Bias}, []float64{-1})
	in.T, in.inputs = net.Gradient(s, truncated.Smooth(in.Noise)).W.RawRowView(0), len(s.P)
}

// listInputs lists all states of a law with few bits, normalised, with probabilities that may be reweighted.
func listInputs(law data.Wide, reweigh func(state int, p float64) float64) data.Sample {
	n := 1 << law.Dim
	s := data.Sample{X: mat.NewDense(n, law.Dim, nil), Y: make([]float64, n), P: make([]float64, n)}
	mean, deviation := law.Mean(), law.Deviation()
	for state := range n {
		pattern, p := 0, 1.0
		for j := range law.Dim {
			bit := state >> j & 1
			s.X.Set(state, j, (float64(bit)-mean[j])/deviation)
			if b := slices.Index(law.Support, j); b >= 0 {
				pattern |= bit << b
			} else if bit == 1 {
				p *= law.Background
			} else {
				p *= 1 - law.Background
			}
		}
		s.Y[state], s.P[state] = law.Label(pattern), reweigh(state, p*law.Pattern[pattern])
	}
	return s
}
