package vcl

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// firstOrder pairs the projected gradient with the reference solver at ever smaller steps.
var firstOrder = props.Claim{
	Statement: &theory.FirstOrder,
	Verify: []props.LegacyCheck{
		firstOrderRemainder(firstOrderTrial{}),
		firstOrderSplit(firstOrderTrial{}),
		firstOrderShare(firstOrderTrial{}),
		firstOrderSpace(firstOrderTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "the gradient itself for Δ", Check: firstOrderRemainder(firstOrderTrial{plain: true})},
		{Name: "skew part with the opposite sign", Check: firstOrderRemainder(firstOrderTrial{reflected: true})},
		{Name: "the factor W − γ∇ without rotation", Assumption: "rotated", Check: firstOrderRemainder(firstOrderTrial{unrotated: true})},
		{Name: "target of another gradient", Assumption: "own-gradient", Check: firstOrderRemainder(firstOrderTrial{other: true})},
		{Name: "weights that have lost a direction", Assumption: "full-rank", Check: firstOrderShare(firstOrderTrial{lost: true})},
		{Name: "share 1 − m/(2n)", Check: firstOrderShare(firstOrderTrial{wholeRow: true})},
		{Name: "gradient descent, which leaves the column space", Assumption: "rotated", Check: firstOrderSpace(firstOrderTrial{unrotated: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the order of the remainder", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return firstOrderRemainder(firstOrderTrial{dose: dose}) }},
		{Of: "the retained share", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return firstOrderShare(firstOrderTrial{dose: dose}) }},
		{Of: "orthogonality of the split", Unit: props.Absolute, Check: func(dose float64) props.LegacyCheck { return firstOrderSplit(firstOrderTrial{dose: dose}) }},
	},
}

// firstOrderTrial is the version of the claim on trial. The zero value is the claim itself.
type firstOrderTrial struct {
	dose      float64 // the order plus dose; the share times 1+dose; Δ plus dose times the part left out
	plain     bool    // Δ = ∇
	reflected bool    // Δ = ∇ + ΩW
	unrotated bool    // W₊ = W − γ∇
	other     bool
	lost      bool
	wholeRow  bool
}

// shapes of layers, outputs × inputs: wide, square and tall.
var firstOrderShapes = []theory.LayerShape{{Outputs: 4, Inputs: 7}, {Outputs: 5, Inputs: 5}, {Outputs: 7, Inputs: 4}, {Outputs: 1, Inputs: 6}, {Outputs: 6, Inputs: 1}}

// delta is the first-order step that the version on trial claims.
func (v firstOrderTrial) delta(w, grad *mat.Dense) *mat.Dense {
	delta := theory.WhitenedGradient(w, grad)
	var rest mat.Dense
	rest.Sub(grad, delta)
	rest.Scale(v.dose, &rest)
	switch {
	case v.plain:
		return grad
	case v.reflected:
		rest.Sub(grad, delta)
		rest.Scale(2, &rest)
	}
	delta.Add(delta, &rest)
	return delta
}

// halvings is a remainder of second order of one layer along halved steps, beside the step itself.
type halvings struct {
	Shape       theory.LayerShape
	rest        rungs     // of second order
	moved       rungs     // of W₊ − W, of first order
	plainErrors []float64 // ‖W₊ − W + γ∇‖
}

// newHalvings takes remainders and moves at steps γ = 2⁻⁶ … 2⁻¹¹ of a layer w. A new weight errs by less than 1000u‖W‖: it is
// that of a polar factor whose condition is at most 4.
func newHalvings(shape theory.LayerShape, w *mat.Dense, remainders, moves []*mat.Dense) halvings {
	rounding := 1e3 * 0x1p-53 * mat.Norm(w, 2)
	return halvings{Shape: shape, rest: newRungs(halvedSteps, remainders, 2, rounding), moved: newRungs(halvedSteps, moves, 1, rounding)}
}

// halvedSteps are the step sizes of halvings.
var halvedSteps = []float64{0x1p-6, 0x1p-7, 0x1p-8, 0x1p-9, 0x1p-10, 0x1p-11}

// ofSecondOrder judges that remainders are of second order, plus the dose, and that the steps themselves are of first.
func ofSecondOrder(all []halvings, dose float64) props.Judgement {
	var rest, moved []rungs
	for _, h := range all {
		rest, moved = append(rest, h.rest), append(moved, h.moved)
	}
	parts, mean := ofOrder("order in γ", rest, 2+dose)
	whole, first := ofOrder("order of the step itself", moved, 1)
	return props.Judgement{
		Parts:          append(parts, whole...),
		Facts:          []props.Fact{props.Noted("mean order in γ", mean, 2), props.Noted("mean order of the step itself", first, 1)},
		Counterexample: fmt.Sprintf("mean order %.4g, of the step itself %.4g", mean, first),
	}
}

// firstOrderRemainder is the order of E in the step size: 2.
func firstOrderRemainder(v firstOrderTrial) props.LegacyCheck {
	share := ""
	if v == (firstOrderTrial{dose: v.dose}) {
		share = "halvings"
	}
	return props.LegacySweep[int, halvings]{
		Name:  "order of the remainder",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 20, Standard: 60, Deep: 1000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) halvings {
			return v.halve(t, firstOrderShapes[cell%3])
		},
		Judge: func(_ []int, all []halvings) props.Judgement { return v.judgeRemainder(all) },
	}.Check()
}

// halve steps one layer with singular values between 1 and 2 along halved steps. Those keep the map well conditioned.
func (v firstOrderTrial) halve(t *props.Trial, shape theory.LayerShape) halvings {
	const batch = 3
	r := t.Rand
	p := routes.Problem{W: conditionedLayer(t, shape), Gamma: gen.Gaussian(r, shape.Outputs, batch, 0.5), H: gen.Gaussian(r, shape.Inputs, batch, 0.5)}
	var grad mat.Dense
	grad.Mul(p.Gamma, p.H.T())
	delta := firstOrderTrial{plain: v.plain, reflected: v.reflected}.delta(p.W, &grad)
	if v.other {
		p.H = gen.Gaussian(r, shape.Inputs, batch, 0.5)
	}
	var rests, moves []*mat.Dense
	var plainErrors []float64
	for _, rate := range halvedSteps {
		p.Rate = rate
		next := v.next(p)
		var rest, plain, step mat.Dense
		rest.Scale(rate, delta)
		plain.Scale(rate, &grad)
		step.Sub(next, p.W)
		rest.Add(&rest, &step)
		plain.Add(&plain, &step)
		rests, moves, plainErrors = append(rests, &rest), append(moves, &step), append(plainErrors, mat.Norm(&plain, 2))
	}
	out := newHalvings(shape, p.W, rests, moves)
	out.plainErrors = plainErrors
	return out
}

// next is the step that the version on trial takes.
func (v firstOrderTrial) next(p routes.Problem) *mat.Dense {
	if v.unrotated {
		var by, next mat.Dense
		by.Mul(p.Gamma, p.H.T())
		by.Scale(-p.Rate, &by)
		next.Add(p.W, &by)
		return &next
	}
	step, err := routes.Full{}.Solve(p)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	return step.W
}

// conditionedLayer draws weights with singular values evenly spread over [1, 2].
func conditionedLayer(t *props.Trial, shape theory.LayerShape) *mat.Dense {
	m, n := shape.Outputs, shape.Inputs
	k := min(m, n)
	u, v := gen.Orthonormal(t.Rand, m, k), gen.Orthonormal(t.Rand, n, k)
	for j := range k {
		s := 1.0
		if k > 1 {
			s += float64(j) / float64(k-1)
		}
		for i := range m {
			u.Set(i, j, s*u.At(i, j))
		}
	}
	var w mat.Dense
	w.Mul(u, v.T())
	return &w
}

func (v firstOrderTrial) judgeRemainder(all []halvings) props.Judgement {
	j, h := ofSecondOrder(all, v.dose), all[0]
	j.Figures = []props.Figure{{
		ID:    "remainder",
		Title: "Distance of the step from its first order",
		Caption: fmt.Sprintf("For one %d×%d layer on logarithmic axes: the step itself and its distance from γ∇ fall with slope 1, its distance from γΔ "+
			"with slope 2.", h.Shape.Outputs, h.Shape.Inputs),
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Frobenius norm", Log: true},
		Curves: []props.Curve{
			{Name: "‖W₊ − W‖", Style: props.Line, X: h.moved.steps, Y: h.moved.errors},
			{Name: "‖W₊ − W + γ∇‖", Style: props.Points, X: h.rest.steps, Y: h.plainErrors[:len(h.rest.steps)]},
			{Name: "‖W₊ − W + γΔ‖", Style: props.Points, X: h.rest.steps, Y: h.rest.errors},
		},
	}}
	return j
}

// firstOrderSplit is the split of one gradient: ΔWᵀ symmetric, Δ′ in the kernel of the Gram matrix's derivative, both
// orthogonal. Rounding: two products and a division by eigenvalues of at least 1, of matrices with norms below 5‖∇‖.
func firstOrderSplit(v firstOrderTrial) props.LegacyCheck {
	return props.LegacySweep[int, props.Ratio]{
		Name: "orthogonal split",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 25, Standard: 100, Deep: 5000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) props.Ratio {
			shape := firstOrderShapes[cell%3]
			w := conditionedLayer(t, shape)
			grad := gen.Gaussian(t.Rand, shape.Outputs, shape.Inputs, 1)
			delta := v.delta(w, grad)
			var left, symmetric, skew, kernel mat.Dense
			left.Sub(grad, delta)
			symmetric.Mul(delta, w.T())
			skew.Sub(&symmetric, symmetric.T())
			kernel.Mul(w.T(), &left)
			kernel.Add(&kernel, mat.DenseCopyOf(kernel.T()))
			var product mat.Dense
			product.MulElem(delta, &left)
			size := mat.Norm(grad, 2)
			allowed := 64 * float64(largest(w)) * 0x1p-53 * size
			return props.Worst(props.Within(mat.Norm(&skew, 2), 2*allowed), props.Within(mat.Norm(&kernel, 2), 2*allowed),
				props.Within(mat.Sum(&product), allowed*size))
		},
		Judge: func(_ []int, ratios []props.Ratio) props.Judgement {
			return props.Judgement{Parts: []props.Part{{Name: "orthogonal split", Ratio: props.Worst(ratios...)}}}
		},
	}.Check()
}

