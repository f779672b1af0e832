package emergence

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// orders integrates over the weights of few bits, and draws neurons on many.
var orders = props.Spec{
	Statement: &theory.Orders,
	Checks: []props.Check{
		props.Drawn[startAverages, ordersClaim]{
			Name:    "integrals over all weights",
			Cases:   props.Scale{Quick: 6, Standard: 15, Deep: 200},
			Regimes: []string{"narrow noise, lower cut", "wide noise", "narrow noise, upper cut"},
			Draw:    func(t *props.T) startAverages { return drawStarts(t, gaussianWeight) },
			Claim:   asInTheory,
			Judge:   judgeAverages,
			Tries:   12,
			Proven: map[string]string{averageGate: "both quadratures and every rounding",
				averageByA: "both quadratures and every rounding", averageByOne: "both quadratures and every rounding"},
			Controls: []props.Wrong[startAverages, ordersClaim]{
				{Name: "uniform weights of the same variance", Assumption: "gaussian",
					Draw: func(t *props.T) startAverages { return drawStarts(t, uniformWeight) }},
				{Name: "two equal bits outside A", Assumption: "independent-background", Criterion: averageGate,
					Draw: drawTwins},
				{Name: "without the noise", Claim: changedStarts(func(s *theory.Starts) { s.Noise = 0 })},
				{Name: "variance s in place of s²",
					Claim: changedStarts(func(s *theory.Starts) { s.Scale = math.Sqrt(s.Scale) })},
				{Name: "1 + 10⁻⁶ times the weights", Claim: changedStarts(func(s *theory.Starts) { s.Scale *= 1 + 1e-6 })},
				{Name: "bias 0", Claim: changedStarts(func(s *theory.Starts) { s.Bias = 0 })},
				{Name: "the bit's values at ±1/2", Criterion: averageByOne, Claim: func(c *ordersClaim) {
					c.one = func(s theory.Starts) float64 { s.Law.Background = 0.5; return s.ChangedByOne() }
				}},
			},
		},
		props.Grid[startCell, startCounts, ordersClaim]{
			Name: "neurons drawn with their inputs",
			Cells: func(e props.Effort) (out []startCell) {
				n := props.Scale{Quick: 10000, Standard: 150000, Deep: 1500000}.At(e)
				for _, c := range startCells {
					c.Draws = n
					out = append(out, c)
				}
				return out
			},
			Regimes:    []string{"D = 30", "D = 100", "D = 400"},
			Replicates: 1,
			Tries:      3,
			Cost:       func(startCell) float64 { return 1 },
			Measure:    countStarts((*rand.Rand).NormFloat64, true),
			Claim:      asInTheory,
			Judge:      judgeCounts,
			Coarse: map[string]string{averageGate: "a proportion of so many draws", averageByA: "a proportion of so many draws",
				averageByOne: "a proportion of so many draws"},
			Controls: []props.WrongCell[startCell, startCounts, ordersClaim]{
				{Name: "heavy-tailed weights", Assumption: "gaussian", On: fewBits, Measure: countStarts(heavyTailed, true)},
				{Name: "another noise without the bits", Assumption: "same-noise", Criterion: averageByA, On: manyBits,
					Measure: countStarts((*rand.Rand).NormFloat64, false)},
				{Name: "1.5 times the weights",
					Claim: changedStarts(func(s *theory.Starts) { s.Scale *= 1.5; s.Noise *= 1.5 })},
				{Name: "ε_A as of k bits, each on its own", Criterion: averageByA, Claim: func(c *ordersClaim) {
					c.onA = func(s theory.Starts) float64 {
						return 1 - math.Pow(1-s.ChangedByOne(), float64(len(s.Law.Support)))
					}
				}},
			},
		},
	},
	Along: &props.Along{Param: "D", From: 10, To: 10000, Of: []string{"changedA", "changed"},
		Y: "probability that the gate changes", Places: 10, Reps: 1},
	Try: &props.Simulation{Run: tryStarts},
}.Claim()

const (
	averageGate  = "mean of the gate without A"
	averageByA   = "changes by the bits on A"
	averageByOne = "changes by one bit outside A"
)

// ordersClaim is what is claimed of the three averages.
type ordersClaim struct{ gate, onA, one func(theory.Starts) float64 }

var asInTheory = ordersClaim{theory.Starts.Beta, theory.Starts.ChangedByA, theory.Starts.ChangedByOne}

