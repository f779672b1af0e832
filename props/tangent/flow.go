package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// flow pairs the conservation laws with integrated gradient flow.
var flow = props.Spec{
	Statement: &theory.Flow,
	Checks: []props.Check{props.Drawn[flowed, conserved]{
		Name:    "conservation",
		Cases:   props.Scale{Quick: 24, Standard: 60, Deep: 10000},
		Regimes: []string{"wide", "square", "tall", "one measurement"},
		Draw:    func(t *props.T) flowed { return drawFlowed(t, impl.NewAdaptive) },
		Claim: conserved{theta: theory.Balanced,
			left:         func(theta *mat.Dense) *mat.Dense { return algebra.Product(theta, theta.T()) },
			proportional: math.Atan,
			cost:         func(_ flowed, l theory.Layer) float64 { return l.Optimum() }},
		Judge: judgeFlowed,
		Controls: []props.Wrong[flowed, conserved]{
			{Name: "A = 2I at the start", Assumption: "identity", Criterion: "AᵀA − I",
				Draw: func(t *props.T) flowed {
					return drawFlowed(t, func(m, k int) impl.Adaptive {
						start := impl.NewAdaptive(m, k)
						start.A.Scale(2, start.A)
						return start
					})
				}},
			{Name: "C that does not move", Assumption: "all-factors", Criterion: "CCᵀ − I",
				Draw: func(t *props.T) flowed {
					return drawFlowed(t, func(m, k int) impl.Adaptive {
						start := impl.NewAdaptive(m, k)
						start.FixedC = true
						return start
					})
				}},
			{Name: "A at half the rate", Assumption: "all-factors", Criterion: "AᵀA − I",
				Draw: func(t *props.T) flowed {
					return drawFlowed(t, func(m, k int) impl.Adaptive {
						start := impl.NewAdaptive(m, k)
						start.SlowA = true
						return start
					})
				}},
			{Name: "relations of the quadratic penalty", Criterion: "singular values of Θ",
				Instead: conserved{theta: quadraticTheta}},
			{Name: "AᵀA − I twice as large", Criterion: "AᵀA − I",
				Instead: conserved{left: func(theta *mat.Dense) *mat.Dense {
					twice := algebra.Product(theta, theta.T())
					twice.Scale(2, twice)
					return twice
				}}},
			{Name: "θⱼ in proportion to fⱼ", Criterion: "arctan θⱼ is in proportion to fⱼ", Draw: drawOneMeasurement,
				Instead: conserved{proportional: func(theta float64) float64 { return theta }}},
			{Name: "the least of the penalty among parameters that fit", Criterion: "cost of the factors, given B",
				Reading: "flow-minimises", Draw: drawFewMeasurements,
				Instead: conserved{cost: func(in flowed, _ theory.Layer) float64 { return in.Lowest * (1 + 1e-4) }}},
		},
		Replicates: 3,
	}},
	Along: &props.Along{
		Param: "sigma", From: 0.1, To: 30, Of: []string{"theta", "stretch"},
		Y: "singular values of Θ, and of A and C", Places: 7, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		// One entry with gradient −1 until B = σ: Θ = tan t, B = tan t/cos² t.
		sigma := v.Float("sigma")
		lo, hi := 0.0, math.Pi/2
		for range 60 {
			if mid := (lo + hi) / 2; math.Tan(mid)/math.Pow(math.Cos(mid), 2) < sigma {
				lo = mid
			} else {
				hi = mid
			}
		}
		down := func(*mat.Dense) *mat.Dense { return mat.NewDense(1, 1, []float64{-1}) }
		end := impl.NewAdaptive(1, 1).Flow(down, lo, 2000)
		return map[string]float64{"theta": end.Theta.At(0, 0), "stretch": end.A.At(0, 0)}, nil
	}},
}.Claim()

// conserved holds the claims about the factors at the end of the flow.
type conserved struct {
	left         func(theta *mat.Dense) *mat.Dense // AᵀA − I
	theta        func(sigma float64) float64       // singular value of Θ
	proportional func(theta float64) float64       // to the singular value of the only measurement
	cost         func(in flowed, l theory.Layer) float64
}

// quadraticTheta is the singular value of Θ under the quadratic penalty on both sides.
func quadraticTheta(sigma float64) float64 {
	return math.Sqrt(theory.Sum{{Family: theory.Quadratic, Factor: 1},
		{Family: theory.Quadratic, Factor: 1}}.Effective(sigma).Cost)
}

// flowed are the factors at the end of a flow, with two step sizes.
type flowed struct {
	Coarse, Fine impl.Sided
	Measured     []float64 // singular values of the only measurement; nil where there are several
	Lowest       float64   // of the penalty among parameters with the same measurements
}

// slopes are the derivatives of losses in the output f, for labels y.
var slopes = map[string]func(f, y float64) float64{
	"squared":  func(f, y float64) float64 { return f - y },
	"logistic": func(f, y float64) float64 { return -y / (1 + math.Exp(y*f)) },
	"log cosh": func(f, y float64) float64 { return math.Tanh(f - y) },
}

// drawFlowed draws a problem and flows from a start.
func drawFlowed(t *props.T, start func(m, k int) impl.Adaptive) flowed {
	r := t.Stream("entries")
	m, k, n := drawShape(t)
	in, _ := flowThrough(t, r, m, k, n, start)
	return in
}

// drawShape draws the shape of B and the number of measurements, which is 1 in a third of the draws.
func drawShape(t *props.T) (m, k, n int) {
	m, k = gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	n = gen.Dim(t.T, "n", m*k)
	if rapid.IntRange(0, 2).Draw(t.T, "one measurement") == 0 {
		n = 1
	}
	return m, k, n
}

