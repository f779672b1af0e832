package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// logistic pairs the closed form with logistic regressions that the optimisers train.
var logistic = props.Spec{
	Statement: &theory.Logistic,
	Checks: []props.Check{
		props.Drawn[whitenedLogits, logitClaim]{
			Name:    "whitening is gradient descent",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   56,
			Regimes: []string{"one sample", "batch", "saturated"},
			Draw:    func(t *props.T) whitenedLogits { return drawWhitenedLogits(t, 1, onSameSide) },
			Claim:   logitClaim{meanOf, func(rate float64) float64 { return -rate }},
			Judge:   judgeWhitenedLogits,
			Controls: []props.Wrong[whitenedLogits, logitClaim]{
				{Name: "two outputs", Assumption: "one-output", Criterion: "step",
					Draw: func(t *props.T) whitenedLogits {
						return drawWhitenedLogits(t, 2, func(_ *nn.View, rate float64) float64 { return rate })
					}},
				{Name: "a step that turns the weights around", Assumption: "same-side", Criterion: "step",
					Draw: func(t *props.T) whitenedLogits { return drawWhitenedLogits(t, 1, turnedAround) }},
				{Name: "gradient of the summed loss", Criterion: "gradient of the mean loss",
					Instead: logitClaim{scale: func(int) float64 { return 1 }}},
				{Name: "step of the opposite sign", Criterion: "step",
					Instead: logitClaim{step: func(rate float64) float64 { return rate }}},
			},
			Coarse: map[string]string{"step": "steps of saturated samples are short compared with the weights that they are " +
				"added to"},
		},
		props.Drawn[shiftedLogit, shiftClaim]{
			Name:    "closed form of the true shift",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   16,
			Regimes: []string{"x not along w", "x ∥ w", "saturated"},
			Draw:    func(t *props.T) shiftedLogit { return drawShiftedLogit(t, 1) },
			Claim:   shiftClaim{meanOf, theory.LogisticStep.True, leastEigenvalueOf},
			Judge:   judgeShiftedLogit,
			Controls: []props.Wrong[shiftedLogit, shiftClaim]{
				{Name: "a batch of two samples", Assumption: "one-sample", Criterion: "new weights",
					Draw: func(t *props.T) shiftedLogit { return drawShiftedLogit(t, 2) }},
				{Name: "gradient of twice the loss", Criterion: "gradient of the mean loss",
					Instead: shiftClaim{scale: func(batch int) float64 { return 2 * meanOf(batch) }}},
				{Name: "γ²g² left out of P", Criterion: "new weights",
					Instead: shiftClaim{weights: func(s theory.LogisticStep) (a, b float64) {
						a, b = s.True()
						return a - math.Pow(s.Step*s.G, 2)*s.Weights/2, b // of √P, to first order in it
					}}},
				{Name: "the least eigenvalue is zero, as if the target were feasible", Criterion: "least eigenvalue",
					Instead: shiftClaim{lowest: func(theory.LogisticStep) float64 { return 0 }}},
			},
		},
		props.Grid[int, layers.Halvings, layers.Orders]{
			Name:  "order of the distance from gradient descent",
			Cells: props.Scale{Quick: 30, Standard: 100, Deep: 1000}.Indices,
			// of 9000 none is
			Declined: layers.MayDecline(0.001),
			Measure:  func(t *props.Trial, _ int) layers.Halvings { return halveLogit(drawView(t), gradientStep, 1) },
			Claim:    layers.Stated,
			Judge:    func(r *props.Record, _ int, h layers.Halvings, o layers.Orders) { h.Judge(r, o) },
			Conclude: func(r *props.Record, _ []int, all []layers.Halvings, _ layers.Orders) {
				r.Figure(figureOfLogit(all[0]))
			},
			Controls: append(layers.WrongOrders[int, layers.Halvings](func(o *layers.Orders) *layers.Orders { return o }),
				[]props.WrongCell[int, layers.Halvings, layers.Orders]{
					{Name: "distance from a step half as long", Criterion: layers.AnotherOrder,
						Measure: func(t *props.Trial, _ int) layers.Halvings {
							return halveLogit(drawView(t), func(view *nn.View, rate float64) *mat.Dense {
								return gradientStep(view, rate/2)
							}, 1)
						}},
					{Name: "steps from weights that are a thousandth longer", Criterion: layers.AnotherOrderOfSteps,
						Measure: func(t *props.Trial, _ int) layers.Halvings {
							return halveLogit(drawView(t), gradientStep, 1+1e-3)
						}},
				}...),
		},
	},
	Try: &props.Simulation{Run: simulateLogit},
}.Claim()

// logitClaim holds the claims about whitening: the gradient belongs to the loss times scale, and the step is along it
// times step.
type logitClaim struct {
	scale func(batch int) float64
	step  func(rate float64) float64
}

