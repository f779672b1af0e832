package emergence

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// entries holds one neuron's first gradient for the parities of all sets A, entry by entry.
type entries struct {
	Dim, Count  int
	Bias, Noise float64
	Squares     []float64 // Σ_A Tⱼ², for every j
	Caps        []float64 // E[φⱼ²ψ²]

	kind string
	sets int
	kink float64 // smallest distance of a pre-activation from a kink without noise, divided by its rounding
}

var entryKinds = []string{"hard gate", "smooth gate", "open gate"}

// entryClaim holds the claimed share of E[φⱼ²ψ²] that bounds Σ_A Tⱼ².
type entryClaim struct{ share float64 }

func drawEntries(t *props.T) entries {
	in, w := drawNeurons(t)
	switch in.kind {
	case "smooth gate":
		in.Noise = gen.LogUniform(t.T, "s", 0.1, 1)
	case "open gate":
		in.open(w)
	}
	return in.summed(w, masks(in.Dim, in.Count), entries.fair)
}

// drawNeurons draws a kind of gate, the sizes, and a neuron.
func drawNeurons(t *props.T) (entries, *mat.Dense) {
	in := entries{kind: rapid.SampledFrom(entryKinds).Draw(t.T, "kind"), Dim: rapid.IntRange(1, 7).Draw(t.T, "D")}
	in.Count = rapid.IntRange(1, in.Dim).Draw(t.T, "k")
	r := t.Stream("neuron")
	w := gen.Gaussian(r, 1, in.Dim, 1/float64(in.Count))
	in.Bias = r.NormFloat64() / float64(in.Count)
	return in, w
}

// open opens the gate for all inputs.
func (in *entries) open(w *mat.Dense) {
	in.kind, in.Bias = "open gate", 0.5
	w.Scale(1e-3, w)
}

// drawOpened draws a neuron that attains the bound, and counts every set the given number of times.
func drawOpened(t *props.T, times int) entries {
	in, w := drawNeurons(t)
	in.Count = 1
	in.open(w)
	return in.summed(w, slices.Repeat(masks(in.Dim, 1), times), entries.fair)
}

// drawEqualBits draws a law under which the bits on A are equal with half of the mass.
func drawEqualBits(t *props.T) entries {
	in, _ := drawNeurons(t)
	in.Dim, in.Count = 7, 3
	w := gen.Gaussian(t.Stream("seven weights"), 1, 7, 1./3)
	in.open(w)
	return in.summed(w, masks(7, 3), func(in entries, mask, state int) float64 {
		p := in.fair(mask, state) / 2
		if state&mask == 0 || state&mask == mask {
			p += math.Ldexp(0.25, in.Count-in.Dim)
		}
		return p
	})
}

// fair returns the probability of a state of fair bits.
func (in entries) fair(int, int) float64 { return math.Ldexp(1, -in.Dim) }

// summed computes the gradient over all inputs for every A in a list.
func (in entries) summed(w *mat.Dense, sets []int, law func(in entries, mask, state int) float64) entries {
	fair := data.Wide{Dim: in.Dim, Support: []int{0}, Accept: data.Parity(1), Pattern: data.Uniform(1, 1),
		Background: 0.5}
	s := listInputs(fair, func(_ int, p float64) float64 { return p })
	gate := truncated.Smooth(in.Noise)
	net := truncated.Paired(w, []float64{in.Bias}, []float64{-1})
	in.Squares, in.Caps, in.kink = make([]float64, in.Dim), make([]float64, in.Dim), math.Inf(1)
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		z, reach := net.PreActivations(nil, x)[0], 1+math.Abs(in.Bias)
		for j, xj := range x {
			reach += math.Abs(w.At(0, j) * xj)
		}
		if in.Noise == 0 {
			in.kink = min(in.kink, min(math.Abs(z), math.Abs(z-1))/(float64(2*in.Dim+4)*0x1p-53*reach))
		}
		open := gate.Slope(z)
		for j, phi := range x {
			in.Caps[j] += p * math.Pow(phi*open, 2)
		}
	}
	in.sets = len(masks(in.Dim, in.Count))
	for _, mask := range sets {
		for state := range s.Y {
			s.Y[state], s.P[state] = parityOf(state&mask), law(in, mask, state)
		}
		for j, moment := range net.Gradient(s, gate).W.RawRowView(0) {
			in.Squares[j] += moment * moment
		}
	}
	return in
}

// judgeEntries compares the sums with their bounds. An entry is a sum over 2^D inputs of products of three factors,
// with |φ| ≤ 1, and errs by (2^D + 4D + 40)u. The argument of a smooth gate errs by (D+4)u(Σ|w||x| + |b|), below 40 for
// normal weights, and its slope is at most 0.4/s. The sum of at most 35 squares errs by 35u of it, and the cap by (2^D
// + 6)u. The two sides evaluate the same gate in two ways, which a kink could separate: such a case is declined.
func judgeEntries(r *props.Record, in entries, claim entryClaim) {
	r.Regime(in.kind)
	if r.Declines("Σ_A Tⱼ²", in.kink, 1) {
		return
	}
	each := float64(int(1)<<in.Dim+4*in.Dim+40) * r.Unit()
	if in.Noise > 0 { // the argument of the gate errs too, and the slope of the gate is at most 1/(2s)
		each *= 1 + 4/in.Noise
	}
	for j, square := range in.Squares {
		sets := float64(in.sets)
		r.AtMost("Σ_A Tⱼ²", square, claim.share*in.Caps[j], 2*(math.Sqrt(sets*square)+sets*each)*each+each*in.Caps[j])
	}
}
