// Package hessian pairs Lemma 4 with population gradients of single neurons, integrated over half-spaces: neuron by
// neuron, in the mean over the sphere by cubature, along sizes, and for the largest of many neurons.
package hessian

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/impl/population"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Claim is latent/hessian.
var Claim = props.Spec{
	Statement: &theory.Hessian,
	Checks:    []props.Check{remainder, means, projected, sizes, envelope},
	Try:       simulation,
}.Claim()

var remainder = props.Drawn[gradient, parts]{
	Name:    "exact remainder",
	Cases:   props.Scale{Quick: 100, Standard: 800, Deep: 50000},
	Regimes: hessians,
	Draw: func(t *props.T) gradient {
		return drawGradient(t, rapid.IntRange(2, 6), rapid.Bool())
	},
	Claim: parts{leading: along(theory.Leading), remainder: along(theory.Remainder)},
	Judge: judgeGradient,
	Controls: []props.Wrong[gradient, parts]{
		{Reading: "unit-weights", Criterion: "remainder",
			Draw:  props.Constant(newGradient(theory.Isotropic{D: 1, R: 1}.Target(), []float64{2}, 1)),
			Claim: func(c *parts) { c.leading = theory.Leading }},
		{Name: "linear part kept", Assumption: "centred", Criterion: "remainder", Alter: by(withLinearPart)},
		{Name: "bias 1", Assumption: "no-bias", Criterion: "remainder", Alter: by(withBias)},
		{Name: "a neuron without its partner", Assumption: "paired", Criterion: "remainder", Alter: by(alone)},
		{Name: "loss with ½", Criterion: "leading part",
			Alter: func(g *gradient) { g.Gradient = target.Scaled(g.Gradient, 0.5) }},
		{Name: "remainder by its leading term alone", Criterion: "remainder", Claim: func(c *parts) {
			c.remainder = along(func(f theory.Target, a float64, w []float64) []float64 {
				return target.Scaled(w, a*f.Form(2, w)/math.Sqrt(2*math.Pi))
			})
		}},
		{Name: "no remainder", Criterion: "remainder", Claim: func(c *parts) {
			c.remainder = func(_ theory.Target, _ float64, w []float64) []float64 { return make([]float64, len(w)) }
		}},
		{Name: "remainder without degree 6", Criterion: "remainder",
			Draw: func(t *props.T) gradient { return drawGradient(t, rapid.Just(6), rapid.Bool()) },
			Claim: func(c *parts) {
				c.remainder = along(func(f theory.Target, a float64, w []float64) []float64 {
					return theory.Remainder(f.Below(5), a, w)
				})
			}},
		{Name: "H without its entries off the diagonal", Criterion: "leading part",
			Draw:  func(t *props.T) gradient { return drawGradient(t, rapid.IntRange(2, 4), rapid.Just(true)) },
			Claim: func(c *parts) { c.leading = along(diagonalLeading) }},
	},
	Replicates: 2,
}

var means = props.Drawn[sphere, meansClaim]{
	Name:    "means over the sphere",
	Cases:   props.Scale{Quick: 80, Standard: 400, Deep: 20000},
	Regimes: shapes,
	Draw:    drawSphere,
	Claim: meansClaim{
		bound: theory.Bounds.Remainder, degree: 2, square: theory.Quadratic.MeanSquare,
		latent: theory.Quadratic.Latent, other: theory.Quadratic.Other, length: theory.Isotropic.Remainder,
		singular: smallestSingular,
	},
	Judge: judgeSphere,
	Controls: []props.Wrong[sphere, meansClaim]{
		{Name: "target twice as large", Assumption: "normalised", Criterion: "mean square, bound",
			Draw: drawOneSigned(twice), Cases: 20},
		{Name: "linear part kept, bound", Assumption: "centred", Criterion: "mean square, bound",
			Draw: drawOneSigned(withLinearPart), Cases: 20},
		{Name: "bias 1, bound", Assumption: "no-bias", Criterion: "mean square, bound",
			Draw: drawOneSigned(withBias), Cases: 20},
		{Name: "a neuron without its partner, bound", Assumption: "paired", Criterion: "mean square, bound",
			Draw: drawOneSigned(alone), Cases: 20},
		{Name: "bound without the √2 of the trace", Criterion: "mean square, bound", Claim: func(c *meansClaim) {
			c.bound = func(b theory.Bounds) float64 { return b.Remainder() * math.Sqrt(float64(b.R)/float64(b.R+2)) }
		}},
		{Name: "closed forms of degree 2 for higher degrees", Assumption: "quadratic", Criterion: "mean square",
			Claim: func(c *meansClaim) { c.degree = target.MaxDegree }},
		{Name: "constant of a multiple of the projector for every H", Assumption: "one-signed",
			Criterion: "mean square", Claim: func(c *meansClaim) {
				c.square = func(q theory.Quadratic) float64 {
					r, _ := q.H.Dims()
					return math.Pow(theory.Bounds{D: q.D, R: r, P: 2}.Remainder(), 2)
				}
			}},
		{Name: "second moment H²/d alone", Criterion: "second moment on the latent directions",
			Claim: func(c *meansClaim) {
				c.latent = func(q theory.Quadratic) *mat.Dense {
					var moment mat.Dense
					moment.Mul(q.H, q.H)
					moment.Scale(2/math.Pi/float64(q.D), &moment)
					return &moment
				}
			}},
		{Name: "other directions as if ŵ were normal", Criterion: "second moment on other directions",
			Claim: func(c *meansClaim) {
				c.other = func(q theory.Quadratic) float64 { return q.MeanSquare() / float64(q.D) }
			}},
		{Name: "mean length √r/d", Criterion: "mean length", Claim: func(c *meansClaim) {
			c.length = func(t theory.Isotropic) float64 { return t.Remainder() * math.Sqrt(math.Pi) }
		}},
		{Name: "gap for H of rank 1 of 2", Assumption: "rank", Criterion: "gap, squared", Draw: drawRankOne,
			Claim: func(c *meansClaim) { c.singular = meanSingular }},
	},
	Replicates: 2,
}

