package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// fact pairs the features at convergence with networks that are trained under weight decay.
var fact = props.Spec{
	Statement: &theory.Fact,
	Try:       &props.Simulation{Run: simulateFact},
	Checks: []props.Check{
		props.Drawn[decayed, factFormula]{
			Name:    "identity at any weights",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) decayed { return drawDecayed(t, ownDecay) },
			Claim:   decayed.formula,
			Judge: func(r *props.Record, f decayed, claim factFormula) {
				r.Regime(layers.Shape(f.W))
				r.WithinMatrix("Gram matrix plus covariance term", f.gap(claim), f.stationarity(),
					f.rounding(r.Unit()))
			},
			Proven: map[string]string{"Gram matrix plus covariance term": "every rounding of both sides is counted"},
			Controls: []props.Wrong[decayed, factFormula]{
				{Name: "gradient without the decay", Assumption: "decay",
					Draw: func(t *props.T) decayed { return drawDecayed(t, noDecay) }},
				{Name: "sum in place of the mean", Instead: func(f decayed) *mat.Dense {
					_, size := f.Inputs.Dims()
					return algebra.Scaled(float64(size), f.formula())
				}},
			},
		},
		props.Drawn[exactDecayed, struct{}]{
			Name:    "identity at any weights, on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) exactDecayed { return drawExactDecayed(t, false, ownDecay) },
			Judge: func(r *props.Record, f exactDecayed, _ struct{}) {
				r.Regime(layers.Shape(f.W))
				r.ExactlyMatrix("Gram matrix plus covariance term", decayed(f).gap(decayed.formula),
					decayed(f).stationarity())
			},
			Controls: []props.Wrong[exactDecayed, struct{}]{
				{Name: "skip connection around the layer", Assumption: "only-use",
					Draw: func(t *props.T) exactDecayed { return drawExactDecayed(t, true, ownDecay) }},
				{Name: "gradient without the decay, on integers", Assumption: "decay",
					Draw: func(t *props.T) exactDecayed { return drawExactDecayed(t, false, noDecay) }},
			},
		},
		props.Grid[int, converged, balanceOf]{
			Name:    "Gram matrix at convergence",
			Cells:   props.Scale{Quick: 6, Standard: 18, Deep: 200}.Indices,
			Regimes: layers.Shapes,
			Measure: func(t *props.Trial, index int) converged {
				return measureConverged(t, index, ownDecay, []float64{1e-2, 1e-3, 1e-4, 1e-5, stationaryTo})
			},
			Claim:    func(lambda float64) float64 { return 2 * lambda },
			Judge:    judgeConverged,
			Conclude: func(r *props.Record, _ []int, all []converged, _ balanceOf) { r.Figure(convergenceFigure(all[:2])) },
			Controls: []props.WrongCell[int, converged, balanceOf]{
				{Name: "trained without decay", Assumption: "decay", Criterion: "Gram matrix",
					Measure: func(t *props.Trial, index int) converged { return stoppedEarly(t, index, noDecay) }},
				{Name: "trained with twice the decay", Assumption: "decay", Criterion: "Gram matrix",
					Measure: func(t *props.Trial, index int) converged {
						return stoppedEarly(t, index, func(lambda float64) float64 { return 2 * lambda })
					}},
				{Name: "stopped at a gradient of 1e-2", Assumption: "stationary", Criterion: "Gram matrix",
					Measure: func(t *props.Trial, index int) converged { return stoppedEarly(t, index, ownDecay) }},
				{Name: "stopped at a gradient of 1e-2, which is no convergence", Assumption: "stationary",
					Criterion: "training converged", As: "stopped at a gradient of 1e-2"},
				{Name: "shift of γλWᵀW", Criterion: "covariance shift balances the decay",
					Instead: func(lambda float64) float64 { return lambda }},
			},
			Replicates: 3,
		},
	},
}.Claim()

// factFormula gives the claimed Gram matrix at convergence.
type factFormula func(decayed) *mat.Dense

// balanceOf gives the claimed covariance shift of a unit step, as a multiple of WᵀW.
type balanceOf func(lambda float64) float64

// decayed are a layer's weights, hidden states and gradients under weight decay.
type decayed struct {
	W          *mat.Dense `npy:"W"`      // m×n
	Inputs     *mat.Dense `npy:"H"`      // n×N
	PreGrads   *mat.Dense `npy:"Gamma"`  // m×N, of the per-sample losses
	InputGrads *mat.Dense `npy:"P"`      // n×N, of the per-sample losses
	Grad       *mat.Dense `npy:"grad"`   // ∇L of the regularised mean loss, m×n
	Lambda     float64    `npy:"lambda"` // λ
}

