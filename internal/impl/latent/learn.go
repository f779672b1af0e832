package latent

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/ridge"
)

// Linear is α + β·x.
type Linear struct {
	Constant float64
	Weights  []float64 // d
}

// Preprocess returns α = mean y and β = mean yx of the samples, and what they leave of y.
func Preprocess(x *mat.Dense, y []float64) (Linear, []float64) {
	n, d := x.Dims()
	l := Linear{floats.Sum(y) / float64(n), make([]float64, d)}
	mat.NewVecDense(d, l.Weights).MulVec(x.T(), mat.NewVecDense(n, y))
	floats.Scale(1/float64(n), l.Weights)
	rest := append([]float64{}, y...)
	floats.Sub(rest, l.Output(x))
	return l, rest
}

// Output returns α + β·x at the rows of x.
func (l Linear) Output(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := mat.NewVecDense(n, nil)
	out.MulVec(x, mat.NewVecDense(len(l.Weights), l.Weights))
	floats.AddConst(l.Constant, out.RawVector().Data)
	return out.RawVector().Data
}

// Predictor is the result of the algorithm: x ↦ α + β·x + Σⱼ aⱼ max(0, wⱼ·x + bⱼ).
type Predictor struct {
	Linear  Linear
	Network Network
}

// Output returns the predictions at the rows of x.
func (p Predictor) Output(x *mat.Dense) []float64 {
	out := p.Linear.Output(x)
	floats.Add(out, p.Network.Output(x))
	return out
}

// Learn runs Algorithm 1 of Damian, Lee and Soltanolkotabi with m neurons: preprocessing, one step that forgets the
// initial weights, λ₁ = 1/η₁, with η₁ such that the rows of W have root mean square length 1, biases N(0, 1), and the
// ridge head with the penalty that predicts the validation samples best, in (1/n)‖Φa − y‖² + (λ/2)‖a‖².
func Learn(r *rand.Rand, x *mat.Dense, y []float64, m int, penalties []float64, validation Points) (Predictor, error) {
	_, d := x.Dims()
	linear, rest := Preprocess(x, y)
	first := Symmetric(r, m, d)
	network := Network{first.FirstGradient(x, rest), first.A, first.B}
	network.W.Scale(-1, network.W)
	network.Normalise(1)
	return Head(network.Redraw(r), linear, x, rest, penalties, validation)
}

// Head completes a network by the output weights of ridge regression on what the linear part has left of the labels,
// with the penalty that predicts the validation samples best.
func Head(n Network, linear Linear, x *mat.Dense, rest []float64, penalties []float64,
	validation Points) (Predictor, error) {
	moment, right := n.moments(x, rest)
	path, err := ridge.NewPath(moment, right)
	if err != nil {
		return Predictor{}, err
	}
	heads := mat.NewDense(len(n.A), len(penalties), nil)
	for k, lambda := range penalties {
		a, err := path.Solve(float64(len(rest)) * lambda / 2)
		if err != nil {
			return Predictor{}, err
		}
		heads.SetCol(k, a)
	}
	base := linear.Output(validation.X)
	out := mat.NewDense(len(base), len(penalties), nil)
	n.outputs(out, validation.X, heads)
	losses := make([]float64, len(penalties))
	for i, constant := range base {
		weight, y := validation.Weights[i], validation.Y[i]
		for k, prediction := range out.RawRowView(i)[:len(losses)] {
			e := prediction + constant - y
			losses[k] += weight * (e * e)
		}
	}
	best := floats.MinIdx(losses)
	return Predictor{linear, Network{n.W, mat.Col(nil, best, heads), n.B}}, nil
}

// Energy returns the share of ‖W‖_F² that lies on the first r coordinates.
func Energy(w *mat.Dense, r int) float64 {
	m, d := w.Dims()
	inside := mat.Norm(w.Slice(0, m, 0, r), 2)
	outside := 0.0
	if r < d {
		outside = mat.Norm(w.Slice(0, m, r, d), 2)
	}
	return inside * inside / (inside*inside + outside*outside)
}
