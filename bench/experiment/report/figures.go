package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/figure"
)

// drawing is a figure of the page.
type drawing struct {
	SVG     template.HTML
	Title   string
	Caption string
}

func draw(f figure.Figure) drawing {
	return drawing{template.HTML(figure.SVG(f, f.ID)), f.Title, f.Caption}
}

// learning draws test accuracy over epochs at the chosen step sizes: the mean of the runs, and between the worst and
// the best of them a band.
func learning(g experiment.Grid) drawing {
	f := figure.Figure{ID: id("learning", g), Title: fmt.Sprintf("%s, %s: learning curves", title(g.Dataset),
		g.Network),
		X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "test accuracy"}}
	var chosen []string
	for _, rule := range drawn(g) {
		runs := rule.Chosen().Runs
		if len(runs) == 0 {
			continue
		}
		var x, mean, lo, hi []float64
		for epoch := range runs[0].Test {
			at := func(c experiment.Curve) float64 { return c.Test[epoch] }
			m, l, h := spread(runs, at)
			x, mean, lo, hi = append(x, float64(epoch)), append(mean, m), append(lo, l), append(hi, h)
		}
		name := rule.Rule.Title()
		f.Curves = append(f.Curves, figure.Curve{Name: name, Style: figure.Line, X: x, Y: mean},
			figure.Curve{Name: name, Style: figure.Band, X: x, Lo: lo, Hi: hi})
		chosen = append(chosen, figure.Number(rule.Chosen().Gamma)+" for "+name)
	}
	f.Caption = fmt.Sprintf("Test accuracy of the %s network on %s: mean and range of the runs at each rule's step "+
		"size: γ = %s.",
		g.Network, title(g.Dataset), strings.Join(chosen, "; "))
	return draw(f)
}

// tuning draws final test accuracy over step sizes.
func tuning(g experiment.Grid) drawing {
	f := figure.Figure{ID: id("tuning", g), Title: fmt.Sprintf("%s, %s: step sizes", title(g.Dataset), g.Network),
		Caption: fmt.Sprintf("Final test accuracy of the %s network on %s over the common grid of step sizes: mean "+
			"and range of the runs.", g.Network, title(g.Dataset)),
		X: figure.Axis{Label: "step size γ", Log: true}, Y: figure.Axis{Label: "final test accuracy"}}
	for _, rule := range drawn(g) {
		var x, mean, lo, hi []float64
		for _, gamma := range rule.Gammas {
			if len(gamma.Runs) == 0 {
				continue
			}
			m, l, h := spread(gamma.Runs, func(c experiment.Curve) float64 { return c.Test[len(c.Test)-1] })
			x, mean, lo, hi = append(x, gamma.Gamma), append(mean, m), append(lo, l), append(hi, h)
		}
		name := rule.Rule.Title()
		f.Curves = append(f.Curves, figure.Curve{Name: name, Style: figure.Line, X: x, Y: mean},
			figure.Curve{Name: name, Style: figure.Points, X: x, Y: mean, Lo: lo, Hi: hi})
	}
	return draw(f)
}

// agreeing draws the three correlations over epochs.
func agreeing(c experiment.CovarianceResult) drawing {
	f := figure.Figure{ID: "agreeing-" + c.Dataset, Title: title(c.Dataset) + ": correlations",
		Caption: fmt.Sprintf("Correlations on %s over training, mean and range of %d runs: the diagonal of WᵀW with "+
			"that of the virtual covariance and with that of AGOP, and all entries of the increment WᵀW − W₀ᵀW₀ with "+
			"the virtual covariance.", title(c.Dataset), len(c.Runs)),
		X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "Pearson correlation"}}
	for _, q := range []struct {
		name string
		of   func(experiment.Agreement) float64
	}{
		{"diagonal, virtual covariance", func(a experiment.Agreement) float64 { return a.Shift }},
		{"diagonal, AGOP", func(a experiment.Agreement) float64 { return a.AGOP }},
		{"increment, all entries", func(a experiment.Agreement) float64 { return a.Increment }},
	} {
		var x, mean, lo, hi []float64
		for i := range c.Runs[0].Epochs {
			m, l, h := spread(c.Runs, func(r experiment.CovarianceRun) float64 { return q.of(r.Epochs[i]) })
			x, mean, lo, hi = append(x, float64(c.Runs[0].Epochs[i].Epoch)), append(mean, m), append(lo, l),
				append(hi, h)
		}
		f.Curves = append(f.Curves, figure.Curve{Name: q.name, Style: figure.Line, X: x, Y: mean},
			figure.Curve{Name: q.name, Style: figure.Band, X: x, Lo: lo, Hi: hi})
	}
	return draw(f)
}

// drawn are the rules of a grid with the control last: it is not there in all networks, and colours go by order.
func drawn(g experiment.Grid) []experiment.RuleCurve {
	var out, control []experiment.RuleCurve
	for _, r := range g.Rules {
		if r.Rule == experiment.SGDFrozen {
			control = append(control, r)
		} else {
			out = append(out, r)
		}
	}
	return append(out, control...)
}

// spread is the mean and the range of a function of the runs.
func spread[T any](runs []T, of func(T) float64) (mean, lo, hi float64) {
	lo, hi = of(runs[0]), of(runs[0])
	for _, r := range runs {
		v := of(r)
		mean, lo, hi = mean+v/float64(len(runs)), min(lo, v), max(hi, v)
	}
	return mean, lo, hi
}

// id names a figure of a grid.
func id(kind string, g experiment.Grid) string {
	return strings.ReplaceAll(kind+"-"+g.Dataset+"-"+string(g.Network), " ", "-")
}
