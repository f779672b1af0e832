// Package hessian pairs Lemma 4 with population gradients of neurons, integrated over half-spaces: for single neurons,
// for means over the sphere by cubature, for increasing sizes, and for the largest of many neurons.
package hessian

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
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
	Tries:   44,
	Regimes: hessians,
	Draw: func(t *props.T) gradient {
		return drawGradient(t, rapid.IntRange(2, 6), rapid.Bool())
	},
	Claim: parts{leading: along(theory.Leading), remainder: along(theory.Remainder)},
	Judge: judgeGradient,
	Controls: []props.Wrong[gradient, parts]{
		{Reading: "unit-weights", Criterion: "remainder",
			Draw:    props.Constant(newGradient(theory.Isotropic{D: 1, R: 1}.Target(), []float64{2}, 1)),
			Instead: parts{leading: theory.Leading}},
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
		{Name: "no remainder", Criterion: "remainder",
			Instead: parts{remainder: func(_ theory.Target, _ float64, w []float64) []float64 {
				return make([]float64, len(w))
			}}},
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
		{Name: "bound without the √2 of the trace", Criterion: "mean square, bound",
			Instead: meansClaim{bound: func(b theory.Bounds) float64 {
				return b.Remainder() * math.Sqrt(float64(b.R)/float64(b.R+2))
			}}},
		{Name: "closed forms of degree 2 for higher degrees", Assumption: "quadratic", Criterion: "mean square",
			Instead: meansClaim{degree: target.MaxDegree}},
		{Name: "constant of a multiple of the projector for every H", Assumption: "one-signed",
			Criterion: "mean square", Instead: meansClaim{square: func(q theory.Quadratic) float64 {
				r, _ := q.H.Dims()
				return math.Pow(theory.Bounds{D: q.D, R: r, P: 2}.Remainder(), 2)
			}}},
		{Name: "second moment H²/d alone", Criterion: "second moment on the latent directions",
			Instead: meansClaim{latent: func(q theory.Quadratic) *mat.Dense {
				moment := algebra.Product(q.H, q.H)
				moment.Scale(2/math.Pi/float64(q.D), moment)
				return moment
			}}},
		{Name: "other directions as if ŵ were normal", Criterion: "second moment on other directions",
			Instead: meansClaim{other: func(q theory.Quadratic) float64 { return q.MeanSquare() / float64(q.D) }}},
		{Name: "mean length √r/d", Criterion: "mean length",
			Instead: meansClaim{length: func(t theory.Isotropic) float64 { return t.Remainder() * math.Sqrt(math.Pi) }}},
		{Name: "gap for H of rank 1 of 2", Assumption: "rank", Criterion: "gap, squared", Draw: drawRankOne,
			Instead: meansClaim{singular: meanSingular}},
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

var envelope = props.Grid[networks, []remainders, envelopeClaim]{
	Name:     "envelope over neurons",
	Cells:    networkCells,
	Regimes:  []string{"one latent direction", "several"},
	Measure:  measureLargest,
	Claim:    envelopeClaim{bounded: leastMean, bound: theory.Isotropic.Envelope},
	Judge:    judgeEnvelope,
	Conclude: envelopeFigure,
	Controls: []props.WrongCell[networks, []remainders, envelopeClaim]{
		{Name: "the largest for the mean", Criterion: largestOnAverage,
			Instead: envelopeClaim{bounded: func(_ networks, m remainders) float64 { return m.Largest }}},
		{Name: "bound without logarithm", Criterion: largestOnAverage,
			Instead: envelopeClaim{bound: func(t theory.Isotropic, _ int) float64 { return t.Envelope(1) }}},
		{Name: "neurons along sixteen axes", Assumption: "uniform", Criterion: largestOnAverage, Measure: measureAxes,
			On: func(c networks) bool { return c.D == 64 && c.R == 1 }},
	},
	Replicates: 1,
}

const largestOnAverage = "E max √‖R‖"

// gradientOf computes the gradient of the population loss for a target, in the weights w of a neuron with output weight
// a.
type gradientOf func(f poly.Poly, a float64, w []float64) []float64

// inPair computes it for a neuron without bias in a symmetric pair.
func inPair(f poly.Poly, a float64, w []float64) []float64 {
	return poly.Neuron{A: a, W: w}.Gradient(f)
}

// The gradients below belong to controls.
func withBias(f poly.Poly, a float64, w []float64) []float64 {
	return poly.Neuron{A: a, W: w, B: 1}.Gradient(f)
}

func alone(f poly.Poly, a float64, w []float64) []float64 {
	return poly.Neuron{A: a, W: w}.GradientAlone(f)
}

func withLinearPart(f poly.Poly, a float64, w []float64) []float64 {
	return inPair(f.Plus(poly.Variable(0)), a, w)
}

func twice(f poly.Poly, a float64, w []float64) []float64 { return inPair(f.Scaled(2), a, w) }

var projected = props.Drawn[shadow, projectedClaim]{
	Name:    "remainder within the subspace",
	Cases:   props.Scale{Quick: 30, Standard: 200, Deep: 5000},
	Regimes: []string{"r < d", "r = d"},
	Draw:    func(t *props.T) shadow { return drawShadow(t, inPair) },
	Claim:   projectedClaim{theory.Isotropic.Projected},
	Judge:   judgeShadow,
	Controls: []props.Wrong[shadow, projectedClaim]{
		{Name: "linear part kept, within the subspace", Assumption: "centred",
			Draw: func(t *props.T) shadow { return drawShadow(t, withLinearPart) }, Cases: 10},
		{Name: "bias 1, within the subspace", Assumption: "no-bias",
			Draw: func(t *props.T) shadow { return drawShadow(t, withBias) }, Cases: 10},
		{Name: "all of the remainder", Instead: projectedClaim{length: theory.Isotropic.Remainder}},
		{Name: "root mean square in place of the mean", Instead: projectedClaim{length: projectedRoot}},
		{Name: "r/d^(3/2)",
			Instead: projectedClaim{length: func(t theory.Isotropic) float64 {
				return float64(t.R) / math.Pow(float64(t.D), 1.5)
			}}},
	},
	Replicates: 2,
}

// projectedClaim holds the claimed E‖Π⋆R‖.
type projectedClaim struct {
	length func(theory.Isotropic) float64
}

// projectedRoot returns √(E‖Π⋆R‖²), from E ρ⁶ = r(r+2)(r+4)/(d(d+2)(d+4)).
func projectedRoot(t theory.Isotropic) float64 {
	d, r := float64(t.D), float64(t.R)
	return math.Sqrt((r + 2) * (r + 4) / (math.Pi * d * (d + 2) * (d + 4)))
}

// shadow holds E‖Π⋆R‖ for the isotropic target, and a bound on its error.
type shadow struct {
	theory.Isotropic
	Length, Error float64
}

// drawShadow integrates over ρ = ‖Π⋆ŵ‖, whose density is proportional to ρ^(r−1)(1−ρ²)^((d−r)/2−1). If d − r is even,
// that is a polynomial, and Gauss-Legendre is exact.
func drawShadow(t *props.T, gradient gradientOf) shadow {
	s := shadow{Isotropic: theory.Isotropic{R: rapid.IntRange(1, 6).Draw(t.T, "r")}}
	half := rapid.IntRange(0, (40-s.R)/2).Draw(t.T, "(d−r)/2")
	s.D = s.R + 2*half
	nodes, weights := []float64{1}, []float64{1}
	if half > 0 {
		const count = 24 // exact up to degree 47
		nodes, weights = make([]float64, count), make([]float64, count)
		quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	}
	f, r, mass := s.Target(), t.Stream("directions"), 0.0
	p := target.Monomials(f)
	for k, rho := range nodes {
		weight := weights[k] * math.Pow(rho, float64(s.R-1))
		if half > 0 {
			weight *= math.Pow((1-rho)*(1+rho), float64(half-1))
		}
		w := direction(r, target.Scaled(direction(r, nil, s.R), rho), s.D)
		g := gradient(p, 1, w)
		floats.Sub(g, theory.Leading(f, 1, w))
		of := theory.Series{Target: f, W: w}
		mass += weight
		s.Length += weight * floats.Norm(g[:s.R], 2)
		s.Error += weight * 2 * (target.Rounding(of, p, roundoff.Unit) + of.Rounding(roundoff.Unit))
	}
	s.Length /= mass
	s.Error /= mass
	return s
}

// judgeShadow allows the errors of the gradients, and the roundings of nodes, powers and gamma functions in the mean.
func judgeShadow(r *props.Record, s shadow, c projectedClaim) {
	r.RegimeOf(s.R == s.D)
	r.Within("E‖Π⋆R‖", s.Length, c.length(s.Isotropic), s.Error+float64(40*s.D+1000)*r.Unit()*s.Length)
}

// simulation computes the population gradients of one network of m random neurons for the isotropic target.
var simulation = &props.Simulation{Run: simulate}

// mostWork bounds m·(d + 100r) to a few seconds, and mostDimensions bounds the memory of a gradient.
const mostWork, mostDimensions = 3e8, 1e7

func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, r, m := v.Int("d"), v.Int("r"), v.Int("m")
	t.Need(d <= mostDimensions, "d=%d cannot be simulated: at most %.0e dimensions", d, mostDimensions)
	t.Need(float64(m)*float64(d+100*r) <= mostWork,
		"m=%d neurons in d=%d dimensions are too many: m·(d+100r) may be %.0e", m, d, mostWork)
	named, err := target.Simulated(r)
	t.Refuse(err)
	f := named.Terms
	p, lengths := target.Monomials(f), make([]float64, m)
	signal, noise := 0.0, 0.0
	for j := range lengths {
		w, a := direction(t.Rand, nil, d), float64(2*t.Rand.IntN(2)-1)
		g := inPair(p, a, w)
		lengths[j] = floats.Norm(target.Plus(g, -1, theory.Leading(f, a, w)), 2)
		signal += floats.Dot(g[:r], g[:r]) / float64(m*r)
		noise += floats.Dot(g[r:], g[r:]) / float64(m) / math.Max(1, float64(d-r))
	}
	mean := floats.Sum(lengths) / float64(m)
	out := map[string]float64{"remainder": mean, "envelope": floats.Max(lengths), "signal": signal}
	if m > 1 {
		out["spread"] = stat.StdDev(lengths, nil) / mean
	}
	if d > r {
		out["noise"], out["gap"] = noise, math.Sqrt(signal/noise)
	}
	return out, nil
}
