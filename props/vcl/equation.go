package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// equation pairs the feature learning equation with networks whose first layer is the one it speaks about.
var equation = props.Claim{
	Statement: &theory.Equation,
	Verify: []props.LegacyCheck{
		equationExactly(equationTrial{}),
		equationBackprop(equationTrial{}),
		equationDifferences(equationTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "skip connection around the layer, on integers", Assumption: "only-use-of-h", Check: equationExactly(equationTrial{skip: true})},
		{Name: "skip connection around the layer", Assumption: "only-use-of-h", Check: equationDifferences(equationTrial{skip: true})},
		{Name: "weights shared with the next layer, on integers", Assumption: "only-use-of-w", Check: equationExactly(equationTrial{tied: true})},
		{Name: "weights shared with the next layer", Assumption: "only-use-of-w", Check: equationDifferences(equationTrial{tied: true})},
		{Name: "weight decay in the gradient of the weights only", Assumption: "same-function", Check: equationBackprop(equationTrial{decay: 0.01})},
		{Name: "gradient of the weights transposed", Check: equationBackprop(equationTrial{transposed: true})},
		{Name: "sides exchanged: h·∇_hᵀ", Check: equationBackprop(equationTrial{exchanged: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the equation, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return equationExactly(equationTrial{dose: dose}) }},
		{Of: "the equation, with backpropagated gradients", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return equationBackprop(equationTrial{dose: dose}) }},
		{Of: "the equation, by difference quotients", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return equationDifferences(equationTrial{dose: dose}) }},
	},
}

// equationTrial is the version of the claim on trial. The zero value is the claim itself.
type equationTrial struct {
	dose       float64 // the right-hand side times 1+dose
	skip       bool    // the layer's input is also added to its output
	tied       bool    // the second layer has the same weights
	transposed bool    // ∇_W is hgᵀ
	exchanged  bool    // the right-hand side is h·∇_hᵀ
	decay      float64 // ∇_W is that of f + decay/2·‖W‖², ∇_h that of f
}

// square reports whether the layer's output must have the length of its input.
func (v equationTrial) square() bool { return v.skip || v.tied || v.transposed }

// net builds a network in→m→m→out, with the first layer on trial.
func (v equationTrial) net(in, m, out int, act nn.Activation, draw func(rows, cols int) *mat.Dense) nn.Net {
	net := nn.Net{
		{W: draw(m, in), B: draw(m, 1).RawMatrix().Data, Act: act, Skip: v.skip},
		{W: draw(m, m), Act: act},
		{W: draw(out, m), Act: nn.Identity},
	}
	if v.tied {
		net[1].W = net[0].W
	}
	return net
}

// equationExactly compares all entries on linear networks of small integers, each gradient by central differences of
// step 1. The entries of W and x stay below 4, the loss below 2⁴⁰.
func equationExactly(v equationTrial) props.LegacyCheck {
	return props.Property{
		Name:  "equation on integers",
		Cases: props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m, out := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "outputs", 3)
			if v.square() {
				m = n
			}
			r := t.Stream("entries")
			net := v.net(n, m, out, nn.Identity, func(rows, cols int) *mat.Dense { return gen.Integers(r, rows, cols, 2) })
			h, y := gen.Integers(r, n, 1, 3).RawMatrix().Data, gen.Integers(r, out, 1, 3).RawMatrix().Data
			byW := differences(net[0].W.RawMatrix().Data, func() float64 { return net.Loss(h, y) })
			byH := differences(h, func() float64 { return net.Loss(h, y) })

			var left, right mat.Dense
			left.Mul(net[0].W.T(), mat.NewDense(m, n, byW))
			right.Outer(1+v.dose, mat.NewVecDense(n, byH), mat.NewVecDense(n, h))
			t.Show("W", net[0].W)
			t.Show("h", h)
			t.Show("Wᵀ∇_W f", &left)
			t.Show("∇_h f·hᵀ", &right)
			left.Sub(&left, &right)
			return props.Exactly(mat.Norm(&left, 2))
		},
	}.Check()
}

// differences returns the central differences of step 1 of f in the entries of x, which f reads. For a quadratic f they
// are its derivatives.
func differences(x []float64, f func() float64) []float64 {
	d := make([]float64, len(x))
	for i, at := range x {
		x[i] = at + 1
		up := f()
		x[i] = at - 1
		d[i] = (up - f()) / 2
		x[i] = at
	}
	return d
}

// equationBackprop compares all entries with the gradients of the backward pass, within 2(m+1)·u‖W‖‖g‖‖h‖.
func equationBackprop(v equationTrial) props.LegacyCheck {
	return props.Property{
		Name:  "equation with backpropagated gradients",
		Cases: props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m := gen.Dim(t.T, "n", 12), gen.Dim(t.T, "m", 12)
			if v.square() {
				m = n
			}
			r, scale := t.Stream("entries"), gen.Scale(t.T, "scale", 0.1, 10)
			net := v.net(n, m, 2, nn.GELU, func(rows, cols int) *mat.Dense {
				return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols)))
			})
			h, y := gen.Gaussian(r, n, 1, scale).RawMatrix().Data, gen.Gaussian(r, 2, 1, scale).RawMatrix().Data
			p := net.Backprop(h, y)
			byW, left, right := v.weightGrad(net, p), new(mat.Dense), new(mat.Dense)
			left.Mul(net[0].W.T(), byW)
			right.Outer(1+v.dose, mat.NewVecDense(n, p.InputGrad[0]), mat.NewVecDense(n, h))
			if v.exchanged {
				right = mat.DenseCopyOf(right.T())
			}
			t.Show("W", net[0].W)
			t.Show("h", h)
			t.Show("∇_W f", byW)
			t.Show("∇_h f", p.InputGrad[0])
			left.Sub(left, right)
			size := mat.Norm(net[0].W, 2) * floats.Norm(p.PreGrad[0], 2) * floats.Norm(h, 2)
			return props.Within(mat.Norm(left, 2), 2*float64(m+1)*0x1p-53*size)
		},
	}.Check()
}

