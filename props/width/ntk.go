package width

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// ntk integrates layer by layer, and draws networks with their gradients.
var ntk = props.Spec{
	Statement: &theory.NTK,
	Checks:    []props.Check{tangentRecursion, tangentKernels},
	Along: &props.Along{Param: "c", From: -1, To: 1, Of: []string{"kernel"}, Places: 7, Reps: 2,
		At:   map[string]string{"networks": "20"},
		Each: &props.ParamSweep{Name: "layers", Values: []string{"2", "3", "5"}}},
	Try: &props.Simulation{Run: tryNTK, Params: []statement.Param{{Name: "networks", Symbol: "M",
		Meaning: "number of networks", Domain: statement.IntegerBetween(2, 1e5), Default: "400"}}},
}.Claim()

// tangent is the limit of the kernel, and what n times its variance is with two layers.
type tangent struct {
	Layers   int     `npy:"layers"`
	Angle    float64 `npy:"theta"`
	Kernel   float64 `npy:"kernel"`
	Variance float64 `npy:"variance"`
}

// Valid names the hypothesis that a user's numbers violate.
func (in tangent) Valid() error { return theory.Tangent{Layers: in.Layers, Angle: in.Angle}.Valid() }

type tangentClaim struct{ kernel, variance func(theory.Tangent) float64 }

var exactTangent = tangentClaim{theory.Tangent.Kernel, theory.Tangent.Variance}

var tangentRecursion = props.Drawn[tangent, tangentClaim]{
	Name:    "recursion against quadrature",
	Cases:   props.Scale{Quick: 50, Standard: 300, Deep: 5000},
	Regimes: []string{"two layers", "more layers", "obtuse angle"},
	Draw:    func(t *props.T) tangent { return drawTangent(t, 2, 1) },
	Claim:   exactTangent,
	Judge: func(r *props.Record, in tangent, claim tangentClaim) {
		r.RegimeOf(in.Layers > 2, in.Angle > math.Pi/2)
		// Angles stay above 0.05, and a layer adds the error 20u of its own factors and 4u/θ of its angle.
		allowed := 200 * r.Unit() * float64(in.Layers)
		r.WithinScale("kernel", in.Kernel, claim.kernel(theory.Tangent{Layers: in.Layers, Angle: in.Angle}), 1,
			allowed*float64(in.Layers))
		r.Within("variance, two layers", in.Variance, claim.variance(theory.Tangent{Layers: 2, Angle: in.Angle}),
			1e4*r.Unit()) // 600 roundings of a sum of sums of sums, of up to 16
	},
	Controls: []props.Wrong[tangent, tangentClaim]{
		{Name: "Θ + κ₀κ₁", Criterion: "kernel", Instead: tangentClaim{kernel: func(k theory.Tangent) float64 {
			angle, kernel := k.Angle, math.Cos(k.Angle)
			for range k.Layers - 1 {
				c := 2 * theory.Rectified{Power: 1, Angle: angle, Norms: 1}.Mean()
				kernel += 2 * theory.Rectified{Angle: angle, Norms: 1}.Mean() * c
				angle = math.Acos(min(1, c))
			}
			return kernel
		}}},
		{Name: "the first layer not counted", Criterion: "kernel", Instead: tangentClaim{
			kernel: func(k theory.Tangent) float64 {
				k.Layers--
				return k.Kernel()
			}}},
		{Name: "E a⁴ = 1", Criterion: "variance, two layers", Instead: tangentClaim{
			variance: func(k theory.Tangent) float64 {
				return k.Variance() - 4*(1-k.Angle/math.Pi)*math.Pow(math.Cos(k.Angle), 2)
			}}},
		{Name: "product of both terms once", Criterion: "variance, two layers", Instead: tangentClaim{
			variance: func(k theory.Tangent) float64 {
				return k.Variance() - 4*theory.Rectified{Power: 1, Angle: k.Angle, Norms: 1}.Mean()*math.Cos(k.Angle)
			}}},
		{Name: "factor 1/n", Assumption: "he", Draw: func(t *props.T) tangent { return drawTangent(t, 1, 1) }},
		{Name: "gradients of the last layer", Assumption: "trained",
			Draw: func(t *props.T) tangent { return drawTangent(t, 2, 0) }},
	},
}