// changedStarts states the claim for other neurons.
func changedStarts(change func(*theory.Starts)) func(*ordersClaim) {
	return func(c *ordersClaim) {
		of := func(f func(theory.Starts) float64) func(theory.Starts) float64 {
			return func(s theory.Starts) float64 { change(&s); return f(s) }
		}
		*c = ordersClaim{of(c.gate), of(c.onA), of(c.one)}
	}
}

// startAverages are averages over the weights for one bit on A and two outside.
type startAverages struct {
	Pattern     []float64
	Background  float64
	Scale, Bias float64
	Noise       float64

	cut            float64 // near the bias
	gate, onA, one float64
	nodes          int
}

func (in startAverages) law() data.Wide {
	return data.Wide{Dim: 3, Support: []int{0}, Accept: data.Parity(1), Pattern: in.Pattern, Background: in.Background}
}

// weight is a law of a weight in units of its standard deviation: a density, and where it ends.
type weight struct {
	density func(float64) float64
	end     float64
}

var (
	gaussianWeight = weight{func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }, 7}
	uniformWeight  = weight{func(float64) float64 { return 1 / (2 * math.Sqrt(3)) }, math.Sqrt(3)}
)

func drawStarts(t *props.T, w weight) startAverages {
	in := drawStart(t)
	p := in.Background
	pairs := []pair{{0, 0, (1 - p) * (1 - p)}, {0, 1, (1 - p) * p}, {1, 0, p * (1 - p)}, {1, 1, p * p}}
	in.averageGate(w, pairs)
	in.averageChanges(w, pairs)
	return in
}

// drawTwins makes the two bits outside A equal, and looks at the gate alone.
func drawTwins(t *props.T) startAverages {
	in := drawStart(t)
	in.Background, in.Bias = 1./8, in.Noise/2
	in.Scale = in.Noise * in.law().Deviation()
	in.averageGate(gaussianWeight, []pair{{0, 0, 1 - in.Background}, {1, 1, in.Background}})
	return in
}

func drawStart(t *props.T) startAverages {
	in := startAverages{Background: rapid.Float64Range(0.02, 0.98).Draw(t.T, "p_o")}
	p := rapid.Float64Range(0.02, 0.98).Draw(t.T, "Pr[φ̃₁ = 1]")
	in.Pattern = []float64{1 - p, p}
	in.Noise = math.Exp(rapid.Float64Range(math.Log(0.05), math.Log(2)).Draw(t.T, "ln σ_ξ"))
	in.Scale = in.Noise * in.law().Deviation() * rapid.Float64Range(0.2, 1).Draw(t.T, "s/(σ̃σ_ξ)")
	in.cut = rapid.SampledFrom([]float64{0, 1}).Draw(t.T, "cut")
	in.Bias = in.cut + in.Noise*rapid.Float64Range(-2, 2).Draw(t.T, "(b − cut)/σ_ξ")
	return in
}

// pair is a state of the two bits outside A.
type pair struct {
	first, second int
	probability   float64
}

// over averages over the weights of two bits with this joint law, and over the bits. The noise comes first, and makes
// the integrand analytic.
func (in *startAverages) over(w weight, first, second int, pairs []pair, of func(z float64) float64) float64 {
	rule, sum := w.trapezoids(in.strip()), 0.0
	a, b := in.unit(first), in.unit(second)
	for _, x := range rule {
		row := 0.0
		for _, y := range rule {
			for _, p := range pairs {
				row += y.weight * p.probability * of(in.Bias+a[p.first]*x.at+b[p.second]*y.at)
			}
		}
		sum += x.weight * row
	}
	in.nodes = 2 * len(rule)
	return sum
}

// unit is what a zero and a one add to z, for a weight of variance 1.
func (in *startAverages) unit(j int) [2]float64 {
	mean, scale := in.law().Mean()[j], in.Scale/in.law().Deviation()
	return [2]float64{-mean * scale, (1 - mean) * scale}
}

// strip is the half width of the strip, in such a weight, in which the integrand times its density stays bounded.
func (in *startAverages) strip() float64 {
	return 1 / math.Hypot(1, in.Scale/(in.law().Deviation()*in.Noise))
}

func (in *startAverages) averageGate(w weight, pairs []pair) {
	gate := noisy(in.Noise)
	in.gate = in.over(w, 1, 2, pairs, func(z float64) float64 { return gate.within(z, 0, 1) })
}

