package emergence

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// firststep pairs the bounds of Lemma 5 with gradients over all inputs, and by convolution where there are too many.
var firststep = props.Spec{
	Statement: &theory.FirstStep,
	Checks: []props.Check{
		props.Instances[firstGradient]{
			Name:       "the gradient over all inputs",
			Cases:      props.Scale{Quick: 80, Standard: 200, Deep: 5000},
			Replicates: 2,
			Regimes:    firstRegimes,
			Draw:       func(t *props.T, done string) firstGradient { return drawFirst(t, done, listed) },
			Judge:      judgeFirst,
			Proven:     firstProven,
			Declined:   firstDeclined,
			Controls: append(firstControls("over all inputs", false),
				props.Control{Name: "a background bit that tends to equal a relevant one",
					Assumption: "independent-background",
					Criterion:  "identity outside A", Done: "copied"},
				props.Control{Name: "relevant bits of different covariances", Assumption: "equal-covariance",
					Criterion: "level without weight on A", Done: "unequal"},
				props.Control{Name: "one background bit of another probability", Assumption: "alike-background",
					Criterion: "identity outside A", Done: "odd bit"},
			),
		},
		props.Instances[firstGradient]{
			Name:       "the gradient by convolution",
			Cases:      props.Scale{Quick: 10, Standard: 30, Deep: 500},
			Replicates: 2,
			Regimes:    []string{"no weight on A", "hard gate", "smooth gate"},
			Draw:       func(t *props.T, done string) firstGradient { return drawFirst(t, done, convolved) },
			Judge:      judgeFirst,
			Proven:     firstProven,
			Declined:   firstDeclined,
			Controls:   firstControls("by convolution", true),
		},
	},
	Along: &props.Along{
		Param: "D", From: 10, To: 100, Of: []string{"on", "outside"}, Y: "T on A, and largest |T| outside",
		Smooth: 1, Places: 10, Reps: 1,
	},
	Try: &props.Simulation{Run: convolve, Draw: drawMoments},
}.Claim()

var firstRegimes = []string{"no weight on A", "gate closed by A", "no background bits", "hard gate", "smooth gate"}

// firstCriteria are those of this claim.
var firstCriteria = []string{"level without weight on A", "bound on A", "bound outside A", "closed form",
	"identity outside A"}

// firstProven says why the tolerances of the criteria cover every draw; firstDeclined how often an input may be at a
// kink: the distance is uniform in a unit of the lattice, 2⁻¹⁰ or more, and the rounding below 10⁻¹⁰.
var (
	firstProven   = ofFirst("every rounding of both sides, inputs at a kink declined")
	firstDeclined = ofFirst(1e-6)
)

// ofFirst says the same of all criteria.
func ofFirst[V any](v V) map[string]V {
	out := map[string]V{}
	for _, name := range firstCriteria {
		out[name] = v
	}
	return out
}

// firstControls are wrong forms of the claim. Half of the bound on A is not among those of many bits, where it holds.
// Most are claimed where every bit outside A shows them.
func firstControls(how string, many bool) []props.Control {
	out := []props.Control{
		{Name: "upper cut left out of the claimed gate, " + how, Assumption: "own-gate",
			Criterion: "identity outside A",
			Done:      "telling", Claimed: "no cut"},
		{Name: "level γ/σ̃, " + how, Criterion: "bound on A", Done: "narrow", Claimed: "β = 1"},
		{Name: "p_o in place of p_o(1−p_o), " + how, Criterion: "identity outside A", Done: "telling",
			Claimed: "p_o"},
		{Name: "the label left out of the identity, " + how, Criterion: "identity outside A", Done: "telling",
			Claimed: "no label"},
		{Name: "T on A of opposite sign, " + how, Criterion: "closed form", Done: "telling", Claimed: "opposite"},
		{Name: "half of E|Δ|, " + how, Criterion: "bound outside A", Done: "one-sided", Claimed: "half outside"},
	}
	if many {
		for i := range out {
			out[i].Assumption = ""
		}
		out[len(out)-1] = props.Control{Name: "a tenth of E|Δ|, " + how, Criterion: "bound outside A",
			Done: "telling", Claimed: "tenth outside"}
		return append(out, props.Control{Name: "level γ/σ̃ without weight on A, " + how,
			Criterion: "level without weight on A",
			Done:      "bare", Claimed: "β = 1"})
	}
	return append(out, props.Control{Name: "level γ/σ̃ without weight on A, " + how,
		Criterion: "level without weight on A",
		Done:      "bare", Claimed: "β = 1"}, props.Control{Name: "nine tenths of the bound on A", Criterion: "bound on A",
		Done: "closed", Claimed: "nine tenths"})
}

// firstGradient is the first gradient of a neuron, and the closed forms for it.
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
	inputs int // visited, or values of the background sum
}