// drawTangent counts the gradients of all layers but the last so many times.
func drawTangent(t *props.T, gain, lower float64) tangent {
	in := tangent{Layers: rapid.IntRange(2, 8).Draw(t.T, "L"), Angle: gen.LogUniform(t.T, "θ", 0.1, 3.1)}
	angle, size := in.Angle, 1.0
	in.Kernel = lower * math.Cos(angle)
	for l := range in.Layers - 1 {
		cosine := math.Cos(angle)
		both := func(f func(u, v float64) float64) float64 { return gain * onWedge(math.Pi-angle, f) }
		if l == 0 {
			mean := both(func(u, v float64) float64 { return u*v + cosine })
			in.Variance = gain*both(func(u, v float64) float64 {
				return coarse.integrate(func(a float64) float64 { return (u*v + a*a*cosine) * (u*v + a*a*cosine) })
			}) - mean*mean
		}
		gates := both(func(_, _ float64) float64 { return 1 })
		c := both(func(u, v float64) float64 { return u * v }) / (gain / 2)
		size *= gain / 2
		if in.Kernel = in.Kernel*gates + c*size; l < in.Layers-2 {
			in.Kernel *= lower
		}
		angle = math.Atan2(math.Sqrt((1-c)*(1+c)), c)
	}
	return in
}

// nets are drawn networks at inputs with this cosine.
type nets struct {
	Layers, Width int
	Cosine        float64
	Batch         int
}

var netKinds = []string{"L = 2, cos θ = 0.3", "L = 2, cos θ = 1", "L = 3, cos θ = 1"}

var tangentKernels = props.Grid[nets, kernels, tangentClaim]{
	Name: "networks of finite width",
	Cells: func(e props.Effort) (out []nets) {
		for i := range (props.Scale{Quick: 64, Standard: 260, Deep: 8000}).At(e) {
			out = append(out, nets{2, 4, 0.3, i}, nets{2, 8, 0.3, i}, nets{2, 4, 1, i}, nets{2, 8, 1, i})
			if i%2 == 0 {
				out = append(out, nets{3, 3, 1, i}, nets{3, 8, 1, i})
			}
		}
		return out
	},
	Regimes: netKinds,
	Measure: func(t *props.Trial, c nets) kernels { return c.draw(t, t.Rand.NormFloat64) },
	Claim:   exactTangent,
	Conclude: func(r *props.Record, cells []nets, all []kernels, claim tangentClaim) {
		// Scatter of a batch, and its skewness; see batch.
		means := byKind{Limit: props.Limit{Name: tangentMean, SD: 0.043, Bias: 0.043 * 0.43 / 6}}
		variances := byKind{Limit: props.Limit{Name: tangentVariance, SD: 0.057, Bias: 0.057 * 0.43 / 6}}
		for i, c := range cells {
			kind := fmt.Sprintf("L = %d, cos θ = %v", c.Layers, c.Cosine)
			k := theory.Tangent{Layers: c.Layers, Angle: math.Acos(c.Cosine)}
			mean := claim.kernel(k)
			means.add(kind, all[i].Kernel/mean)
			if c.Layers == 2 {
				deviation := all[i].Square - 2*mean*all[i].Kernel + mean*mean
				variances.add(kind, float64(c.Width)*deviation/claim.variance(k))
			}
		}
		judgeKinds(r, netKinds, means, variances)
	},
	Controls: []props.WrongCell[nets, kernels, tangentClaim]{
		{Name: "weights of random sign", Assumption: "normal", Criterion: tangentVariance,
			On: func(c nets) bool { return c.Layers == 2 && c.Width == 4 && c.Cosine == 1 },
			Measure: func(t *props.Trial, c nets) kernels {
				return c.draw(t, func() float64 { return float64(2*t.Rand.IntN(2) - 1) })
			}},
		{Name: "one layer more", Criterion: tangentMean, Instead: tangentClaim{kernel: func(k theory.Tangent) float64 {
			k.Layers++
			return k.Kernel()
		}, variance: theory.Tangent.Variance}},
		{Name: "Θ₂ + 2 for three layers", Criterion: tangentMean + eachKind, Instead: tangentClaim{
			kernel: func(k theory.Tangent) float64 { return k.Kernel() + max(0, float64(k.Layers-2)) }}},
		{Name: "variance 12 at every angle", Criterion: tangentVariance + eachKind, Instead: tangentClaim{
			variance: func(k theory.Tangent) float64 { return 12 }}},
	},
	Replicates: 1,
	Chosen: map[string][]string{"scatter and bias": {tangentMean, tangentVariance, tangentMean + eachKind,
		tangentVariance + eachKind}},
	Coarse: map[string]string{tangentMean: meanOfNets, tangentVariance: meanOfNets, tangentMean + eachKind: meanOfNets,
		tangentVariance + eachKind: meanOfNets},
}