// averageChanges takes the weight that makes the change last: its sign turns the change around.
func (in *startAverages) averageChanges(w weight, pairs []pair) {
	var others []pair // the bit on A and the first one outside
	for _, p := range pairs {
		others = append(others, pair{0, p.first, in.Pattern[0] * p.probability},
			pair{1, p.first, in.Pattern[1] * p.probability})
	}
	gate, reach := noisy(in.Noise), in.law().Deviation()/in.Scale // of a weight whose bit moves z by 1
	rule := w.panels(in.strip(), reach, reach/in.Pattern[0], reach/in.Pattern[1])
	on, last := in.unit(0), in.unit(2)
	for _, k := range rule {
		for bit, p := range in.Pattern {
			moved := on[bit] * k.at
			in.onA += k.weight * p * in.over(w, 1, 2, pairs,
				func(z float64) float64 { return gate.changes(z, 0, moved) })
		}
		low, high := last[0]*k.at, last[1]*k.at
		in.one += k.weight * in.over(w, 0, 1, others, func(z float64) float64 { return gate.changes(z, low, high) })
	}
	in.nodes += len(rule)
}

// noisy is a gate under noise of this standard deviation.
type noisy float64

// within returns Pr[from < z + ξ < to].
func (s noisy) within(z, from, to float64) float64 {
	scale := float64(s) * math.Sqrt2
	return (math.Erfc((from-z)/scale) - math.Erfc((to-z)/scale)) / 2
}

// changes returns the probability that of z + ξ + first and z + ξ + second one alone is in (0, 1).
func (s noisy) changes(z, first, second float64) float64 {
	if gap := math.Abs(first - second); gap < 1 {
		shift := max(first, second)
		return s.within(z, -shift, gap-shift) + s.within(z, 1-shift, 1-shift+gap)
	}
	return s.within(z+first, 0, 1) + s.within(z+second, 0, 1)
}

// node is a point of a rule for the mean over a weight.
type node struct{ at, weight float64 }

// trapezoids is the trapezoidal rule for a mean of an integrand that grows off the real axis, times the density, at
// most like 4e^(y²/(2·strip²)). At the height y = 2π·strip²/h its error is 8e^(−2π²strip²/h²) at most: below 10⁻¹¹ for
// an exponent of 28. A density that is not analytic gets a rule that is good enough to be seen to be different.
func (w weight) trapezoids(strip float64) (rule []node) {
	h := math.Pi * strip * math.Sqrt(2./28)
	for i := int(-w.end / h); float64(i)*h <= w.end; i++ {
		x := float64(i) * h
		rule = append(rule, node{x, h * w.density(x)})
	}
	return rule
}

// panels is a rule for an integrand with kinks at 0 and at plus and minus others. On panels twice as wide as the strip,
// Gauss–Legendre rules of 12 nodes err by less than 4^(−19) of an integrand that is bounded by 4e^(y²/(2·strip²)) in
// the ellipse of parameter 4 around a panel, where y < 1.9·strip.
func (w weight) panels(strip float64, kinks ...float64) (rule []node) {
	x, weights, from := make([]float64, 12), make([]float64, 12), 0.0
	for _, to := range slices.Sorted(slices.Values(append(kinks, w.end))) {
		if to > w.end {
			break
		}
		count := math.Ceil((to - from) / (2 * strip))
		for i := range int(count) {
			width := (to - from) / count
			quad.Legendre{}.FixedLocations(x, weights, from+float64(i)*width, from+float64(i+1)*width)
			for j := range x {
				p := weights[j] * w.density(x[j])
				rule = append(rule, node{x[j], p}, node{-x[j], p})
			}
		}
		from = to
	}
	return rule
}

func judgeAverages(r *props.Record, in startAverages, c ordersClaim) {
	r.RegimeOf(in.Noise > 0.3, in.cut == 1)
	law := in.law()
	s := theory.Starts{Law: theory.Bits{Dim: law.Dim, Support: law.Support, Accept: law.Accept, Pattern: law.Pattern,
		Background: law.Background}, Scale: in.Scale, Bias: in.Bias, Noise: in.Noise}
	allowed := 1e-10 + float64(in.nodes+3000)*r.Unit()
	r.WithinScale(averageGate, in.gate, c.gate(s), 1, allowed)
	r.WithinScale(averageByA, in.onA, c.onA(s), 1, allowed)
	r.WithinScale(averageByOne, in.one, c.one(s), 1, allowed)
}

// startCell is a kind of neuron and how many are drawn.
type startCell struct {
	D, K                int
	Background, Uniform float64
	Scale, Bias, Noise  float64
	Draws               int
}

