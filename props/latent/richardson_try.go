package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/impl/iterative"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// tryRichardson counts the steps on the test bed, with either step size.
func tryRichardson(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	n := v.Int("n")
	if n > 64 || v.Float("epsilon") < 1e-10 {
		return nil, fmt.Errorf("n = %d, ε = %g: steps are counted for n at most 64 and ε at least 1e-10", n,
			v.Float("epsilon"))
	}
	k, y := newBed(n)
	spectrum, stop := theory.Brownian{N: n}, iterative.Stop{Iterations: 1_000_000, Tolerance: v.Float("epsilon")}
	top, bottom := spectrum.Eigenvalue(1), spectrum.Eigenvalue(n)
	return map[string]float64{"steps": float64(iterative.Richardson(k, y, 1/top, stop).Iterations),
		"best": float64(iterative.Richardson(k, y, 2/(top+bottom), stop).Iterations)}, nil
}