// weightGrad returns ∇_W of the first layer, as the version on trial has it.
func (v equationTrial) weightGrad(net nn.Net, p *nn.Pass) *mat.Dense {
	grad := new(mat.Dense)
	grad.Outer(1, mat.NewVecDense(len(p.PreGrad[0]), p.PreGrad[0]), mat.NewVecDense(len(p.Input[0]), p.Input[0]))
	if v.transposed {
		grad = mat.DenseCopyOf(grad.T())
	}
	var decay mat.Dense
	decay.Scale(v.decay, net[0].W)
	grad.Add(grad, &decay)
	return grad
}

// sides are both sides of uᵀ(Wᵀ∇_W f)v = (u·∇_h f)(h·v) for one network, and what the difference quotients may err by.
type sides struct{ left, right, allowed float64 }

// equationDifferences compares both sides along random directions on deep GELU networks, by differences of the loss
// alone.
func equationDifferences(v equationTrial) props.LegacyCheck {
	share := ""
	if v == (equationTrial{dose: v.dose}) {
		share = "sides"
	}
	return props.LegacySweep[int, sides]{
		Name:  "equation by difference quotients",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 200, Standard: 1000, Deep: 20000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) sides { return v.differentiate(t.Rand) },
		Judge:   func(_ []int, all []sides) props.Judgement { return v.judge(all) },
	}.Check()
}

// differentiate draws a network and differentiates its loss in the weights along (Wu)vᵀ and in the input along u.
func (v equationTrial) differentiate(r *rand.Rand) sides {
	const n, m, out = 6, 6, 2
	gaussian := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))) }
	net := v.net(n, m, out, nn.GELU, gaussian)
	h, y := gen.Gaussian(r, n, 1, 1).RawMatrix().Data, gen.Gaussian(r, out, 1, 1).RawMatrix().Data
	u, w := gen.Gaussian(r, n, 1, 1), gen.Gaussian(r, n, 1, 1)
	var wu, direction mat.Dense
	wu.Mul(net[0].W, u)
	direction.Mul(&wu, w.T())
	loss := func() float64 { return net.Loss(h, y) }
	left, leftErr := alongLine(net[0].W.RawMatrix().Data, direction.RawMatrix().Data, loss)
	right, rightErr := alongLine(h, u.RawMatrix().Data, loss)
	factor := floats.Dot(h, w.RawMatrix().Data)
	return sides{left, right * factor, leftErr + rightErr*math.Abs(factor)}
}

// alongLine returns the derivative of f at x along d by the central difference D(s) with s = 10⁻⁴/‖d‖, and how far it may
// be off: D(2s) − D(s) is three times the truncation error of D(s), and a loss of size M that ends 100 operations,
// whose errors the layers amplify less than tenfold, gives a quotient with an error of at most 1000·u·M/s.
func alongLine(x, d []float64, f func() float64) (slope, err float64) {
	size := floats.Norm(d, 2)
	s := 1e-4 / size
	origin, largest := append([]float64{}, x...), 0.0
	at := func(s float64) float64 {
		floats.AddScaledTo(x, origin, s, d)
		value := f()
		copy(x, origin)
		largest = max(largest, value)
		return value
	}
	once, twice := (at(s)-at(-s))/(2*s), (at(2*s)-at(-2*s))/(4*s)
	return once, math.Abs(twice-once) + 1000*0x1p-53*(1+largest)/s
}

func (v equationTrial) judge(all []sides) props.Judgement {
	ratio := props.Ratio{}
	points := props.Curve{Name: "networks", Style: props.Points}
	reach := 0.0
	for _, s := range all {
		right := s.right * (1 + v.dose)
		ratio = props.Worst(ratio, props.Within(s.left-right, s.allowed))
		reach = max(reach, math.Abs(s.left), math.Abs(right))
		points.X, points.Y = append(points.X, right), append(points.Y, s.left)
	}
	return props.Judgement{
		Parts: []props.Part{{Name: "both sides along random directions", Ratio: ratio}},
		Figures: []props.Figure{{
			ID:    "sides",
			Title: "Both sides of the equation",
			Caption: "For each of the networks the derivative of the loss in the weights along (Wu)vᵀ against the derivative in the hidden " +
				"state along u times h·v, each by differences of the loss alone: the points lie on the diagonal.",
			X: props.Axis{Label: "(u·∇_h f)(h·v)"}, Y: props.Axis{Label: "uᵀ(Wᵀ∇_W f)v"},
			Curves: []props.Curve{points, {Name: "equal", Style: props.Dashed, X: []float64{-reach, reach}, Y: []float64{-reach, reach}}},
		}},
	}
}
