// Package softmax checks the claim vcl/softmax.
package softmax

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs the angle, what is kept, and the count with softmax regressions that the optimisers train.
var Claim = props.Spec{
	Statement: &theory.Softmax,
	Checks: []props.Check{
		props.Drawn[regression, twoClassesClaim]{
			Name:    "two classes: gradient descent turned",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   28,
			Regimes: []string{"one sample", "batch", "saturated"},
			Draw: func(t *props.T) regression {
				return drawTwoClasses(t, nn.SoftmaxCrossEntropy, drawApart, regression.keepSide)
			},
			Claim: twoClassesClaim{angle: theory.TwoClasses.Angle, weight: mean},
			Judge: judgeTurn,
			Controls: []props.Wrong[regression, twoClassesClaim]{
				{Name: "gradient descent, not turned", Criterion: turnedDescent,
					Instead: twoClassesClaim{angle: func(theory.TwoClasses) float64 { return 0 }}},
				{Name: "turned the other way", Criterion: turnedDescent, Instead: twoClassesClaim{angle: otherWay}},
				{Name: "a step that turns the weights inside out", Assumption: "same-side", Criterion: turnedDescent,
					Draw: func(t *props.T) regression {
						return drawTwoClasses(t, nn.SoftmaxCrossEntropy, neverApart, regression.changeSide)
					}},
				{Name: "two logistic outputs in place of a softmax", Assumption: "softmax",
					Criterion: "gradient of the mean loss",
					Draw: func(t *props.T) regression {
						return drawTwoClasses(t, nn.Logistic, neverApart, regression.keepSide)
					}},
				{Name: "two logistic outputs, the angle", Assumption: "softmax", Criterion: turnedDescent,
					As: "two logistic outputs in place of a softmax"},
				{Name: "gradient of the summed loss", Criterion: "gradient of the mean loss",
					Instead: twoClassesClaim{weight: func(int) float64 { return 1 }}},
			},
		},
		keptSum,
		inertia,
		angles,
	},
	Try: &props.Simulation{Run: simulate},
}.Claim()

const turnedDescent = "R(θ)W_s"

// twoClassesClaim holds the claims about a step: the angle, and the weight of a sample in the loss.
type twoClassesClaim struct {
	angle  func(theory.TwoClasses) float64
	weight func(batch int) float64
}

// mean is the weight of a sample in a mean loss.
func mean(batch int) float64 { return 1 / float64(batch) }

// otherWay is the angle with the wrong sign.
func otherWay(t theory.TwoClasses) float64 { return -t.Angle() }

// regression is a whitening step of a softmax regression.
type regression struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Y     *mat.Dense `npy:"Y"`
	Gamma *mat.Dense `npy:"Gamma"`
	Rate  float64    `npy:"step"`
	Next  *mat.Dense `npy:"W_next"`
}

// Valid names the violated hypothesis.
func (s regression) Valid() error {
	if classes, _ := s.W.Dims(); classes != 2 {
		return errors.New("the angle is defined for two classes")
	}
	if !(mat.Det(algebra.Product(s.W, layers.Descent(s.problem(s.Rate)).T())) > 0) {
		return errors.New("the step turns the weights inside out")
	}
	return nil
}

// run feeds samples, in columns, of the given classes to a regression w.
func run(w, x *mat.Dense, classes []int, loss nn.Loss) (regression, *nn.View) {
	outputs, _ := w.Dims()
	model := &nn.Model{Stages: []nn.Stage{{W: w, Act: nn.Identity}}, Loss: loss}
	labels := nn.OneHot(classes, outputs)
	var trace nn.Trace
	model.Backprop(&trace, mat.DenseCopyOf(x.T()), labels)
	view := &trace.Views[0]
	return regression{W: w, H: x, Y: mat.DenseCopyOf(labels.T()), Gamma: mat.DenseCopyOf(view.PreGrad.T())}, view
}

// whiten takes the step of the optimiser.
func (s *regression) whiten(view *nn.View, rate float64, solver routes.Solver) {
	next, _ := must.Both((&optim.VCL{Gamma: rate, Solver: solver}).Next(view))
	s.Rate, s.Next = rate, next
}

// problem is the step as the solvers see it.
func (s regression) problem(rate float64) routes.Problem {
	return routes.Problem{W: s.W, Gamma: s.Gamma, H: s.H, Rate: rate}
}

