package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// taylor pairs the sum of the Taylor errors with networks without biases.
var taylor = props.Spec{
	Statement: &theory.Taylor,
	Along: &props.Along{
		Param: "degree", From: 0.5, To: 3, Of: []string{"sum"},
		Each: &props.ParamSweep{Name: "samples", Values: []string{"20", "40", "80"}},
	},
	Try: &props.Simulation{Run: simulateTaylor},
	Checks: []props.Check{
		props.Drawn[homogeneous, taylorSum]{
			Name:    "all pairs of samples",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   36,
			Regimes: []string{"any samples", "centred samples", powerSums},
			Draw:    drawHomogeneous,
			Claim:   theory.HomogeneousSum.Errors,
			Judge:   judgeHomogeneous,
			Controls: []props.Wrong[homogeneous, taylorSum]{
				{Name: "GELU networks", Assumption: "homogeneous", Draw: func(t *props.T) homogeneous {
					in := drawNetworks(t, func(_ *rand.Rand, l *nn.Layer) { l.Act = nn.GELU })
					in.Degree = 1
					return in
				}},
				{Name: "networks with biases", Assumption: "homogeneous", Draw: func(t *props.T) homogeneous {
					return drawNetworks(t, func(r *rand.Rand, l *nn.Layer) {
						width, _ := l.W.Dims()
						l.B = gen.Integers(r, width, 1, 2).RawMatrix().Data
					})
				}},
				{Name: "zero, whatever the samples and the outputs", Assumption: "centred",
					Instead: func(theory.HomogeneousSum) float64 { return 0 }},
				{Name: "degree one for any degree",
					Instead: func(s theory.HomogeneousSum) float64 { s.Degree = 1; return s.Errors() }},
				{Name: "sums of two different powers", Assumption: "homogeneous", Draw: func(t *props.T) homogeneous {
					return drawPowerSum(t, func(degrees []float64, j int) float64 { return degrees[j] })
				}},
			},
		},
	},
}.Claim()

// powerSums are functions of a degree that need not be 1, 2 or 4.
const powerSums = "any degree"

// taylorSum is the sum of the Taylor errors.
type taylorSum func(theory.HomogeneousSum) float64

// homogeneous is a function at samples.
type homogeneous struct {
	H         *mat.Dense `npy:"H"` // n×N
	Values    []float64  `npy:"f"`
	Gradients *mat.Dense `npy:"gradients"` // n×N
	Degree    float64    `npy:"degree"`
}

// square is z², and squaredReLU is max(z, 0)².
var (
	square = nn.Activation{Name: "square", Value: func(z float64) float64 { return z * z },
		Slope: func(z float64) float64 { return 2 * z }}
	squaredReLU = nn.Activation{Name: "squared relu", Value: func(z float64) float64 { return z * max(z, 0) },
		Slope: func(z float64) float64 { return 2 * max(z, 0) }}
)

// drawPowerSum draws f(h) = Σⱼ aⱼ|hⱼ|ᵐ with degrees m between −3 and 5, of which degreeOf takes one for the j-th term,
// at samples without zeros. Functions that a network makes have few degrees.
func drawPowerSum(t *props.T, degreeOf func(degrees []float64, j int) float64) homogeneous {
	n, count, r := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "N", 6), t.Stream("entries")
	degrees := make([]float64, n)
	for j := range degrees {
		degrees[j] = float64(rapid.IntRange(-12, 20).Draw(t.T, "4m")) / 4
		degrees[j] = degreeOf(degrees, j)
	}
	a := gen.Gaussian(r, n, 1, 1)
	out := homogeneous{H: gen.Gaussian(r, n, count, 1), Degree: degrees[0], Gradients: mat.NewDense(n, count, nil)}
	for k := range count {
		sum := 0.0
		for j, m := range degrees {
			h := out.H.At(j, k)
			h += math.Copysign(0.5, h)
			term := a.At(j, 0) * math.Pow(math.Abs(h), m)
			sum += term
			out.H.Set(j, k, h)
			out.Gradients.Set(j, k, m*term/h)
		}
		out.Values = append(out.Values, sum)
	}
	return out
}

// drawHomogeneous draws a sum of powers or a network. A network of dead units is drawn anew, a few times: where nothing
// is added up, nothing would be noticed.
func drawHomogeneous(t *props.T) homogeneous {
	if rapid.IntRange(0, 3).Draw(t.T, "sum of powers when zero") == 0 {
		return drawPowerSum(t, func(degrees []float64, _ int) float64 { return degrees[0] })
	}
	return drawNetworks(t, func(*rand.Rand, *nn.Layer) {})
}

// drawNetworks draws networks until one is not dead, their hidden layers changed in some way.
func drawNetworks(t *props.T, change func(*rand.Rand, *nn.Layer)) homogeneous {
	r, out := t.Stream("entries"), homogeneous{}
	for tries := 0; tries < 8 && floats.Norm(out.Values, 1) == 0; tries++ {
		out = drawHomogeneousNetwork(t, r, change)
	}
	return out
}

