package vcl

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/stat"
)

// Margin is the accuracy that does not count: half a percentage point.
const Margin = 0.005

// The claims.
const (
	Efficient   = "efficient"
	RobustSeeds = "robust-seeds"
	RobustRates = "robust-rates"
	NoOverfit   = "non-overfitting"
)

var trainingClaims = []experiment.Claim{
	{ID: Efficient, Title: "Efficient", Sentence: "In one or two epochs the rule reaches the best test accuracy that " +
		"SGD ever has, up to half a point.", Quantity: "accuracy after at most two epochs minus SGD's best",
		Points: true},
	{ID: RobustSeeds, Title: "Robust over runs", Sentence: "The final accuracy varies no more from run to run than " +
		"SGD's.", Quantity: "ratio of standard deviations, rule over SGD", Spread: true},
	{ID: RobustRates, Title: "Robust over step sizes", Sentence: "Averaged over the grid of step sizes, the final " +
		"accuracy is at least SGD's, up to half a point.", Quantity: "difference of the averages", Points: true},
	{ID: NoOverfit, Title: "Non-overfitting", Sentence: "The final accuracy is within half a point of the best one: " +
		"more epochs do no harm.", Quantity: "best minus final accuracy", Points: true},
}

// challengers are the rules for which the claims are made, and before them a control: gradient descent with the last
// stage frozen. What the control achieves too is a merit of the protocol and not of the rules.
var challengers = []Rule{SGDFrozen, VCL, Whitening, Algorithm1, Cumulative}

// scope says what the headlines are about.
const scope = "The two-layer network, for all data sets of this run together: one data set refutes a claim. The " +
	"control is gradient descent with the last stage frozen like that of the rules; what it achieves too is no merit " +
	"of the rules."

func judgeTraining(set experiment.Setting, s Sizes, runs []experiment.Run[Cell, Curve]) experiment.Judgement {
	out := experiment.Judgement{Scope: scope, Setup: setup(set.Effort, s)}
	grids := gridsOf(set, runs)
	for _, g := range grids {
		out.Findings = append(out.Findings, g.judge(seeds[set.Effort])...)
	}
	out.Headlines = headlines(grids, out.Findings)
	out.Sections = append([]experiment.Section{broken(grids)}, curves(set.Datasets, grids)...)
	return out
}

// headlines join the findings of the challengers on all data sets for the network of the paper.
func headlines(grids []Grid, findings []experiment.Finding) []experiment.Finding {
	rows := list.Map(list.Where(grids, func(g Grid) bool { return g.Network == TwoLayer }), Grid.title)
	out := []experiment.Finding{}
	for _, c := range trainingClaims {
		for _, rule := range challengers {
			of := list.Where(findings, func(f experiment.Finding) bool {
				return f.Claim == c.ID && f.Column == rule.Title() && slices.Contains(rows, f.Row)
			})
			if len(of) > 0 {
				out = append(out, experiment.Joint(of...))
			}
		}
	}
	return out
}

// judge returns the findings of a network on a data set, with one run planned for each seed.
func (g Grid) judge(planned int) []experiment.Finding {
	var out []experiment.Finding
	add := func(f experiment.Finding) { out = append(out, f) }
	sgd := g.rule(SGD)
	best1 := experiment.Each(sgd.Chosen().Runs, func(c Curve) float64 { return best(c.Test) })
	finals := experiment.Each(sgd.Chosen().Runs, func(c Curve) float64 { return last(c.Test) })
	for _, rc := range g.Rules {
		runs := rc.Chosen().Runs
		tuned := "γ = " + draw.Number(rc.Chosen().Gamma)
		f := experiment.Finding{Row: g.title(), Column: rc.Rule.Title(),
			Control: rc.Rule == SGDFrozen, Slack: Margin, Note: tuned}
		decline := experiment.Each(runs, func(c Curve) float64 { return best(c.Test) - last(c.Test) })
		f.Claim = NoOverfit
		add(f.AtMost(Margin, stat.Mean(decline, experiment.Alpha), len(runs) >= planned))
		if rc.Rule == SGD {
			continue
		}
		n := min(len(runs), len(best1))
		soon := experiment.Each(runs, func(c Curve) float64 { return best(c.Test[min(1, len(c.Test)):min(3, len(c.Test))]) })
		f.Claim, f.Note = Efficient, tuned
		if n > 0 {
			f.Note += "; there after " + epochs(reached(runs[:n], best1[:n]))
		}
		add(f.AtLeast(-Margin, stat.Paired(soon[:n], best1[:n], experiment.Alpha), n >= planned))
		f.Claim, f.Note = RobustSeeds, tuned
		final := experiment.Each(runs, func(c Curve) float64 { return last(c.Test) })
		add(f.AtMost(1, stat.SpreadRatio(final[:n], finals[:n], experiment.Alpha), n >= planned))
		f.Claim, f.Note = RobustRates, ""
		a, b := overGrid(rc), overGrid(sgd)
		n = min(len(a), len(b))
		add(f.AtLeast(-Margin, stat.Paired(a[:n], b[:n], experiment.Alpha), n >= planned))
	}
	return out
}

// never is later than any epoch.
const never = math.MaxInt

// reached are the first epochs after which a run is at the accuracy wanted, up to the margin.
func reached(runs []Curve, wanted []float64) []int {
	out := make([]int, len(runs))
	for i, c := range runs {
		out[i] = never
		for epoch := len(c.Test) - 1; epoch >= 0; epoch-- {
			if c.Test[epoch] >= wanted[i]-Margin {
				out[i] = epoch
			}
		}
	}
	return out
}

// overGrid are the final accuracies averaged over the step sizes, by seed; only of seeds that ran at all of them.
func overGrid(rc RuleCurve) []float64 {
	var out []float64
	for seed := 0; ; seed++ {
		sum := 0.0
		for _, g := range rc.Gammas {
			if seed >= len(g.Runs) {
				return out
			}
			sum += last(g.Runs[seed].Test)
		}
		out = append(out, sum/float64(len(rc.Gammas)))
	}
}
