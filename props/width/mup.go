package width

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	gstat "gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// muP takes first steps with networks whose raw weights carry no factor.
var muP = props.Spec{
	Statement: &theory.MuP,
	Checks:    []props.Check{gauges, firstMoves, moveExponents},
	Try: &props.Simulation{Run: tryMoves, Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "largest width",
		Domain: statement.IntegerBetween(16, 2048), Default: "256"}}},
}.Claim()

// rawNet is a network Wˡ = n^(−aₗ)wˡ with raw weights w.
type rawNet struct {
	theory.Parametrisation
	n   float64
	act nn.Activation
	w   []*mat.Dense
}

// widthPower is nᵉ, exact at powers of 4 for multiples of ½.
func widthPower(n, e float64) float64 { return math.Sqrt(math.Pow(n, 2*e)) }

// drawRaw draws raw weights.
func drawRaw(r *rand.Rand, p theory.Parametrisation, act nn.Activation, n, d int) rawNet {
	net, in := rawNet{Parametrisation: p, n: float64(n), act: act}, d
	for l := range p.A {
		out := n
		if l == len(p.A)-1 {
			out = 1
		}
		net.w, in = append(net.w, gen.Gaussian(r, out, in, widthPower(net.n, -p.B[l]))), n
	}
	return net
}

// effective is the network of the products.
func (r rawNet) effective() nn.Net {
	var net nn.Net
	for l, w := range r.w {
		var product mat.Dense
		product.Scale(widthPower(r.n, -r.A[l]), w)
		net = append(net, nn.Layer{W: &product, Act: r.act})
	}
	net[len(net)-1].Act = nn.Identity
	return net
}

// step returns the network after a step on the output.
func (r rawNet) step(x []float64, eta float64) rawNet {
	net := r.effective()
	pass := net.Backprop(x, []float64{net.Forward(x, nil)[0] - 1}) // whose output has the gradient 1
	after := r
	after.w = nil
	for l, w := range r.w {
		rate, factor := eta*widthPower(r.n, -r.C[l]), widthPower(r.n, -r.A[l])
		next := mat.DenseCopyOf(w)
		next.Apply(func(i, j int, v float64) float64 {
			g := factor * (pass.PreGrad[l][i] * pass.Input[l][j])
			if r.Sign && g != 0 {
				g = math.Copysign(1, g)
			}
			return v - rate*g
		}, next)
		after.w = append(after.w, next)
	}
	return after
}

// gauged are outputs over some steps of a network, and of one with all exponents a moved by a shift.
type gauged struct {
	Sign             bool
	Outputs, Shifted []float64
}

// gaugeClaim gives the claimed moves of the exponents b and c with a.
type gaugeClaim func(p theory.Parametrisation, t float64) theory.Parametrisation

var gauges = props.Drawn[gauged, struct{}]{
	Name:    "shifts of the exponents",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"gradient", "sign"},
	Draw:    func(t *props.T) gauged { return drawGauged(t, theory.Parametrisation.Shifted) },
	Judge: func(r *props.Record, in gauged, _ struct{}) {
		r.Regime(stepKind(in.Sign))
		r.ExactlyVector("outputs over four steps", in.Shifted, in.Outputs)
	},
	Controls: []props.Wrong[gauged, struct{}]{
		{Name: "rates that stay", Draw: func(t *props.T) gauged {
			return drawGauged(t, func(p theory.Parametrisation, s float64) theory.Parametrisation {
				q := p.Shifted(s)
				q.C = p.C
				return q
			})
		}},
		{Name: "the gradient's rates for the sign, and the sign's for the gradient", Draw: func(t *props.T) gauged {
			return drawGauged(t, func(p theory.Parametrisation, s float64) theory.Parametrisation {
				sign := p.Sign
				p.Sign = !sign
				q := p.Shifted(s)
				q.Sign = sign
				return q
			})
		}},
	},
}

// stepKind names what a step follows.
func stepKind(sign bool) string {
	if sign {
		return "sign"
	}
	return "gradient"
}

