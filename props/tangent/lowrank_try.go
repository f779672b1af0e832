package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/pictures"
	statements "github.com/thm-suite/thm/theory"
)

// tryLowRank solves a diagonal problem, and draws matrix sensing.
var tryLowRank = &props.Simulation{
	Run: func(_ *props.Trial, v statements.Values) (map[string]float64, error) {
		a := v.Float("a")
		low := a * v.Float("ratio")
		both, err := observed(a, low)
		if err != nil {
			return nil, err
		}
		one, err := observed(math.Hypot(a, low), 0)
		return map[string]float64{"optimum": both, "merged": one}, err
	},
	Draw: drawLowRank,
}

// drawLowRank draws what 15 Gaussian measurements of a 5×5 matrix give back at the scale of a user's, and the stable
// rank over the scale. The matrix has two singular values in the ratio of the user's.
func drawLowRank(t *props.Trial, v statements.Values) ([]props.Figure, error) {
	const n = 15
	features := gen.Gaussian(t.Rand, n, sensingSize*sensingSize, 1)
	left, right := gen.Orthonormal(t.Rand, sensingSize, 2), gen.Orthonormal(t.Rand, sensingSize, 2)
	truth := gram(gram(left, mat.NewDiagDense(2, []float64{1, v.Float("ratio")})), right.T())
	y := gram(features, mat.NewDense(sensingSize*sensingSize, 1, truth.RawMatrix().Data)).RawMatrix().Data
	square := impl.Square
	solve := func(a float64, two bool) (*mat.Dense, error) {
		s := impl.Structured{Labels: floats.ScaleTo(make([]float64, n), a, y), Layers: []impl.StructuredLayer{
			{Rows: sensingSize, Cols: sensingSize, Features: features, Left: &square}}}
		if two {
			s.Layers[0].Right = &square
		}
		found, err := s.Descend(1000, 1e-7*a)
		if err != nil {
			return nil, err
		}
		b := found.Products()[0]
		b.Scale(1/a, b)
		return b, nil
	}
	a := v.Float("a")
	one, err := solve(a, false)
	if err != nil {
		return nil, err
	}
	two, err := solve(a, true)
	if err != nil {
		return nil, err
	}
	fixed, err := impl.Structured{Labels: y, Layers: []impl.StructuredLayer{{Rows: sensingSize, Cols: sensingSize,
		Features: features}}}.MinFrobenius()
	if err != nil {
		return nil, err
	}
	ranks, err := rankFigure(solve)
	return []props.Figure{
		{ID: "matrices", Title: "A matrix from 15 of its measurements",
			Caption: fmt.Sprintf("The matrix that was measured, that of least Frobenius norm with the same measurements, and "+
				"what (z−1)² on one side and on both gives back at labels of scale %.3g, divided by the scale.", a),
			X: props.Axis{Label: "column"}, Y: props.Axis{Label: "row"}, Z: props.Axis{Label: "entry"},
			Curves: []props.Curve{props.HeatMap("measured", truth), props.HeatMap("least norm", fixed[0]),
				props.HeatMap("one side", one), props.HeatMap("both sides", two)}},
		pictures.Spectra("spectra", "Singular values", "Singular values of the same four matrices.", "singular value", false,
			pictures.Spectrum{Name: "measured", Values: singularValues(truth)},
			pictures.Spectrum{Name: "least norm", Values: singularValues(fixed[0])},
			pictures.Spectrum{Name: "one side", Values: singularValues(one)},
			pictures.Spectrum{Name: "both sides", Values: singularValues(two)}),
		ranks}, err
}

// rankFigure has the stable rank over the scale of the labels.
func rankFigure(solve func(a float64, two bool) (*mat.Dense, error)) (props.Figure, error) {
	f := props.Figure{ID: "stable-rank", Title: "Stable rank over the scale of the labels",
		Caption: "Stable rank of the solution of the same measurements against the scale of the labels.",
		X:       props.Axis{Label: "scale of the labels", Log: true}, Y: props.Axis{Label: "stable rank"}}
	for _, two := range []bool{false, true} {
		c := props.Curve{Name: map[bool]string{false: "one side", true: "both sides"}[two], Style: props.Line}
		for i := range 13 {
			a := 0.01 * math.Pow(1e4, float64(i)/12)
			b, err := solve(a, two)
			if err != nil {
				return f, err
			}
			c.X, c.Y = append(c.X, a), append(c.Y, stableRank(b))
		}
		f.Curves = append(f.Curves, c)
	}
	return f, nil
}
