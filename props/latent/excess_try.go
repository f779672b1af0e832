package latent

import (
	"math"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryExcess draws labels with noise and takes the loss of the predictor 0.
func tryExcess(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, n, noise, loss := v.Int("p"), v.Int("n"), v.Float("noise"), 0.0
	f := target.Pure(2)
	if p > 2 {
		f = target.Mixed(p)
	}
	for range n {
		label := f.At([]float64{t.Rand.NormFloat64()})
		loss += math.Abs(label + noise*float64(2*t.Rand.IntN(2)-1))
	}
	return map[string]float64{"zero": loss/float64(n) - noise}, nil
}
