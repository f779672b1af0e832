package tangent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
)

// fit is how the classes are fitted with random features: by least squares, or by descent.
type fit string

// descent is the fit of the paper's script.
const descent fit = "descent"

func (f fit) suffix() string {
	if f == descent {
		return ", fitted by descent"
	}
	return ", fitted by least squares"
}

// of returns the fit of the classes (n) by the last hidden layer of a network without biases.
func (f fit) of(r *rand.Rand, net nn.Net, x *mat.Dense, classes []float64) ([]float64, error) {
	h := x
	for _, layer := range net[:len(net)-1] {
		h = features.Overwrite(nn.ReLU, features.PreActivations(h, layer.W))
	}
	if f == descent {
		return descended(r, h, classes, mat.Row(nil, 0, net[len(net)-1].W)), nil
	}
	return leastSquares(h, classes)
}

// leastSquares has a ridge next to nothing: units that never fire leave the normal matrix singular.
func leastSquares(h *mat.Dense, classes []float64) ([]float64, error) {
	_, width := h.Dims()
	norm := mat.Norm(h, 2)
	fitted, err := features.Ridge(mat.DenseCopyOf(h.T()), classes, 1e-8*norm*norm/float64(width))
	if err != nil {
		return nil, fmt.Errorf("fit of the classes: %w", err)
	}
	return fitted, nil
}

// The schedule of the script's fit. Its rate is a cosine of the epoch that comes back twice.
const fitEpochs, fitPeriod, fitRate, fitMomentum, fitBatch = 400, 100, 0.1, 0.9, 100

// descended is stochastic gradient descent on the mean of (f − y)² over batches, from weights that are used up.
func descended(r *rand.Rand, h *mat.Dense, classes, weights []float64) []float64 {
	n, width := h.Dims()
	order := list.Fill(n, func(i int) int { return i })
	speed, batch := make([]float64, width), min(n, fitBatch)
	for epoch := range fitEpochs {
		rate := fitRate * (1 + math.Cos(math.Pi*float64(epoch)/fitPeriod)) / 2
		r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		for from := 0; from+batch <= n; from += batch {
			floats.Scale(fitMomentum, speed)
			gradient := make([]float64, width)
			for _, row := range order[from : from+batch] {
				x := h.RawRowView(row)
				floats.AddScaled(gradient, 2*(floats.Dot(weights, x)-classes[row])/float64(batch), x)
			}
			floats.Add(speed, gradient)
			floats.AddScaled(weights, -rate, speed)
		}
	}
	return list.Fill(n, func(i int) float64 { return floats.Dot(weights, h.RawRowView(i)) })
}