// drawGauged draws exponents that are multiples of ½ and widths that are powers of 4, and takes four steps.
func drawGauged(t *props.T, shifted gaugeClaim) gauged {
	half := func(name string, from, to int) float64 { return float64(rapid.IntRange(from, to).Draw(t.T, name)) / 2 }
	hidden, n := rapid.IntRange(1, 2).Draw(t.T, "L"), 4*rapid.SampledFrom([]int{1, 4}).Draw(t.T, "n/4")
	r := t.Stream("weights")
	p := theory.NamedParametrisation("standard", hidden, rapid.Bool().Draw(t.T, "sign"))
	for l := range p.A {
		p.A[l] = half("2a", -2, 2)
		p.B[l] += half("2b", 0, 1) - p.A[l]
		p.C[l] = half("2c", 0, 4)
	}
	shift := half("2t", 1, 3) * []float64{-1, 1}[rapid.IntRange(0, 1).Draw(t.T, "sign of t")]
	act, x := rapid.SampledFrom([]nn.Activation{nn.Tanh, nn.ReLU}).Draw(t.T, "φ"), []float64{0.6, 0.48, 0.64}
	one := drawRaw(r, p, act, n, 3)
	other := rawNet{shifted(p, shift), float64(n), act, nil}
	for _, w := range one.w {
		var same mat.Dense
		same.Scale(widthPower(float64(n), shift), w)
		other.w = append(other.w, &same)
	}
	out := gauged{Sign: p.Sign}
	for range 4 {
		one, other = one.step(x, 0.1), other.step(x, 0.1)
		out.Outputs = append(out.Outputs, one.effective().Forward(x, nil)[0])
		out.Shifted = append(out.Shifted, other.effective().Forward(x, nil)[0])
	}
	return out
}

// moves holds the moves of a first step, over η: root mean squares of own and total moves of hidden pre-activations,
// and f.
type moves struct {
	Own, Total []float64
	Output     float64
}

// moveOf measures a step so short that roundings and the second order are both small.
func moveOf(r rawNet, x []float64) (m moves) {
	const eta = 1e-6
	before, next := r.effective(), r.step(x, eta).effective()
	var p, q nn.Pass
	f, g := before.Forward(x, &p)[0], next.Forward(x, &q)[0]
	for l := range len(r.w) - 1 {
		own := 0.0
		for i, z := range p.Pre[l] {
			own += math.Pow((floats.Dot(next[l].W.RawRowView(i), p.Input[l])-z)/eta, 2)
		}
		n := math.Sqrt(float64(len(p.Pre[l])))
		m.Own = append(m.Own, math.Sqrt(own)/n)
		m.Total = append(m.Total, floats.Distance(q.Pre[l], p.Pre[l], 2)/n/eta)
	}
	m.Output = math.Abs(g-f) / eta
	return m
}

// firstCell is a network with one hidden layer of N units; Index numbers batches.
type firstCell struct {
	Parametrisation, Activation string
	Sign                        bool
	N, Index                    int
}

func (c firstCell) regime() string {
	switch {
	case !c.Sign:
		return c.Parametrisation
	case c.Activation == "sine":
		return c.Parametrisation + ", sign, sine"
	}
	return c.Parametrisation + ", sign"
}

// firstMove are means over a batch of |Δf|/η and of the mean square of Δh/η.
type firstMove struct{ Output, Square float64 }

// firstMoveClaim are both means.
type firstMoveClaim func(activation string, sign bool, oneNorm float64) (output, hidden float64)