// Valid names the violated hypothesis.
func (f decayed) Valid() error { return theory.Stationarity{Lambda: f.Lambda}.Valid() }

func (f decayed) formula() *mat.Dense { return theory.FactGram(f.Inputs, f.InputGrads, f.Lambda) }

// gap is λ(WᵀW − formula).
func (f decayed) gap(formula factFormula) *mat.Dense {
	return algebra.Scaled(f.Lambda, algebra.Difference(algebra.Product(f.W.T(), f.W), formula(f)))
}

// stationarity is Wᵀ∇L.
func (f decayed) stationarity() *mat.Dense {
	return algebra.Product(f.W.T(), f.Grad)
}

// rounding is (2(m+N)+10)·u times the size of the terms, see the statement. In units of u they have
//
//   - λ‖W‖²: m by WᵀW, 2 by the difference and λ, 2 by λW in ∇L and the sum there, m by Wᵀ∇L: 2m+4;
//   - ‖W‖‖Γ‖‖H‖/N: m by P = WᵀΓ, N by PHᵀ, 3 by the scale 1/(λN), 2 by the difference and λ; N by ΓHᵀ, 2 by its mean
//     and the sum in ∇L, m by Wᵀ∇L: 2(m+N)+7.
//
// The rest covers what is of higher order in u. Weights may vanish.
func (f decayed) rounding(unit float64) float64 {
	m, size := f.PreGrads.Dims()
	w := mat.Norm(f.W, 2)
	terms := f.Lambda*w*w + w*mat.Norm(f.PreGrads, 2)*mat.Norm(f.Inputs, 2)/float64(size)
	return float64(2*(m+size)+10)*unit*terms + underflow
}

// decayedOf backpropagates through a network whose first layer is on trial.
func decayedOf(net nn.Net, x, y *mat.Dense, lambda, decay float64) decayed {
	b := net.BatchAt(0, x, y)
	_, size := x.Dims()
	f := decayed{W: net[0].W, Inputs: b.Inputs, PreGrads: b.PreGrads, InputGrads: b.InputGrads, Grad: b.WeightGrad(),
		Lambda: lambda}
	f.Grad.Apply(func(i, j int, g float64) float64 { return g/float64(size) + decay*f.W.At(i, j) }, f.Grad)
	return f
}

// ownDecay is the decay that the statement speaks about, in the loss as well.
func ownDecay(lambda float64) float64 { return lambda }

func noDecay(float64) float64 { return 0 }

func drawDecayed(t *props.T, decay func(lambda float64) float64) decayed {
	n, m, size := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "m", 8), gen.Dim(t.T, "N", 8)
	r, act := t.Stream("entries"), rapid.SampledFrom(nn.Activations).Draw(t.T, "activation")
	scale, lambda := gen.LogUniform(t.T, "scale", 0.1, 10), gen.LogUniform(t.T, "λ", 1e-4, 10)
	net := nn.Net{{W: gen.Gaussian(r, m, n, scale), B: gen.Gaussian(r, m, 1, 0.5).RawMatrix().Data, Act: act},
		{W: gen.Gaussian(r, 2, m, 1), Act: nn.Identity}}
	return decayedOf(net, gen.Gaussian(r, n, size, 1), gen.Gaussian(r, 2, size, 1), lambda, decay(lambda))
}

// exactDecayed holds the same without rounding.
type exactDecayed struct {
	W, Inputs, PreGrads, InputGrads, Grad *mat.Dense
	Lambda                                float64
}

// drawExactDecayed draws linear networks of integers with dyadic λ and N, and takes all gradients by differences of
// step 1.
func drawExactDecayed(t *props.T, skip bool, decay func(lambda float64) float64) exactDecayed {
	n, m, out, size := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "m", 3), gen.Dim(t.T, "outputs", 2), 1<<rapid.IntRange(0,
		2).Draw(t.T, "log2 N")
	if skip {
		n = m
	}
	lambda, r := math.Ldexp(1, rapid.IntRange(-2, 1).Draw(t.T, "log2 λ")), t.Stream("entries")
	net := nn.Net{{W: gen.Integers(r, m, n, 2), Act: nn.Identity, Skip: skip}, {W: gen.Integers(r, out, m, 2),
		Act: nn.Identity}}
	h, y := gen.Integers(r, n, size, 2), gen.Integers(r, out, size, 2)
	w := net[0].W
	loss := func() (sum float64) {
		for i := range size {
			sum += net.Loss(mat.Col(nil, i, h), mat.Col(nil, i, y))
		}
		return sum
	}
	grad := derivative.Quadratic(w.RawMatrix().Data, 1, func() float64 {
		return loss()/float64(size) + decay(lambda)/2*floats.Dot(w.RawMatrix().Data, w.RawMatrix().Data)
	})
	return exactDecayed{W: w, Inputs: h, InputGrads: mat.NewDense(n, size, derivative.Quadratic(h.RawMatrix().Data, 1,
		loss)),
		Grad: mat.NewDense(m, n, grad), Lambda: lambda}
}

