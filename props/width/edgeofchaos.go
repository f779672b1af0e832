package width

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

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

// edgeOfChaos integrates both maps by rules of its own, iterates them, and samples networks.
var edgeOfChaos = props.Spec{
	Statement: &theory.EdgeOfChaos,
	Checks:    []props.Check{mapSlopes, lateLayers, propagated},
	Try: &props.Simulation{Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "width",
		Domain: statement.IntegerBetween(2, 4000), Default: "200"}}, Run: tryPropagation},
	Along: &props.Along{Param: "depth", From: 1, To: 16, Of: []string{"correlation"}, Reps: 3, Places: 6,
		Each: &props.ParamSweep{Name: "weight", Values: []string{"1", "1.8", "4"}}},
}.Claim()

// activations holds the activations of the statements, by their names there.
var activations = map[string]nn.Activation{"tanh": nn.Tanh, "relu": nn.ReLU, "softplus": nn.Softplus,
	"linear": nn.Identity, "sine": {Name: "sine", Value: math.Sin, Slope: math.Cos}, "erf": {Name: "erf", Value: math.Erf,
		Slope: func(z float64) float64 { return 2 / math.SqrtPi * math.Exp(-z*z) }}}

// energy is E φ(√q Z)² of a smooth activation, by the trapezoidal rule.
func energy(p theory.Propagation, q float64) float64 {
	f, root := activations[p.Activation].Value, math.Sqrt(q)
	return finer.integrate(func(z float64) float64 { return math.Pow(f(root*z), 2) })
}

var finer = trapezoid(1. / 16)

// apart is E (φ(√q u) − φ(√r v))² at correlation 1 − δ, without cancellation. Smooth activations are integrated by the
// trapezoidal rule, whose error is e^(−2πd/step) at a distance d = π/(2√q) to poles. ReLU, at q = r, sees u = ρ cos ψ
// and v = ρ cos(ψ−θ): polynomials of sines on three intervals, two of them alike.
func apart(p theory.Propagation, q, r, delta float64) float64 {
	if p.Activation == "relu" {
		theta := 2 * math.Asin(math.Sqrt(delta/2))
		one := func(psi float64) float64 { return math.Cos(psi) * math.Cos(psi) }
		both := func(psi float64) float64 { return math.Pow(2*math.Sin(theta/2)*math.Sin(psi-theta/2), 2) }
		over := func(f func(psi float64) float64, from, to float64) float64 {
			return (to - from) * unitInterval.integrate(func(x float64) float64 { return f(from + (to-from)*x) })
		}
		return q / math.Pi * (2*over(one, -math.Pi/2, theta-math.Pi/2) + over(both, theta-math.Pi/2, math.Pi/2))
	}
	f, step, sum := activations[p.Activation].Value, min(0.25, 0.29/math.Sqrt(max(q, r))), 0.0
	for x := -8.5; x <= 8.5; x += step {
		u, density := f(math.Sqrt(q)*x), step*step/(2*math.Pi)*math.Exp(-x*x/2)
		for y := -8.5; y <= 8.5; y += step {
			v := f(math.Sqrt(r) * ((1-delta)*x + math.Sqrt(delta*(2-delta))*y))
			sum += density * math.Exp(-y*y/2) * (u - v) * (u - v)
		}
	}
	return sum
}

// unitInterval is exact for polynomials of degree 23, and to rounding for squares of sines on half a turn.
var unitInterval = legendre(12, 0, 1)

// gap is the map of 1 − c at a fixed length.
func gap(p theory.Propagation, q, delta float64) float64 {
	return p.Weight * apart(p, q, q, delta) / (2 * q)
}

// extrapolated is the limit of quotients of a difference and a step that is halved, and how far it may be off when the
// differences are known to a rounding.
func extrapolated(difference func(h float64) float64, h, rounding float64) (slope, allowed float64) {
	var values []*mat.Dense
	var errors []float64
	for range 6 {
		values = append(values, mat.NewDense(1, 1, []float64{difference(h) / h}))
		errors = append(errors, rounding/h)
		h /= 2
	}
	limit, allowed := order.Limit(values, errors)
	return limit.At(0, 0), allowed
}

// mapped are a network, its fixed length Q, and there slopes of its maps with what they may be off by, that of
// correlations at C; and the product of activations at some signal.
type mapped struct {
	theory.Propagation
	C, Q, LengthSlope, Slope, CorrelationSlope      float64
	Signal                                          theory.Signal
	Product                                         float64
	lengthAllowed, slopeAllowed, correlationAllowed float64
}

