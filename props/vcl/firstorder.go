package vcl

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// firstOrder pairs the projected gradient with exact steps of the solvers, which know nothing of it, and with a
// projection by singular vectors.
var firstOrder = props.Spec{
	Statement: &theory.FirstOrder,
	Checks: []props.Check{
		props.Grid[layers.Cell, stepsOfLayer, firstOrderClaim]{
			Name:    "steps of the solvers",
			Cells:   layers.Cells(props.Scale{Quick: 12, Standard: 16, Deep: 200}),
			Tries:   72,
			Regimes: layers.Conditions,
			// of 3000 layers of a regime at most four are: steps along which the size of a vector is kept
			Declined: layers.MayDecline(0.005),
			Measure:  stepsWith(func(*stepping) {}),
			Claim:    firstOrderClaim{theory.WhitenedGradient, layers.Stated},
			Judge: func(r *props.Record, c layers.Cell, s stepsOfLayer, claim firstOrderClaim) {
				r.Regime(c.Regime)
				r.WithinMatrix("derivative of the step", &s.Derivative, claim.delta(&s.W, &s.Grad), s.Rounding)
				if m, _ := s.W.Dims(); m > 1 { // a step of one output is a step of gradient descent, and nothing remains
					s.Judge(r, claim.orders)
				}
			},
			Conclude: func(r *props.Record, _ []layers.Cell, all []stepsOfLayer, _ firstOrderClaim) {
				r.Figure(all[0].figure())
			},
			Controls: append(layers.WrongOrders[layers.Cell, stepsOfLayer](
				func(c *firstOrderClaim) *layers.Orders { return &c.orders }),
				[]props.WrongCell[layers.Cell, stepsOfLayer, firstOrderClaim]{
					{Name: "the gradient itself for Δ", Criterion: "derivative of the step",
						Instead: firstOrderClaim{delta: func(_, grad *mat.Dense) *mat.Dense { return grad }}},
					{Name: "skew part with the opposite sign", Criterion: "derivative of the step",
						Instead: firstOrderClaim{delta: oppositeSkewPart}},
					{Name: notTurned, Assumption: "rotated", Criterion: "derivative of the step",
						Measure: stepsWith(func(s *stepping) {
							s.step = func(q routes.Problem, _ layers.Cell) *mat.Dense { return layers.Descent(q) }
						})},
					{Name: "the factor W − γ∇ without rotation, order of the remainder", Assumption: "rotated",
						Criterion: layers.AnotherOrder, As: notTurned},
					{Name: "target of another gradient", Assumption: "own-gradient", Criterion: "derivative of the step",
						Measure: stepsWith(func(s *stepping) {
							s.batch = func(_, other routes.Problem) routes.Problem { return other }
						})},
					{Name: "weights that have lost a direction", Assumption: "full-rank",
						Criterion: "derivative of the step", Measure: stepsWith(func(s *stepping) { s.weights = loseDirection })},
				}...),
		},
		props.Drawn[split, firstOrderStep]{
			Name:    "orthogonal split",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   12,
			Regimes: layers.Conditions,
			Draw:    func(t *props.T) split { return drawSplit(t, 1, projected(1)) },
			Claim:   theory.WhitenedGradient,
			Judge:   judgeSplit,
			Controls: []props.Wrong[split, firstOrderStep]{
				{Name: "skew part with the opposite sign, in closed form", Criterion: "closed form", Instead: oppositeSkewPart},
				{Name: "half of the skew part left in", Criterion: "ΔWᵀ symmetric",
					Draw: func(t *props.T) split { return drawSplit(t, 2, projected(0.5)) }},
				{Name: "half of the gradient", Criterion: "WᵀΔ + ΔᵀW = Wᵀ∇ + ∇ᵀW",
					Draw: func(t *props.T) split {
						return drawSplit(t, 1, func(grad, _ *mat.Dense) *mat.Dense { return algebra.Scaled(0.5, grad) })
					}},
				{Name: "projected twice as far", Criterion: "‖Δ‖² + ‖∇ − Δ‖² = ‖∇‖²",
					Draw: func(t *props.T) split { return drawSplit(t, 2, projected(2)) }},
			},
		},
		props.Grid[theory.LayerShape, float64, retained]{
			Name: "retained share",
			Cells: func(props.Effort) []theory.LayerShape {
				return []theory.LayerShape{{Outputs: 4, Inputs: 7}, {Outputs: 2, Inputs: 16}, {Outputs: 1, Inputs: 6},
					{Outputs: 5, Inputs: 5},
					{Outputs: 7, Inputs: 4}, {Outputs: 16, Inputs: 2}, {Outputs: 6, Inputs: 1}}
			},
			Regimes: layers.Shapes,
			Measure: func(t *props.Trial, s theory.LayerShape) float64 { return measureShare(t, s, func(*mat.Dense) {}) },
			Claim:   theory.LayerShape.Retained,
			Judge: func(r *props.Record, s theory.LayerShape, share float64, claim retained) {
				r.Regime(layers.Shape(mat.NewDense(s.Outputs, s.Inputs, nil)))
				want := claim(s)
				r.MeasuredValue(fmt.Sprintf("share kept by a %d×%d layer", s.Outputs, s.Inputs), share, want)
				// Gradients of size 1 and singular values σ ≥ ½: steps of 2⁻⁶ and less move by τ ≤ 1/32. Solutions err by
				// 8(m+n)·u·κ²‖W‖ < 10⁻¹³, twice 2⁹ of which are less than 10⁻¹⁰.
				r.Within("share", share, want, derivativeLeft+1e-10)
			},
			Controls: []props.WrongCell[theory.LayerShape, float64, retained]{
				{Name: "share 1 − m/(2n)",
					Instead: func(s theory.LayerShape) float64 { return 1 - float64(s.Outputs)/(2*float64(s.Inputs)) }},
				{Name: "the share of weights that have lost a direction", Assumption: "full-rank",
					Measure: func(t *props.Trial, s theory.LayerShape) float64 { return measureShare(t, s, loseDirection) }},
			},
		},
		props.Drawn[tallStep, struct{}]{
			Name:    "frozen column space",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Tries:   12,
			Regimes: []string{layers.Shapes[2], layers.Shapes[2] + layers.Ill},
			Draw: func(t *props.T) tallStep {
				return drawTall(t, func(p routes.Problem) *mat.Dense { return layers.Next(routes.Polar{}, p) })
			},
			Judge: func(r *props.Record, k tallStep, _ struct{}) {
				r.Regime(layers.Condition(k.W, layers.Spread(k.W) > 30))
				m, _ := k.W.Dims()
				space, _, _ := layers.SVD(k.W)
				allowed := float64(64*m) * r.Unit() * mat.Norm(k.Next, 2) * layers.Spread(k.W)
				inside := algebra.Product(space, space.T(), k.Next)
				r.WithinMatrix("W₊ projected on the columns of W", inside, k.Next, allowed)
			},
			Controls: []props.Wrong[tallStep, struct{}]{{Name: "gradient descent, which leaves the column space",
				Assumption: "rotated", Draw: func(t *props.T) tallStep { return drawTall(t, layers.Descent) }}},
		},
	},
	Try: &props.Simulation{Run: simulateShare},
}.Claim()

