// Package risk pairs the claim onestep/risk with ridge regressions of many teachers on sampled features.
package risk

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/risk.
var Claim = props.Spec{
	Statement: &theory.RiskLimits,
	Checks: []props.Check{
		props.Drawn[instance, formsClaim]{
			Name:       "closed forms",
			Cases:      props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Regimes:    []string{"E y = 0", "E y ≠ 0", "c⋆₁ = 0", "odd activation"},
			Draw:       draw,
			Claim:      forms,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Wrong[instance, formsClaim]{
				{Name: "2 for 4/3, without an intercept", Criterion: second, Instead: formsClaim{
					second: func(weight, _, c2, rho2 float64) float64 { return centredGain(weight, c2, rho2) }}},
				{Name: "ρ² for ρ⁴", Criterion: second, Instead: formsClaim{
					second: func(weight, c0, c2, rho2 float64) float64 {
						return secondGain(weight, c0, c2, math.Sqrt(rho2))
					}}},
				{Name: "4/3 for 2, with an intercept", Criterion: intercept, Instead: formsClaim{
					centred: func(weight, c2, rho2 float64) float64 { return centredGain(weight, c2, rho2) * 2 / 3 }}},
				{Name: "(1+V) for B", Criterion: first,
					Instead: formsClaim{first: func(w [2]float64) float64 { return w[1] }}},
				{Name: "penalty 1 for 1+e", Criterion: gradual,
					Instead: formsClaim{leak: func(theory.Resolvent) float64 { return 1 }}},
				{Name: "c₁η for c₁²η", Criterion: gradual,
					Instead: formsClaim{strength: func(c1, eta float64) float64 { return c1 * eta }}},
				{Name: "H₂ counted as linear", Criterion: alike,
					Instead: formsClaim{alike: func(in instance, terms int) float64 {
						linear := math.Sqrt(math.Pow(in.Teacher[1], 2) + 2*math.Pow(in.Teacher[2], 2))
						return teachers.Solved(in.linearTeacher(terms, linear)).Test
					}}},
				{Name: "training error without the factor λm₁", Criterion: slope, Instead: formsClaim{
					train: func(e theory.Errors, lambda float64) float64 { return e.Train / (lambda * e.Resolvent.All) }}},
				{Name: "no part of F₀'s own", Criterion: moments,
					Instead: formsClaim{several: func(in instance) theory.Errors {
						r := in.risks()
						r.Equivalent = true
						return teachers.Solved(r)
					}}},
				{Name: "a tenth less with every term", Criterion: further,
					Instead: formsClaim{further: func(before float64) float64 { return 0.9 * before }}},
				{Name: "no error grows with a further term, whatever the rows", Criterion: further,
					Draw: func(t *props.T) instance { return props.Constant(gaussianRows())(t) }, Cases: 1},
			},
		},
		props.Grid[network.Cell, []regressed, errorsClaim]{
			Name: "regression",
			Cells: func(e props.Effort) []network.Cell {
				var out []network.Cell
				for _, s := range setups {
					count := props.Scale{Quick: 64, Standard: 272, Deep: 272}
					if s.Risk.GaussianRows { // nearest to another claim, that of unit rows
						count.Quick = 112
					}
					out = append(out, network.CellsOf([]string{s.Name}, count.At(e))...)
				}
				return out
			},
			Regimes:    regimes,
			Measure:    measure,
			Claim:      stated,
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, []regressed, errorsClaim]{
				{Reading: "one-sample", Assumption: "fresh-sample", Measure: measureReused,
					On: first80("intercept, d > n, E y ≠ 0")},
				{Reading: "any-rows", Assumption: "unit-rows", Criterion: criterion("test error", random),
					Instead: another("unit rows")},
				{Name: "a finite step taken for a strong one", Assumption: "strong", Criterion: share,
					Instead: another("strong")},
				{Name: "φ and ψ exchanged", Criterion: trace,
					Instead: tracesOf(func(r *theory.Risk) { r.Phi, r.Psi = r.Psi, r.Phi })},
				{Name: "penalty λN for λn", Criterion: criterion("objective", random), Instead: another("penalty over n")},
				{Name: "a step without effect", Criterion: criterion("objective", strong), Instead: another("no step")},
				{Name: "terms of the displayed weights", Assumption: "displayed", Criterion: criterion("test error", strong),
					Instead: another("displayed")},
				{Name: "the linear part counted as noise", Criterion: criterion("test error", random),
					Instead: another("all of it noise")},
				{Name: "features without a nonlinear part", Criterion: trace, Instead: tracesOf(func(r *theory.Risk) {
					r.Activation.Energy = math.Pow(r.Activation.Coefficient(1), 2)
				})},
				{Name: "variance of the labels for E y² in ρ²", Criterion: align, Measure: measureMean,
					On: first80("linear teacher")},
				{Name: "training error equal to the test error", Criterion: cross,
					Instead: errorsClaim{train: func(f fitted) float64 { return f.Fit.Train }}},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.01, To: 10, Of: []string{"train", "test"}, At: map[string]string{"n": "200"},
		Y: "training and test error", Places: 7, Reps: 3,
	},
	Try: &props.Simulation{Params: network.Samples(4, 4000, "600"), Run: try, Draw: drawCurves},
}.Claim()
