package vcl

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	"github.com/thm-suite/thm/props/internal/tolerance"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// equation pairs the feature learning equation with networks whose first layer is the one it speaks about.
var equation = props.Spec{
	Statement: &theory.Equation,
	Checks: []props.Check{
		props.Drawn[gradients, otherSide]{
			Name:    "equation with backpropagated gradients",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   20,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) gradients { return drawGradients(t, functionLike{}) },
			Claim:   gradients.right,
			Judge:   judgeEquation,
			Proven:  map[string]string{"both sides": "every rounding of both sides is counted"},
			Controls: []props.Wrong[gradients, otherSide]{
				{Name: "weight decay in the gradient of the weights only", Assumption: "same-function",
					Alter: func(g *gradients) { // the gradient of f + ‖W‖²/200
						decayed := mat.DenseCopyOf(g.WeightGrad)
						decayed.Apply(func(i, j int, x float64) float64 { return x + 0.01*g.W.At(i, j) }, decayed)
						g.WeightGrad = decayed
					}},
				{Name: "gradient of the mean in the weights, of the sum in the inputs", Assumption: "same-function",
					Draw: func(t *props.T) gradients {
						g := drawGradients(t, functionLike{batch: 2})
						g.WeightGrad.Scale(0.5, g.WeightGrad)
						return g
					}},
				{Name: "gradient of the weights transposed", Draw: func(t *props.T) gradients {
					g := drawGradients(t, functionLike{square: true})
					g.WeightGrad = transposed(g.WeightGrad)
					return g
				}},
				{Name: "sides exchanged: H·∇_Hᵀ", Instead: func(g gradients) *mat.Dense { return transposed(g.right()) }},
			},
		},
		props.Drawn[exactGradients, struct{}]{
			Name:    "equation on integers",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   20,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) exactGradients { return drawExactGradients(t, functionLike{}) },
			Judge: func(r *props.Record, g exactGradients, _ struct{}) {
				r.Regime(layers.Shape(g.W))
				r.ExactlyMatrix("both sides", gradients(g).left(), gradients(g).right())
			},
			Controls: []props.Wrong[exactGradients, struct{}]{
				{Name: "skip connection around the layer, on integers", Assumption: "only-use-of-h",
					Draw: func(t *props.T) exactGradients { return drawExactGradients(t, withSkip) }},
				{Name: "weights shared with the next layer, on integers", Assumption: "only-use-of-w",
					Draw: func(t *props.T) exactGradients { return drawExactGradients(t, withTiedWeights) }},
			},
		},
		props.Drawn[slopes, struct{}]{
			Name:    "equation by difference quotients",
			Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 20000},
			Tries:   16,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) slopes { return drawSlopes(t, functionLike{}) },
			Judge: func(r *props.Record, s slopes, _ struct{}) {
				r.Regime(layers.Shape(s.W))
				r.Within("both sides along random directions", s.Left, s.Right, s.SidesErr)
				r.Within("backpropagated gradient of the weights", s.Backpropagated, s.Quotient, s.QuotientErr)
			},
			Controls: []props.Wrong[slopes, struct{}]{
				{Name: "skip connection around the layer", Assumption: "only-use-of-h",
					Criterion: "both sides along random directions",
					Draw:      func(t *props.T) slopes { return drawSlopes(t, withSkip) }},
				{Name: "weights shared with the next layer", Assumption: "only-use-of-w",
					Criterion: "both sides along random directions",
					Draw:      func(t *props.T) slopes { return drawSlopes(t, withTiedWeights) }},
				{Name: "backward pass without the activation's slope",
					Criterion: "backpropagated gradient of the weights",
					Draw:      func(t *props.T) slopes { return drawSlopes(t, functionLike{flat: true}) }},
			},
		},
	},
	Along: &props.Along{
		Param: "cosine", From: -1, To: 1, Of: []string{"shift_min", "shift_max"},
		Y: "eigenvalues of WᵀW’s change in a unit step",
	},
	Try: &props.Simulation{
		Params: []statement.Param{
			{Name: "n", Symbol: "n", Meaning: "inputs of the layer", Domain: statement.IntegerBetween(2, 500), Default: "10"},
			{Name: "m", Symbol: "m", Meaning: "outputs of the layer", Domain: statement.IntegerBetween(1, 500), Default: "8"},
		},
		Run: simulateEquation,
	},
}.Claim()

// gradients holds the gradients of one function of Z = WH.
type gradients struct {
	W          *mat.Dense `npy:"W"`      // m×n
	Inputs     *mat.Dense `npy:"H"`      // n×B
	PreGrads   *mat.Dense `npy:"Gamma"`  // m×B
	WeightGrad *mat.Dense `npy:"grad_W"` // m×n
	InputGrads *mat.Dense `npy:"grad_H"` // n×B
}

// otherSide gives the claimed value of Wᵀ∇_W f.
type otherSide func(gradients) *mat.Dense

