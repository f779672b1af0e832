package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/smoothing"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// jump smooths noisy steps and sines, and fits steps to them.
var jump = props.Spec{
	Statement: &theory.Jump,
	Checks: []props.Check{props.Grid[int, smoothed, jumpClaim]{
		Name:     "errors by size",
		Cells:    runs(144, 432),
		Measure:  func(t *props.Trial, index int) smoothed { return measureJump(t, index, jumpNoise) },
		Claim:    jumpClaim{limit: theory.Smoother.StepLimit, fitted: -1, low: -0.8, high: -0.75, places: jumpPlaces},
		Conclude: concludeJump,
		Controls: []props.WrongCell[int, smoothed, jumpClaim]{
			{Name: "smooth function", Assumption: "jump", Criterion: jumpStep,
				Alter: func(_ int, m *smoothed) { m.Expected[0] = m.Expected[1] }},
			{Name: "noise of twice the size", Assumption: "noise", Criterion: jumpStep, // far off
				Measure: func(t *props.Trial, index int) smoothed { return measureJump(t, index, 2*jumpNoise) },
				On:      props.First(48)},
			{Name: "variance of whole windows and no bias of those at the ends", Criterion: jumpSine,
				Alter: func(_ int, m *smoothed) { m.Expected[1] = m.Whole }},
			{Name: "σ/√n", Criterion: "expected error for the step",
				Instead: jumpClaim{limit: func(s theory.Smoother) float64 { return s.StepLimit() * math.Sqrt(3) }}},
			{Name: "σ²/n", Criterion: "expected error for the step",
				Instead: jumpClaim{limit: func(s theory.Smoother) float64 { return 3 * math.Pow(s.StepLimit(), 2) }}},
			{Name: "no faster than running means", Criterion: "exponent of the fitted step", Instead: jumpClaim{fitted: -0.5}},
			{Name: "−3/4 at these sizes", Criterion: "exponent for the sine, at least",
				Claim: func(c *jumpClaim) { c.low = c.high }},
			{Name: "−4/5 at these sizes", Criterion: "exponent for the sine, at most",
				Claim: func(c *jumpClaim) { c.high = c.low }},
			// At such phases the bias of windows that are cut off has the same order as the bias of whole ones.
			{Name: "a sine that is flat at both ends", Criterion: "exponent for the sine, at least",
				Instead: jumpClaim{places: []float64{0.25}}},
			{Name: "a function that is a step", Criterion: "fitted step for the sine",
				Alter: func(_ int, m *smoothed) { m.Floor = m.Errors[1] }},
		},
		Replicates: 1,
		Coarse: map[string]string{
			"expected error for the step":     "a limit, at sizes up to 4096",
			"exponent for the sine, at least": "a bound that is attained for n → ∞ only",
			"exponent for the sine, at most":  "a bound that is attained for n → ∞ only",
			"fitted step for the sine":        "a bound that holds for all t",
		},
	}},
	Try: &props.Simulation{Run: tryJump},
}.Claim()

const (
	jumpStep  = "running means for the step, over their expectation"
	jumpSine  = "running means for the sine, over their expectation"
	jumpNoise = 0.3
	jumpSets  = 12 // data sets in a draw
	designs   = 12 // draws in which expected errors are also measured
	// the same at quick effort; each of them smooths 2n vectors at every size n
	quickDesigns = 4
	oracles      = 34 // draws in which an oracle also chooses windows
)

var jumpSizes = []int{64, 256, 1024}

// jumpCases lists the pairs of a method and a function.
var jumpCases = []string{"running means, step", "fitted step, step", "running means, sine", "fitted step, sine"}

// smoothed holds means over the data sets of a draw, by size.
type smoothed struct {
	Errors   [4][]float64 // by case
	Fitted   []float64    // of the fitted step for the step, with the expected errors of both means in place of theirs
	Oracle   [2][]float64 // of running means with the best window for the data set; in the first draws only
	Floor    []float64    // the smallest error of the fitted step for the sine
	Mean     [2][]float64 // of running means, averaged exactly over the noise; in the first draws only, for one truth
	Expected [2][]float64 // of running means for that truth, as claimed
	Whole    []float64    // of running means for the sine, as if all windows were whole
}

// measureJump smooths data sets with noise of the given size. All sizes of a set share the noise around the jump, so
// that the fitted step is off by the same number of samples.
func measureJump(t *props.Trial, index int, noise float64) smoothed {
	out := smoothed{Floor: make([]float64, len(jumpSizes)), Fitted: make([]float64, len(jumpSizes))}
	for f := range out.Errors {
		out.Errors[f] = make([]float64, len(jumpSizes))
	}
	for k := range out.Floor {
		out.Floor[k] = math.Inf(1)
	}
	largest := slices.Max(jumpSizes)
	for range jumpSets {
		at := 0.2 + 0.6*t.Rand.Float64()
		around := noisy(t.Rand, make([]float64, 2*largest), noise)
		for k, n := range jumpSizes {
			jump := int(math.Floor(at * float64(n)))
			out.addSet(k, at, around[largest-jump:largest-jump+n], index < oracles)
		}
	}
	if index < quickDesigns || index < designs && t.Effort != props.Quick {
		at := 0.2 + 0.6*t.Rand.Float64()
		for _, n := range jumpSizes {
			out.addExpected(theory.Smoother{N: n, Noise: jumpNoise}, at, noise)
		}
	}
	return out
}