// shiftClaim holds the claims about the step towards the true shift.
type shiftClaim struct {
	scale   func(batch int) float64
	weights func(theory.LogisticStep) (along, across float64)
	lowest  func(theory.LogisticStep) float64 // eigenvalue of the target
}

func meanOf(batch int) float64 { return 1 / float64(batch) }

func leastEigenvalueOf(s theory.LogisticStep) float64 {
	lo, _ := s.Eigenvalues()
	return lo
}

// runLogits runs a regression w on the samples in the columns of x with labels y, without their signs.
func runLogits(w, x, y *mat.Dense) (*nn.View, *mat.Dense) {
	y.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, y)
	model := &nn.Model{Stages: []nn.Stage{{W: w, Act: nn.Identity}}, Loss: nn.Logistic}
	var trace nn.Trace
	model.Backprop(&trace, mat.DenseCopyOf(x.T()), mat.DenseCopyOf(y.T()))
	return &trace.Views[0], y
}

// gradientStep is a step of the optimiser for gradient descent.
func gradientStep(view *nn.View, rate float64) *mat.Dense {
	next, _ := must.Both(optim.SGD{Gamma: rate}.Next(view))
	return next
}

// virtualStep is a step of the optimiser for virtual covariance learning.
func virtualStep(view *nn.View, rate float64, s routes.Solver) *mat.Dense {
	next, _ := must.Both((&optim.VCL{Gamma: rate, Solver: s}).Next(view))
	return next
}

// whitenedLogits is a whitening step of a regression. A wrong version has two outputs.
type whitenedLogits struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Y     *mat.Dense `npy:"Y"`
	Gamma *mat.Dense `npy:"Gamma"`
	Rate  float64    `npy:"step"`
	Next  *mat.Dense `npy:"W_next"`
}

// Valid names the violated hypothesis.
func (s whitenedLogits) Valid() error {
	next := layers.Descent(routes.Problem{W: s.W, Gamma: s.Gamma, H: s.H, Rate: s.Rate})
	if !(mat.Dot(s.W.RowView(0), next.RowView(0)) > 0) {
		return errors.New("the step turns the weights around")
	}
	return nil
}

// drawLabels draws labels. One time in four the samples are saturated: w is scaled such that the least logit has a size
// of 7 to 20, and the labels are right.
func drawLabels(t *props.T, w, x *mat.Dense) *mat.Dense {
	z, smallest := algebra.Product(w, x), math.Inf(1)
	outputs, batch := z.Dims()
	if rapid.IntRange(0, 3).Draw(t.T, "saturated when zero") > 0 {
		return gen.Integers(t.Stream("labels"), outputs, batch, 1)
	}
	z.Apply(func(_, _ int, v float64) float64 {
		smallest = min(smallest, math.Abs(v))
		return max(0, math.Copysign(1, v))
	}, z)
	w.Scale(gen.LogUniform(t.T, "least logit", 7, 20)/smallest, w)
	return z
}

// onSameSide halves a rate until the weights stay on the same side.
func onSameSide(view *nn.View, rate float64) float64 {
	for k := 0; k < 200 && !(innerOfStep(view, rate) > 0); k++ {
		rate /= 2
	}
	return rate
}

// turnedAround doubles a rate until they do not.
func turnedAround(view *nn.View, rate float64) float64 {
	for k := 0; k < 200 && innerOfStep(view, rate) > 0; k++ {
		rate *= 2
	}
	return rate
}

// innerOfStep is the inner product of the weights before and after a step of gradient descent.
func innerOfStep(view *nn.View, rate float64) float64 {
	return floats.Dot(view.Stage.W.RawRowView(0), gradientStep(view, rate).RawRowView(0))
}

func drawWhitenedLogits(t *props.T, outputs int, limit func(view *nn.View, rate float64) float64) whitenedLogits {
	inputs, batch := max(outputs, gen.Dim(t.T, "n", 8)), gen.Dim(t.T, "B", 5)
	r, size := t.Stream("entries"), gen.LogUniform(t.T, "size", 0.1, 3)
	w, x := gen.Gaussian(r, outputs, inputs, size), gen.Gaussian(r, inputs, batch, size)
	labels := drawLabels(t, w, x)
	view, y := runLogits(w, x, labels)
	rate := limit(view, gen.LogUniform(t.T, "γ", 1e-3, 10))
	next := virtualStep(view, rate, rapid.SampledFrom(layers.Whiteners).Draw(t.T, "solver"))
	return whitenedLogits{w, x, y, mat.DenseCopyOf(view.PreGrad.T()), rate, next}
}

