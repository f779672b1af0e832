package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// sampling pairs the law of the angle with two steps over samples.
var sampling = props.Spec{
	Statement: &theory.Sampling,
	Checks: []props.Check{props.Grid[sampledRun, angles, anglesClaim]{
		Name:       "angles after two sampled steps",
		Cells:      sampledRuns(props.Scale{Quick: 120, Standard: 560, Deep: 4000}, 600),
		Replicates: 1,
		Regimes:    sampledRegimes,
		Cost:       sampledRun.cost,
		Measure:    directionsOf(drawDirection, asStated),
		Claim:      lawOfAngles,
		Conclude:   concludeAngles,
		Controls: []props.WrongCell[sampledRun, angles, anglesClaim]{
			{Name: "uniform bits on A", Assumption: "structured", On: fewSmall,
				Measure: directionsOf(drawDirection, uniformInputs)},
			{Name: "initial weights kept", Assumption: "forgetting", On: fewSmall,
				Measure: directionsOf(drawDirection, func(c *course) { c.step.KeepW = 1 })},
			{Name: "no mirror neurons, output weights near 30", Assumption: "paired", Criterion: firstAngle, On: small,
				Measure: directionsOf(drawDirection, func(c *course) {
					withoutMirrors(c)
					c.net.A = []float64{30}
				})},
			{Name: "every sample taken four times", Assumption: "fresh", On: small,
				Measure: directionsOf(drawDirection, func(c *course) { c.samples /= 4 })},
			{Name: "a first step of 10⁴", Assumption: "small-first-step", Criterion: secondAngle, On: fewSmall,
				Measure: directionsOf(drawDirection, func(c *course) { c.rates[0] = 1e4 })},
			{Name: "growth as √D, right at D = 100",
				Instead: anglesClaim{first: func(a angles) float64 {
					return a.FirstLaw * math.Sqrt(100/float64(a.Dim))
				}, second: func(a angles) float64 {
					return a.SecondLaw * math.Sqrt(100/float64(a.Dim))
				}}},
			{Name: "γ in place of γ²",
				Instead: anglesClaim{first: func(a angles) float64 {
					return a.FirstLaw * a.Gamma
				}, second: func(a angles) float64 {
					return a.SecondLaw * a.Gamma
				}}},
			{Name: "ρ² in the second step", Criterion: secondAngle,
				Instead: anglesClaim{second: func(a angles) float64 { return a.SecondLaw * (a.Rho * a.Rho) }}},
			{Name: "1/ρ in the first step", Criterion: firstAngle,
				Instead: anglesClaim{first: func(a angles) float64 { return a.FirstLaw / (a.Rho * a.Rho) }}},
		},
		Coarse: map[string]string{firstAngle: "the median of some hundred runs, each with a scatter of √(2/(D−k))",
			secondAngle: "the median of some hundred runs, each with a scatter of √(2/(D−k))"},
	}, props.Grid[sampledRun, angles, func(angles) float64]{
		Name:       "angles where the relevant bits carry much of the variance",
		Cells:      sampledRuns(props.Scale{Quick: 64, Standard: 400, Deep: 2500}, 600),
		Replicates: 1,
		Regimes:    sampledRegimes,
		Cost:       sampledRun.cost,
		Measure:    directionsOf(drawSparse, asStated),
		Claim:      lawOfAngles.second,
		Conclude:   concludeSparse,
		Controls: []props.WrongCell[sampledRun, angles, func(angles) float64]{
			{Name: "no structure where the background is sparse", Assumption: "structured", On: fewSmall,
				Measure: directionsOf(drawSparse, uniformInputs)},
			{Name: "without the factor 1 − v", Instead: func(a angles) float64 { return a.SecondLaw / (1 - a.Along) }},
		},
		Coarse: map[string]string{secondAngle: "the median of some hundred runs, each with a scatter of √(2/(D−k))"},
	}},
	Along: &props.Along{
		Param: "n", From: 100, To: 10000, Of: []string{"first", "second"},
		Y: "|cos| of the weights and the feature", Places: 7,
	},
	Try: &props.Simulation{Run: measureCosines,
		Over: &props.Along{Param: "n", Y: "|cos| of the weights and the feature", Places: 7}},
}.Claim()