// drawClasses draws the classes of a batch.
func drawClasses(t *props.T, classes, batch int) []int {
	r, of := t.Stream("labels"), make([]int, batch)
	for i := range of {
		of[i] = r.IntN(classes)
	}
	return of
}

// drawTwoClasses draws a step whose size the side picks, or samples anew where no size does: a batch of one can be
// turned inside out for one sign of the gradient only. Logits of saturated samples differ by more than apart draws.
func drawTwoClasses(t *props.T, loss nn.Loss, drawApart func(*props.T) float64,
	side func(regression, float64) (float64, bool)) regression {
	inputs, batch := 1+gen.Dim(t.T, "n−1", 7), gen.Dim(t.T, "B", 5)
	r, size := t.Stream("entries"), gen.LogUniform(t.T, "size", 0.1, 3)
	classes, start := drawClasses(t, 2, batch), gen.LogUniform(t.T, "γ", 1e-3, 10)
	apart := drawApart(t)
	solver := rapid.SampledFrom(layers.Whiteners).Draw(t.T, "solver")
	for {
		w, x := gen.Gaussian(r, 2, inputs, size), gen.Gaussian(r, inputs, batch, size)
		if apart > 0 {
			saturate(w, x, classes, apart)
		}
		s, view := run(w, x, classes, loss)
		if rate, ok := side(s, start); ok {
			s.whiten(view, rate, solver)
			return s
		}
	}
}

// drawApart draws by how much the logits of saturated samples differ, and zero for a batch that is not saturated.
func drawApart(t *props.T) float64 {
	if rapid.IntRange(0, 3).Draw(t.T, "saturated when zero") > 0 {
		return 0
	}
	return gen.LogUniform(t.T, "least difference of logits", 7, 20)
}

func neverApart(t *props.T) float64 {
	rapid.IntRange(0, 3).Draw(t.T, "saturated when zero")
	return 0
}

// saturate scales the weights of two classes such that logits differ by at least so much, and makes the classes right.
func saturate(w, x *mat.Dense, classes []int, apart float64) {
	z, smallest := algebra.Product(w, x), math.Inf(1)
	for i := range classes {
		difference := z.At(1, i) - z.At(0, i)
		smallest = min(smallest, math.Abs(difference))
		if classes[i] = 0; difference > 0 {
			classes[i] = 1
		}
	}
	w.Scale(apart/smallest, w)
}

// keepSide shrinks a step until det(WW_sᵀ) is at least half of its value at γ = 0.
func (s regression) keepSide(rate float64) (float64, bool) {
	return s.search(rate, 0.5, func(det float64) bool { return det > 0.5 })
}

// changeSide lets a step grow until det(WW_sᵀ) is below minus half of its value at γ = 0.
func (s regression) changeSide(rate float64) (float64, bool) {
	return s.search(rate, 2, func(det float64) bool { return det < -0.5 })
}

// search multiplies a step until det(WW_sᵀ), over its value at γ = 0, is as wanted.
func (s regression) search(rate, factor float64, wanted func(det float64) bool) (float64, bool) {
	det := func(rate float64) float64 { return mat.Det(algebra.Product(s.W, layers.Descent(s.problem(rate)).T())) }
	at0 := det(0)
	for range 100 {
		if wanted(det(rate) / at0) {
			return rate, true
		}
		rate *= factor
	}
	return rate, false
}

// judgeTurn compares whitening with gradient descent turned by the angle.
func judgeTurn(r *props.Record, s regression, claim twoClassesClaim) {
	n, batch := s.H.Dims()
	r.RegimeOf(batch > 1, mat.Norm(s.Gamma, 2) < 1e-3/float64(batch))
	judgeGradient(r, s, claim.weight(batch))
	sin, cos := math.Sincos(claim.angle(twoClasses(s)))
	want := algebra.Product(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), layers.Descent(s.problem(s.Rate)))
	spread := layers.ProductSpread(s.W, s.Next)
	r.WithinMatrix(turnedDescent, s.Next, want, float64(16*(n+batch))*r.Unit()*spread*mat.Norm(s.Next, 2))
}

