package width

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// lazy integrates the scalar model, and trains scaled networks.
var lazy = props.Spec{
	Statement: &theory.Lazy,
	Checks:    []props.Check{scalarFlow, lazyBound, lazyOrders},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		alpha, y, time := v.Float("alpha"), v.Float("y"), v.Float("t")
		steps := 1000 + 200*(1+math.Abs(y)/alpha)*time
		t.Need(steps <= 1e7, "at these parameters a flow takes %.0g steps; take a shorter time or a larger α", steps)
		w := flowSquare(alpha, y, time, int(steps))
		return map[string]float64{"output": alpha * (w*w - 1), "kernel": w*w - 1, "moved": math.Abs(w - 1)}, nil
	}},
	Along: &props.Along{Param: "t", From: 0, To: 1.5, Of: []string{"output"}, Places: 7, Reps: 1,
		Each: &props.ParamSweep{Name: "alpha", Values: []string{"0.25", "1", "16"}}},
}.Claim()

// squareFlow is the scalar model at a time, and how far the integration may be off.
type squareFlow struct {
	Alpha  float64 `npy:"alpha"`
	Label  float64 `npy:"y"`
	Time   float64 `npy:"t"`
	Output float64 `npy:"f"`
	off    float64
}

// Valid names the violated hypothesis.
func (in squareFlow) Valid() error {
	return theory.ScaledSquare{Alpha: in.Alpha, Label: in.Label}.Valid()
}

var scalarFlow = props.Drawn[squareFlow, func(s theory.ScaledSquare, t float64) float64]{
	Name:    "scalar model",
	Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
	Regimes: []string{"within reach", "out of reach", "on the edge"},
	Draw:    func(t *props.T) squareFlow { return drawSquare(t, func(float64) float64 { return 1 }) },
	Claim:   theory.ScaledSquare.Output,
	Judge: func(r *props.Record, in squareFlow, claim func(s theory.ScaledSquare, t float64) float64) {
		r.RegimeOf(in.Label < -in.Alpha, in.Label == -in.Alpha)
		size := math.Abs(in.Label) + in.Alpha
		want := claim(theory.ScaledSquare{Alpha: in.Alpha, Label: in.Label}, in.Time)
		r.WithinScale("αh", in.Output, want, size, in.off+1e4*r.Unit()*size)
	},
	Controls: []props.Wrong[squareFlow, func(s theory.ScaledSquare, t float64) float64]{
		{Name: "the linear model", Instead: theory.ScaledSquare.Linear},
		{Name: "loss divided by α for α²", Assumption: "scaled", Draw: func(t *props.T) squareFlow {
			return drawSquare(t, func(alpha float64) float64 { return alpha })
		}},
		{Name: "label that is not divided by α", Instead: func(s theory.ScaledSquare, t float64) float64 {
			return theory.ScaledSquare{Alpha: 1.01, Label: s.Label}.Output(t)
		}},
	},
}

// drawSquare draws a model and runs it at a multiple of its rate.
func drawSquare(t *props.T, rate func(alpha float64) float64) squareFlow {
	in := squareFlow{Alpha: float64(rapid.IntRange(1, 32).Draw(t.T, "2α")) / 2, Time: gen.LogUniform(t.T, "t", 0.05, 1),
		Label: float64(rapid.IntRange(1, 40).Draw(t.T, "4y")) / 4}
	if rapid.Bool().Draw(t.T, "negative") {
		in.Label = -in.Label
	}
	if rapid.IntRange(0, 4).Draw(t.T, "edge when 0") == 0 {
		in.Label = -in.Alpha
	}
	time := rate(in.Alpha) * in.Time
	steps := 200 + int(200*(1+math.Abs(in.Label)/in.Alpha)*time)
	coarse, fine := flowSquare(in.Alpha, in.Label, time, steps), flowSquare(in.Alpha, in.Label, time, 2*steps)
	in.Output, in.off = in.Alpha*(fine*fine-1), in.Alpha*math.Abs(fine*fine-coarse*coarse)/4
	return in
}

