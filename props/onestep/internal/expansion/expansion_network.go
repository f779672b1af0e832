package expansion

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// simulated is one network at a user's parameters, and its features before the step and after it.
func simulated(t *props.Trial, v statement.Values) (s network.Setup, h head, f theory.Features, initial,
	after *mat.Dense) {
	s = network.Simulated(t, v)
	size := s.Sized(t, v, 2e9, "n·d·N", network.Product)
	n, d, _ := s.Shape(size)
	h = on(s.Draw(t.Rand, size), features.Gaussian(t.Rand, n, d))
	f = theory.Features{Step: s.Step(), Eta: stepSize(v.Float("kappa"), v.Float("alpha"), n)}
	initial = features.Apply(s.Act.Run, h.z)
	return s, h, f, initial, algebra.Sum(h.gainFrom(initial, s.Act, f.Eta), initial)
}

// try takes one step of one network along the displayed weights, and along the true gradient for s².
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s, h, f, initial, after := simulated(t, v)
	n, width := h.z.Dims()
	root, outliers := math.Sqrt(float64(n)), 0
	found := network.Leading(linalg.Matrix(after), min(theory.Terms(v.Float("alpha"))+2, n, width), t.Rand)
	for _, x := range found.Values {
		if x/root > 1.05*f.Bulk().Edge() {
			outliers++
		}
	}
	out := map[string]float64{"edge": network.Norm(linalg.Matrix(initial), t.Rand) / root,
		"outliers": float64(outliers), "s2": network.CovarianceOfRows(s, h.X, h.Y).Own.Noise()}
	for k := 1; k <= max(3, theory.Terms(v.Float("alpha"))); k++ {
		out[fmt.Sprintf("strength%d", k)] = h.termNorm(f, k) / root
	}
	return out, nil
}

// drawSpectrum shows the singular values of F/√n with the predicted bulk, its edge, and the outliers that the sample's
// own powers of u and a predict.
func drawSpectrum(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	_, h, f, _, after := simulated(t, v)
	n, width := after.Dims()
	left, right := h.spikes(f, theory.Terms(v.Float("alpha")))
	return []props.Figure{drawn(algebra.Scaled(1/math.Sqrt(float64(n)), after), f.Bulk(),
		values(network.Outliers(f.Bulk(), h.u, left, right)), fmt.Sprintf("Histogram of the singular values of F/√n for one "+
			"network with n = %d and N = %d, the predicted density of the bulk of F₀ up to its edge %.3f, and the outliers "+
			"that the terms and F₀'s own part predict.", n, width, f.Bulk().Edge()))}, nil
}
