package emergence

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// step is the first gradient of a paired neuron without bias, in floating point.
type step struct {
	direction *mat.VecDense // Σⱼ TⱼMⱼ = −(∂L/∂w)/a, length d
	rounding  float64       // bound on its error, the norm
	outside   float64       // Pr[z = 0 or |z| ≥ 1]
}

// firstStep takes the gradient at the weights w (1×d), scaled so that the largest pre-activation is reach. The bound on
// its error is that of the statement's numerical form, with ‖x‖₊ = Σⱼ‖Mⱼ‖|φⱼ| taken at its largest.
func firstStep(h data.Hidden, m, w *mat.Dense, reach, output float64) step {
	d, dim := m.Dims()
	s := h.Inputs(m)
	net := truncated.Paired(w, []float64{0}, []float64{output})
	largest, size := 0.0, 0.0
	for i := range s.P {
		largest = max(largest, math.Abs(net.PreActivations(nil, s.X.RawRowView(i))[0]))
	}
	net.W.Scale(reach/largest, net.W)
	deviation := math.Sqrt(float(h.Variance()))
	for j, mean := range h.Mean() {
		size += mat.Norm(m.ColView(j), 2) * max(float(mean), 1-float(mean)) / deviation // ‖x‖₊
	}
	unsure := float64(d+2*dim+10) * 0x1p-53 * floats.Norm(net.W.RawRowView(0), 2) * size
	st := step{direction: mat.NewVecDense(d, nil), rounding: float64(len(s.P)+2*dim+20) * 0x1p-53 * size}
	for i, p := range s.P {
		z := math.Abs(net.PreActivations(nil, s.X.RawRowView(i))[0])
		if z <= unsure || math.Abs(z-1) <= unsure {
			st.rounding += p * size
		}
		if z == 0 || z >= 1 {
			st.outside += p
		}
	}
	st.direction.ScaleVec(-1/output, net.HingeGradient(s).RowView(0))
	return st
}

// ladder is the first gradient of random weights for one dimension.
type ladder struct {
	levels   []float64 // T on A
	outside  []float64 // T outside A
	biased   []float64 // the same weights with a background of probability 1/4: T of all coordinates
	rounding float64
}

// halfDimension holds Tⱼ/γ against D^(−1/2) at fixed k = 3 and λ = 1/2, so at fixed γ = 1/4. The printed form has no
// dependence on D.
func halfDimension(v halfTrial) props.LegacyCheck {
	return props.LegacySweep[int, ladder]{
		Name:    "the level as the dimension grows",
		Share:   "ladder of dimensions",
		Cells:   func(e props.Effort) []int { return dimensions(props.Scale{Quick: 11, Standard: 13, Deep: 17}.At(e)) },
		Measure: climb,
		Judge:   func(dims []int, found []ladder) props.Judgement { return judgeLadder(v, dims, found) },
	}.Check()
}

// dimensions returns 4, 5, …, most.
func dimensions(most int) []int {
	var dims []int
	for d := 4; d <= most; d++ {
		dims = append(dims, d)
	}
	return dims
}

