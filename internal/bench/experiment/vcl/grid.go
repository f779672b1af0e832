package vcl

import (
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"gonum.org/v1/gonum/floats"
)

// Grid are the training runs of one network on one data set.
type Grid struct {
	Dataset string
	Network Network
	Rules   []RuleCurve
}

// RuleCurve are the runs of one rule.
type RuleCurve struct {
	Rule   Rule
	Best   int          // index of the step size whose best validation accuracy is largest on average
	Gammas []GammaCurve // in the order of the grid
}

// GammaCurve are the runs at one step size, in the order of the seeds.
type GammaCurve struct {
	Gamma float64
	Runs  []Curve
}

// gridsOf sorts the runs by data set and network.
func gridsOf(set experiment.Setting, runs []experiment.Run[Cell, Curve]) []Grid {
	var out []Grid
	for _, d := range set.Datasets {
		for _, n := range Networks {
			g := Grid{Dataset: d, Network: n}
			for _, rule := range n.rules() {
				rc := RuleCurve{Rule: rule}
				highest := -1.0
				for i, gamma := range gammas[set.Effort] {
					c := GammaCurve{gamma, experiment.Among(runs, func(c Cell) bool { return c == Cell{d, n, rule, gamma, c.Seed} })}
					rc.Gammas = append(rc.Gammas, c)
					if mean := average(c.Runs, func(c Curve) float64 { return best(c.Validation) }); mean > highest {
						highest, rc.Best = mean, i
					}
				}
				g.Rules = append(g.Rules, rc)
			}
			out = append(out, g)
		}
	}
	return out
}

// Chosen are the runs at the chosen step size.
func (r RuleCurve) Chosen() GammaCurve { return r.Gammas[r.Best] }

// rule returns the runs of a rule.
func (g Grid) rule(rule Rule) RuleCurve {
	for _, r := range g.Rules {
		if r.Rule == rule {
			return r
		}
	}
	panic("vcl: the network has no runs of the rule " + string(rule))
}

// best is the largest accuracy of a curve, 0 of none.
func best(xs []float64) float64 { return slices.Max(append([]float64{0}, xs...)) }

// last is the accuracy at the end, 0 of none.
func last(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	return xs[len(xs)-1]
}

// average is the mean of a function of the runs, 0 of none.
func average(runs []Curve, f func(Curve) float64) float64 {
	return floats.Sum(experiment.Each(runs, f)) / float64(max(1, len(runs)))
}
