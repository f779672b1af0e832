package latent

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// learning runs Algorithm 1 and tuned kernels on the same kind of data, and compares both with the lower bound for
// kernels.
var learning = props.Spec{
	Statement: &theory.Learning,
	Checks:    []props.Check{belowKernels, kernelsAbove, fullRank, linearPart},
	Try: &props.Simulation{Run: tryLearning, Draw: drawLearning, Params: []statement.Param{{Name: "m", Symbol: "m",
		Meaning: "neurons", Domain: statement.IntegerBetween(2, 4000), Default: "300"}}},
}.Claim()

// runs returns cells, each an independent data set; their number depends on the effort.
//
// An interval of a median whose upper end is the k-th largest run exceeds the bound if k runs do. If a share p of
// single runs exceeds it, a true claim is undecided, or a control accepted, with probability P(Bin(n, p) ≥ k). To keep
// that at 10⁻⁹, p may be
//
//	n    48      64     72     96     112    144    160    176
//	k    4       9      11     19     25     36     42     48
//	p    0.0003  0.007  0.012  0.035  0.053  0.081  0.095  0.107
//
// Each number of runs is chosen such that this p exceeds the share in a pilot of other seeds. Of 500 to 1200 runs in
// the pilot, beyond the bound were 7.2 % for the algorithm (8.7 % of 2080 later), 7.0 % for the rank as a control and
// 2.5 % of 400 for the rank as claimed, 6.5 % for the metric, 8.8 % for the quotient of the transfer, 7.9 % for noise
// in latent/rates, 3 % of 200 for the tangent kernel that knows the direction, and 1 run of 600 for the linear part.
// For the linear part the quotients of the controls have a heavy upper tail; its number of runs keeps the near end of
// an interval as far from 1 as the interval is wide.
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

// steps lists the algorithm and the reduced variants that controls run.
var steps = []string{"", "no step", "no biases", "independent"}

// measured lists variants of the algorithm about which nothing is claimed here, measured only in the runs beyond quick
// effort: an output divided by m instead of pairs, as the source remarks; the biases of the authors' code; and λ₁ = 0.
var measured = []string{"output over m", "biases of the code", "initial weights kept"}

var belowKernels = props.Grid[int, map[string]float64, bounded]{
	Name:  "error of the algorithm against the bound for kernels",
	Cells: runs(learningRuns, learningRuns+plainRuns),
	Measure: func(t *props.Trial, index int) map[string]float64 {
		p, out := newProblem(t.Rand, target.Mixed(3), learningN, learningD, 600).finely(t.Rand), map[string]float64{}
		variants := steps[:1]
		switch {
		case index < plainRuns:
			variants = steps
		case index >= learningRuns:
			variants = slices.Concat(variants, measured)
		}
		for _, variant := range variants {
			out[variant], _ = p.learn(t.Rand, learningM, variant)
		}
		return out
	},
	Claim: bounded{of: "", by: theory.ZonalTarget(learningD, 3).SpanBound(learningN + learningD + 1)},
	Conclude: func(r *props.Record, _ []int, all []map[string]float64, claim bounded) {
		bound := claim.by
		draws := column(all, claim.of)
		r.MeasuredBelow("median error of the algorithm", stat.Median(draws, stat.CriterionAlpha), bound)
		for _, variant := range measured {
			if draws := column(all, variant); len(draws) > 0 {
				r.MeasuredBelow("median error, "+variant, stat.Median(draws, stat.CriterionAlpha), bound)
			}
		}
		below(r, "error of the algorithm", draws, bound)
		r.Draw(func() props.Figure { return stepsFigure(all) })
	},
	Controls: []props.WrongCell[int, map[string]float64, bounded]{
		{Name: "first layer as drawn", Assumption: "step", Instead: bounded{of: "no step"}},
		{Name: "biases 0", Assumption: "biases", Instead: bounded{of: "no biases"}},
		{Name: "neurons without partners", Assumption: "paired", Instead: bounded{of: "independent"}},
		{Name: "below a third of the bound", Claim: func(c *bounded) { c.by /= 3 }},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"sizes and the 2 % of an effect": {"error of the algorithm"}},
}

