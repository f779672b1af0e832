package risk

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	"github.com/thm-suite/thm/props/onestep/teachers"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []theory.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(4, 4000), Default: "600"},
}

// try regresses teachers on one network.
func try(t *props.Trial, v theory.Values) (map[string]float64, error) {
	r := closed.RiskFrom(v)
	act := network.Named(v.Choice("activation"))
	size := int(math.Round(v.Float("n") * math.Sqrt(r.Phi)))
	n, d, width := network.Setup{Phi: r.Phi, Psi: r.Psi}.Shape(size)
	if work := float64(n) * float64(n) * (float64(n) + float64(width) + 2*float64(d)); work > 3e10 {
		return nil, fmt.Errorf("n²(n + N + 2d) = %.2g is more than 3e10: choose a smaller n", work)
	}
	if r.Trained {
		return nil, fmt.Errorf("weights=gradient is not simulated here: see onestep/universality, or choose " +
			"weights=displayed")
	}
	sampled := teachers.Sample(t.Rand, act, r, size, 64, false)
	regression, err := features.NewRegression(sampled.Features, r.Lambda)
	if err != nil {
		return nil, err
	}
	before := teachers.Mean(regression.Fits(sampled.Labels, features.Added{}))
	after := teachers.Mean(regression.Fits(sampled.Labels, sampled.Added(r)))
	return map[string]float64{"objective": after.Objective, "train": after.Train, "test": after.LeaveOneOut,
		"before": before.LeaveOneOut}, nil
}