// addSet adds the errors for a step and for a sine with the noise of one data set, at one size.
func (m *smoothed) addSet(k int, at float64, noise []float64, oracular bool) {
	n, s := len(noise), theory.Smoother{N: len(noise), Noise: jumpNoise}
	for f, step := range []bool{true, false} {
		truth := jumpTruth(n, at, step)
		y := slices.Clone(truth)
		floats.Add(y, noise)
		fitted := meanSquare(smoothing.Step(y), truth)
		m.Errors[2*f][k] += meanSquare(smoothing.Box(y, s.Reach(step)), truth) / jumpSets
		m.Errors[2*f+1][k] += fitted / jumpSets
		if oracular {
			if len(m.Oracle[f]) == k {
				m.Oracle[f] = append(m.Oracle[f], 0)
			}
			m.Oracle[f][k] += oracle(y, truth) / jumpSets
		}
		if !step {
			m.Floor[k] = min(m.Floor[k], fitted)
			continue
		}
		// The means on both sides of the jump have errors of σ²/n each, in expectation.
		jump := n - int(floats.Sum(truth))
		left, right := floats.Sum(noise[:jump]), floats.Sum(noise[jump:])
		means := (left*left/float64(jump) + right*right/float64(n-jump)) / float64(n)
		m.Fitted[k] += (fitted - means + 2*jumpNoise*jumpNoise/float64(n)) / jumpSets
	}
}

// addExpected adds the mean error of running means over noise of the given size, and its claimed value.
func (m *smoothed) addExpected(s theory.Smoother, at, noise float64) {
	for f, step := range []bool{true, false} {
		truth := jumpTruth(s.N, at, step)
		reach := s.Reach(step)
		m.Mean[f] = append(m.Mean[f], meanOverNoise(truth, reach, noise))
		m.Expected[f] = append(m.Expected[f], s.Error(truth, reach))
		if !step {
			m.Whole = append(m.Whole, wholeWindows(s, truth, reach))
		}
	}
}

// meanOverNoise returns the mean error of running means over the noise. The error is a quadratic polynomial in the
// noise, so its mean equals the mean over the 2n vectors ±σ√n e, which have the same first and second moments.
func meanOverNoise(truth []float64, reach int, noise float64) float64 {
	n, sum := len(truth), 0.0
	y := slices.Clone(truth)
	for i := range n {
		for _, sign := range []float64{-1, 1} {
			y[i] = truth[i] + sign*noise*math.Sqrt(float64(n))
			sum += meanSquare(smoothing.Box(y, reach), truth) / float64(2*n)
		}
		y[i] = truth[i]
	}
	return sum
}

func jumpTruth(n int, at float64, step bool) []float64 {
	truth := make([]float64, n)
	for i := range truth {
		x := float64(i+1) / float64(n)
		switch {
		case !step:
			truth[i] = math.Sin(2 * math.Pi * (x - at))
		case x > at:
			truth[i] = 1
		}
	}
	return truth
}

func noisy(r *rand.Rand, truth []float64, noise float64) []float64 {
	return list.Map(truth, func(f float64) float64 { return f + noise*r.NormFloat64() })
}

// oracle returns the error of running means with the best window for these values.
func oracle(y, truth []float64) float64 {
	best := math.Inf(1)
	for reach := 0; reach < len(y)/2; reach += 1 + reach/2 {
		best = min(best, meanSquare(smoothing.Box(y, reach), truth))
	}
	return best
}

// wholeWindows returns the expected error for the sine as if it continued beyond the ends: the mean over a window is
// then the sine times sin(πw/n)/(w sin(π/n)).
func wholeWindows(s theory.Smoother, truth []float64, reach int) float64 {
	n, w := float64(s.N), float64(2*reach+1)
	bias := 1 - math.Sin(math.Pi*w/n)/(w*math.Sin(math.Pi/n))
	return bias*bias*meanSquare(truth, make([]float64, s.N)) + s.Noise*s.Noise/w
}

func meanSquare(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum / float64(len(a))
}

// slopeSD is the standard deviation of the exponent of the fitted step, as far as the middle of its distribution shows
// it: 70 % of 216 draws were between −1.033 and −0.982, as if it were 0.025. The tails are heavier, but a median does
// not depend on them.
const slopeSD = 0.03

// jumpPlaces holds the places of a jump, or phases of a sine, over which expected errors are averaged.
var jumpPlaces = []float64{0.2375, 0.3125, 0.3875, 0.4625, 0.5375, 0.6125, 0.6875, 0.7625}

