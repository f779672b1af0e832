package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// sampling pairs the law of the angle with two steps over samples.
var sampling = props.Spec{
	Statement: &theory.Sampling,
	Checks: []props.Check{props.Sweep[int, angles]{
		Name: "angles after two sampled steps",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 128, Standard: 216, Deep: 900}.At(e))
		},
		Replicates: 1,
		Regimes:    []string{"all laws"},
		Measure: func(t *props.Trial, _ int, done string) angles {
			return sampledSteps(t.Rand, drawDirection(t.Rand), done)
		},
		Conclude: concludeAngles,
		Controls: []props.Control{
			{Name: "uniform bits on A", Assumption: "structured", Done: "uniform"},
			{Name: "initial weights kept", Assumption: "forgetting", Done: "kept"},
			{Name: "no mirror neurons, output weights near 30", Assumption: "paired", Criterion: firstAngle,
				Done: "unpaired"},
			{Name: "every sample taken four times", Assumption: "fresh", Done: "repeated"},
			{Name: "a first step of 10³", Assumption: "small-first-step", Criterion: secondAngle, Done: "large"},
			{Name: "γ in place of γ²", Claimed: "γ once"},
			{Name: "ρ² in the second step", Criterion: secondAngle, Claimed: "ρ²"},
			{Name: "1/ρ in the first step", Criterion: firstAngle, Claimed: "1/ρ"},
		},
		Coarse: map[string]string{firstAngle: "the median of some hundred runs at finite D",
			secondAngle: "the median of some hundred runs at finite D"},
	}, props.Sweep[int, angles]{
		Name: "angles where the relevant bits carry half of the variance",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 128, Standard: 216, Deep: 900}.At(e))
		},
		Replicates: 1,
		Regimes:    []string{"sparse background"},
		Measure: func(t *props.Trial, _ int, done string) angles {
			return sampledSteps(t.Rand, drawSparse(t.Rand), done)
		},
		Conclude: concludeSparse,
		Controls: []props.Control{
			{Name: "no structure where the background is sparse", Assumption: "structured", Done: "uniform"},
			{Name: "without the factor 1 − v", Claimed: "no v"},
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

// drawDirection draws a law and sizes for one run.
func drawDirection(r *rand.Rand) theory.Direction {
	const dim, n = 200, 600
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
	First, Second       float64
	FirstLaw, SecondLaw float64
	Gamma, Rho, Along   float64
	Deviation           float64 // of the ratios, relative, and how far their medians may be from 1
	Off                 float64
	Dependence          float64 // what gate and length of the input have in common in the first step, relative
}

// sampledSteps takes two steps with one pair of neurons.
func sampledSteps(r *rand.Rand, d theory.Direction, done string) angles {
	m, k := d.Mixture, float64(d.Mixture.Count)
	law := data.Wide{Dim: m.Dim, Support: rational.Subset(r, m.Dim, m.Count), Accept: data.Parity(m.Count),
		Pattern: data.Uniform(m.Count, m.Uniform), Background: m.Background}
	out := angles{Gamma: m.Covariance(), Along: d.Along()}
	if done == "uniform" {
		law.Pattern = data.Uniform(m.Count, 1)
	}
	noise := math.Pow(k, -1.5)
	q, bias := gen.Gaussian(r, 1, m.Dim, 1/k), r.NormFloat64()/(k*k)
	net := truncated.Paired(q, []float64{bias}, []float64{1})
	if done == "unpaired" {
		net = truncated.Net{W: q, B: []float64{bias}, A: []float64{30}}
	}
	rate := 1e-3
	if done == "large" {
		rate = 1e3
	}
	variance, deviation := 0.0, law.Deviation()
	for j, mean := range law.Mean() {
		variance += math.Pow(q.At(0, j)/deviation, 2) * mean * (1 - mean)
	}
	samples := d.Samples
	if done == "repeated" {
		samples /= 4
	}
	sample := law.Draw(r, samples)
	step := truncated.Step{Rate: rate, Noise: truncated.Smooth(noise), KeepA: 1}
	if done == "kept" {
		step.KeepW = 1
	}
	feature := rational.Indicator(m.Dim, law.Support)
	net, _ = net.Descend(sample, step)
	out.First = tan2(net.W.RawRowView(0), feature)
	step.Rate = 1
	law.DrawInto(r, sample)
	net, _ = net.Descend(sample, step)
	out.Second = tan2(net.W.RawRowView(0), feature)
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

func concludeAngles(r *props.Record, _ []int, all []angles, claimed string) {
	r.Regime("all laws")
	var first, second []float64
	deviation, off, dependence := 0.0, 0.0, 0.0
	for _, a := range all {
		one, two := a.FirstLaw, a.SecondLaw
		switch claimed {
		case "γ once":
			one, two = one*a.Gamma, two*a.Gamma
		case "ρ²":
			two *= a.Rho * a.Rho
		case "1/ρ":
			one /= a.Rho * a.Rho
		}
		first, second = append(first, min(beyondLaw, a.First/one)), append(second, min(beyondLaw, a.Second/two))
		deviation, off, dependence = max(deviation, a.Deviation), max(off, a.Off), max(dependence, a.Dependence)
	}
	margin := off + stat.MedianMargin(stat.NormalTail, deviation, len(all), stat.CriterionAlpha, stat.CriterionUndecided)
	r.Equals(firstAngle, stat.Median(first, stat.CriterionAlpha), 1, margin+dependence)
	r.Equals(secondAngle, stat.Median(second, stat.CriterionAlpha), 1, margin)
	r.Measured("median of the first ratio", stat.Median(first, 0.05), 1)
	r.Measured("median of the second ratio", stat.Median(second, 0.05), 1)
}

// concludeSparse judges the second step alone: with few ones outside A the pre-activations of the first are not
// Gaussian.
func concludeSparse(r *props.Record, _ []int, all []angles, claimed string) {
	r.Regime("sparse background")
	var ratios []float64
	deviation, off := 0.0, 0.0
	for _, a := range all {
		law := a.SecondLaw
		if claimed == "no v" {
			law /= 1 - a.Along
		}
		ratios = append(ratios, min(beyondLaw, a.Second/law))
		deviation, off = max(deviation, a.Deviation), max(off, a.Off)
	}
	margin := off + stat.MedianMargin(stat.NormalTail, deviation, len(all), stat.CriterionAlpha, stat.CriterionUndecided)
	r.Equals(secondAngle, stat.Median(ratios, stat.CriterionAlpha), 1, margin)
}