const notTurned = "the factor W − γ∇ without rotation"

// firstOrderStep is Δ, the first-order step of weights along a gradient.
type firstOrderStep func(w, grad *mat.Dense) *mat.Dense

// firstOrderClaim holds the claims about short steps.
type firstOrderClaim struct {
	delta  firstOrderStep
	orders layers.Orders
}

// retained is the share of a gradient that a step keeps on average.
type retained func(theory.LayerShape) float64

// oppositeSkewPart is 2∇ − Δ.
func oppositeSkewPart(w, grad *mat.Dense) *mat.Dense {
	return algebra.Sum(algebra.Sum(algebra.Scaled(-1, theory.WhitenedGradient(w, grad)), grad), grad)
}

// loseDirection takes a direction from weights that have more than one.
func loseDirection(w *mat.Dense) {
	if m, n := w.Dims(); min(m, n) > 1 {
		layers.LoseDirection(w)
	}
}

// stepper takes exact steps of size γ, of either sign.
type stepper func(rate float64) *mat.Dense

// derivative extrapolates −dW₊/dγ at 0 from central differences with h, h/2, h/4, h/8 (Richardson). What is left of
// it are the orders from the ninth on, of the one in h²ʲ at most 2⁻¹²·Π1/(1−4⁻ⁱ) < 1.45·2⁻¹². Of steps that move
// weights by τ = 1/32 these are at most (τ/τ₀)⁹η(τ₀)σ, where η(τ₀) = 0.4 for τ₀ = 1/5 (see [layers.Reach]), so
// [derivativeLeft]‖∇‖ are left. A quotient errs by the rounding of a solution over its step, and the extrapolation
// adds less than as much again.
func (s stepper) derivative(h float64) *mat.Dense {
	var row []*mat.Dense
	for k := range 4 {
		size := math.Ldexp(h, -k)
		next := []*mat.Dense{algebra.Scaled(1/(2*size), algebra.Difference(s(-size), s(size)))}
		for j, coarser := range row { // next[j+1] = next[j] + (next[j] − row[j])/(4ʲ⁺¹ − 1)
			by := algebra.Scaled(1/(math.Pow(4, float64(j+1))-1), algebra.Difference(next[j], coarser))
			next = append(next, algebra.Sum(next[j], by))
		}
		row = next
	}
	return row[3]
}