// sizes says how instances of a check are drawn and how their T is found.
type sizes struct {
	bits, relevant int
	enumerate      bool
}

var listed, convolved = sizes{10, 5, true}, sizes{200, 5, false}

// drawFirst draws a law with equal covariances on A and a neuron on a lattice, none of whose pre-activations is near
// a kink.
func drawFirst(t *props.T, done string, size sizes) firstGradient {
	kinds := firstRegimes
	if !size.enumerate {
		kinds = []string{"no weight on A", "hard gate", "smooth gate"}
	}
	kind := rapid.SampledFrom(kinds).Draw(t.T, "kind")
	switch done {
	case "unequal", "bare":
		kind = "no weight on A"
	case "narrow":
		kind = "hard gate"
	case "closed":
		kind = "gate closed by A"
	case "one-sided":
		kind = "hard gate"
	case "telling":
		kind = rapid.SampledFrom([]string{"hard gate", "smooth gate"}).Draw(t.T, "gate")
	}
	k := rapid.IntRange(1, size.relevant).Draw(t.T, "k")
	if done == "unequal" {
		k = max(2, k)
	}
	fewest := 1
	if kind == "no background bits" && done == "" {
		fewest = 0
	} else if kind == "no background bits" {
		kind = "hard gate"
	}
	dim := k
	if fewest == 1 {
		dim += rapid.IntRange(1, size.bits-k).Draw(t.T, "D−k")
	}
	odds := rapid.SampledFrom([]data.Odds{data.Fair, {One: 1, Zero: 3}, {One: 1, Zero: 15}, {One: 0,
		Zero: 1}}).Draw(t.T, "odds")
	if done != "" {
		odds = data.Odds{One: 1, Zero: 3}
	}
	r := t.Stream("first gradient")
	in := firstGradient{Dim: dim, Support: rational.Subset(r, dim, k), Accept: make([]bool, k+1), kind: kind,
		Steps: make([]int, dim)}
	for count := range in.Accept {
		in.Accept[count] = r.IntN(2) == 1
	}
	if !slices.Contains(in.Accept, !in.Accept[0]) && r.IntN(4) > 0 { // one label for all inputs has no covariance: rarely
		in.Accept[k] = !in.Accept[0]
	}
	in.Background = float64(odds.One) / float64(odds.One+odds.Zero)
	in.Pattern = patternWithEqualBits(r.Float64, k)
	if done == "narrow" || done == "bare" {
		for len(in.Steps) < size.bits {
			in.Steps = append(in.Steps, 0)
		}
		in.Dim = size.bits
	}
	if kind == "gate closed by A" || done == "narrow" || done == "bare" { // y is one bit, or the common value of all
		in.Accept, in.Pattern = data.Parity(k), data.Uniform(k, 0)
		if k%2 == 0 {
			in.Accept[k] = true
		}
	}
	if done == "unequal" {
		in.Pattern = make([]float64, 1<<k)
		in.Pattern[0], in.Pattern[1], in.Pattern[len(in.Pattern)-1] = 0.25, 0.5, 0.25
		in.Accept = make([]bool, k+1)
		in.Accept[k], in.Accept[1] = true, true
	}
	if done == "telling" || done == "one-sided" {
		in.tell(size)
	}
	for j := range in.Steps {
		in.Steps[j] = r.IntN(25) - 12
	}
	for _, j := range in.Support {
		switch kind {
		case "no weight on A":
			in.Steps[j] = 0
		case "gate closed by A":
			in.Steps[j] = 100000 / k
		}
		if done == "narrow" {
			in.Steps[j] = 0
		}
	}
	in.Unit = math.Ldexp(1, -rapid.IntRange(2, 7).Draw(t.T, "-log2 unit"))
	if kind == "gate closed by A" {
		in.Unit = math.Ldexp(1, -10)
	}
	in.Bias = r.NormFloat64() * 0.2
	if kind == "gate closed by A" { // and open without it
		in.Bias = 0.3 + 0.4*r.Float64()
	}
	switch {
	case done == "one-sided":
		in.Unit = math.Ldexp(1, -5)
	case done == "telling" && size.enumerate:
		in.Unit = math.Ldexp(1, -3)
	case done == "telling":
		in.Unit = math.Ldexp(1, -6)
	}
	if kind == "smooth gate" {
		in.Noise = rapid.Float64Range(0.02, 1).Draw(t.T, "σ_ξ")
	}
	in.moments(done, odds, size.enumerate)
	return in
}

