// Package spike pairs the claim onestep/spike with gradients of sampled networks.
package spike

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/spike.
var Claim = props.Spec{
	Statement: &theory.Spike,
	Checks: []props.Check{
		props.Drawn[descent, struct{}]{
			Name:    "gradient",
			Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
			Regimes: []string{"n < d", "n = d", "n > d"},
			Draw:    drawDescent,
			Judge:   judgeDescent,
			Controls: []props.Wrong[descent, struct{}]{
				{Erratum: "gradient-constant", // that of the sum of squares
					Alter: func(in *descent) { in.scale(2 * float64(len(in.Residual))) }},
				{Name: "gradient of the loss without 1/2", Alter: func(in *descent) { in.scale(2) }},
				{Name: "slope of the activation left out", Alter: func(in *descent) {
					in.Slopes = mat.DenseCopyOf(in.Slopes)
					in.Slopes.Apply(func(int, int, float64) float64 { return 1 }, in.Slopes)
				}},
			},
		},
		props.Grid[network.Cell, batch, lengths]{
			Name: "length and angle of β",
			Cells: func(e props.Effort) []network.Cell {
				return network.Cells(setups, props.Scale{Quick: 40, Standard: 96, Deep: 100}.At(e))
			},
			Regimes: network.Teachers,
			Measure: measureBatch,
			Claim: lengths{square: func(theory.Step) float64 { return 1 }, // over b² of the sample
				alignment: theory.Step.Alignment},
			Conclude:   concludeBatches,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, batch, lengths]{
				{Name: "an even teacher", Measure: learnEven},
				{Name: "samples with two variances", Assumption: "isotropic", Measure: learnTwoVariances},
				{Name: "Cauchy noise on the labels", Assumption: "moments", Measure: learnCauchy},
				{Name: "b² without the term φ E y²", Instead: lengths{
					square:    func(s theory.Step) float64 { return math.Pow(s.Linear/s.Length(), 2) },
					alignment: func(theory.Step) float64 { return 1 }}},
			},
		},
		props.Grid[network.Cell, networks, limits]{
			Name: "remainder and outlier",
			Cells: func(e props.Effort) (out []network.Cell) {
				for _, s := range setups {
					count := props.Scale{Quick: 56, Standard: 160, Deep: 400}
					if s.Regime == network.MeanTeacher { // nearest to another claim, without the mean
						count.Quick = 88
					}
					out = append(out, network.CellsOf([]string{s.Name}, count.At(e))...)
				}
				return out
			},
			Regimes:    network.Teachers,
			Measure:    measureSizes,
			Claim:      limits{remainder: split, square: remainder, below: toEdge, right: theory.WeightSpike.Right},
			Conclude:   concludeSizes,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, networks, limits]{
				{Name: "literal output scaling", Assumption: "mean-field", Reading: "output-scale",
					Criterion: exponent, Instead: limits{remainder: literal}},
				{Name: "β from another sample", Assumption: "same-sample", Criterion: exponent,
					Instead: limits{remainder: independent}},
				{Name: "spike of twice the length", Criterion: exponent, Instead: limits{remainder: doubled}},
				{Reading: "small-in-norm", Criterion: exponent, Instead: limits{remainder: frobenius}},
				{Name: "squares of Cauchy noise on the labels", Criterion: rate, Measure: measureHeavy, On: first20},
				{Reading: "mean-free", Criterion: energy, Instead: limits{square: func(s theory.Step) float64 {
					s.Mean = 0
					return remainder(s)
				}}},
				{Name: "weights of rank one for the gradient", Criterion: energy,
					Alter: everywhere(func(_ network.Setup, f *first) { f.Frobenius = 0 })},
				{Name: "‖R‖_F² without the factor φ", Criterion: energy, Instead: limits{square: func(s theory.Step) float64 {
					s.Phi = 1
					return remainder(s)
				}}},
				{Name: "an even activation, c₁ = 0", Assumption: "slope-mean", Criterion: outlier, Measure: measureEven,
					On: func(c network.Cell) bool { return c.Index < 52 }},
				{Name: "strength of the spike without c₁", Criterion: outlier,
					Alter: everywhere(func(s network.Setup, f *first) { f.Spike.Strength /= s.Act.Closed.Coefficient(1) })},
				{Name: "an outlier below the threshold as well", Criterion: below,
					Instead: limits{below: withoutCondition}},
				{Name: "an outlier that does not see β", Criterion: overlap,
					Instead: limits{right: func(theory.WeightSpike) float64 { return 0 }}},
			},
			Coarse: map[string]string{exponent: "the norm of one remainder scatters by 5 % at the sizes that can be " +
				"afforded, and the logarithms that are divided out leave a drift of n^0.01",
				rate: "a bound of one side, which labels of some setups stay away from, and norms scatter by 10 to 25 %"},
		},
		props.Grid[network.Cell, []placed, placing]{
			Name:       "place of a spike",
			Cells:      placeCells,
			Regimes:    shapes,
			Measure:    measurePlace,
			Claim:      placing{theory.WeightSpike.Location, theory.WeightSpike.Right, theory.WeightSpike.Left},
			Conclude:   concludePlace,
			Replicates: 1,
			Controls: []props.WrongCell[network.Cell, []placed, placing]{
				{Name: "1 for 1/ψ in the place", Criterion: place, Instead: placing{
					location: func(s theory.WeightSpike) float64 { return (1 + s.Strength*s.Strength) / s.Strength }}},
				{Name: "overlaps of the two sides exchanged", Criterion: right,
					Instead: placing{right: theory.WeightSpike.Left, left: theory.WeightSpike.Right}},
			},
		},
	},
	Try: &props.Simulation{Params: network.Samples(2, 4000, "800"), Run: try, Draw: drawWeights},
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

// step takes one step of one network at a user's parameters: the gradient of a batch and the weights after it.
func step(t *props.Trial, v statement.Values) (s network.Setup, batch network.Sample, g, w *mat.Dense) {
	s = network.Simulated(t, v)
	batch = s.Draw(t.Rand, s.Sized(t, v, 2e9, "n·d·N", network.Product))
	g = batch.Gradient(s.Act.Run)
	return s, batch, g, algebra.Sum(batch.W, algebra.Scaled(v.Float("eta"), g))
}

func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s, batch, g, w := step(t, v)
	top := network.Leading(linalg.Matrix(w), min(2, len(batch.Beta), len(batch.A)), t.Rand)
	out := map[string]float64{
		"b": floats.Norm(batch.Beta, 2), "rho": network.Cosine(batch.Beta, batch.Target),
		"remainder": math.Pow(mat.Norm(rest(g, s, batch), 2), 2), "largest": top.Values[0], "edge": top.Values[0],
		"overlap": math.Pow(network.Cosine(top.Right[0], batch.Target), 2),
	}
	if theory.StepFrom(v).WeightSpike(v.Float("eta")).Visible() {
		out["edge"] = top.Values[len(top.Values)-1]
	}
	return out, nil
}
