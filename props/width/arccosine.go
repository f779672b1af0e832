package width

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// arcCosine integrates over the plane of two inputs, and draws layers.
var arcCosine = props.Spec{
	Statement: &theory.ArcCosine,
	Checks:    []props.Check{rectifiedMeans, rectifiedVariances, erfMeans, drawnLayers},
	Along: &props.Along{Param: "c", From: -1, To: 1, Of: []string{"mean"}, Y: "kernel of a layer", Places: 9,
		Each: &props.ParamSweep{Name: "q", Values: []string{"0", "1", "2"}}},
	Try: &props.Simulation{Run: tryArcCosine, Params: []statement.Param{{Name: "layers", Symbol: "M",
		Meaning: "number of layers", Domain: statement.IntegerBetween(2, 1e5), Default: "400"}}},
}.Claim()

// rectified is a pair of inputs, by their angle and the product of their lengths, and the mean product of two neurons.
type rectified struct {
	Power int     `npy:"q"`
	Angle float64 `npy:"theta"`
	Norms float64 `npy:"norms"`
	Mean  float64 `npy:"mean"`
}

func (in rectified) pair() theory.Rectified {
	return theory.Rectified{Power: in.Power, Angle: in.Angle, Norms: in.Norms}
}

// Valid names the hypothesis that a user's numbers violate.
func (in rectified) Valid() error { return in.pair().Valid() }

var rectifiedMeans = props.Drawn[rectified, func(theory.Rectified) float64]{
	Name:    "powers of the ReLU against quadrature",
	Cases:   props.Scale{Quick: 160, Standard: 800, Deep: 20000},
	Regimes: []string{"step", "ReLU", "higher powers", "nearly opposite", "parallel"},
	Draw:    func(t *props.T) rectified { return drawRectified(t, 0) },
	Claim:   theory.Rectified.Mean,
	Judge: func(r *props.Record, in rectified, claim func(theory.Rectified) float64) {
		p, q, want := math.Pi-in.Angle, float64(in.Power), claim(in.pair())
		r.RegimeOf(q == 1, q > 1, p < 0.3, in.Angle == 0)
		// Ten roundings in each of 2q factors, 160 of a sum of sums, and the error 4u of π − θ in a power of 2q + 1.
		r.Within("mean", in.Mean, want, r.Unit()*(160+20*q+4*(2*q+1)/p)*in.Mean)
	},
	Controls: []props.Wrong[rectified, func(theory.Rectified) float64]{
		{Name: "J_q/π", Instead: func(p theory.Rectified) float64 { return 2 * p.Mean() }},
		{Name: "θ in place of π − θ", Instead: func(p theory.Rectified) float64 {
			p.Angle = math.Pi - p.Angle
			return p.Mean()
		}},
		{Name: "1 + cos² in J₂", Instead: func(p theory.Rectified) float64 {
			if c := p.Norms * math.Cos(p.Angle); p.Power == 2 {
				return p.Mean() - c*c*(math.Pi-p.Angle)/(2*math.Pi)
			}
			return p.Mean()
		}},
		{Name: "kernel of inputs of length one", Instead: func(p theory.Rectified) float64 {
			p.Norms = 1
			return p.Mean()
		}},
		{Name: "neurons with bias ½", Assumption: "unbiased",
			Draw: func(t *props.T) rectified { return drawRectified(t, 0.5) }},
	},
}

// scattered is such a pair with the variance of the product of two neurons.
type scattered struct {
	rectified
	Variance float64
}