// judgeGradient states that the columns of Γ are p − e_y, times the weight of a sample, with the probabilities p of the
// logits.
func judgeGradient(r *props.Record, s regression, weight float64) {
	n, _ := s.H.Dims()
	classes, _ := s.W.Dims()
	z := algebra.Product(s.W, s.H)
	want := mat.DenseCopyOf(s.Y)
	want.Apply(func(k, i int, label float64) float64 { // 1/Σⱼexp(zⱼ − zₖ), which does not overflow
		sum := 0.0
		for j := range classes {
			sum += math.Exp(z.At(j, i) - z.At(k, i))
		}
		return 1/sum - label
	}, want)
	want.Scale(weight, want)
	r.WithinMatrix("gradient of the mean loss", s.Gamma, want,
		(2*float64(n)*mat.Norm(s.W, 2)*mat.Norm(s.H, 2)+16)*r.Unit()*weight)
}

// twoClasses is the closed form's view of a step.
func twoClasses(s regression) theory.TwoClasses {
	z := algebra.Product(s.W, s.H)
	t := theory.TwoClasses{Squared: math.Pow(mat.Norm(s.W, 2), 2), Step: s.Rate}
	_, batch := z.Dims()
	for i := range batch {
		q := s.Gamma.At(0, i)
		t.Common += q * (z.At(0, i) + z.At(1, i))
		t.Apart += q * (z.At(0, i) - z.At(1, i))
	}
	return t
}

// turning is one regression with two classes whitened at growing steps.
type turning struct {
	Steps, Measured, Allowed []float64
	Views                    []theory.TwoClasses
}

// angles measures the angle between whitening and gradient descent: W₊W_sᵀ is a rotation of a positive definite matrix.
// Steps are 2⁻⁶ … 1, as far as they keep the weights on their side.
var angles = props.Grid[int, turning, func(theory.TwoClasses) float64]{
	Name:  "angle along steps",
	Cells: props.Scale{Quick: 6, Standard: 20, Deep: 500}.Indices,
	Measure: func(t *props.Trial, _ int) (run turning) {
		const inputs, batch = 6, 4
		s, view := regressionOf(t.Rand, 2, inputs, batch, nn.SoftmaxCrossEntropy)
		for e := -6; e <= 0; e++ {
			rate := math.Ldexp(1, e)
			if limit, _ := s.keepSide(rate); limit < rate {
				break
			}
			s.whiten(view, rate, nil)
			m := algebra.Product(s.Next, layers.Descent(s.problem(rate)).T())
			run.Steps = append(run.Steps, rate)
			run.Measured = append(run.Measured, math.Atan2(m.At(1, 0)-m.At(0, 1), m.At(0, 0)+m.At(1, 1)))
			run.Views = append(run.Views, twoClasses(s))
			run.Allowed = append(run.Allowed, 32*(inputs+batch)*roundoff.Unit*layers.ProductSpread(s.W, s.Next))
		}
		return run
	},
	Claim: theory.TwoClasses.Angle,
	Judge: func(r *props.Record, _ int, run turning, angle func(theory.TwoClasses) float64) {
		for k, view := range run.Views {
			r.Within("angle", run.Measured[k], angle(view), run.Allowed[k])
		}
	},
	Conclude: func(r *props.Record, _ []int, all []turning, angle func(theory.TwoClasses) float64) {
		var curves []props.Curve
		for i, run := range all[:3] {
			measured, claimed := fmt.Sprintf("regression %d", i+1), fmt.Sprintf("closed form, %d", i+1)
			angles := list.Map(run.Views, func(view theory.TwoClasses) float64 { return angle(view) })
			curves = append(curves,
				props.Curve{Name: measured, Style: props.Points, X: run.Steps, Y: run.Measured},
				props.Curve{Name: claimed, Style: props.Dashed, X: run.Steps, Y: angles})
		}
		r.Figure(props.Figure{
			ID:    "angle",
			Title: "How far whitening rotates gradient descent",
			Caption: "For three softmax regressions with two classes, the angle from the weights of gradient " +
				"descent to the whitened ones against the step size, with a logarithmic axis: the measured angles " +
				"lie on the closed form and begin in proportion to the step size.",
			X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "θ in radians"}, Curves: curves,
		})
	},
	Controls: []props.WrongCell[int, turning, func(theory.TwoClasses) float64]{
		{Name: "turned the other way, along steps", Instead: otherWay},
	},
}
