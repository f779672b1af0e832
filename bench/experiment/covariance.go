package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
)

// Agreement is how well three n×n matrices of the first layer agree after an epoch: the Gram matrix WᵀW, the sum Σ of
// all shifts of the virtual covariance so far, and the average gradient outer product of the outputs, (1/N) Σ JᵀJ.
type Agreement struct {
	Epoch     int     `json:"epoch"`
	Shift     float64 `json:"shift"`     // Pearson's correlation of the diagonals of WᵀW and Σ, as in figure 1
	AGOP      float64 `json:"agop"`      // the same of WᵀW and AGOP
	Increment float64 `json:"increment"` // correlation over all entries of WᵀW − W₀ᵀW₀ and Σ
	Error     float64 `json:"error"`     // ‖WᵀW − W₀ᵀW₀ − Σ‖ / ‖Σ‖
}

// CovarianceRun is one run of the experiment covariance. The diagonals, of side² entries, are those after the last
// epoch.
type CovarianceRun struct {
	Accuracy  float64     `json:"accuracy"` // on the test set, at the end
	Epochs    []Agreement `json:"epochs"`
	Side      int         `json:"side"`
	Gram      []float64   `json:"gram"`
	Shift     []float64   `json:"shift"`
	AGOP      []float64   `json:"agop"`
	Increment []float64   `json:"increment"`
}

// runCovariance trains the two-layer GELU network of figure 1 by gradient descent at the printed step size, with the
// shift of every batch evaluated in expanded form at the weights before the step.
func runCovariance(ctx context.Context, t task, s Sizes, stream func(label string) *rand.Rand) (CovarianceRun, error) {
	model := t.model(stream("weights"), TwoLayer, s.Wide)
	y := t.train.targets(TwoLayer, t.classes)
	spy := &shiftSpy{rate: figureRate}
	trainer := &optim.Trainer{Model: model, Rules: []optim.Rule{spy, optim.SGD{Gamma: figureRate}}}
	start := dense.Gram(model.Stages[0].W.T())
	out := CovarianceRun{Side: t.side}
	order := stream("order")
	for epoch := 1; epoch <= s.Epochs; epoch++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if _, err := trainer.Epoch(order, t.train.x, y, s.Batch); err != nil {
			return out, err
		}
		gram, agop := dense.Gram(model.Stages[0].W.T()), agop(model, t.train.x)
		out.Epochs = append(out.Epochs, agreement(epoch, gram, start, spy.sum, agop))
		if epoch == s.Epochs {
			out.Gram, out.Shift, out.AGOP = diagonal(gram), diagonal(spy.sum), diagonal(agop)
			var moved mat.Dense
			moved.Sub(gram, start)
			out.Increment = diagonal(&moved)
		}
	}
	out.Accuracy = nn.Accuracy(model.Predict(t.test.x), t.test.labels)
	return out, nil
}

// shiftSpy is gradient descent that adds up the shifts of the virtual covariance.
type shiftSpy struct {
	rate float64
	sum  *mat.Dense
}

// Rate implements optim.Rule.
func (s *shiftSpy) Rate() float64 { return s.rate }

// Next implements optim.Rule.
func (s *shiftSpy) Next(v *nn.View) (*mat.Dense, optim.Report, error) {
	shift := procrustes.Problem{W: v.Stage.W, Gamma: v.PreGrad.T(), H: v.Inputs.T(), Rate: s.rate}.Shift()
	if s.sum != nil {
		shift.Add(shift, s.sum)
	}
	s.sum = shift
	return optim.SGD{Gamma: s.rate}.Next(v)
}

// agop is the average gradient outer product of a two-layer network's outputs in its inputs, W₁ᵀ(W₂ᵀW₂ ∘ S)W₁ with
// S the mean of σ'(z)σ'(z)ᵀ over the rows of x.
func agop(m *nn.Model, x *mat.Dense) *mat.Dense {
	first, second := m.Stages[0], m.Stages[1]
	slopes := dense.Mul(x, first.W.T())
	slopes.Apply(func(_, j int, z float64) float64 { return first.Act.Slope(z + first.B[j]) }, slopes)
	inner := dense.Gram(slopes.T())
	rows, _ := x.Dims()
	inner.Scale(1/float64(rows), inner)
	inner.MulElem(inner, dense.Gram(second.W.T()))
	return dense.Mul(first.W.T(), dense.Mul(inner, first.W))
}

func agreement(epoch int, gram, start, shift, agop *mat.Dense) Agreement {
	var moved, left mat.Dense
	moved.Sub(gram, start)
	left.Sub(&moved, shift)
	return Agreement{
		Epoch:     epoch,
		Shift:     stat.Correlation(diagonal(gram), diagonal(shift), nil),
		AGOP:      stat.Correlation(diagonal(gram), diagonal(agop), nil),
		Increment: stat.Correlation(moved.RawMatrix().Data, shift.RawMatrix().Data, nil),
		Error:     mat.Norm(&left, 2) / mat.Norm(shift, 2),
	}
}

// diagonal returns a copy of the diagonal.
func diagonal(a *mat.Dense) []float64 {
	n, _ := a.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = a.At(i, i)
	}
	return out
}

// rounded keeps so many significant digits, for numbers that are only drawn.
func rounded(xs []float64, digits int) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		if x != 0 {
			scale := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(x))))
			out[i] = math.Round(x*scale) / scale
		}
	}
	return out
}
