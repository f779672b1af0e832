package vcl

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	gonumstat "gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
)

// aligned is how nearly WᵀW is proportional to AGOP: 1 by either measure if it is. The cosine is the larger of the two in general, because
// it counts the positive diagonals that any two Gram matrices share.
type aligned struct{ Cosine, Correlation float64 }

// alignment is one network before and after training, from two starts.
type alignment struct{ smallBefore, smallAfter, largeBefore, largeAfter aligned }

// measures are the two ways to read an alignment.
var measures = []struct {
	name string
	of   func(aligned) float64
}{
	{"cosine", func(a aligned) float64 { return a.Cosine }},
	{"correlation", func(a aligned) float64 { return a.Correlation }},
}

// ansatzTrained compares networks on one data set that start from small and from large weights. The statement claims signs of means only.
// What is averaged lies below 2, so that its mean is positive if it lies in 1 ± 1.
func ansatzTrained(v ansatzTrial) props.LegacyCheck {
	return props.LegacySweep[int, alignment]{
		Name:  "alignment after training",
		Share: "trainings",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 30, Standard: 40, Deep: 200}.At(e))
		},
		Measure:    func(t *props.Trial, _ int) alignment { return trainPair(t) },
		Judge:      func(_ []int, all []alignment) props.Judgement { return v.judgeTrained(all) },
		Replicates: 1,
	}.Check()
}

// seen is the alignment as the version on trial has it.
func (v ansatzTrial) seen(a alignment) alignment {
	if v.untrained {
		a.smallAfter, a.largeAfter = a.smallBefore, a.largeBefore
	}
	if v.largeStart {
		a.smallBefore, a.smallAfter = a.largeBefore, a.largeAfter
	}
	if v.exchanged {
		a.smallAfter, a.largeAfter = a.largeAfter, a.smallAfter
	}
	return a
}

func (v ansatzTrial) judgeTrained(all []alignment) props.Judgement {
	var j props.Judgement
	for _, m := range measures {
		small, large, apart := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
		points := []props.Curve{{Name: "small start", Style: props.Points}, {Name: "large start", Style: props.Points}}
		for i, a := range all {
			a = v.seen(a)
			small[i] = beyondHalf(m.of(a.smallBefore), m.of(a.smallAfter))
			large[i] = beyondHalf(m.of(a.largeBefore), m.of(a.largeAfter))
			apart[i] = m.of(a.smallAfter) - m.of(a.largeAfter)
			points[0].X, points[0].Y = append(points[0].X, m.of(a.smallBefore)), append(points[0].Y, m.of(a.smallAfter))
			points[1].X, points[1].Y = append(points[1].X, m.of(a.largeBefore)), append(points[1].Y, m.of(a.largeAfter))
		}
		closes, ends := stat.Mean(small, stat.PartAlpha), stat.Mean(apart, stat.PartAlpha)
		j.Parts = append(j.Parts,
			props.Equality(m.name+": a small start closes more than half of the distance", closes, 1, 1),
			props.Equality(m.name+": a small start ends closer to proportionality", ends, 1, 1))
		j.Facts = append(j.Facts,
			observed(m.name+": half of the distance at a small start, minus that in the end", closes),
			observed(m.name+": half of the distance at a large start, minus that in the end", stat.Mean(large, stat.PartAlpha)),
			observed(m.name+" in the end, small minus large start", ends))
		j.Counterexample += fmt.Sprintf("%s: half of the distance at the start minus that in the end %.3g on average, small minus large start %.3g\n", m.name, closes.Estimate, ends.Estimate)
		j.Figures = append(j.Figures, props.Figure{
			ID:    "trained-" + m.name,
			Title: "WᵀW against AGOP after training: " + m.name,
			Caption: "For two-layer GELU networks on the target x₁x₂ + x₁/2, the " + m.name + " of WᵀW and AGOP after training against that at the start: " +
				"networks from small weights rise towards one, networks from large weights stay about where they were.",
			X: props.Axis{Label: m.name + " at the start"}, Y: props.Axis{Label: m.name + " after training"}, Curves: points,
		})
	}
	return j
}

// observed is a fact that the claim puts no number to.
func observed(name string, iv stat.Interval) props.Fact {
	lo, hi := props.Number(iv.Lo), props.Number(iv.Hi)
	return props.Fact{Name: name, Value: props.Number(iv.Estimate), Lo: &lo, Hi: &hi}
}

// beyondHalf is half of the distance from 1 at the start minus the distance in the end: positive if training closed more than half of it.
func beyondHalf(before, after float64) float64 { return (1-before)/2 - (1 - after) }

// trainPair trains both networks of one cell on their common data, from multiples of the same weights.
func trainPair(t *props.Trial) alignment {
	const d, size = 10, 160
	x := gen.Gaussian(t.Stream("data"), size, d, 1)
	y := mat.NewDense(size, 1, nil)
	for i := range size {
		y.Set(i, 0, x.At(i, 0)*x.At(i, 1)+x.At(i, 0)/2)
	}
	const small, large = 0.2, 4
	var a alignment
	a.smallBefore, a.smallAfter = alignTrained(t.Stream("start"), small, x, y)
	a.largeBefore, a.largeAfter = alignTrained(t.Stream("start"), large, x, y)
	return a
}

// alignTrained takes 400 full-batch steps of 0.15 on the mean squared loss from weights of the given size times their
// usual one.
func alignTrained(r *rand.Rand, scale float64, x, y *mat.Dense) (before, after aligned) {
	const width, step = 12, 0.15
	_, d := x.Dims()
	model := nn.NewDenseModel(r, []int{d, width, 1}, nn.GELU, nn.Squared)
	for _, s := range model.Stages {
		s.W.Scale(scale, s.W)
		clear(s.B)
	}
	before = alignTo(model, x)
	var trace nn.Trace
	var grad mat.Dense
	for range 400 {
		model.Backprop(&trace, x, y)
		for l := range model.Stages {
			w := model.Stages[l].W
			grad.Reset()
			grad.CloneFrom(w)
			trace.Views[l].WeightGrad(&grad)
			grad.Scale(step, &grad)
			w.Sub(w, &grad)
		}
	}
	return before, alignTo(model, x)
}

// alignTo compares the entries of WᵀW with those of AGOP, in the first layer of a network with one output. Targets one below the outputs
// make the gradient of the summed squared loss at the output 1 on every sample.
func alignTo(model *nn.Model, x *mat.Dense) aligned {
	size, _ := x.Dims()
	y := model.Predict(x)
	y.Apply(func(_, _ int, f float64) float64 { return f - float64(size) }, y)
	var trace nn.Trace
	model.Backprop(&trace, x, y)
	var gram, agop mat.Dense
	jacobians := trace.Views[0].InputGrad()
	agop.Mul(jacobians.T(), jacobians)
	gram.Mul(model.Stages[0].W.T(), model.Stages[0].W)
	a, b := gram.RawMatrix().Data, agop.RawMatrix().Data
	return aligned{floats.Dot(a, b) / (floats.Norm(a, 2) * floats.Norm(b, 2)), gonumstat.Correlation(a, b, nil)}
}
