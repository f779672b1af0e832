package emergence

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// orders averages over all weights and inputs by characteristic functions, and counts events of drawn neurons.
var orders = props.Spec{
	Statement: &theory.Orders,
	Checks: []props.Check{
		props.Drawn[startSums, ordersClaim]{
			Name:       "averages by characteristic functions",
			Cases:      props.Scale{Quick: 10, Standard: 40, Deep: 2000},
			Regimes:    []string{"few bits", "many bits", "no noise"},
			Draw:       func(t *props.T) startSums { return drawSums(t, gaussianWeight, false) },
			Claim:      asInTheory,
			Judge:      judgeSums,
			Replicates: 1,
			Tries:      12,
			Proven:     map[string]string{averageGate: sumsProven, averageByA: sumsProven, averageByOne: sumsProven},
			Controls: []props.Wrong[startSums, ordersClaim]{
				{Name: "weights of two variances", Assumption: "gaussian",
					Draw: func(t *props.T) startSums { return drawSums(t, mixedWeight, false) }},
				{Name: "two equal bits outside A", Assumption: "independent-background",
					Draw: func(t *props.T) startSums { return drawSums(t, gaussianWeight, true) }},
				{Name: "more noise, by s/10", Claim: changedStarts(func(s *theory.Starts) { s.Noise += s.Scale / 10 })},
				{Name: "variance s in place of s²",
					Claim: changedStarts(func(s *theory.Starts) { s.Scale = math.Sqrt(s.Scale) })},
				{Name: "1 + 10⁻⁸ times the weights", Claim: changedStarts(func(s *theory.Starts) { s.Scale *= 1 + 1e-8 })},
				{Name: "bias 0", Claim: changedStarts(func(s *theory.Starts) { s.Bias = 0 })},
				{Name: "without the upper cut", Claim: changedStarts(func(s *theory.Starts) {
					s.Scale, s.Bias, s.Noise = s.Scale*1e-6, s.Bias*1e-6, s.Noise*1e-6
				})},
				{Name: "ε_A as of k bits, each on its own", Criterion: averageByA, Claim: func(c *ordersClaim) {
					c.onA = func(s theory.Starts) float64 {
						return 1 - math.Pow(1-s.ChangedByOne(), float64(len(s.Law.Support)))
					}
				}},
				{Name: "0.9 p_o in place of p_o", Claim: changedStarts(func(s *theory.Starts) { s.Law.Background *= 0.9 })},
			},
		},
		props.Grid[startCell, startCounts, ordersClaim]{
			Name: "neurons drawn with their inputs",
			Cells: func(e props.Effort) (out []startCell) {
				n := props.Scale{Quick: 50000, Standard: 1000000, Deep: 20000000}.At(e)
				for _, c := range startCells {
					c.Draws = n
					out = append(out, c)
				}
				return out
			},
			Regimes:    []string{"D = 10", "D = 30"},
			Replicates: 1,
			Tries:      3,
			Cost:       func(c startCell) float64 { return float64(c.D) },
			Measure:    countStarts((*rand.Rand).NormFloat64, true),
			Claim:      asInTheory,
			Judge:      judgeCounts,
			Coarse: map[string]string{averageGate: "a proportion of so many draws", averageByA: "a proportion of so many draws",
				averageByOne: "a proportion of so many draws"},
			Controls: []props.WrongCell[startCell, startCounts, ordersClaim]{
				{Name: "heavy-tailed weights", Assumption: "gaussian", On: onTenBits, Measure: countStarts(heavyTailed, true)},
				{Name: "another noise without the bits", Assumption: "same-noise", Criterion: averageByA, On: onTenBits,
					Measure: countStarts((*rand.Rand).NormFloat64, false)},
				{Name: "1.5 times the weights",
					Claim: changedStarts(func(s *theory.Starts) { s.Scale *= 1.5; s.Noise *= 1.5 })},
				{Name: "half of ε", Criterion: averageByOne, Claim: func(c *ordersClaim) {
					c.one = func(s theory.Starts) float64 { return s.ChangedByOne() / 2 }
				}},
			},
		},
	},
	Along: &props.Along{Param: "D", From: 10, To: 3000, Of: []string{"changedA", "changed"},
		Y: "probability that the gate changes", Places: 8, Reps: 1},
	Try: &props.Simulation{Run: tryStarts},
}.Claim()

const (
	averageGate  = "mean of the gate without A"
	averageByA   = "changes by the bits on A"
	averageByOne = "changes by one bit outside A"
	sumsProven   = "aliases, omitted frequencies and roundings"
)

// ordersClaim holds the closed forms of the three averages.
type ordersClaim struct{ gate, onA, one func(theory.Starts) float64 }

var asInTheory = ordersClaim{theory.Starts.Beta, theory.Starts.ChangedByA, theory.Starts.ChangedByOne}

// changedStarts claims the closed forms of other neurons.
func changedStarts(change func(*theory.Starts)) func(*ordersClaim) {
	return func(c *ordersClaim) {
		of := func(f func(theory.Starts) float64) func(theory.Starts) float64 {
			return func(s theory.Starts) float64 { change(&s); return f(s) }
		}
		*c = ordersClaim{of(c.gate), of(c.onA), of(c.one)}
	}
}

// startSums holds the three averages for a law of the bits and of the weights.
type startSums struct {
	D           int
	Pattern     []float64
	Background  float64
	Scale, Bias float64
	Noise       float64

	gate, onA, one float64
	rounding       float64 // of the three, in units of the roundoff
}

// weight is the characteristic function of a symmetric weight of variance 1, as a function of the squared frequency.
type weight func(square float64) float64