// mapClaim are the closed forms.
type mapClaim struct {
	fixed         func(theory.Propagation) float64
	product       func(p theory.Propagation, q, r, c float64) float64
	length, slope func(p theory.Propagation, q float64) float64
	correlation   func(p theory.Propagation, q, c float64) float64
}

var mapSlopes = props.Drawn[mapped, mapClaim]{
	Name:    "slopes of the maps",
	Cases:   props.Scale{Quick: 24, Standard: 60, Deep: 20000},
	Regimes: []string{"ordered", "chaotic", "critical"},
	Draw:    drawMapped,
	Claim: mapClaim{fixed: theory.Propagation.FixedLength, product: theory.Propagation.Pair,
		length: theory.Propagation.LengthSlope, slope: theory.Propagation.Slope,
		correlation: theory.Propagation.CorrelationSlope},
	Judge: func(r *props.Record, in mapped, c mapClaim) {
		r.RegimeOf(in.Slope > 1, math.Abs(in.Slope-1) < 1e-6)
		r.Within("fixed length", in.Q, c.fixed(in.Propagation), 1e-11*max(1, in.Q))
		s := in.Signal
		product := c.product(in.Propagation, s.Length, s.Other, s.Correlation)
		r.WithinScale("product of activations", in.Product, product, 1, 2e-12)
		r.Within("χ_q", in.LengthSlope, c.length(in.Propagation, in.Q), in.lengthAllowed)
		r.Within("χ₁", in.Slope, c.slope(in.Propagation, in.Q), in.slopeAllowed)
		r.Within("χ_c", in.CorrelationSlope, c.correlation(in.Propagation, in.Q, in.C), in.correlationAllowed)
	},
	Controls: []props.Wrong[mapped, mapClaim]{
		{Name: "χ₁ for χ_q", Criterion: "χ_q", Instead: mapClaim{length: theory.Propagation.Slope}},
		{Name: "χ_q for χ₁", Criterion: "χ₁", Instead: mapClaim{slope: theory.Propagation.LengthSlope}},
		{Name: "φ′ at qZ for √q Z", Criterion: "χ₁", Instead: mapClaim{
			slope: func(p theory.Propagation, q float64) float64 { return p.Slope(q*q + 0.01) }}},
		{Name: "χ₁ for χ_c at any c", Criterion: "χ_c", Instead: mapClaim{
			correlation: func(p theory.Propagation, q, _ float64) float64 { return p.Slope(q) }}},
		{Name: "mean length for both", Criterion: "product of activations", Instead: mapClaim{
			product: func(p theory.Propagation, q, r, c float64) float64 { return p.Pair((q+r)/2, (q+r)/2, c) }}},
		{Name: "biases of one per cent more variance", Criterion: "fixed length", Instead: mapClaim{
			fixed: func(p theory.Propagation) float64 { p.Bias *= 1.01; return p.FixedLength() }}},
	},
}

// drawMapped draws a smooth network, a third of them on the critical line, and differentiates its maps.
func drawMapped(t *props.T) mapped {
	in := mapped{Propagation: theory.Propagation{Activation: rapid.SampledFrom([]string{"tanh", "erf"}).Draw(t.T, "φ"),
		Weight: gen.LogUniform(t.T, "σ_w²", 0.05, 16), Bias: gen.LogUniform(t.T, "σ_b²", 0.02, 4)},
		C: float64(rapid.IntRange(-19, 19).Draw(t.T, "20c")) / 20, Q: 1}
	if rapid.IntRange(0, 2).Draw(t.T, "critical when 0") == 0 {
		in.Propagation = theory.Critical(in.Activation, in.Weight/4+0.2)
	}
	length := func(q float64) float64 { return in.Weight*energy(in.Propagation, q) + in.Bias }
	for range 300 {
		before := in.Q
		if in.Q = length(before); math.Abs(in.Q-before) < 1e-15*in.Q {
			break
		}
	}
	q, c := gen.LogUniform(t.T, "q", 1e-3, 20), 1-gen.LogUniform(t.T, "1 − |c|", 1e-4, 1)
	r, c := q*gen.LogUniform(t.T, "q′/q", 0.5, 1), math.Copysign(c, in.C)
	in.Signal = theory.Signal{Length: q, Other: r, Correlation: c}
	in.Product = (energy(in.Propagation, q) + energy(in.Propagation, r) - apart(in.Propagation, q, r, 1-c)) / 2
	in.LengthSlope, in.lengthAllowed = extrapolated(func(h float64) float64 {
		return (length(in.Q+h) - length(in.Q-h)) / 2
	}, in.Q/4, 4e-15*max(1, in.Q))
	// Products have a singularity 1/2q beyond the correlation 1.
	step := min(1./16, 1/(8*in.Q))
	in.Slope, in.slopeAllowed = extrapolated(func(h float64) float64 { return gap(in.Propagation, in.Q, h) }, step, 4e-15)
	in.CorrelationSlope, in.correlationAllowed = extrapolated(func(h float64) float64 {
		return (gap(in.Propagation, in.Q, 1-in.C+h) - gap(in.Propagation, in.Q, 1-in.C-h)) / 2
	}, min(1./16, (1-math.Abs(in.C))/2), 4e-15)
	return in
}