// drawHomogeneousNetwork draws a network with two hidden layers, of degree 1, 2 or 4, and samples, all of small
// integers: sums and products stay below 2⁵³ and are exact. Centred samples end with minus the sum of the others.
func drawHomogeneousNetwork(t *props.T, r *rand.Rand, change func(*rand.Rand, *nn.Layer)) homogeneous {
	n, width, count := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "width", 3), gen.Dim(t.T, "N", 6)
	acts := []nn.Activation{nn.Identity, nn.ReLU, nn.LeakyReLU, square, squaredReLU}
	out := homogeneous{Degree: 1}
	net := nn.Net{{W: gen.Integers(r, width, n, 2)}, {W: gen.Integers(r, width, width, 2)},
		{W: gen.Integers(r, 1, width, 2)}}
	net[2].Act = nn.Identity
	for l := range 2 {
		net[l].Act = rapid.SampledFrom(acts).Draw(t.T, "activation")
		if net[l].Act.Name == square.Name || net[l].Act.Name == squaredReLU.Name {
			out.Degree *= 2
		}
		change(r, &net[l])
	}
	out.H = gen.Integers(r, n, count, 2)
	if rapid.Bool().Draw(t.T, "centred") {
		for i := range n {
			out.H.Set(i, count-1, out.H.At(i, count-1)-mat.Sum(out.H.RowView(i)))
		}
	}
	at := atSamples(net, out.H)
	at.Degree = out.Degree
	return at
}

func judgeHomogeneous(r *props.Record, h homogeneous, claim taylorSum) {
	n, count := h.H.Dims()
	sum, size := 0.0, 0.0
	samples, gradients := make([]float64, n), make([]float64, n)
	for k := range count {
		g, at := mat.Col(nil, k, h.Gradients), mat.Col(nil, k, h.H)
		floats.Add(samples, at)
		floats.Add(gradients, g)
		for i := range count {
			step := mat.Col(nil, i, h.H)
			length := floats.Norm(step, 2) + floats.Norm(at, 2)
			floats.Sub(step, at)
			sum += h.Values[i] - h.Values[k] - floats.Dot(g, step)
			size += math.Abs(h.Values[i]) + math.Abs(h.Values[k]) + floats.Norm(g, 2)*length
		}
	}
	s := theory.HomogeneousSum{Samples: count, Degree: h.Degree, Output: floats.Sum(h.Values),
		Cross: floats.Dot(samples, gradients)}
	r.RegimeOf(floats.Norm(samples, 2) <= 64*float64(count)*r.Unit()*mat.Norm(h.H, 2),
		h.Degree != 1 && h.Degree != 2 && h.Degree != 4)
	scale := float64(count) * math.Abs(s.Degree) * floats.Norm(h.Values, 1) // of Σf, which may cancel
	allowed := max(float64(count*count+n+108)*r.Unit()*size, 0x1p-1022)     // a network of dead units is zero
	r.WithinScale("sum of the Taylor errors", sum, claim(s), scale, allowed)
}

// simulateTaylor adds up the errors over all pairs for f(h) = a₁|w₁·h|ᵐ + a₂|w₂·h|ᵐ at Gaussian samples. The sums at
// given parameters are linear in a.
func simulateTaylor(t *props.Trial, v statement.Values) (map[string]float64, error) {
	const n = 3
	count, degree := v.Int("samples"), v.Float("degree")
	t.Need(count <= 2000, "a simulation adds up all pairs of at most 2000 samples")
	power := nn.Activation{Name: "power", Value: func(z float64) float64 { return math.Pow(math.Abs(z), degree) },
		Slope: func(z float64) float64 { return degree * math.Copysign(math.Pow(math.Abs(z), degree-1), z) }}
	net := nn.Net{{W: gen.Gaussian(t.Rand, 2, n, 1), Act: power}, {W: mat.NewDense(1, 2, nil), Act: nn.Identity}}
	h := gen.Gaussian(t.Rand, n, count, 1)
	var sums, a mat.Dense // of a = (1, 0) and (0, 1): outputs and products
	sums.ReuseAs(2, 2)
	for j := range 2 {
		net[1].W.SetRow(0, []float64{float64(1 - j), float64(j)})
		f := atSamples(net, h)
		sums.SetCol(j, []float64{floats.Sum(f.Values), floats.Dot(rowSums(f.H), rowSums(f.Gradients))})
	}
	want := mat.NewDense(2, 1, []float64{v.Float("output"), v.Float("cross")})
	t.Need(a.Solve(&sums, want) == nil, "no such function has these sums: one sample and degree 0 fix one by the other, "+
		"and large degrees leave the range of float64")
	net[1].W.Copy(a.T())
	f, sum := atSamples(net, h), 0.0
	for i := range count {
		for k := range count {
			sum += f.Values[i] - f.Values[k]
			for j := range n {
				sum -= f.Gradients.At(j, k) * (h.At(j, i) - h.At(j, k))
			}
		}
	}
	return map[string]float64{"sum": sum}, nil
}

// atSamples are the outputs of a network with one output, and its gradients in the samples.
func atSamples(net nn.Net, h *mat.Dense) homogeneous {
	n, count := h.Dims()
	out := homogeneous{H: h, Gradients: mat.NewDense(n, count, nil)}
	for k := range count {
		f := net.Forward(mat.Col(nil, k, h), nil)[0]
		pass := net.Backprop(mat.Col(nil, k, h), []float64{f - 1}) // a loss of slope 1
		out.Values = append(out.Values, f)
		out.Gradients.SetCol(k, pass.InputGrad[0])
	}
	return out
}

func rowSums(m *mat.Dense) []float64 {
	rows, _ := m.Dims()
	return list.Fill(rows, func(i int) float64 { return floats.Sum(m.RawRowView(i)) })
}
