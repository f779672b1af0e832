package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// outputWeights integrates over the neurons.
var outputWeights = props.Spec{
	Statement: &theory.OutputWeights,
	Along: &props.Along{Param: "tau", From: 0.1, To: 1.5, Of: []string{"kept"}, Y: "mean output over the target",
		At: map[string]string{"m": "100000"}, Each: &props.ParamSweep{Name: "k", Values: []string{"2", "3"}}, Places: 6,
		Reps: 1},
	Try: &props.Simulation{Run: tryOutputWeights},
	Checks: []props.Check{props.Drawn[readout, readoutClaim]{
		Name:    "mean, norm and variance over the neurons",
		Cases:   props.Scale{Quick: 100, Standard: 300, Deep: 10000},
		Tries:   30,
		Regimes: []string{"rows in reach", "rows beyond", "r = 1", "isotropic H", "constant or linear"},
		Draw:    func(t *props.T) readout { return drawReadout(t, false).integrate(asClaimed) },
		Claim: readoutClaim{kept: theory.RidgeSum.Kept, norm: theory.RidgeSum.Norm, bound: theory.RidgeSum.NormBound,
			variance: theory.RidgeSum.Variance, normal: [2]float64{math.Sqrt(math.Pi / 2), math.Sqrt(math.Pi * math.E / 2)}},
		Judge: judgeReadout,
		Controls: []props.Wrong[readout, readoutClaim]{
			{Name: "g of variance 1.1", Assumption: "normal", Criterion: "mean output",
				Draw: func(t *props.T) readout {
					return drawReadout(t, false).integrate(neuronLaw{math.Sqrt(1.1), 1, nn.ReLU.Value})
				}},
			{Name: "biases up to 1.05", Assumption: "biases", Criterion: "mean output",
				Draw: func(t *props.T) readout { return drawReadout(t, false).integrate(neuronLaw{1, 1.05, nn.ReLU.Value}) }},
			{Name: "leaky ReLU of slope 0.01", Assumption: "relu", Criterion: "mean output",
				Draw: func(t *props.T) readout {
					return drawReadout(t, false).integrate(neuronLaw{1, 1, func(z float64) float64 { return max(z, 0.01*z) }})
				}},
			{Name: "a target along a direction that H maps to 0", Assumption: "invertible", Criterion: "mean output",
				Draw: func(t *props.T) readout { return drawReadout(t, true).integrate(asClaimed) }},
			{Name: "all of the target at any τ", Criterion: "mean output",
				Instead: readoutClaim{kept: func(theory.RidgeSum, float64) float64 { return 1 }}},
			{Name: "norm without k!", Criterion: "mean norm", Instead: readoutClaim{norm: func(f theory.RidgeSum) float64 {
				return f.Norm() * math.Gamma(float64(f.Degree)+1)
			}}},
			{Reading: "slides-power", Criterion: "norm for isotropic H",
				Instead: readoutClaim{bound: func(f theory.RidgeSum) float64 {
					return f.NormBound() / math.Pow(f.Smallest, 2*float64(f.Degree))
				}}},
			{Name: "bound 1 % smaller", Criterion: "norm by κ", Instead: readoutClaim{
				bound: func(f theory.RidgeSum) float64 { return 0.99 * f.NormBound() }}},
			{Name: "a third of the variance", Criterion: "variance", Instead: readoutClaim{
				variance: func(f theory.RidgeSum, x, y []float64) float64 { return f.Variance(x, y) / 3 }}},
			{Name: "variance 1 % larger", Criterion: "second moment at k < 2", Instead: readoutClaim{
				variance: func(f theory.RidgeSum, x, y []float64) float64 { return 1.01 * f.Variance(x, y) }}},
			{Name: "normal biases, no more than √2 times the norm", Criterion: "norm with normal biases, at most",
				Claim: func(c *readoutClaim) { c.normal[1] = math.Sqrt2 }},
			{Name: "normal biases, at least √3 times the norm", Criterion: "norm with normal biases, at least",
				Claim: func(c *readoutClaim) { c.normal[0] = math.Sqrt(3) }},
		},
		Coarse: map[string]string{
			"norm by κ":                         "attained for isotropic H alone, where it is an equation",
			"variance":                          "a bound by t² for max(0, t)²",
			"norm with normal biases, at most":  "a bound for every weight",
			"norm with normal biases, at least": "a bound for every weight",
		},
	}},
}.Claim()

// readoutClaim holds the claimed share of the target that is kept, the norm and the variance, all for one neuron, and
// the two factors between which normal biases enlarge the norm.
type readoutClaim struct {
	kept        func(f theory.RidgeSum, tau float64) float64
	norm, bound func(theory.RidgeSum) float64
	variance    func(f theory.RidgeSum, x, y []float64) float64
	normal      [2]float64
}

// readout holds a target at a point, with moments of the output ωσ of a neuron there.
type readout struct {
	theory.RidgeSum
	X, Y         []float64 // Y is Hx
	Isotropic    bool      // whether H is isotropic
	Mean, Second float64   // of ωσ
	Norm         float64   // E ω²
	Normal       float64   // E ω² for normal biases
}

