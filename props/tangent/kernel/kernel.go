// Package kernel pairs Theorem 1 on adaptive tangent features with the adaptive linear model: the closed forms of the
// scalar problem with brute force, the optimum with random feasible pairs, the solution with the model's own cost,
// kernel and predictor, and all of it with what optimisation from random starts finds.
package kernel

import (
	"strings"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Claim is tangent/kernel.
var Claim = props.Spec{
	Statement: &theory.Kernel,
	Checks:    []props.Check{scalarProblem, lowerBound, solution, restarts},
	Try:       simulation,
}.Claim()

var scalarProblem = props.Instances[scalar]{
	Replicates: 3,
	Name:       "the scalar problem by brute force",
	Cases:      props.Scale{Quick: 500, Standard: 1500, Deep: 400000},
	Regimes:    scalarRegimes,
	Draw:       drawScalar,
	Judge:      judgeScalar,
	Controls: []props.Control{
		{Name: "v/z² in place of v²/z²", Criterion: "effective penalty", Claimed: "root of the norm"},
		{Name: "½‖θ‖² in place of ‖θ‖²", Criterion: "stretch, as s−1", Claimed: "half the norm"},
		{Name: "penalty 1 − 1/z², bounded", Assumption: "attained", Criterion: "the minimum is attained",
			Done: "saturating, v = 2", Reading: "existence"},
		{Name: "penalty 1 − 1/z², equally good at every stretch", Assumption: "strict",
			Criterion: "twice the stretch costs more",
			Done:      "saturating, v = 1", Reading: "one-kernel"},
	},
}

var lowerBound = props.Instances[pair]{
	Replicates: 3,
	Name:       "no pair costs less",
	Cases:      props.Scale{Quick: 600, Standard: 1000, Deep: 100000},
	Regimes:    pairRegimes,
	Draw:       drawPair,
	Judge:      judgeBound,
	Controls: []props.Control{
		{Name: "penalty z², with its minimum at 0", Assumption: "minimum-at-one", Criterion: "cost",
			Done:    "weight decay",
			Claimed: "weight decay"},
		{Name: "two equal rows of features, bound", Assumption: "rank", Criterion: "rank", Done: "equal rows"},
		{Name: "twice the optimum", Criterion: "cost", Claimed: "twice the optimum"},
		{Name: "MMᵀ as close as δ, and not √δ", Criterion: "distance of MMᵀ from its closed form",
			Claimed: "first order"},
		{Name: "Mθ as close as δ, and not √δ", Criterion: "distance of Mθ from β̂", Claimed: "first order of Mθ"},
		{Name: "half of the bound on z", Criterion: "ln z off ln s", Claimed: "half"},
		{Name: "half of the bound on the others", Criterion: "the other singular values off 1", Claimed: "half"},
		{Name: "half of the bound on the turn", Criterion: "u₁ off u", Claimed: "half"},
		{Name: "half of the bound on MMᵀ", Criterion: "distance of MMᵀ from its closed form", Claimed: "half"},
		{Name: "half of the bound on Mθ", Criterion: "distance of Mθ from β̂", Claimed: "half"},
		{Name: "half of what a turn adds", Criterion: "distance of MMᵀ from its closed form, by its parts",
			Claimed: "half of the turn"},
		{Name: "quadratic taken for log-det, bound", Criterion: "cost", Claimed: "quadratic as log-det"},
		{Name: "absolute taken for quadratic, bound", Criterion: "cost", Claimed: "absolute as quadratic"},
		{Name: "product taken for quadratic, bound", Criterion: "cost", Claimed: "product as quadratic"},
		{Name: "log-det taken for absolute, bound", Criterion: "cost", Claimed: "log-det as absolute"},
	},
}

var solution = props.Instances[pair]{
	Replicates: 3,
	Name:       "the stated solution",
	Cases:      props.Scale{Quick: 320, Standard: 800, Deep: 100000},
	Regimes:    pairRegimes,
	Draw:       drawSolution,
	Judge:      judgeSolution,
	Proven: map[string]string{
		"Mθ":                             "every rounding of M, θ and their product, and of v",
		"‖θ‖²":                           "every rounding of θ and of both sides",
		"MMᵀ − I":                        everyRounding,
		"MMᵀ where nothing is stretched": everyRounding,
		"growth of the kernel":           everyRounding,
		"alignment":                      "every rounding of M, the kernels and both sides, and Φβ̂ − y as it is found",
		"alignment never drops":          "every rounding of M and both kernels, and Φβ̂ − y as it is found",
	},
	Controls: []props.Control{
		{Name: "two equal rows of features", Assumption: "rank", Criterion: "rank", Done: "equal rows"},
		{Name: "parameters that do not turn along with M", Criterion: "labels", Done: "unturned"},
		{Name: "features left alone", Criterion: "cost", Done: "fixed"},
		{Name: "the orthogonal factor on the left of M", Criterion: "MMᵀ − I", Done: "left"},
		{Name: "interpolant not of minimum norm", Criterion: "Mθ", Done: "longer"},
		{Name: "‖θ‖² = v²/s", Criterion: "‖θ‖²", Claimed: "one stretch"},
		{Name: "s−1 in place of s²−1", Criterion: "growth of the kernel", Claimed: "first power"},
		{Name: "without 1/‖β̂‖²", Criterion: "growth of the kernel", Claimed: "no norm"},
		{Name: "c·yyᵀ subtracted", Criterion: "alignment", Claimed: "subtracted"},
		{Name: "alignment that drops", Criterion: "alignment never drops", Done: "shrunk"},
		{Name: "a stretch where there is none", Criterion: "MMᵀ where nothing is stretched",
			Claimed: "always stretched"},
		{Name: "quadratic taken for log-det", Criterion: "cost", Claimed: "quadratic as log-det"},
		{Name: "absolute taken for quadratic", Criterion: "cost", Claimed: "absolute as quadratic"},
		{Name: "product taken for quadratic", Criterion: "cost", Claimed: "product as quadratic"},
		{Name: "log-det taken for absolute", Criterion: "cost", Claimed: "log-det as absolute"},
	},
}

const everyRounding = "every rounding of M, of its products and of the closed form"

var restarts = props.Sweep[restartCell, optimised]{
	Name:    "random restarts",
	Cells:   restartCells,
	Regimes: restartRegimes(),
	Measure: restart,
	Judge:   judgeRestarts,
	Conclude: func(r *props.Record, _ []restartCell, all []optimised, claimed string) {
		if claimed == "" {
			r.Figure(grownKernels(all))
			r.Figure(effectivePenalties(all))
		}
	},
	Controls: []props.Control{
		{Name: "s−1 in place of s²−1, against optimisation", Criterion: "growth of the kernel", Claimed: "first power"},
		{Name: "alignment with c·yyᵀ subtracted", Criterion: "alignment", Claimed: "subtracted"},
		{Name: "the optimum of fixed features, v²", Criterion: "optimum", Claimed: "no adaptation"},
		{Name: "restarts agree in M itself, and not only in MMᵀ", Criterion: "restarts agree on MMᵀ",
			Claimed: "M itself"},
		{Name: "a stretch where there is none, against optimisation", Criterion: "MMᵀ where nothing is stretched",
			Claimed: "always stretched"},
		{Name: "penalty 0 on all of [1, 2]", Assumption: "strict", Criterion: "restarts agree on MMᵀ", Done: "flat"},
		{Name: "M block-diagonal", Assumption: "unstructured", Criterion: "predictor", Done: "blocks"},
	},
	Replicates: 3,
}

// penalties are the functions that the families of the statement name.
var penalties = map[theory.Family]impl.Penalty{
	theory.Quadratic: impl.Square,
	theory.Absolute:  impl.Modulus,
	theory.Product:   impl.Convolved(impl.Square, impl.Modulus),
	theory.LogDet:    impl.LogDet,
}

// mistaken is the family that a wrong version of the claim, "ω as another ω", takes a family for.
func mistaken(claimed string, family theory.Family) theory.Family {
	if from, to, found := strings.Cut(claimed, " as "); found && from == string(family) {
		return theory.Family(to)
	}
	return family
}

// offending are penalties that violate a hypothesis.
var offending = map[string]impl.Penalty{
	"weight decay": impl.WeightDecay, "flat": impl.Flat,
	"saturating, v = 1": impl.Saturating, "saturating, v = 2": impl.Saturating,
}

func restartCells(e props.Effort) []restartCell {
	var cells []restartCell
	for _, family := range theory.Families {
		for i := range (props.Scale{Quick: 12, Standard: 36, Deep: 3000}).At(e) {
			cells = append(cells, restartCell{family, i})
		}
	}
	return cells
}
