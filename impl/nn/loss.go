package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Loss is the loss ℓ of one sample as a function of the network's output f.
type Loss struct {
	Name string
	// Row returns ℓ(f, y) and writes ∂ℓ/∂f. The three slices have one length and do not overlap.
	Row func(grad, f, y []float64) float64
}

// Squared is ½‖f − y‖².
var Squared = Loss{"squared", func(grad, f, y []float64) float64 {
	var sum float64
	for i := range f {
		grad[i] = f[i] - y[i]
		sum += grad[i] * grad[i]
	}
	return sum / 2
}}

// SoftmaxCrossEntropy is −Σₖ yₖ log(exp fₖ / Σⱼ exp fⱼ), for probabilities y such as one-hot rows.
var SoftmaxCrossEntropy = Loss{"softmax", func(grad, f, y []float64) float64 {
	top := math.Inf(-1)
	for _, v := range f {
		top = max(top, v)
	}
	var sum float64
	for i, v := range f {
		grad[i] = math.Exp(v - top)
		sum += grad[i]
	}
	var loss, mass float64
	logSum := math.Log(sum)
	for i, v := range f {
		loss -= y[i] * (v - top - logSum)
		mass += y[i]
	}
	for i := range f {
		grad[i] = mass*(grad[i]/sum) - y[i]
	}
	return loss
}}

// Logistic is the binary cross-entropy Σₖ log(1+exp fₖ) − yₖfₖ, for labels or probabilities y in [0, 1].
var Logistic = Loss{"logistic", func(grad, f, y []float64) float64 {
	var loss float64
	for i, v := range f {
		grad[i] = logistic(v) - y[i]
		// max(v, 0) − yv, written so that a confident right answer does not cancel
		if v > 0 {
			loss += v * (1 - y[i])
		} else {
			loss -= v * y[i]
		}
		loss += math.Log1p(math.Exp(-math.Abs(v)))
	}
	return loss
}}

// Losses lists them all; add here.
var Losses = []Loss{Squared, SoftmaxCrossEntropy, Logistic}

// Mean returns the mean loss over the rows of the outputs and writes its gradient, (1/B)·∂ℓᵢ/∂fᵢ in row i. All are B×k.
func (l Loss) Mean(grad, outputs, targets *mat.Dense) float64 {
	batch, k := outputs.Dims()
	if r, c := targets.Dims(); r != batch || c != k {
		panic("nn: shape of the targets differs from that of the outputs")
	}
	var sum float64
	for i := range batch {
		sum += l.Row(grad.RawRowView(i), outputs.RawRowView(i), targets.RawRowView(i))
	}
	grad.Scale(1/float64(batch), grad)
	return sum / float64(batch)
}

// OneHot returns the rows e_label (B×classes).
func OneHot(labels []int, classes int) *mat.Dense {
	rows := mat.NewDense(len(labels), classes, nil)
	for i, label := range labels {
		rows.Set(i, label, 1)
	}
	return rows
}

// Accuracy is the fraction of rows whose largest output is at the label; a single column stands for the label 1 where
// it is positive. A row with a NaN is wrong.
func Accuracy(outputs *mat.Dense, labels []int) float64 {
	right := 0
	for i, label := range labels {
		row := outputs.RawRowView(i)
		if len(row) == 1 {
			row = []float64{0, row[0]}
		}
		ahead := true
		for j, v := range row {
			ahead = ahead && (j == label || v < row[label])
		}
		if ahead {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}