var sizes = props.Grid[size, lengths, orders]{
	Name:     "growth with the sizes",
	Cells:    sizeCells,
	Regimes:  []string{"r < d", "r = d"},
	Measure:  measureLengths,
	Claim:    orders{length: theory.Isotropic.Remainder, dimension: -1, directions: 0.5},
	Judge:    judgeLengths,
	Conclude: concludeSizes,
	Cost:     func(c size) float64 { return float64(c.D) * float64(c.D) },
	Controls: []props.WrongCell[size, lengths, orders]{
		{Name: "linear part kept, order in d", Assumption: "centred", Criterion: "exponent of d",
			Alter: of(linearTarget)},
		{Name: "bias 1, order in d", Assumption: "no-bias", Criterion: "exponent of d",
			Measure: measureWrong(withBias), On: cheap},
		{Name: "a neuron without its partner, order in d", Assumption: "paired", Criterion: "exponent of d",
			Measure: measureWrong(alone), On: cheap},
		{Name: "H = 0, order in d", Criterion: "exponent of d", Alter: of(quarticTarget)},
		{Name: "Hessian without trace, growth with r", Assumption: "one-signed", Criterion: "exponent of r",
			Alter: of(tracelessTarget)},
		{Name: "target twice as large, constant", Assumption: "normalised", Criterion: "mean length over a basis",
			Measure: measureWrong(twice), On: cheap},
	},
	Replicates: 1, // nothing but the basis is random
}

var envelope = props.Grid[networks, [][]float64, envelopeClaim]{
	Name:     "envelope over neurons",
	Cells:    networkCells,
	Regimes:  []string{"one latent direction", "several"},
	Measure:  measureLargest,
	Claim:    envelopeClaim{bounded: leastMean, bound: theory.Isotropic.Envelope},
	Judge:    judgeEnvelope,
	Conclude: envelopeFigure,
	Controls: []props.WrongCell[networks, [][]float64, envelopeClaim]{
		{Name: "the largest for the mean", Criterion: largestOnAverage, Claim: func(c *envelopeClaim) {
			c.bounded = func(_ networks, largest []float64) float64 { return slices.Max(largest) }
		}},
		{Name: "bound without logarithm", Criterion: largestOnAverage, Claim: func(c *envelopeClaim) {
			c.bound = func(t theory.Isotropic, _ int) float64 { return t.Envelope(1) }
		}},
		{Name: "neurons along sixteen axes", Assumption: "uniform", Criterion: largestOnAverage, Measure: measureAxes,
			On: func(c networks) bool { return c.D == 64 && c.R == 1 }},
	},
	Replicates: 1,
}

const largestOnAverage = "E max √‖R‖"

// gradientOf is the gradient of the population loss for a target in the weights w of a neuron with output weight a.
type gradientOf func(f poly.Poly, a float64, w []float64) []float64

// inPair is that of a neuron without bias in a symmetric pair.
func inPair(f poly.Poly, a float64, w []float64) []float64 {
	return population.Neuron{A: a, W: w}.Gradient(f)
}

// The other ones are those of controls.
func withBias(f poly.Poly, a float64, w []float64) []float64 {
	return population.Neuron{A: a, W: w, B: 1}.Gradient(f)
}

func alone(f poly.Poly, a float64, w []float64) []float64 {
	return population.Neuron{A: a, W: w}.GradientAlone(f)
}

func withLinearPart(f poly.Poly, a float64, w []float64) []float64 {
	return inPair(f.Plus(poly.Variable(0)), a, w)
}

func twice(f poly.Poly, a float64, w []float64) []float64 { return inPair(f.Scaled(2), a, w) }