var rectifiedVariances = props.Drawn[scattered, func(theory.Rectified) float64]{
	Name:    "variances of one neuron against quadrature",
	Cases:   props.Scale{Quick: 60, Standard: 300, Deep: 10000},
	Regimes: []string{"step", "ReLU", "higher powers", "nearly opposite", "parallel"},
	Draw: func(t *props.T) scattered {
		in := drawRectified(t, 0)
		return scattered{in, onPowers(in, 2*in.Power, 0) - in.Mean*in.Mean}
	},
	Claim: theory.Rectified.Variance,
	Judge: func(r *props.Record, in scattered, claim func(theory.Rectified) float64) {
		p, q, square := math.Pi-in.Angle, float64(in.Power), in.Variance+in.Mean*in.Mean
		r.RegimeOf(q == 1, q > 1, p < 0.3, in.Angle == 0)
		// As for the means, with 2q, and twice those of the mean.
		r.Within("variance", in.Variance, claim(in.pair()), r.Unit()*(500+80*q+16*(2*q+1)/p)*square)
	},
	Controls: []props.Wrong[scattered, func(theory.Rectified) float64]{
		{Name: "mean square", Instead: func(p theory.Rectified) float64 { return p.Variance() + p.Mean()*p.Mean() }},
		{Name: "inputs of length one", Instead: func(p theory.Rectified) float64 {
			p.Norms = 1
			return p.Variance()
		}},
		{Name: "lengths to the power q", Instead: func(p theory.Rectified) float64 {
			return p.Variance() / math.Pow(p.Norms, float64(p.Power))
		}},
		{Name: "the variance of the ReLU at q = 2", Instead: func(p theory.Rectified) float64 {
			p.Power = min(p.Power, 1)
			return p.Variance()
		}},
	},
}

// power is σ_q(z).
func power(q int, z float64) float64 {
	switch {
	case z <= 0:
		return 0
	case q == 0:
		return 1
	}
	out := z
	for range q - 1 {
		out *= z
	}
	return out
}

func drawRectified(t *props.T, bias float64) rectified {
	in := rectified{Power: rapid.IntRange(0, 8).Draw(t.T, "q"), Norms: gen.LogUniform(t.T, "‖x‖‖y‖", 0.01, 100)}
	switch rapid.IntRange(0, 4).Draw(t.T, "kind") {
	case 0:
		in.Angle = math.Pi - gen.LogUniform(t.T, "π − θ", 1e-3, 0.3)
	case 1: // parallel
	default:
		in.Angle = math.Pi - gen.LogUniform(t.T, "π − θ", 0.3, 3)
	}
	in.Mean = onPowers(in, in.Power, bias)
	return in
}

// onPowers is the mean product of two neurons that take a power q of the ReLU.
func onPowers(in rectified, q int, bias float64) float64 {
	return math.Pow(in.Norms, float64(q)) * onWedge(math.Pi-in.Angle, func(u, v float64) float64 {
		return power(q, u+bias) * power(q, v+bias)
	})
}

// erfPair holds the products of two inputs and what two neurons with erf have in the mean.
type erfPair struct {
	XX    float64 `npy:"xx"`
	XY    float64 `npy:"xy"`
	YY    float64 `npy:"yy"`
	Mean  float64 `npy:"mean"`
	Slope float64 `npy:"slope"`
}

func (in erfPair) pair() theory.Erf { return theory.Erf{XX: in.XX, XY: in.XY, YY: in.YY} }

// Valid names the hypothesis that a user's numbers violate.
func (in erfPair) Valid() error { return in.pair().Valid() }

var erfMeans = props.Drawn[erfPair, erfClaim]{
	Name:  "erf against quadrature",
	Cases: props.Scale{Quick: 20, Standard: 100, Deep: 5000},
	Draw:  drawErf,
	Claim: erfClaim{theory.Erf.Mean, theory.Erf.Slope},
	Judge: func(r *props.Record, in erfPair, claim erfClaim) {
		// The arcsine of nearly ±1 magnifies the rounding of its argument, by no more than √(1 + 2Σ) ≤ 5.
		r.WithinScale("mean of erf", in.Mean, claim.mean(in.pair()), 1, 400*r.Unit())
		// A difference of products of at most (1 + 2Σ)² ≤ 361, which is at least 1 + 2Σ.
		slope := claim.slope(in.pair())
		r.Within("mean of erf′", in.Slope, slope, 4000*r.Unit()*slope)
	},
	Controls: []props.Wrong[erfPair, erfClaim]{
		{Name: "Σ in place of 2Σ", Instead: erfClaim{
			func(e theory.Erf) float64 { return theory.Erf{XX: e.XX / 2, XY: e.XY / 2, YY: e.YY / 2}.Mean() },
			func(e theory.Erf) float64 { return theory.Erf{XX: e.XX / 2, XY: e.XY / 2, YY: e.YY / 2}.Slope() }}},
		{Name: "slope at orthogonal inputs", Criterion: "mean of erf′", Instead: erfClaim{slope: func(e theory.Erf) float64 {
			return theory.Erf{XX: e.XX, YY: e.YY}.Slope()
		}}},
	},
}