// firstOrderShare is the trace of the projection, Σ ⟨Eᵢⱼ, Δ(Eᵢⱼ)⟩ over all unit matrices, against the retained share of mn.
func firstOrderShare(v firstOrderTrial) props.LegacyCheck {
	return props.LegacySweep[theory.LayerShape, float64]{
		Name:  "retained share",
		Cells: func(props.Effort) []theory.LayerShape { return firstOrderShapes },
		Measure: func(t *props.Trial, shape theory.LayerShape) float64 {
			w := conditionedLayer(t, shape)
			if v.lost {
				loseDirection(w)
			}
			trace := 0.0
			for i := range shape.Outputs {
				for j := range shape.Inputs {
					unit := mat.NewDense(shape.Outputs, shape.Inputs, nil)
					unit.Set(i, j, 1)
					trace += theory.WhitenedGradient(w, unit).At(i, j)
				}
			}
			return trace
		},
		Judge: func(shapes []theory.LayerShape, traces []float64) props.Judgement {
			j := props.Judgement{}
			ratio := props.Ratio{}
			for i, s := range shapes {
				all := float64(s.Outputs * s.Inputs)
				claimed := s.Retained() * (1 + v.dose)
				if v.wholeRow {
					claimed = 1 - float64(s.Outputs)/(2*float64(s.Inputs))
				}
				ratio = props.Worst(ratio, props.Within(traces[i]-claimed*all, all*16*float64(max(s.Outputs, s.Inputs))*0x1p-53*4))
				j.Facts = append(j.Facts, props.Noted(fmt.Sprintf("share kept by a %d×%d layer", s.Outputs, s.Inputs), traces[i]/all, claimed))
			}
			j.Parts = []props.Part{{Name: "trace of the projection", Ratio: ratio}}
			return j
		},
	}.Check()
}

// firstOrderSpace is how far the columns of W₊ leave the column space of W, for tall layers and steps that are not small.
func firstOrderSpace(v firstOrderTrial) props.LegacyCheck {
	return props.Property{
		Name:  "frozen column space",
		Cases: props.Scale{Quick: 60, Standard: 500, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			n := gen.Dim(t.T, "n", 5)
			m := n + gen.Dim(t.T, "m−n", 5)
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, m, n, 1), Gamma: gen.Gaussian(r, m, 3, 1), H: gen.Gaussian(r, n, 3, 1), Rate: gen.Scale(t.T, "γ", 1e-3, 1)}
			next := v.next(p)
			var qr mat.QR
			var q, inside, leak mat.Dense
			qr.Factorize(p.W)
			qr.QTo(&q)
			space := q.Slice(0, m, 0, n)
			inside.Product(space, space.T(), next)
			leak.Sub(next, &inside)
			t.Show("W", p.W)
			t.Show("W₊", next)
			t.Show("leak", mat.Norm(&leak, 2))
			return props.Within(mat.Norm(&leak, 2), 64*float64(m)*0x1p-53*(mat.Norm(next, 2)+mat.Norm(p.W, 2)*condition(p.W)))
		},
	}.Check()
}
