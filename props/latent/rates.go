package latent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// rates runs Algorithm 1 at several sizes.
var rates = props.Spec{
	Statement: &theory.Rates,
	Checks: []props.Check{props.Grid[int, ratesRun, ratesClaim]{
		Name:    "errors by samples, dimension, width and noise",
		Cells:   runs(176, 216),
		Measure: measureRates,
		Claim: ratesClaim{right: theory.Sizes{D: ratesDims[1], N: 2 * ratesDims[1] * ratesDims[1], M: wide}.RightSide(),
			small:    theory.Sizes{D: ratesDims[0], N: 2 * ratesDims[0] * ratesDims[0], M: wide}.RightSide(),
			absolute: func(e ratesRun) float64 { return e.Absolute }},
		Conclude: concludeRates,
		Controls: []props.WrongCell[int, ratesRun, ratesClaim]{
			{Name: "n ∝ d³ keeps the error", Assumption: "samples", Criterion: alongLinear,
				Alter: func(_ int, e *ratesRun) { e.Linear, e.Cubic = e.Cubic, e.Linear }},
			{Name: "n ∝ d keeps the error", Criterion: alongCubic,
				Alter: func(_ int, e *ratesRun) { e.Linear, e.Cubic = e.Cubic, e.Linear }},
			{Name: "first layer as drawn", Assumption: "step", Criterion: "absolute error",
				Instead: ratesClaim{absolute: func(e ratesRun) float64 { return e.Plain }}},
			{Name: "half of the right side", Criterion: "absolute error", Claim: func(c *ratesClaim) { c.right /= 2 }},
			{Name: "a third of the right side, d = 10", Criterion: smallAbsolute, Claim: func(c *ratesClaim) { c.small /= 3 }},
			{Name: "wide over narrow, the other way", Criterion: "quotient of the widths",
				Alter: func(_ int, e *ratesRun) { e.Large, e.Narrow = e.Narrow, e.Large }},
			{Name: "noise over none, the other way", Criterion: "error with noise over that without",
				Alter: func(_ int, e *ratesRun) { e.Large, e.Noisy = e.Noisy, e.Large }},
		},
		Replicates: 1,
		Chosen: map[string][]string{"sizes and the 2 % of an effect": {alongLinear, alongCubic, "quotient of the widths",
			"error with noise over that without", "absolute error", smallAbsolute}},
	}},
	Try: &props.Simulation{Run: tryRates,
		Over: &props.Along{Param: "n", Of: []string{"square"}, Points: "Algorithm 1", Y: "squared error", Places: 6}},
}.Claim()

const (
	narrow, wide  = 20, 100
	smallAbsolute = "absolute error, d = 10"
	alongLinear   = "error at n = 20d, d = 24 over d = 10"
	alongCubic    = "error at n = d³/5, d = 24 over d = 10"
)

// ratesDims holds the dimensions that are compared. At the smaller one 20d, 2d² and d³/5 are the same number.
var ratesDims = []int{10, 24}

// sizesRuns is the number of runs that compare dimensions and widths at quick effort: of 400 runs at most 11 lay on the
// other side of a bound there, but 22 for noise, which needs more runs.
const sizesRuns = 96

// smallRuns is the number of runs that are averaged if there are few samples, because errors scatter most then.
const smallRuns = 3

// ratesPerSquare holds the values of n/d² in the figure.
var ratesPerSquare = []float64{0.5, 1, 2, 4}

// ratesRun holds errors for n = 2d² at both dimensions; at the larger one also for n = 20d and d³/5, for a narrow
// network, with noise, and in absolute value; in the first runs also without the step, and by n/d².
type ratesRun struct {
	Small, Large, Linear, Cubic, Narrow, Noisy, Absolute float64
	SmallAbsolute                                        float64
	Plain                                                float64
	Curves                                               [][]float64 // by dimension and n/d²
}

func measureRates(t *props.Trial, index int) ratesRun {
	small, large := ratesDims[0], ratesDims[1]
	error := func(d, n int) float64 {
		e, _ := ratesProblem(t.Rand, d, n, 0).errors(t.Rand, wide, "")
		return e
	}
	var r ratesRun
	sizes, averaged, first := t.Effort != props.Quick || index < sizesRuns, 0, 0.0
	if sizes {
		r.Cubic, averaged = error(large, large*large*large/5), smallRuns
	}
	for k := range averaged {
		one, absolute := ratesProblem(t.Rand, small, 2*small*small, 0).errors(t.Rand, wide, "")
		if k == 0 {
			first = one
		}
		r.Small += one / smallRuns
		r.SmallAbsolute += absolute / smallRuns
		r.Linear += error(large, 20*large) / smallRuns
	}
	p := ratesProblem(t.Rand, large, 2*large*large, 0)
	r.Large, r.Absolute = p.errors(t.Rand, wide, "")
	if sizes {
		r.Narrow, _ = p.errors(t.Rand, narrow, "")
	}
	if index < plainRuns {
		_, r.Plain = p.errors(t.Rand, wide, "no step")
		for _, d := range ratesDims {
			var curve []float64
			for _, q := range ratesPerSquare {
				switch {
				case q == 2: // measured already
					curve = append(curve, map[int]float64{small: first, large: r.Large}[d])
				default:
					curve = append(curve, error(d, int(q*float64(d*d))))
				}
			}
			r.Curves = append(r.Curves, curve)
		}
	}
	p.disturb(t.Rand, 1)
	r.Noisy, _ = p.errors(t.Rand, wide, "")
	return r
}