type erfClaim struct{ mean, slope func(theory.Erf) float64 }

func drawErf(t *props.T) erfPair {
	x, y := gen.LogUniform(t.T, "‖x‖", 0.1, 3), gen.LogUniform(t.T, "‖y‖", 0.1, 3)
	s, c := math.Sincos(float64(rapid.IntRange(0, 16).Draw(t.T, "16θ/π")) * math.Pi / 16)
	mean := func(f func(float64) float64) float64 {
		return onPlane(func(a, b float64) float64 { return f(x*a) * f(y*(c*a+s*b)) })
	}
	slope := mean(func(z float64) float64 { return 2 / math.Sqrt(math.Pi) * math.Exp(-z*z) })
	return erfPair{x * x, x * y * c, y * y, mean(math.Erf), slope}
}

// layers are drawn layers of one width at two inputs of length one.
type layers struct {
	Power, Width int
	Cosine       float64
	Batch        int
}

func (l layers) pair() theory.Rectified {
	return theory.Rectified{Power: l.Power, Angle: math.Acos(l.Cosine), Norms: 1}
}

// kernels are means over layers.
type kernels struct{ Kernel, Square float64 }

var layerKinds = []string{"step, n = 2", "step, n = 16", "ReLU, n = 2", "ReLU, n = 16"}

var drawnLayers = props.Grid[layers, kernels, layersClaim]{
	Name: "drawn layers",
	Cells: func(e props.Effort) (out []layers) {
		for i := range (props.Scale{Quick: 96, Standard: 240, Deep: 8000}).At(e) {
			for _, c := range []float64{0.3, 0.9} {
				out = append(out, layers{0, 2, c, i}, layers{0, 16, c, i}, layers{1, 2, c, i}, layers{1, 16, c, i})
			}
		}
		return out
	},
	Regimes: layerKinds,
	Measure: func(t *props.Trial, l layers) kernels { return l.draw(t, t.Rand.NormFloat64, 1) },
	Claim: layersClaim{theory.Rectified.Mean, func(p theory.Rectified, n int) float64 {
		return p.Variance() / float64(n)
	}},
	Conclude: concludeLayers,
	Controls: []props.WrongCell[layers, kernels, layersClaim]{
		{Name: "weights of random sign", Assumption: "gaussian", Criterion: kernelMean,
			On: func(l layers) bool { return l.Power == 1 && l.Cosine < 0.5 }, Measure: func(t *props.Trial, l layers) kernels {
				return l.draw(t, func() float64 { return float64(2*t.Rand.IntN(2) - 1) }, 1)
			}},
		{Name: "neurons that occur twice", Assumption: "independent", Criterion: kernelVariance,
			Measure: func(t *props.Trial, l layers) kernels { return l.draw(t, t.Rand.NormFloat64, 2) }},
		{Name: "the step's mean a fifth larger", Criterion: kernelMean + eachKind, Instead: layersClaim{
			mean: func(p theory.Rectified) float64 { return p.Mean() * []float64{1.2, 1}[p.Power] }}},
		{Name: "the variance of 16 neurons a third larger", Criterion: kernelVariance + eachKind, Instead: layersClaim{
			variance: func(p theory.Rectified, n int) float64 { return p.Variance() / float64(n) * (1 + float64(n/16)/3) }}},
		{Name: "n − 1 for n", Criterion: kernelVariance, On: func(l layers) bool { return l.Width == 2 },
			Measure: func(t *props.Trial, l layers) kernels { return l.draw(t, t.Rand.NormFloat64, 1) },
			Instead: layersClaim{variance: func(p theory.Rectified, n int) float64 {
				return p.Variance() / float64(n-1)
			}}},
		{Name: "variance of one neuron", Criterion: kernelVariance,
			Instead: layersClaim{variance: func(p theory.Rectified, _ int) float64 { return p.Variance() }}},
		{Name: "mean square in place of the variance", Criterion: kernelVariance,
			Instead: layersClaim{variance: func(p theory.Rectified, n int) float64 {
				return (p.Variance() + math.Pow(p.Mean(), 2)) / float64(n)
			}}},
	},
	Replicates: 1,
	Coarse: map[string]string{kernelMean: drawnOnce, kernelVariance: drawnOnce,
		kernelMean + eachKind: drawnOnce, kernelVariance + eachKind: drawnOnce},
}

