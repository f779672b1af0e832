package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// sampling pairs the law of the angle with two steps over samples.
var sampling = props.Spec{
	Statement: &theory.Sampling,
	Checks: []props.Check{props.Grid[sampledRun, angles, anglesClaim]{
		Name: "angles after two sampled steps",
		Cells: func(e props.Effort) []sampledRun {
			return append(sampledRuns(200, props.Scale{Quick: 128, Standard: 216, Deep: 900}.At(e)),
				sampledRuns(800, props.Scale{Quick: 64, Standard: 108, Deep: 450}.At(e))...)
		},
		Replicates: 1,
		Regimes:    []string{sizeRegime(200), sizeRegime(800)},
		Measure:    directionsOf(asStated),
		Claim:      lawOfAngles,
		Conclude:   concludeAngles,
		Controls: []props.WrongCell[sampledRun, angles, anglesClaim]{
			{Name: "uniform bits on A", Assumption: "structured", On: few,
				Measure: directionsOf(uniformInputs)},
			{Name: "initial weights kept", Assumption: "forgetting", On: few,
				Measure: directionsOf(func(c *course) { c.step.KeepW = 1 })},
			{Name: "no mirror neurons, output weights near 30", Assumption: "paired", Criterion: firstAngle, On: small,
				Measure: directionsOf(func(c *course) {
					withoutMirrors(c)
					c.net.A = []float64{30}
				})},
			{Name: "every sample taken four times", Assumption: "fresh", On: small,
				Measure: directionsOf(func(c *course) { c.samples /= 4 })},
			{Name: "a first step of 10³", Assumption: "small-first-step", Criterion: secondAngle, On: few,
				Measure: directionsOf(func(c *course) { c.rates[0] = 1e3 })},
			{Name: "γ in place of γ²", Claim: func(c *anglesClaim) {
				c.first = func(a angles) float64 { return a.FirstLaw * a.Gamma }
				c.second = func(a angles) float64 { return a.SecondLaw * a.Gamma }
			}},
			{Name: "a law of the order of D that is right at D = 200", Claim: func(c *anglesClaim) {
				c.first = func(a angles) float64 { return a.FirstLaw * float64(a.Dim) / 200 }
				c.second = func(a angles) float64 { return a.SecondLaw * float64(a.Dim) / 200 }
			}},
			{Name: "ρ² in the second step", Criterion: secondAngle, Claim: func(c *anglesClaim) {
				c.second = func(a angles) float64 { return a.SecondLaw * (a.Rho * a.Rho) }
			}},
			{Name: "1/ρ in the first step", Criterion: firstAngle, Claim: func(c *anglesClaim) {
				c.first = func(a angles) float64 { return a.FirstLaw / (a.Rho * a.Rho) }
			}},
		},
		Coarse: map[string]string{firstAngle: "the median of some hundred runs at finite D",
			secondAngle: "the median of some hundred runs at finite D"},
	}, props.Grid[int, angles, func(angles) float64]{
		Name:       "angles where the relevant bits carry half of the variance",
		Cells:      props.Scale{Quick: 128, Standard: 216, Deep: 900}.Indices,
		Replicates: 1,
		Regimes:    []string{"sparse background"},
		Measure:    sparseDirectionsOf(asStated),
		Claim:      lawOfAngles.second,
		Conclude:   concludeSparse,
		Controls: []props.WrongCell[int, angles, func(angles) float64]{
			{Name: "no structure where the background is sparse", Assumption: "structured",
				On: props.First(64), Measure: sparseDirectionsOf(uniformInputs)},
			{Name: "without the factor 1 − v", Claim: func(c *func(angles) float64) {
				*c = func(a angles) float64 { return a.SecondLaw / (1 - a.Along) }
			}},
		},
		Coarse: map[string]string{secondAngle: "the median of some hundred runs at finite D"},
	}},
	Along: &props.Along{
		Param: "n", From: 100, To: 10000, Of: []string{"first", "second"},
		Y: "|cos| of the weights and the feature", Places: 7,
	},
	Try: &props.Simulation{Run: measureCosines, Draw: drawCosines},
}.Claim()

const firstAngle, secondAngle = "tan² after the first step", "tan² after the second step"

// anglesClaim is the law of tan² after each step.
type anglesClaim struct{ first, second func(angles) float64 }

var lawOfAngles = anglesClaim{
	first:  func(a angles) float64 { return a.FirstLaw },
	second: func(a angles) float64 { return a.SecondLaw },
}

// sampledRun is one run at one number of coordinates.
type sampledRun struct{ Dim, Run int }

func sampledRuns(dim, count int) (out []sampledRun) {
	for i := range count {
		out = append(out, sampledRun{dim, i})
	}
	return out
}

func sizeRegime(dim int) string { return fmt.Sprintf("D = %d", dim) }

// few and small choose runs of the smaller size for what is far off at any.
func few(r sampledRun) bool   { return small(r) && r.Run < 64 }
func small(r sampledRun) bool { return r.Dim == 200 }

// directionsOf measures the angles that a course gives, and sparseDirectionsOf those of sparse laws.
func directionsOf(change func(*course)) func(*props.Trial, sampledRun) angles {
	return func(t *props.Trial, r sampledRun) angles {
		return sampledSteps(t.Rand, drawDirection(t.Rand, r.Dim), change)
	}
}

func sparseDirectionsOf(change func(*course)) func(*props.Trial, int) angles {
	return func(t *props.Trial, _ int) angles { return sampledSteps(t.Rand, drawSparse(t.Rand), change) }
}

