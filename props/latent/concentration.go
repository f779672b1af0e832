package latent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// concentration samples data sets, and compares the first gradient with the population gradient.
var concentration = props.Spec{
	Statement: &theory.Concentration,
	Checks: []props.Check{props.Grid[batch, []gradientNoise, noiseClaim]{
		Name:     "mean square over its prediction",
		Cells:    noiseCells,
		Regimes:  noiseRegimes,
		Measure:  measureNoise,
		Claim:    noiseClaim{raw: theory.Sampling.Raw, gain: gainOf},
		Conclude: concludeNoise,
		Controls: []props.WrongCell[batch, []gradientNoise, noiseClaim]{
			{Name: "no preprocessing", Assumption: "preprocessed", Criterion: preprocessingGain,
				Alter: func(_ batch, all *[]gradientNoise) {
					*all = slices.Clone(*all)
					for i, m := range *all {
						(*all)[i].Preprocessed = m.Raw
					}
				}},
			{Name: "noise of another size", Assumption: "noise", Criterion: withoutPreprocessing,
				Instead: noiseClaim{raw: func(s theory.Sampling) float64 {
					s.Noise = 0
					return s.Raw()
				}}},
			{Name: "linear part kept, E ∇f⋆ = 0.7", Assumption: "centred", Criterion: withoutPreprocessing,
				Alter: func(_ batch, all *[]gradientNoise) {
					*all = slices.Clone(*all)
					(*all)[0].Raw = (*all)[0].Linear
				}},
			{Name: "preprocessing by the population's α = β = 0", Criterion: withoutPreprocessing,
				Instead: noiseClaim{raw: func(s theory.Sampling) float64 { return s.Raw() * gainOf(s) }}},
			{Name: "Q = d(1+ς²), without what f⋆ adds", Criterion: withoutPreprocessing,
				Instead: noiseClaim{raw: func(s theory.Sampling) float64 {
					return float64(s.D) * (1 + s.Noise*s.Noise) / (2 * float64(s.N))
				}}},
			{Name: "a third in place of a half", Criterion: preprocessingGain,
				Instead: noiseClaim{gain: func(theory.Sampling) float64 { return 1. / 3 }}},
			{Name: "two thirds in place of a half", Criterion: preprocessingGain,
				Instead: noiseClaim{gain: func(theory.Sampling) float64 { return 2. / 3 }}},
			{Name: "the limit for n → ∞", Criterion: fewSamples,
				Instead: noiseClaim{gain: func(s theory.Sampling) float64 { return s.Limit() / float64(s.N) / s.Raw() }}},
			{Name: "without the errors of α and β in the even part", Criterion: fewSamples, Claim: func(c *noiseClaim) {
				// About (d+2)Q₂/(4n²), against Q₂/(2n) from raw labels.
				c.gain = func(s theory.Sampling) float64 { return gainOf(s) - float64(s.D+2)/float64(2*s.N) }
			}},
		},
		Replicates: 1,
		Coarse: map[string]string{preprocessingGain: "a mean over data sets of few dimensions",
			fewSamples:           "a mean over data sets of few dimensions and samples",
			withoutPreprocessing: "a mean over data sets whose labels have heavy tails"},
	}},
	Try: &props.Simulation{Run: tryConcentration,
		Over: &props.Along{Param: "n", Y: "mean squared error of the first gradient"}},
}.Claim()

const (
	preprocessingGain    = "E‖ĝ_n − g‖² less its multiple of E‖g_n − g‖², n = 24d"
	fewSamples           = "E‖ĝ_n − g‖² less its multiple of E‖g_n − g‖², n = 2d"
	withoutPreprocessing = "n E‖g_n − g‖² from raw labels, over its value"
)

// batch identifies a draw of data sets in D dimensions. The regimes share its inputs, which is allowed because they are
// judged separately.
type batch struct{ D, Index int }

func batches(d, count int) []batch {
	return list.Fill(count, func(i int) batch { return batch{d, i} })
}

var noiseRegimes = []string{"one direction", "one direction, noise", "four directions", "degree 3"}

// setup is a target and the size of the noise on its labels.
type setup struct {
	F     target.Named
	Noise float64
}

// noiseSetups holds the setups of the regimes.
var noiseSetups = []setup{{target.Isotropic(1), 0}, {target.Isotropic(1), 1}, {target.Isotropic(4), 0},
	{target.Mixed(3), 0}}

// of returns the closed forms' parameters for n samples in d dimensions.
func (u setup) of(d, n int) theory.Sampling {
	return theory.Sampling{D: d, N: n, Noise: u.Noise, Target: u.F.Terms}
}

// inputs draws n standard normal points in d dimensions, as rows.
func inputs(r *rand.Rand, n, d int) *mat.Dense {
	return latent.Sample(r, n, d, 0, func([]float64) float64 { return 0 }).X
}

