package emergence

import (
	"math"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// leading pairs the leading order of the first gradient with convolutions over growing backgrounds.
var leading = props.Spec{
	Statement: &theory.Leading,
	Checks: []props.Check{props.Drawn[growing, growingClaim]{
		Name:       "the gradient as the background grows",
		Cases:      props.Scale{Quick: 10, Standard: 30, Deep: 1000},
		Replicates: 2,
		Regimes:    []string{"both symmetries", "any law", "no covariance"},
		Draw:       drawGrowing,
		Claim:      growingClaim{together: theory.Together, outside: theory.Second.Outside, on: theory.Second.Level},
		Judge:      judgeGrowing,
		Proven: map[string]string{
			"limit on A":      "the difference from the limit under the integral, for every bias, and every rounding",
			"limit outside A": "the difference from the limit under the integral, for every bias, and every rounding"},
		Coarse: map[string]string{"limit on A": "extrapolated from finite sizes",
			"limit outside A": "extrapolated from finite sizes"},
		Controls: []props.Wrong[growing, growingClaim]{
			{Name: "Pr[y = 1] = 1/4", Assumption: "balanced", Criterion: "limit outside A", Draw: func(t *props.T) growing {
				in := drawVisible(t)
				in.Accept, in.Pattern, in.Count, in.On = data.Parity(1), []float64{0.75, 0.25}, 1, in.On[:1]
				return in.grown(growing.neuron)
			}},
			{Name: "one background bit outweighs the others", Assumption: "many",
				Draw: func(t *props.T) growing { return drawVisible(t).grown(growing.dominated) }},
			{Name: plainTau, Assumption: "noise", Criterion: "limit outside A",
				Draw: func(t *props.T) growing { return drawVisible(t).grown(growing.neuron) },
				Instead: growingClaim{together: func(_, background, square, sigma float64) float64 {
					return theory.Together(0, background, square, sigma)
				}}},
			{Name: "the background left out of τ", Criterion: "limit outside A", As: plainTau,
				Instead: growingClaim{together: func(noise, background, _, sigma float64) float64 {
					return theory.Together(noise, background, 0, sigma)
				}}},
			{Name: "twice the leading order", Criterion: "limit outside A", As: plainTau,
				Instead: growingClaim{outside: func(s theory.Second, q, on float64) float64 { return 2 * s.Outside(q, on) }}},
			{Name: "opposite sign", Criterion: "limit outside A", As: plainTau,
				Instead: growingClaim{outside: func(s theory.Second, q, on float64) float64 { return -s.Outside(q, on) }}},
			{Name: "Ψ(b) = 1", Criterion: "limit on A", As: plainTau,
				Instead: growingClaim{on: func(s theory.Second) float64 { return s.Gamma }}},
		},
	}},
	Along: &props.Along{
		Param: "D", From: 25, To: 800, Of: []string{"on", "outside"}, Y: "T on A, and largest |T| outside",
		Places: 6, Reps: 1,
	},
	Try: &props.Simulation{Run: compareLeading},
}.Claim()

// growing holds a neuron on growing backgrounds: 16, 32, 64, … or 16, 64, 256, … copies of the same bits.
type growing struct {
	Count      int
	Accept     []bool
	Pattern    []float64
	Background float64
	On, Off    []int   // integer weights on A, and on the bits that are repeated
	Deviation  float64 // √Var Z
	Bias       float64
	Noise      float64

	kind         string
	gamma, mean  float64
	on, outside  [][]float64 // σ̃Tⱼ on A; Tⱼ/(Δⱼσ_φ²σ̃) outside, both by size
	roundOn      [][]float64
	roundOutside [][]float64
}

const plainTau = "the injected noise left out of τ"

// growingClaim holds the closed forms of τ, and of the leading orders of T outside A and on it.
type growingClaim struct {
	together func(noise, background, square, sigma float64) float64
	outside  func(s theory.Second, own, sum float64) float64
	on       func(theory.Second) float64
}

func drawGrowing(t *props.T) growing {
	in, uniform := drawNeuron(t, "both symmetries", "any law", "no covariance")
	r := t.Stream("leading")
	in.Accept, in.Pattern = data.Parity(in.Count), data.Uniform(in.Count, uniform)
	switch in.kind {
	case "no covariance":
		in.Pattern = data.Uniform(in.Count, 1)
		if in.Count == 1 {
			in.kind = "both symmetries" // one bit is its own parity
		}
	case "any law":
		in.Accept = anyLabels(r, in.Count)
		in.Pattern = balancedPattern(r.Float64, in.Count, in.Accept)
	}
	in.drawSteps(r, func(s int) int {
		if r.IntN(2) == 0 {
			return -s
		}
		return s
	})
	return in.grown(growing.neuron)
}

// drawVisible draws a neuron away from where Ψ″ and the sum over A vanish.
func drawVisible(t *props.T) growing {
	in, uniform := drawNeuron(t, "both symmetries")
	in.Bias = in.Deviation * (0.4 + math.Abs(in.Bias/in.Deviation)/4)
	in.Accept, in.Pattern = data.Parity(in.Count), data.Uniform(in.Count, uniform/2)
	in.drawSteps(t.Stream("leading"), func(s int) int { return s })
	return in
}

// drawNeuron draws a kind of law, the scales of a neuron, and λ.
func drawNeuron(t *props.T, kinds ...string) (in growing, uniform float64) {
	in.kind = rapid.SampledFrom(kinds).Draw(t.T, "law")
	in.Count = 2*rapid.IntRange(0, 2).Draw(t.T, "(k−1)/2") + 1
	in.Background = 0.5
	uniform = rapid.Float64Range(0, 0.9).Draw(t.T, "λ")
	if in.kind == "any law" {
		in.Count = rapid.IntRange(1, 5).Draw(t.T, "k")
		in.Background = rapid.SampledFrom([]float64{0.5, 0.25, 0.125, 0.75}).Draw(t.T, "p_o")
	}
	in.Deviation = rapid.Float64Range(0.15, 0.6).Draw(t.T, "√Var Z")
	in.Noise = in.Deviation * rapid.Float64Range(0.5, 1).Draw(t.T, "σ_ξ/√Var Z")
	in.Bias = in.Deviation * rapid.Float64Range(-1, 1.5).Draw(t.T, "b/√Var Z")
	return in, uniform
}

// drawSteps draws the weights; signed chooses the signs of those on A.
func (in *growing) drawSteps(r *rand.Rand, signed func(int) int) {
	in.Off = []int{1 + r.IntN(6), -1 - r.IntN(6), 1 + r.IntN(6), -1 - r.IntN(6)}
	for range in.Count {
		in.On = append(in.On, signed(1+r.IntN(6)))
	}
}

// grown measures the gradient at all sizes; neuron returns the weights and their unit at each.
func (in growing) grown(neuron func(growing, int) ([]int, float64)) growing {
	in.gamma, in.mean = in.moments()
	for i := range in.sizes() {
		steps, unit := neuron(in, i)
		in.measure(i, steps, unit)
	}
	return in
}

// anyLabels accepts some of the counts 0, …, k and rejects some.
func anyLabels(r *rand.Rand, k int) []bool {
	accept := list.Fill(k+1, func(int) bool { return r.IntN(2) == 1 })
	accept[r.IntN(k)] = false
	accept[k] = !slices.Contains(accept[:k], true) || accept[k]
	return accept
}

// balancedPattern draws a law that depends on the count alone and makes both labels equally likely.
func balancedPattern(uniform func() float64, k int, accept []bool) []float64 {
	pattern := patternWithEqualBits(uniform, k)
	var side [2]float64
	for a, p := range pattern {
		side[label(accept, a)] += p
	}
	for a := range pattern {
		pattern[a] /= 2 * side[label(accept, a)]
	}
	return pattern
}

// label returns 1 for accepted patterns and 0 for others.
func label(accept []bool, pattern int) int {
	if accept[ones(pattern)] {
		return 1
	}
	return 0
}

// moments returns γ = E[yφ̃ᵢ] − E[y]E[φ̃ᵢ] and E φ̃ᵢ of a bit on A.
func (in growing) moments() (gamma, mean float64) {
	with, total := 0.0, 0.0
	for a, p := range in.Pattern {
		y := p * float64(2*label(in.Accept, a)-1)
		total += y
		if a&1 == 1 {
			mean += p
			with += y
		}
	}
	return with - total*mean, mean
}

// factor returns the ratio of consecutive sizes of the background: for any law, where the remainder is a series in
// n^(−1/2), it is 4; under both symmetries, where it is a series in 1/n, it is 2.
func (in growing) factor() int {
	if in.kind == "any law" {
		return 4
	}
	return 2
}

func (in growing) sizes() int {
	if in.kind == "any law" {
		return 4
	}
	return 5
}

// copies returns how many copies of the bits outside A the i-th size has.
func (in growing) copies(i int) int {
	copies := 16
	for range i {
		copies *= in.factor()
	}
	return copies
}

// unit returns the weight of one step, divided by σ̃, at the i-th size.
func (in growing) unit(i int) float64 {
	square := 0
	for _, s := range in.Off {
		square += s * s
	}
	return in.Deviation / math.Sqrt(float64(in.copies(i)*square)*in.Background*(1-in.Background))
}

// neuron returns the weights at the i-th size, and their unit.
func (in growing) neuron(i int) (steps []int, unit float64) {
	steps = slices.Clone(in.On)
	for range in.copies(i) {
		steps = append(steps, in.Off...)
	}
	return steps, in.unit(i)
}

// dominated adds one bit outside A whose weight grows with the background.
func (in growing) dominated(i int) (steps []int, unit float64) {
	steps, unit = in.neuron(i)
	steps = append(steps, int(in.Deviation/(unit*math.Sqrt(in.Background*(1-in.Background)))))
	return steps, unit / math.Sqrt2
}

// measure computes the gradient at the i-th size.
func (in *growing) measure(i int, steps []int, unit float64) {
	share, support := in.Background*(1-in.Background), props.Indices(in.Count)
	law := data.Wide{Dim: len(steps), Support: support, Accept: in.Accept, Pattern: in.Pattern, Background: in.Background}
	l := truncated.Lattice{Law: law, Steps: steps, Unit: unit, Bias: in.Bias, Noise: truncated.Smooth(in.Noise)}
	moments, sigma := l.Moments(), law.Deviation()
	on, outside := make([]float64, in.Count), make([]float64, len(in.Off))
	first := in.Count + (in.copies(i)-1)*len(in.Off)
	for j := range in.On {
		on[j] = sigma * moments[j]
	}
	for j, s := range in.Off {
		outside[j] = sigma / (share * unit * unit * float64(s)) * moments[first+j]
	}
	in.on, in.outside = append(in.on, on), append(in.outside, outside)
	roundOn, roundOutside := in.rounding(l, unit)
	in.roundOn, in.roundOutside = append(in.roundOn, roundOn), append(in.roundOutside, roundOutside)
}

func judgeGrowing(r *props.Record, in growing, claim growingClaim) {
	r.Regime(in.kind)
	square := in.Deviation * in.Deviation / (in.Background * (1 - in.Background)) // Σ q² outside A, over σ̃²
	s := theory.Second{Gamma: in.gamma, Sigma: 1, Mean: in.mean, Background: in.Background, Bias: in.Bias,
		Noise: claim.together(in.Noise, in.Background, square, 1)}
	sum := 0.0
	for _, step := range in.On {
		sum += float64(step)
	}
	// With σ̃ = 1 the formula is p_o(1−p_o) times the measured quantity.
	lead, level := claim.outside(s, 1, sum)/(in.Background*(1-in.Background)), claim.on(s)
	on, outside := in.limits()
	const unit = roundoff.Unit
	// Rounding of γ, and of τ on both sides. A relative change of τ changes Ψ by at most as much relative to 1, and Ψ″
	// relative to τ⁻².
	together := theory.Together(in.Noise, in.Background, square, 1)
	rounding := float64(len(in.Pattern)+100) * unit
	scale := 0.5 * math.Pow(s.Noise, -2) // scale of γΨ″
	for j := range in.On {
		r.WithinScale("limit on A", on.limit[j], level, 0.5, on.err[j]+rounding)
	}
	for j := range in.Off {
		r.WithinScale("limit outside A", outside.limit[j], lead, scale,
			outside.err[j]+rounding*float64(in.reach())/(together*together))
	}
}

// reach returns Σ_A|s|.
func (in growing) reach() int {
	reach := 0
	for _, s := range in.On {
		reach += max(s, -s)
	}
	return reach
}

// compareLeading computes the gradient by convolution at a user's parameters.
func compareLeading(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim, k := v.Int("D"), v.Int("k")
	t.Need(dim <= 1000, "the dimension cannot be simulated: D is at most 1000 here")
	l := latticeOf(v)
	on, onSquare, outside, square := 0.0, 0.0, 0.0, 0.0
	relevant := rational.Indicator(dim, l.Law.Support)
	for j, t := range l.Moments() {
		if relevant[j] == 1 {
			on, onSquare = on+t/float64(k), onSquare+t*t
		} else {
			outside, square = max(outside, math.Abs(t)), square+t*t
		}
	}
	return map[string]float64{"on": on, "outside": outside, "ratio": math.Sqrt(square / onSquare)}, nil
}