func gaussianWeight(square float64) float64 { return math.Exp(-square / 2) }

// mixedWeight returns an equal mixture of Gaussian weights of variance 1/2 and 3/2.
func mixedWeight(square float64) float64 { return (math.Exp(-square/4) + math.Exp(-3*square/4)) / 2 }

// drawSums draws a law, in which the first two bits outside A may be equal.
func drawSums(t *props.T, w weight, twins bool) startSums {
	r, k := t.Stream("neuron"), rapid.SampledFrom([]int{1, 3}).Draw(t.T, "k")
	in := startSums{Background: 0.02 + 0.96*r.Float64(), Pattern: make([]float64, 1<<k)}
	limit := 100. // more for fair bits, where the closed forms are short
	if !twins && rapid.SampledFrom([]bool{false, false, true}).Draw(t.T, "fair bits") {
		in.Background, limit = 0.5, 3000
	}
	in.D = k + int(gen.LogUniform(t.T, "D − k", 2, limit))
	if twins {
		in.D = max(in.D, k+3)
	}
	total := 0.0
	for a := range in.Pattern {
		in.Pattern[a] = 0.05 + r.ExpFloat64()
		total += in.Pattern[a]
	}
	for a := range in.Pattern {
		in.Pattern[a] /= total
	}
	in.Scale = gen.LogUniform(t.T, "s", 0.05, 5)
	if rapid.SampledFrom([]bool{true, true, false}).Draw(t.T, "noisy") {
		in.Noise = in.Scale * gen.LogUniform(t.T, "σ_ξ/s", 0.1, 5)
	}
	in.Bias = rapid.SampledFrom([]float64{0, 1}).Draw(t.T, "cut") + 2*math.Hypot(in.Scale, in.Noise)*(2*r.Float64()-1)
	in.average(w, twins)
	return in
}

func (in *startSums) law() data.Wide {
	k := bits.TrailingZeros(uint(len(in.Pattern)))
	return data.Wide{Dim: in.D, Support: props.Indices(k), Accept: data.Parity(k), Pattern: in.Pattern,
		Background: in.Background}
}

func judgeSums(r *props.Record, in startSums, c ordersClaim) {
	r.RegimeOf(in.D > 20, in.Noise == 0)
	law := in.law()
	s := theory.Starts{Law: theory.Bits{Dim: law.Dim, Support: law.Support, Accept: law.Accept, Pattern: law.Pattern,
		Background: law.Background}, Scale: in.Scale, Bias: in.Bias, Noise: in.Noise}
	allowed := 1e-12 + in.rounding*r.Unit()
	r.WithinScale(averageGate, in.gate, c.gate(s), 1, allowed)
	r.WithinScale(averageByA, in.onA, c.onA(s), 1, allowed)
	r.WithinScale(averageByOne, in.one, c.one(s), 1, allowed)
}

// startCell describes a kind of neuron, and says how many are drawn.
type startCell struct {
	D, K                int
	Background, Uniform float64
	Scale, Bias, Noise  float64
	Draws               int
}

// startCells holds neurons at the source's scales, s = 1/k and σ_ξ = k^(−3/2), and one without noise whose weights are
// so large that z jumps over the interval in which the gate is open.
var startCells = []startCell{
	{D: 10, K: 3, Background: 0.5, Uniform: 0.5, Scale: 1. / 3, Bias: 0.1, Noise: math.Pow(3, -1.5)},
	{D: 30, K: 5, Background: 0.2, Uniform: 1, Scale: 0.2, Bias: -0.04, Noise: math.Pow(5, -1.5)},
	{D: 30, K: 5, Background: 0.1, Uniform: 0, Scale: 3, Bias: -0.5, Noise: 0},
}

func (c startCell) mixture() theory.Mixture {
	return theory.Mixture{Dim: c.D, Count: c.K, Background: c.Background, Uniform: c.Uniform}
}

func onTenBits(c startCell) bool { return c.D == 10 }

// startCounts counts the draws in which the gate is open without A, in which the bits on A change it, and in which the
// first bit outside A changes it.
type startCounts struct{ Draws, Open, ByA, ByOne int }

// countStarts draws an input, a neuron and its noise each time. Unless same is set, it draws new noise for the gate
// without A.
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
				if j < c.K {
					on += q * phi
					continue
				}
				outside += q * phi
				if j == c.K {
					decider = q
				}
			}
			z := c.Bias + noise + on + outside
			zero := z - decider*(batch.X.At(i%64, c.K)+c.Background/sigma) // the pre-activation of the input with a zero there
			without := z - on
			if !same {
				without += c.Noise*r.NormFloat64() - noise
			}
			if open(without) {
				out.Open++
			}
			if open(z) != open(without) {
				out.ByA++
			}
			if open(zero) != open(zero+decider/sigma) {
				out.ByOne++
			}
		}
		return out
	}
}

// heavyTailed draws from a law with variance 1 that is 0 nine times in ten.
func heavyTailed(r *rand.Rand) float64 {
	if r.IntN(10) > 0 {
		return 0
	}
	return math.Sqrt(10) * r.NormFloat64()
}

func judgeCounts(r *props.Record, cell startCell, m startCounts, c ordersClaim) {
	r.RegimeOf(cell.D == 30)
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
	c.Draws = 6000000 / (c.D + 300)
	m := countStarts((*rand.Rand).NormFloat64, true)(t, c)
	share := func(n int) float64 { return float64(n) / float64(m.Draws) }
	return map[string]float64{"beta": share(m.Open), "changedA": share(m.ByA), "changed": share(m.ByOne)}, nil
}
