package vcl

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
)

// alignment is the cosine between WᵀW and AGOP of one network before and after training, from two starts.
type alignment struct{ smallBefore, smallAfter, largeBefore, largeAfter float64 }

// ansatzTrained compares networks on one data set that start from small and from large weights. The statement claims a direction
// only. Cosines of positive semidefinite matrices lie in [0, 1], so that their difference is positive if it lies in 1 ± 1.
func ansatzTrained(v ansatzTrial) props.Check {
	return props.Sweep[int, alignment]{
		Name:  "alignment after training",
		Share: "trainings",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 30, Standard: 40, Deep: 200}.At(e))
		},
		Measure: func(t *props.Trial, _ int) alignment { return trainPair(t) },
		Judge: func(_ []int, all []alignment) props.Judgement {
			small, large := make([]float64, len(all)), make([]float64, len(all))
			points := []props.Curve{{Name: "small start", Style: props.Points}, {Name: "large start", Style: props.Points}}
			for i, a := range all {
				small[i], large[i] = a.smallAfter, a.largeAfter
				points[0].X, points[0].Y = append(points[0].X, a.smallBefore), append(points[0].Y, a.smallAfter)
				points[1].X, points[1].Y = append(points[1].X, a.largeBefore), append(points[1].Y, a.largeAfter)
			}
			if v.exchanged {
				small, large = large, small
			}
			gap := stat.Paired(small, large, stat.PartAlpha)
			lo, hi := props.Number(gap.Lo), props.Number(gap.Hi)
			return props.Judgement{
				Parts: []props.Part{
					props.Equality("a small start ends closer to proportionality", gap, 1, 1),
				},
				Facts: []props.Fact{
					{Name: "least final cosine from a small start", Value: props.Number(slices.Min(small))},
					{Name: "mean final cosine, small minus large start", Value: props.Number(gap.Estimate), Lo: &lo, Hi: &hi},
				},
				Figures: []props.Figure{{
					ID:    "trained",
					Title: "Cosine between WᵀW and AGOP",
					Caption: "For two-layer GELU networks on the target x₁x₂ + x₁/2, the cosine after training against that at the start: networks from " +
						"small weights end nearer to one than networks from large weights.",
					X: props.Axis{Label: "cosine at the start"}, Y: props.Axis{Label: "cosine after training"}, Curves: points,
				}},
			}
		},
		Replicates: 1,
	}.Check()
}

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
func alignTrained(r *rand.Rand, scale float64, x, y *mat.Dense) (before, after float64) {
	const width, step = 12, 0.15
	_, d := x.Dims()
	model := nn.NewDenseModel(r, []int{d, width, 1}, nn.GELU, nn.Squared)
	for _, s := range model.Stages {
		s.W.Scale(scale, s.W)
		clear(s.B)
	}
	before = cosineToAGOP(model, x)
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
	return before, cosineToAGOP(model, x)
}

// cosineToAGOP is ⟨WᵀW, AGOP⟩/(‖WᵀW‖‖AGOP‖) of the first layer of a network with one output. Targets one below the outputs
// make the gradient of the summed squared loss at the output 1 on every sample.
func cosineToAGOP(model *nn.Model, x *mat.Dense) float64 {
	size, _ := x.Dims()
	y := model.Predict(x)
	y.Apply(func(_, _ int, f float64) float64 { return f - float64(size) }, y)
	var trace nn.Trace
	model.Backprop(&trace, x, y)
	var gram, agop, product mat.Dense
	jacobians := trace.Views[0].InputGrad()
	agop.Mul(jacobians.T(), jacobians)
	gram.Mul(model.Stages[0].W.T(), model.Stages[0].W)
	product.MulElem(&gram, &agop)
	return mat.Sum(&product) / (mat.Norm(&gram, 2) * mat.Norm(&agop, 2))
}