// flowSquare is w along the flow of α⁻²·½(α(w²−1) − y)², by the classical Runge–Kutta method.
func flowSquare(alpha, y, time float64, steps int) float64 {
	w, h := 1.0, time/float64(steps)
	slope := func(w float64) float64 { return -(alpha*(w*w-1) - y) * 2 * w / alpha }
	for range steps {
		a := slope(w)
		b := slope(w + h/2*a)
		c := slope(w + h/2*b)
		w += h / 6 * (a + 2*b + 2*c + slope(w+h*c))
	}
	return w
}

// model is a function of weights with its derivatives: outputs, one for each label, and a row of derivatives for each.
type model func(w []float64) (h []float64, jacobian *mat.Dense)

// descend takes steps on α⁻²·½|αh − y|² and returns the weights, the loss at the start and the least share c of η|∇F|²
// by which a step lowered it.
func descend(h model, w, y []float64, alpha, eta float64, steps int) (end []float64, start, share float64) {
	end, share = append([]float64{}, w...), math.Inf(1)
	loss := func(out []float64) (r []float64, f float64) {
		for i := range out {
			r = append(r, out[i]-y[i]/alpha)
		}
		return r, floats.Dot(r, r) / 2
	}
	out, jacobian := h(end)
	r, before := loss(out)
	start = before
	for range steps {
		grad := mat.NewVecDense(len(w), nil)
		grad.MulVec(jacobian.T(), mat.NewVecDense(len(r), r))
		floats.AddScaled(end, -eta, grad.RawVector().Data)
		out, jacobian = h(end)
		var after float64
		r, after = loss(out)
		share = min(share, (before-after)/(eta*mat.Dot(grad, grad)))
		before = after
	}
	return end, start, share
}

// network is h = m^(−1/2) Σⱼ aⱼφ(wⱼ·x) of m units at rows of x, less given outputs. Weights are a, then the rows of w.
func network(x *mat.Dense, units int, act nn.Activation, less []float64) model {
	points, d := x.Dims()
	return func(w []float64) ([]float64, *mat.Dense) {
		h, jacobian, scale := make([]float64, points), mat.NewDense(points, len(w), nil), 1/math.Sqrt(float64(units))
		for i := range h {
			row, input := jacobian.RawRowView(i), x.RawRowView(i)
			for j := range units {
				at := units + j*d
				z := floats.Dot(w[at:at+d], input)
				row[j] = scale * act.Value(z)
				floats.AddScaled(row[at:at+d], scale*w[j]*act.Slope(z), input)
				h[i] += w[j] * row[j]
			}
			if less != nil {
				h[i] -= less[i]
			}
		}
		return h, jacobian
	}
}

// moved is a distance from the start after a time and what bounds it: |αh(w₀) − y|/α, and the share c.
type moved struct {
	Distance, Time, Gap, Share float64
	Straight                   bool
}

var lazyBound = props.Drawn[moved, func(t, c, gap float64) float64]{
	Name:    "distance from the start",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"networks", "a straight path"},
	Draw:    func(t *props.T) moved { return drawMoved(t, false) },
	Claim:   theory.LazyBound,
	Judge: func(r *props.Record, in moved, claim func(t, c, gap float64) float64) {
		r.RegimeOf(in.Straight)
		bound := claim(in.Time, in.Share, in.Gap)
		r.AtMost("|w − w₀|", in.Distance, bound, 1e-9*bound)
		if in.Straight {
			r.Within("|w − w₀| of a straight path", in.Distance, bound, 1e-9) // its F ends at 10⁻¹² of its start
		}
	},
	Proven: map[string]string{"|w − w₀|": "the inequality of Cauchy and Schwarz; a straight path attains it"},
	Controls: []props.Wrong[moved, func(t, c, gap float64) float64]{
		{Name: "|y|/α where h(w₀) ≠ 0", Assumption: "centred", Draw: func(t *props.T) moved { return drawMoved(t, true) }},
		{Name: "a bound a thousandth larger", Criterion: "|w − w₀| of a straight path",
			Instead: func(t, c, gap float64) float64 { return 1.001 * theory.LazyBound(t, c, gap) }},
		{Name: "half of the bound", Criterion: "|w − w₀|",
			Instead: func(t, c, gap float64) float64 { return theory.LazyBound(t, 4*c, gap) }},
		{Name: "steps that lower F by more than η|∇F|²", Criterion: "|w − w₀|", Instead: func(t, c, gap float64) float64 {
			return theory.LazyBound(t, 1.02*c, gap)
		}},
	},
}