// derivativeLeft is 32·1.45·2⁻¹²·0.4·(5/32)⁹.
const derivativeLeft = 2.6e-10

// stepsOfLayer are the steps of one layer: their derivative, and remainders along halved steps.
type stepsOfLayer struct {
	layers.Halvings
	W, Grad, Derivative mat.Dense
	Rounding            float64   // of the derivative
	Plain               []float64 // ‖W₊ − W + γ∇‖ along the steps
}

// stepping says how one layer is stepped.
type stepping struct {
	weights func(w *mat.Dense) // changes them
	batch   func(own, other routes.Problem) routes.Problem
	step    func(q routes.Problem, c layers.Cell) *mat.Dense
}

// stepsWith measures steps that are changed in some way. They take the paper's route for even cells and one polar
// factor for odd ones.
func stepsWith(change func(*stepping)) func(*props.Trial, layers.Cell) stepsOfLayer {
	how := stepping{
		weights: func(*mat.Dense) {},
		batch:   func(own, _ routes.Problem) routes.Problem { return own },
		step: func(q routes.Problem, c layers.Cell) *mat.Dense {
			if c.Index%2 == 0 {
				return layers.Next(routes.Full{}, q)
			}
			return layers.Next(routes.Polar{}, q)
		},
	}
	change(&how)
	return func(t *props.Trial, c layers.Cell) stepsOfLayer { return measureSteps(t, c, how) }
}

func measureSteps(t *props.Trial, c layers.Cell, how stepping) stepsOfLayer {
	w := c.Draw(t.Rand)
	spread, smallest := layers.Spread(w), layers.SmallestValue(w)
	p, other := layers.Batch(t.Rand, w, 3, 1, 0), layers.Batch(t.Rand, w, 3, 1, 0)
	m, n := w.Dims()
	how.weights(w)
	grad := algebra.Product(p.Gamma, p.H.T())
	step := func(rate float64) *mat.Dense {
		q := how.batch(p, other)
		q.Rate = rate
		return how.step(q, c)
	}
	rounding := float64(8*(m+n)) * roundoff.Unit * spread * spread * mat.Norm(w, 2)
	unit := smallest / mat.Norm(grad, 2) // the step that moves weights by their least singular value
	derivative := stepper(step).derivative(unit / 32)
	s := stepsOfLayer{W: *w, Grad: *grad, Derivative: *derivative,
		Rounding: derivativeLeft*mat.Norm(grad, 2) + 2*rounding*256/unit}
	first := theory.WhitenedGradient(w, grad)
	// The closed form errs by 16(m+n)·u·κ²‖∇‖: after steps of at most σ/(16‖∇‖), by an eighth of this rounding or less.
	reach := layers.Reach{Size: smallest, Rate: mat.Norm(grad, 2), Rest: layers.Descended, Moved: layers.Descended}
	s.Halvings = layers.Halve(reach, 9*rounding/8, func(rate float64) (rest, moved *mat.Dense) {
		moved = algebra.Difference(step(rate), w)
		return algebra.Sum(algebra.Scaled(rate, first), moved), moved
	})
	for _, rate := range s.Rest.Steps {
		p.Rate = rate
		s.Plain = append(s.Plain, math.Sqrt(layers.SquaredDistance(step(rate), layers.Descent(p))))
	}
	return s
}

