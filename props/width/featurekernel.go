package width

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// featureKernel takes a step with networks, and samples units that have taken one.
var featureKernel = props.Spec{
	Statement: &theory.FeatureKernel,
	Checks:    []props.Check{featureSteps, unitChanges, kernelChanges},
	Try: &props.Simulation{Params: []statement.Param{{Name: "networks", Symbol: "", Meaning: "networks sampled",
		Domain: statement.IntegerBetween(1, 1e6), Default: "1000"}}, Run: tryFeatures},
	Along: &props.Along{Param: "n", From: 4, To: 1024, Of: []string{"rms"}, Y: "change of the kernel, root mean square",
		Each: &props.ParamSweep{Name: "parametrisation", Values: []string{"maximal", "tangent"}}},
}.Claim()

// featureStep is a step of a network, seen through its pre-activations.
type featureStep struct {
	Parametrisation string    `npy:"parametrisation"`
	S               float64   `npy:"s"`
	U               []float64 `npy:"u"`
	A               []float64 `npy:"a"`
	After           []float64 `npy:"after"`
}

func (in featureStep) statement() theory.FeatureStep {
	return theory.FeatureStep{Tangent: in.Parametrisation == "tangent", N: len(in.U), S: in.S}
}

// Valid names the violated hypothesis.
func (in featureStep) Valid() error { return in.statement().Valid() }

var featureSteps = props.Drawn[featureStep, func(theory.FeatureStep) float64]{
	Name:    "one step of the features",
	Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
	Regimes: []string{"maximal", "tangent"},
	Draw:    func(t *props.T) featureStep { return drawFeatures(t, nn.ReLU, false) },
	Claim:   theory.FeatureStep.Shift,
	Judge: func(r *props.Record, in featureStep, claim func(theory.FeatureStep) float64) {
		r.RegimeOf(in.Parametrisation == "tangent")
		m, want := claim(in.statement()), make([]float64, len(in.U))
		for j, u := range in.U {
			want[j] = u
			if u > 0 {
				want[j] += m * in.A[j]
			}
		}
		r.WithinVector("u⁺", in.After, want, 32*r.Unit()*(floats.Norm(in.U, 2)+math.Abs(in.S)*floats.Norm(in.A, 2)))
	},
	Controls: []props.Wrong[featureStep, func(theory.FeatureStep) float64]{
		{Name: "softplus units", Assumption: "gate",
			Draw: func(t *props.T) featureStep { return drawFeatures(t, nn.Softplus, false) }},
		{Name: "tangent for maximal parametrisation, and the reverse", Assumption: "scaling",
			Draw: func(t *props.T) featureStep { return drawFeatures(t, nn.ReLU, true) }},
		{Name: "s/n for s/√n", Instead: func(f theory.FeatureStep) float64 {
			if f.Tangent {
				return f.S / float64(f.N)
			}
			return f.S
		}},
	},
}

// drawFeatures takes a step on minus the output with a network of raw weights, whose parametrisation may be the other
// one than it says.
func drawFeatures(t *props.T, act nn.Activation, exchanged bool) featureStep {
	in := featureStep{Parametrisation: rapid.SampledFrom([]string{"maximal", "tangent"}).Draw(t.T, "parametrisation"),
		S: float64(rapid.IntRange(-16, 16).Draw(t.T, "4s")) / 4}
	n, d, r := 1+gen.Dim(t.T, "n − 1", 30), gen.Dim(t.T, "d", 4), t.Stream("weights")
	name := in.Parametrisation
	if exchanged {
		name = map[string]string{"tangent": "maximal", "maximal": "tangent"}[name]
	}
	net, x := drawRaw(r, theory.NamedParametrisation(name, 1, false), act, n, d), mat.Col(nil, 0, gen.Orthonormal(r, d, 1))
	var before, after nn.Pass
	net.effective().Forward(x, &before)
	net.step(x, -in.S).effective().Forward(x, &after)
	in.U, in.After = before.Pre[0], after.Pre[0]
	in.A = make([]float64, n)
	floats.ScaleTo(in.A, widthPower(net.n, net.B[1]), net.w[1].RawRowView(0))
	return in
}