// labels returns the labels of the setup at the rows of x.
func (u setup) labels(r *rand.Rand, x *mat.Dense) []float64 {
	n, _ := x.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = u.F.At(x.RawRowView(i)[:u.F.Latent])
		if u.Noise > 0 {
			y[i] += u.Noise * float64(2*r.IntN(2)-1)
		}
	}
	return y
}

func noiseCells(e props.Effort) []batch {
	return batches(16, props.Scale{Quick: 320, Standard: 432, Deep: 3000}.At(e))
}

const (
	noiseBatch      = 8  // data sets in a draw
	noisePerD       = 24 // samples per dimension
	fewBatch        = 24 // data sets in a draw
	fewPerD         = 2  // samples per dimension; here second-order terms matter as much as first-order ones
	noiseDirections = 8
	noiseCurves     = 40 // draws in which the figure's sizes and a linear part are sampled as well
)

// noiseRatios holds the values of n/d in the figure.
var noiseRatios = []int{2, 4, 8, 16, 32}

// gradientNoise holds means of ‖g_n − g‖² over the data sets of a batch.
type gradientNoise struct {
	Raw, Preprocessed, Linear float64         // Linear: from raw labels with a linear part, 0 if not measured
	Few                       *gradientNoise  // from few samples
	Curve                     []gradientNoise // by n/d, for the figure; only in the first draws of the first regime
}

func measureNoise(t *props.Trial, b batch) []gradientNoise {
	plain := b.Index < noiseCurves
	out := meanNoise(t.Rand, noisePerD*b.D, b.D, noiseSetups, noiseBatch, plain)
	few := meanNoise(t.Rand, fewPerD*b.D, b.D, noiseSetups, fewBatch, false)
	for i := range out {
		out[i].Few = &few[i]
	}
	if plain {
		for _, q := range noiseRatios {
			out[0].Curve = append(out[0].Curve, meanNoise(t.Rand, q*b.D, b.D, noiseSetups[:1], 2, false)[0])
		}
	}
	return out
}

// meanNoise returns the means over the given number of data sets, for each setup.
func meanNoise(r *rand.Rand, n, d int, setups []setup, sets int, withLinear bool) []gradientNoise {
	out := make([]gradientNoise, len(setups))
	for range sets {
		for i, one := range sampleNoise(r, n, d, setups, withLinear) {
			out[i].Raw += one.Raw / float64(sets)
			out[i].Preprocessed += one.Preprocessed / float64(sets)
			out[i].Linear += one.Linear / float64(sets)
		}
	}
	return out
}

// sampleNoise draws one set of inputs, labels for each setup, and some directions. Only labels of the first setup get a
// linear part.
func sampleNoise(r *rand.Rand, n, d int, setups []setup, withLinear bool) []gradientNoise {
	x := inputs(r, n, d)
	net := latent.Symmetric(r, 2*noiseDirections, d)
	var all [][]float64
	for _, u := range setups {
		raw := u.labels(r, x)
		_, rest := latent.Preprocess(x, raw)
		all = append(all, raw, rest)
	}
	if withLinear {
		linear := slices.Clone(all[0])
		for i := range linear {
			linear[i] += 0.7 * x.At(i, 0)
		}
		all = append(all, linear)
	}
	gradients, out := net.FirstGradients(x, all...), make([]gradientNoise, len(setups))
	for i, u := range setups {
		g := u.gradients(net)
		out[i].Raw, out[i].Preprocessed = meanDistance(gradients[2*i], g), meanDistance(gradients[2*i+1], g)
		if withLinear && i == 0 {
			out[i].Linear = meanDistance(gradients[len(all)-1], g)
		}
	}
	return out
}

// gradients returns the population gradients of the first half of the neurons, with weights scaled to length 1.
func (u setup) gradients(net latent.Network) [][]float64 {
	var out [][]float64
	for j := range noiseDirections {
		w := slices.Clone(net.W.RawRowView(j))
		floats.Scale(1/floats.Norm(w, 2), w)
		g := theory.Leading(u.F.Terms, net.A[j], w)
		floats.Add(g, theory.Remainder(u.F.Terms, net.A[j], w))
		out = append(out, g)
	}
	return out
}

// meanDistance returns the mean of ‖g_n − g‖² over the directions. Since ∇L = −2a g, the squares of the rows are four
// times those of g.
func meanDistance(rows *mat.Dense, want [][]float64) float64 {
	sum := 0.0
	for j, g := range want {
		sum += math.Pow(floats.Distance(rows.RawRowView(j), g, 2), 2) / float64(4*len(want))
	}
	return sum
}

