package latent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// rates runs Algorithm 1 at several sizes.
var rates = props.Spec{
	Statement: &theory.Rates,
	Checks: []props.Check{props.Sweep[int, ratesRun]{
		Name:     "errors by dimension and width",
		Cells:    runs(216, 432),
		Measure:  measureRates,
		Conclude: concludeRates,
		Controls: []props.Control{
			{Name: "n fixed", Assumption: "samples", Criterion: "log of the quotient of the errors", Claimed: "n fixed"},
			{Name: "error that grows as d^(3/2)", Criterion: "log of the quotient of the errors", Claimed: "d^1.5"},
			{Name: "first layer as drawn", Assumption: "step", Criterion: "absolute error", Claimed: "no step"},
			{Name: "half of the right side", Criterion: "absolute error", Claimed: "half"},
			{Name: "wide over narrow, the other way", Criterion: "quotient of the widths", Claimed: "inverse"},
		},
		Replicates: 1,
		Coarse: map[string]string{"log of the quotient of the errors": "the scatter of single runs",
			"absolute error":         "the right side leaves room",
			"quotient of the widths": "a median against 1"},
	}},
	Try: &props.Simulation{Run: tryRates},
}.Claim()

const (
	ratesFactor  = 1.8
	narrow, wide = 20, 100
)

// ratesDims are the dimensions that are compared at n = 2d².
var ratesDims = []int{12, 30}

// ratesRun are errors at both dimensions, that of the narrow network at the larger one, and the mean absolute error
// there; in the first runs also that at the larger dimension with the n of the smaller, and the absolute error without
// the step.
type ratesRun struct {
	Small, Large, Narrow, Absolute float64
	Few, Plain                     float64
}

// fewRuns are those that take the n of the smaller dimension as well.
const fewRuns = 96

func measureRates(t *props.Trial, index int, _ string) ratesRun {
	small, large := ratesDims[0], ratesDims[1]
	var r ratesRun
	r.Small, _ = ratesProblem(t.Rand, small, 2*small*small, 0).errors(t.Rand, wide, "")
	p := ratesProblem(t.Rand, large, 2*large*large, 0)
	r.Large, r.Absolute = p.errors(t.Rand, wide, "")
	r.Narrow, _ = p.errors(t.Rand, narrow, "")
	if index < fewRuns {
		r.Few, _ = ratesProblem(t.Rand, large, 2*small*small, 0).errors(t.Rand, wide, "")
	}
	if index < plainRuns {
		_, r.Plain = p.errors(t.Rand, wide, "no step")
	}
	return r
}

func ratesProblem(r *rand.Rand, d, n int, noise float64) problem {
	p := newProblem(r, target.Mixed(3), n, d, 500)
	for i := range p.Train.Y {
		if noise > 0 {
			p.Train.Y[i] += noise * float64(2*r.IntN(2)-1)
		}
	}
	return p
}

// errors runs Algorithm 1 and returns its mean squared and mean absolute error.
func (p problem) errors(r *rand.Rand, m int, done string) (square, absolute float64) {
	net, linear, rest := p.step(r, m, done)
	fitted, err := latent.Head(net, linear, p.Train.X, rest, penalties, p.Validation)
	if err != nil {
		panic(err)
	}
	out := fitted.Output(p.Test.X)
	return p.Test.Square(out), p.Test.Absolute(out)
}

func concludeRates(r *props.Record, _ []int, all []ratesRun, claimed string) {
	var logs, absolute, widths []float64
	switch claimed {
	case "n fixed":
		all = all[:fewRuns]
	case "no step":
		all = all[:plainRuns]
	}
	for _, run := range all {
		switch claimed {
		case "n fixed":
			run.Large = run.Few
		case "no step":
			run.Absolute = run.Plain
		}
		logs, absolute = append(logs, math.Log(run.Large/run.Small)), append(absolute, run.Absolute)
		quotient := run.Large / run.Narrow
		if claimed == "inverse" {
			quotient = 1 / quotient
		}
		widths = append(widths, quotient)
	}
	large := ratesDims[1]
	bound, want := theory.Sizes{D: large, N: 2 * large * large, M: wide}.RightSide(), 0.0
	switch claimed {
	case "half":
		bound /= 2
	case "d^1.5":
		want = 1.5 * math.Log(float64(large)/float64(ratesDims[0]))
	}
	iv := stat.Median(logs, stat.CriterionAlpha)
	r.Measured("log of the quotient of the errors at d = 30 and 12", iv, want)
	r.MeasuredBelow("median of E|f−f⋆|", stat.Median(absolute, stat.CriterionAlpha), bound)
	r.MeasuredBelow("median quotient of the errors, wide over narrow",
		stat.Median(widths, stat.CriterionAlpha), 1)
	r.EqualsAbsolutely("log of the quotient of the errors", iv, want, math.Log(ratesFactor))
	below(r, "absolute error", absolute, bound)
	below(r, "quotient of the widths", widths, 1)
}

func tryRates(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	if float64(n)*float64(m)*float64(m) > 2e10 {
		return nil, fmt.Errorf("n·m² = %.2g is more than can be run here; take at most 2·10¹⁰",
			float64(n)*float64(m)*float64(m))
	}
	square, absolute := ratesProblem(t.Rand, d, n, v.Float("noise")).errors(t.Rand, m+m%2, "")
	return map[string]float64{"square": square, "absolute": absolute}, nil
}
