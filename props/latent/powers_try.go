package latent

import (
	"fmt"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// tryPowers draws signs and biases of features and takes their weighted mean.
func tryPowers(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, n, mean := v.Int("k"), v.Int("n"), 0.0
	if k > 12 {
		return nil, fmt.Errorf("k = %d: the mean over drawn features says nothing beyond k = 12, where the weights "+
			"are too large", k)
	}
	for range n {
		a, b := float64(2*t.Rand.IntN(2)-1), 2*t.Rand.Float64()-1
		mean += theory.PowerWeight(k, a, b) * nn.ReLU.Value(a*v.Float("x")+b) / float64(n)
	}
	return map[string]float64{"power": mean}, nil
}
