package width

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// changeOfKernel integrates over one neuron, and steps in drawn networks.
var changeOfKernel = props.Spec{
	Statement: &theory.KernelChange,
	Checks:    []props.Check{neuronMeans, catapults, steppedPairs},
	Along: &props.Along{Param: "n", From: 64, To: 4096, Of: []string{"kernel"}, Places: 4, Reps: 3,
		At:   map[string]string{"networks": "40"},
		Each: &props.ParamSweep{Name: "activation", Values: []string{"tanh", "relu"}}},
	Try: &props.Simulation{Run: tryKernelChange, Params: []statement.Param{{Name: "networks", Symbol: "M",
		Meaning: "number of networks of pairs", Domain: statement.IntegerBetween(1, 1e6), Default: "400"}}},
}.Claim()

// changes are, for one neuron and ε = s/√n, the change of its part of nΘ, and that of √n f beyond the linear part.
// The readout moves by its gradient so many times.
func changes(act string, a, u, epsilon, readout float64) (kernel, output float64) {
	phi := activations[act]
	f, d := phi.Value(u), phi.Slope(u)
	next, moved := a+readout*epsilon*f, u+epsilon*a*d
	g, e := phi.Value(moved), phi.Slope(moved)
	return g*g + next*next*e*e - f*f - a*a*d*d, next*g - a*f - epsilon*(f*f+a*a*d*d)
}

// neuron is a step, and the limits for n → ∞ of the mean changes of kernel and output and of their variances, with how
// well they are known. The variances belong to smooth activations.
type neuron struct {
	Activation     string
	Step           float64
	Limits, Errors []float64
}

type changeClaim struct {
	kernel, output, kernelVariance, outputVariance func(theory.OneStep) float64
}

var exactChange = changeClaim{theory.OneStep.Kernel, theory.OneStep.Output, theory.OneStep.KernelVariance,
	theory.OneStep.OutputVariance}

var neuronMeans = props.Drawn[neuron, changeClaim]{
	Name:    "one neuron, integrated and extrapolated in its width",
	Cases:   props.Scale{Quick: 24, Standard: 100, Deep: 4000},
	Regimes: []string{"odd activation", "softplus", "ReLU"},
	Draw:    func(t *props.T) neuron { return drawNeuron(t, 1) },
	Claim:   exactChange,
	Judge: func(r *props.Record, in neuron, claim changeClaim) {
		k := theory.OneStep{Activation: in.Activation, Step: in.Step}
		r.RegimeOf(in.Activation == "softplus", in.Activation == "relu")
		r.Within("mean change of the kernel", in.Limits[0], claim.kernel(k), in.Errors[0])
		r.Within("mean change of the output", in.Limits[1], claim.output(k), in.Errors[1])
		if in.Activation != "relu" {
			r.Within("variance of the kernel's change", in.Limits[2], claim.kernelVariance(k), in.Errors[2])
			r.Within("variance of the output's change", in.Limits[3], claim.outputVariance(k), in.Errors[3])
		}
	},
	Controls: []props.Wrong[neuron, changeClaim]{
		{Name: "readout that stays", Assumption: "both", Draw: func(t *props.T) neuron { return drawNeuron(t, 0) }},
		{Name: "a step twice as large", Assumption: "scaled", Criterion: "mean change of the kernel",
			Instead: changeClaim{kernel: func(k theory.OneStep) float64 {
				k.Step *= 2
				return k.Kernel()
			}}},
		{Name: "constants of tanh", Assumption: "smooth", Criterion: "mean change of the kernel",
			Instead: changeClaim{kernel: func(k theory.OneStep) float64 {
				k.Activation = "tanh"
				return k.Kernel()
			}}},
		{Name: "output s³m", Criterion: "mean change of the output", Instead: changeClaim{
			output: func(k theory.OneStep) float64 { return k.Step * k.Kernel() }}},
		{Name: "variance larger by a thousandth", Criterion: "variance of the kernel's change", Instead: changeClaim{
			kernelVariance: func(k theory.OneStep) float64 { return 1.001 * k.KernelVariance() }}},
		{Name: "output's variance larger by a thousandth", Criterion: "variance of the output's change",
			Instead: changeClaim{outputVariance: func(k theory.OneStep) float64 { return 1.001 * k.OutputVariance() }}},
	},
	Replicates: 3,
	Coarse: map[string]string{"mean change of the output": "the ReLU's is extrapolated in powers of n^(−½), which loses " +
		"digits"},
}

