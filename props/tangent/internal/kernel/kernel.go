// Package kernel pairs Theorem 1 on adaptive tangent features with the adaptive linear model: the closed forms of the
// scalar problem with brute force, the optimum with random feasible pairs, the solution with the model's own cost,
// kernel and predictor, and all of these with the results of optimisation from random starts.
package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Claim is tangent/kernel.
var Claim = props.Spec{
	Statement: &theory.Kernel,
	Checks:    []props.Check{scalarProblem, lowerBound, solution, restarts},
	Try:       simulation,
}.Claim()

var scalarProblem = props.Drawn[scalar, posed]{
	Replicates: 3,
	Name:       "the scalar problem by brute force",
	Cases:      props.Scale{Quick: 500, Standard: 1500, Deep: 400000},
	Regimes:    scalarRegimes,
	Draw:       drawScalar,
	Claim:      func(s theory.Stretch) theory.Stretch { return s },
	Judge:      judgeScalar,
	Controls: []props.Wrong[scalar, posed]{
		{Name: "v/z² in place of v²/z²", Criterion: "effective penalty",
			Instead: func(s theory.Stretch) theory.Stretch { s.Norm = math.Sqrt(s.Norm); return s }},
		{Name: "½‖θ‖² in place of ‖θ‖²", Criterion: "stretch, as s−1",
			Instead: func(s theory.Stretch) theory.Stretch { s.Norm /= math.Sqrt2; return s }},
		{Name: "penalty 1 − 1/z², bounded", Assumption: "attained", Criterion: "the minimum is attained",
			Draw: func(t *props.T) scalar { return drawSaturating(t, 2) }, Reading: "existence"},
		{Name: "penalty 1 − 1/z², equally good at every stretch", Assumption: "strict",
			Criterion: "twice the stretch costs more",
			Draw:      func(t *props.T) scalar { return drawSaturating(t, 1) }, Reading: "one-kernel"},
	},
}

var lowerBound = props.Drawn[pair, boundClaim]{
	Replicates: 1,
	Name:       "no pair costs less",
	Cases:      props.Scale{Quick: 600, Standard: 1000, Deep: 100000},
	Regimes:    pairRegimes,
	Draw:       drawPair,
	Claim: boundClaim{theory.Stretch.Optimum, func(near theory.Deviation, _ float64) theory.Deviation { return near },
		theory.Stretch.Apart},
	Judge: judgeBound,
	Controls: []props.Wrong[pair, boundClaim]{
		{Name: "penalty z², with its minimum at 0", Assumption: "minimum-at-one", Criterion: "cost",
			Draw: drawWeightDecay, Instead: boundClaim{optimum: weightDecay}},
		{Name: "two equal rows of features, bound", Assumption: "rank", Criterion: "rank", Draw: drawEqualRows},
		{Name: "twice the optimum", Criterion: "cost",
			Instead: boundClaim{optimum: func(s theory.Stretch) float64 { return 2 * s.Optimum() }}},
		{Name: "MMᵀ as close as δ, and not √δ", Criterion: "distance of MMᵀ from its closed form",
			Instead: boundClaim{near: func(near theory.Deviation, excess float64) theory.Deviation {
				near.Moment = excess
				return near
			}}},
		{Name: "Mθ as close as δ, and not √δ", Criterion: "distance of Mθ from β̂",
			Instead: boundClaim{near: func(near theory.Deviation, excess float64) theory.Deviation {
				near.Drift = excess
				return near
			}}},
		{Name: half, Criterion: "ln z off ln s", Instead: boundClaim{near: halfAsNear}},
		{Name: "half of the bound on the others", Criterion: "the other singular values off 1", As: half},
		{Name: "half of the bound on the turn", Criterion: "u₁ off u", As: half},
		{Name: "half of the bound on MMᵀ", Criterion: "distance of MMᵀ from its closed form", As: half},
		{Name: "half of the bound on Mθ", Criterion: "distance of Mθ from β̂", As: half},
		{Name: "half of what a turn adds", Criterion: "distance of MMᵀ from its closed form, by its parts",
			Instead: boundClaim{apart: func(s theory.Stretch, z, rest, sine float64) float64 {
				return s.Apart(z, rest, sine/math.Sqrt2)
			}}},
		{Name: "quadratic taken for log-det, bound", Criterion: "cost",
			Claim: func(c *boundClaim) { c.optimum = takenFor(theory.Quadratic, theory.LogDet) }},
		{Name: "absolute taken for quadratic, bound", Criterion: "cost",
			Claim: func(c *boundClaim) { c.optimum = takenFor(theory.Absolute, theory.Quadratic) }},
		{Name: "product taken for quadratic, bound", Criterion: "cost",
			Claim: func(c *boundClaim) { c.optimum = takenFor(theory.Product, theory.Quadratic) }},
		{Name: "log-det taken for absolute, bound", Criterion: "cost",
			Claim: func(c *boundClaim) { c.optimum = takenFor(theory.LogDet, theory.Absolute) }},
	},
}

