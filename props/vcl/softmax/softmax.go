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
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs the angle, what is kept, and the count with softmax regressions that the optimisers train.
var Claim = props.Spec{
	Statement: &theory.Softmax,
	Checks: []props.Check{
		props.Instances[regression]{
			Name:    "two classes: gradient descent turned",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"one sample", "batch", "saturated"},
			Draw:    drawTwoClasses,
			Judge:   judgeTurn,
			Controls: []props.Control{
				{Name: "gradient descent, not turned", Criterion: turnedDescent, Claimed: "not turned"},
				{Name: "turned the other way", Criterion: turnedDescent, Claimed: "−θ"},
				{Name: "a step that turns the weights inside out", Assumption: "same-side", Criterion: turnedDescent,
					Done: "inside out"},
				{Name: "two logistic outputs in place of a softmax", Assumption: "softmax",
					Criterion: "gradient of the mean loss", Done: "logistic"},
				{Name: "two logistic outputs, the angle", Assumption: "softmax", Criterion: turnedDescent,
					Done: "logistic", Claimed: "as is"},
				{Name: "gradient of the summed loss", Criterion: "gradient of the mean loss", Claimed: "sum"},
			},
		},
		keptSum,
		inertia,
		angles,
	},
	Try: &props.Simulation{Run: simulate},
}.Claim()

const turnedDescent = "R(θ)W_s"

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
		return errors.New("the angle is that of two classes")
	}
	if !(mat.Det(layers.Product(s.W, layers.Descent(s.problem(s.Rate)).T())) > 0) {
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
	next, _, err := (&optim.VCL{Gamma: rate, Solver: solver}).Next(view)
	if err != nil {
		panic(err)
	}
	s.Rate, s.Next = rate, next
}

// problem is the step as the solvers see it.
func (s regression) problem(rate float64) routes.Problem {
	return routes.Problem{W: s.W, Gamma: s.Gamma, H: s.H, Rate: rate}
}

func lossOf(done string) nn.Loss {
	if done == "logistic" {
		return nn.Logistic
	}
	return nn.SoftmaxCrossEntropy
}

// drawClasses draws the classes of a batch.
func drawClasses(t *props.T, classes, batch int) []int {
	r, of := t.Stream("labels"), make([]int, batch)
	for i := range of {
		of[i] = r.IntN(classes)
	}
	return of
}

// drawTwoClasses draws a step that keeps det(WW_sᵀ) positive, or for the control one that does not: for any sign of the
// gradient a batch of one can be turned inside out only in one direction, so samples are drawn until one can.
func drawTwoClasses(t *props.T, done string) regression {
	inputs, batch := 1+gen.Dim(t.T, "n−1", 7), gen.Dim(t.T, "B", 5)
	r, size := t.Stream("entries"), gen.LogUniform(t.T, "size", 0.1, 3)
	classes, start := drawClasses(t, 2, batch), gen.LogUniform(t.T, "γ", 1e-3, 10)
	apart := 0.0 // by which the logits of saturated samples differ
	if rapid.IntRange(0, 3).Draw(t.T, "saturated when zero") == 0 && done == "" {
		apart = gen.LogUniform(t.T, "least difference of logits", 7, 20)
	}
	solver := rapid.SampledFrom(layers.Whiteners).Draw(t.T, "solver")
	for {
		w, x := gen.Gaussian(r, 2, inputs, size), gen.Gaussian(r, inputs, batch, size)
		if apart > 0 {
			saturate(w, x, classes, apart)
		}
		s, view := run(w, x, classes, lossOf(done))
		if rate, ok := s.sided(start, done == "inside out"); ok {
			s.whiten(view, rate, solver)
			return s
		}
	}
}

// saturate scales the weights of two classes such that logits differ by at least so much, and makes the classes right.
func saturate(w, x *mat.Dense, classes []int, apart float64) {
	z, smallest := layers.Product(w, x), math.Inf(1)
	for i := range classes {
		difference := z.At(1, i) - z.At(0, i)
		smallest = min(smallest, math.Abs(difference))
		if classes[i] = 0; difference > 0 {
			classes[i] = 1
		}
	}
	w.Scale(apart/smallest, w)
}

// sided shrinks a step until det(WW_sᵀ) is at least half of its value at γ = 0, or lets it grow until it is below minus
// that.
func (s regression) sided(rate float64, insideOut bool) (float64, bool) {
	det := func(rate float64) float64 { return mat.Det(layers.Product(s.W, layers.Descent(s.problem(rate)).T())) }
	half := det(0) / 2
	for range 100 {
		switch d := det(rate); {
		case insideOut && d < -half, !insideOut && d > half:
			return rate, true
		case insideOut:
			rate *= 2
		default:
			rate /= 2
		}
	}
	return rate, false
}

