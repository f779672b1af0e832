package onestep

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// The claims about errors.
const (
	firstGain  = "first"
	secondGain = "second"
	noGain     = "none"
	gainsMore  = "more"
	bestGain   = "tuned"
	likeTheory = "theory"
	likeRidge  = "theory-penalty"
)

const logRatio = "mean log ratio of test errors"

var errorClaims = []experiment.Claim{
	{ID: firstGain, Title: "A first gain", Sentence: "From α = −0.2 to 0.2 the step lowers the test error in both " +
		"settings.", Quantity: logRatio},
	{ID: secondGain, Title: "Setting 2 gains a second time", Sentence: "From α = 0.2 to 0.4, beyond 1/4, the step " +
		"lowers the test error in Setting 2.", Quantity: logRatio},
	{ID: gainsMore, Title: "More than Setting 1 does", Sentence: "From α = 0.2 to 0.4 the test error falls more in " +
		"Setting 2 than in Setting 1, on the same networks and samples.",
		Quantity: "mean difference of log ratios, Setting 2 minus 1"},
	{ID: noGain, Title: "Setting 1 gains no more", Sentence: "From α = 0.2 to 0.4 the test error of Setting 1 does not " +
		"fall by more than 4 %.", Quantity: logRatio},
	{ID: bestGain, Title: "So it is at the best penalty", Sentence: "With the penalty that is best for each, the test " +
		"error at α = 0.4 is lower than at α = 0.2, and in Setting 2 by more than in Setting 1.", Quantity: logRatio +
		", for both settings their difference"},
	{ID: likeTheory, Title: "The theory, over α", Sentence: "At all α below 1/3 the mean log test error is within 0.05 " +
		"of that of the limit with two terms.", Quantity: "largest deviation over α"},
	{ID: likeRidge, Title: "The theory, over the penalty", Sentence: "At all penalties λ of at least 0.1 the mean log " +
		"test error is within 0.05 of that of the limit with two terms.", Quantity: "largest deviation over λ"},
}

func judgeErrors(set experiment.Setting, s ErrorSizes,
	runs []experiment.Run[ErrorCell, [2]Curves]) experiment.Judgement {
	out := experiment.Judgement{Setup: errorSetup(s)}
	var overAlpha []figure.Figure
	for _, weights := range allWeights {
		of := experiment.Among(runs, func(c ErrorCell) bool { return c.Weights == weights })
		g := tried{s, weights, of, len(of) >= set.Runs}
		out.Findings = append(out.Findings, g.judge()...)
		overAlpha = append(overAlpha, g.overExponents())
		section := experiment.Section{Title: "Over the penalty, " + weights}
		for i := range settings {
			section.Figures = append(section.Figures, g.overPenalties(i))
		}
		out.Sections = append(out.Sections, section)
	}
	out.Cover = overAlpha[0]
	out.Sections = slices.Insert(out.Sections, 0, experiment.Section{Title: "Over α, " + displayed,
		Figures: overAlpha[1:]})
	return out
}

// tried are the runs with the weights of a kind.
type tried struct {
	sizes    ErrorSizes
	weights  string
	runs     [][2]Curves
	complete bool
}

// swept are the runs that were tried at all penalties.
func (g tried) swept() [][2]Curves {
	return list.Where(g.runs, func(v [2]Curves) bool { return len(v[0].Penalties) > 0 })
}

func (g tried) judge() (out []experiment.Finding) {
	find := func(claim, column string) experiment.Finding {
		return experiment.Finding{Claim: claim, Row: g.weights, Column: column}
	}
	both := "Setting 2 minus 1"
	for i, name := range settings {
		out = append(out, find(firstGain, name).AtMost(0, experiment.Mean(g.runs, g.fall(i, early, middle)), g.complete),
			find(likeTheory, name).AtMost(0.05, g.worst(i), g.complete),
			find(likeRidge, name).AtMost(0.05, g.worstOfPenalties(i), g.complete),
			find(bestGain, name).AtMost(0, experiment.Mean(g.swept(), tuned(i)), g.complete))
	}
	first, second := g.fall(0, middle, late), g.fall(1, middle, late)
	return append(out, find(secondGain, settings[1]).AtMost(0, experiment.Mean(g.runs, second), g.complete),
		find(noGain, settings[0]).AtLeast(math.Log(0.96), experiment.Mean(g.runs, first), g.complete),
		find(gainsMore, both).AtMost(0, experiment.Mean(g.runs, less(second, first)), g.complete),
		find(bestGain, both).AtMost(0, experiment.Mean(g.swept(), less(tuned(1), tuned(0))), g.complete))
}

// less is the difference of two quantities.
func less(a, b func([2]Curves) float64) func([2]Curves) float64 {
	return func(v [2]Curves) float64 { return a(v) - b(v) }
}

// fall is the logarithm of the error in a setting at one exponent over that at another.
func (g tried) fall(setting int, from, to float64) func([2]Curves) float64 {
	a, b := slices.Index(g.sizes.Exponents, from), slices.Index(g.sizes.Exponents, to)
	return func(v [2]Curves) float64 { return math.Log(v[setting].Exponents[b] / v[setting].Exponents[a]) }
}

// tuned is the same for the longer step of the sweep over the shorter one, each at its best penalty.
func tuned(setting int) func([2]Curves) float64 {
	return func(v [2]Curves) float64 {
		all := v[setting].Penalties
		return math.Log(slices.Min(all[2]) / slices.Min(all[1]))
	}
}

