package latent

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/rkhs"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/target"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// learning runs Algorithm 1 and tuned kernels on the same kind of data, and compares both with the bound for kernels.
var learning = props.Spec{
	Statement: &theory.Learning,
	Checks:    []props.Check{belowKernels, kernelsAbove, fullRank, linearPart},
	Try: &props.Simulation{Run: tryLearning, Draw: drawLearning, Params: []statement.Param{{Name: "m", Symbol: "m",
		Meaning: "neurons", Domain: statement.IntegerBetween(2, 4000), Default: "300"}}},
}.Claim()

// runs is a number of independent data sets, each of them a cell.
//
// An interval of a median that ends at the k-th run from above is beyond the bound when k runs are: with a share p of
// single runs beyond it, a true claim is undecided, or a control accepted, with probability P(Bin(n, p) ≥ k). For 10⁻⁹
// of it p may be
//
//	n    48      64     72     96     112    144    160    176
//	k    4       9      11     19     25     36     42     48
//	p    0.0003  0.007  0.012  0.035  0.053  0.081  0.095  0.107
//
// Each number of runs is the one at which this p is above what a pilot of other seeds has, by a third at least. Of 500
// to 1200 runs there were beyond the bound: 7.2 % for the algorithm, 7.0 % for the rank as a control, 6.5 % for the
// metric, 8.8 % for the quotient of the transfer, 7.9 % for noise in latent/rates, 3 % of 200 for the tangent kernel
// that knows the direction, 1 run of 600 for the linear part. There the controls' quotients have a heavy tail above,
// and so many runs as it has keep the near end of an interval as far from 1 as the interval is wide.
func runs(quick, standard int) func(props.Effort) []int {
	return func(e props.Effort) []int {
		return props.Indices(props.Scale{Quick: quick, Standard: standard, Deep: 10 * standard}.At(e))
	}
}

const (
	learningD, learningN, learningM = 26, 1352, 200
	kernelD, kernelN                = 10, 100
	learningRuns                    = 160 // at quick effort, see [runs]
	rankD, rankM                    = 18, 160
	linearD, linearM                = 12, 100
)

// steps are the algorithm and what is left of it in a control.
var steps = []string{"", "no step", "no biases", "independent"}

// measured are variants of the algorithm of which nothing is claimed here, in the runs that quick effort does without:
// the source's remark that without pairs the output may be divided by m, what the authors' code does with biases, and
// λ₁ = 0.
var measured = []string{"output over m", "biases of the code", "initial weights kept"}

var belowKernels = props.Sweep[int, map[string]float64]{
	Name:  "error of the algorithm against the bound for kernels",
	Cells: runs(learningRuns, learningRuns+plainRuns),
	Measure: func(t *props.Trial, index int, _ string) map[string]float64 {
		p, out := newProblem(t.Rand, target.Mixed(3), learningN, learningD, 600), map[string]float64{}
		variants := steps[:1]
		switch {
		case index < plainRuns:
			variants = steps
		case index >= learningRuns:
			variants = slices.Concat(variants, measured)
		}
		for _, done := range variants {
			out[done], _ = p.learn(t.Rand, learningM, done)
		}
		return out
	},
	Conclude: func(r *props.Record, _ []int, all []map[string]float64, claimed string) {
		bound := theory.ZonalTarget(learningD, 3).SpanBound(learningN + learningD + 1)
		of := claimed
		if claimed == "a third of the bound" {
			of, bound = "", bound/3
		}
		draws := column(all, of)
		r.MeasuredBelow("median error of the algorithm", stat.Median(draws, stat.CriterionAlpha), bound)
		for _, done := range measured {
			if draws := column(all, done); len(draws) > 0 {
				r.MeasuredBelow("median error, "+done, stat.Median(draws, stat.CriterionAlpha), bound)
			}
		}
		below(r, "error of the algorithm", draws, bound)
		r.Figure(stepsFigure(all))
	},
	Controls: []props.Control{
		{Name: "first layer as drawn", Assumption: "step", Claimed: "no step"},
		{Name: "biases 0", Assumption: "biases", Claimed: "no biases"},
		{Name: "neurons without partners", Assumption: "paired", Claimed: "independent"},
		{Name: "below a third of the bound", Claimed: "a third of the bound"},
	},
	Replicates: 1,
	Coarse: map[string]string{
		"error of the algorithm": "the interval of a median of few runs, and a bound that leaves room"},
}

func column(all []map[string]float64, name string) []float64 {
	var out []float64
	for _, m := range all {
		if e, there := m[name]; there {
			out = append(out, e)
		}
	}
	return out
}

// stepsFigure shows the errors of all runs, by what was done, over the number of the run.
func stepsFigure(all []map[string]float64) props.Figure {
	fig := props.Figure{
		ID: "errors", Title: "Errors of single runs and the bound for kernels",
		Caption: "Squared error of Algorithm 1 at d = 26, n = 1352 and m = 200, and of what is left of it without its " +
			"step, without biases and without pairs, run by run. No kernel method is below the dashed line in the mean.",
		X: props.Axis{Label: "run"}, Y: props.Axis{Label: "squared error", Log: true},
	}
	names := []string{"Algorithm 1", "no step", "biases 0", "no pairs"}
	line := props.Curve{Name: "bound for kernels", Style: props.Dashed}
	for i, done := range steps {
		c := props.Curve{Name: names[i], Style: props.Points, Y: column(all, done)}
		for k := range c.Y {
			c.X = append(c.X, float64(k+1))
		}
		fig.Curves = append(fig.Curves, c)
		if done == "" {
			line.X = c.X
		}
	}
	for range line.X {
		line.Y = append(line.Y, theory.ZonalTarget(learningD, 3).SpanBound(learningN+learningD+1))
	}
	fig.Curves = append(fig.Curves, line)
	return fig
}