var solution = props.Drawn[pair, solutionClaim]{
	Replicates: 3,
	Name:       "the stated solution",
	Cases:      props.Scale{Quick: 320, Standard: 800, Deep: 100000},
	Regimes:    pairRegimes,
	Draw:       func(t *props.T) pair { return drawSolution(t, rightSolution) },
	Claim:      solutionClaim{adaptedKernel, theory.Stretch.Optimum, theory.Stretch.Cost},
	Judge:      judgeSolution,
	Proven: map[string]string{
		"Mθ":                             "every rounding of M, θ and their product, and of v",
		"‖θ‖²":                           "every rounding of θ and of both sides",
		"MMᵀ − I":                        everyRounding,
		"MMᵀ where nothing is stretched": everyRounding,
		"growth of the kernel":           everyRounding,
		"alignment":                      "every rounding of M, the kernels and both sides, and Φβ̂ − y as it is found",
		"alignment never drops":          "every rounding of M and both kernels, and Φβ̂ − y as it is found",
	},
	Controls: []props.Wrong[pair, solutionClaim]{
		{Name: "two equal rows of features", Assumption: "rank", Criterion: "rank", Draw: drawEqualRows},
		{Name: "parameters that do not turn along with M", Criterion: "labels",
			Draw: solvedBy(func(s *solving) { s.turn = turnMatrixAlone })},
		{Name: "features left alone", Criterion: "cost",
			Draw: solvedBy(func(s *solving) { s.solve = leaveFeatures })},
		{Name: "the orthogonal factor on the left of M", Criterion: "MMᵀ − I",
			Draw: solvedBy(func(s *solving) { s.turn = turnFromLeft })},
		{Name: "interpolant not of minimum norm", Criterion: "Mθ",
			Draw: solvedBy(func(s *solving) { s.interpolant = lengthened })},
		{Name: "‖θ‖² = v²/s", Criterion: "‖θ‖²",
			Instead: solutionClaim{theta: func(s theory.Stretch) float64 { return s.Cost() * s.Size() }}},
		{Name: "s−1 in place of s²−1", Criterion: "growth of the kernel",
			Claim: func(c *solutionClaim) { c.growth = growthOfFirstPower }},
		{Name: "without 1/‖β̂‖²", Criterion: "growth of the kernel",
			Claim: func(c *solutionClaim) { c.growth = growthWithoutNorm }},
		{Name: "c·yyᵀ subtracted", Criterion: "alignment",
			Claim: func(c *solutionClaim) { c.alignment = alignmentSubtracted }},
		{Name: "alignment that drops", Criterion: "alignment never drops",
			Draw: solvedBy(func(s *solving) { s.solve = shrinkInstead })},
		{Name: "a stretch where there is none", Criterion: "MMᵀ where nothing is stretched",
			Claim: func(c *solutionClaim) { c.moment = alwaysStretched }},
		{Name: "quadratic taken for log-det", Criterion: "cost",
			Claim: func(c *solutionClaim) { c.optimum = takenFor(theory.Quadratic, theory.LogDet) }},
		{Name: "absolute taken for quadratic", Criterion: "cost",
			Claim: func(c *solutionClaim) { c.optimum = takenFor(theory.Absolute, theory.Quadratic) }},
		{Name: "product taken for quadratic", Criterion: "cost",
			Claim: func(c *solutionClaim) { c.optimum = takenFor(theory.Product, theory.Quadratic) }},
		{Name: "log-det taken for absolute", Criterion: "cost",
			Claim: func(c *solutionClaim) { c.optimum = takenFor(theory.LogDet, theory.Absolute) }},
	},
}

