package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/impl/rkhs"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// metric puts the metric of the first step into a kernel.
var metric = props.Spec{
	Statement: &theory.Metric,
	Checks: []props.Check{props.Sweep[int, map[string]float64]{
		Name:  "error with the learned metric",
		Cells: runs(64, 96),
		Measure: func(t *props.Trial, index int, _ string) map[string]float64 {
			p := newProblem(t.Rand, target.Mixed(3), metricN, metricD, 600)
			_, rest := latent.Preprocess(p.Train.X, p.Train.Y)
			step := latent.Symmetric(t.Rand, 400, metricD).FirstGradient(p.Train.X, rest)
			plain := mat.NewDense(metricD, metricD, nil)
			for i := range metricD {
				plain.Set(i, i, 1/math.Sqrt(metricD))
			}
			out := map[string]float64{"learned": p.regress(rkhs.RandomFeatures(), learnedMetric(step))}
			if index < plainRuns {
				out["plain"] = p.regress(rkhs.RandomFeatures(), learnedMetric(plain))
			}
			return out
		},
		Conclude: func(r *props.Record, _ []int, all []map[string]float64, claimed string) {
			bound := theory.ZonalTarget(metricD, 3).SpanBound(metricN + metricD + 1)
			learned, plain := column(all, "learned"), column(all, "plain")
			switch claimed {
			case "plain":
				learned = plain
			case "learned":
				plain = learned
			case "quarter":
				bound /= 4
			}
			below, above := stat.Median(learned, stat.CriterionAlpha), stat.Median(plain, stat.CriterionAlpha)
			r.Measured("median error with the learned metric; claimed below the bound", below, bound)
			r.Measured("median error with M = I/d; claimed above the bound", above, bound)
			r.AtMost("error with the learned metric", below.Hi, bound, 1e-12)
			r.AtLeast("error with M = I/d", above.Lo, bound, 1e-12)
		},
		Controls: []props.Control{
			{Name: "M = I/d", Assumption: "learned", Criterion: "error with the learned metric", Claimed: "plain"},
			{Name: "learned metric above the bound", Criterion: "error with M = I/d", Claimed: "learned"},
			{Name: "below a quarter of the bound", Criterion: "error with the learned metric", Claimed: "quarter"},
		},
		Replicates: 1,
		Coarse: map[string]string{"error with the learned metric": "the interval of a median of few runs",
			"error with M = I/d": "the interval of a median of few runs"},
	}},
}.Claim()

const metricD, metricN = 20, 400
