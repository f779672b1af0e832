// Package expansion pairs the claim onestep/expansion with features of sampled networks, for the weights that the
// source displays and for the weights after a step along the true gradient.
package expansion

import (
	"math"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/expansion.
var Claim = props.Spec{
	Statement: &theory.Expansion,
	Checks: []props.Check{
		props.Grid[network.Cell, []grown, growth]{
			Name: "growth of what is left",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(setups, props.Scale{Quick: 52, Standard: 48, Deep: 200}.At(e))
			},
			Regimes:    kinds,
			Measure:    measureGrowth,
			Claim:      growth{none: func(g grown) float64 { return g.None }, exponent: theory.Features.Growth},
			Conclude:   concludeGrowth,
			Replicates: 1,
			Coarse:     map[string]string{ended: "the norm of what is left scatters by 5 % from network to network"},
			Controls: []props.WrongCell[network.Cell, []grown, growth]{
				{Name: "one term less", Criterion: ended,
					Instead: growth{none: func(g grown) float64 { return g.ToCome[above] }}},
				{Name: "α above the interval", Assumption: "interval", Criterion: growing,
					Instead: growth{exponent: func(f theory.Features, terms int, alpha float64) float64 {
						if terms == toCome[above].terms {
							alpha = toCome[0].alpha
						}
						return f.Growth(terms, alpha)
					}}},
				{Name: "the next term without c₁ᵏ", Criterion: next, Alter: func(_ network.Cell, all *[]grown) {
					*all = network.Map(*all, grown.withoutLinear)
				}},
			},
		},
		props.Grid[network.Cell, []sized, coefficients]{
			Name: "coefficients",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(setups, props.Scale{Quick: 72, Standard: 256, Deep: 1024}.At(e))
			},
			Regimes:    kinds,
			Measure:    measureCoefficients,
			Claim:      coefficients{displayed: ofPower, linear: 1},
			Conclude:   concludeCoefficients,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, []sized, coefficients]{
				{Name: "cₖηᵏ without c₁ᵏ", Criterion: displayed[1],
					Instead: coefficients{displayed: func(f theory.Features, k int) float64 {
						return ofPower(f, k) / math.Pow(f.Activation.Coefficient(1), float64(k))
					}}},
				{Name: "η for ηᵏ", Criterion: displayed[1],
					Instead: coefficients{displayed: func(f theory.Features, k int) float64 {
						return ofPower(f, k) / math.Pow(f.Eta, float64(k-1))
					}}},
				{Name: "orthonormal Hermite coefficients", Criterion: displayed[1],
					Instead: coefficients{displayed: func(f theory.Features, k int) float64 {
						return ofPower(f, k) * math.Sqrt(math.Gamma(float64(k+1)))
					}}},
				{Name: "a for a^∘k", Criterion: displayed[1], // of u^k aᵀ alone
					Instead: coefficients{displayed: func(f theory.Features, k int) float64 {
						return map[bool]float64{true: ofPower(f, k)}[k == 1]
					}}},
				{Name: "twice the linear term", Criterion: sine, Instead: coefficients{linear: 2}},
			},
		},
		props.Grid[network.Cell, []sized, means]{
			Name: "means of the true gradient",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(learners, props.Scale{Quick: 80, Standard: 384, Deep: 384}.At(e))
			},
			Regimes:    network.Teachers,
			Measure:    measureMeans,
			Claim:      theory.Features.Left,
			Conclude:   concludeMeans,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, []sized, means]{
				{Reading: "true-gradient", Assumption: "weights", Criterion: constant, // rank one
					Instead: after(func(f *theory.Features) { f.Trained = false })},
				{Name: "s² without the factor φ", Criterion: constant,
					Instead: after(func(f *theory.Features) { f.Phi = 1 })},
				{Name: "E σ⁽ᵏ⁾ in place of E σ⁽ᵏ⁾/k!", Criterion: "P₃, coefficient of u^3",
					Instead: func(f theory.Features, k int) []float64 {
						return network.Map(f.Left(k), func(x float64) float64 { return x * math.Gamma(float64(k+1)) })
					}},
				{Name: "P_k without the mean of the labels", Criterion: "P₁, coefficient of 1",
					Instead: after(func(f *theory.Features) { f.Mean = 0 })},
				{Name: "the step's own sample", Assumption: "fresh-sample", Criterion: "P₁, coefficient of u",
					Measure: measureReuse},
			},
			Coarse: map[string]string{
				constant: third, "P₂, coefficient of u": third, "P₃, coefficient of u": third, "P₃, coefficient of u^3": third,
			},
		},
		props.Grid[spectrumCell, spectrum, outliers]{
			Name:       "outliers",
			Cells:      spectrumCells,
			Regimes:    spectra,
			Measure:    measureSpectra,
			Claim:      outliers{count: row.expected, lost: func(theory.Features) float64 { return 1 }, top: theory.Bulk.Top},
			Conclude:   concludeSpectra,
			Replicates: 1,
			Controls: []props.WrongCell[spectrumCell, spectrum, outliers]{
				{Name: "an outlier for every k ≤ ℓ", Assumption: "nonzero", Criterion: count,
					Instead: outliers{count: func(row row, f theory.Features) int {
						return row.expected(f) - f.Spikes(row.terms) + row.terms
					}}},
				{Name: "the outlier of F₀ is never lost", Criterion: behind, Instead: outliers{
					lost: func(f theory.Features) float64 { return f.OwnOutlier(0) / f.Bulk().Edge() }}},
				{Reading: "bulk-only", Criterion: count, Instead: outliers{
					count: func(row row, f theory.Features) int { return f.Spikes(row.terms) }}},
				{Name: "α below the interval", Assumption: "interval", Criterion: count,
					Measure: smaller("ℓ = 1", func(row *row) { row.alpha = -0.2 })},
				{Name: "an activation of mean one", Assumption: "centred", Criterion: count,
					Measure: smaller("ℓ = 1", func(row *row) {
						centred := row.Act.Run
						row.Act.Run = nn.Activation{Value: func(z float64) float64 { return 1 + centred.Value(z) },
							Slope: centred.Slope}
					})},
				{Name: "Gaussian rows of W₀", Assumption: "unit-rows", Criterion: count,
					Measure: smaller("F₀ with an outlier", func(row *row) { row.GaussianRows = true })},
				{Name: "spikes twice as long", Criterion: places, Alter: everywhere(func(s *spectrum) {
					s.Predicted = network.Map(s.Predicted, func(x float64) float64 { return 2 * x })
				})},
				{Name: "features without their linear part", Criterion: edge,
					Instead: outliers{top: func(b theory.Bulk, n float64) float64 {
						b.Linear = 0
						return b.Top(n)
					}}},
				{Name: "left vectors in the span of one power less", Criterion: lefts,
					Alter: everywhere(func(s *spectrum) { s.Left.Want = s.Left.Fewer })},
				{Name: "right vectors in the span of one power less", Criterion: rights,
					Alter: everywhere(func(s *spectrum) { s.Right.Want = s.Right.Fewer })},
			},
			Coarse: map[string]string{
				places: "an outlier of F₀ alone scatters by 1.3 % at n of a few hundred",
				behind: "the edge of one network scatters by 2 to 3 % at the n that can be afforded with n = 20d",
				edge:   "the edge of one network scatters by n^(−2/3), 1 to 2 % here, and is off by as much",
			},
		},
	},
	Try: &props.Simulation{Run: try, Draw: drawSpectrum},
}.Claim()