func (s stepsOfLayer) figure() props.Figure {
	m, n := s.W.Dims()
	return props.Figure{
		ID:    "remainder",
		Title: "Distance of the step from its first order",
		Caption: fmt.Sprintf("For one %d×%d layer on logarithmic axes: the step itself and its distance from γ∇ fall "+
			"with slope 1, its distance from γΔ with slope 2.", m, n),
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Frobenius norm", Log: true},
		Curves: []props.Curve{
			{Name: "‖W₊ − W‖", Style: props.Line, X: s.Moved.Steps, Y: s.Moved.Norms},
			{Name: "‖W₊ − W + γ∇‖", Style: props.Points, X: s.Rest.Steps, Y: s.Plain},
			{Name: "‖W₊ − W + γΔ‖", Style: props.Points, X: s.Rest.Steps, Y: s.Rest.Norms},
		},
	}
}

// split is a gradient and the part of it that changes the Gram matrix.
type split struct {
	W     *mat.Dense `npy:"W"`
	Grad  *mat.Dense `npy:"D"`
	Delta *mat.Dense `npy:"Delta"`
}

// drawSplit projects on the complement of {ΩW : Ω skew} by the left singular vectors of the map Ω ↦ ΩW.
func drawSplit(t *props.T, leastOutputs int, delta func(grad, preserving *mat.Dense) *mat.Dense) split {
	m, n := layers.Dims(t, 7)
	r := t.Stream("entries")
	m = max(m, leastOutputs)
	w := layers.Conditioned(r, m, n, gen.LogUniform(t.T, "condition", 1, 1e3))
	s := split{W: w, Grad: gen.Gaussian(r, m, n, gen.LogUniform(t.T, "‖∇‖", 1e-3, 1e3))}
	s.Delta = delta(s.Grad, preservingPart(w, s.Grad))
	return s
}

// projected subtracts the preserving part, times a number.
func projected(times float64) func(grad, preserving *mat.Dense) *mat.Dense {
	return func(grad, preserving *mat.Dense) *mat.Dense {
		return algebra.Difference(grad, algebra.Scaled(times, preserving))
	}
}

// preservingPart is the projection of a gradient on {ΩW : Ω skew}.
func preservingPart(w, grad *mat.Dense) *mat.Dense {
	m, n := w.Dims()
	if m == 1 {
		return mat.NewDense(m, n, nil)
	}
	images := mat.NewDense(m*n, m*(m-1)/2, nil)
	for i, col := 0, 0; i < m; i++ {
		for j := range i { // Ω = eᵢeⱼᵀ − eⱼeᵢᵀ
			for k := range n {
				images.Set(i*n+k, col, w.At(j, k))
				images.Set(j*n+k, col, -w.At(i, k))
			}
			col++
		}
	}
	left, _, _ := layers.SVD(images)
	rank := layers.Rank(images)
	basis := left.Slice(0, m*n, 0, rank)
	flat := mat.NewDense(m*n, 1, append([]float64{}, grad.RawMatrix().Data...))
	return mat.NewDense(m, n, algebra.Product(basis, basis.T(), flat).RawMatrix().Data)
}

