// Package hessian pairs Lemma 4 with population gradients of single neurons, integrated over half-spaces: neuron by
// neuron, in the mean over the sphere by cubature, along sizes, and for the largest of many neurons.
package hessian

import (
	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Claim is latent/hessian.
var Claim = props.Spec{
	Statement: &theory.Hessian,
	Checks:    []props.Check{remainder, means, projected, sizes, envelope},
	Try:       simulation,
}.Claim()

var remainder = props.Instances[gradient]{
	Name:    "exact remainder",
	Cases:   props.Scale{Quick: 100, Standard: 800, Deep: 50000},
	Regimes: hessians,
	Draw:    drawGradient,
	Judge:   judgeGradient,
	Controls: []props.Control{
		{Reading: "unit-weights", Criterion: "remainder", Done: "(x²−1)/√2 at w = 2", Claimed: "Hw"},
		{Name: "linear part kept", Assumption: "centred", Criterion: "remainder", Done: "linear part"},
		{Name: "bias 1", Assumption: "no-bias", Criterion: "remainder", Done: "bias"},
		{Name: "a neuron without its partner", Assumption: "paired", Criterion: "remainder", Done: "alone"},
		{Name: "loss with ½", Criterion: "leading part", Done: "half the loss"},
		{Name: "remainder by its leading term alone", Criterion: "remainder", Claimed: "degree 2"},
		{Name: "no remainder", Criterion: "remainder", Claimed: "none"},
		{Name: "remainder without degree 6", Criterion: "remainder", Done: "degree 6", Claimed: "degree 4"},
		{Name: "H without its entries off the diagonal", Criterion: "leading part", Done: "general position",
			Claimed: "diagonal"},
	},
	Replicates: 2,
}

var means = props.Instances[sphere]{
	Name:    "means over the sphere",
	Cases:   props.Scale{Quick: 80, Standard: 400, Deep: 20000},
	Regimes: shapes,
	Draw:    drawSphere,
	Judge:   judgeSphere,
	Controls: []props.Control{
		{Name: "target twice as large", Assumption: "normalised", Criterion: "mean square, bound", Done: "doubled"},
		{Name: "linear part kept, bound", Assumption: "centred", Criterion: "mean square, bound", Done: "linear part"},
		{Name: "bias 1, bound", Assumption: "no-bias", Criterion: "mean square, bound", Done: "bias"},
		{Name: "a neuron without its partner, bound", Assumption: "paired",
			Criterion: "mean square, bound", Done: "alone"},
		{Name: "bound without the √2 of the trace", Criterion: "mean square, bound", Claimed: "r"},
		{Name: "closed forms of degree 2 for higher degrees", Assumption: "quadratic",
			Criterion: "mean square", Claimed: "any degree"},
		{Name: "constant of a multiple of the projector for every H", Assumption: "one-signed",
			Criterion: "mean square", Done: "one sign", Claimed: "isotropic"},
		{Name: "second moment H²/d alone", Criterion: "second moment on the latent directions", Claimed: "leading"},
		{Name: "other directions as if ŵ were normal", Criterion: "second moment on other directions",
			Claimed: "normal"},
		{Name: "mean length √r/d", Criterion: "mean length", Done: shapes[0], Claimed: "no √π"},
		{Name: "gap for H of rank 1 of 2", Assumption: "rank",
			Criterion: "gap, squared", Done: "rank 1", Claimed: "root mean square singular value"},
	},
	Replicates: 2,
}

var sizes = props.Sweep[size, lengths]{
	Name:     "growth with the sizes",
	Cells:    sizeCells,
	Regimes:  []string{"r < d", "r = d"},
	Measure:  measureLengths,
	Judge:    judgeLengths,
	Conclude: concludeSizes,
	Cost:     func(c size) float64 { return float64(c.D) * float64(c.D) },
	Controls: []props.Control{
		{Name: "linear part kept, order in d", Assumption: "centred", Criterion: "exponent of d", Done: "linear part"},
		{Name: "bias 1, order in d", Assumption: "no-bias", Criterion: "exponent of d", Done: "bias"},
		{Name: "a neuron without its partner, order in d", Assumption: "paired",
			Criterion: "exponent of d", Done: "alone"},
		{Name: "H = 0, order in d", Criterion: "exponent of d", Done: "He₄, H = 0"},
		{Name: "Hessian without trace, growth with r", Assumption: "one-signed",
			Criterion: "exponent of r", Done: "alternating signs"},
		{Name: "target twice as large, constant", Assumption: "normalised",
			Criterion: "mean length over a basis", Done: "doubled"},
	},
	Replicates: 1, // nothing but the basis is random
}

var envelope = props.Sweep[networks, [][]float64]{
	Name:     "envelope over neurons",
	Cells:    networkCells,
	Regimes:  []string{"one latent direction", "several"},
	Measure:  measureLargest,
	Judge:    judgeEnvelope,
	Conclude: envelopeFigure,
	Controls: []props.Control{
		{Reading: "every-network", Criterion: largestOnAverage, Claimed: "every network"},
		{Name: "bound without logarithm", Criterion: largestOnAverage, Claimed: "no logarithm"},
		{Name: "neurons along the axes", Assumption: "uniform", Criterion: largestOnAverage, Done: "axes"},
	},
	Replicates: 1,
}

const largestOnAverage = "E max √‖R‖"

// neuronGradient is the gradient of a neuron without bias in a symmetric pair, or of what is done in its place.
func neuronGradient(done string, f poly.Poly, a float64, w []float64) []float64 {
	n := population.Neuron{A: a, W: w}
	switch done {
	case "bias":
		n.B = 1
	case "alone":
		return n.GradientAlone(f)
	case "half the loss":
		return target.Scaled(n.Gradient(f), 0.5)
	}
	return n.Gradient(f)
}

// disturbed is a target with what a control adds to it.
func disturbed(done string, f theory.Target) theory.Target {
	switch done {
	case "linear part":
		return append(theory.Target{{Coefficient: 1, Degrees: []int{1}}}, f...)
	case "doubled":
		var twice theory.Target
		for _, t := range f {
			twice = append(twice, theory.Term{Coefficient: 2 * t.Coefficient, Degrees: t.Degrees})
		}
		return twice
	}
	return f
}