// drawMoved trains a network, or a scalar model whose loss falls along a straight line: h = (y − √(y² − 2w))/α, to
// nearly 0. Of a network that is not centred the gap can be the one of a centred network.
func drawMoved(t *props.T, blind bool) moved {
	alpha, r := gen.LogUniform(t.T, "α", 0.5, 64), t.Stream("network")
	steps, label := rapid.IntRange(1, 60).Draw(t.T, "k"), gen.LogUniform(t.T, "y", 0.5, 4)
	if !blind && rapid.Bool().Draw(t.T, "straight") {
		path := func(w []float64) ([]float64, *mat.Dense) {
			root := math.Sqrt(label*label - 2*alpha*w[0])
			return []float64{(label - root) / alpha}, mat.NewDense(1, 1, []float64{1 / root})
		}
		eta := (1 - 1e-12) * label * label / 2 / float64(steps) // F = (y² − 2αw)/2α² vanishes after the time y²/2
		w, _, share := descend(path, []float64{0}, []float64{label}, alpha, eta, steps)
		return moved{w[0], float64(steps) * eta, label / alpha, share, true}
	}
	act := rapid.SampledFrom([]nn.Activation{nn.Tanh, nn.ReLU, nn.Softplus}).Draw(t.T, "φ")
	x, y := gen.Gaussian(r, 4, 3, 1), gen.Gaussian(r, 1, 4, label).RawRowView(0)
	w := gen.Gaussian(r, 1, 8*4, 1).RawRowView(0)
	if blind {
		floats.Scale(4, w[:8])
		floats.Scale(0.01, y)
	}
	h := network(x, 8, act, nil)
	for eta := 0.1; ; eta /= 2 {
		end, start, share := descend(h, w, y, alpha, eta, steps)
		if !(share > 0.1) {
			continue // a step that is too long
		}
		m := moved{floats.Distance(end, w, 2), float64(steps) * eta, math.Sqrt(2 * start), share, false}
		if blind {
			m.Gap = floats.Norm(y, 2) / alpha
		}
		return m
	}
}

// scaledNet is a kind of network; Index numbers draws.
type scaledNet struct {
	Activation string
	Pairs      bool
	Index      int
}

// scaledMoves holds the moves of weights, kernel and outputs by α, where each α is twice the one before.
type scaledMoves struct{ Weights, Kernel, Outputs order.Remainder }

// lazyOrder are the orders in 1/α of the kernel and of outputs beyond linear, without and with pairs.
type lazyOrder struct{ weights, plain, pairs float64 }

