// Package twosteps pairs the claim onestep/twosteps with directions of sampled second batches.
package twosteps

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/twosteps.
var Claim = props.Spec{
	Statement: &theory.TwoSteps,
	Checks: []props.Check{
		props.Grid[network.Cell, []overlaps, overlapsClaim]{
			Name:       "overlaps",
			Cells:      cells,
			Regimes:    regimes,
			Measure:    measure,
			Claim:      overlapsClaim{setup.limit, setup.moment},
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, []overlaps, overlapsClaim]{
				{Name: "no own term φy on the same batch", Assumption: "same-batch", Criterion: criterion(2, true),
					Claim: overlap(func(s setup, k int, _ bool) float64 { return s.limit(k, false) })},
				{Name: "an own term on a fresh batch", Criterion: criterion(1, false),
					Claim: overlap(func(s setup, k int, _ bool) float64 { return s.limit(k, true) })},
				{Name: "no noise φ E y² in Xβ", Assumption: "proportional", Criterion: criterion(2, false),
					Claim: overlap(withoutNoise)},
				{Name: "every teacher learned on the same batch", Criterion: criterion(1, true), Claim: overlap(alwaysLearned)},
				{Name: "a fresh batch for the same one", Criterion: criterion(2, true), Alter: exchangeBatches},
				{Name: "labels without their noise", Criterion: moments, Claim: func(c *overlapsClaim) {
					c.moment = func(s setup, p, q int) float64 {
						wrong := s.labels()
						wrong.Noise = 0
						return wrong.Moment(p, q)
					}
				}},
				{Name: "twice the overlap", Criterion: criterion(1, true),
					Claim: overlap(func(s setup, k int, same bool) float64 { return 2 * s.limit(k, same) })},
			},
		},
		props.Grid[network.Cell, second, spikesClaim]{
			Name:       "spikes of W₂",
			Cells:      rowCells,
			Regimes:    rowNames,
			Measure:    measureSecond,
			Claim:      spikesClaim{theory.Outside, func(row, int) float64 { return 1 }},
			Conclude:   concludeSecond,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, second, spikesClaim]{
				{Name: "a floor that counts all of them", Criterion: count, Claim: func(c *spikesClaim) {
					c.outside = func(first, second float64) float64 { return theory.Outside(first, second) - 1 }
				}},
				{Name: "one more", Criterion: count, Claim: func(c *spikesClaim) {
					c.outside = func(first, second float64) float64 { return theory.Outside(first, second) + 1 }
				}},
				{Name: "an activation without further parts", Assumption: "nonlinear", Criterion: count,
					Measure: measureLinear},
				{Name: taylor, Criterion: strength(1), Claim: func(c *spikesClaim) { // of σ and not of σ′
					c.strength = func(_ row, k int) float64 { return 1 / float64(k+1) }
				}},
				{Name: "a third spike without the factor 3", Criterion: strength(2), As: taylor},
				{Name: "η₁ᵏ without c₁ᵏ", Criterion: strength(1), Claim: func(c *spikesClaim) {
					c.strength = func(row row, k int) float64 { return math.Pow(row.Linear, -float64(k)) }
				}},
			},
			Coarse: map[string]string{count: "a count is an integer: what is claimed is compared with the median count " +
				"with a margin of one half", strength(2): "one network scatters by 0.1 at the sizes that can be afforded"},
		},
	},
	Along: &props.Along{
		Param: "phi", From: 0.25, To: 4, Of: []string{"same2", "fresh2"},
		At: map[string]string{"n": "200"}, Y: "alignment of the directions and the teacher", Places: 5, Reps: 3,
	},
	Try: &props.Simulation{Params: sizes, Run: try},
}.Claim()

const taylor = "cₖ₊₁ without the factor k+1"
