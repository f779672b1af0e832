package expansion

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/onestep"
)

// try takes one step of one network along the displayed weights, and along the true gradient for s².
func try(t *props.Trial, v theory.Values) (map[string]float64, error) {
	s, err := network.FromValues(v)
	if err != nil {
		return nil, err
	}
	n, d, width := s.Shape(int(math.Round(v.Float("n") * math.Sqrt(s.Phi))))
	if work := float64(n) * float64(d) * float64(width); work > 2e9 {
		return nil, fmt.Errorf("n·d·N = %.2g is more than 2e9: choose a smaller n", work)
	}
	h := draw(t, s, int(math.Round(v.Float("n")*math.Sqrt(s.Phi))), false)
	f := closed.Features{Step: s.Step(), Eta: stepSize(v.Float("kappa"), v.Float("alpha"), n)}
	root, terms := math.Sqrt(float64(n)), closed.Terms(v.Float("alpha"))
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
