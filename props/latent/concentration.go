package latent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// concentration samples data sets and compares the first gradient with that of the population.
var concentration = props.Spec{
	Statement: &theory.Concentration,
	Checks: []props.Check{props.Sweep[batch, gradientNoise]{
		Name:     "mean square over its prediction",
		Cells:    noiseCells,
		Regimes:  noiseRegimes,
		Measure:  measureNoise,
		Conclude: concludeNoise,
		Controls: []props.Control{
			{Name: "no preprocessing", Assumption: "preprocessed", Criterion: preprocessingGain, Claimed: "raw labels"},
			{Name: "noise of another size", Assumption: "noise", Criterion: withoutPreprocessing, Claimed: "no noise"},
			{Name: "linear part kept, E ∇f⋆ = 0.7", Assumption: "centred", Criterion: withoutPreprocessing,
				Claimed: "linear part"},
			{Name: "preprocessing by the population's α = β = 0", Criterion: withoutPreprocessing,
				Claimed: "all halved"},
			{Name: "Q = d(1+ς²), without what f⋆ adds", Criterion: withoutPreprocessing, Claimed: "no correlation"},
			{Name: "a third in place of a half", Criterion: preprocessingGain, Claimed: "third"},
			{Name: "two thirds in place of a half", Criterion: preprocessingGain, Claimed: "2/3"},
			{Name: "the limit for n → ∞", Criterion: fewSamples, Claimed: "limit"},
			{Name: "without the errors of α and β in the even part", Criterion: fewSamples, Claimed: "no even part"},
		},
		Replicates: 1,
		Coarse: map[string]string{preprocessingGain: "a mean over data sets of few dimensions",
			fewSamples:           "a mean over data sets of few dimensions and samples",
			withoutPreprocessing: "a mean over data sets whose labels have heavy tails"},
	}},
	Try: &props.Simulation{Run: tryConcentration, Draw: drawConcentration},
}.Claim()

const (
	preprocessingGain    = "E‖ĝ_n − g‖² less its multiple of E‖g_n − g‖², n = 24d"
	fewSamples           = "E‖ĝ_n − g‖² less its multiple of E‖g_n − g‖², n = 2d"
	withoutPreprocessing = "n E‖g_n − g‖² from raw labels, over its value"
)

// batch is a number of data sets for a target and a size of noise.
type batch struct {
	Setup    string
	D, Index int
}

var noiseRegimes = []string{"one direction", "one direction, noise", "four directions", "degree 3"}

func noiseSetup(name string) (target.Named, float64) {
	switch name {
	case "one direction, noise":
		return target.Isotropic(1), 1
	case "four directions":
		return target.Isotropic(4), 0
	case "degree 3":
		return target.Mixed(3), 0
	}
	return target.Isotropic(1), 0
}

func noiseCells(e props.Effort) []batch {
	var cells []batch
	for _, name := range noiseRegimes {
		for i := range (props.Scale{Quick: 216, Standard: 432, Deep: 3000}).At(e) {
			cells = append(cells, batch{name, 16, i})
		}
	}
	return cells
}

const (
	noiseBatch      = 8  // data sets in a draw
	noisePerD       = 24 // samples per dimension
	fewBatch        = 24 // data sets in a draw
	fewPerD         = 2  // samples per dimension, where terms of second order count as much as those of first
	noiseDirections = 8
	noiseCurves     = 40 // draws in which the figure's sizes and a linear part are sampled as well
)

// noiseRatios are n/d in the figure.
var noiseRatios = []int{2, 4, 8, 16, 32}

// gradientNoise are means of ‖g_n − g‖² over the data sets of a batch.
type gradientNoise struct {
	Raw, Preprocessed, Linear float64         // Linear: from raw labels, with a linear part where one is asked for
	Few                       *gradientNoise  // from few samples
	Curve                     []gradientNoise // by n/d, for the figure, in the first draws of the first regime
}