func judgeReadout(r *props.Record, in readout, claim readoutClaim) {
	f, tau := in.RidgeSum, in.tau()
	r.RegimeOf(tau > 0.25, len(in.X) == 1, in.Isotropic && len(in.X) > 1, f.Degree < 2)
	rounding := 200 * float64(f.Degree+2) * r.Unit() * in.cancelled()
	r.Within("mean output", in.Mean, f.Target(in.X)*claim.kept(f, tau), rounding*math.Sqrt(in.Second))
	r.Within("mean norm", in.Norm, claim.norm(f), rounding*in.Norm)
	r.AtMost("norm by κ", in.Norm, claim.bound(f), rounding*in.Norm)
	if in.Isotropic {
		r.Within("norm for isotropic H", in.Norm, claim.bound(f), rounding*in.Norm)
	}
	r.AtMost("variance", in.Second-in.Mean*in.Mean, claim.variance(f, in.X, in.Y), rounding*in.Second)
	if f.Degree < 2 { // z²v² is even then, and σ(t)² + σ(−t)² = t²
		r.Within("second moment at k < 2", in.Second, claim.variance(f, in.X, in.Y)/2, rounding*in.Second)
	}
	r.AtMost("norm with normal biases, at most", in.Normal, claim.normal[1]*in.Norm, rounding*in.Normal)
	r.AtLeast("norm with normal biases, at least", in.Normal, claim.normal[0]*in.Norm, rounding*in.Normal)
}

// cancelled returns (Σ|cᵢ|‖vᵢ‖ᵏ)² over the squared norm ‖Σ cᵢvᵢ^⊗k‖²: errors are relative to the former.
func (in readout) cancelled() float64 {
	f, sum := in.RidgeSum, 0.0
	for i, c := range f.Coefficients {
		sum += math.Abs(c) * math.Pow(floats.Norm(f.Pulled[i], 2), float64(f.Degree))
	}
	square := sum * sum * theory.PowerSquare(f.Degree, 0)
	return square / (math.Gamma(float64(f.Degree)+1) * math.Pow(f.Scale, 2*float64(f.Degree)) * f.Norm())
}

func (in readout) tau() float64 { return in.Scale * floats.Norm(in.Y, 2) }

// drawReadout draws H with its eigenvectors, and directions vᵢ. If singular is set, H has an eigenvalue 0, and the
// directions uᵢ of the target get a component along its eigenvector.
func drawReadout(t *props.T, singular bool) readout {
	r, k, terms := gen.Dim(t.T, "r", 3), rapid.IntRange(0, 5).Draw(t.T, "k"), gen.Dim(t.T, "terms", 3)
	if singular {
		r, k = max(r, 2), max(k, 1)
	}
	in := readout{RidgeSum: theory.RidgeSum{Degree: k, Scale: gen.LogUniform(t.T, "ρ", 0.2, 2)},
		Isotropic: !singular && rapid.Bool().Draw(t.T, "isotropic")}
	values := list.Fill(r, func(int) float64 { return gen.LogUniform(t.T, "|eigenvalue|", 0.5, 2) })
	stream := t.Stream("entries")
	for i := range values {
		if in.Isotropic {
			values[i] = values[0]
		}
	}
	in.Smallest = floats.Min(values)
	for i := range values {
		values[i] *= float64(2*stream.IntN(2) - 1)
	}
	if singular {
		values[r-1] = 0
	}
	q := gen.Orthonormal(stream, r, r)
	h := mat.NewDense(r, r, nil)
	h.Product(q, mat.NewDiagDense(r, values), q.T())
	image := func(v []float64) []float64 {
		var out mat.VecDense
		out.MulVec(h, mat.NewVecDense(r, v))
		return out.RawVector().Data
	}
	for range terms {
		v := gen.Gaussian(stream, 1, r, 1).RawRowView(0)
		u := image(v)
		if singular {
			floats.Add(u, mat.Col(nil, r-1, q))
		}
		in.Pulled, in.Directions = append(in.Pulled, v), append(in.Directions, u)
		in.Coefficients = append(in.Coefficients, stream.NormFloat64())
	}
	in.X = gen.Gaussian(stream, 1, r, 1).RawRowView(0)
	in.Y = image(in.X)
	factor := gen.LogUniform(t.T, "τ", 0.1, 3) / in.tau()
	floats.Scale(factor, in.X)
	floats.Scale(factor, in.Y)
	return in
}

// neuronLaw holds the standard deviation of g, the largest bias, and the activation.
type neuronLaw struct {
	std, end float64
	act      func(z float64) float64
}

var asClaimed = neuronLaw{1, 1, nn.ReLU.Value}