// bounded names the measured error that is claimed to lie below a bound, and holds the bound.
type bounded struct {
	of string
	by float64
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

// stepsFigure plots the errors of all runs, by variant, against the number of the run.
func stepsFigure(all []map[string]float64) props.Figure {
	fig := props.Figure{
		ID: "errors", Title: "Errors of single runs and the bound for kernels",
		Caption: "Squared error of Algorithm 1 at d = 26, n = 1352 and m = 200, and of its variants without its " +
			"step, without biases and without pairs, run by run. No kernel method is below the dashed line in the mean.",
		X: props.Axis{Label: "run"}, Y: props.Axis{Label: "squared error", Log: true},
	}
	names := []string{"Algorithm 1", "no step", "biases 0", "no pairs"}
	line := props.Curve{Name: "bound for kernels", Style: props.Dashed}
	for i, variant := range steps {
		c := props.Curve{Name: names[i], Style: props.Points, Y: column(all, variant)}
		for k := range c.Y {
			c.X = append(c.X, float64(k+1))
		}
		fig.Curves = append(fig.Curves, c)
		if variant == "" {
			line.X = c.X
		}
	}
	for range line.X {
		line.Y = append(line.Y, theory.ZonalTarget(learningD, 3).SpanBound(learningN+learningD+1))
	}
	fig.Curves = append(fig.Curves, line)
	return fig
}

var kernelsAbove = props.Grid[int, map[string]float64, float64]{
	Name:    "errors of tuned kernels against the bound",
	Cells:   runs(112, 112),
	Measure: func(t *props.Trial, _ int) map[string]float64 { return regressAll(t, latent.WithBias) },
	Claim:   theory.ZonalTarget(kernelD, 3).SpanBound(kernelN + kernelD + 1),
	Conclude: func(r *props.Record, _ []int, all []map[string]float64, bound float64) {
		for _, name := range []string{"tangent", "features", "polynomial", "gaussian"} {
			draws := column(all, name)
			r.MeasuredAbove("median error of the kernel: "+name,
				stat.Median(draws, stat.CriterionAlpha), bound)
			above(r, "error of kernel: "+name, draws, bound)
		}
	},
	Controls: []props.WrongCell[int, map[string]float64, float64]{
		{Name: "kernel that knows the direction: tangent", Criterion: "error of kernel: tangent",
			Measure: func(t *props.Trial, _ int) map[string]float64 { return regressAll(t, alongDirection) }},
		{Name: "kernel that knows the direction: features", Criterion: "error of kernel: features",
			As: "kernel that knows the direction: tangent"},
		{Name: "kernel that knows the direction: polynomial", Criterion: "error of kernel: polynomial",
			As: "kernel that knows the direction: tangent"},
		{Name: "kernel that knows the direction: Gaussian", Criterion: "error of kernel: gaussian",
			As: "kernel that knows the direction: tangent"},
		{Name: "above four times the bound", Claim: func(bound *float64) { *bound *= 4 }},
	},
	Replicates: 1,
	Chosen: map[string][]string{"sizes and the 2 % of an effect": {"error of kernel: tangent", "error of kernel: features",
		"error of kernel: polynomial", "error of kernel: gaussian"}},
}

// regressAll returns the errors of all tuned kernels, after mapping the inputs.
func regressAll(t *props.Trial, mapped func(*mat.Dense) *mat.Dense) map[string]float64 {
	p, out := newProblem(t.Rand, target.Mixed(3), kernelN, kernelD, 150), map[string]float64{}
	for name, k := range kernels(kernelD) {
		out[name] = p.regress(k, mapped)
	}
	return out
}

// alongDirection shrinks all coordinates but the latent one to next to nothing.
func alongDirection(x *mat.Dense) *mat.Dense {
	z := mat.DenseCopyOf(x)
	n, d := z.Dims()
	for i := range n {
		for j := 1; j < d; j++ {
			z.Set(i, j, z.At(i, j)/100)
		}
	}
	return rkhs.WithConstant(z, 1)
}

var fullRank = props.Grid[int, float64, float64]{
	Name:    "two directions at n = 6d²",
	Cells:   runs(96, 160),
	Measure: func(t *props.Trial, _ int) float64 { return learnRank(t, target.TwoDirections()) },
	Claim:   theory.OneDirectionLeft(),
	Conclude: func(r *props.Record, _ []int, all []float64, limit float64) {
		r.MeasuredBelow("median error for two directions", stat.Median(all, stat.CriterionAlpha), limit)
		below(r, "error for two directions", all, limit)
	},
	Controls: []props.WrongCell[int, float64, float64]{
		{Name: "H of rank 1", Assumption: "rank",
			Measure: func(t *props.Trial, _ int) float64 { return learnRank(t, target.Degenerate()) },
			On:      props.First(96)},
		{Name: "below a quarter of it", Claim: func(limit *float64) { *limit /= 4 }},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"sizes and the 2 % of an effect": {"error for two directions"}},
}

// learnRank returns the error of Algorithm 1 for a target of two directions.
func learnRank(t *props.Trial, f target.Named) float64 {
	e, _ := newProblem(t.Rand, f, 6*rankD*rankD, rankD, 800).learn(t.Rand, rankM, "")
	return e
}

var linearPart = props.Grid[int, preprocessed, struct{}]{
	Name:    "errors with preprocessing and without, linear part along another direction",
	Cells:   runs(104, 128),
	Measure: func(t *props.Trial, _ int) preprocessed { return learnBoth(t, target.WithLinearPart()) },
	Conclude: func(r *props.Record, _ []int, all []preprocessed, _ struct{}) {
		quotients := list.Map(all, func(e preprocessed) float64 { return e.With / e.Without })
		r.MeasuredBelow("median quotient of the errors", stat.Median(quotients, stat.CriterionAlpha), 1)
		below(r, "quotient of the errors", quotients, 1)
	},
	Controls: []props.WrongCell[int, preprocessed, struct{}]{
		{Name: "errors without preprocessing over those with it", Assumption: "preprocessed",
			Alter: func(_ int, e *preprocessed) { e.With, e.Without = e.Without, e.With }},
		{Name: "linear part along the latent direction",
			Measure: func(t *props.Trial, _ int) preprocessed { return learnBoth(t, target.WithLinearPartAlong()) }},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"sizes and the 2 % of an effect": {"quotient of the errors"}},
}

// preprocessed holds errors with preprocessing and without.
type preprocessed struct{ With, Without float64 }

func learnBoth(t *props.Trial, f target.Named) (e preprocessed) {
	p := newProblem(t.Rand, f, 6*linearD*linearD, linearD, 800)
	e.With, _ = p.learn(t.Rand, linearM, "")
	e.Without, _ = p.learn(t.Rand, linearM, "no preprocessing")
	return e
}

// tryLearning measures Algorithm 1 and the kernels on one data set.
func tryLearning(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	needRunnable(t, n, m)
	p := newProblem(t.Rand, target.Mixed(v.Int("p")), n, d, 1500)
	e, net := p.learn(t.Rand, m+m%2, "")
	out := map[string]float64{"algorithm": e}
	if n <= 3000 {
		for name := range kernels(d) {
			out[name] = p.regress(tuned(name, d, v.Int("p")), latent.WithBias)
		}
		out["metric"] = p.regress(rkhs.NeuralTangent(), learnedMetric(net.W))
	}
	return out, nil
}

// needRunnable bounds the cost of Algorithm 1.
func needRunnable(t *props.Trial, n, m int) {
	work := float64(n) * float64(m) * float64(m)
	t.Need(work <= 2e10, "n·m² = %.2g is more than can be run here; take at most 2·10¹⁰", work)
}

// drawLearning plots the errors of Algorithm 1 and of tuned kernels against n/d², up to the user's n, and up to 1000
// samples for kernels.
func drawLearning(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, degree, m := v.Int("d"), v.Int("p"), v.Int("m")
	algorithm := props.Curve{Name: "Algorithm 1", Style: props.Points}
	bound := props.Curve{Name: "bound for kernels", Style: props.Dashed}
	curves := []props.Curve{{Name: "tangent", Style: props.Points}, {Name: "features", Style: props.Points},
		{Name: "polynomial", Style: props.Points}, {Name: "gaussian", Style: props.Points}}
	for _, n := range halvings(v.Int("n"), 5) {
		p, x := newProblem(t.Rand, target.Mixed(degree), n, d, 800), float64(n)/float64(d*d)
		e, _ := p.learn(t.Rand, m+m%2, "")
		algorithm.Add(x, e)
		if b := kernelsAtBest(d, degree, n); b > negligibleBound {
			bound.Add(x, b)
		}
		for i := range curves {
			if n <= 1000 {
				curves[i].Add(x, p.regress(tuned(curves[i].Name, d, degree), latent.WithBias))
			}
		}
	}
	return []props.Figure{{ID: "errors", Title: "Algorithm 1 and tuned kernels",
		Caption: fmt.Sprintf("Squared error against n/d² on logarithmic axes at d = %d, a data set for each point. No "+
			"kernel method is below the dashed line in the mean over directions.", d),
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "squared error", Log: true},
		Curves: append([]props.Curve{algorithm, bound}, curves...)}}, nil
}

// tuned returns the named kernel; the polynomial kernel has the degree of the target.
func tuned(name string, d, degree int) rkhs.Kernel {
	if name == "polynomial" {
		return rkhs.Polynomial(degree, float64(d))
	}
	return kernels(d)[name]
}

// halvings returns n and its first count−1 halvings that are at least 2, in ascending order.
func halvings(n, count int) []int {
	var out []int
	for k := count - 1; k >= 0; k-- {
		if n>>k >= 2 {
			out = append(out, n>>k)
		}
	}
	return out
}
