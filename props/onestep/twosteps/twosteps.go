// Package twosteps pairs the claim onestep/twosteps with directions of sampled second batches.
package twosteps

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/twosteps.
var Claim = props.Spec{
	Statement: &theory.TwoSteps,
	Checks: []props.Check{
		props.Sweep[network.Cell, overlaps]{
			Name:       "overlaps",
			Cells:      cells,
			Regimes:    regimes,
			Measure:    measure,
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "no own term φy on the same batch", Assumption: "same-batch", Criterion: criterion(2, true),
					Claimed: "no own term"},
				{Name: "an own term on a fresh batch", Criterion: criterion(1, false), Claimed: "own term"},
				{Name: "no noise φ E y² in Xβ", Assumption: "proportional", Criterion: criterion(2, false),
					Claimed: "no noise"},
				{Reading: "exponent", Criterion: criterion(1, true), Claimed: "learned"},
				{Name: "a fresh batch for the same one", Criterion: criterion(2, true), Claimed: "exchanged"},
				{Name: "labels without their noise", Criterion: moments, Claimed: "noiseless"},
				{Name: "twice the overlap", Criterion: criterion(1, true), Claimed: "twice"},
			},
		},
		props.Sweep[network.Cell, second]{
			Name:       "spikes of W₂",
			Cells:      rowCells,
			Regimes:    rowNames,
			Measure:    measureSecond,
			Conclude:   concludeSecond,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "a floor that counts all of them", Criterion: count, Claimed: "new ones only"},
				{Name: "one more", Criterion: count, Claimed: "one more"},
				{Name: "an activation without further parts", Assumption: "nonlinear", Criterion: count, Done: "linear"},
				{Name: "cₖ₊₁ without the factor k+1", Criterion: strength(1), Claimed: "Taylor"},
				{Name: "a third spike without the factor 3", Criterion: strength(2), Claimed: "Taylor"},
				{Name: "η₁ᵏ without c₁ᵏ", Criterion: strength(1), Claimed: "without c₁ᵏ"},
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