func judgeWhitenedLogits(r *props.Record, s whitenedLogits, c logitClaim) {
	n, batch := s.H.Dims()
	r.RegimeOf(batch > 1, saturated(s.Gamma))
	judgeLogits(r, s.W, s.H, s.Y, s.Gamma, c.scale)
	step := algebra.Difference(s.Next, s.W)
	want := algebra.Scaled(c.step(s.Rate), algebra.Product(s.Gamma, s.H.T()))
	// ΓHᵀ is known to B·u of ‖Γ‖‖H‖ on both sides, also where samples cancel in it; γ and the sum add two roundings.
	terms := math.Abs(s.Rate) * mat.Norm(s.Gamma, 2) * mat.Norm(s.H, 2)
	r.WithinMatrix("step", step, want, float64(16*(n+batch))*r.Unit()*(mat.Norm(s.W, 2)+mat.Norm(s.Next, 2))+
		float64(2*(batch+2))*r.Unit()*terms)
}

// saturated is whether all gradients are below a thousandth of what they could be.
func saturated(gamma *mat.Dense) bool {
	_, batch := gamma.Dims()
	return max(mat.Max(gamma), -mat.Min(gamma)) < 1e-3/float64(batch)
}

// judgeLogits states that the gradients are (1/(1+e⁻ᶻ) − y)/B.
func judgeLogits(r *props.Record, w, h, y, gamma *mat.Dense, of func(batch int) float64) {
	n, batch := h.Dims()
	want := algebra.Product(w, h)
	scale := of(batch)
	want.Apply(func(i, j int, z float64) float64 {
		e := math.Exp(-math.Abs(z))
		p := e / (1 + e) // of the label that z speaks against, without cancellation
		if (z > 0) == (y.At(i, j) > 0.5) {
			return scale * math.Copysign(p, -z)
		}
		return scale * math.Copysign(1-p, z)
	}, want)
	allowed := (2*float64(n)*mat.Norm(w, 2)*mat.Norm(h, 2) + 16) * r.Unit() / float64(batch)
	r.WithinMatrix("gradient of the mean loss", gamma, want, allowed)
}

// shiftedLogit is a step of a regression towards the true shift of one sample.
type shiftedLogit struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Y     *mat.Dense `npy:"Y"`
	Gamma *mat.Dense `npy:"Gamma"`
	Rate  float64    `npy:"step"`
	Next  *mat.Dense `npy:"W_shift"`
}

// Valid names the violated hypothesis.
func (s shiftedLogit) Valid() error {
	if _, batch := s.H.Dims(); batch != 1 {
		return errors.New("the closed form is for one sample")
	}
	if mat.Norm(s.W, 2) == 0 {
		return errors.New("the weights vanish")
	}
	if step, _, _ := inPlane(s); step.Valid() == nil {
		if _, hi := step.Eigenvalues(); !(hi > 0) {
			return errors.New("the target has no positive eigenvalue, x being along w")
		}
	}
	return nil
}

func drawShiftedLogit(t *props.T, batch int) shiftedLogit {
	inputs := max(batch, gen.Dim(t.T, "n", 8))
	r, size := t.Stream("entries"), gen.LogUniform(t.T, "size", 0.1, 3)
	w, x := gen.Gaussian(r, 1, inputs, size), gen.Gaussian(r, inputs, batch, size)
	parallel := rapid.IntRange(0, 4).Draw(t.T, "along w when zero") == 0 && batch == 1
	if parallel {
		x.Scale(r.NormFloat64(), w.T())
	}
	view, y := runLogits(w, x, drawLabels(t, w, x))
	rate := gen.LogUniform(t.T, "γ", 1e-2, 3)
	for (parallel || inputs == 1) && rate*mat.Norm(view.PreGrad, 2)*mat.Norm(x, 2) > mat.Norm(w, 2)/4 { // so P ≥ ‖w‖²/2
		rate /= 2
	}
	solvers := []routes.Solver{routes.Full{Target: routes.TrueShift}, routes.Reduced{Target: routes.TrueShift}}
	solver := rapid.SampledFrom(solvers).Draw(t.T, "solver")
	return shiftedLogit{w, x, y, mat.DenseCopyOf(view.PreGrad.T()), rate, virtualStep(view, rate, solver)}
}

