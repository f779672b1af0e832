package outliers

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// simulated is one network at a user's parameters, with θ.
func simulated(t *props.Trial, v statement.Values) (h sample, strength float64) {
	s := network.Simulated(t, v)
	h, _ = draw(t, s, s.Sized(t, v, 4e9, "nN(d + min(n, N))",
		func(n, d, width float64) float64 { return n * width * (d + min(n, width)) }))
	c1 := s.Act.Closed.Coefficient(1)
	return h, c1 * c1 * v.Float("eta") * h.length
}

func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	h, strength := simulated(t, v)
	found := network.Leading(h.after(strength), 1, t.Rand)
	return map[string]float64{"largest": found.Values[0],
		"left":  math.Pow(floats.Dot(found.Left[0], h.u), 2),
		"right": math.Pow(floats.Dot(found.Right[0], h.a), 2)}, nil
}

// drawSpectrum shows the singular values of F₁/√n with the predicted bulk, its edge and the outlier.
func drawSpectrum(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	h, strength := simulated(t, v)
	spike := theory.FeatureSpike{Bulk: theory.Features{Step: theory.StepFrom(v)}.Bulk(), Strength: strength}
	var after mat.Dense
	n, width := h.initial.Dims()
	after.RankOne(h.initial, strength, mat.NewVecDense(n, h.u), mat.NewVecDense(width, h.a))
	var places []float64
	if spike.Visible() {
		places = append(places, spike.Largest())
	}
	f := props.Figure{ID: "spectrum", Title: "Singular values of the features after one step",
		Caption: fmt.Sprintf("Histogram of the singular values of F₁/√n for one network with n = %d and N = %d, the "+
			"predicted density of the bulk up to its edge %.3f, and the predicted outlier, if there is one.", n, width,
			spike.Bulk.Edge()),
		X: props.Axis{Label: "singular value"}}
	return []props.Figure{network.Spectrum(f, &after, float64(n), spike.Bulk, "predicted outlier", places)}, nil
}