var firstMoves = props.Grid[firstCell, firstMove, firstMoveClaim]{
	Name: "moves of one hidden layer",
	Cells: func(e props.Effort) (all []firstCell) {
		for i := range (props.Scale{Quick: 216, Standard: 500, Deep: 5000}).At(e) {
			for _, n := range []int{16, 64} {
				if e != props.Quick || i < 96 { // the sine is nearest to another claim
					all = append(all, firstCell{"tangent", "erf", false, n, i}, firstCell{"mean-field", "erf", false, n, i},
						firstCell{"maximal", "erf", false, n, i}, firstCell{"maximal", "erf", true, n, i})
				}
				all = append(all, firstCell{"maximal", "sine", true, n, i})
			}
		}
		return all
	},
	Regimes: []string{"tangent", "mean-field", "maximal", "maximal, sign", "maximal, sign, sine"},
	Measure: func(t *props.Trial, c firstCell) (m firstMove) {
		const units = 384 // of a batch
		for range units / c.N {
			p := theory.NamedParametrisation(c.Parametrisation, 1, c.Sign)
			one := moveOf(drawRaw(t.Rand, p, activations[c.Activation], c.N, 3), []float64{0.6, 0.48, 0.64})
			m.Output += one.Output / float64(units/c.N)
			m.Square += one.Total[0] * one.Total[0] / float64(units/c.N)
		}
		return m
	},
	Claim: theory.FirstMove,
	Conclude: func(r *props.Record, cells []firstCell, all []firstMove, claim firstMoveClaim) {
		outputs, squares := map[string][]float64{}, map[string][]float64{}
		output, hidden := map[string]float64{}, map[string]float64{}
		for i, c := range cells {
			regime, power := c.regime(), 1.
			if c.Parametrisation == "tangent" {
				power = float64(c.N)
			}
			if outputs[regime] == nil {
				output[regime], hidden[regime] = claim(c.Activation, c.Sign, 1.72)
			}
			outputs[regime] = append(outputs[regime], all[i].Output/output[regime])
			squares[regime] = append(squares[regime], all[i].Square*power/hidden[regime])
		}
		for _, regime := range []string{"tangent", "mean-field", "maximal", "maximal, sign", "maximal, sign, sine"} {
			if len(outputs[regime]) == 0 { // a control measures others
				continue
			}
			r.Regime(regime)
			props.Limit{Name: "Δf/(−η)", SD: 0.055, Bias: 0.002}.Judge(r, outputs[regime], 1)
			props.Limit{Name: "mean square of Δh/η", SD: 0.14, Bias: 0.01}.Judge(r, squares[regime], 1)
		}
	},
	Controls: []props.WrongCell[firstCell, firstMove, firstMoveClaim]{
		{Name: "the readout's part alone", Criterion: "Δf/(−η)",
			Instead: func(activation string, sign bool, oneNorm float64) (output, hidden float64) {
				output, hidden = theory.FirstMove(activation, sign, oneNorm)
				return output - hidden/oneNorm, hidden
			}},
		{Name: "hidden units by n^(−1/2) in maximal parametrisation", Criterion: "mean square of Δh/η",
			Alter: func(c firstCell, m *firstMove) {
				if c.Parametrisation == "maximal" {
					m.Square /= float64(c.N)
				}
			}},
		{Name: "E φ′ for E|φ′|", Criterion: "Δf/(−η)", On: func(c firstCell) bool { return c.Activation == "sine" },
			Instead: func(activation string, sign bool, oneNorm float64) (output, hidden float64) {
				_, hidden = theory.FirstMove(activation, sign, oneNorm)
				one, _ := theory.FirstMove(activation, sign, 1)
				two, _ := theory.FirstMove(activation, sign, 2)
				return 2*one - two + oneNorm*math.Sqrt(2/math.Pi/math.E), hidden // E cos Z = e^(−½)
			}},
		{Name: "‖x‖₂ for ‖x‖₁", Criterion: "Δf/(−η)",
			Instead: func(activation string, sign bool, _ float64) (output, hidden float64) {
				return theory.FirstMove(activation, sign, 1)
			}},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"scatter and bias": {"Δf/(−η)", "mean square of Δh/η"}},
	Coarse:     map[string]string{"mean square of Δh/η": "squares of Gaussian output weights have heavy tails"},
}

// row is a parametrisation with its rates moved by Rate, the rate of the readout by Readout, those of hidden layers
// above the first by Above besides, at widths from Smallest to 16 times that; Index numbers size sweeps.
type row struct {
	Parametrisation      string
	Sign                 bool
	Rate, Readout, Above float64
	Smallest, Index      int
}

// near reports whether the exponents that the controls claim lie close to the right ones. Where they are far off, a
// control would be rejected whatever the resolution.
func (c row) near() bool { return c.Above == 0 && c.Parametrisation != "mean-field" }

func (c row) sizes() []int { return []int{c.Smallest, 4 * c.Smallest, 16 * c.Smallest} }

func (c row) at(hidden int) theory.Parametrisation {
	p := theory.NamedParametrisation(c.Parametrisation, hidden, c.Sign)
	for l := range hidden {
		p.C[l] += c.Rate + c.Above*float64(min(l, 1))
	}
	p.C[hidden] += c.Readout
	return p
}

// swept are logarithms of moves at all sizes, of L = 2.
type swept struct{ First, Own, Total, Output []float64 }