func measureNoise(t *props.Trial, b batch, _ string) gradientNoise {
	f, noise := noiseSetup(b.Setup)
	s := theory.Sampling{D: b.D, N: noisePerD * b.D, Noise: noise, Target: f.Terms}
	plain := b.Setup == noiseRegimes[0] && b.Index < noiseCurves
	mean := meanNoise(t.Rand, s, f, noiseBatch, plain)
	s.N = fewPerD * b.D
	few := meanNoise(t.Rand, s, f, fewBatch, false)
	mean.Few = &few
	if plain {
		for _, q := range noiseRatios {
			s.N = q * b.D
			mean.Curve = append(mean.Curve, meanNoise(t.Rand, s, f, 2, false))
		}
	}
	return mean
}

// meanNoise is the mean over so many data sets.
func meanNoise(r *rand.Rand, s theory.Sampling, f target.Named, sets int, withLinear bool) (mean gradientNoise) {
	for range sets {
		one := sampleNoise(r, s, f, withLinear)
		mean.Raw += one.Raw / float64(sets)
		mean.Preprocessed += one.Preprocessed / float64(sets)
		mean.Linear += one.Linear / float64(sets)
	}
	return mean
}

// sampleNoise draws one data set and some directions.
func sampleNoise(r *rand.Rand, s theory.Sampling, f target.Named, withLinear bool) gradientNoise {
	p := sampleNoisy(r, s.N, s.D, f, s.Noise)
	net := latent.Symmetric(r, 2*noiseDirections, s.D)
	raw := net.FirstGradient(p.X, p.Y)
	_, rest := latent.Preprocess(p.X, p.Y)
	preprocessed := net.FirstGradient(p.X, rest)
	linear := raw
	if withLinear {
		for i := range p.Y {
			p.Y[i] += 0.7 * p.X.At(i, 0)
		}
		linear = net.FirstGradient(p.X, p.Y)
	}
	var mean gradientNoise
	for j := range noiseDirections {
		w := net.W.RawRowView(j)
		floats.Scale(1/floats.Norm(w, 2), w)
		g := theory.Leading(f.Terms, net.A[j], w)
		floats.Add(g, theory.Remainder(f.Terms, net.A[j], w))
		// ∇L = −2a g, so that squares are four times those of g.
		mean.Raw += math.Pow(floats.Distance(raw.RawRowView(j), g, 2), 2) / (4 * noiseDirections)
		mean.Linear += math.Pow(floats.Distance(linear.RawRowView(j), g, 2), 2) / (4 * noiseDirections)
		mean.Preprocessed += math.Pow(floats.Distance(preprocessed.RawRowView(j), g, 2), 2) / (4 * noiseDirections)
	}
	return mean
}

func concludeNoise(r *props.Record, cells []batch, all []gradientNoise, claimed string) {
	for _, regime := range noiseRegimes {
		r.Regime(regime)
		f, noise := noiseSetup(regime)
		s := theory.Sampling{D: cells[0].D, N: noisePerD * cells[0].D, Noise: noise, Target: f.Terms}
		few := s
		few.N = fewPerD * few.D
		wantRaw, wantGain := claimedNoise(s, claimed)
		_, wantFew := claimedNoise(few, claimed)
		var raw, gain, gainOfFew []float64
		for i, m := range all {
			linear := claimed == "linear part" && regime == noiseRegimes[0]
			if cells[i].Setup != regime || linear && cells[i].Index >= noiseCurves {
				continue
			}
			switch {
			case linear:
				m.Raw = m.Linear
			case claimed == "raw labels":
				m.Preprocessed = m.Raw
			}
			raw = append(raw, m.Raw/wantRaw)
			gain = append(gain, 1+(m.Preprocessed/wantGain-m.Raw)/s.Raw())
			gainOfFew = append(gainOfFew, 1+(m.Few.Preprocessed/wantFew-m.Few.Raw)/few.Raw())
		}
		sd := noiseSD[regime]
		judgeRatio(r, withoutPreprocessing, raw, noiseMargin(sd.raw/math.Sqrt(noiseBatch), 1, len(raw)))
		judgeRatio(r, preprocessingGain, gain, noiseMargin(sd.gain/math.Sqrt(noiseBatch), 1, len(gain)))
		judgeRatio(r, fewSamples, gainOfFew, noiseMargin(sd.few/math.Sqrt(fewBatch), 2, len(gainOfFew)))
	}
	r.Figure(noiseFigure(cells, all))
}