// left is Wᵀ∇_W f.
func (g gradients) left() *mat.Dense {
	return algebra.Product(g.W.T(), g.WeightGrad)
}

// right is ∇_H f·Hᵀ.
func (g gradients) right() *mat.Dense {
	return algebra.Product(g.InputGrads, g.Inputs.T())
}

// underflow is more than what may be lost below the normal numbers, and counts as nothing. A gradient may vanish
// altogether.
const underflow = 0x1p-900

func judgeEquation(r *props.Record, g gradients, claim otherSide) {
	r.Regime(layers.Shape(g.W))
	m, batch := g.PreGrads.Dims()
	left, right := g.left(), claim(g)
	size := mat.Norm(g.PreGrads, 2) * mat.Norm(g.Inputs, 2)
	// Each side is a product of products, known to (m+B)u and an order more, for which and for the norms one u is added.
	allowed := tolerance.Product(2*(m+batch)+1, mat.Norm(g.W, 2), size, r.Unit()) + underflow
	r.WithinMatrix("both sides", left, right, allowed)
}

// function is a scalar function of a network whose first layer is on trial: the loss ½Σ‖f(hᵢ) − yᵢ‖², or Σ yᵢ·f(hᵢ).
type function struct {
	net             nn.Net
	inputs, targets *mat.Dense // n×B, outputs×B
	output          bool
}

// functionLike holds the properties that a drawn network is to have, beyond what is drawn. Skips and shared weights
// need layers of one width.
type functionLike struct {
	square     bool // the first layer
	skip, tied bool
	flat       bool // the backward pass takes the derivative of the first activation for one
	batch      int
}

var withSkip, withTiedWeights = functionLike{skip: true}, functionLike{tied: true}

func drawGradients(t *props.T, like functionLike) gradients {
	return drawFunction(t, like, 12, nn.Activations).gradients()
}

// drawFunction draws a network n→m→k→2 with biases.
func drawFunction(t *props.T, like functionLike, limit int, acts []nn.Activation) *function {
	n, m, k, batch := gen.Dim(t.T, "n", limit), gen.Dim(t.T, "m", limit), gen.Dim(t.T, "k", 4), gen.Dim(t.T, "B", 4)
	switch {
	case like.square:
		n = m
	case like.skip, like.tied:
		n, k = m, m
	}
	batch = cmp.Or(like.batch, batch)
	r, act := t.Stream("entries"), rapid.SampledFrom(acts).Draw(t.T, "activation")
	layer := func(rows, cols int) nn.Layer {
		return nn.Layer{W: gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))), B: gen.Gaussian(r, rows, 1,
			0.5).RawMatrix().Data, Act: act}
	}
	scale := gen.LogUniform(t.T, "scale", 0.1, 10)
	f := &function{net: nn.Net{layer(m, n), layer(k, m), layer(2, k)}, output: rapid.Bool().Draw(t.T, "output"),
		inputs: gen.Gaussian(r, n, batch, scale), targets: gen.Gaussian(r, 2, batch, scale)}
	f.net[2].Act = nn.Identity
	f.net[0].Skip = like.skip
	if like.tied {
		f.net[1].W = f.net[0].W
	}
	return f
}

func (f *function) value() float64 {
	sum := 0.0
	_, batch := f.inputs.Dims()
	for i := range batch {
		x, y := mat.Col(nil, i, f.inputs), mat.Col(nil, i, f.targets)
		if f.output {
			sum += floats.Dot(f.net.Forward(x, nil), y)
		} else {
			sum += f.net.Loss(x, y)
		}
	}
	return sum
}

// gradients are the backpropagated ones. The loss ½‖f − (f − y)‖² has the gradient y at the output, as y·f has.
func (f *function) gradients() gradients {
	targets := mat.DenseCopyOf(f.targets)
	_, batch := f.inputs.Dims()
	for i := range batch {
		if f.output {
			y := f.net.Forward(mat.Col(nil, i, f.inputs), nil)
			floats.Sub(y, mat.Col(nil, i, f.targets))
			targets.SetCol(i, y)
		}
	}
	b := f.net.BatchAt(0, f.inputs, targets)
	return gradients{W: f.net[0].W, Inputs: b.Inputs, PreGrads: b.PreGrads, WeightGrad: b.WeightGrad(),
		InputGrads: b.InputGrads}
}

// exactGradients are gradients by differences, on a network on which they are free of rounding.
type exactGradients struct{ W, Inputs, PreGrads, WeightGrad, InputGrads *mat.Dense }

