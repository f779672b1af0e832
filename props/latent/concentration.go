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
		},
		Replicates: 1,
		Coarse: map[string]string{preprocessingGain: "a mean over data sets of few dimensions",
			withoutPreprocessing: "a mean over data sets whose labels have heavy tails"},
	}},
	Try: &props.Simulation{Run: tryConcentration, Draw: drawConcentration},
}.Claim()

const (
	preprocessingGain    = "E‖ĝ_n − g‖² over E‖g_n − g‖², over its limit"
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
	noiseDirections = 8
	noiseCurves     = 40 // draws in which the figure's sizes are sampled as well
)

// noiseRatios are n/d in the figure.
var noiseRatios = []int{4, 8, 16, 32, 64}

// gradientNoise are means of ‖g_n − g‖² over the data sets of a batch.
type gradientNoise struct {
	Raw, Preprocessed, Linear float64         // Linear: from raw labels with a linear part
	Curve                     []gradientNoise // by n/d, for the figure, in the first draws of the first regime
}

func measureNoise(t *props.Trial, b batch, _ string) gradientNoise {
	f, noise := noiseSetup(b.Setup)
	s := theory.Sampling{D: b.D, N: noisePerD * b.D, Noise: noise, Target: f.Terms}
	mean := meanNoise(t.Rand, s, f, noise, noiseBatch)
	if b.Setup == noiseRegimes[0] && b.Index < noiseCurves {
		for _, q := range noiseRatios {
			s.N = q * b.D
			mean.Curve = append(mean.Curve, meanNoise(t.Rand, s, f, noise, 2))
		}
	}
	return mean
}

// meanNoise is the mean over so many data sets.
func meanNoise(r *rand.Rand, s theory.Sampling, f target.Named, noise float64, sets int) (mean gradientNoise) {
	for range sets {
		one := sampleNoise(r, s, f, noise)
		mean.Raw += one.Raw / float64(sets)
		mean.Preprocessed += one.Preprocessed / float64(sets)
		mean.Linear += one.Linear / float64(sets)
	}
	return mean
}

// sampleNoise draws one data set and some directions.
func sampleNoise(r *rand.Rand, s theory.Sampling, f target.Named, noise float64) gradientNoise {
	p := latent.Sample(r, s.N, s.D, f.Latent, f.At)
	for i := range p.Y {
		p.Y[i] += noise * float64(2*r.IntN(2)-1)
	}
	net := latent.Symmetric(r, 2*noiseDirections, s.D)
	raw := net.FirstGradient(p.X, p.Y)
	_, rest := latent.Preprocess(p.X, p.Y)
	preprocessed := net.FirstGradient(p.X, rest)
	for i := range p.Y {
		p.Y[i] += 0.7 * p.X.At(i, 0)
	}
	linear := net.FirstGradient(p.X, p.Y)
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
		s := theory.Sampling{Noise: noise, Target: f.Terms}
		var raw, gain []float64
		for i, m := range all {
			if cells[i].Setup == regime {
				s.D, s.N = cells[i].D, noisePerD*cells[i].D
				wantRaw, wantGain := claimedNoise(s, claimed)
				switch claimed {
				case "linear part":
					m.Raw = m.Linear
				case "raw labels":
					m.Preprocessed = m.Raw
				}
				raw, gain = append(raw, m.Raw/wantRaw), append(gain, m.Preprocessed/m.Raw/wantGain)
			}
		}
		judgeRatio(r, withoutPreprocessing, raw, noiseMargin(noiseSD[regime], s, len(raw)))
		judgeRatio(r, preprocessingGain, gain, noiseMargin(gainSD, s, len(gain))+secondOrder(s))
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
			"are Q/2 and Q/4 over n, less what is of lower order; they are for means, below which medians of heavy tails "+
			"lie, and the latter for n → ∞.", cells[0].D),
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
	raw, gain = s.Raw(), s.Preprocessed()/s.Raw()
	switch claimed {
	case "all halved":
		raw *= gain
	case "no correlation":
		raw = float64(s.D) * (1 + s.Noise*s.Noise) / (2 * float64(s.N))
	case "third", "2/3":
		gain = map[string]float64{"third": 1. / 3, "2/3": 2. / 3}[claimed]
	}
	return raw, gain
}

// noiseMargin is the equivalence margin for the median of draws of one batch each, where one data set scatters by sd at
// d = 16. A skewness of 1 of a draw lies between median and mean, and 2/d² is left out of E‖g‖².
func noiseMargin(sd float64, s theory.Sampling, draws int) float64 {
	sd *= math.Sqrt(16/float64(s.D)) / math.Sqrt(noiseBatch)
	return stat.MedianMargin(stat.NormalTail, sd, draws, stat.CriterionAlpha, stat.CriterionUndecided) + sd/6 +
		2/float64(s.D*s.D)
}

// secondOrder bounds what the limit for n → ∞ leaves out. The terms of relative order d/n cancel: those of the error of
// β in Σ̂β and in (1/n)Σ xxᵀ sign(w·x)·β are d/n each, and the correlation of the latter with the first order −2d/n.
// What remains are squares of d/n, and 1/n.
func secondOrder(s theory.Sampling) float64 {
	perSample := float64(s.D) / float64(s.N)
	return 4*perSample*perSample + 4/float64(s.N)
}

// noiseSD is the scatter of one data set at d = 16 from raw labels, gainSD that of the quotient; both measured once.
var noiseSD = map[string]float64{"one direction": 0.35, "one direction, noise": 0.27, "four directions": 0.262,
	"degree 3": 0.65}

const gainSD = 0.3

// judgeRatio states that the median of a quotient is 1.
func judgeRatio(r *props.Record, name string, draws []float64, margin float64) {
	r.Equals(name, stat.Median(draws, stat.CriterionAlpha), 1, margin)
}
