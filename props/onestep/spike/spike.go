// Package spike pairs the claim onestep/spike with gradients of sampled networks.
package spike

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/spike.
var Claim = props.Spec{
	Statement: &theory.Spike,
	Checks: []props.Check{
		props.Instances[descent]{
			Name:    "gradient",
			Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
			Regimes: []string{"n < d", "n = d", "n > d"},
			Draw:    drawDescent,
			Judge:   judgeDescent,
			Controls: []props.Control{
				{Erratum: "gradient-constant", Done: "sum of squares"},
				{Name: "gradient of the loss without 1/2", Done: "no half"},
				{Name: "slope of the activation left out", Claimed: "no slope"},
			},
		},
		props.Sweep[network.Cell, batch]{
			Name: "length and angle of β",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(setups, props.Scale{Quick: 40, Standard: 96, Deep: 100}.At(e))
			},
			Regimes:    network.Teachers,
			Measure:    measureBatch,
			Conclude:   concludeBatches,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "an even teacher", Done: "even teacher"},
				{Name: "samples with two variances", Assumption: "isotropic", Done: "two variances"},
				{Name: "Cauchy noise on the labels", Assumption: "moments", Done: "Cauchy"},
				{Name: "b² without the term φ E y²", Claimed: "no energy"},
			},
		},
		props.Sweep[network.Cell, []first]{
			Name: "remainder and outlier",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(setups, props.Scale{Quick: 40, Standard: 144, Deep: 400}.At(e))
			},
			Regimes:    network.Teachers,
			Measure:    measureSizes,
			Conclude:   concludeSizes,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "literal output scaling", Assumption: "mean-field", Reading: "output-scale",
					Criterion: exponent, Claimed: "literal"},
				{Name: "β from another sample", Assumption: "same-sample", Criterion: exponent, Claimed: "foreign"},
				{Name: "spike of twice the length", Criterion: exponent, Claimed: "doubled"},
				{Reading: "small-in-norm", Criterion: exponent, Claimed: "Frobenius"},
				{Name: "squares of Cauchy noise on the labels", Criterion: rate, Done: heavy},
				{Reading: "mean-free", Criterion: energy, Claimed: "no mean"},
				{Name: "weights of rank one for the gradient", Criterion: energy, Claimed: "rank one"},
				{Name: "‖R‖_F² without the factor φ", Criterion: energy, Claimed: "no φ"},
				{Name: "an even activation, c₁ = 0", Assumption: "slope-mean", Criterion: outlier,
					Done: "even activation"},
				{Name: "strength of the spike without c₁", Criterion: outlier, Claimed: "without c₁"},
				{Name: "an outlier below the threshold as well", Criterion: below, Claimed: "always"},
				{Name: "an outlier that does not see β", Criterion: overlap, Claimed: "blind"},
			},
			Coarse: map[string]string{exponent: "the norm of one remainder scatters by 5 % at the sizes that can be " +
				"afforded, and the logarithms that are divided out leave a drift of n^0.01",
				rate: "a bound of one side, which labels of some setups stay away from, and norms scatter by 10 to 25 %"},
		},
		props.Sweep[network.Cell, placed]{
			Name:       "place of a spike",
			Cells:      placeCells,
			Regimes:    shapes,
			Measure:    measurePlace,
			Conclude:   concludePlace,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "1 for 1/ψ in the place", Criterion: place, Claimed: "square"},
				{Name: "overlaps of the two sides exchanged", Criterion: right, Claimed: "exchanged"},
			},
		},
	},
	Try: &props.Simulation{Params: sizes, Run: try, Draw: drawWeights},
}.Claim()

// setups have both settings of the slides, a sign-like teacher, two with a mean, rows on the sphere and Gaussian ones,
// φ and ψ on both sides of one, and one activation with a kink.
var setups = []network.Setup{
	{Name: "Setting 1, phase-sine", Regime: network.LinearTeacher, Phi: 0.5, Psi: 0.5,
		Act: network.Named("phase-sine"), Teacher: network.Linear(1)},
	{Name: "tanh, d > n", Regime: network.LinearTeacher, Phi: 1.5, Psi: 2,
		Act: network.Named("tanh"), Teacher: network.Linear(0.5), GaussianRows: true},
	{Name: "Setting 2, sincos", Regime: network.NonlinearTeacher, Phi: 0.4, Psi: 0.5,
		Act: network.Named("sincos"), Teacher: network.Quadratic(0, 1, math.Sqrt(0.5), 0)},
	{Name: "sign, ReLU", Regime: network.NonlinearTeacher, Phi: 0.5, Psi: 1.25,
		Act: network.Named("relu"), Teacher: network.Sign(0.5), GaussianRows: true},
	{Name: "rectified, sincos", Regime: network.MeanTeacher, Phi: 0.4, Psi: 0.5,
		Act: network.Named("sincos"), Teacher: network.Rectified(0.3)},
	{Name: "Setting 2 plus one, quadratic", Regime: network.MeanTeacher, Phi: 0.8, Psi: 0.6,
		Act: network.Named("quadratic"), Teacher: network.Quadratic(1, 1, math.Sqrt(0.5), 0)},
}
