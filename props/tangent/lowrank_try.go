package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/pictures"
	"github.com/thm-suite/thm/theory"
)

// tryLowRank solves a diagonal problem, and draws matrix sensing.
var tryLowRank = &props.Simulation{
	Run: func(_ *props.Trial, v theory.Values) (map[string]float64, error) {
		a := v.Float("a")
		low := a * v.Float("ratio")
		return map[string]float64{"optimum": observed(a, low), "merged": observed(math.Hypot(a, low), 0)}, nil
	},
	Draw: drawLowRank,
}

// drawn is a problem of matrix sensing for figures: 15 Gaussian measurements of a 5×5 matrix with two singular values.
type drawn struct {
	features, truth *mat.Dense
	labels          []float64
}

func newDrawn(t *props.Trial, ratio float64) drawn {
	const n = 15
	d := drawn{features: gen.Gaussian(t.Rand, n, sensingSize*sensingSize, 1)}
	left, right := gen.Orthonormal(t.Rand, sensingSize, 2), gen.Orthonormal(t.Rand, sensingSize, 2)
	d.truth = algebra.Product(algebra.Product(left, mat.NewDiagDense(2, []float64{1, ratio})), right.T())
	flat := mat.NewVecDense(sensingSize*sensingSize, d.truth.RawMatrix().Data)
	d.labels = algebra.Image(d.features, flat).RawVector().Data
	return d
}

// layer is the problem for labels of scale a, with (z−1)² on one side or on both.
func (d drawn) layer(a float64, two bool) impl.Structured {
	square := impl.Square
	l := impl.StructuredLayer{Rows: sensingSize, Cols: sensingSize, Features: d.features, Left: &square}
	if two {
		l.Right = &square
	}
	return impl.Structured{Labels: floats.ScaleTo(make([]float64, len(d.labels)), a, d.labels),
		Layers: []impl.StructuredLayer{l}}
}

// found holds the result of descent: B over a, and the kernel of the measurements.
type found struct{ b, kernel *mat.Dense }

func (d drawn) solve(a float64, two bool) found {
	s := d.layer(a, two)
	solution := must.Get(s.Descend(1000, 1e-7*a))
	b := solution.Products()[0]
	b.Scale(1/a, b)
	return found{b, s.Kernel(solution.Factors)}
}

// drawLowRank draws what measurements of a matrix, with two singular values in the ratio of the user's, give back at
// the scale of the user's; the kernels; and stable rank and alignment over the scale.
func drawLowRank(t *props.Trial, v theory.Values) ([]props.Figure, error) {
	d, a := newDrawn(t, v.Float("ratio")), v.Float("a")
	one, two, fixed := d.solve(a, false), d.solve(a, true), must.Get(d.layer(1, false).MinFrobenius())
	before := algebra.Product(d.features, d.features.T())
	return append([]props.Figure{
		{ID: "matrices", Title: "A matrix from 15 of its measurements",
			Caption: fmt.Sprintf("The matrix that was measured, that of least Frobenius norm with the same measurements, and "+
				"what (z−1)² on one side and on both gives back at labels of scale %.3g, divided by the scale.", a),
			X: props.Axis{Label: "column"}, Y: props.Axis{Label: "row"}, Z: props.Axis{Label: "entry"},
			Curves: []props.Curve{props.HeatMap("measured", d.truth), props.HeatMap("least norm", fixed[0]),
				props.HeatMap("one side", one.b), props.HeatMap("both sides", two.b)}},
		pictures.Kernels(fmt.Sprintf("Kernel of the 15 measurements in the order of their labels, before and after it "+
			"adapts to labels of scale %.3g with (z−1)² on one side and on both.", a), d.labels,
			pictures.Kernel{Name: "before", K: before}, pictures.Kernel{Name: "one side", K: one.kernel},
			pictures.Kernel{Name: "both sides", K: two.kernel}),
		pictures.Spectra("spectra", "Singular values", "Singular values of the four matrices.", "singular value", false,
			pictures.Spectrum{Name: "measured", Values: singularValues(d.truth)},
			pictures.Spectrum{Name: "least norm", Values: singularValues(fixed[0])},
			pictures.Spectrum{Name: "one side", Values: singularValues(one.b)},
			pictures.Spectrum{Name: "both sides", Values: singularValues(two.b)})},
		d.overScales(stableRank(fixed[0]), before)...), nil
}

// overScales has stable rank and alignment over the scale of the labels.
func (d drawn) overScales(shortest float64, before *mat.Dense) []props.Figure {
	x := props.Axis{Label: "scale of the labels", Log: true}
	ranks := props.Figure{ID: "stable-rank", Title: "Stable rank over the scale of the labels", X: x,
		Y: props.Axis{Label: "stable rank"},
		Caption: "Stable rank of the solution of the same measurements against the scale of the labels, from that of the " +
			"matrix of least Frobenius norm on. Larger labels lower it, until the solution is the matrix that was measured or " +
			"another one that explains the measurements as cheaply."}
	aligned := props.Figure{ID: "alignment", Title: "Alignment over the scale of the labels", X: x,
		Y:       props.Axis{Label: "alignment"},
		Caption: "Alignment of the kernel of the measurements with their labels against the scale of the labels."}
	scales := list.Fill(13, func(i int) float64 { return 0.01 * math.Pow(1e4, float64(i)/12) })
	for _, two := range []bool{false, true} {
		rank := props.Curve{Name: map[bool]string{false: "one side", true: "both sides"}[two], Style: props.Line}
		alignment := rank
		for _, a := range scales {
			at := d.solve(a, two)
			rank.Add(a, stableRank(at.b))
			alignment.Add(a, impl.Alignment(at.kernel, d.labels))
		}
		ranks.Curves, aligned.Curves = append(ranks.Curves, rank), append(aligned.Curves, alignment)
	}
	level := func(name string, y float64) props.Curve {
		x := []float64{scales[0], scales[len(scales)-1]}
		return props.Curve{Name: name, Style: props.Dashed, X: x, Y: []float64{y, y}}
	}
	ranks.Curves = append(ranks.Curves, level("measured matrix", stableRank(d.truth)), level("least norm", shortest))
	aligned.Curves = append(aligned.Curves, level("before", impl.Alignment(before, d.labels)))
	return []props.Figure{ranks, aligned}
}