// worst is the largest deviation of a mean logarithm from that of the prediction, over the exponents that ask for two
// terms at most.
func (g tried) worst(setting int) stat.Interval {
	var all []stat.Interval
	for k, alpha := range g.sizes.Exponents {
		if alpha < 1./3 {
			want := math.Log(g.sizes.predicted(setting, g.weights, alpha, penalty))
			all = append(all, experiment.Mean(g.runs, func(v [2]Curves) float64 {
				return math.Log(v[setting].Exponents[k]) - want
			}))
		}
	}
	return farthest(all)
}

// worstOfPenalties is the same over penalties, in a sweep whose last step asks for more terms and is left out.
func (g tried) worstOfPenalties(setting int) stat.Interval {
	var all []stat.Interval
	for j, alpha := range swept[:2] {
		for k, lambda := range g.sizes.Penalties {
			if lambda >= 0.1 {
				want := math.Log(g.sizes.predicted(setting, g.weights, alpha, lambda))
				all = append(all, experiment.Mean(g.swept(), func(v [2]Curves) float64 {
					return math.Log(v[setting].Penalties[j][k]) - want
				}))
			}
		}
	}
	return farthest(all)
}

// farthest is the interval for an absolute value that reaches farthest from 0.
func farthest(all []stat.Interval) (out stat.Interval) {
	for i, iv := range all {
		half := (iv.Hi - iv.Lo) / 2
		iv.Estimate = math.Abs(iv.Estimate)
		iv.Lo, iv.Hi = max(0, iv.Estimate-half), iv.Estimate+half
		if i == 0 || !(iv.Hi <= out.Hi) {
			out = iv
		}
	}
	return out
}

func errorSetup(s ErrorSizes) []string {
	return []string{
		fmt.Sprintf("Ridge regression with penalty λ‖a‖² added to the mean square, on the features of a fresh batch of n "+
			"= %d samples in d = %d dimensions after one step η = n^α, with N = n neurons and the centred ReLU. Setting 1: "+
			"y = β⋆ᵀx + noise of variance 1. Setting 2: y = H₁ + H₂/√2 of β⋆ᵀx without noise. The test error is the mean "+
			"square of what the other samples predict of each. λ = %g where α varies. The figures of the slides carry no "+
			"numbers: sizes, activation and penalties are ours.", s.Samples, s.Samples*3/5, penalty),
		fmt.Sprintf("Predictions are the limits of onestep/risk with two terms at a finite step, N = %d. What the slides "+
			"state is for α < 1/3 then, where no third term counts. Both settings have τ² = 1, the error of the best "+
			"linear predictor of the population.", s.Samples),
		fmt.Sprintf("The sweep over the penalty is on %d of the runs. ", s.Swept) + overRuns,
	}
}

// overExponents shows both settings over the exponent of the step.
func (g tried) overExponents() figure.Figure {
	f := figure.Figure{ID: "exponents-" + g.id(), Title: "Test error over the exponent of the step, " + g.weights,
		Caption: fmt.Sprintf("Test error after a step η = n^α, %s, n = N = %d, λ = %g: means with intervals over runs. "+
			"Dashed: the limit with two terms at that n. Both settings gain from α = 0 on, Setting 2 a second time beyond 1/4.",
			g.weights, g.sizes.Samples, penalty), X: figure.Axis{Label: "α"}, Y: figure.Axis{Label: "test error"}}
	for i, name := range settings {
		f.Curves = append(f.Curves, g.points(name, g.sizes.Exponents, g.runs,
			func(v [2]Curves, k int) float64 { return v[i].Exponents[k] }),
			dashed(name, g.sizes.Exponents, func(alpha float64) float64 {
				return g.sizes.predicted(i, g.weights, alpha, penalty)
			}))
	}
	return f
}

// overPenalties shows a setting over the penalty, after no step and after two.
func (g tried) overPenalties(setting int) figure.Figure {
	f := figure.Figure{ID: fmt.Sprintf("penalties-%s-%d", g.id(), setting+1),
		Title: fmt.Sprintf("%s over the penalty, %s", settings[setting], g.weights),
		Caption: fmt.Sprintf("Test error in %s before the step and after steps η = n^α, %s, over the penalty: means with "+
			"intervals over runs. Dashed: the limit with two terms at that n.", settings[setting], g.weights),
		X: figure.Axis{Label: "λ", Log: true}, Y: figure.Axis{Label: "test error", Log: true}}
	for j, name := range []string{"no step", fmt.Sprintf("α = %g", middle), fmt.Sprintf("α = %g", late)} {
		f.Curves = append(f.Curves, g.points(name, g.sizes.Penalties, g.swept(),
			func(v [2]Curves, k int) float64 { return v[setting].Penalties[j][k] }),
			dashed(name, g.sizes.Penalties, func(lambda float64) float64 {
				return g.sizes.predicted(setting, g.weights, swept[j], lambda)
			}))
	}
	return f
}

// id names the weights in a figure's ID.
func (g tried) id() string {
	return map[string]string{gradient: "gradient", displayed: "displayed"}[g.weights]
}

// points are means over runs with their intervals.
func (g tried) points(name string, x []float64, runs [][2]Curves, of func([2]Curves, int) float64) figure.Curve {
	places := list.Fill(len(x), func(k int) int { return k })
	return experiment.Estimates(name, places, func(k int) float64 { return x[k] }, func(k int) stat.Interval {
		return experiment.Mean(runs, func(v [2]Curves) float64 { return of(v, k) })
	})
}

// dashed is a curve of predictions.
func dashed(name string, x []float64, of func(float64) float64) figure.Curve {
	return figure.Curve{Name: name + ", predicted", Style: figure.Dashed, X: x, Y: list.Map(x, of)}
}