// tell makes nearly all labels alike, so that E[yΔ] is nearly E[Δ], and takes all bits of the size. Telling cases
// have a unit in which some pre-activations are beyond the upper cut; one-sided ones a smaller unit, in which Δ has
// one sign as none is.
func (in *firstGradient) tell(size sizes) {
	k := len(in.Support)
	in.Dim = size.bits
	for len(in.Steps) < size.bits {
		in.Steps = append(in.Steps, 0)
	}
	for count := range in.Accept {
		in.Accept[count] = count == k
	}
	last := len(in.Pattern) - 1
	for pattern := range in.Pattern {
		in.Pattern[pattern] = 15. / 16 / float64(last)
	}
	in.Pattern[last] = 1. / 16
}

// patternWithEqualBits draws a law of k bits that depends on the count alone.
func patternWithEqualBits(uniform func() float64, k int) []float64 {
	byCount, total := make([]float64, k+1), 0.0
	for count := range byCount {
		byCount[count] = uniform() * uniform()
		total += byCount[count] * float64(binomial(k, count))
	}
	pattern := make([]float64, 1<<k)
	for a := range pattern {
		pattern[a] = byCount[ones(a)] / total
	}
	return pattern
}

func (in *firstGradient) wide() data.Wide {
	return data.Wide{Dim: in.Dim, Support: in.Support, Accept: in.Accept, Pattern: in.Pattern,
		Background: in.Background}
}

