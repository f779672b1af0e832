package spike

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// shown is the setup of which figures are drawn.
const shown = 0

// remainderFigure shows one setup: medians over its networks, with the middle half of them.
func remainderFigure(cells []network.Cell, all []networks) props.Figure {
	var mine [][]first
	for i, c := range cells {
		if c.Setup == setups[shown].Name {
			mine = append(mine, all[i].Sizes)
		}
	}
	n := network.Map(mine[0], func(f first) float64 { return float64(f.N) })
	curve := func(name, what string) props.Curve {
		looked := slices.DeleteFunc(slices.Clone(mine), func(sizes []first) bool { return sizes[0].Norms[what] == 0 })
		return network.Cloud(name, n, looked, func(f first) float64 { return f.Norms[what] })
	}
	one := network.Map(n, func(float64) float64 { return 1 })
	return props.Figure{
		ID:    "remainder",
		Title: "What the rank-one part leaves of the gradient",
		Caption: fmt.Sprintf("Remainder of the gradient in the setup %q against the number of samples, on "+
			"logarithmic axes, over the operator norm of a Gaussian matrix of the same covariances, which falls "+
			"along √(log n/n): medians with the middle half. In operator norm the quotient keeps its value. "+
			"In Frobenius norm, and in operator norm with the output as printed, aᵀσ(W₀x), it does not fall, and "+
			"departs along √n.", setups[shown].Name),
		X: props.Axis{Label: "samples n", Log: true},
		Y: props.Axis{Label: "norm of the remainder / that of a Gaussian matrix", Log: true},
		Curves: []props.Curve{
			curve("operator norm, mean-field output", ""), curve("Frobenius norm, mean-field output", "Frobenius"),
			curve("operator norm, literal output", "literal"),
			{Name: "Gaussian matrix, operator norm", Style: props.Dashed, X: n, Y: one},
		},
	}
}

// weightsFigure shows the spectrum of one W₁ with the Marchenko-Pastur law and the predicted outlier.
func weightsFigure(cells []network.Cell, all []networks) props.Figure {
	for i := range cells {
		f := all[i].largest()
		if f.W1 == nil {
			continue
		}
		width, d := f.W1.Dims()
		at := f.Scale * f.Spike.Location()
		return spectrum(f.W1, f.Spike, []float64{at}, fmt.Sprintf("Histogram of the singular values of W₁ = W₀ + ηG for one "+
			"network with d = %d and N = %d, η being %v times the threshold. The bulk follows the Marchenko-Pastur law; one "+
			"value lies outside of it, at %.3f, where %.3f is predicted.", d, width, strong, f.Largest, at))
	}
	return props.Figure{}
}

// spectrum shows the singular values of weights with the Marchenko-Pastur law and the predicted outlier.
func spectrum(w *mat.Dense, spike theory.WeightSpike, places []float64, caption string) props.Figure {
	_, d := w.Dims()
	return network.Spectrum(props.Figure{ID: "weights", Title: "Singular values of the weights after the step",
		Caption: caption, X: props.Axis{Label: "singular value"}}, w, float64(d), spike, "predicted outlier", places)
}

// drawWeights shows W₁ of one network at a user's parameters.
func drawWeights(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	_, _, _, w := step(t, v)
	width, d := w.Dims()
	spike := theory.StepFrom(v).WeightSpike(v.Float("eta"))
	var places []float64
	if spike.Visible() {
		places = append(places, spike.Location())
	}
	return []props.Figure{spectrum(w, spike, places, fmt.Sprintf("Histogram of the singular values of W₁ = W₀ + ηG for "+
		"one network with d = %d and N = %d, the Marchenko-Pastur law up to its edge %.3f, and the predicted outlier, if "+
		"there is one.", d, width, spike.Edge()))}, nil
}