var kernelsAbove = props.Sweep[int, map[string]float64]{
	Name:  "errors of tuned kernels against the bound",
	Cells: runs(112, 112),
	Measure: func(t *props.Trial, _ int, done string) map[string]float64 {
		p, out := newProblem(t.Rand, target.Mixed(3), kernelN, kernelD, 150), map[string]float64{}
		mapped := withBias
		if done == "knows u" { // other coordinates shrunk to next to nothing
			mapped = func(x *mat.Dense) *mat.Dense {
				z := mat.DenseCopyOf(x)
				n, d := z.Dims()
				for i := range n {
					for j := 1; j < d; j++ {
						z.Set(i, j, z.At(i, j)/100)
					}
				}
				return rkhs.WithConstant(z, 1)
			}
		}
		for name, k := range kernels(kernelD) {
			out[name] = p.regress(k, mapped)
		}
		return out
	},
	Conclude: func(r *props.Record, _ []int, all []map[string]float64, claimed string) {
		bound := theory.ZonalTarget(kernelD, 3).SpanBound(kernelN + kernelD + 1)
		if claimed == "four times" {
			bound *= 4
		}
		for _, name := range []string{"tangent", "features", "polynomial", "gaussian"} {
			draws := column(all, name)
			r.MeasuredAbove("median error of the kernel: "+name,
				stat.Median(draws, stat.CriterionAlpha), bound)
			above(r, "error of kernel: "+name, draws, bound)
		}
	},
	Controls: []props.Control{
		{Name: "kernel that knows the direction: tangent", Criterion: "error of kernel: tangent", Done: "knows u"},
		{Name: "kernel that knows the direction: features", Criterion: "error of kernel: features", Done: "knows u"},
		{Name: "kernel that knows the direction: polynomial", Criterion: "error of kernel: polynomial", Done: "knows u"},
		{Name: "kernel that knows the direction: Gaussian", Criterion: "error of kernel: gaussian", Done: "knows u"},
		{Name: "above four times the bound", Claimed: "four times"},
	},
	Replicates: 1,
	Coarse: map[string]string{"error of kernel: tangent": kernelRoom, "error of kernel: features": kernelRoom,
		"error of kernel: polynomial": kernelRoom, "error of kernel: gaussian": kernelRoom},
}

const kernelRoom = "no kernel attains the bound, and the interval is that of a median of few runs"

var fullRank = props.Sweep[int, float64]{
	Name:  "two directions at n = 6d²",
	Cells: runs(160, 160),
	Measure: func(t *props.Trial, _ int, done string) float64 {
		f := target.TwoDirections()
		if done == "rank 1" {
			f = target.Degenerate()
		}
		e, _ := newProblem(t.Rand, f, 6*rankD*rankD, rankD, 800).learn(t.Rand, rankM, "")
		return e
	},
	Conclude: func(r *props.Record, _ []int, all []float64, claimed string) {
		limit := theory.OneDirectionLeft()
		if claimed == "a quarter of it" {
			limit /= 4
		}
		r.MeasuredBelow("median error for two directions", stat.Median(all, stat.CriterionAlpha), limit)
		below(r, "error for two directions", all, limit)
	},
	Controls: []props.Control{
		{Name: "H of rank 1", Assumption: "rank", Done: "rank 1"},
		{Name: "below a quarter of it", Claimed: "a quarter of it"},
	},
	Replicates: 1,
	Coarse:     map[string]string{"error for two directions": "the interval of a median of few runs"},
}

var linearPart = props.Sweep[int, []float64]{
	Name:  "errors with preprocessing and without, linear part along another direction",
	Cells: runs(128, 128),
	Measure: func(t *props.Trial, _ int, done string) []float64 {
		f := target.WithLinearPart()
		if done == "along the same" {
			f = target.WithLinearPartAlong()
		}
		p := newProblem(t.Rand, f, 6*linearD*linearD, linearD, 800)
		with, _ := p.learn(t.Rand, linearM, "")
		without, _ := p.learn(t.Rand, linearM, "no preprocessing")
		return []float64{with, without}
	},
	Conclude: func(r *props.Record, _ []int, all [][]float64, claimed string) {
		var quotients []float64
		for _, e := range all {
			with, without := e[0], e[1]
			if claimed == "without" {
				with, without = without, with
			}
			quotients = append(quotients, with/without)
		}
		r.MeasuredBelow("median quotient of the errors", stat.Median(quotients, stat.CriterionAlpha), 1)
		below(r, "quotient of the errors", quotients, 1)
	},
	Controls: []props.Control{
		{Name: "errors without preprocessing over those with it", Assumption: "preprocessed", Claimed: "without"},
		{Name: "linear part along the latent direction", Done: "along the same"},
	},
	Replicates: 1,
	Coarse:     map[string]string{"quotient of the errors": "the interval of a median of few runs"},
}