// drawOneMeasurement draws one measurement, of several singular values.
func drawOneMeasurement(t *props.T) flowed {
	r := t.Stream("entries")
	drawShape(t)
	in, _ := flowThrough(t, r, 1+gen.Dim(t.T, "more rows", 3), 1+gen.Dim(t.T, "more columns", 3), 1, impl.NewAdaptive)
	return in
}

// drawFewMeasurements draws so few measurements that other parameters fit them as well.
func drawFewMeasurements(t *props.T) flowed {
	r := t.Stream("entries")
	drawShape(t)
	in, features := flowThrough(t, r, 4, 3, 5, impl.NewAdaptive)
	in.Lowest = in.lowest(features)
	return in
}

// flowThrough flows from a start for labels and n measurements of an m×k matrix.
func flowThrough(t *props.T, r *rand.Rand, m, k, n int, start func(m, k int) impl.Adaptive) (flowed, *mat.Dense) {
	features, y := gen.Gaussian(r, n, m*k, 1/math.Sqrt(float64(m*k))), gen.Gaussian(r, n, 1, 1)
	slope := slopes[rapid.SampledFrom([]string{"squared", "logistic", "log cosh"}).Draw(t.T, "loss")]
	labels, back := y.RawMatrix().Data, mat.NewDense(m, k, nil)
	gradient := func(b *mat.Dense) *mat.Dense {
		back.Zero()
		for i := range labels {
			f := features.RawRowView(i)
			floats.AddScaled(back.RawMatrix().Data, slope(floats.Dot(f, b.RawMatrix().Data), labels[i]), f)
		}
		return back
	}
	const time, steps = 2, 64
	from := start(m, k)
	in := flowed{Coarse: from.Flow(gradient, time, steps).Sided, Fine: from.Flow(gradient, time, 2*steps).Sided}
	if n == 1 {
		in.Measured = singularValues(mat.NewDense(m, k, features.RawRowView(0)))
	}
	return in, features
}

// lowest returns the cost of the cheapest parameters with the same measurements, as far as descent finds them: at least
// the minimum.
func (in flowed) lowest(features *mat.Dense) float64 {
	logDet := impl.LogDet
	n, _ := features.Dims()
	m, k := in.Fine.Theta.Dims()
	reached := mat.NewDense(n, 1, nil)
	reached.Mul(features, mat.NewDense(m*k, 1, in.Fine.Product().RawMatrix().Data))
	s := impl.Structured{Labels: reached.RawMatrix().Data,
		Layers: []impl.StructuredLayer{{Rows: m, Cols: k, Features: features, Left: &logDet, Right: &logDet}}}
	found := must.Get(s.Descend(40, 1e-3))
	return found.Cost
}

// cost returns the cost of the factors under log-det penalties on both sides.
func (in flowed) cost(f impl.Sided) float64 {
	logDet := impl.LogDet
	s := impl.Structured{Layers: []impl.StructuredLayer{{Left: &logDet, Right: &logDet}}}
	return s.Cost([]impl.Sided{f})
}

// judgeFlowed: the error of the finer steps is a fifteenth of what both differ by, to leading order; a quarter of it
// is allowed, twice in a square, and roundings of what is squared.
func judgeFlowed(r *props.Record, in flowed, c conserved) {
	f := in.Fine
	m, k := f.Theta.Dims()
	r.Regime(map[int]string{-1: "wide", 0: "square", 1: "tall"}[min(1, max(-1, m-k))])
	difference := 0.0
	for _, pair := range [][2]*mat.Dense{{in.Coarse.A, f.A}, {in.Coarse.Theta, f.Theta}, {in.Coarse.C, f.C}} {
		gap := algebra.Difference(pair[0], pair[1])
		difference = math.Hypot(difference, mat.Norm(gap, 2))
	}
	size := mat.Norm(f.A, 2) + mat.Norm(f.Theta, 2) + mat.Norm(f.C, 2)
	tolerance := size*difference/2 + 4000*r.Unit()*size*size
	left, right := excess(f.A.T(), f.A), excess(f.C, f.C.T())
	r.WithinMatrix("AᵀA − I", left, c.left(f.Theta), tolerance)
	r.WithinMatrix("CCᵀ − I", right, algebra.Product(f.Theta.T(), f.Theta), tolerance)

	b := f.Product()
	values, thetas := singularValues(b), singularValues(f.Theta)
	want := list.Map(values, func(sigma float64) float64 { return c.theta(sigma) })
	r.WithinVector("singular values of Θ", thetas, want, tolerance*size)
	if len(in.Measured) > 1 {
		r.Regime("one measurement")
		judgeOneMeasurement(r, thetas, in.Measured, tolerance*size, c.proportional)
	}
	l := theory.Layer{B: b, Left: theory.Side{Family: theory.LogDet, Factor: 1},
		Right: theory.Side{Family: theory.LogDet, Factor: 1}}
	r.AtMost("cost of the factors, given B", in.cost(f), c.cost(in, l), 4*tolerance*size)
}

// judgeOneMeasurement compares fractions of the largest values, where no arctan errs by more than what it is of.
func judgeOneMeasurement(r *props.Record, thetas, measured []float64, noise float64, of func(float64) float64) {
	got, want := make([]float64, len(thetas)), make([]float64, len(thetas))
	for j, theta := range thetas {
		got[j], want[j] = measured[0]*of(theta), measured[j]*of(thetas[0])
	}
	r.WithinVector("arctan θⱼ is in proportion to fⱼ", got, want, 2*measured[0]*math.Sqrt(float64(len(got)))*noise)
}

// excess is a·b − I.
func excess(a, b mat.Matrix) *mat.Dense {
	out := algebra.Product(a, b)
	n, _ := out.Dims()
	out.Sub(out, impl.Identity(n))
	return out
}