// drawDirection draws a law and a number of samples for one run.
func drawDirection(r *rand.Rand, dim int) theory.Direction {
	const n = 600
	return theory.Direction{Samples: n + r.IntN(n), Rho: 1, Mixture: theory.Mixture{Dim: dim, Count: 3 + 2*r.IntN(3),
		Background: []float64{0.5, 0.25}[r.IntN(2)], Uniform: 0.5 * r.Float64()}}
}

// drawSparse draws a law for one run in which the part of the input along the feature is not small: v is near 1/2.
func drawSparse(r *rand.Rand) theory.Direction {
	const dim, n = 200, 300
	return theory.Direction{Samples: n + r.IntN(n), Rho: 1, Mixture: theory.Mixture{Dim: dim, Count: 13,
		Background: 1. / 64, Uniform: r.Float64() / 8}}
}

// angles are the tan² of the angle to the effective feature, and the law.
type angles struct {
	Dim                 int
	First, Second       float64
	FirstLaw, SecondLaw float64
	Gamma, Rho, Along   float64
	Deviation           float64 // of the ratios, relative, and how far their medians may be from 1
	Off                 float64
	Dependence          float64 // what gate and length of the input have in common in the first step, relative
}

// sampledSteps takes the two steps of a course with one pair of neurons.
func sampledSteps(r *rand.Rand, d theory.Direction, change func(*course)) angles {
	m, k := d.Mixture, float64(d.Mixture.Count)
	law := data.Wide{Dim: m.Dim, Support: rational.Subset(r, m.Dim, m.Count), Accept: data.Parity(m.Count),
		Pattern: data.Uniform(m.Count, m.Uniform), Background: m.Background}
	out := angles{Dim: m.Dim, Gamma: m.Covariance(), Along: d.Along()}
	noise := math.Pow(k, -1.5)
	q, bias := gen.Gaussian(r, 1, m.Dim, 1/k), r.NormFloat64()/(k*k)
	c := course{law: law, net: truncated.Paired(q, []float64{bias}, []float64{1}),
		step:  truncated.Step{Noise: truncated.Smooth(noise), KeepA: 1},
		rates: []float64{firstRate, 1}, samples: d.Samples}
	change(&c)
	variance, deviation := 0.0, c.law.Deviation()
	for j, mean := range c.law.Mean() {
		variance += math.Pow(q.At(0, j)/deviation, 2) * mean * (1 - mean)
	}
	feature, nets := rational.Indicator(m.Dim, law.Support), c.descend(r)
	out.First, out.Second = tan2(nets[1].W.RawRowView(0), feature), tan2(nets[2].W.RawRowView(0), feature)
	out.SecondLaw = d.Tan2()
	out.Rho = theory.Rho(bias, math.Sqrt(variance), noise)
	d.Rho = out.Rho
	out.FirstLaw = d.Tan2()
	along := d.Along() / (1 - d.Along()) * d.Tan2()
	out.Deviation = math.Sqrt(2/float64(m.Dim-m.Count) + 4*along)
	out.Off = 2/(3*float64(m.Dim-m.Count)) + 3*along
	out.Dependence = d.Dependence(q.RawRowView(0), feature, theory.Scatter(bias, math.Sqrt(variance), noise))
	return out
}

// beyondLaw is where a ratio to the law is cut off: at what is so far from 1, its size says nothing, and spreads over
// decades. The cut moves no median below it.
const beyondLaw = 100

// tan2 returns tan² of the angle of two vectors. A direction that is orthogonal, or none, is at 10¹².
func tan2(w, u []float64) float64 {
	inner := floats.Dot(w, u)
	square := inner * inner / floats.Dot(u, u)
	across := floats.Dot(w, w) - square
	if !(square > 1e-12*across) {
		return 1e12
	}
	return across / square
}

func concludeAngles(r *props.Record, _ []sampledRun, all []angles, claim anglesClaim) {
	for _, dim := range []int{200, 800} {
		of := slices.DeleteFunc(slices.Clone(all), func(a angles) bool { return a.Dim != dim })
		if len(of) == 0 {
			continue // a control of the other size
		}
		r.Regime(sizeRegime(dim))
		first, margin := medianRatio(of, func(a angles) float64 { return a.First / claim.first(a) })
		second, _ := medianRatio(of, func(a angles) float64 { return a.Second / claim.second(a) })
		dependence := 0.0
		for _, a := range of {
			dependence = max(dependence, a.Dependence)
		}
		r.Equals(firstAngle, stat.Median(first, stat.CriterionAlpha), 1, margin+dependence)
		r.Equals(secondAngle, stat.Median(second, stat.CriterionAlpha), 1, margin)
		r.Measured("median of the first ratio, "+sizeRegime(dim), stat.Median(first, 0.05), 1)
		r.Measured("median of the second ratio, "+sizeRegime(dim), stat.Median(second, 0.05), 1)
	}
}

// concludeSparse judges the second step alone: with few ones outside A the pre-activations of the first are not
// Gaussian.
func concludeSparse(r *props.Record, _ []int, all []angles, second func(angles) float64) {
	r.Regime("sparse background")
	ratios, margin := medianRatio(all, func(a angles) float64 { return a.Second / second(a) })
	r.Equals(secondAngle, stat.Median(ratios, stat.CriterionAlpha), 1, margin)
}

// medianRatio returns ratios to the law, and how far their median may be from 1.
func medianRatio(all []angles, ratio func(angles) float64) (ratios []float64, margin float64) {
	deviation, off := 0.0, 0.0
	for _, a := range all {
		ratios = append(ratios, min(beyondLaw, ratio(a)))
		deviation, off = max(deviation, a.Deviation), max(off, a.Off)
	}
	return ratios, off + stat.MedianMargin(stat.NormalTail, deviation, len(all), stat.CriterionAlpha,
		stat.CriterionUndecided)
}
