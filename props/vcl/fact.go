package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// fact pairs the features at convergence with networks that are trained under weight decay.
var fact = props.Claim{
	Statement: &theory.Fact,
	Verify: []props.LegacyCheck{
		factExactly(factTrial{}),
		factConverged(factTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "gradient without the decay, on integers", Assumption: "decay", Check: factExactly(factTrial{noDecay: true})},
		{Name: "trained without decay", Assumption: "decay", Check: factConverged(factTrial{noDecay: true})},
		{Name: "trained with twice the decay", Assumption: "decay", Check: factConverged(factTrial{double: true})},
		{Name: "stopped at a gradient of 1e-2", Assumption: "stationary", Check: factConverged(factTrial{early: true})},
		{Name: "skip connection around the layer", Assumption: "only-use", Check: factExactly(factTrial{skip: true})},
		{Name: "sum in place of the mean", Check: factExactly(factTrial{summed: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the identity, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return factExactly(factTrial{dose: dose}) }},
		{Of: "the Gram matrix at convergence", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return factConverged(factTrial{dose: dose}) }},
	},
}

// factTrial is the version of the claim on trial. The zero value is the claim itself.
type factTrial struct {
	dose    float64 // the Gram matrix of the formula times 1+dose
	noDecay bool
	double  bool // training uses 2λ
	early   bool
	skip    bool
	summed  bool // Σ in place of (1/N)Σ
}

// factExactly is λWᵀW + (1/N)Σ∇_hℓᵢhᵢᵀ = Wᵀ∇L on linear networks of integers, all gradients by differences of the loss.
func factExactly(v factTrial) props.LegacyCheck {
	return props.Property{
		Name:  "identity off convergence, on integers",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m, out := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "m", 3), gen.Dim(t.T, "outputs", 2)
			if v.skip {
				m = n
			}
			size := 1 << rapid.IntRange(0, 2).Draw(t.T, "log2 N")
			if v.summed {
				size = 4
			}
			lambda := math.Ldexp(1, rapid.IntRange(-2, 1).Draw(t.T, "log2 λ"))
			r := t.Stream("entries")
			net := nn.Net{{W: gen.Integers(r, m, n, 2), Act: nn.Identity, Skip: v.skip}, {W: gen.Integers(r, out, m, 2), Act: nn.Identity}}
			h, y := gen.Integers(r, n, size, 2), gen.Integers(r, out, size, 2)
			w := net[0].W
			grad := mat.NewDense(m, n, differences(w.RawMatrix().Data, func() float64 {
				return meanLoss(net, h, y) + v.decay(lambda)/2*floats.Dot(w.RawMatrix().Data, w.RawMatrix().Data)
			}))
			p := mat.NewDense(n, size, nil)
			for i := range size {
				x, target := mat.Col(nil, i, h), mat.Col(nil, i, y)
				p.SetCol(i, differences(x, func() float64 { return net.Loss(x, target) }))
			}
			t.Show("W", w)
			t.Show("H", h)
			t.Show("λ", lambda)
			var left, right mat.Dense
			gram := v.gram(h, p, lambda)
			left.Mul(w.T(), w)
			left.Sub(&left, gram)
			left.Scale(lambda, &left)
			right.Mul(w.T(), grad)
			t.Show("λWᵀW + (1/N)Σ∇_hℓhᵀ", &left)
			t.Show("Wᵀ∇L", &right)
			left.Sub(&left, &right)
			return props.Exactly(mat.Norm(&left, 2))
		},
	}.Check()
}

// gram is the Gram matrix of the formula, as the version on trial has it.
func (v factTrial) gram(h, p *mat.Dense, lambda float64) *mat.Dense {
	gram := theory.FactGram(h, p, lambda)
	if _, size := h.Dims(); v.summed {
		gram.Scale(float64(size), gram)
	}
	gram.Scale(1+v.dose, gram)
	return gram
}