// moments finds T: from the gradient of a pair of neurons over all inputs, or by convolution.
func (in *firstGradient) moments(done string, odds data.Odds, enumerate bool) {
	law := in.wide()
	if !enumerate {
		l := truncated.Lattice{Law: law, Steps: in.Steps, Unit: in.Unit, Bias: in.Bias,
			Noise: truncated.Smooth(in.Noise)}
		in.T, in.inputs = l.Moments(), in.Dim*32
		return
	}
	s := listInputs(law, func(state int, p float64) float64 {
		outside := 0
		for slices.Contains(in.Support, outside) {
			outside++
		}
		switch {
		case done == "copied" && state>>outside&1 == state>>in.Support[0]&1:
			return p * 1.5
		case done == "copied":
			return p / 2
		case done == "odd bit" && state>>outside&1 == 1:
			return p * 2
		case done == "odd bit":
			return p * (1 - 2*in.Background) / (1 - in.Background)
		}
		return p
	})
	w := mat.NewDense(1, in.Dim, nil)
	for j, step := range in.Steps {
		w.Set(0, j, float64(step)*in.Unit*law.Deviation())
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

func judgeFirst(r *props.Record, in firstGradient, claimed string) {
	r.Regime(in.kind)
	g := theory.Gradient{Law: theory.Bits{Dim: in.Dim, Support: in.Support, Accept: in.Accept, Pattern: in.Pattern,
		Background: in.Background}, Steps: in.Steps, Unit: in.Unit, Bias: in.Bias, Noise: in.Noise}
	if claimed == "no cut" {
		g.Noise, g.Unit, g.Bias = g.Noise*1e-6, g.Unit*1e-6, g.Bias*1e-6 // the cut is then far away
	}
	if claimed == "no label" {
		g.Law.Accept = slices.Repeat([]bool{true}, len(in.Accept))
	}
	c := g.Certificate()
	level, allowed := c.Level(), c.Allowed()
	switch claimed {
	case "β = 1":
		level = c.Gamma / c.Sigma
	case "nine tenths":
		allowed *= 0.9
	}
	r.Show("β, ε_A, γ, σ̃", []float64{c.Beta, c.Epsilon, c.Gamma, c.Sigma})
	if in.atKink(r) {
		return
	}
	rounding := in.rounding(r.Unit(), c.Sigma)
	sums := float64(in.inputs+2<<len(in.Support)) * r.Unit() / c.Sigma // of ε_A, and m
	relevant := rational.Indicator(in.Dim, in.Support)
	var outside, identity, on, closed []float64
	for j, t := range in.T {
		if relevant[j] == 1 {
			if in.kind == "no weight on A" { // ε_A = 0
				r.Within("level without weight on A", t, level, rounding)
			} else {
				r.AtMost("bound on A", math.Abs(t-level), allowed, rounding+sums)
			}
			on, closed = append(on, t), append(closed, c.T[j])
			continue
		}
		if in.kind == "gate closed by A" { // T = 0 everywhere
			continue
		}
		bound, want := c.Share*c.Change[j], c.T[j]
		switch claimed {
		case "half outside":
			bound /= 2
		case "tenth outside":
			bound /= 10
		case "p_o":
			want /= 1 - in.Background
		}
		r.AtMost("bound outside A", math.Abs(t), bound, rounding)
		outside, identity = append(outside, t), append(identity, want)
	}
	if claimed == "opposite" {
		for i := range closed {
			closed[i] = -closed[i]
		}
	}
	if in.kind == "gate closed by A" {
		return
	}
	r.WithinVector("closed form", on, closed, rounding*math.Sqrt(float64(len(on))))
	if len(outside) > 0 {
		r.WithinVector("identity outside A", outside, identity, rounding*math.Sqrt(float64(len(outside))))
	}
}

// atKink declines all criteria where an input may fall on either side of a kink. The kinks 0 and 1 are a multiple of
// the unit apart, so that all pre-activations have the same smallest distance from both. Both sides evaluate one from
// means that err by 2ᵏ⁻¹u, in sums of D terms: by (2D+2ᵏ+30)u of Σ|Steps|·Unit + |b| + 1 at most.
func (in firstGradient) atKink(r *props.Record) bool {
	if in.Noise > 0 {
		return false
	}
	reach, at := 1+math.Abs(in.Bias), in.Bias/in.Unit
	for j, m := range in.wide().Mean() {
		reach, at = reach+math.Abs(float64(in.Steps[j]))*in.Unit, at-m*float64(in.Steps[j])
	}
	distance := math.Abs(at-math.Round(at)) * in.Unit
	needed := float64(2*in.Dim+1<<len(in.Support)+30) * r.Unit() * reach
	if distance >= needed {
		return false
	}
	for _, name := range firstCriteria {
		r.Declines(name, distance, needed)
	}
	return true
}

// rounding is the bound of the statement, in units of u/σ̃, to first order; Σp|φⱼ| ≤ 1/2 on A and 2p_o(1−p_o) outside.
//
// Over N inputs T is a sum of products of D − k factors: (N+D+4)/2, the means of A err by k and σ̃² by k² and D + 3 of
// it, which moves T by k + D/4 + 1 as |T| ≤ 2σ̃/k. The closed form is a sum over 2ᵏ patterns of sums over at most
// 2^(D−k) atoms, of 2D roundings each: half of them, with means that err by 2^(k−1), and σ̃ by the same in T. The level
// has γ, which errs by 2ᵏ⁺¹ + 2. Together 3N/4 + 2D + 3k/2 + 5·2ᵏ/2 + 8 ≤ N + 4D + 2ᵏ⁺¹ + 40 for 2ᵏ ≤ N, k ≤ 5; outside
// A it is less. The bound on A adds the errors of ε_A, of 2ᵏ + N/2ᵏ + 2D roundings, and of m and σ̃: N + 2ᵏ⁺¹ more.
//
// By convolution the sums have 12(D−k) + 1 atoms, which err by 2D. A bit of step s is taken out of the law of the sum
// by a recursion whose errors do not grow: 4D + 2 for an atom, as the probabilities of its chain add up to 1 at most.
// Times Σ|h(x+s) − h(x)| ≤ 2|s| ≤ 24 and p_o(1−p_o) ≤ 1/4 these are 24D + 12, and the sums of both sides 6D + 2ᵏ: N =
// 32D.
//
// With noise a value of ψ errs by 12 on both sides together, and its argument by (2D+k+2^(k−1)+9)u·Σ|qⱼ|/σ̃ + 2u|b|,
// times sup|ψ′| ≤ 0.4/σ_ξ and 1/2.
func (in firstGradient) rounding(unit, sigma float64) float64 {
	reach := 0.0
	for _, s := range in.Steps {
		reach += math.Abs(float64(s)) * in.Unit
	}
	bound := float64(4*in.Dim+in.inputs+2<<len(in.Support)+40) * unit / sigma
	if in.Noise > 0 {
		bound += (12 + (float64(2*in.Dim+10)*reach+2*math.Abs(in.Bias))/in.Noise) * unit / sigma
	}
	return bound
}

// userLattice is the neuron at a user's parameters.
func userLattice(v values.Values) (truncated.Lattice, error) {
	dim, k := v.Int("D"), v.Int("k")
	if k > dim || k%2 == 0 {
		return truncated.Lattice{}, fmt.Errorf("k=%d cannot be simulated: k is odd and at most D=%d", k, dim)
	}
	law := data.Wide{Dim: dim, Support: props.Indices(k), Accept: data.Parity(k), Pattern: data.Uniform(k,
		v.Float("uniform")), Background: v.Float("background")}
	return truncated.Lattice{Law: law, Steps: theory.Sevens(dim), Unit: v.Float("spread") / 20 / law.Deviation(),
		Bias: v.Float("bias"), Noise: truncated.Smooth(v.Float("noise"))}, nil
}

// convolve finds T by convolution at a user's parameters.
func convolve(_ *props.Trial, v values.Values) (map[string]float64, error) {
	l, err := userLattice(v)
	if err != nil {
		return nil, err
	}
	k := len(l.Law.Support)
	on, outside, square := 0.0, 0.0, 0.0
	for j, t := range l.Moments() {
		square += t * t
		if j < k {
			on += t
		} else {
			outside = max(outside, math.Abs(t))
		}
	}
	return map[string]float64{"sigma": l.Law.Deviation(), "on": on / float64(k), "outside": outside,
		"cosine": on / math.Sqrt(float64(k)*square)}, nil
}