var moveExponents = props.Grid[row, swept, func(p theory.Parametrisation) theory.Moves]{
	Name: "exponents of two hidden layers",
	Cells: func(e props.Effort) (all []row) {
		for i := range (props.Scale{Quick: 72, Standard: 48, Deep: 250}).At(e) {
			n := props.Scale{Quick: 8, Standard: 48, Deep: 128}.At(e)
			for _, name := range []string{"standard", "tangent", "mean-field", "maximal"} {
				all = append(all, row{name, false, 0, 0, 0, n, i})
			}
			all = append(all, row{"standard", true, 1, 2, 0, n, i}, row{"maximal", true, 0, 0, 0, n, i},
				row{"maximal", false, 1, 0, 1, n, i}) // the first layer moves h² most, the readout f
		}
		return all
	},
	Regimes: []string{"gradient", "sign"},
	Measure: func(t *props.Trial, c row) swept { return sweepMoves(t, c, c.at(2)) },
	Claim:   theory.Parametrisation.Moves,
	Conclude: func(r *props.Record, cells []row, all []swept, claim func(p theory.Parametrisation) theory.Moves) {
		kinds := map[row][]swept{}
		var order []row
		for i, c := range cells {
			c.Index = 0
			if kinds[c] == nil {
				order = append(order, c)
			}
			kinds[c] = append(kinds[c], all[i])
		}
		for _, c := range order {
			r.Regime(stepKind(c.Sign))
			m, x := claim(c.at(2)), []float64{0, math.Log(4), math.Log(16)}
			judge := func(name string, want float64, of func(swept) []float64) {
				var sweeps [][]float64
				for _, s := range kinds[c] {
					sweeps = append(sweeps, of(s))
				}
				// A root mean square of 16n numbers, those of a sweep at each size, with kurtosis up to 5 scatters by √(4/16n)/2.
				// Squares are off by a factor 1 + κ/n; κ ≤ 4 moves the slope by up to 0.36·½ ln(1 + κ/n), and parts of Δf that are
				// smaller by n^(−½) move its slope more.
				n := float64(c.Smallest)
				bias := 0.18 * math.Log1p(4/n)
				if name == "exponent of Δf" {
					bias = 0.25 / math.Sqrt(n)
				}
				margin := bias + stat.MedianMargin(stat.NormalTail, stat.SlopeSD(x, math.Sqrt(4/(16*n))/2),
					len(sweeps), stat.CriterionAlpha, stat.CriterionUndecided)
				r.HasExponent(name, stat.MedianSlope(x, sweeps, stat.CriterionAlpha), want, margin)
			}
			judge("exponent of Δh¹", m.Own[0], func(s swept) []float64 { return s.First })
			judge("exponent of the own move of h²", m.Own[1], func(s swept) []float64 { return s.Own })
			judge("exponent of Δh²", m.Total[1], func(s swept) []float64 { return s.Total })
			judge("exponent of Δf", m.Output, func(s swept) []float64 { return s.Output })
		}
		r.Draw(func() props.Figure { return moveFigure(order, kinds, claim) })
	},
	Controls: []props.WrongCell[row, swept, func(p theory.Parametrisation) theory.Moves]{
		{Name: "rules of the gradient and of the sign exchanged", Criterion: "exponent of Δh¹", On: row.near,
			Instead: func(p theory.Parametrisation) theory.Moves { p.Sign = !p.Sign; return p.Moves() }},
		{Name: "the same of the own move", Criterion: "exponent of the own move of h²",
			As: "rules of the gradient and of the sign exchanged"},
		{Name: "no move of h¹ passed on", Criterion: "exponent of Δh²", On: row.near,
			Instead: func(p theory.Parametrisation) theory.Moves {
				m := p.Moves()
				m.Total = append([]float64{m.Own[0]}, m.Own[1]-0.5)
				return m
			}},
		{Name: "own moves for total ones", Criterion: "exponent of Δh²",
			Instead: func(p theory.Parametrisation) theory.Moves {
				m := p.Moves()
				m.Total = m.Own
				return m
			}},
		{Name: "no move of the readout's own", Criterion: "exponent of Δf",
			Instead: func(p theory.Parametrisation) theory.Moves {
				m := p.Moves()
				m.Output = 1 - p.A[2] - p.B[2] + m.Total[1]
				return m
			}},
		{Name: "√n for n terms of one sign in the readout", Assumption: "same-weights", Criterion: "exponent of Δf",
			Instead: func(p theory.Parametrisation) theory.Moves {
				m := p.Moves()
				m.Output -= 0.5
				return m
			}},
		{Name: "first layer of variance 1/n", Assumption: "forward", Criterion: "exponent of the own move of h²",
			Measure: func(t *props.Trial, c row) swept {
				p := c.at(2)
				p.B[0] += 0.5
				return sweepMoves(t, c, p)
			}, On: func(c row) bool { return c.Parametrisation == "standard" }},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"bias": {"exponent of Δf"}},
	Coarse: map[string]string{"exponent of Δh¹": exponentsAreHalves, "exponent of the own move of h²": exponentsAreHalves,
		"exponent of Δh²": exponentsAreHalves, "exponent of Δf": exponentsAreHalves},
}