// decay is the weight decay that the loss carries.
func (v factTrial) decay(lambda float64) float64 {
	switch {
	case v.noDecay:
		return 0
	case v.double:
		return 2 * lambda
	}
	return lambda
}

// meanLoss is (1/N)Σ ℓᵢ over the columns.
func meanLoss(net nn.Net, x, y *mat.Dense) float64 {
	_, size := x.Dims()
	sum := 0.0
	for i := range size {
		sum += net.Loss(mat.Col(nil, i, x), mat.Col(nil, i, y))
	}
	return sum / float64(size)
}

// converged is one network along its training, at ever smaller gradients. The last point is judged.
type converged struct {
	lambda    float64
	gradients []float64 // ‖∇L‖ over all weights
	distances []float64 // ‖WᵀW − formula‖ of the first layer
	scale     float64   // ‖W‖_F, which bounds the operator norm
	rounding  float64
	gram      *mat.Dense // WᵀW
	formula   *mat.Dense // without a dose
	shift     *mat.Dense // −(1/N)Σ(∇_hℓhᵀ + h∇_hℓᵀ), the shift of a unit step to first order
}

// stationaryTo is the gradient at which training is over. A line search that compares values of size one sees descent down
// to gradients of about √u = 1e-8.
const stationaryTo = 1e-6

// factConverged trains tanh networks and compares.
func factConverged(v factTrial) props.LegacyCheck {
	share := ""
	if v == (factTrial{dose: v.dose}) {
		share = "converged"
	}
	return props.LegacySweep[int, converged]{
		Name:  "Gram matrix at convergence",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 4, Standard: 12, Deep: 200}.At(e))
		},
		Measure:    func(t *props.Trial, cell int) converged { return v.train(t, []float64{0.03, 0.01}[cell%2]) },
		Judge:      func(_ []int, all []converged) props.Judgement { return v.judge(all) },
		Replicates: 3,
	}.Check()
}

// train minimises the regularised loss of a tanh network 4→6→1 on 24 samples, in stages.
func (v factTrial) train(t *props.Trial, lambda float64) converged {
	const n, m, size = 4, 6, 24
	r := t.Rand
	x := gen.Gaussian(r, n, size, 1)
	y := mat.NewDense(1, size, nil)
	for i := range size {
		y.Set(0, i, 2*x.At(0, i)*x.At(1, i)+x.At(2, i))
	}
	net := nn.Net{{W: gen.Gaussian(r, m, n, 1), Act: nn.Tanh}, {W: gen.Gaussian(r, 1, m, 1), Act: nn.Identity}}
	out := converged{lambda: lambda}
	start := append(append([]float64{}, net[0].W.RawMatrix().Data...), net[1].W.RawMatrix().Data...)
	for _, target := range []float64{1e-2, 1e-3, 1e-4, 1e-5, stationaryTo} {
		ended, err := optim.LBFGS(v.objective(net, x, y, lambda), start, optim.Stop{Gradient: target, Evaluations: 3000})
		start = ended.X
		assign(net, start)
		batch := net.BatchAt(0, x, y)
		out.measure(net[0].W, batch, lambda)
		out.gradients = append(out.gradients, ended.Gradient)
		if err != nil || v.early {
			break
		}
	}
	return out
}

// assign puts a vector of parameters into the weights.
func assign(net nn.Net, x []float64) {
	for _, layer := range net {
		data := layer.W.RawMatrix().Data
		copy(data, x)
		x = x[len(data):]
	}
}

// objective is the regularised loss of the network at a vector of parameters.
func (v factTrial) objective(net nn.Net, x, y *mat.Dense, lambda float64) optim.Objective {
	_, size := x.Dims()
	decay := v.decay(lambda)
	return func(grad, at []float64) float64 {
		assign(net, at)
		loss := decay / 2 * floats.Dot(at, at)
		rest := grad
		for l, layer := range net {
			batch := net.BatchAt(l, x, y)
			g := batch.WeightGrad().RawMatrix().Data
			for i, w := range layer.W.RawMatrix().Data {
				rest[i] = g[i]/float64(size) + decay*w
			}
			rest = rest[len(g):]
		}
		return loss + meanLoss(net, x, y)
	}
}

