// Package algorithm1 pairs what Algorithm 1 computes with the algorithm as printed.
package algorithm1

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim is vcl/algorithm1.
var Claim = props.Spec{
	Statement: &theory.Algorithm1,
	Try:       &props.Simulation{Run: simulate},
	Checks: []props.Check{
		props.Instances[step]{
			Name:    "one step",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: regimes(),
			Draw:    drawStep,
			Judge:   judgeStep,
			Controls: []props.Control{
				{Name: "exponent 4α", Criterion: "Gram matrix", Claimed: "4α"},
				{Name: "smallest eigenvalues in place of the largest", Assumption: "leading", Criterion: "Gram matrix",
					Claimed: "smallest"},
				{Name: "any α in what is left of the constraint", Assumption: "half", Criterion: leftOver,
					Claimed: "any α"},
				{Reading: "alpha", Criterion: leftOver, Done: "worked case", Claimed: "any α"},
			},
		},
		props.Instances[idle]{
			Name:    "steps without a gradient",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Regimes: regimes(),
			Draw:    drawIdle,
			Judge:   judgeIdle,
			Controls: []props.Control{
				{Name: "idle weights stay as they are", Claimed: "fixed point"},
				{Name: "one idle step fewer", Claimed: "one step fewer"},
				{Name: "after a batch with a gradient", Assumption: "no-past", Done: "past"},
			},
		},
		props.Sweep[int, run]{
			Name:     "count of the shifts",
			Cells:    props.Scale{Quick: 12, Standard: 60, Deep: 1000}.Indices,
			Regimes:  layers.Shapes,
			Measure:  measureRun,
			Judge:    func(r *props.Record, _ int, m run, claimed string) { m.judge(r, claimed) },
			Conclude: func(r *props.Record, _ []int, all []run, _ string) { r.Figure(figure(all)) },
			Controls: []props.Control{
				{Name: "the shift of one batch at a time", Assumption: "cumulative", Done: "one at a time"},
				{Name: "steps too large to be feasible", Assumption: "feasible", Done: "large steps"},
				{Name: "α = 0.1 in the count of shifts", Assumption: "half", Done: "α = 0.1"},
				{Reading: "counted-again", Claimed: "once"},
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

// view is what a layer without a bias sees of a batch.
func view(w, inputs, preGrads *mat.Dense) *nn.View {
	h := mat.DenseCopyOf(inputs.T())
	return &nn.View{Stage: &nn.Stage{W: w, Act: nn.Identity}, Inputs: h, Pre: layers.Product(h, w.T()),
		PreGrad: mat.DenseCopyOf(preGrads.T())}
}

// next takes one step of the rule.
func next(rule *optim.Algorithm1, w, inputs, preGrads *mat.Dense) *mat.Dense {
	out, _, err := rule.Next(view(w, inputs, preGrads))
	if err != nil {
		panic(err)
	}
	return out
}

// drawAlpha draws the exponent of the constraint as often as others.
func drawAlpha(t *props.T) float64 {
	if rapid.Bool().Draw(t.T, "α = ½") {
		return 0.5
	}
	return gen.LogUniform(t.T, "α", 0.05, 1)
}

// drawStep draws a layer that has taken none to three steps before.
func drawStep(t *props.T, done string) step {
	if done == "worked case" {
		w, rule := mat.NewDense(1, 1, []float64{0.5}), &optim.Algorithm1{Gamma: 1, Alpha: 0.1, Clip: true}
		after := next(rule, w, mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil))
		return props.Always(step{W: w, Next: after, Past: rule.Past(), Alpha: 0.1})(t, done)
	}
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

func judgeStep(r *props.Record, s step, claimed string) {
	m, n := s.W.Dims()
	keep, alpha := min(m, n), s.Alpha
	unit := 16 * float64(m+n) * r.Unit()
	var g mat.SymDense
	g.AddSym(layers.Gram(s.W), layers.Symmetric(s.Past))
	epsilon := unit * (mat.Norm(layers.Gram(s.W), 2) + mat.Norm(s.Past, 2))
	powers := func(keep int, alpha float64) (*mat.Dense, float64) {
		p, rounding, err := theory.KeptPowers(&g, keep, alpha, epsilon)
		if err != nil {
			panic(err)
		}
		return p, 4*rounding + unit*(mat.Norm(p, 2)+math.Pow(mat.Norm(&g, 2), 2*alpha)) + underflow
	}
	want, allowed := powers(keep, alpha)
	switch claimed {
	case "4α":
		want, _ = powers(keep, 2*alpha)
	case "smallest":
		all, _ := powers(n, alpha)
		largest, _ := powers(n-keep, alpha)
		want.Sub(all, largest)
	}
	r.Regime(regime(s.W, s.Alpha))
	r.WithinMatrix("Gram matrix", layers.Gram(s.Next), want, allowed)
	if alpha == 0.5 || claimed == "any α" {
		possible, rounding := powers(keep, 0.5)
		var left, dropped mat.Dense
		left.Sub(layers.Gram(s.Next), &g)
		dropped.Sub(possible, &g)
		r.WithinScale(leftOver, mat.Norm(&left, 2), mat.Norm(&dropped, 2), mat.Norm(&g, 2), rounding+epsilon)
	}
}

// underflow counts as nothing: a layer and its shifts may vanish.
const underflow = 0x1p-900
