// Package algorithm1 pairs the claim on the result of Algorithm 1 with the algorithm as printed.
package algorithm1

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim is vcl/algorithm1.
var Claim = props.Spec{
	Statement: &theory.Algorithm1,
	Try:       &props.Simulation{Run: simulate},
	Checks: []props.Check{
		props.Drawn[step, stepClaim]{
			Name:    "one step",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   12,
			Regimes: regimes(),
			Draw:    drawStep,
			Claim:   stepClaim{func(p powers, keep int, alpha float64) *mat.Dense { return p.of(keep, alpha) }, isHalf},
			Judge:   judgeStep,
			Controls: []props.Wrong[step, stepClaim]{
				{Name: "exponent 4α", Criterion: "Gram matrix",
					Instead: stepClaim{gram: func(p powers, keep int, alpha float64) *mat.Dense { return p.of(keep, 2*alpha) }}},
				{Name: "smallest eigenvalues in place of the largest", Assumption: "leading", Criterion: "Gram matrix",
					Instead: stepClaim{gram: powers.ofSmallest}},
				{Name: "any α in what is left of the constraint", Assumption: "half", Criterion: leftOver,
					Instead: stepClaim{best: anyAlpha}},
				{Reading: "alpha", Criterion: leftOver, Draw: props.Constant(workedStep()), Instead: stepClaim{best: anyAlpha}},
			},
		},
		props.Drawn[idle, idlePower]{
			Name:    "steps without a gradient",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Tries:   12,
			Regimes: regimes(),
			Draw:    func(t *props.T) idle { return drawIdle(t, withoutPast) },
			Claim:   theory.IdlePower,
			Judge:   judgeIdle,
			Controls: []props.Wrong[idle, idlePower]{
				{Name: "idle weights stay as they are", Instead: func(s, _ float64, _ int) float64 { return s }},
				{Name: "one idle step fewer",
					Instead: func(s, alpha float64, steps int) float64 { return theory.IdlePower(s, alpha, steps-1) }},
				{Name: "after a batch with a gradient", Assumption: "no-past",
					Draw: func(t *props.T) idle { return drawIdle(t, afterBatch) }},
			},
		},
		props.Grid[int, run, shiftWeight]{
			Name:     "count of the shifts",
			Cells:    props.Scale{Quick: 12, Standard: 60, Deep: 1000}.Indices,
			Regimes:  layers.Shapes,
			Measure:  runOf(func(*optim.Algorithm1) {}),
			Claim:    theory.ShiftWeight,
			Judge:    func(r *props.Record, _ int, m run, weight shiftWeight) { m.judge(r, weight) },
			Conclude: func(r *props.Record, _ []int, all []run, _ shiftWeight) { r.Figure(figure(all)) },
			Controls: []props.WrongCell[int, run, shiftWeight]{
				{Name: "the shift of one batch at a time", Assumption: "cumulative",
					Measure: runOf(func(rule *optim.Algorithm1) { rule.PerStep = true })},
				{Name: "steps too large to be feasible", Assumption: "feasible",
					Measure: runOf(func(rule *optim.Algorithm1) { rule.Gamma = 1 })},
				{Name: "α = 0.1 in the count of shifts", Assumption: "half",
					Measure: runOf(func(rule *optim.Algorithm1) { rule.Alpha = 0.1 })},
				{Reading: "counted-again", Instead: func(int) float64 { return 1 }},
			},
		},
	},
}.Claim()

// leftOver is the criterion about the constraint.
const leftOver = "what is left of the constraint"

const (
	half      = ", α = ½"
	otherwise = ", α ≠ ½"
)

// regimes are the shapes for α = ½ and for other α.
func regimes() (out []string) {
	for _, shape := range layers.Shapes {
		out = append(out, shape+half, shape+otherwise)
	}
	return out
}

func regime(w *mat.Dense, alpha float64) string {
	if alpha == 0.5 {
		return layers.Shape(w) + half
	}
	return layers.Shape(w) + otherwise
}

// stepClaim holds the claims about a step: its Gram matrix, and for which α it comes as near to the constraint as is
// possible.
type stepClaim struct {
	gram func(p powers, keep int, alpha float64) *mat.Dense
	best func(alpha float64) bool
}

// idlePower gives a singular value after a number of steps without a gradient.
type idlePower func(s, alpha float64, steps int) float64

// shiftWeight gives the weight of a shift, the given number of steps later.
type shiftWeight func(later int) float64

func isHalf(alpha float64) bool { return alpha == 0.5 }
func anyAlpha(float64) bool     { return true }

// step is one step of the algorithm.
type step struct {
	W     *mat.Dense `npy:"W"`
	Next  *mat.Dense `npy:"W_next"`
	Past  *mat.Dense `npy:"V"` // 𝒱, with the shift of this step
	Alpha float64    `npy:"alpha"`
}

