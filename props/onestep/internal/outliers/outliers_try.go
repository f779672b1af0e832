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

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []statement.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(4, 4000), Default: "800"},
}

// simulated is one network at a user's parameters, with θ.
func simulated(t *props.Trial, v statement.Values) (h sample, strength float64, err error) {
	s, err := network.FromValues(v)
	if err != nil {
		return h, 0, err
	}
	size := int(math.Round(v.Float("n") * math.Sqrt(s.Phi)))
	n, d, width := s.Shape(size)
	if work := float64(n) * float64(width) * float64(d+min(n, width)); work > 4e9 {
		return h, 0, fmt.Errorf("nN(d + min(n, N)) = %.2g is more than 4e9: choose a smaller n", work)
	}
	h, _ = draw(t, s, size)
	c1 := s.Act.Closed.Coefficient(1)
	return h, c1 * c1 * v.Float("eta") * h.length, nil
}

func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	h, strength, err := simulated(t, v)
	if err != nil {
		return nil, err
	}
	found := network.Leading(h.after(strength), 1, t.Rand)
	return map[string]float64{"largest": found.Values[0],
		"left":  math.Pow(floats.Dot(found.Left[0], h.u), 2),
		"right": math.Pow(floats.Dot(found.Right[0], h.a), 2)}, nil
}

// drawSpectrum shows the singular values of F₁/√n with the predicted bulk, its edge and the outlier.
func drawSpectrum(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	h, strength, err := simulated(t, v)
	if err != nil {
		return nil, err
	}
	bulk := theory.Features{Step: theory.StepFrom(v)}.Bulk()
	spike := theory.FeatureSpike{Bulk: bulk, Strength: strength}
	var after mat.Dense
	n, width := h.initial.Dims()
	after.RankOne(h.initial, strength, mat.NewVecDense(n, h.u), mat.NewVecDense(width, h.a))
	var places []float64
	if spike.Visible() {
		places = append(places, spike.Largest())
	}
	return []props.Figure{{
		ID:    "spectrum",
		Title: "Singular values of the features after one step",
		Caption: fmt.Sprintf("Histogram of the singular values of F₁/√n for one network with n = %d and N = %d, the "+
			"predicted density of the bulk up to its edge %.3f, and the predicted outlier, if there is one.", n, width,
			bulk.Edge()),
		X: props.Axis{Label: "singular value"}, Y: props.Axis{Label: "density"},
		Curves: network.SpectrumCurves(network.SingularValues(&after), float64(n), bulk.Edge(), bulk.Density,
			"predicted outlier", places),
	}}, nil
}