const (
	kernelMean     = "mean of K̂ over its prediction"
	kernelVariance = "variance of K̂ over its prediction"
	drawnOnce      = "a mean over drawn layers"
)

type layersClaim struct {
	mean     func(theory.Rectified) float64
	variance func(p theory.Rectified, n int) float64
}

// draw has so many layers that the mean square deviation has a relative scatter of 0.08: with κ the kurtosis of K̂,
// which is 3 + 29/n for the ReLU at the smaller cosine and below 3 for the step, (κ−1)/0.08² layers. Neurons
// occur so many times.
func (l layers) draw(t *props.Trial, weight func() float64, times int) (out kernels) {
	count := 500
	if l.Power == 1 {
		count = 312 * (2*l.Width + 29) / (2 * l.Width)
	}
	c, s := l.Cosine, math.Sqrt(1-l.Cosine*l.Cosine)
	for range count {
		k := 0.0
		for range l.Width / times {
			a, b := weight(), weight()
			k += float64(times) * power(l.Power, a) * power(l.Power, c*a+s*b) / float64(l.Width)
		}
		out.Kernel += k / float64(count)
		out.Square += k * k / float64(count)
	}
	return out
}

func concludeLayers(r *props.Record, cells []layers, all []kernels, claim layersClaim) {
	// Of a batch the mean has a relative scatter of at most 0.05, and its square deviation has a skewness of at most 0.4,
	// a sixth of which lies between median and mean.
	means := byKind{Limit: props.Limit{Name: kernelMean, SD: 0.05, Bias: 0.05 * 0.2 / 6}}
	variances := byKind{Limit: props.Limit{Name: kernelVariance, SD: 0.08, Bias: 0.08 * 0.4 / 6}}
	for i, l := range cells {
		kind := fmt.Sprintf("%s, n = %d", [2]string{"step", "ReLU"}[l.Power], l.Width)
		mean, variance := claim.mean(l.pair()), claim.variance(l.pair(), l.Width)
		means.add(kind, all[i].Kernel/mean)
		variances.add(kind, (all[i].Square-2*mean*all[i].Kernel+mean*mean)/variance)
	}
	judgeKinds(r, layerKinds, means, variances)
}

func tryArcCosine(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, m, q, c := v.Int("n"), v.Int("layers"), v.Int("q"), v.Float("c")
	s := math.Sqrt((1 - c) * (1 + c))
	var sum, squares float64
	for range m {
		k := 0.0
		for range n {
			a, b := t.Rand.NormFloat64(), t.Rand.NormFloat64()
			k += power(q, a) * power(q, c*a+s*b) / float64(n)
		}
		sum, squares = sum+k, squares+k*k
	}
	mean := sum / float64(m)
	return map[string]float64{"mean": mean, "variance": (squares - mean*sum) / float64(m-1)}, nil
}