// drawNeuron integrates over a and u at six widths, and extrapolates what a power of the width makes of the means and
// variances to where 1/n, or for the ReLU 1/√n, is 0. A change rounds by 100u, and is of size ε or ε² in the squares.
func drawNeuron(t *props.T, readout float64) neuron {
	in := neuron{Activation: rapid.SampledFrom([]string{"tanh", "erf", "sine", "softplus", "relu"}).Draw(t.T, "φ"),
		Step: gen.LogUniform(t.T, "|s|", 0.1, 3) * float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign")-1)}
	columns, roundings := make([][]*mat.Dense, 4), make([][]float64, 4)
	for k := range 6 {
		n, power := math.Ldexp(128, k), 1.0
		if in.Activation == "relu" {
			n, power = math.Ldexp(256, 2*k), 0.5
		}
		epsilon := in.Step / math.Sqrt(n)
		m, size := in.moments(epsilon, readout), math.Abs(epsilon)
		for j, factor := range []float64{math.Pow(n, power), math.Pow(n, power+0.5), n, n * n} {
			columns[j] = append(columns[j], mat.NewDense(1, 1, []float64{factor * m[j]}))
			roundings[j] = append(roundings[j], 1e-14*factor*[]float64{1, 1, size, size * size}[j])
		}
	}
	for j := range columns {
		limit, err := order.Limit(columns[j], roundings[j])
		in.Limits, in.Errors = append(in.Limits, limit.At(0, 0)), append(in.Errors, 2*err) // the next one may add as much
	}
	return in
}

// moments are the means of both changes, and of their squares less those of the means.
func (in neuron) moments(epsilon, readout float64) (m [4]float64) {
	add := func(a, u, weight float64) {
		kernel, output := changes(in.Activation, a, u, epsilon, readout)
		for j, x := range []float64{kernel, output, kernel * kernel, output * output} {
			m[j] += weight * x
		}
	}
	if in.Activation != "relu" {
		for i, a := range coarse.nodes {
			for j, u := range fine.nodes {
				add(a, u, coarse.weights[i]*fine.weights[j])
			}
		}
	}
	if in.Activation == "relu" {
		onActive(epsilon, add)
	}
	return [4]float64{m[0], m[1], m[2] - m[0]*m[0], m[3] - m[1]*m[1]}
}

// fine is for activations whose powers have poles at ±iπ/2.
var fine = trapezoid(0.125)

// catapult is a step of a network whose activation is the identity, seen through f and Θ.
type catapult struct {
	A      []float64 `npy:"a"`
	B      []float64 `npy:"b"` // f = n^(−1/2) a·b
	Step   float64   `npy:"s"`
	Output float64   `npy:"f"`     // after the step
	Theta  float64   `npy:"theta"` // after the step
}

// Valid names the hypothesis that a user's numbers violate.
func (in catapult) Valid() error { return in.before().Valid() }

func (in catapult) before() theory.Catapult {
	f, theta := linearNet(in.A, in.B)
	return theory.Catapult{Width: min(len(in.A), len(in.B)), Output: f, Theta: theta}
}

func linearNet(a, b []float64) (f, theta float64) {
	n := float64(len(a))
	return floats.Dot(a, b) / math.Sqrt(n), (floats.Dot(a, a) + floats.Dot(b, b)) / n
}

type catapultClaim func(c theory.Catapult, s float64) (output, theta float64)

var catapults = props.Drawn[catapult, catapultClaim]{
	Name:  "the identity, exactly",
	Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
	Draw:  drawCatapult,
	Claim: theory.Catapult.Next,
	Judge: func(r *props.Record, in catapult, claim catapultClaim) {
		before := in.before()
		f, theta := claim(before, in.Step)
		// n + 10 roundings of sums whose terms are at most (1 + |s|)²Θ√n in total
		size := math.Pow(1+math.Abs(in.Step), 2) * before.Theta * math.Sqrt(float64(before.Width))
		allowed := 2 * float64(before.Width+10) * r.Unit() * size
		r.Within("f⁺", in.Output, f, allowed)
		r.Within("Θ⁺", in.Theta, theta, allowed)
	},
	Controls: []props.Wrong[catapult, catapultClaim]{
		{Name: "2 for 4, and without s²f/n", Instead: func(c theory.Catapult, s float64) (float64, float64) {
			n := float64(c.Width)
			return c.Output + s*c.Theta, c.Theta + 2*s*c.Output/n + s*s*c.Theta/n
		}},
		{Name: "√n for n", Criterion: "Θ⁺", Instead: func(c theory.Catapult, s float64) (float64, float64) {
			f, theta := c.Next(s)
			return f, c.Theta + (theta-c.Theta)*math.Sqrt(float64(c.Width))
		}},
	},
}

func drawCatapult(t *props.T) catapult {
	n, r := gen.Dim(t.T, "n", 40), t.Stream("weights")
	in := catapult{A: gen.Gaussian(r, n, 1, 1).RawMatrix().Data, B: gen.Gaussian(r, n, 1, 1).RawMatrix().Data,
		Step: float64(rapid.IntRange(-30, 30).Draw(t.T, "10s")) / 10}
	epsilon := in.Step / math.Sqrt(float64(n))
	a := floats.AddScaledTo(make([]float64, n), in.A, epsilon, in.B)
	b := floats.AddScaledTo(make([]float64, n), in.B, epsilon, in.A)
	in.Output, in.Theta = linearNet(a, b)
	return in
}

// stepped are networks of pairs with tanh: so many neurons in all, in networks of one width.
type stepped struct{ Width, Batch int }

var steppedPairs = props.Grid[stepped, float64, changeClaim]{
	Name: "networks of pairs",
	Cells: func(e props.Effort) (out []stepped) {
		n := props.Scale{Quick: 1024, Standard: 4096, Deep: 4096}.At(e)
		for i := range (props.Scale{Quick: 96, Standard: 1000, Deep: 10000}).At(e) {
			out = append(out, stepped{n, i}, stepped{4 * n, i})
		}
		return out
	},
	Measure: func(t *props.Trial, c stepped) float64 {
		return pairsChange(t.Rand, "tanh", c.Width, 16384/c.Width, 1) * float64(c.Width)
	},
	Claim: exactChange,
	Conclude: func(r *props.Record, cells []stepped, all []float64, claim changeClaim) {
		smallest, limit := float64(cells[0].Width), claim.kernel(theory.OneStep{Activation: "tanh", Step: 1})
		var ratios []float64
		for _, change := range all {
			ratios = append(ratios, change/limit)
		}
		// 10.4/√n per network over m = −1.1, and 16384 neurons to a batch; the limit is off by 15/n.
		props.Limit{Name: pairsKernel, SD: 0.075, Bias: 15 / smallest}.Judge(r, ratios, 1)
	},
	Controls: []props.WrongCell[stepped, float64, changeClaim]{
		{Name: "a change of n^(−1/2), right at n = 256", Alter: func(c stepped, change *float64) {
			*change *= 16 / math.Sqrt(float64(c.Width))
		}},
		{Name: "without the term in φ₃", Instead: changeClaim{kernel: func(k theory.OneStep) float64 {
			return k.Kernel() + 1.44*k.Step*k.Step
		}}},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"scatter and bias": {pairsKernel}},
	Coarse:     map[string]string{pairsKernel: "a mean over networks; the integrals resolve the constant"},
}

const pairsKernel = "n(Θ⁺ − Θ) over its limit"

// pairsChange is the mean of Θ⁺ − Θ over networks of pairs.
func pairsChange(r *rand.Rand, act string, width, networks int, s float64) (sum float64) {
	epsilon, pairs := s/math.Sqrt(float64(width)), (networks*width+1)/2
	for range pairs {
		a, u := r.NormFloat64(), r.NormFloat64()
		for _, a := range []float64{a, -a} {
			kernel, _ := changes(act, a, u, epsilon, 1)
			sum += kernel / float64(2*pairs)
		}
	}
	return sum
}

func tryKernelChange(t *props.Trial, v statement.Values) (map[string]float64, error) {
	t.Need(v.Float("n")*v.Float("networks") <= 1e9, "M networks of width n have Mn ≤ 10⁹ neurons")
	change := pairsChange(t.Rand, v.Choice("activation"), v.Int("n"), v.Int("networks"), v.Float("s"))
	return map[string]float64{"kernel": change}, nil
}