// jumpClaim holds the claimed limit of the expected error for a step, the exponent of the fitted step, and the bounds
// between which the exponent of the error for a sine lies, averaged over these places.
type jumpClaim struct {
	limit             func(theory.Smoother) float64
	fitted, low, high float64
	places            []float64
}

func concludeJump(r *props.Record, _ []int, all []smoothed, claim jumpClaim) {
	for f, name := range []string{jumpStep, jumpSine} {
		for _, m := range all {
			for k, want := range m.Expected[f] {
				// A prefix sum errs by nu times the sum of all samples, and the root of the error by twice that.
				n := float64(jumpSizes[k])
				r.Within(name, m.Mean[f][k]/want, 1, 8*n*r.Unit()*(n+jumpNoise*math.Sqrt(n))/math.Sqrt(want))
			}
		}
	}
	judgeFormula(r, claim)
	judgeFitted(r, all, claim.fitted)
	for f, name := range []string{"step", "sine"} {
		var sweeps [][]float64
		for _, m := range all {
			if len(m.Oracle[f]) > 0 {
				sweeps = append(sweeps, logs(m.Oracle[f]))
			}
		}
		if len(sweeps) > 0 {
			r.Measured("exponent with the window of an oracle, "+name, stat.MedianSlope(logs(jumpSizes), sweeps,
				stat.CriterionAlpha), []float64{-0.5, -0.8}[f])
		}
	}
	r.Draw(func() props.Figure { return jumpFigure(all) })
}

// judgeFormula compares the expected error at the best window, averaged over places of the jump, with its limit for the
// step and with its exponents for the sine.
func judgeFormula(r *props.Record, claim jumpClaim) {
	var sizes, sines []float64
	for n := 64; n <= 4096; n *= 4 {
		s, step, sine := theory.Smoother{N: n, Noise: jumpNoise}, 0.0, 0.0
		for _, at := range claim.places {
			step += s.BestError(jumpTruth(n, at, true)) / float64(len(claim.places))
			sine += s.BestError(jumpTruth(n, at, false)) / float64(len(claim.places))
		}
		r.Within("expected error for the step", step/claim.limit(s), 1, s.StepExcess())
		sizes, sines = append(sizes, float64(n)), append(sines, sine)
	}
	x, y := logs(sizes), logs(sines)
	for i := 1; i < len(x); i++ {
		slope := (y[i] - y[i-1]) / (x[i] - x[i-1])
		r.AtLeast("exponent for the sine, at least", slope, claim.low, 1e-3)
		r.AtMost("exponent for the sine, at most", slope, claim.high, 1e-3)
	}
}

// judgeFitted judges the exponent of the fitted step, and its smallest error for the sine.
func judgeFitted(r *props.Record, all []smoothed, want float64) {
	var sweeps [][]float64
	for _, m := range all {
		sweeps = append(sweeps, logs(m.Fitted))
		for k, n := range jumpSizes {
			r.AtLeast("fitted step for the sine", m.Floor[k], theory.Smoother{N: n}.SineFloor(), float64(n)*r.Unit())
		}
	}
	x := logs(jumpSizes)
	margin := 0.01 + stat.MedianMargin(stat.NormalTail, slopeSD, len(sweeps), stat.CriterionAlpha, stat.CriterionUndecided)
	iv := stat.MedianSlope(x, sweeps, stat.CriterionAlpha)
	r.Measured("exponent of the fitted step", iv, want)
	r.HasExponent("exponent of the fitted step", iv, want, margin)
}

func logs[T int | float64](x []T) []float64 {
	return list.Map(x, func(v T) float64 { return math.Log(float64(v)) })
}

func jumpFigure(all []smoothed) props.Figure {
	fig := props.Figure{
		ID: "jump", Title: "Errors for a noisy step and a noisy sine",
		Caption: "Mean squared error against the number of samples on logarithmic axes, noise 0.3: running means with " +
			"about the best window, and the best-fitting step. For a function with a jump running means are the slower " +
			"ones; for a sine the step does not converge.",
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "mean squared error", Log: true},
	}
	for i, name := range jumpCases {
		c := props.Curve{Name: name, Style: props.Points}
		for k, n := range jumpSizes {
			draws := list.Map(all, func(m smoothed) float64 { return m.Errors[i][k] })
			iv := stat.Median(draws, stat.CriterionAlpha)
			c.AddInterval(float64(n), iv.Estimate, iv.Lo, iv.Hi)
		}
		fig.Curves = append(fig.Curves, c)
	}
	return fig
}

func tryJump(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := theory.Smoother{N: v.Int("n"), Noise: v.Float("noise")}
	at := 0.2 + 0.6*t.Rand.Float64()
	step, sine := jumpTruth(s.N, at, true), jumpTruth(s.N, at, false)
	return map[string]float64{
		"smoother": meanSquare(smoothing.Box(noisy(t.Rand, step, s.Noise), s.Reach(true)), step),
		"sine":     meanSquare(smoothing.Step(noisy(t.Rand, sine, s.Noise)), sine),
	}, nil
}