const exponentsAreHalves = "exponents of all parametrisations with a name are multiples of ½"

// sweepMoves measures networks with as many units at each size: root mean squares over networks. A gradient is as long
// as the readout that it comes from: squares are divided by the square of the readout's length over its mean.
func sweepMoves(t *props.Trial, c row, p theory.Parametrisation) (s swept) {
	for _, n := range c.sizes() {
		var squares [4][]float64
		for range 16 * c.Smallest / n {
			net, readout := drawRaw(t.Rand, p, nn.Tanh, n, 3), 1.
			m := moveOf(net, []float64{0.6, 0.48, 0.64})
			if !p.Sign {
				readout = math.Pow(mat.Norm(net.w[2], 2)/widthPower(net.n, 0.5-p.B[2]), 2)
			}
			for k, x := range []float64{m.Total[0], m.Own[1], m.Total[1], m.Output} {
				if k == 3 && c.Above > 0 {
					readout = 1 // the readout's own move moves f
				}
				squares[k] = append(squares[k], x*x/readout)
			}
		}
		log := func(k int) float64 { return math.Log(gstat.Mean(squares[k], nil)) / 2 }
		s.First, s.Own = append(s.First, log(0)), append(s.Own, log(1))
		s.Total, s.Output = append(s.Total, log(2)), append(s.Output, log(3))
	}
	return s
}

// moveFigure shows the move of the second layer over the width.
func moveFigure(order []row, kinds map[row][]swept, claim func(p theory.Parametrisation) theory.Moves) props.Figure {
	f := props.Figure{ID: "moves", Title: "How far one step moves the last hidden layer",
		Caption: "Root mean square of Δh² over η after one step along the gradient, medians over networks, and lines of " +
			"the claimed exponents through the smallest width: features of standard parametrisation blow up, those of tangent " +
			"parametrisation freeze, those of maximal parametrisation move at every width.",
		X: props.Axis{Label: "width n", Log: true}, Y: props.Axis{Label: "Δh²/η", Log: true}}
	for _, c := range order {
		if c.Sign || c.Above > 0 {
			continue
		}
		points := props.Curve{Name: c.Parametrisation, Style: props.Points}
		line := props.Curve{Name: c.Parametrisation + ", predicted", Style: props.Dashed}
		for k, n := range c.sizes() {
			var values []float64
			for _, s := range kinds[c] {
				values = append(values, math.Exp(s.Total[k]))
			}
			iv := stat.Median(values, stat.CriterionAlpha)
			points.AddInterval(float64(n), iv.Estimate, iv.Lo, iv.Hi)
			line.Add(float64(n), points.Y[0]*math.Pow(float64(n/c.Smallest), claim(c.at(2)).Total[1]))
		}
		f.Curves = append(f.Curves, points, line)
	}
	return f
}

// tryMoves measures exponents between a width and an eighth of it.
func tryMoves(t *props.Trial, v statement.Values) (map[string]float64, error) {
	c := row{v.Choice("parametrisation"), v.Choice("rule") == "sign", v.Float("rate"), v.Float("rate"), 0, 0, 0}
	n, hidden := v.Int("n"), v.Int("layers")
	t.Need(n*n*hidden <= 4e6, "n²·layers = %d weights are more than can be sampled here; take at most 4·10⁶", n*n*hidden)
	at := func(n int) moves {
		return moveOf(drawRaw(t.Rand, c.at(hidden), nn.Tanh, n, 3), []float64{0.6, 0.48, 0.64})
	}
	small, large := at(n/8), at(n)
	slope := func(a, b float64) float64 { return math.Log(b/a) / math.Log(float64(n)/float64(n/8)) }
	return map[string]float64{"first": slope(small.Own[0], large.Own[0]),
		"own":    slope(small.Own[hidden-1], large.Own[hidden-1]),
		"hidden": slope(small.Total[hidden-1], large.Total[hidden-1]), "output": slope(small.Output, large.Output)}, nil
}
