package expansion

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// simulated is one network at a user's parameters, and its features.
func simulated(t *props.Trial, v statement.Values) (s network.Setup, h head, f theory.Features, err error) {
	if s, err = network.FromValues(v); err != nil {
		return s, h, f, err
	}
	size := int(math.Round(v.Float("n") * math.Sqrt(s.Phi)))
	n, d, width := s.Shape(size)
	if work := float64(n) * float64(d) * float64(width); work > 2e9 {
		return s, h, f, fmt.Errorf("n·d·N = %.2g is more than 2e9: choose a smaller n", work)
	}
	eta := stepSize(v.Float("kappa"), v.Float("alpha"), n)
	return s, on(s.Draw(t.Rand, size), features.Gaussian(t.Rand, n, d)), theory.Features{Step: s.Step(), Eta: eta}, nil
}

// try takes one step of one network along the displayed weights, and along the true gradient for s².
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s, h, f, err := simulated(t, v)
	if err != nil {
		return nil, err
	}
	n, width := h.z.Dims()
	root, terms := math.Sqrt(float64(n)), theory.Terms(v.Float("alpha"))
	initial, after := features.Apply(s.Act.Run, h.z), h.gain(s.Act, f.Eta)
	after.Add(after, initial)
	count := min(terms+2, n, width)
	found, edge, outliers := network.Leading(linalg.Matrix(after), count, t.Rand), f.Bulk().Edge(), 0
	for _, x := range found.Values {
		if x/root > 1.05*edge {
			outliers++
		}
	}
	out := map[string]float64{"edge": network.Norm(linalg.Matrix(initial), t.Rand) / root,
		"outliers": float64(outliers),
		"s2":       network.CovarianceOfRows(s, h.X, h.Y).Own.Noise()}
	for k := 1; k <= 3; k++ {
		out[fmt.Sprintf("strength%d", k)] = h.termNorm(f, k) / root
	}
	return out, nil
}

// drawSpectrum shows the singular values of F/√n with the predicted bulk, its edge, and the outliers that the sample's
// own powers of u and a predict.
func drawSpectrum(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	s, h, f, err := simulated(t, v)
	if err != nil {
		return nil, err
	}
	n, width := h.z.Dims()
	after := h.gain(s.Act, f.Eta)
	after.Add(after, features.Apply(s.Act.Run, h.z))
	after.Scale(1/math.Sqrt(float64(n)), after)
	left, right := h.spikes(f, theory.Terms(v.Float("alpha")))
	bulk := f.Bulk()
	return []props.Figure{{
		ID:    "spectrum",
		Title: "Singular values of the features after the step",
		Caption: fmt.Sprintf("Histogram of the singular values of F/√n for one network with n = %d and N = %d, the "+
			"predicted density of the bulk of F₀ up to its edge %.3f, and the outliers that the terms and F₀'s own part "+
			"predict.", n, width, bulk.Edge()),
		X: props.Axis{Label: "singular value of F/√n"}, Y: props.Axis{Label: "density"},
		Curves: network.SpectrumCurves(network.SingularValues(after), float64(n), bulk.Edge(), bulk.Density,
			"predicted outliers", values(predict(bulk, h.u, left, right))),
	}}, nil
}