// drawExactGradients draws small integers and pre-activations that are odd multiples of ½: steps of 2⁻⁶ move them by at
// most 3/64, so that no kink lies between. Outputs are multiples of 2⁻⁹ below 2¹¹, the loss needs 43 bits.
func drawExactGradients(t *props.T, like functionLike) exactGradients {
	n, m, batch := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "B", 2)
	act := rapid.SampledFrom([]nn.Activation{nn.Identity, nn.ReLU, nn.LeakyReLU}).Draw(t.T, "activation")
	if like.skip || like.tied {
		n = m
	}
	r := t.Stream("entries")
	bias := gen.Integers(r, m, 1, 2).RawMatrix().Data
	floats.AddConst(0.5, bias)
	f := &function{output: rapid.Bool().Draw(t.T, "output"),
		net: nn.Net{
			{W: gen.Integers(r, m, n, 2), B: bias, Act: act, Skip: like.skip},
			{W: gen.Integers(r, m, m, 2), Act: nn.Identity},
			{W: gen.Integers(r, 2, m, 2), Act: nn.Identity},
		},
		inputs: gen.Integers(r, n, batch, 3), targets: gen.Integers(r, 2, batch, 3)}
	if like.tied {
		f.net[1].W = f.net[0].W
	}
	byW := derivative.Quadratic(f.net[0].W.RawMatrix().Data, 0x1p-6, f.value)
	byH := derivative.Quadratic(f.inputs.RawMatrix().Data, 0x1p-6, f.value)
	return exactGradients{W: f.net[0].W, Inputs: f.inputs,
		WeightGrad: mat.NewDense(m, n, byW), InputGrads: mat.NewDense(n, batch, byH)}
}

// slopes are derivatives of f along directions: uᵀ(Wᵀ∇_W f)v in the weights along (Wu)vᵀ and uᵀ(∇_H f·Hᵀ)v in the
// inputs along u(Hᵀv)ᵀ, both by differences; and in the weights along a random direction, by backpropagation and by
// differences.
type slopes struct {
	W                                     *mat.Dense
	Left, Right, SidesErr                 float64
	Backpropagated, Quotient, QuotientErr float64
}

func drawSlopes(t *props.T, like functionLike) slopes {
	f := drawFunction(t, like, 8, []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus, nn.GELU, nn.ZMinusSin, nn.Identity})
	r, w := t.Stream("directions"), f.net[0].W
	m, n := w.Dims()
	u, v := gen.Gaussian(r, n, 1, 1), gen.Gaussian(r, n, 1, 1)
	along := func(x *mat.Dense, direction mat.Matrix) (slope, err float64) {
		return derivative.Along(x.RawMatrix().Data, mat.DenseCopyOf(direction).RawMatrix().Data, f.value)
	}
	wu := algebra.Product(w, u)
	byW := algebra.Product(wu, v.T())
	hv := algebra.Product(f.inputs.T(), v)
	byH := algebra.Product(u, hv.T())
	s := slopes{W: w}
	var leftErr, rightErr float64
	s.Left, leftErr = along(w, byW)
	s.Right, rightErr = along(f.inputs, byH)
	s.SidesErr = leftErr + rightErr
	direction := gen.Gaussian(r, m, n, 1)
	s.Quotient, s.QuotientErr = along(w, direction)
	if like.flat {
		f.net[0].Act.Slope = nn.Identity.Slope
	}
	g := f.gradients()
	s.Backpropagated = floats.Dot(g.WeightGrad.RawMatrix().Data, direction.RawMatrix().Data)
	return s
}

// simulateEquation backpropagates g through a layer with Wᵀg and h of the given norms and angle.
func simulateEquation(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, m, cosine := v.Int("n"), v.Int("m"), v.Float("cosine")
	basis, gradient := gen.Orthonormal(t.Rand, n, 2), gen.Gaussian(t.Rand, m, 1, 1)
	var h, p mat.VecDense
	h.ScaleVec(v.Float("h"), basis.ColView(0))
	p.ScaleVec(cosine, basis.ColView(0))
	p.AddScaledVec(&p, math.Sqrt(1-cosine*cosine), basis.ColView(1))
	p.ScaleVec(v.Float("w"), &p)
	w := gen.Gaussian(t.Rand, m, n, 1/math.Sqrt(float64(n)))
	back := algebra.Image(w.T(), gradient.ColView(0))
	p.SubVec(&p, back)
	p.ScaleVec(1/mat.Dot(gradient.ColView(0), gradient.ColView(0)), &p)
	var correction mat.Dense
	correction.Outer(1, gradient.ColView(0), &p) // (W + g pᵀ)ᵀg is as wanted
	w.Add(w, &correction)
	f := &function{net: nn.Net{{W: w, Act: nn.Identity}}, inputs: mat.DenseCopyOf(&h), targets: gradient, output: true}
	g := f.gradients()
	left := algebra.Product(w.T(), g.WeightGrad)
	var eigen mat.EigenSym
	t.Need(eigen.Factorize(mat.NewSymDense(n, algebra.Sum(left, left.T()).RawMatrix().Data), false),
		"the eigenvalues of the shift were not found")
	values := eigen.Values(nil)
	return map[string]float64{"frobenius": mat.Norm(left, 2), "trace": mat.Trace(left),
		"shift_min": values[0], "shift_max": values[n-1]}, nil
}