const (
	tangentMean     = "mean of Θ over its prediction"
	tangentVariance = "variance of Θ over its prediction, two layers"
	meanOfNets      = "a mean over networks"
)

// batch is the number of networks whose mean of Θ scatters by 0.043, and mean square deviation by 0.057 in two layers.
func (c nets) batch() int {
	switch {
	case c.Layers > 2 && c.Width > 4:
		return 600
	case c.Layers > 2:
		return 2000
	case c.Width > 4:
		return 1400
	}
	return 2150
}

func (c nets) draw(t *props.Trial, weight func() float64) (out kernels) {
	count := float64(c.batch())
	for range int(count) {
		k := tangentKernel(weight, c.Layers, c.Width, c.Cosine)
		out.Kernel, out.Square = out.Kernel+k/count, out.Square+k*k/count
	}
	return out
}

// tangentKernel returns the kernel of one network, from a forward and a backward pass of both inputs.
func tangentKernel(weight func() float64, layers, n int, cosine float64) (kernel float64) {
	h := make([][2][]float64, layers)                                             // inputs of the layers
	h[0] = [2][]float64{{1, 0}, {cosine, math.Sqrt((1 - cosine) * (1 + cosine))}} // unit vectors
	w := make([][]float64, layers)
	scale := func(l int) float64 {
		if l == 0 {
			return 1
		}
		return math.Sqrt(2 / float64(n))
	}
	for l := range layers - 1 {
		in := len(h[l][0])
		w[l] = make([]float64, n*in)
		h[l+1] = [2][]float64{make([]float64, n), make([]float64, n)}
		for i := range w[l] {
			w[l][i] = scale(l) * weight()
		}
		for i := range n {
			for k := range 2 {
				h[l+1][k][i] = max(0, floats.Dot(w[l][i*in:(i+1)*in], h[l][k]))
			}
		}
	}
	back := [2][]float64{{1}, {1}}
	w[layers-1] = make([]float64, n)
	for i := range n {
		w[layers-1][i] = scale(layers-1) * weight()
	}
	for l := layers - 1; l >= 0; l-- {
		kernel += scale(l) * scale(l) * floats.Dot(back[0], back[1]) * floats.Dot(h[l][0], h[l][1])
		for k := range back {
			next := make([]float64, len(h[l][k]))
			for i, delta := range back[k] {
				floats.AddScaled(next, delta, w[l][i*len(next):(i+1)*len(next)])
			}
			for j, x := range h[l][k] {
				if x <= 0 {
					next[j] = 0
				}
			}
			back[k] = next
		}
	}
	return kernel
}

func tryNTK(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, layers, m := v.Float("n"), v.Float("layers"), v.Int("networks")
	t.Need(float64(m)*n*(2+n*(layers-2)) <= 1e10, "M networks have Mn(2 + n(L−2)) ≤ 10¹⁰ weights")
	var sum, squares float64
	for range m {
		k := tangentKernel(t.Rand.NormFloat64, int(layers), int(n), v.Float("c"))
		sum, squares = sum+k, squares+k*k
	}
	mean := sum / float64(m)
	return map[string]float64{"kernel": mean, "variance": (squares - mean*sum) / float64(m-1)}, nil
}