// measure records the distance from the formula.
func (c *converged) measure(w *mat.Dense, b nn.Batch, lambda float64) {
	m, size := b.PreGrads.Dims()
	gram, diff, shift := new(mat.Dense), new(mat.Dense), new(mat.Dense)
	gram.Mul(w.T(), w)
	c.formula = theory.FactGram(b.Inputs, b.InputGrads, lambda)
	diff.Sub(gram, c.formula)
	shift.Add(c.formula, c.formula.T())
	shift.Scale(lambda, shift)
	c.gram, c.shift, c.scale = gram, shift, mat.Norm(w, 2)
	terms := c.scale*c.scale + c.scale*mat.Norm(b.PreGrads, 2)*mat.Norm(b.Inputs, 2)/(lambda*float64(size))
	c.rounding = float64(m+size+10) * 0x1p-53 * terms
	c.distances = append(c.distances, mat.Norm(diff, 2))
}

func (v factTrial) judge(all []converged) props.Judgement {
	stationary, law, shift := props.Ratio{}, props.Ratio{}, props.Ratio{}
	for _, c := range all {
		allowed := theory.Stationarity{Lambda: c.lambda, Weights: c.scale, Gradient: stationaryTo}.Error() + c.rounding
		var diff, balance mat.Dense
		diff.Scale(1+v.dose, c.formula)
		diff.Sub(c.gram, &diff)
		balance.Scale(2*c.lambda, c.gram)
		balance.Sub(&balance, c.shift)
		stationary = props.Worst(stationary, props.Within(c.gradients[len(c.gradients)-1], stationaryTo))
		law = props.Worst(law, props.Within(mat.Norm(&diff, 2), allowed))
		shift = props.Worst(shift, props.Within(mat.Norm(&balance, 2), 2*c.lambda*allowed))
	}
	return props.Judgement{
		Parts: []props.Part{
			{Name: "training converged", Ratio: stationary},
			{Name: "Gram matrix", Ratio: law},
			{Name: "covariance shift balances the decay", Ratio: shift},
		},
		Figures: []props.Figure{v.figure(all)},
		Counterexample: fmt.Sprintf("λ = %g, ‖∇L‖ = %.3g: the Gram matrix is %.3g from the formula", all[0].lambda,
			all[0].gradients[len(all[0].gradients)-1], all[0].distances[len(all[0].distances)-1]),
	}
}

// figure shows how the distance falls with the gradient.
func (v factTrial) figure(all []converged) props.Figure {
	curves := []props.Curve{}
	for i := range min(2, len(all)) {
		c := all[i]
		bound := props.Curve{Name: fmt.Sprintf("‖W‖‖∇L‖/λ, λ = %g", c.lambda), Style: props.Dashed, X: c.gradients}
		for _, g := range c.gradients {
			bound.Y = append(bound.Y, theory.Stationarity{Lambda: c.lambda, Weights: c.scale, Gradient: g}.Error())
		}
		curves = append(curves, props.Curve{Name: fmt.Sprintf("distance, λ = %g", c.lambda), Style: props.Points, X: c.gradients, Y: c.distances}, bound)
	}
	return props.Figure{
		ID:    "convergence",
		Title: "The Gram matrix on its way to convergence",
		Caption: "Distance of WᵀW from −(1/(λN))Σ∇_hℓhᵀ against the norm of the gradient of the regularised loss, for two networks along their " +
			"training, on logarithmic axes: it falls in proportion and stays below the bound.",
		X: props.Axis{Label: "‖∇L‖", Log: true}, Y: props.Axis{Label: "‖WᵀW − formula‖_F", Log: true}, Curves: curves,
	}
}
