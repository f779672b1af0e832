package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	gonumstat "gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// alignment trains networks on one data set each from small and from large weights.
var alignment = props.Spec{
	Statement: &theory.Alignment,
	Checks: []props.Check{
		props.Grid[int, trainedPair, struct{}]{
			Name:     "alignment after training",
			Cells:    props.Scale{Quick: 150, Standard: 150, Deep: 400}.Indices,
			Measure:  func(t *props.Trial, index int) trainedPair { return trainPair(t, index, 400) },
			Conclude: concludeAlignment,
			Controls: []props.WrongCell[int, trainedPair, struct{}]{
				{Name: "a large start in place of the small one", Assumption: "small-start",
					Criterion: "cosine: share of the distance that a small start closes",
					Alter:     func(_ int, a *trainedPair) { a.SmallBefore, a.SmallAfter = a.LargeBefore, a.LargeAfter }},
				{Name: "the ends of the two starts exchanged",
					Criterion: "correlation in the end, small minus large start",
					Alter:     func(_ int, a *trainedPair) { a.SmallAfter, a.LargeAfter = a.LargeAfter, a.SmallAfter }},
				{Name: "the ends of the two starts exchanged, by the cosine",
					Criterion: "cosine in the end, small minus large start", As: "the ends of the two starts exchanged"},
				{Name: "networks that are not trained", Assumption: "trained",
					Criterion: "correlation: share of the distance that a small start closes",
					Measure:   func(t *props.Trial, index int) trainedPair { return trainPair(t, index, 0) }},
			},
			Replicates: 1,
			Coarse: map[string]string{"cosine: share of the distance that a small start closes": halfClaimed,
				"correlation: share of the distance that a small start closes": halfClaimed},
			Chosen: map[string][]string{"bound": {
				"cosine: share of the distance that a small start closes",
				"correlation: share of the distance that a small start closes",
				"cosine in the end, small minus large start", "correlation in the end, small minus large start"}},
		},
	},
}.Claim()

// halfClaimed says why the effect on a distance is not resolved to half of itself.
const halfClaimed = "nine tenths of the distance are closed, and as half is claimed, nothing smaller would do"

// aligned is how nearly WᵀW is proportional to AGOP: 1 by either measure if it is.
type aligned struct{ Cosine, Correlation float64 }

// trainedPair is one network before and after training, from two starts. At quick effort a few of the pairs have no
// small start: the control from large weights, of which 7 % close more than half, needs more networks than the claim.
type trainedPair struct{ SmallBefore, SmallAfter, LargeBefore, LargeAfter aligned }

// quickPairs have a small start at quick effort. Of 400 pairs, ten ended less than 0.04 apart: with 96, an interval is
// undecided with a probability below 10⁻⁹ at 3.5 % of such pairs.
const quickPairs = 96

// measures are the two ways to read an alignment.
var measures = []struct {
	name string
	of   func(aligned) float64
}{
	{"cosine", func(a aligned) float64 { return a.Cosine }},
	{"correlation", func(a aligned) float64 { return a.Correlation }},
}

// closed is the share of the distance from 1 at the start that training closes.
func closed(before, after float64) float64 { return 1 - (1-after)/(1-before) }

// logLeft are the logarithms of what is left of distances of which these shares were closed.
func logLeft(shares []float64) []float64 {
	return list.Map(shares, func(share float64) float64 { return math.Log1p(-share) })
}

// concludeAlignment holds medians, by their exact intervals, to a share of more than ½ and a difference of more than
// 0.04.
func concludeAlignment(r *props.Record, _ []int, all []trainedPair, _ struct{}) {
	for _, m := range measures {
		var small, large, apart []float64
		points := []props.Curve{{Name: "small start", Style: props.Points}, {Name: "large start", Style: props.Points}}
		for _, a := range all {
			large = append(large, closed(m.of(a.LargeBefore), m.of(a.LargeAfter)))
			points[1].Add(m.of(a.LargeBefore), m.of(a.LargeAfter))
			if a.SmallBefore == (aligned{}) { // not trained
				continue
			}
			small = append(small, closed(m.of(a.SmallBefore), m.of(a.SmallAfter)))
			apart = append(apart, m.of(a.SmallAfter)-m.of(a.LargeAfter))
			points[0].Add(m.of(a.SmallBefore), m.of(a.SmallAfter))
		}
		closes, ends := stat.Median(small, stat.CriterionAlpha), stat.Median(apart, stat.CriterionAlpha)
		left := stat.Median(logLeft(small), stat.CriterionAlpha)
		r.Effect(m.name+": share of the distance that a small start closes", left, 0, math.Log(0.5))
		r.Effect(m.name+" in the end, small minus large start", ends, 0, 0.04)
		r.Largest(m.name+": median share of the distance that a small start closes", closes.Estimate)
		r.Largest(m.name+": median share of the distance that a large start closes", stat.Median(large,
			stat.CriterionAlpha).Estimate)
		r.Largest(m.name+": median difference in the end, small minus large start", ends.Estimate)
		r.Figure(props.Figure{
			ID:    "trained-" + m.name,
			Title: "WᵀW against AGOP after training: " + m.name,
			Caption: "For two-layer GELU networks on the target x₁x₂ + x₁/2, the " + m.name + " of WᵀW and AGOP " +
				"after training against that at the start: networks from small weights rise towards one, networks " +
				"from large weights stay about where they were.",
			X: props.Axis{Label: m.name + " at the start"}, Y: props.Axis{Label: m.name + " after training"},
			Curves: points,
		})
	}
}

