package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// tryElimination takes more and more members with correlations ε, √ε of a common coordinate and √(1−ε) of one's own,
// until their normalised sum has a correlation below τ with each of them.
func tryElimination(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	q := theory.Query{Epsilon: v.Float("epsilon"), Tau: v.Float("tau")}
	if q.Bound() > 1e6 {
		return nil, fmt.Errorf("ε = %g, τ = %g: members are counted up to a million", q.Epsilon, q.Tau)
	}
	for n := 1.0; ; n++ {
		norm := math.Hypot(n*math.Sqrt(q.Epsilon), math.Sqrt(n*(1-q.Epsilon)))
		if (n*q.Epsilon+1-q.Epsilon)/norm < q.Tau*(1-1e-12) {
			return map[string]float64{"count": n - 1}, nil
		}
	}
}