// unitChange is a step of N units with the mean and the mean square of what it changes the kernel by.
type unitChange struct {
	kernelCell
	Mean, Square float64
}

var unitChanges = props.Drawn[unitChange, kernelClaim]{
	Name:    "change of the kernel, integrated over a unit",
	Cases:   props.Scale{Quick: 24, Standard: 100, Deep: 4000},
	Regimes: []string{"maximal", "tangent"},
	Draw:    drawUnit,
	Claim:   exactKernel,
	Judge: func(r *props.Record, in unitChange, claim kernelClaim) {
		r.RegimeOf(in.Parametrisation == "tangent")
		// 6·10⁴ roundings of a sum, whose terms are at most 2m|ua| + m²a²
		m, rounding := math.Abs(in.shift()), 6e4*r.Unit()
		allowed := rounding * (2*m + m*m)
		r.Within("E ΔK", in.Mean, claim.mean(in.statement()), allowed)
		r.Within("E ΔK²", in.Square, claim.square(in.statement()), 2*allowed*in.Mean+rounding*in.Square)
	},
	Controls: []props.Wrong[unitChange, kernelClaim]{
		{Name: "s²/2 for a unit in maximal parametrisation as well", Criterion: "E ΔK", Instead: kernelClaim{
			mean: func(f theory.FeatureStep) float64 { return f.Shift() * f.Shift() / 2 }}},
		{Name: "a second moment of a unit for its variance", Criterion: "E ΔK²", Instead: kernelClaim{
			square: func(f theory.FeatureStep) float64 { return f.Square() + f.Mean()*f.Mean()/float64(f.N) }}},
	},
}