// converged is one network along its training, at ever smaller gradients, and its features in the end.
type converged struct {
	Gradients []float64 // ‖∇L‖ over all weights
	Distances []float64 // ‖WᵀW − formula‖ of the first layer
	End       decayed
}

// stationaryTo is the gradient at which training is over.
const stationaryTo = 1e-10

// measureConverged minimises the regularised loss of a network with m hidden units on 16 samples, in stages, and ends
// with Newton's method: a line search compares values of size one and sees descent down to gradients of about √u = 10⁻⁸
// only.
func measureConverged(t *props.Trial, index int, decay func(lambda float64) float64, targets []float64) converged {
	const size = 16
	m, n := [][2]int{{2, 4}, {3, 3}, {5, 3}}[index%3][0], [][2]int{{2, 4}, {3, 3}, {5, 3}}[index%3][1]
	act := []nn.Activation{nn.Tanh, nn.GELU, nn.Softplus}[index/3%3]
	lambda := 0.003 * math.Pow(10, t.Rand.Float64())
	x, y := gen.Gaussian(t.Rand, n, size, 1), mat.NewDense(1, size, nil)
	for i := range size {
		y.Set(0, i, 2*x.At(0, i)*x.At(1, i)+x.At(2, i))
	}
	net := nn.Net{{W: gen.Gaussian(t.Rand, m, n, 1), Act: act}, {W: gen.Gaussian(t.Rand, 1, m, 1), Act: nn.Identity}}
	at := append(append([]float64{}, net[0].W.RawMatrix().Data...), net[1].W.RawMatrix().Data...)
	objective := regularised(net, x, y, decay(lambda))
	var out converged
	for i, target := range targets {
		if target == stationaryTo {
			newton(objective, at, 4)
		} else {
			ended, err := optim.LBFGS(objective, at, optim.Stop{Gradient: target, Evaluations: 3000})
			if err != nil && i > 0 {
				panic("vcl: training did not converge: " + err.Error())
			}
			at = ended.X
		}
		grad := make([]float64, len(at))
		objective(grad, at)
		out.End = decayedOf(net, x, y, lambda, decay(lambda))
		out.Gradients = append(out.Gradients, floats.Norm(grad, 2))
		out.Distances = append(out.Distances, mat.Norm(out.End.gap(decayed.formula), 2)/lambda)
	}
	return out
}

// stoppedEarly trains to a gradient of 10⁻²: what is trained otherwise is far off soon.
func stoppedEarly(t *props.Trial, index int, decay func(lambda float64) float64) converged {
	return measureConverged(t, index, decay, []float64{1e-2})
}

// regularised is the loss of the network with weight decay at a vector of parameters.
func regularised(net nn.Net, x, y *mat.Dense, decay float64) optim.Objective {
	_, size := x.Dims()
	return func(grad, at []float64) float64 {
		rest := at
		for _, layer := range net {
			rest = rest[copy(layer.W.RawMatrix().Data, rest):]
		}
		loss, rest := decay/2*floats.Dot(at, at), grad
		for i := range size {
			loss += net.Loss(mat.Col(nil, i, x), mat.Col(nil, i, y)) / float64(size)
		}
		for l, b := range net.Batches(x, y) {
			g := b.WeightGrad().RawMatrix().Data
			for i, w := range net[l].W.RawMatrix().Data {
				rest[i] = g[i]/float64(size) + decay*w
			}
			rest = rest[len(g):]
		}
		return loss
	}
}

// newton takes Newton steps on the gradient, with its derivatives by central differences.
func newton(f optim.Objective, x []float64, count int) {
	const step = 0x1p-17
	k := len(x)
	grad, up, down := make([]float64, k), make([]float64, k), make([]float64, k)
	for range count {
		hessian := mat.NewDense(k, k, nil)
		for j, at := range x {
			x[j] = at + step
			f(up, x)
			x[j] = at - step
			f(down, x)
			x[j] = at
			floats.Sub(up, down)
			floats.Scale(1/(2*step), up)
			hessian.SetCol(j, up)
		}
		f(grad, x)
		var by mat.VecDense
		if err := by.SolveVec(hessian, mat.NewVecDense(k, grad)); err != nil {
			panic("vcl: training did not converge: " + err.Error())
		}
		floats.Sub(x, by.RawVector().Data)
	}
}

