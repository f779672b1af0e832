package halfidentity

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// simulation takes the first gradient of a neuron with random weights over all 2^D inputs.
var simulation = &props.Simulation{
	Params: []theory.Param{
		{Name: "reach", Symbol: "max|z|", Meaning: "largest pre-activation; from 1 on the neuron saturates",
			Domain: theory.Between(1e-3, 100), Default: "0.9"},
	},
	Run: simulate,
}

// simulate reads γ off the law of the bits, T on A as the mean over A, and T outside as its largest size.
func simulate(t *props.Trial, v theory.Values) (map[string]float64, error) {
	dim, k, uniform := v.Int("D"), v.Int("k"), v.Float("uniform")
	switch {
	case dim > 14:
		return nil, fmt.Errorf("the dimension D=%d cannot be simulated: all 2^D inputs are visited, and D is at most "+
			"14 here", dim)
	case k > dim || k%2 == 0:
		return nil, fmt.Errorf("k=%d cannot be simulated: k is odd and at most D=%d", k, dim)
	case v.Float("background") != 0.5:
		return nil, fmt.Errorf("background=%g cannot be simulated: the bits outside A are fair", v.Float("background"))
	}
	const shares = 1 << 20
	first := int64(math.Round(uniform * shares))
	h := data.NewHidden(dim, props.Indices(k), data.Parity(k), data.Mixture(k, first, shares-first), data.Fair)
	s := firstStep(t.Rand, h, dense.Identity(dim), v.Float("reach"))
	gamma, on, outside := 0.0, 0.0, 0.0
	for i, p := range s.P {
		gamma += p * s.Y[i] * s.X.At(i, 0) * s.Sigma
	}
	for j, relevant := range s.Relevant {
		level := -s.Gradient[j] / s.A
		on += relevant * level / float64(k)
		outside = max(outside, (1-relevant)*math.Abs(level))
	}
	return map[string]float64{"sigma": s.Sigma, "gamma": gamma, "level": on, "outside": outside}, nil
}
