package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/impl/iterative"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryEigenPro counts the steps on the test bed.
func tryEigenPro(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	n := v.Int("n")
	if n > 64 || v.Float("epsilon") < 1e-10 {
		return nil, fmt.Errorf("n = %d, ε = %g: steps are counted for n at most 64 and ε at least 1e-10", n,
			v.Float("epsilon"))
	}
	k, y := newBed(n)
	got, err := iterative.EigenPro(k, y, v.Int("q"),
		iterative.Stop{Iterations: 1_000_000, Tolerance: v.Float("epsilon")})
	return map[string]float64{"steps": float64(got.Iterations)}, err
}