// deep is a network whose correlations are iterated from C, to the depth 4L where χ₁ = 1.
type deep struct {
	theory.Propagation
	C float64
	L int
}

// late holds the measurements of the late layers: a correlation, or a growth on the critical line, and a factor from
// one layer to the next, each with its error.
type late struct{ Length, Value, ValueOff, Factor, FactorOff float64 }

// lateClaim are the fixed correlation, the factor there, β, and the growth of 3π/θ.
type lateClaim struct {
	correlation, factor, algebraic func(p theory.Propagation, q float64) float64
	angle                          func(from, to int) float64
}

// critical and criticalReLU are the depths L on the critical line.
var (
	critical     = props.Sizes{Quick: []int{40, 80}, Standard: []int{100, 200}, Deep: []int{200, 400}}
	criticalReLU = props.Sizes{Quick: []int{400, 1600}, Standard: []int{1000, 8000}, Deep: []int{8000, 64000}}
)

var lateLayers = props.Grid[deep, late, lateClaim]{
	Name: "late layers",
	Cells: func(e props.Effort) (all []deep) {
		for phi, c := range map[string]float64{"tanh": -0.5, "erf": 0.9} {
			all = append(all, deep{theory.Propagation{Activation: phi, Weight: 1.2, Bias: 0.3}, c, 0},
				deep{theory.Propagation{Activation: phi, Weight: 4, Bias: 0.05}, c, 0})
			for _, L := range critical.At(e) {
				all = append(all, deep{theory.Critical(phi, 0.5), c, L})
			}
			for _, L := range criticalReLU.At(e) {
				all = append(all, deep{theory.Critical("relu", 1), c, L})
			}
		}
		slices.SortFunc(all, func(a, b deep) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return all
	},
	Regimes: []string{"ordered", "chaotic", "critical", "critical ReLU"},
	Measure: func(_ *props.Trial, c deep) late {
		if c.L > 0 {
			return c.grow()
		}
		return c.settle()
	},
	Claim: lateClaim{correlation: theory.Propagation.FixedCorrelation, angle: theory.AngleGrowth,
		factor:    func(p theory.Propagation, q float64) float64 { return p.CorrelationSlope(q, p.FixedCorrelation(q)) },
		algebraic: theory.Propagation.Algebraic},
	Judge: func(r *props.Record, c deep, m late, claim lateClaim) {
		r.RegimeOf(c.Weight == 4, c.L > 0, c.Activation == "relu")
		switch l := float64(c.L); {
		case c.L == 0:
			r.Within("limit of correlations", m.Value, claim.correlation(c.Propagation, m.Length), m.ValueOff)
			r.Within("factor a layer", m.Factor, claim.factor(c.Propagation, m.Length), m.FactorOff)
		case c.Activation == "relu": // the next term of 3π/θ is (9/4)(ln l + 1 + 2C/3)/l, and C is below 3π/θ at the start
			want := claim.angle(c.L, 4*c.L) - 3*l
			r.WithinScale("growth of 3π/θ beyond the depth", m.Value-3*l, want, want,
				2.25*(math.Log(l)+1+2*math.Pi/math.Acos(c.C))/l)
		default:
			r.Within("growth of 1/(1−c) a layer", m.Value, 1/claim.algebraic(c.Propagation, 0.5), m.ValueOff)
		}
	},
	Controls: []props.WrongCell[deep, late, lateClaim]{
		{Name: "correlation 1 in chaos as well", Criterion: "limit of correlations", Instead: lateClaim{
			correlation: func(theory.Propagation, float64) float64 { return 1 }}},
		{Name: "χ_q for χ_c", Criterion: "factor a layer", Instead: lateClaim{factor: theory.Propagation.LengthSlope}},
		{Name: "χ₁ for χ_c in chaos", Criterion: "factor a layer", Instead: lateClaim{factor: theory.Propagation.Slope}},
		{Name: "β without the 2", Criterion: "growth of 1/(1−c) a layer", Instead: lateClaim{
			algebraic: func(p theory.Propagation, q float64) float64 { return p.Algebraic(q) / 2 }}},
		{Name: "β three per cent larger", Criterion: "growth of 1/(1−c) a layer", Instead: lateClaim{
			algebraic: func(p theory.Propagation, q float64) float64 { return p.Algebraic(q) * 1.03 }}},
		{Name: "angles without the logarithm", Criterion: "growth of 3π/θ beyond the depth", Instead: lateClaim{
			angle: func(from, to int) float64 { return float64(to - from) }}},
		{Name: "a logarithm with the factor 1", Criterion: "growth of 3π/θ beyond the depth", Instead: lateClaim{
			angle: func(from, to int) float64 { return float64(to-from) + math.Log(float64(to)/float64(from)) }}},
		{Name: "1 − c ~ 1/l for ReLU, as for smooth φ", Assumption: "smooth",
			Criterion: "growth of 3π/θ beyond the depth", Instead: lateClaim{angle: func(from, to int) float64 {
				return 3 * math.Pi / math.Sqrt2 * (math.Sqrt(float64(to)) - math.Sqrt(float64(from)))
			}}},
	},
	Replicates: 1,
	Coarse: map[string]string{"factor a layer": "at a distance δ from the limit the factor is off by O(δ)",
		"growth of 1/(1−c) a layer":       "two terms of a series in the inverse depth are removed, the third is left",
		"growth of 3π/θ beyond the depth": "a term of order (ln l)/l is left"},
}

// settle iterates until correlations move by less than 5e-10. What is left is a geometric series; its factor is off by
// a thousandth of its error when they moved by 1e-5, which is allowed in full, and by roundings.
func (c deep) settle() (m late) {
	q, delta, step, factor, mid := c.FixedLength(), 1-c.C, 1., 0., 0.
	for ; !(step < 5e-10 && mid > 0); step = step * factor {
		next := gap(c.Propagation, q, delta)
		factor = math.Abs(next-delta) / step
		if delta = next; mid == 0 && step < 1e-5 {
			mid = factor
		}
	}
	return late{q, 1 - delta, 2 * step / (1 - factor), factor, math.Abs(factor-mid) + 1e-14/step}
}

// grow iterates to the depth 4L. At χ₁ = 1 the increments of y = 1/(1−c) are a series in 1/y, from which Neville's
// scheme removes two terms: they are off by less than the last correction. Of ReLU it returns the growth of 3π/θ.
func (c deep) grow() late {
	var y, growth, angles []float64
	for l, delta := 1, 1-c.C; l <= 4*c.L; l++ {
		before := delta
		delta = gap(c.Propagation, []float64{0.5, 1}[int(c.Weight)/2], delta)
		if l == c.L || l == 2*c.L || l == 4*c.L {
			y, growth = append(y, 1/delta), append(growth, 1/delta-1/before)
			angles = append(angles, 3*math.Pi/(2*math.Asin(math.Sqrt(delta/2))))
		}
	}
	if c.Activation == "relu" {
		return late{Value: angles[2] - angles[0]}
	}
	first := (y[1]*growth[1] - y[0]*growth[0]) / (y[1] - y[0])
	second := (y[2]*growth[2] - y[1]*growth[1]) / (y[2] - y[1])
	return late{Value: (y[2]*second - y[0]*first) / (y[2] - y[0]), ValueOff: y[0] * math.Abs(second-first) / (y[2] - y[0])}
}

// sampled is a kind of network of N units a layer; Index numbers batches of draws.
type sampled struct {
	Network, Width string
	N, Index       int
}

// regime is the network with its width.
func (c sampled) regime() string { return c.Network + ", " + c.Width }

// sampledWidths are the numbers of units of a narrow and a wide network.
var sampledWidths = props.Sizes{Quick: []int{12, 24}, Standard: []int{24, 48}, Deep: []int{60, 120}}

// sampledNetworks have two regimes each, narrow and wide. Products of ReLU scatter most.
var sampledNetworks = map[string]struct {
	theory.Propagation
	Units int // of a batch
}{"ordered": {theory.Propagation{Activation: "erf", Weight: 1, Bias: 0.3}, 120},
	"chaotic": {theory.Propagation{Activation: "erf", Weight: 3, Bias: 0.05}, 120},
	"ReLU":    {theory.Propagation{Activation: "relu", Weight: 2, Bias: 0.1}, 360}}

// start is the covariance of the two inputs' pre-activations, of unlike lengths.
var start = theory.Signal{Length: 1.3, Other: 0.6, Correlation: 0.3}

// passage holds the measurements of a network on two inputs: mean products of activations in each layer, of the first,
// of the second and of both, and the squared gradient in that layer's pre-activations over the one in the next layer.
type passage struct {
	Products  [][3]float64
	Gradients []float64
}

// passages states what products have the mean of, given the signal in their layer, and the gradient's factor there.
type passages struct {
	pair  func(p theory.Propagation, q, r, c float64) float64
	slope func(p theory.Propagation, q float64) float64
}

var propagated = props.Grid[sampled, []passage, passages]{
	Name: "networks of finite width",
	Cells: func(e props.Effort) (all []sampled) {
		for i := range (props.Scale{Quick: 112, Standard: 300, Deep: 6000}).At(e) {
			for k, n := range sampledWidths.At(e) {
				for _, network := range []string{"ordered", "chaotic", "ReLU"} {
					all = append(all, sampled{network, []string{"narrow", "wide"}[k], n, i})
				}
			}
		}
		return all
	},
	Cost: func(c sampled) float64 { return float64(c.N * sampledNetworks[c.Network].Units) },
	Regimes: []string{"ordered, narrow", "ordered, wide", "chaotic, narrow", "chaotic, wide", "ReLU, narrow",
		"ReLU, wide"},
	Measure: passBatch(func(t *props.Trial, n int, _ *mat.Dense) *mat.Dense { return gen.Gaussian(t.Rand, n, n, 1) }),
	Claim:   passages{theory.Propagation.Pair, theory.Propagation.Slope},
	Conclude: func(r *props.Record, cells []sampled, all [][]passage, claim passages) {
		values, units := map[string]*[3][]float64{}, map[string]int{}
		for i, c := range cells {
			regime := c.regime()
			if values[regime] == nil {
				values[regime], units[regime] = new([3][]float64), c.N
			}
			for k, x := range batchRatios(sampledNetworks[c.Network].Propagation, all[i], claim) {
				values[regime][k] = append(values[regime][k], x)
			}
		}
		for _, regime := range slices.Sorted(maps.Keys(values)) { // a control measures one width
			v, n := values[regime], float64(units[regime])
			r.Regime(regime)
			props.Limit{Name: "squares of activations", SD: 0.055, Bias: 0.002}.Judge(r, v[0], 1)
			props.Limit{Name: "products of activations", SD: 0.05, Bias: 0.002}.Absolute(r, v[1], 0)
			props.Limit{Name: "gradients", SD: 0.08, Bias: 1 / n}.Judge(r, v[2], 1)
		}
	},
	Controls: []props.WrongCell[sampled, []passage, passages]{
		{Name: "every layer the transpose of the one before", Assumption: "independent", Criterion: "squares of activations",
			Measure: passBatch(func(t *props.Trial, n int, before *mat.Dense) *mat.Dense {
				if before == nil {
					return gen.Gaussian(t.Rand, n, n, 1)
				}
				return mat.DenseCopyOf(before.T())
			}), On: func(c sampled) bool { return c.Width == "narrow" }},
		{Name: "pre-activations of a fifth less variance", Assumption: "variance", Criterion: "squares of activations",
			Instead: passages{pair: func(p theory.Propagation, q, r, c float64) float64 { return p.Pair(q/1.25, r/1.25, c) }}},
		{Name: "products at correlation 0", Criterion: "products of activations", Instead: passages{
			pair: func(p theory.Propagation, q, r, c float64) float64 {
				if q == r && c == 1 {
					return p.Pair(q, r, c)
				}
				return p.Pair(q, r, 0)
			}}},
		{Name: "gradients by χ_q", Criterion: "gradients", Instead: passages{slope: theory.Propagation.LengthSlope}},
	},
	Replicates: 1,
	Chosen: map[string][]string{
		"scatter and bias": {"squares of activations", "products of activations", "gradients"},
	},
	Coarse: map[string]string{
		"squares of activations":  "means over small networks, in which ReLU scatters by twice itself",
		"products of activations": "means over small networks, in which ReLU scatters by twice itself",
		"gradients":               "weights on a gradient's way back are off by 1/n of fresh ones",
	},
}

// passBatch passes two inputs through independent networks with given layers.
func passBatch(layer func(t *props.Trial, n int, before *mat.Dense) *mat.Dense) func(*props.Trial, sampled) []passage {
	return func(t *props.Trial, c sampled) (out []passage) {
		kind := sampledNetworks[c.Network]
		for range kind.Units / c.N {
			out = append(out, pass(t, kind.Propagation, start, c.N, 4, layer))
		}
		return out
	}
}

// batchRatios are means over a batch of squares over those claimed, of products less those claimed, and of gradients.
func batchRatios(p theory.Propagation, batch []passage, claim passages) (out [3]float64) {
	for _, net := range batch {
		s, count := start, float64(len(net.Products)*len(batch))
		for l, m := range net.Products {
			out[0] += m[0] / claim.pair(p, s.Length, s.Length, 1) / count
			out[1] += (m[2] - claim.pair(p, s.Length, s.Other, s.Correlation)) / count
			out[2] += net.Gradients[l] / claim.slope(p, s.Length) / count
			q, other := p.Weight*m[0]+p.Bias, p.Weight*m[1]+p.Bias
			s = theory.Signal{Length: q, Other: other, Correlation: min(1, (p.Weight*m[2]+p.Bias)/math.Sqrt(q*other))}
		}
	}
	return out
}

// pass sends two inputs with the given covariance of pre-activations through a network, and a gradient back.
func pass(t *props.Trial, p theory.Propagation, s theory.Signal, n, depth int,
	layer func(t *props.Trial, n int, before *mat.Dense) *mat.Dense) passage {
	var drawn *mat.Dense
	net := nn.Net{{W: gen.Gaussian(t.Rand, n, 2, 1), Act: activations[p.Activation]}}
	for range depth {
		var w mat.Dense
		drawn = layer(t, n, drawn)
		w.Scale(math.Sqrt(p.Weight/float64(n)), drawn)
		net = append(net, nn.Layer{W: &w, B: gen.Gaussian(t.Rand, n, 1, math.Sqrt(p.Bias)).RawMatrix().Data,
			Act: activations[p.Activation]})
	}
	net[depth].Act = nn.Identity
	x := []float64{math.Sqrt(s.Length), 0}
	y := []float64{math.Sqrt(s.Other) * s.Correlation, math.Sqrt(s.Other * (1 - s.Correlation*s.Correlation))}
	var other nn.Pass
	net.Forward(y, &other)
	target := net.Forward(x, nil)
	independent := gen.Gaussian(t.Rand, n, 1, 1).RawMatrix().Data // the gradient, which large outputs would round
	floats.AddScaled(target, max(1, floats.Norm(target, math.Inf(1))), independent)
	one := net.Backprop(x, target)
	var out passage
	for l := range depth {
		a, b := one.Input[l+1], other.Input[l+1]
		mean := func(a, b []float64) float64 { return floats.Dot(a, b) / float64(n) }
		out.Products = append(out.Products, [3]float64{mean(a, a), mean(b, b), mean(a, b)})
		g, next := one.PreGrad[l], one.PreGrad[l+1]
		out.Gradients = append(out.Gradients, mean(g, g)/max(0x1p-1000, mean(next, next))) // 0 of dead layers
	}
	return out
}

// tryPropagation measures the signal some layers deep.
func tryPropagation(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, depth, p := v.Int("n"), v.Int("depth"), theory.PropagationFrom(v)
	t.Need(n*n*depth <= 2e7, "n²·depth = %d weights are more than can be sampled here; take at most 2·10⁷", n*n*depth)
	s := pass(t, p, theory.Signal{Length: v.Float("q"), Other: v.Float("q"), Correlation: v.Float("c")}, n, depth,
		func(t *props.Trial, n int, _ *mat.Dense) *mat.Dense { return gen.Gaussian(t.Rand, n, n, 1) })
	last := s.Products[depth-1]
	q, other := p.Weight*last[0]+p.Bias, p.Weight*last[1]+p.Bias
	return map[string]float64{"length": q, "correlation": (p.Weight*last[2] + p.Bias) / math.Sqrt(q*other),
		"gradient": floats.Prod(s.Gradients)}, nil
}
