package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/tangent"
)

// simulation optimises a random problem with Gaussian features from a random start, θ and M together and then M alone.
var simulation = &props.Simulation{
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "number of features", Domain: sizes(1, 12), Default: "6"},
		{Name: "n", Symbol: "n", Meaning: "number of samples, at most p", Domain: sizes(1, 12), Default: "3"},
	},
	Run: simulate,
}

func sizes(lo, hi float64) *theory.Domain {
	d := theory.Between(lo, hi)
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
	case !(ratio >= 0.01 && ratio <= 100):
		return nil, fmt.Errorf("v=%g cannot be simulated: v/√factor must be between 0.01 and 100, and is %.3g", norm,
			ratio)
	}
	features, _ := drawFeatures(t.Rand, gaussian, n, p)
	labels := drawLabels(t.Rand, features, norm)
	model := impl.Model{Features: features, Labels: labels, Penalty: penalties[family].Times(factor)}
	search := impl.Search{Model: model, Tiny: 1e-4 * min(factor, norm*norm),
		Kink: kink(family, factor), Smoothing: smoothing}
	m, _, err := search.From(gen.Gaussian(t.Rand, p, 1, 1).RawMatrix().Data, gen.Gaussian(t.Rand, p, p, 1))
	if err != nil {
		return nil, err
	}
	if m, _, err = search.From(nil, m); err != nil {
		return nil, err
	}
	theta, err := model.Parameters(m)
	if err != nil {
		return nil, err
	}
	cost := floats.Dot(theta, theta)
	_, singular, _, err := linalg.SVD(m, mat.SVDNone)
	if err != nil {
		return nil, err
	}
	y := mat.NewVecDense(n, labels)
	var grown mat.Dense
	grown.Sub(impl.Kernel(features, features, m), impl.Kernel(features, features, impl.Identity(p)))
	coefficient := mat.Inner(y, &grown, y) / math.Pow(mat.Dot(y, y), 2)
	return map[string]float64{
		"stretch":       singular[0],
		"optimum":       model.Cost(theta, m),
		"coefficient":   coefficient,
		"amplification": norm * norm / cost,
		"cost":          cost,
	}, nil
}
