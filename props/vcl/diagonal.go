package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	gonumstat "gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/nn"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// diagonal trains networks and adds up the shifts of the virtual covariance on the way.
var diagonal = props.Spec{
	Statement: &theory.Diagonal,
	Checks: []props.Check{
		props.Grid[int, diagonals, struct{}]{
			Name:     "diagonals after training",
			Cells:    props.Scale{Quick: 80, Standard: 130, Deep: 400}.Indices,
			Measure:  func(t *props.Trial, _ int) diagonals { return trainDiagonals(t, 1) },
			Conclude: concludeDiagonals,
			Controls: []props.WrongCell[int, diagonals, struct{}]{
				{Name: "the weights before training", Assumption: "trained", Criterion: withShift,
					Alter: func(_ int, d *diagonals) { d.Gram = d.Start }},
				{Name: "weights of four times the size at the start", Assumption: "small-start", Criterion: withShift,
					Measure: func(t *props.Trial, _ int) diagonals { return trainDiagonals(t, 4) }, On: props.First(100)},
				{Name: "shifts of the opposite sign", Criterion: withShift,
					Alter: func(_ int, d *diagonals) {
						d.Shift = floats.ScaleTo(make([]float64, len(d.Shift)), -1, d.Shift)
					}},
				{Name: "AGOP in place of the shift", Criterion: closedByShift,
					Alter: func(_ int, d *diagonals) { d.Shift = d.AGOP }},
			},
			Replicates: 1,
			Tries:      64,
			Coarse:     map[string]string{closedByShift: halfClaimed},
			Chosen:     map[string][]string{"bound": {withShift, closedByShift}},
		},
	},
}.Claim()

const (
	withShift     = "correlation with the accumulated shift"
	closedByShift = "share of AGOP's distance from one that the shift closes"
)

// diagonals holds the diagonals of the first layer's matrices.
type diagonals struct{ Start, Gram, Shift, AGOP []float64 }

func concludeDiagonals(r *props.Record, _ []int, all []diagonals, _ struct{}) {
	shift, share, other := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
	points := props.Curve{Name: "networks", Style: props.Points}
	for i, d := range all {
		byShift, byAGOP := gonumstat.Correlation(d.Gram, d.Shift, nil), gonumstat.Correlation(d.Gram, d.AGOP, nil)
		shift[i], share[i] = byShift, closed(byAGOP, byShift)
		other[i] = gonumstat.Correlation(d.Gram, all[(i+1)%len(all)].Shift, nil)
		points.Add(byAGOP, byShift)
	}
	near, more := stat.Median(shift, stat.CriterionAlpha), stat.Median(share, stat.CriterionAlpha)
	r.EqualsAbsolutely(withShift, near, 1, 0.03)
	r.Effect(closedByShift, stat.Median(logLeft(share), stat.CriterionAlpha), 0, math.Log(0.5))
	r.Largest("median correlation of WᵀW with the accumulated shift", near.Estimate)
	r.Largest("median share of AGOP's distance from one that the shift closes", more.Estimate)
	r.Largest("median correlation of WᵀW with the shift of another of the networks", stat.Median(other,
		stat.CriterionAlpha).Estimate)
	r.Figure(props.Figure{
		ID:    "diagonals",
		Title: "The diagonal of WᵀW, against the accumulated shift and against AGOP",
		Caption: "Correlation of the diagonals of WᵀW and of the accumulated virtual covariance shift, against that " +
			"of WᵀW and AGOP, one point for each trained network: the former is close to one, the latter scatters.",
		X: props.Axis{Label: "correlation with AGOP"}, Y: props.Axis{Label: "correlation with the accumulated shift"},
		Curves: []props.Curve{points},
	})
}

// trainDiagonals trains one network whose weights start at so many times the usual size. Coordinates have standard
// deviations 4^(−½) … 4^½, in an order that leaves x₁ and x₂ ordinary ones. Large weights diverge now and then, and are
// trained again with more and smaller steps.
func trainDiagonals(t *props.Trial, size float64) diagonals {
	const dim, samples, width = 10, 128, 16
	x := gen.Gaussian(t.Rand, samples, dim, 1)
	x.Apply(func(_, j int, z float64) float64 { return z * math.Pow(4, float64(j*7%10)/9-0.5) }, x)
	y := mat.NewDense(samples, 1, nil)
	for i := range samples {
		y.Set(i, 0, x.At(i, 0)*x.At(i, 1)+x.At(i, 0)/2)
	}
	model := nn.NewDenseModel(t.Rand, []int{dim, width, 1}, nn.GELU, nn.Squared)
	var start []*mat.Dense
	for _, s := range model.Stages {
		s.W.Scale(size, s.W)
		start = append(start, mat.DenseCopyOf(s.W))
	}
	for rate, steps := 0.2, 200; ; rate, steps = rate/2, 2*steps {
		for l, s := range model.Stages {
			s.W.Copy(start[l])
			clear(s.B)
		}
		if out, ok := followDiagonals(model, x, y, rate, steps); ok {
			return out
		}
	}
}

// followDiagonals trains the network and adds up the shifts on the way. It reports whether training did not diverge.
func followDiagonals(model *nn.Model, x, y *mat.Dense, rate float64, steps int) (diagonals, bool) {
	_, dim := x.Dims()
	out := diagonals{Start: entries(dense.Gram(model.Stages[0].W.T()))}
	sum, columns, grads := mat.NewDense(dim, dim, nil), mat.DenseCopyOf(x.T()), weightsLike(model)
	var trace nn.Trace
	for range steps {
		model.Backprop(&trace, x, y)
		v := &trace.Views[0]
		sum.Add(sum, routes.Problem{W: v.Stage.W, Gamma: mat.DenseCopyOf(v.PreGrad.T()), H: columns, Rate: rate}.Shift())
		if total := floats.Sum(entries(sum)); math.IsNaN(total) || math.IsInf(total, 0) {
			return out, false
		}
		descend(model, &trace, grads, rate)
	}
	out.Gram = entries(dense.Gram(model.Stages[0].W.T()))
	out.Shift, out.AGOP = entries(sum), entries(inputAGOP(model, x))
	return out, true
}

// entries returns the entries of the diagonal.
func entries(a *mat.Dense) []float64 {
	n, _ := a.Dims()
	return list.Fill(n, func(i int) float64 { return a.At(i, i) })
}