// judgeShiftedLogit compares with √λ₁q₁ and with the least eigenvalue, in the basis of w and x_⊥ of the first sample.
func judgeShiftedLogit(r *props.Record, s shiftedLogit, c shiftClaim) {
	n, _ := s.H.Dims()
	step, along, across := inPlane(s)
	lo, hi := step.Eigenvalues()
	a, b := c.weights(step)
	r.RegimeOf(n == 1 || step.Across < 1e-12*math.Abs(step.Along), saturated(s.Gamma))
	want := mat.NewDense(1, n, nil)
	floats.AddScaled(want.RawRowView(0), a, along)
	floats.AddScaled(want.RawRowView(0), b, across)
	layer := theory.LayerStep{W: s.W, Inputs: s.H, PreGrads: s.Gamma, Step: s.Rate, Convention: theory.Sum}
	target := algebra.Sum(algebra.Product(s.W.T(), s.W), layer.Shift())
	size := mat.Norm(target, 2) + step.Weights*step.Weights*(1+step.Across+math.Abs(step.Along))
	rounding := 16 * float64(n) * r.Unit() * size
	judgeLogits(r, s.W, s.H, s.Y, s.Gamma, c.scale)
	r.WithinMatrix("new weights", s.Next, want, 2*rounding/(hi-lo)*math.Sqrt(hi)+rounding/math.Sqrt(hi))
	if n > 1 {
		r.WithinScale("least eigenvalue", layers.Eigenvalues(target)[0], c.lowest(step), hi, rounding)
	}
}

// inPlane is the step in the basis of w and x_⊥; where x ∥ w, the second vector is of no account.
func inPlane(s shiftedLogit) (step theory.LogisticStep, along, across []float64) {
	w, x := s.W.RawRowView(0), mat.Col(nil, 0, s.H)
	size := floats.Norm(w, 2)
	along, across = append([]float64{}, w...), append([]float64{}, x...)
	floats.Scale(1/size, along)
	for range 2 { // the second time removes what rounding left of the first
		floats.AddScaled(across, -floats.Dot(across, along), along)
	}
	rest := floats.Norm(across, 2)
	if rest > 0 {
		floats.Scale(1/rest, across)
	}
	step = theory.LogisticStep{Weights: size, Along: floats.Dot(x, along), Across: rest, G: s.Gamma.At(0, 0),
		Step: s.Rate}
	return step, along, across
}

// drawView draws a regression with six inputs on one sample.
func drawView(t *props.Trial) *nn.View {
	view, _ := runLogits(gen.Gaussian(t.Rand, 1, 6, 0.4), gen.Gaussian(t.Rand, 6, 1, 0.4), gen.Integers(t.Rand, 1, 1, 1))
	return view
}

// halveLogit takes halved steps of one regression, and those of gradient descent. They count from the weights times
// a number.
func halveLogit(view *nn.View, descend func(view *nn.View, rate float64) *mat.Dense, from float64) layers.Halvings {
	w, g := view.Stage.W, mat.Norm(view.PreGrad, 2)
	size := mat.Norm(w, 2)
	reach := layers.Reach{Size: size, Rate: g * max(size, mat.Norm(view.Inputs, 2)), Rest: layers.Shifted,
		Moved: layers.Shifted}
	return layers.Halve(reach, 1e3*roundoff.Unit*size, func(rate float64) (rest, moved *mat.Dense) {
		next := virtualStep(view, rate, routes.Reduced{Target: routes.TrueShift})
		return algebra.Difference(next, descend(view, rate)), algebra.Difference(next, algebra.Scaled(from, w))
	})
}

func figureOfLogit(h layers.Halvings) props.Figure {
	return props.Figure{
		ID:    "descent",
		Title: "Logistic regression: the true shift against gradient descent",
		Caption: "For one regression with six inputs on logarithmic axes: the step falls with slope 1 in the step " +
			"size, its distance from gradient descent with slope 2.",
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Euclidean norm", Log: true},
		Curves: []props.Curve{
			{Name: "‖w₊ − w‖", Style: props.Points, X: h.Moved.Steps, Y: h.Moved.Norms},
			{Name: "‖w₊ − (w − γgx)‖", Style: props.Points, X: h.Rest.Steps, Y: h.Rest.Norms},
		},
	}
}

// simulateLogit takes the step in two dimensions, in a basis that is turned at random.
func simulateLogit(t *props.Trial, v statement.Values) (map[string]float64, error) {
	basis := gen.Orthonormal(t.Rand, 2, 2)
	vector := func(along, across float64) *mat.Dense {
		return algebra.Product(basis, mat.NewDense(2, 1, []float64{along, across}))
	}
	w, x := vector(v.Float("weights"), 0), vector(v.Float("along"), v.Float("across"))
	p := routes.Problem{W: mat.DenseCopyOf(w.T()), Gamma: mat.NewDense(1, 1, []float64{v.Float("g")}), H: x,
		Rate: v.Float("step")}
	step, err := routes.Reduced{Target: routes.TrueShift}.Solve(p)
	t.Refuse(err)
	values, inBasis := layers.Eigenvalues(routes.TrueShift.Gram(p)), algebra.Product(step.W, basis)
	return map[string]float64{
		"eigenvalue_min": values[0], "eigenvalue_max": values[1], "along": inBasis.At(0, 0), "across": inBasis.At(0, 1),
		"apart": math.Sqrt(layers.SquaredDistance(step.W, layers.Descent(p))),
	}, nil
}