// integrate takes means over signs, biases and g: along Hx on panels between the kinks, and across by Gauss-Hermite
// quadrature.
func (in readout) integrate(law neuronLaw) readout {
	tau, axes := in.tau()*law.std, in.axes()
	var across [][]float64 // each point preceded by its weight
	for _, p := range normalGrid(in.Degree+1, len(in.X)-1) {
		across = append(across, append([]float64{p[0]}, floats.ScaleTo(make([]float64, len(p)-1), law.std, p[1:])...))
	}
	panels := breaks(list.Fill(7, func(i int) float64 { return float64(3*i - 9) }))
	for _, kink := range []float64{1 / tau, law.end / tau} {
		panels = append(panels, kink, -kink)
	}
	slices.Sort(panels)
	squares := 0.0
	for _, piece := range panels.pieces(-12, 12) {
		x, w := make([]float64, 16), make([]float64, 16)
		quad.Legendre{}.FixedLocations(x, w, piece[0], piece[1])
		for i, s := range x {
			weight := w[i] * distuv.UnitNormal.Prob(s)
			first, second := law.overBiases(in.Degree, tau*s)
			z, zz := 0.0, 0.0
			for _, p := range across {
				chaos := in.Chaos(axes(law.std*s, p[1:]))
				z, zz = z+p[0]*chaos, zz+p[0]*chaos*chaos
			}
			in.Mean, in.Second, squares = in.Mean+weight*first*z, in.Second+weight*second*zz, squares+weight*zz
		}
	}
	power := math.Pow(in.Scale, float64(in.Degree))
	in.Mean, in.Second = in.Mean/power, in.Second/(power*power)
	for _, a := range []float64{-1, 1} {
		square := func(b float64) float64 { return math.Pow(theory.PowerWeight(in.Degree, a, b), 2) / 2 }
		in.Norm += squares / (power * power) * quad.Fixed(square, -1, 1, 16, quad.Legendre{}, 0) / 2
		in.Normal += squares / (power * power) * quad.Fixed(func(b float64) float64 {
			return math.Pow(theory.NormalPowerWeight(in.Degree, a, b), 2) * distuv.UnitNormal.Prob(b) / 2
		}, -1, 1, 24, quad.Legendre{}, 0)
	}
	return in
}

// overBiases returns the means of vσ(at + b) and of its square over signs and biases.
func (l neuronLaw) overBiases(k int, t float64) (first, second float64) {
	for _, a := range []float64{-1, 1} {
		kink := min(l.end, max(-l.end, -a*t))
		for _, piece := range [][2]float64{{-l.end, kink}, {kink, l.end}} {
			x, w := make([]float64, 12), make([]float64, 12)
			if piece[0] == piece[1] {
				continue
			}
			quad.Legendre{}.FixedLocations(x, w, piece[0], piece[1])
			for i, b := range x {
				value, weight := theory.PowerWeight(k, a, b)*l.act(a*t+b), w[i]/(4*l.end)
				first, second = first+weight*value, second+weight*value*value
			}
		}
	}
	return first, second
}

// axes returns a function that converts coordinates along Hx and across it to a point.
func (in readout) axes() func(along float64, across []float64) []float64 {
	r := len(in.Y)
	var qr mat.QR
	qr.Factorize(mat.NewDense(r, 1, slices.Clone(in.Y)))
	var q mat.Dense
	qr.QTo(&q)
	q.SetCol(0, floats.ScaleTo(make([]float64, r), 1/floats.Norm(in.Y, 2), in.Y))
	return func(along float64, across []float64) []float64 {
		point := floats.ScaleTo(make([]float64, r), along, mat.Col(nil, 0, &q))
		for j, c := range across {
			floats.AddScaled(point, c, mat.Col(nil, j+1, &q))
		}
		return point
	}
}

// normalGrid returns the points of a product quadrature for independent normal numbers, each preceded by its weight.
func normalGrid(nodes, dimensions int) [][]float64 {
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	out := [][]float64{{1}}
	for range dimensions {
		out = list.Cross(out, props.Indices(nodes), func(p []float64, i int) []float64 {
			next := append(slices.Clone(p), math.Sqrt2*x[i])
			next[0] *= w[i] / math.SqrtPi
			return next
		})
	}
	return out
}

// tryOutputWeights draws neurons for a target along one direction; only the component of g along it matters.
func tryOutputWeights(t *props.Trial, v statement.Values) (map[string]float64, error) {
	f := theory.RidgeSumAlong(v.Int("k"), 1, v.Float("kappa")*math.Sqrt(v.Float("r")), v.Float("rho"))
	m := v.Int("m")
	power := math.Pow(f.Scale, float64(f.Degree)) * float64(m)
	output, norm := 0.0, 0.0
	for range m {
		g, a, b := t.Rand.NormFloat64(), float64(2*t.Rand.IntN(2)-1), 2*t.Rand.Float64()-1
		weight := theory.PowerWeight(f.Degree, a, b) * f.Chaos([]float64{g}) / power
		output += weight * nn.ReLU.Value(a*v.Float("tau")*g+b)
		norm += weight * weight
	}
	x, _ := f.Place(v.Float("tau"))
	return map[string]float64{"kept": output / f.Target(x), "norm": norm}, nil
}
