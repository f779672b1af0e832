package latent

import (
	"math"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// tryExcess draws labels with noise and takes the loss of the predictor 0.
func tryExcess(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, n, noise, loss := v.Int("p"), v.Int("n"), v.Float("noise"), 0.0
	for range n {
		z := t.Rand.NormFloat64()
		label := hermite.Polynomial(2, z) / math.Sqrt2
		if p > 2 {
			label = hermite.Polynomial(2, z)/2 + hermite.Polynomial(p, z)/math.Sqrt(2*hermite.Factorial(p))
		}
		loss += math.Abs(label + noise*float64(2*t.Rand.IntN(2)-1))
	}
	return map[string]float64{"zero": loss/float64(n) - noise}, nil
}