// trainPair takes so many steps with both networks of one cell on their common data, from multiples of the same
// weights.
func trainPair(t *props.Trial, index, steps int) (a trainedPair) {
	const d, size = 10, 128
	x := gen.Gaussian(t.Stream("data"), size, d, 1)
	y := mat.NewDense(size, 1, nil)
	for i := range size {
		y.Set(i, 0, x.At(i, 0)*x.At(i, 1)+x.At(i, 0)/2)
	}
	if t.Effort != props.Quick || index < quickPairs {
		a.SmallBefore, a.SmallAfter = alignTrained(t.Stream("start"), 0.2, x, y, steps)
	}
	a.LargeBefore, a.LargeAfter = alignTrained(t.Stream("start"), 3.5, x, y, steps)
	return a
}

// alignTrained takes full-batch steps of 0.25 on the mean squared loss from weights of the given size times their usual
// one.
func alignTrained(r *rand.Rand, scale float64, x, y *mat.Dense, steps int) (before, after aligned) {
	const width, rate = 8, 0.25
	_, d := x.Dims()
	model := nn.NewDenseModel(r, []int{d, width, 1}, nn.GELU, nn.Squared)
	for _, s := range model.Stages {
		s.W.Scale(scale, s.W)
		clear(s.B)
	}
	before = alignTo(model, x)
	var trace nn.Trace
	grads := weightsLike(model)
	for range steps {
		model.Backprop(&trace, x, y)
		descend(model, &trace, grads, rate)
	}
	if after = alignTo(model, x); math.IsNaN(after.Cosine + after.Correlation) { // it diverged, and got nowhere
		after = before
	}
	return before, after
}

// weightsLike are matrices of the shapes of the weights.
func weightsLike(model *nn.Model) []*mat.Dense {
	return list.Map(model.Stages, func(s nn.Stage) *mat.Dense {
		rows, cols := s.W.Dims()
		return mat.NewDense(rows, cols, nil)
	})
}

// descend takes a step of all weights along the gradients of a trace, which it leaves in grads, times the rate.
func descend(model *nn.Model, trace *nn.Trace, grads []*mat.Dense, rate float64) {
	for l, grad := range grads {
		w := model.Stages[l].W
		trace.Views[l].WeightGrad(grad)
		grad.Scale(rate, grad)
		w.Sub(w, grad)
	}
}

// alignTo compares the entries of WᵀW with those of AGOP, in the first layer of a network with one output.
func alignTo(model *nn.Model, x *mat.Dense) aligned {
	agop := inputAGOP(model, x)
	gram := algebra.Product(model.Stages[0].W.T(), model.Stages[0].W)
	a, b := gram.RawMatrix().Data, agop.RawMatrix().Data
	return aligned{floats.Dot(a, b) / (floats.Norm(a, 2) * floats.Norm(b, 2)), gonumstat.Correlation(a, b, nil)}
}

// inputAGOP is N times the average gradient outer product of a network with one output in its inputs. Targets N below
// the outputs make the gradient of the mean squared loss at the output 1 on every sample.
func inputAGOP(model *nn.Model, x *mat.Dense) *mat.Dense {
	size, _ := x.Dims()
	y := model.Predict(x)
	y.Apply(func(_, _ int, f float64) float64 { return f - float64(size) }, y)
	var trace nn.Trace
	model.Backprop(&trace, x, y)
	jacobians := trace.Views[0].InputGrad()
	return algebra.Product(jacobians.T(), jacobians)
}
