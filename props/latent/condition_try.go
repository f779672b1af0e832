package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryCondition averages squared gradients of neurons over the sphere, by a quadrature.
func tryCondition(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	d, p, b := v.Int("d"), v.Int("p"), v.Float("b")
	if d > 400 || p > 8 {
		return nil, fmt.Errorf("d = %d, p = %d: the quadrature is for d at most 400 and p at most 8", d, p)
	}
	square, _ := gradientSquare(target.Monomials(target.Pure(p).Terms), d, p, b)
	quadratic, _ := gradientSquare(target.Monomials(target.Pure(2).Terms), d, 2, b)
	return map[string]float64{"square": square, "quadratic": quadratic}, nil
}