// third explains why some coefficients have a coarse resolution.
const third = "what networks scatter by is of order 1/n with high moments of the labels, 3 to 5 % at n of a few " +
	"hundred; 0.05 would take 400 to 1000 networks of each kind"

// gaussianRows is the regime of rows of W₀ from N(0, I/d), as on the slides, and labels with a mean.
const gaussianRows = "Gaussian rows, E y ≠ 0"

// kinds are the regimes of setups.
var kinds = []string{network.LinearTeacher, network.NonlinearTeacher, gaussianRows}

// setups holds both settings of the slides and, for Gaussian rows of W₀, a teacher with a mean. Their activation is a
// cubic with second- and third-order parts that are small compared with the linear part, which keeps the corrections of
// order 1/d small.
var setups = []network.Setup{
	{Name: "Setting 1", Regime: network.LinearTeacher, Phi: 0.4, Psi: 0.5, Act: cubic, Teacher: network.Linear(1)},
	{Name: "Setting 2", Regime: network.NonlinearTeacher, Phi: 0.4, Psi: 0.5, Act: cubic,
		Teacher: network.Quadratic(0, 1, math.Sqrt(0.5), 0)},
	{Name: "z + 1", Regime: gaussianRows, Phi: 0.6, Psi: 0.4, Act: cubic,
		Teacher: network.Quadratic(1, 1, 0, 0.5), GaussianRows: true},
}

// learners replaces the nonlinear labels of Setting 2 by labels without heavy tails, because the scatter of the
// gradient's third powers depends on the eighth powers of the labels.
var learners = []network.Setup{
	setups[0],
	{Name: "sign", Regime: network.NonlinearTeacher, Phi: 0.4, Psi: 0.5, Act: cubic, Teacher: network.Sign(0.5)},
	{Name: "z + 1", Regime: network.MeanTeacher, Phi: 0.6, Psi: 0.4, Act: cubic,
		Teacher: network.Quadratic(1, 1, 0, 0.5)},
}

var cubic = network.Series(0, 0.8, 0.25, 0.08)

// stepSize is η = κn^α.
func stepSize(kappa, alpha float64, n int) float64 { return kappa * math.Pow(float64(n), alpha) }