func concludeNoise(r *props.Record, cells []batch, all [][]gradientNoise, claim noiseClaim) {
	for u, regime := range noiseRegimes {
		r.Regime(regime)
		d := cells[0].D
		s, few := noiseSetups[u].of(d, noisePerD*d), noiseSetups[u].of(d, fewPerD*d)
		wantRaw, wantGain, wantFew := claim.raw(s), claim.gain(s), claim.gain(few)
		var raw, gain, gainOfFew []float64
		for _, draw := range all {
			m := draw[u]
			if m.Raw == 0 { // not measured
				continue
			}
			raw = append(raw, m.Raw/wantRaw)
			gain = append(gain, 1+(m.Preprocessed/wantGain-m.Raw)/s.Raw())
			gainOfFew = append(gainOfFew, 1+(m.Few.Preprocessed/wantFew-m.Few.Raw)/few.Raw())
		}
		sd := noiseSD[regime]
		judgeRatio(r, withoutPreprocessing, raw, noiseMargin(sd.raw/math.Sqrt(noiseBatch), sd.skewness, len(raw)))
		judgeRatio(r, preprocessingGain, gain, noiseMargin(sd.gain/math.Sqrt(noiseBatch), 1, len(gain)))
		judgeRatio(r, fewSamples, gainOfFew, noiseMargin(sd.few/math.Sqrt(fewBatch), 2, len(gainOfFew)))
	}
	r.Draw(func() props.Figure { return noiseFigure(cells, all) })
}

// noiseFigure plots the measured and the claimed mean square error against n/d, with and without preprocessing.
func noiseFigure(cells []batch, all [][]gradientNoise) props.Figure {
	fig := props.Figure{
		ID: "deviation", Title: "Deviation of the first gradient from that of the population",
		Caption: fmt.Sprintf("E‖g_n − g‖² against n/d on logarithmic axes for one direction without noise at d = %d: "+
			"medians over pairs of data sets with confidence intervals, from raw labels and after preprocessing. The lines "+
			"are the exact means; medians of heavy tails lie below them.", cells[0].D),
		X: props.Axis{Label: "n/d", Log: true}, Y: props.Axis{Label: "E‖g_n − g‖²", Log: true},
	}
	curve := func(name string, of func(gradientNoise) float64, claimed func(theory.Sampling) float64) {
		points := props.Curve{Name: name, Style: props.Points}
		line := props.Curve{Name: name + ", claimed", Style: props.Dashed}
		for k, q := range noiseRatios {
			var draws []float64
			for _, m := range all {
				if len(m[0].Curve) > 0 {
					draws = append(draws, of(m[0].Curve[k]))
				}
			}
			iv := stat.Median(draws, stat.CriterionAlpha)
			points.AddInterval(float64(q), iv.Estimate, iv.Lo, iv.Hi)
			d := cells[0].D
			line.Add(float64(q), claimed(noiseSetups[0].of(d, q*d)))
		}
		fig.Curves = append(fig.Curves, points, line)
	}
	curve("raw labels", func(m gradientNoise) float64 { return m.Raw }, theory.Sampling.Raw)
	curve("preprocessed", func(m gradientNoise) float64 { return m.Preprocessed }, theory.Sampling.Preprocessed)
	return fig
}

// noiseClaim holds the claimed mean square error from raw labels, and the share of it that preprocessing leaves.
type noiseClaim struct{ raw, gain func(theory.Sampling) float64 }

// gainOf returns the share of the mean square error that preprocessing leaves.
func gainOf(s theory.Sampling) float64 { return s.Preprocessed() / s.Raw() }

// noiseMargin returns the equivalence margin for the median of draws with this standard deviation and skewness. The
// median lies below the mean by a sixth of their product.
func noiseMargin(sd, skewness float64, draws int) float64 {
	return stat.MedianMargin(stat.NormalTail, sd, draws, stat.CriterionAlpha, stat.CriterionUndecided) + sd*skewness/6
}

// noiseSD holds standard deviations of a batch at d = 16 times the root of its size, measured once as half of the
// distance between the 16th and the 84th percentile: of the error from raw labels, and of the error after preprocessing
// less its claimed multiple, for n = 24d and n = 2d. At n = 2d the tails are heavier, and medians lie below means by up
// to 0.055. The skewness is that of the raw error of a batch: for degree 3, whose labels have the heaviest tails, 3000
// batches have a median of 1 - 0.034(4), which means a skewness of 0.97(11) at this scatter.
var noiseSD = map[string]struct{ raw, gain, few, skewness float64 }{"one direction": {0.37, 0.30, 0.69, 1},
	"one direction, noise": {0.27, 0.26, 0.63, 1}, "four directions": {0.29, 0.23, 0.72, 1},
	"degree 3": {0.60, 0.39, 0.75, 1.3}}

// judgeRatio claims that the median of a ratio is 1.
func judgeRatio(r *props.Record, name string, draws []float64, margin float64) {
	r.Equals(name, stat.Median(draws, stat.CriterionAlpha), 1, margin)
}

func tryConcentration(t *props.Trial, v statement.Values) (map[string]float64, error) {
	size := v.Float("n") * v.Float("d")
	t.Need(size <= 1e7, "n·d = %g numbers are more than can be sampled here; take at most 10⁷", size)
	f, err := target.Simulated(v.Int("r"))
	t.Refuse(err)
	m := sampleNoise(t.Rand, v.Int("n"), v.Int("d"), []setup{{f, v.Float("noise")}}, false)[0]
	return map[string]float64{"raw": m.Raw, "preprocessed": m.Preprocessed}, nil
}