// Valid names the violated hypothesis.
func (s step) Valid() error { return validAlpha(s.Alpha) }

func validAlpha(alpha float64) error {
	if !(alpha > 0) {
		return errors.New("the exponent α must be positive")
	}
	return nil
}

// view returns the data of a batch for a layer without a bias.
func view(w, inputs, preGrads *mat.Dense) *nn.View {
	h := mat.DenseCopyOf(inputs.T())
	return &nn.View{Stage: &nn.Stage{W: w, Act: nn.Identity}, Inputs: h, Pre: algebra.Product(h, w.T()),
		PreGrad: mat.DenseCopyOf(preGrads.T())}
}

// next takes one step of the rule.
func next(rule *optim.Algorithm1, w, inputs, preGrads *mat.Dense) *mat.Dense {
	out, _ := must.Both(rule.Next(view(w, inputs, preGrads)))
	return out
}

// drawAlpha draws the exponent of the constraint as often as others.
func drawAlpha(t *props.T) float64 {
	if rapid.Bool().Draw(t.T, "α = ½") {
		return 0.5
	}
	return gen.LogUniform(t.T, "α", 0.05, 1)
}

// workedStep is one weight of ½ without a gradient, with α = 0.1.
func workedStep() step {
	w, rule := mat.NewDense(1, 1, []float64{0.5}), &optim.Algorithm1{Gamma: 1, Alpha: 0.1, Clip: true}
	after := next(rule, w, mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil))
	return step{W: w, Next: after, Past: rule.Past(), Alpha: 0.1}
}

// drawStep draws a layer that has taken none to three steps before.
func drawStep(t *props.T) step {
	m, n := layers.Dims(t, 8)
	alpha, batch := drawAlpha(t), gen.Dim(t.T, "B", 5)
	w := layers.Conditioned(t.Stream("layer"), m, n, gen.LogUniform(t.T, "condition", 1, 100))
	w.Scale(gen.LogUniform(t.T, "size", 0.1, 10), w)
	rule := &optim.Algorithm1{Gamma: gen.LogUniform(t.T, "γ", 1e-3, 1), Alpha: alpha, Clip: true}
	r := t.Stream("batches")
	batchesBefore := gen.Dim(t.T, "batches", 4) - 1
	for range batchesBefore {
		w = next(rule, w, gen.Gaussian(r, n, batch, 1), gen.Gaussian(r, m, batch, 1))
	}
	s := step{W: w, Alpha: alpha}
	s.Next = next(rule, w, gen.Gaussian(r, n, batch, 1), gen.Gaussian(r, m, batch, 1))
	s.Past = rule.Past()
	return s
}

// powers computes powers of a matrix that is known to epsilon.
type powers struct {
	g       *mat.SymDense
	epsilon float64
}

// kept returns G^{2α} on the given number of leading eigenvectors, and its rounding.
func (p powers) kept(keep int, alpha float64) (*mat.Dense, float64) {
	power, rounding := must.Both(theory.KeptPowers(p.g, keep, alpha, p.epsilon))
	return power, rounding
}

func (p powers) of(keep int, alpha float64) *mat.Dense {
	power, _ := p.kept(keep, alpha)
	return power
}

// ofSmallest returns G^{2α} on the given number of last ones.
func (p powers) ofSmallest(keep int, alpha float64) *mat.Dense {
	n, _ := p.g.Dims()
	return algebra.Difference(p.of(n, alpha), p.of(n-keep, alpha))
}

func judgeStep(r *props.Record, s step, claim stepClaim) {
	m, n := s.W.Dims()
	keep, alpha := min(m, n), s.Alpha
	unit := 16 * float64(m+n) * r.Unit()
	var g mat.SymDense
	g.AddSym(layers.Gram(s.W), layers.Symmetric(s.Past))
	epsilon := unit * (mat.Norm(layers.Gram(s.W), 2) + mat.Norm(s.Past, 2))
	p := powers{&g, epsilon}
	allowed := func(alpha float64) (*mat.Dense, float64) {
		power, rounding := p.kept(keep, alpha)
		return power, 4*rounding + unit*(mat.Norm(power, 2)+math.Pow(mat.Norm(&g, 2), 2*alpha)) + underflow
	}
	_, rounding := allowed(alpha)
	r.Regime(regime(s.W, s.Alpha))
	r.WithinMatrix("Gram matrix", layers.Gram(s.Next), claim.gram(p, keep, alpha), rounding)
	if claim.best(alpha) {
		possible, rounding := allowed(0.5)
		left := algebra.Difference(layers.Gram(s.Next), &g)
		dropped := algebra.Difference(possible, &g)
		r.WithinScale(leftOver, mat.Norm(left, 2), mat.Norm(dropped, 2), mat.Norm(&g, 2), rounding+epsilon)
	}
}

// underflow counts as nothing: a layer and its shifts may vanish.
const underflow = 0x1p-900