const firstAngle, secondAngle = "tan² after the first step", "tan² after the second step"

// anglesClaim holds the claimed law of tan² after each step.
type anglesClaim struct{ first, second func(angles) float64 }

var lawOfAngles = anglesClaim{
	first:  func(a angles) float64 { return a.FirstLaw },
	second: func(a angles) float64 { return a.SecondLaw },
}

// sampledDims holds the dimensions, and sampledRegimes the names of their regimes.
var (
	sampledDims    = []int{100, 400}
	sampledRegimes = []string{"D = 100", "D = 400"}
)

// sampledRun is a run with N ≤ n < 2N samples a step.
type sampledRun struct{ D, N, Index int }

// cost returns the cost relative to a run at D = 100.
func (run sampledRun) cost() float64 { return float64(run.D*run.N) / 30000 }

// sampledRuns returns the given number of runs at D = 400, with n to 2n samples, and three times as many at D = 100,
// which scatter twice as much and cost less.
func sampledRuns(runs props.Scale, n int) func(props.Effort) []sampledRun {
	return func(e props.Effort) (out []sampledRun) {
		for i := range 3 * runs.At(e) {
			out = append(out, sampledRun{100, 300, i})
		}
		for i := range runs.At(e) {
			out = append(out, sampledRun{400, n, i})
		}
		return out
	}
}

// small selects 160 runs at D = 100, which suffice to reject what is far off; fewSmall selects 64 of them.
func small(run sampledRun) bool    { return run.D == 100 && run.Index < 160 }
func fewSmall(run sampledRun) bool { return run.D == 100 && run.Index < 64 }

// directionsOf measures the angles after a changed course of training, under drawn laws.
func directionsOf(draw func(*rand.Rand, sampledRun) theory.Direction, change func(*course)) func(*props.Trial,
	sampledRun) angles {
	return func(t *props.Trial, run sampledRun) angles { return sampledSteps(t.Rand, draw(t.Rand, run), change) }
}

// drawDirection draws a law and a number of samples for one run.
func drawDirection(r *rand.Rand, run sampledRun) theory.Direction {
	return theory.Direction{Samples: run.N + r.IntN(run.N), Rho: 1, Mixture: theory.Mixture{Dim: run.D,
		Count: 3 + 2*r.IntN(3), Background: []float64{0.5, 0.25}[r.IntN(2)], Uniform: 0.5 * r.Float64()}}
}

// drawSparse draws a law for one run in which the part of the input along the feature is not small: v is near 2/3 at
// D = 100, and near 1/3 at D = 400.
func drawSparse(r *rand.Rand, run sampledRun) theory.Direction {
	return theory.Direction{Samples: run.N + r.IntN(run.N), Rho: 1, Mixture: theory.Mixture{Dim: run.D, Count: 13,
		Background: 1. / 64, Uniform: r.Float64() / 8}}
}

// angles holds tan² of the angle to the effective feature after each step, and the values that the law predicts.
type angles struct {
	First, Second       float64
	FirstLaw, SecondLaw float64
	Gamma, Rho, Along   float64
	Dim                 int
	Deviation           float64 // relative deviation of the ratios, and how far their medians may be from 1
	Off                 float64
	Dependence          float64 // relative effect of the dependence of gate and length of the input in the first step
}

// sampledSteps takes two steps with one pair of neurons, after a change of the course.
func sampledSteps(r *rand.Rand, d theory.Direction, change func(*course)) angles {
	m, k := d.Mixture, float64(d.Mixture.Count)
	law := wide(m, rational.Subset(r, m.Dim, m.Count))
	out := angles{Gamma: m.Covariance(), Along: d.Along(), Dim: m.Dim}
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
	out.Dependence = d.Dependence(q.RawRowView(0), feature, bias, math.Sqrt(variance), noise)
	return out
}

// beyondLaw is the value at which ratios to the law are cut off: so far from 1 the size of a ratio means nothing, and
// spreads over decades. The cut moves no median below it.
const beyondLaw = 100

// tan2 returns tan² of the angle between two vectors, or 10¹² if w is orthogonal to u or zero.
func tan2(w, u []float64) float64 {
	inner := floats.Dot(w, u)
	square := inner * inner / floats.Dot(u, u)
	across := floats.Dot(w, w) - square
	if !(square > 1e-12*across) {
		return 1e12
	}
	return across / square
}

