package spike

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []statement.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(2, 4000), Default: "800"},
}

// step is one step of one network at a user's parameters, with its gradient and the weights after it.
func step(t *props.Trial, v statement.Values) (s network.Setup, sample network.Sample, g, w *mat.Dense, err error) {
	if s, err = network.FromValues(v); err != nil {
		return s, sample, nil, nil, err
	}
	size := int(math.Round(v.Float("n") * math.Sqrt(s.Phi)))
	n, d, width := s.Shape(size)
	if work := float64(n) * float64(d) * float64(width); work > 2e9 {
		return s, sample, nil, nil, fmt.Errorf("n·d·N = %.2g is more than 2e9: choose a smaller n", work)
	}
	sample = s.Draw(t.Rand, size)
	g, w = sample.Gradient(s.Act.Run), new(mat.Dense)
	w.Scale(v.Float("eta"), g)
	w.Add(sample.W, w)
	return s, sample, g, w, nil
}

// try takes one step of one network.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s, sample, g, w, err := step(t, v)
	if err != nil {
		return nil, err
	}
	c1, d := s.Act.Closed.Coefficient(1), len(sample.Beta)
	var remainder mat.Dense
	remainder.RankOne(g, -c1, mat.NewVecDense(len(sample.A), sample.A), mat.NewVecDense(d, sample.Beta))
	top := network.Leading(linalg.Matrix(w), min(2, d, len(sample.A)), t.Rand)
	out := map[string]float64{
		"b": floats.Norm(sample.Beta, 2), "rho": network.Cosine(sample.Beta, sample.Target),
		"remainder": math.Pow(mat.Norm(&remainder, 2), 2), "largest": top.Values[0],
		"edge":    top.Values[len(top.Values)-1],
		"overlap": math.Pow(network.Cosine(top.Right[0], sample.Target), 2),
	}
	if !(theory.StepFrom(v).WeightSpike(v.Float("eta")).Visible()) {
		out["edge"] = top.Values[0]
	}
	return out, nil
}

// drawWeights shows the singular values of W₁ with the Marchenko-Pastur law, its edge and the predicted outlier.
func drawWeights(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	_, _, _, w, err := step(t, v)
	if err != nil {
		return nil, err
	}
	width, d := w.Dims()
	spike := theory.StepFrom(v).WeightSpike(v.Float("eta"))
	var places []float64
	if spike.Visible() {
		places = append(places, spike.Location())
	}
	return []props.Figure{{
		ID:    "weights",
		Title: "Singular values of the weights after the step",
		Caption: fmt.Sprintf("Histogram of the singular values of W₁ = W₀ + ηG for one network with d = %d and N = %d, the "+
			"Marchenko-Pastur law up to its edge %.3f, and the predicted outlier, if there is one.", d, width,
			spike.Edge()),
		X: props.Axis{Label: "singular value"}, Y: props.Axis{Label: "density"},
		Curves: network.SpectrumCurves(network.SingularValues(w), float64(d), spike.Edge(), spike.Density,
			"predicted outlier", places),
	}}, nil
}