// climb takes the gradient along the unit vectors, so that the direction is T itself.
func climb(t *props.Trial, dim int) ladder {
	w, m := gen.Gaussian(t.Rand, 1, dim, 1), identity(dim)
	mixture := func(odds data.Odds) data.Hidden {
		return data.NewHidden(dim, props.Indices(3), data.Parity(3), data.Mixture(3, 1, 1), odds)
	}
	fair := firstStep(mixture(data.Fair), m, w, 0.9, 1)
	biased := firstStep(mixture(data.Odds{One: 1, Zero: 3}), m, w, 0.9, 1)
	return ladder{fair.direction.RawVector().Data[:3], fair.direction.RawVector().Data[3:], biased.direction.RawVector().Data, fair.rounding}
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// judgeLadder compares each log(T/γ) with −½·log D, or with a constant for the printed form: a constant is what the
// smallest D gives. T is known to a relative error ρ = rounding/T < ½, so its logarithm to 2ρ; the closed form, the
// power and the quotient add at most 8u.
func judgeLadder(v halfTrial, dims []int, found []ladder) props.Judgement {
	exponent := -0.5 + v.dose
	if v.printedScale {
		exponent = 0
	}
	first := theory.Mixture{Dim: dims[0], Count: 3, Background: 0.5, Uniform: 0.5}
	order, outside := props.Ratio{}, props.Ratio{}
	var xs, on, claimed, printed []float64
	evidence := fmt.Sprintf("γ = %g for every D", first.Covariance())
	for i, dim := range dims {
		x := float64(dim)
		predicted := first.Level() / first.Covariance() * math.Pow(x/float64(dims[0]), exponent)
		for _, level := range found[i].levels {
			ratio := level / first.Covariance()
			order = props.Worst(order, props.Within(math.Log(ratio/predicted), 2*found[i].rounding/level+8*0x1p-53))
		}
		for _, t := range found[i].outside {
			outside = props.Worst(outside, props.Within(t, found[i].rounding))
		}
		xs, on = append(xs, x), append(on, found[i].levels[0]/first.Covariance())
		claimed, printed = append(claimed, 1/math.Sqrt(x)), append(printed, 1)
		evidence += fmt.Sprintf("; at D = %d, T = %.6g", dim, found[i].levels[0])
	}
	last := len(dims) - 1
	m := theory.Mixture{Dim: dims[last], Count: 3, Background: 0.5, Uniform: 0.5}
	j := props.Judgement{
		Parts:          []props.Part{{Name: "order in D of T/γ", Ratio: order}, {Name: "T outside A", Ratio: outside}},
		Counterexample: evidence,
	}
	if v.printedScale {
		return j // the figures are those of the claim
	}
	j.Facts = []props.Fact{props.Noted(fmt.Sprintf("T on A at D = %d", dims[last]), found[last].levels[0], m.Level())}
	j.Figures = []props.Figure{coordinates(m, found[last]), {
		ID:    "dimension",
		Title: "The gradient on A shrinks with the dimension at fixed γ",
		Caption: fmt.Sprintf("T/γ on A for random weights and D = %d to %d, on logarithmic axes: the measured values lie on 1/√D; the printed order γ "+
			"would be a horizontal line, drawn here at 1.", dims[0], dims[last]),
		X: props.Axis{Label: "D", Log: true}, Y: props.Axis{Label: "T/γ", Log: true},
		Curves: []props.Curve{
			{Name: "measured", Style: props.Points, X: xs, Y: on},
			{Name: "claimed, 1/√D", Style: props.Dashed, X: xs, Y: claimed},
			{Name: "printed, order of γ", Style: props.Line, X: xs, Y: printed},
		},
	}}
	return j
}

// coordinates draws T of one neuron over the coordinates.
func coordinates(m theory.Mixture, found ladder) props.Figure {
	var xs, claimed []float64
	for j := range m.Dim {
		xs = append(xs, float64(j+1))
		level := 0.0
		if j < m.Count {
			level = m.Level()
		}
		claimed = append(claimed, level)
	}
	all := append(append([]float64{}, found.levels...), found.outside...)
	return props.Figure{
		ID:    "coordinates",
		Title: "The first gradient of one neuron with random weights",
		Caption: fmt.Sprintf("T over the %d hidden coordinates for one neuron with Gaussian weights; the label is the parity of the first three. With fair "+
			"background bits T is %.4g on those three and 0 elsewhere, as claimed, although the weights are all different; with background bits of "+
			"probability 1/4 neither part is exact.", m.Dim, m.Level()),
		X: props.Axis{Label: "coordinate j"}, Y: props.Axis{Label: "T"},
		Curves: []props.Curve{
			{Name: "claimed", Style: props.Dashed, X: xs, Y: claimed},
			{Name: "fair background", Style: props.Points, X: xs, Y: all},
			{Name: "background of probability 1/4", Style: props.Points, X: xs, Y: found.biased},
		},
	}
}
