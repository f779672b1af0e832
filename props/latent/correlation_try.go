package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryCorrelation multiplies out two polynomials in the plane of their directions.
func tryCorrelation(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	p, q, cosine := v.Int("p"), v.Int("q"), v.Float("cosine")
	if p+q > 16 {
		return nil, fmt.Errorf("p + q = %d: the monomials are multiplied out for p + q at most 16", p+q)
	}
	f := hermiteAlong(p, []float64{1, 0})
	g := hermiteAlong(q, []float64{cosine, math.Sqrt((1 - cosine) * (1 + cosine))})
	return map[string]float64{"correlation": f.Times(g).Mean()}, nil
}
