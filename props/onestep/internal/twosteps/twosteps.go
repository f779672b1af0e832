// Package twosteps pairs the claim onestep/twosteps with directions of sampled second batches.
package twosteps

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
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
					Instead: overlapsClaim{overlap: func(s setup, k int, _ bool) float64 { return s.limit(k, false) }}},
				{Name: "an own term on a fresh batch", Criterion: criterion(1, false),
					Instead: overlapsClaim{overlap: func(s setup, k int, _ bool) float64 { return s.limit(k, true) }}},
				{Name: "no noise φ E y² in Xβ", Assumption: "proportional", Criterion: criterion(2, false),
					Instead: overlapsClaim{overlap: setup.withoutNoise}},
				{Name: "every teacher learned on the same batch", Criterion: criterion(1, true),
					Instead: overlapsClaim{overlap: setup.alwaysLearned}},
				{Name: "a fresh batch for the same one", Criterion: criterion(2, true), Alter: exchangeBatches},
				{Name: "labels without their noise", Criterion: moments,
					Instead: overlapsClaim{moment: func(s setup, p, q int) float64 {
						s.Noise = 0
						return s.labels().Moment(p, q)
					}}},
				{Name: "twice the overlap", Criterion: criterion(1, true),
					Instead: overlapsClaim{overlap: func(s setup, k int, same bool) float64 { return 2 * s.limit(k, same) }}},
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
				{Name: "a floor that counts all of them", Criterion: count, Instead: spikesClaim{
					outside: func(first, second float64) float64 { return theory.Outside(first, second) - 1 }}},
				{Name: "one more", Criterion: count, Instead: spikesClaim{
					outside: func(first, second float64) float64 { return theory.Outside(first, second) + 1 }}},
				{Name: "an activation without further parts", Assumption: "nonlinear", Criterion: count,
					Measure: measureLinear},
				{Name: taylor, Criterion: strength(1), // of σ and not of σ′
					Instead: spikesClaim{strength: func(_ row, k int) float64 { return 1 / float64(k+1) }}},
				{Name: "a third spike without the factor 3", Criterion: strength(2), As: taylor},
				{Name: "η₁ᵏ without c₁ᵏ", Criterion: strength(1), Instead: spikesClaim{
					strength: func(row row, k int) float64 { return math.Pow(row.Linear, -float64(k)) }}},
			},
			Coarse: map[string]string{strength(2): "one network scatters by 0.1 at the sizes that can be afforded"},
		},
	},
	Along: &props.Along{
		Param: "phi", From: 0.25, To: 4, Of: []string{"same2", "fresh2"},
		At: map[string]string{"n": "200"}, Y: "alignment of the directions and the teacher", Places: 5, Reps: 3,
	},
	Try: &props.Simulation{Params: network.Samples(2, 8000, "2000"), Run: try},
}.Claim()

const taylor = "cₖ₊₁ without the factor k+1"

// try takes the directions of one pair of batches.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := setup{Phi: v.Float("phi"), Noise: v.Float("noise"), Link: theory.Links[v.Choice("teacher")]}
	o := s.sample(t, max(1, int(math.Round(v.Float("n")*math.Sqrt(s.Phi)))), true)
	return map[string]float64{"same1": o.Same[0], "same2": o.Same[1], "fresh1": o.Fresh[0], "fresh2": o.Fresh[1]}, nil
}