func drawUnit(t *props.T) unitChange {
	in := unitChange{kernelCell: kernelCell{N: 1 + gen.Dim(t.T, "n − 1", 1000),
		Parametrisation: rapid.SampledFrom([]string{"maximal", "tangent"}).Draw(t.T, "parametrisation"),
		S:               gen.LogUniform(t.T, "|s|", 0.1, 4) * float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign")-1)}}
	m, square := in.shift(), 0.0
	onActive(m, func(a, u, weight float64) {
		after := max(stepUnit(u, a, m), 0)
		change := after*after - u*u
		in.Mean, square = in.Mean+weight*change, square+weight*change*change
	})
	in.Square = in.Mean*in.Mean + (square-in.Mean*in.Mean)/float64(in.N) // units are independent
	return in
}

// kernelCell is a step of N units; Index numbers batches of networks.
type kernelCell struct {
	Parametrisation string
	S               float64
	N, Index        int
}

func (c kernelCell) statement() theory.FeatureStep {
	return theory.FeatureStep{Tangent: c.Parametrisation == "tangent", N: c.N, S: c.S}
}

// shift is by how much a unit moves for each unit of its output weight.
func (c kernelCell) shift() float64 {
	if c.Parametrisation == "tangent" {
		return c.S / math.Sqrt(float64(c.N))
	}
	return c.S
}

// featureChange are means over networks of the change of the kernel and of its square.
type featureChange struct{ Mean, Square float64 }

type kernelClaim struct {
	mean, square func(theory.FeatureStep) float64
}

var exactKernel = kernelClaim{theory.FeatureStep.Mean, theory.FeatureStep.Square}

var kernelSteps = []kernelCell{{"maximal", 1, 8, 0}, {"maximal", 1, 32, 0}, {"maximal", -0.5, 32, 0},
	{"tangent", 3, 8, 0}, {"tangent", 3, 32, 0}}

var kernelChanges = props.Grid[kernelCell, featureChange, kernelClaim]{
	Name: "change of the kernel",
	Cells: func(e props.Effort) (all []kernelCell) {
		for i := range (props.Scale{Quick: 112, Standard: 700, Deep: 5000}).At(e) {
			for _, c := range kernelSteps {
				c.Index = i
				all = append(all, c)
			}
		}
		return all
	},
	Cost:    func(c kernelCell) float64 { return float64(c.N * c.networks()) },
	Regimes: []string{"maximal", "tangent"},
	Measure: func(t *props.Trial, c kernelCell) featureChange { return sampleChanges(t, c, c.networks(), stepUnit) },
	Claim:   exactKernel,
	Conclude: func(r *props.Record, cells []kernelCell, all []featureChange, claim kernelClaim) {
		for _, step := range kernelSteps {
			var means, squares []float64
			for i, c := range cells {
				if c.Index = 0; c == step {
					means = append(means, all[i].Mean/claim.mean(c.statement()))
					squares = append(squares, all[i].Square/claim.square(c.statement()))
				}
			}
			if len(means) == 0 { // a control measures others
				continue
			}
			r.Regime(step.Parametrisation)
			props.Limit{Name: "E ΔK", SD: 0.045, Bias: 0.002}.Judge(r, means, 1)
			props.Limit{Name: "E ΔK²", SD: 0.1, Bias: 0.012}.Judge(r, squares, 1)
		}
	},
	Controls: []props.WrongCell[kernelCell, featureChange, kernelClaim]{
		{Name: "s²/2 in maximal parametrisation as well", Criterion: "E ΔK", Instead: kernelClaim{
			mean: func(f theory.FeatureStep) float64 { return f.Shift() * f.Shift() / 2 }}},
		{Name: "gates that are forgotten", Assumption: "gate", Criterion: "E ΔK", On: oneStep,
			Measure: func(t *props.Trial, c kernelCell) featureChange {
				return sampleChanges(t, c, c.networks(), func(u, a, m float64) float64 { return u + m*a })
			}},
		{Name: "|a| for a", Assumption: "independent", Criterion: "E ΔK", On: oneStep,
			Measure: func(t *props.Trial, c kernelCell) featureChange {
				return sampleChanges(t, c, c.networks(), func(u, a, m float64) float64 { return stepUnit(u, math.Abs(a), m) })
			}},
		{Name: "no fluctuation", Criterion: "E ΔK²", Instead: kernelClaim{
			square: func(f theory.FeatureStep) float64 { return f.Mean() * f.Mean() }}},
	},
	Replicates: 1,
	Chosen:     map[string][]string{"scatter and bias": {"E ΔK", "E ΔK²"}},
	Coarse:     map[string]string{"E ΔK²": "squares of a change that is a sum over few units have heavy tails"},
}

func oneStep(c kernelCell) bool { return c.Parametrisation == "maximal" && c.N == 32 && c.S == 1 }

// networks are so many that the mean of a batch scatters by some four per cent of itself.
func (c kernelCell) networks() int {
	if c.Parametrisation == "tangent" {
		return 750
	}
	return int(10000 / math.Abs(c.S) / float64(c.N))
}

// stepUnit is a pre-activation after a step.
func stepUnit(u, a, m float64) float64 {
	if u > 0 {
		return u + m*a
	}
	return u
}

// sampleChanges samples networks of independent units, whose pre-activations a step changes.
func sampleChanges(t *props.Trial, c kernelCell, networks int, step func(u, a, m float64) float64) (out featureChange) {
	m := c.shift()
	for range networks {
		change := 0.0
		for range c.N {
			u, a := t.Rand.NormFloat64(), t.Rand.NormFloat64()
			before, after := max(u, 0), max(step(u, a, m), 0)
			change += (after*after - before*before) / float64(c.N)
		}
		out.Mean += change / float64(networks)
		out.Square += change * change / float64(networks)
	}
	return out
}

func tryFeatures(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, networks := v.Int("n"), v.Int("networks")
	t.Need(float64(n)*float64(networks) <= 1e8, "%d networks of width %d are more than can be sampled here", networks, n)
	m := sampleChanges(t, kernelCell{v.Choice("parametrisation"), v.Float("s"), n, 0}, networks, stepUnit)
	return map[string]float64{"change": m.Mean, "rms": math.Sqrt(m.Square)}, nil
}