func judgeSplit(r *props.Record, s split, delta firstOrderStep) {
	m, n := s.W.Dims()
	spread := layers.Spread(s.W)
	r.Regime(layers.Condition(s.W, spread > 30))
	size, norm := mat.Norm(s.Grad, 2), mat.Norm(s.W, 2)
	unit := float64(16*(m+n)) * r.Unit()
	rest := algebra.Difference(s.Grad, s.Delta)
	r.WithinMatrix("closed form", s.Delta, delta(s.W, s.Grad), unit*spread*spread*size)
	left := algebra.Product(s.Delta, s.W.T())
	r.WithinMatrix("ΔWᵀ symmetric", left, left.T(), unit*spread*size*norm)
	change := layers.Symmetric(algebra.Product(s.W.T(), s.Delta))
	whole := layers.Symmetric(algebra.Product(s.W.T(), s.Grad))
	r.WithinMatrix("WᵀΔ + ΔᵀW = Wᵀ∇ + ∇ᵀW", change, whole, unit*spread*size*norm)
	parts := math.Pow(mat.Norm(s.Delta, 2), 2) + math.Pow(mat.Norm(rest, 2), 2)
	r.Within("‖Δ‖² + ‖∇ − Δ‖² = ‖∇‖²", parts, size*size, unit*spread*size*size)
}

// measureShare is the trace of the derivative of the step as a map of the gradient, over mn: Σ⟨Eᵢⱼ, Δ(Eᵢⱼ)⟩ over all
// unit matrices.
func measureShare(t *props.Trial, s theory.LayerShape, weights func(w *mat.Dense)) float64 {
	w := layers.Conditioned(t.Rand, s.Outputs, s.Inputs, 2)
	weights(w)
	trace := 0.0
	for i := range s.Outputs {
		for j := range s.Inputs {
			p := routes.Problem{W: w, Gamma: mat.NewDense(s.Outputs, 1, nil), H: mat.NewDense(s.Inputs, 1, nil)}
			p.Gamma.(*mat.Dense).Set(i, 0, 1)
			p.H.(*mat.Dense).Set(j, 0, 1)
			derivative := stepper(func(rate float64) *mat.Dense {
				p.Rate = rate
				return layers.Next(routes.Polar{}, p)
			}).derivative(0x1p-6)
			trace += derivative.At(i, j)
		}
	}
	return trace / float64(s.Outputs*s.Inputs)
}

// tallStep is a step of a layer with more outputs than inputs.
type tallStep struct {
	W    *mat.Dense `npy:"W"`
	Next *mat.Dense `npy:"W_next"`
}

// Valid names the violated hypothesis.
func (k tallStep) Valid() error {
	if m, n := k.W.Dims(); m <= n || layers.Rank(k.W) < n {
		return errors.New("the column space of W is the whole space, or W does not have full rank")
	}
	return nil
}

func drawTall(t *props.T, next func(routes.Problem) *mat.Dense) tallStep {
	n := gen.Dim(t.T, "n", 7)
	m := n + gen.Dim(t.T, "m−n", 7)
	r := t.Stream("entries")
	w := layers.Conditioned(r, m, n, gen.LogUniform(t.T, "condition", 1, 1e4))
	p := layers.Batch(r, w, gen.Dim(t.T, "B", 5), 1, gen.LogUniform(t.T, "γ", 1e-3, 10))
	return tallStep{w, next(p)}
}

// simulateShare is the share of one Gaussian gradient that a short step keeps.
func simulateShare(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m, n := v.Int("m"), v.Int("n")
	t.Need(m <= 512 && n <= 1024, "a simulation takes at most 512 outputs and 1024 inputs")
	w, grad := gen.Gaussian(t.Rand, m, n, 1/math.Sqrt(float64(max(m, n)))), gen.Gaussian(t.Rand, m, n, 1)
	const rate = 1e-6
	next := algebra.Scaled(-rate/mat.Norm(grad, 2), grad)
	next.Add(w, next)
	next = layers.Next(routes.Polar{}, layers.Towards(w, next))
	return map[string]float64{"retained": layers.SquaredDistance(next, w) / (rate * rate)}, nil
}