var lazyOrders = props.Grid[scaledNet, scaledMoves, lazyOrder]{
	Name: "orders in 1/α",
	Cells: func(e props.Effort) (all []scaledNet) {
		for i := range (props.Scale{Quick: 6, Standard: 40, Deep: 1000}).At(e) {
			for _, phi := range []string{"tanh", "softplus"} {
				all = append(all, scaledNet{phi, false, i}, scaledNet{phi, true, i})
			}
		}
		return all
	},
	Regimes: []string{"tanh", "softplus", "tanh, pairs", "softplus, pairs"},
	Measure: func(t *props.Trial, c scaledNet) scaledMoves { return moveScaled(t.Rand, c, true) },
	Claim:   lazyOrder{1, 1, 2},
	Judge: func(r *props.Record, c scaledNet, m scaledMoves, claim lazyOrder) {
		regime, want := c.Activation, claim.plain
		if c.Pairs {
			regime, want = c.Activation+", pairs", claim.pairs
		}
		r.Regime(regime)
		order.Judge(r, "order of w − w₀", m.Weights, claim.weights)
		order.Judge(r, "order of Θ − Θ₀", m.Kernel, want)
		order.Judge(r, "order of αh − αh_lin", m.Outputs, want)
	},
	Controls: []props.WrongCell[scaledNet, scaledMoves, lazyOrder]{
		{Name: "h(w₀) not subtracted", Assumption: "centred", Criterion: "order of w − w₀" + order.PartOfAnother,
			Measure: func(t *props.Trial, c scaledNet) scaledMoves { return moveScaled(t.Rand, c, false) },
			On:      func(c scaledNet) bool { return !c.Pairs }},
		{Name: "h(w₀) not subtracted, kernel", Criterion: "order of Θ − Θ₀" + order.PartOfAnother,
			As: "h(w₀) not subtracted"},
		{Name: "h(w₀) not subtracted, outputs", Criterion: "order of αh − αh_lin" + order.PartOfAnother,
			As: "h(w₀) not subtracted"},
		{Name: "order ½, as with √α for α", Criterion: "order of w − w₀", Instead: lazyOrder{weights: 0.5}},
		{Name: "order 1 for pairs as well", Assumption: "pairs", Criterion: "order of Θ − Θ₀", Instead: lazyOrder{pairs: 1}},
		{Name: "order 1 of the outputs of pairs", Criterion: "order of αh − αh_lin", As: "order 1 for pairs as well"},
	},
	Replicates: 1,
	Coarse: map[string]string{"order of w − w₀" + order.PartOfAnother: "a bound that is met by far",
		"order of Θ − Θ₀" + order.PartOfAnother:      "a bound that is met by far",
		"order of αh − αh_lin" + order.PartOfAnother: "a bound that is met by far"},
}

// moveScaled trains one network, less its outputs at the start or not, on labels of norm 2. The leading order stands
// out from the next one if α is large, and, where it is 1/α², from the rounding of αh if α is not: of 40 000 networks
// none had more than a tenth of another order.
func moveScaled(r *rand.Rand, c scaledNet, centred bool) scaledMoves {
	const units, points, d, steps = 8, 4, 3, 40
	act := map[string]nn.Activation{"tanh": nn.Tanh, "softplus": nn.Softplus}[c.Activation]
	x, y := gen.Gaussian(r, points, d, 1), gen.Gaussian(r, 1, points, 1).RawRowView(0)
	floats.Scale(2/floats.Norm(y, 2), y)
	w := gen.Gaussian(r, 1, units*(1+d), 1).RawRowView(0)
	if c.Pairs {
		for j := 1; j < units; j += 2 {
			w[j] = -w[j-1]
			copy(w[units+j*d:][:d], w[units+(j-1)*d:])
		}
	}
	outputs, first := network(x, units, act, nil)(w)
	eta := min(0.1, math.Pow(mat.Norm(first, 2), -2)) // no step overshoots
	h := network(x, units, act, outputs)
	if !centred {
		h = network(x, units, act, nil)
	}
	linear := func(at []float64) ([]float64, *mat.Dense) {
		out, _ := h(w)
		step := mat.NewVecDense(len(w), floats.SubTo(make([]float64, len(w)), at, w))
		var move mat.VecDense
		move.MulVec(first, step)
		floats.Add(out, move.RawVector().Data)
		return out, first
	}
	var scales []float64
	var weights, kernels, beyond []*mat.Dense
	smallest, largest, p := 1024., 32768., 1
	if c.Pairs {
		smallest, largest, p = 64, 512, 2
	}
	for alpha := smallest; alpha <= largest; alpha *= 2 {
		end, _, _ := descend(h, w, y, alpha, eta, steps)
		straight, _, _ := descend(linear, w, y, alpha, eta, steps)
		out, last := h(end)
		lin, _ := linear(straight)
		scales = append(scales, 1/alpha)
		weights = append(weights, mat.NewDense(len(w), 1, floats.SubTo(make([]float64, len(w)), end, w)))
		var kernel, before mat.Dense
		kernel.Mul(last, last.T())
		before.Mul(first, first.T())
		kernel.Sub(&kernel, &before)
		kernels = append(kernels, &kernel)
		floats.Sub(out, lin)
		floats.Scale(alpha, out)
		beyond = append(beyond, mat.NewDense(points, 1, out))
	}
	return scaledMoves{order.Halved(scales, weights, 1, 1e-13), order.Halved(scales, kernels, p, 1e-12),
		order.Halved(scales, beyond, p, 1e-11)}
}