// judgeTurn compares whitening with gradient descent turned by the angle.
func judgeTurn(r *props.Record, s regression, claimed string) {
	n, batch := s.H.Dims()
	switch {
	case mat.Norm(s.Gamma, 2) < 1e-3/float64(batch):
		r.Regime("saturated")
	case batch == 1:
		r.Regime("one sample")
	default:
		r.Regime("batch")
	}
	judgeGradient(r, s, claimed)
	angle := twoClasses(s).Angle()
	switch claimed {
	case "not turned":
		angle = 0
	case "−θ":
		angle = -angle
	}
	sin, cos := math.Sincos(angle)
	want := layers.Product(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), layers.Descent(s.problem(s.Rate)))
	spread := layers.ProductSpread(s.W, s.Next)
	r.WithinMatrix(turnedDescent, s.Next, want, float64(16*(n+batch))*r.Unit()*spread*mat.Norm(s.Next, 2))
}

// judgeGradient states that the columns of Γ are (p − e_y)/B with the probabilities p of the logits.
func judgeGradient(r *props.Record, s regression, claimed string) {
	n, batch := s.H.Dims()
	classes, _ := s.W.Dims()
	scale := 1 / float64(batch)
	if claimed == "sum" {
		scale = 1
	}
	z := layers.Product(s.W, s.H)
	want := mat.DenseCopyOf(s.Y)
	want.Apply(func(k, i int, label float64) float64 { // 1/Σⱼexp(zⱼ − zₖ), which does not overflow
		sum := 0.0
		for j := range classes {
			sum += math.Exp(z.At(j, i) - z.At(k, i))
		}
		return 1/sum - label
	}, want)
	want.Scale(scale, want)
	r.WithinMatrix("gradient of the mean loss", s.Gamma, want,
		(2*float64(n)*mat.Norm(s.W, 2)*mat.Norm(s.H, 2)+16)*r.Unit()*scale)
}

// twoClasses is the closed form's view of a step.
func twoClasses(s regression) theory.TwoClasses {
	z := layers.Product(s.W, s.H)
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
type turning struct{ Steps, Measured, Claimed, Allowed []float64 }

// angles measures the angle between whitening and gradient descent: W₊W_sᵀ is a rotation of a positive definite matrix.
// Steps are 2⁻⁶ … 1, as far as they keep the weights on their side.
var angles = props.Sweep[int, turning]{
	Name:  "angle along steps",
	Cells: props.Scale{Quick: 6, Standard: 20, Deep: 500}.Indices,
	Measure: func(t *props.Trial, _ int, done string) (run turning) {
		const inputs, batch = 6, 4
		s, view := regressionOf(t.Rand, 2, inputs, batch, done)
		for e := -6; e <= 0; e++ {
			rate := math.Ldexp(1, e)
			if limit, _ := s.sided(rate, false); limit < rate {
				break
			}
			s.whiten(view, rate, nil)
			m := layers.Product(s.Next, layers.Descent(s.problem(rate)).T())
			run.Steps = append(run.Steps, rate)
			run.Measured = append(run.Measured, math.Atan2(m.At(1, 0)-m.At(0, 1), m.At(0, 0)+m.At(1, 1)))
			run.Claimed = append(run.Claimed, twoClasses(s).Angle())
			run.Allowed = append(run.Allowed, 32*(inputs+batch)*roundoff.Unit*layers.ProductSpread(s.W, s.Next))
		}
		return run
	},
	Judge: func(r *props.Record, _ int, run turning, claimed string) {
		for k, angle := range run.Claimed {
			if claimed == "−θ" {
				angle = -angle
			}
			r.Within("angle", run.Measured[k], angle, run.Allowed[k])
		}
	},
	Conclude: func(r *props.Record, _ []int, all []turning, _ string) {
		var curves []props.Curve
		for i, run := range all[:3] {
			measured, claimed := fmt.Sprintf("regression %d", i+1), fmt.Sprintf("closed form, %d", i+1)
			curves = append(curves,
				props.Curve{Name: measured, Style: props.Points, X: run.Steps, Y: run.Measured},
				props.Curve{Name: claimed, Style: props.Dashed, X: run.Steps, Y: run.Claimed})
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
	Controls: []props.Control{{Name: "turned the other way, along steps", Claimed: "−θ"}},
}