// startCells are neurons in the source's scales, s = 1/k and σ_ξ = k^(−3/2), without noise, and with weights so large
// that the gate jumps over its interval.
var startCells = []startCell{
	{D: 30, K: 3, Background: 0.5, Uniform: 0.5, Scale: 1. / 3, Bias: 0.1, Noise: math.Pow(3, -1.5)},
	{D: 30, K: 5, Background: 0.1, Uniform: 0, Scale: 3, Bias: -0.5, Noise: 0},
	{D: 100, K: 5, Background: 0.5, Uniform: 1, Scale: 0.2, Bias: -0.04, Noise: math.Pow(5, -1.5)},
	{D: 100, K: 5, Background: 0.05, Uniform: 0.5, Scale: 1, Bias: 0.5, Noise: 0.1},
	{D: 400, K: 7, Background: 0.5, Uniform: 0.5, Scale: 1. / 7, Bias: 0.02, Noise: math.Pow(7, -1.5)},
}

func (c startCell) mixture() theory.Mixture {
	return theory.Mixture{Dim: c.D, Count: c.K, Background: c.Background, Uniform: c.Uniform}
}

func fewBits(c startCell) bool { return c.D == 30 }

func manyBits(c startCell) bool { return c.D == 400 }

// startCounts are how many of the draws have an open gate without A, one that the bits on A change, and one that the
// first bit outside A decides.
type startCounts struct{ Draws, Open, ByA, ByOne int }

// countStarts draws an input, a neuron and its noise each time, and the noise once more for the gate without A unless
// it is the same.
func countStarts(draw func(*rand.Rand) float64, same bool) func(*props.Trial, startCell) startCounts {
	return func(t *props.Trial, c startCell) startCounts {
		r, law, out := t.Rand, wide(c.mixture(), props.Indices(c.K)), startCounts{Draws: c.Draws}
		sigma, batch := law.Deviation(), law.Draw(r, 64)
		open := func(z float64) bool { return 0 < z && z < 1 }
		for i := range c.Draws {
			if i%64 == 0 {
				law.DrawInto(r, batch)
			}
			noise, on, outside, decider := c.Noise*r.NormFloat64(), 0.0, 0.0, 0.0
			for j, phi := range batch.X.RawRowView(i % 64) {
				q := c.Scale * draw(r)
				switch {
				case j < c.K:
					on += q * phi
				case j == c.K:
					decider = q
				}
				if j >= c.K {
					outside += q * phi
				}
			}
			z := c.Bias + noise + on + outside
			zero := z - decider*(batch.X.At(i%64, c.K)+c.Background/sigma) // that of the input with a zero there
			without := z - on
			if !same {
				without += c.Noise*r.NormFloat64() - noise
			}
			out.Open += count(open(without))
			out.ByA += count(open(z) != open(without))
			out.ByOne += count(open(zero) != open(zero+decider/sigma))
		}
		return out
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// heavyTailed draws from a law with variance 1 that is 0 nine times in ten.
func heavyTailed(r *rand.Rand) float64 {
	if r.IntN(10) > 0 {
		return 0
	}
	return math.Sqrt(10) * r.NormFloat64()
}

func judgeCounts(r *props.Record, cell startCell, m startCounts, c ordersClaim) {
	r.RegimeOf(cell.D == 100, cell.D == 400)
	s := theory.Starts{Law: cell.mixture().Bits(), Scale: cell.Scale, Bias: cell.Bias, Noise: cell.Noise}
	for _, of := range []struct {
		name  string
		count int
		claim float64
	}{{averageGate, m.Open, c.gate(s)}, {averageByA, m.ByA, c.onA(s)}, {averageByOne, m.ByOne, c.one(s)}} {
		r.Equals(of.name, stat.Proportion(of.count, m.Draws, stat.CriterionAlpha), of.claim,
			stat.ProportionMargin(of.claim, m.Draws, stat.CriterionAlpha, stat.CriterionUndecided))
	}
}

// tryStarts draws neurons at a user's parameters.
func tryStarts(t *props.Trial, v statement.Values) (map[string]float64, error) {
	c := startCell{D: v.Int("D"), K: v.Int("k"), Background: v.Float("background"), Uniform: v.Float("uniform"),
		Scale: v.Float("scale"), Bias: v.Float("bias"), Noise: v.Float("noise")}
	t.Need(c.D <= 20000, "the dimension cannot be simulated: D is at most 20000 here")
	c.Draws = 20000000 / (c.D + 1000)
	m := countStarts((*rand.Rand).NormFloat64, true)(t, c)
	share := func(n int) float64 { return float64(n) / float64(m.Draws) }
	return map[string]float64{"beta": share(m.Open), "changedA": share(m.ByA), "changed": share(m.ByOne)}, nil
}