// ratiosAt holds the ratios of measured to claimed tan² at one size, their deviations, and how far their medians may be
// from 1; in the first step the dependence of gate and length adds to that.
type ratiosAt struct {
	regime                      string
	first, second               []float64
	deviations, off, dependence []float64
}

// eachSize calls judge with the ratios of the runs at every measured size.
func eachSize(r *props.Record, all []angles, claim anglesClaim, judge func(ratiosAt)) {
	for i, dim := range sampledDims {
		var at ratiosAt
		for _, a := range all {
			if a.Dim != dim {
				continue
			}
			at.first = append(at.first, min(beyondLaw, a.First/claim.first(a)))
			at.second = append(at.second, min(beyondLaw, a.Second/claim.second(a)))
			at.deviations, at.off = append(at.deviations, a.Deviation), append(at.off, a.Off)
			at.dependence = append(at.dependence, a.Dependence)
		}
		if len(at.first) > 0 {
			at.regime = sampledRegimes[i]
			r.Regime(at.regime)
			judge(at)
		}
	}
}

// margin returns x deviations plus the allowed offset of the medians, where a normal variable exceeds x with the
// probability p that the plan of the median allows beyond the margin. The deviations s of the runs differ; the largest
// is always enough. With many runs a smaller margin is enough: the share of runs beyond d is the average of Φ(−d/s),
// which is at most p at d = x√(mean of s²), since Φ(−d/√v) is concave in v > d²/3. An offset b adds at most b/(s√(2π))
// to a share, and a margin wider by c takes at least c·exp(−x²/2)/√(2π·mean of s²) from it.
func (at ratiosAt) margin(off []float64) float64 {
	n := len(off)
	x := stat.MedianMargin(stat.NormalTail, 1, n, stat.CriterionAlpha, stat.CriterionUndecided)
	widest := floats.Max(at.deviations)*x + floats.Max(off)
	size, smallest := floats.Norm(at.deviations, 2)/math.Sqrt(float64(n)), floats.Min(at.deviations)
	if size*x > smallest*math.Sqrt(3) {
		return widest
	}
	return min(widest, size*(x+math.Exp(x*x/2)*floats.Sum(off)/float64(n)/smallest))
}

func concludeAngles(r *props.Record, _ []sampledRun, all []angles, claim anglesClaim) {
	eachSize(r, all, claim, func(at ratiosAt) {
		both := floats.AddTo(make([]float64, len(at.off)), at.off, at.dependence)
		r.Equals(firstAngle, stat.Median(at.first, stat.CriterionAlpha), 1, at.margin(both))
		r.Equals(secondAngle, stat.Median(at.second, stat.CriterionAlpha), 1, at.margin(at.off))
		r.Measured("median of the first ratio, "+at.regime, stat.Median(at.first, 0.05), 1)
		r.Measured("median of the second ratio, "+at.regime, stat.Median(at.second, 0.05), 1)
	})
}

// concludeSparse judges the second step alone: with few ones outside A the pre-activations of the first step are not
// Gaussian.
func concludeSparse(r *props.Record, _ []sampledRun, all []angles, second func(angles) float64) {
	eachSize(r, all, anglesClaim{lawOfAngles.first, second}, func(at ratiosAt) {
		r.Equals(secondAngle, stat.Median(at.second, stat.CriterionAlpha), 1, at.margin(at.off))
	})
}

// measureCosines takes two steps at a user's parameters.
func measureCosines(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d := theory.Direction{Samples: v.Int("n"), Rho: 1, Mixture: mixtureOf(v)}
	t.Need(float64(d.Samples)*float64(d.Mixture.Dim) <= 5e7 && d.Mixture.Count <= 15,
		"n=%d, D=%d, k=%d cannot be simulated: n·D is at most 5e7 and k at most 15", d.Samples, d.Mixture.Dim,
		d.Mixture.Count)
	a := sampledSteps(t.Rand, d, asStated)
	return map[string]float64{"first": 1 / math.Sqrt(1+a.First), "second": 1 / math.Sqrt(1+a.Second)}, nil
}