func ratesProblem(r *rand.Rand, d, n int, noise float64) problem {
	p := newProblem(r, target.Mixed(3), n, d, 500).finely(r)
	p.disturb(r, noise)
	return p
}

// disturb adds noise ±ς to the labels.
func (p problem) disturb(r *rand.Rand, noise float64) {
	for i := range p.Train.Y {
		p.Train.Y[i] += noise * float64(2*r.IntN(2)-1)
	}
}

// errors runs Algorithm 1 and returns its mean squared and mean absolute error.
func (p problem) errors(r *rand.Rand, m int, variant string) (square, absolute float64) {
	net, linear, rest := p.step(r, m, variant)
	fitted := must.Get(latent.Head(net, linear, p.Train.X, rest, penalties, p.Validation))
	out := fitted.Output(p.Test.X)
	return p.Test.Square(out), p.Test.Absolute(out)
}

// ratesClaim holds the right side at the larger dimension, and selects the mean absolute errors that are claimed to lie
// below it; in runs without one it is zero.
type ratesClaim struct {
	right    float64
	small    float64 // at the smaller dimension
	absolute func(ratesRun) float64
}

func concludeRates(r *props.Record, _ []int, all []ratesRun, claim ratesClaim) {
	column := func(of func(ratesRun) float64) (out []float64) {
		for _, run := range all {
			if value := of(run); value > 0 && !math.IsInf(value, 0) { // zero means not measured
				out = append(out, value)
			}
		}
		return out
	}
	linear := column(func(e ratesRun) float64 { return e.Linear / e.Small })
	cubic := column(func(e ratesRun) float64 { return e.Cubic / e.Small })
	absolute := column(claim.absolute)
	widths := column(func(e ratesRun) float64 { return e.Large / e.Narrow })
	noise := column(func(e ratesRun) float64 { return e.Noisy / e.Large })
	bound := claim.right
	median := func(draws []float64) stat.Interval { return stat.Median(draws, stat.CriterionAlpha) }
	r.Measured("error at n = 2d², d = 24 over d = 10", median(column(func(e ratesRun) float64 {
		return e.Large / e.Small
	})), 1)
	r.MeasuredAbove(alongLinear, median(linear), 1)
	r.MeasuredBelow(alongCubic, median(cubic), 1)
	r.MeasuredBelow("median of E|f−f⋆| at d = 10", median(column(func(e ratesRun) float64 {
		return e.SmallAbsolute
	})), claim.small)
	r.MeasuredBelow("median of E|f−f⋆|", median(absolute), bound)
	r.MeasuredBelow("error of the wide network over that of the narrow one", median(widths), 1)
	r.MeasuredAbove("error with noise over that without", median(noise), 1)
	above(r, alongLinear, linear, 1)
	below(r, alongCubic, cubic, 1)
	below(r, "absolute error", absolute, bound)
	below(r, smallAbsolute, column(func(e ratesRun) float64 { return e.SmallAbsolute }), claim.small)
	below(r, "quotient of the widths", widths, 1)
	above(r, "error with noise over that without", noise, 1)
	r.Draw(func() props.Figure { return ratesFigure(all) })
}

func ratesFigure(all []ratesRun) props.Figure {
	fig := props.Figure{
		ID: "collapse", Title: "Error against n/d²",
		Caption: "Squared error of Algorithm 1 with 100 neurons against n/d² on logarithmic axes: medians over runs with " +
			"confidence intervals for two dimensions, and the lower bound for every kernel in the mean over directions.",
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "squared error", Log: true},
	}
	for i, d := range ratesDims {
		points := props.Curve{Name: fmt.Sprintf("d = %d", d), Style: props.Points}
		for k, q := range ratesPerSquare {
			var draws []float64
			for _, run := range all {
				if len(run.Curves) > 0 {
					draws = append(draws, run.Curves[i][k])
				}
			}
			iv := stat.Median(draws, stat.CriterionAlpha)
			points.AddInterval(q, iv.Estimate, iv.Lo, iv.Hi)
		}
		fig.Curves = append(fig.Curves, points, kernelBoundCurve(d))
	}
	return fig
}

// kernelsAtBest returns the lower bound for every kernel method with n samples and a linear part.
func kernelsAtBest(d, p, n int) float64 {
	return theory.ZonalTarget(d, p).SpanBound(float64(n + d + 1))
}

// negligibleBound is the value at which the curve of the bound ends on a logarithmic axis.
const negligibleBound = 1e-3

// kernelBoundCurve returns the curve of the bound for every kernel method against n/d².
func kernelBoundCurve(d int) props.Curve {
	line := props.Curve{Name: fmt.Sprintf("kernels, d = %d", d), Style: props.Dashed}
	for q := ratesPerSquare[0]; q <= ratesPerSquare[len(ratesPerSquare)-1]; q *= math.Pow(2, 0.25) {
		if bound := kernelsAtBest(d, 3, int(q*float64(d*d))); bound > negligibleBound {
			line.Add(q, bound)
		}
	}
	return line
}

func tryRates(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	needRunnable(t, n, m)
	square, absolute := ratesProblem(t.Rand, d, n, v.Float("noise")).errors(t.Rand, m+m%2, "")
	return map[string]float64{"square": square, "absolute": absolute}, nil
}