// judgeConverged allows what the theorem says of a gradient of stationaryTo, in units of the gradient of the decay.
func judgeConverged(r *props.Record, _ int, c converged, balances balanceOf) {
	f := c.End
	r.Regime(layers.Shape(f.W))
	r.Show("‖∇L‖ along training", c.Gradients)
	r.Show("λ", f.Lambda)
	allowed := theory.Stationarity{Lambda: f.Lambda, Weights: mat.Norm(f.W, 2),
		Gradient: stationaryTo}.Error() + f.rounding(r.Unit())/f.Lambda
	gram := algebra.Product(f.W.T(), f.W)
	formula := f.formula()
	shift := algebra.Scaled(f.Lambda, algebra.Sum(formula, formula.T())) // −(1/N)Σ(∇_hℓhᵀ + h∇_hℓᵀ), of a unit step
	balance := algebra.Scaled(balances(f.Lambda), gram)
	r.WithinScale("training converged", c.Gradients[len(c.Gradients)-1], 0, f.Lambda*mat.Norm(f.W, 2), stationaryTo)
	r.WithinMatrix("Gram matrix", gram, formula, allowed)
	r.WithinMatrix("covariance shift balances the decay", shift, balance, 2*f.Lambda*allowed)
}

// convergenceFigure shows how the distance falls with the gradient.
func convergenceFigure(all []converged) props.Figure {
	f := props.Figure{
		ID:    "convergence",
		Title: "The Gram matrix on its way to convergence",
		Caption: "Distance of WᵀW from −(1/(λN))Σ∇_hℓhᵀ against the norm of the gradient of the regularised loss, " +
			"for two networks along their training, on logarithmic axes: it falls in proportion and stays below the " +
			"bound.",
		X: props.Axis{Label: "‖∇L‖", Log: true}, Y: props.Axis{Label: "‖WᵀW − formula‖_F", Log: true},
	}
	for _, c := range all {
		bound := props.Curve{Name: fmt.Sprintf("‖W‖‖∇L‖/λ, λ = %.3g", c.End.Lambda), Style: props.Dashed,
			X: c.Gradients}
		for _, g := range c.Gradients {
			bound.Y = append(bound.Y, theory.Stationarity{Lambda: c.End.Lambda, Weights: mat.Norm(c.End.W, 2),
				Gradient: g}.Error())
		}
		points := props.Curve{Name: fmt.Sprintf("distance, λ = %.3g", c.End.Lambda), Style: props.Points,
			X: c.Gradients,
			Y: c.Distances}
		f.Curves = append(f.Curves, points, bound)
	}
	return f
}

// simulateFact puts a layer of four units on four samples whose targets make the gradient of the regularised loss as
// large as given, along the singular vectors of the largest singular value, where it moves the Gram matrix
// most.
func simulateFact(t *props.Trial, v statement.Values) (map[string]float64, error) {
	const n = 4
	lambda, size := v.Float("lambda"), v.Float("weights")
	left, right, h := gen.Orthonormal(t.Rand, n, n), gen.Orthonormal(t.Rand, n, n), gen.Orthonormal(t.Rand, n, n)
	w := algebra.Product(left, mat.NewDiagDense(n, []float64{size, size / 2, size / 3, size / 4}))
	w.Mul(w, right.T())
	outer := algebra.Product(left.Slice(0, n, 0, 1), right.Slice(0, n, 1, 2).T())
	rest := algebra.Sum(algebra.Scaled(-lambda, w), algebra.Scaled(v.Float("gradient"), outer))
	gamma := algebra.Product(algebra.Scaled(n, rest), h) // with ΓHᵀ/N + λW = ∇L, because HHᵀ = I
	y := algebra.Difference(algebra.Product(w, h), gamma)
	f := decayedOf(nn.Net{{W: w, Act: nn.Identity}}, h, y, lambda, lambda)
	gap := algebra.Scaled(1/lambda, f.gap(decayed.formula))
	half := theory.FactGram(f.Inputs, f.InputGrads, lambda)
	values, err := linalg.SingularValues(algebra.Scaled(v.Float("step")*lambda, algebra.Sum(half, half.T())))
	t.Need(err == nil, "the shift of such a layer cannot be measured: %v", err)
	return map[string]float64{"error": mat.Norm(gap, 2), "shift": values[0]}, nil
}