const everyRounding = "every rounding of M, of its products and of the closed form"

var restarts = props.Grid[restartCell, optimised, restartClaim]{
	Name:    "random restarts",
	Cells:   restartCells,
	Regimes: restartRegimes(),
	Measure: func(t *props.Trial, c restartCell) optimised { return restart(t, c, func(*impl.Search, float64) {}) },
	Claim: restartClaim{adaptedKernel, func(_ theory.Stretch, e ending) float64 { return e.Optimum },
		func(m *mat.Dense) *mat.Dense { return momentOf(m) }},
	Judge: judgeRestarts,
	Conclude: func(r *props.Record, _ []restartCell, all []optimised, _ restartClaim) {
		r.Draw(func() props.Figure { return grownKernels(all) }, func() props.Figure { return effectivePenalties(all) })
	},
	Controls: []props.WrongCell[restartCell, optimised, restartClaim]{
		{Name: "s−1 in place of s²−1, against optimisation", Criterion: "growth of the kernel",
			Claim: func(c *restartClaim) { c.growth = growthOfFirstPower }},
		{Name: "alignment with c·yyᵀ subtracted", Criterion: "alignment",
			Claim: func(c *restartClaim) { c.alignment = alignmentSubtracted }},
		{Name: "the optimum of fixed features, v²", Criterion: "optimum",
			Instead: restartClaim{optimum: func(s theory.Stretch, _ ending) float64 { return s.Norm * s.Norm }}},
		{Name: "restarts agree in M itself, and not only in MMᵀ", Criterion: "restarts agree on MMᵀ",
			Instead: restartClaim{shared: func(m *mat.Dense) *mat.Dense { return m }}},
		{Name: "a stretch where there is none, against optimisation", Criterion: "MMᵀ where nothing is stretched",
			Claim: func(c *restartClaim) { c.moment = alwaysStretched }},
		{Name: "the inverse of what optimisation finds", Criterion: "alignment never drops", Alter: invertEndings},
		{Name: "penalty 0 on all of [1, 2]", Assumption: "strict", Criterion: "restarts agree on MMᵀ",
			Measure: func(t *props.Trial, c restartCell) optimised { return restart(t, c, flatPenalty) }, On: someQuadratic},
		{Name: "M block-diagonal", Assumption: "unstructured", Criterion: "predictor",
			Measure: func(t *props.Trial, c restartCell) optimised { return restart(t, c, twoBlocks) }, On: someQuadratic},
	},
	ControlsOn: standardRestarts,
	Replicates: 1,
}

// decaying is a penalty whose minimum is at 0.
const decaying theory.Family = "weight decay"

// penalties are the functions that the families of the statement name, and one that violates a hypothesis.
var penalties = map[theory.Family]impl.Penalty{
	theory.Quadratic: impl.Square,
	theory.Absolute:  impl.Modulus,
	theory.Product:   impl.Convolved(impl.Square, impl.Modulus),
	theory.LogDet:    impl.LogDet,
	decaying:         impl.WeightDecay,
}

// takenFor is the optimum with one family taken for another.
func takenFor(from, to theory.Family) func(theory.Stretch) float64 {
	return func(s theory.Stretch) float64 {
		if s.Family == from {
			s.Family = to
		}
		return s.Optimum()
	}
}

