// Package risk pairs the claim onestep/risk with ridge regressions of many teachers on sampled features.
package risk

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/risk.
var Claim = props.Spec{
	Statement: &theory.RiskLimits,
	Checks: []props.Check{
		props.Instances[instance]{
			Name:       "closed forms",
			Cases:      props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Regimes:    []string{"E y = 0", "E y ≠ 0", "c⋆₁ = 0", "odd activation"},
			Draw:       draws,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Control{
				{Name: "2 for 4/3, without an intercept", Criterion: second, Claimed: "centred squares"},
				{Name: "ρ² for ρ⁴", Criterion: second, Claimed: "ρ²"},
				{Name: "4/3 for 2, with an intercept", Criterion: intercept, Claimed: "4/3"},
				{Name: "(1+V) for B", Criterion: first, Claimed: "noise"},
				{Name: "penalty 1 for 1+e", Criterion: gradual, Claimed: "no e"},
				{Name: "c₁η for c₁²η", Criterion: gradual, Claimed: "c₁η"},
				{Name: "H₂ counted as linear", Criterion: alike, Claimed: "linear"},
				{Name: "training error without the factor λm₁", Criterion: slope, Claimed: "once"},
				{Name: "no part of F₀'s own", Criterion: moments, Claimed: "no own part"},
				{Name: "a tenth less with every term", Criterion: further, Claimed: "a tenth"},
				{Reading: "never-worse", Criterion: further, Done: "Gaussian rows"},
			},
		},
		props.Sweep[network.Cell, []regressed]{
			Name: "regression",
			Cells: func(e props.Effort) []network.Cell {
				return network.CellsOf(regimes, props.Scale{Quick: 80, Standard: 272, Deep: 272}.At(e))
			},
			Regimes:    regimes,
			Measure:    measure,
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.Control{
				{Reading: "one-sample", Assumption: "fresh-sample", Done: "reuse"},
				{Reading: "any-rows", Assumption: "unit-rows", Criterion: criterion("test "+
					"error", random), Claimed: "unit rows"},
				{Name: "a finite step taken for a strong " +
					"one", Assumption: "strong", Criterion: share, Claimed: "strong"},
				{Name: "φ and ψ exchanged", Criterion: trace, Claimed: "exchanged"},
				{Name: "penalty λN for λn", Criterion: criterion("objective", random), Claimed: "penalty over n"},
				{Name: "a step without effect", Criterion: criterion("objective", strong), Claimed: "no step"},
				{Name: "terms of the displayed weights", Assumption: "displayed", Criterion: criterion("test error", strong),
					Claimed: "displayed"},
				{Name: "the linear part counted as noise", Criterion: criterion("test "+
					"error", random), Claimed: "all of it noise"},
				{Name: "features without a nonlinear part", Criterion: trace, Claimed: "linear features"},
				{Name: "variance of the labels for E y² in ρ²", Criterion: align, Done: "mean"},
				{Name: "training error equal to the test error", Criterion: cross, Claimed: "unbiased"},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.01, To: 10, Of: []string{"train", "test"}, At: map[string]string{"n": "200"},
		Y: "training and test error", Places: 7, Reps: 3,
	},
	Try: &props.Simulation{Params: sizes, Run: try, Draw: drawCurves},
}.Claim()
