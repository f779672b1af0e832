package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/tangent"
)

// simulation optimises θ and M together on a random problem with Gaussian features, from a random start.
var simulation = &props.Simulation{
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "number of features", Domain: sizes(1, 12), Default: "6"},
		{Name: "n", Symbol: "n", Meaning: "number of samples, at most p", Domain: sizes(1, 12), Default: "3"},
	},
	Run: simulate,
}

func sizes(least, most float64) *theory.Domain {
	d := theory.Between(least, most)
	d.Integer = true
	return d
}

// simulate measures the stretch as the largest singular value, the amplification and the coefficient from the growth of
// the kernel, and the costs of the pair that was found.
func simulate(t *props.Trial, v theory.Values) (map[string]float64, error) {
	n, p, norm, factor := v.Int("n"), v.Int("p"), v.Float("v"), v.Float("factor")
	family := closed.Family(v.Choice("omega"))
	switch ratio := norm / math.Sqrt(factor); {
	case n > p:
		return nil, fmt.Errorf("n=%d samples cannot be simulated with p=%d features: n is at most p", n, p)
	case !(ratio >= 1e-3 && ratio <= 1e3):
		return nil, fmt.Errorf("v=%g cannot be simulated: v/√factor must be between 1e-3 and 1e3, and is %.3g", norm, ratio)
	}
	features, _ := drawFeatures(t.Rand, gaussian, n, p)
	labels := drawLabels(t.Rand, features, norm)
	model := impl.Model{Features: features, Labels: labels, Penalty: penalties[family].Times(factor)}
	s := search{model: model, kink: family == closed.Absolute, joint: true, tiny: 1e-4 * min(factor, norm*norm)}
	e := s.from(gen.Gaussian(t.Rand, p, p, 1), t.Rand)
	_, singular, _, err := linalg.SVD(e.M, mat.SVDNone)
	if err != nil {
		return nil, err
	}
	y := mat.NewVecDense(n, labels)
	var grown mat.Dense
	grown.Sub(impl.Kernel(features, features, e.M), impl.Kernel(features, features, impl.Identity(p)))
	coefficient := mat.Inner(y, &grown, y) / math.Pow(mat.Dot(y, y), 2)
	return map[string]float64{
		"stretch":       singular[0],
		"optimum":       e.Total,
		"coefficient":   coefficient,
		"amplification": norm * norm / e.Cost,
		"cost":          e.Cost,
	}, nil
}