// standardRestarts are the problems of standard effort, which are enough for a control.
func standardRestarts(c restartCell) bool { return c.Problem < 36 }

func restartCells(e props.Effort) []restartCell {
	return list.Cross(theory.Families, props.Scale{Quick: 12, Standard: 36, Deep: 600}.Indices(e),
		func(family theory.Family, i int) restartCell { return restartCell{family, i} })
}

// posed is the scalar problem whose closed forms the statement gives.
type posed func(theory.Stretch) theory.Stretch

// scalar is the scalar problem, min ω(z) + v²/z² over z ≥ 1, and its solution by brute force.
type scalar struct {
	V      float64
	Omega  theory.Family
	Factor float64

	Optimum  float64 // by golden section; NaN where the minimum is not attained
	Excess   float64 // s − 1, by bisecting the slope
	Twice    float64 // the cost of twice the stretch
	Attained bool
}

// drawScalar draws all that the prediction allows.
func drawScalar(t *props.T) scalar {
	in := scalar{Omega: rapid.SampledFrom(theory.Families).Draw(t.T, "ω"),
		Factor: gen.LogUniform(t.T, "factor", 1e-6, 1e6)}
	widest := 1e4 // most draws are of moderate size
	if gen.Dim(t.T, "range", 4) == 4 {
		widest = 1e97
	}
	in.V = math.Sqrt(in.Factor) * gen.LogUniform(t.T, "v/√κ", 1/widest, widest)
	return in.solved(penalties[in.Omega].Times(in.Factor))
}

// drawSaturating has the penalty 1 − 1/z², whatever is drawn.
func drawSaturating(t *props.T, v float64) scalar {
	drawScalar(t)
	return scalar{V: v, Omega: theory.Quadratic, Factor: 1}.solved(impl.Saturating)
}

// solved solves the problem by brute force.
func (in scalar) solved(penalty impl.Penalty) scalar {
	_, optimum, err := penalty.Minimum(in.V)
	in.Optimum, in.Attained, in.Excess = optimum, err == nil, penalty.Stationary(in.V)
	in.Twice = penalty.Value(2*in.Excess+1) + math.Pow(in.V/(2+2*in.Excess), 2)
	return in
}

// judgeScalar compares to within the rounding of both sides. A cost is computed with a relative error of about 10u, and
// with 100u where the logarithms of the product penalty, up to 10 for moderate draws and up to 250 for the others, are
// split; golden section picks a point whose cost is within twice that of the least; the closed form errs by some 20u.
// The equation for s−1 is at least linear in it, so relative errors do not grow. Where s−1 comes out of a cube root, it
// inherits the roundoff of s.
func judgeScalar(r *props.Record, in scalar, claimed posed) {
	s := theory.Stretch{Norm: in.V, Family: in.Omega, Factor: in.Factor}
	r.Regime(scalarRegime(s))
	logarithm := 1 + math.Abs(math.Log(in.V*in.V/in.Factor))
	relative := 16 * (8 + logarithm) * r.Unit()
	s = claimed(s)
	r.Holds("the minimum is attained", in.Attained)
	r.AtLeast("twice the stretch costs more", in.Twice, 1.000001*in.Optimum, relative*in.Twice)
	r.Within("effective penalty", in.Optimum, s.Optimum(), relative*s.Optimum())
	scale := s.Excess()
	if s.Family == theory.Absolute {
		scale = s.Size()
	}
	r.WithinScale("stretch, as s−1", in.Excess, s.Excess(), scale, relative*scale)
}

var scalarRegimes = []string{"quadratic, weak", "quadratic, strong", "absolute, weak", "absolute, strong",
	"product, weak", "product, strong", "log-det, weak", "log-det, strong"}

// scalarRegime is by the family, and by v² below half of the factor of the penalty, where the absolute one does not
// stretch.
func scalarRegime(s theory.Stretch) string {
	if 2*s.Norm*s.Norm <= s.Factor {
		return string(s.Family) + ", weak"
	}
	return string(s.Family) + ", strong"
}