// noiseFigure shows the mean square error over n/d, with and without preprocessing, and what is claimed of either.
func noiseFigure(cells []batch, all []gradientNoise) props.Figure {
	f, noise := noiseSetup(noiseRegimes[0])
	fig := props.Figure{
		ID: "deviation", Title: "Deviation of the first gradient from that of the population",
		Caption: fmt.Sprintf("E‖g_n − g‖² against n/d on logarithmic axes for one direction without noise at d = %d: "+
			"medians over pairs of data sets with confidence intervals, from raw labels and after preprocessing. The lines "+
			"are the exact means, below which medians of heavy tails lie.", cells[0].D),
		X: props.Axis{Label: "n/d", Log: true}, Y: props.Axis{Label: "E‖g_n − g‖²", Log: true},
	}
	curve := func(name string, of func(gradientNoise) float64, claimed func(theory.Sampling) float64) {
		points := props.Curve{Name: name, Style: props.Points}
		line := props.Curve{Name: name + ", claimed", Style: props.Dashed}
		for k, q := range noiseRatios {
			var draws []float64
			for _, m := range all {
				if len(m.Curve) > 0 {
					draws = append(draws, of(m.Curve[k]))
				}
			}
			iv := stat.Median(draws, stat.CriterionAlpha)
			points.X, points.Y = append(points.X, float64(q)), append(points.Y, iv.Estimate)
			points.Lo, points.Hi = append(points.Lo, iv.Lo), append(points.Hi, iv.Hi)
			d := cells[0].D
			line.X = append(line.X, float64(q))
			line.Y = append(line.Y, claimed(theory.Sampling{D: d, N: q * d, Noise: noise, Target: f.Terms}))
		}
		fig.Curves = append(fig.Curves, points, line)
	}
	curve("raw labels", func(m gradientNoise) float64 { return m.Raw }, theory.Sampling.Raw)
	curve("preprocessed", func(m gradientNoise) float64 { return m.Preprocessed }, theory.Sampling.Preprocessed)
	return fig
}

// claimedNoise is the mean square error from raw labels, and the quotient that preprocessing leaves of it.
func claimedNoise(s theory.Sampling, claimed string) (raw, gain float64) {
	if claimed == "no noise" {
		s.Noise = 0
	}
	n, d := float64(s.N), float64(s.D)
	raw, gain = s.Raw(), s.Preprocessed()/s.Raw()
	switch claimed {
	case "all halved":
		raw *= gain
	case "no correlation":
		raw = d * (1 + s.Noise*s.Noise) / (2 * n)
	case "third", "2/3":
		gain = map[string]float64{"third": 1. / 3, "2/3": 2. / 3}[claimed]
	case "limit":
		gain = s.Limit() / n / raw
	case "no even part": // about (d+2)Q₂/(4n²), beside Q₂/(2n) from raw labels
		gain -= (d + 2) / (2 * n)
	}
	return raw, gain
}

// noiseMargin is the equivalence margin for the median of draws of this scatter and skewness, of which a sixth of their
// product lies between median and mean.
func noiseMargin(sd, skewness float64, draws int) float64 {
	return stat.MedianMargin(stat.NormalTail, sd, draws, stat.CriterionAlpha, stat.CriterionUndecided) + sd*skewness/6
}

// noiseSD is the scatter of a batch at d = 16 times the root of its size, half of the distance of the 16th and the 84th
// percentile, measured once: of the error from raw labels, and of what preprocessing leaves of it less the claimed
// multiple, for n = 24d and n = 2d. There the tails are heavier, and medians lie below means by up to 0.055.
var noiseSD = map[string]struct{ raw, gain, few float64 }{"one direction": {0.37, 0.30, 0.69},
	"one direction, noise": {0.27, 0.26, 0.63}, "four directions": {0.29, 0.23, 0.72},
	"degree 3": {0.60, 0.39, 0.75}}

// judgeRatio states that the median of a quotient is 1.
func judgeRatio(r *props.Record, name string, draws []float64, margin float64) {
	r.Equals(name, stat.Median(draws, stat.CriterionAlpha), 1, margin)
}
