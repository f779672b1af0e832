package spike

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []theory.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(2, 4000), Default: "800"},
}

// try takes one step of one network.
func try(t *props.Trial, v theory.Values) (map[string]float64, error) {
	s, err := network.FromValues(v)
	if err != nil {
		return nil, err
	}
	size := int(math.Round(v.Float("n") * math.Sqrt(s.Phi)))
	n, d, width := s.Shape(size)
	if work := float64(n) * float64(d) * float64(width); work > 2e9 {
		return nil, fmt.Errorf("n·d·N = %.2g is more than 2e9: choose a smaller n", work)
	}
	sample := s.Draw(t.Rand, size)
	g := sample.Gradient(s.Act.Run)
	c1 := s.Act.Closed.Coefficient(1)
	var remainder, w mat.Dense
	remainder.RankOne(g, -c1, mat.NewVecDense(len(sample.A), sample.A), mat.NewVecDense(d, sample.Beta))
	w.Scale(v.Float("eta"), g)
	w.Add(sample.W, &w)
	top := network.Leading(linalg.Matrix(&w), min(2, d, len(sample.A)), t.Rand)
	out := map[string]float64{
		"b": floats.Norm(sample.Beta, 2), "rho": network.Cosine(sample.Beta, sample.Target),
		"remainder": math.Pow(mat.Norm(&remainder, 2), 2), "largest": top.Values[0],
		"edge":    top.Values[len(top.Values)-1],
		"overlap": math.Pow(network.Cosine(top.Right[0], sample.Target), 2),
	}
	if !(closed.StepFrom(v).WeightSpike(v.Float("eta")).Visible()) {
		out["edge"] = top.Values[0]
	}
	return out, nil
}
