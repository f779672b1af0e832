package vcl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
)

// curves are a section of figures for each data set.
func curves(datasets []string, grids []Grid) (out []experiment.Section) {
	for _, d := range datasets {
		s := experiment.Section{Title: "Training on " + experiment.Title(d)}
		for _, g := range list.Where(grids, func(g Grid) bool { return g.Dataset == d }) {
			s.Figures = append(s.Figures, learning(g), tuning(g))
		}
		out = append(out, s)
	}
	return out
}

// learning draws test accuracy over epochs at the chosen step sizes: the mean of the runs, and between the worst and
// the best of them a band.
func learning(g Grid) figure.Figure {
	f := figure.Figure{ID: g.id("learning"), Title: g.title() + ": learning curves",
		X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "test accuracy"}}
	var chosen []string
	for _, rule := range drawn(g) {
		runs := rule.Chosen().Runs
		if len(runs) == 0 {
			continue
		}
		name := rule.Rule.Title()
		epochs := experiment.Numbers(len(runs[0].Test))
		f.Curves = append(f.Curves, experiment.MeanAndRange(name, epochs, runs, func(c Curve, epoch int) float64 {
			return c.Test[epoch]
		})...)
		chosen = append(chosen, draw.Number(rule.Chosen().Gamma)+" for "+name)
	}
	f.Caption = fmt.Sprintf("Test accuracy of the %s network on %s: mean and range of the runs at each rule's step "+
		"size: γ = %s.", g.Network, experiment.Title(g.Dataset), strings.Join(chosen, "; "))
	return f
}

// tuning draws final test accuracy over step sizes.
func tuning(g Grid) figure.Figure {
	f := figure.Figure{ID: g.id("tuning"), Title: g.title() + ": step sizes",
		Caption: fmt.Sprintf("Final test accuracy of the %s network on %s over the common grid of step sizes: mean "+
			"and range of the runs.", g.Network, experiment.Title(g.Dataset)),
		X: figure.Axis{Label: "step size γ", Log: true}, Y: figure.Axis{Label: "final test accuracy"}}
	for _, rule := range drawn(g) {
		line := figure.Curve{Name: rule.Rule.Title(), Style: figure.Line}
		points := figure.Curve{Name: line.Name, Style: figure.Points}
		for _, gamma := range rule.Gammas {
			if len(gamma.Runs) > 0 {
				mean, lo, hi := experiment.Spread(gamma.Runs, func(c Curve) float64 { return last(c.Test) })
				line.Add(gamma.Gamma, mean)
				points.AddInterval(gamma.Gamma, mean, lo, hi)
			}
		}
		f.Curves = append(f.Curves, line, points)
	}
	return f
}

// drawn are the rules of a grid with the control last: it is not there in all networks, and colours go by order.
func drawn(g Grid) []RuleCurve {
	frozen := func(r RuleCurve) bool { return r.Rule == SGDFrozen }
	others := list.Where(g.Rules, func(r RuleCurve) bool { return !frozen(r) })
	return append(others, list.Where(g.Rules, frozen)...)
}

// title names a grid for a reader, and id a figure of it.
func (g Grid) title() string { return experiment.Title(g.Dataset) + ", " + string(g.Network) }
func (g Grid) id(kind string) string {
	return strings.ReplaceAll(kind+"-"+g.Dataset+"-"+string(g.Network), " ", "-")
}

// broken counts the runs that came to nothing: their weights are no longer finite, or the rule had no next step.
func broken(grids []Grid) experiment.Section {
	t := &experiment.Table{Columns: []string{""}}
	for _, rule := range Rules {
		t.Columns = append(t.Columns, rule.Title())
	}
	for _, g := range grids {
		row := make([]string, len(t.Columns))
		row[0] = g.title()
		for _, rc := range g.Rules {
			row[1+slices.Index(Rules, rc.Rule)] = lost(rc)
		}
		t.Rows = append(t.Rows, row)
	}
	return experiment.Section{Title: "Runs that came to nothing", Text: "Weights that are not finite, or a rule " +
		"without a next step, over the whole grid.", Table: t}
}

// lost is the number of runs of a rule that end with accuracy 0, of all.
func lost(rc RuleCurve) string {
	n, all := 0, 0
	for _, g := range rc.Gammas {
		all += len(g.Runs)
		n += len(list.Where(g.Runs, func(run Curve) bool { return last(run.Test) == 0 }))
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// epochs writes when the first of some runs arrived, and the last.
func epochs(first []int) string {
	word := func(epoch int) string {
		if epoch == never {
			return "never"
		}
		return strconv.Itoa(epoch)
	}
	switch soonest, latest := word(slices.Min(first)), word(slices.Max(first)); {
	case soonest == "never":
		return "no epoch"
	case soonest == latest:
		return soonest + " epochs"
	default:
		return soonest + "…" + latest + " epochs"
	}
}

// setup says in sentences what was run.
func setup(e props.Effort, s Sizes) []string {
	grid := list.Map(gammas[e], draw.Number)
	out := []string{
		cut(s),
		fmt.Sprintf("Hidden layers have %d units and GELU; the convolutional net has two 3×3 convolutions of stride "+
			"2 with 4 and 8 channels. Batches of %d, the mean loss, %d epochs, biases, no momentum.", s.Hidden,
			s.Batch, s.Epochs),
		fmt.Sprintf("An epoch is %d steps here; the paper does not state its batch size, and 60000 pictures in "+
			"batches of 64 make 938. “One or two epochs” is judged at this smaller scale.",
			(s.Train+s.Batch-1)/s.Batch),
		fmt.Sprintf("The grid of step sizes is the same for every rule: %s. Every rule runs %d times at each; runs "+
			"of one number start from the same weights and see the same batches. A rule's step size is the one with "+
			"the best validation accuracy on average; figures and verdicts use test accuracy.",
			strings.Join(grid, ", "), seeds[e]),
		fmt.Sprintf("After %d epoch of warm-up of the last stage (γ = 0.5) it stays frozen, as Algorithm 1 is "+
			"printed; only the rule SGD trains all stages. A run whose weights stop being finite, or whose rule has "+
			"no next step (a power of a negative eigenvalue), counts as accuracy 0 from there on.", s.WarmUp),
		fmt.Sprintf("Intervals are Student's over runs at level %g each, for the spread over runs Pitman and "+
			"Morgan's for correlated variances. A claim holds when the whole interval is on its side of the "+
			"boundary, is refuted when all of it is on the other side, and is undecided otherwise.", experiment.Alpha),
	}
	if s.Train >= 60000 {
		out = slices.Delete(out, 2, 3)
	}
	return out
}
