package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// metric puts the metric of the first step into a kernel.
var metric = props.Spec{
	Statement: &theory.Metric,
	Checks: []props.Check{props.Grid[int, metricRun, float64]{
		Name:    "error with the learned metric",
		Cells:   runs(160, 160),
		Measure: measureMetric,
		Claim:   theory.ZonalTarget(metricD, 3).SpanBound(metricN + metricD + 1),
		Conclude: func(r *props.Record, _ []int, all []metricRun, bound float64) {
			column := func(of func(metricRun) float64) []float64 {
				return slices.DeleteFunc(list.Map(all, of), func(e float64) bool { return e == 0 })
			}
			learned := column(func(e metricRun) float64 { return e.Learned })
			plain := column(func(e metricRun) float64 { return e.Plain })
			r.MeasuredBelow("median error with the learned metric",
				stat.Median(learned, stat.CriterionAlpha), bound)
			r.MeasuredAbove("median error with M = I/d", stat.Median(plain, stat.CriterionAlpha), bound)
			below(r, "error with the learned metric", learned, bound)
			above(r, "error with M = I/d", plain, bound)
		},
		Controls: []props.WrongCell[int, metricRun, float64]{
			{Name: "M = I/d", Assumption: "learned", Criterion: "error with the learned metric",
				Alter: func(_ int, e *metricRun) { e.Learned = e.Plain }},
			{Name: "learned metric above the bound", Criterion: "error with M = I/d",
				Alter: func(_ int, e *metricRun) { e.Plain = e.Learned }},
			{Name: "below a tenth of the bound", Criterion: "error with the learned metric",
				Claim: func(bound *float64) { *bound /= 10 }},
		},
		Replicates: 1,
		Chosen: map[string][]string{"sizes and the 2 % of an effect": {"error with the learned metric",
			"error with M = I/d"}},
	}},
}.Claim()

const metricD, metricN = 15, 380

// metricRun holds errors with the metric of the first step and with M = I/d. The latter is 0 if not measured: nearly
// all runs have it above the bound, so that quick effort measures it in [plainRuns] runs only.
type metricRun struct{ Learned, Plain float64 }

func measureMetric(t *props.Trial, index int) (out metricRun) {
	p := newProblem(t.Rand, target.Mixed(3), metricN, metricD, 250)
	_, rest := latent.Preprocess(p.Train.X, p.Train.Y)
	step := latent.Symmetric(t.Rand, 500, metricD).FirstGradient(p.Train.X, rest)
	out.Learned = p.regress(rkhs.RandomFeatures(), learnedMetric(step))
	if t.Effort == props.Quick && index >= plainRuns {
		return out
	}
	plain := mat.NewDense(metricD, metricD, nil)
	for i := range metricD {
		plain.Set(i, i, 1/math.Sqrt(metricD))
	}
	out.Plain = p.regress(rkhs.RandomFeatures(), learnedMetric(plain))
	return out
}
