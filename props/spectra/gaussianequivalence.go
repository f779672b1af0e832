package spectra

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// gaussianEquivalence finds the second moment of quadratic features by quadrature, and samples resolvents.
var gaussianEquivalence = props.Spec{
	Statement: &theory.GaussianEquivalence,
	Checks:    []props.Check{featureMoment, featureResolvents},
	Along:     &props.Along{Param: "lambda", From: 0.01, To: 10, Of: []string{"kernel"}, Reps: 3},
	Try: &props.Simulation{Run: tryFeatures, Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "samples",
		Domain: statement.IntegerBetween(2, 2000), Default: "100"}}},
}.Claim()

// momentAt are quadratic features with E (1/n) tr K² by quadrature.
type momentAt struct {
	theory.Quadratic
	Value float64
}

type momentClaim func(theory.Quadratic) float64

var featureMoment = props.Drawn[momentAt, momentClaim]{
	Name:    "second moment by quadrature",
	Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 20000},
	Regimes: []string{"d > 1", "d = 1", "one neuron", "one sample"},
	Draw: func(t *props.T) momentAt {
		f := theory.Quadratic{N: gen.Dim(t.T, "n", 30), D: gen.Dim(t.T, "d", 30), Width: gen.Dim(t.T, "N", 30),
			C1: float64(rapid.IntRange(-8, 8).Draw(t.T, "8c₁")) / 8, C2: float64(rapid.IntRange(1, 8).Draw(t.T, "8c₂")) / 8}
		return momentAt{f, integrated(f)}
	},
	Claim: theory.Quadratic.SecondMoment,
	Judge: func(r *props.Record, f momentAt, claim momentClaim) {
		r.RegimeOf(f.D == 1, f.Width == 1, f.N == 1)
		want := claim(f.Quadratic)
		r.Within("E (1/n) tr K²", f.Value, want, 1e-11*f.Value) // of sums of positive terms, over a few hundred nodes
	},
	Controls: []props.Wrong[momentAt, momentClaim]{
		{Name: "linear model at finite size", Instead: func(f theory.Quadratic) float64 {
			n, d, width, a := float64(f.N), float64(f.D), float64(f.Width), f.C1*f.C1
			q := a + 2*f.C2*f.C2
			return ((width-1)*((n-1)*a*a/d+q*q+2*a*a/d) + (n+2)*q*q) / width
		}},
		{Name: "orthonormal polynomials", Instead: func(f theory.Quadratic) float64 {
			f.C2 /= math.Sqrt2
			return f.SecondMoment()
		}},
		{Name: "rows of W with N(0, 1/d) entries", Assumption: "unit-rows", Alter: func(f *momentAt) {
			// Of σ = c₁He₁ alone: E (w·w′)² = 1/d as before, but E ‖w‖⁴ = 1 + 2/d.
			f.C1, f.C2 = max(0.125, math.Abs(f.C1)), 0
			f.Value = integrated(f.Quadratic) + 2*math.Pow(f.C1, 4)*float64(f.N+2)/float64(f.D*f.Width)
		}},
		{Name: "all rows of W the same", Assumption: "independent", Alter: func(f *momentAt) {
			f.Width = 2
			one := f.Quadratic
			one.Width = 1
			f.Value = integrated(one)
		}},
	},
}

// integrated sums E σσσσ over two samples and two neurons, each the same or not. The cosine of two rows of W has the
// density (1−ρ²)^((d−3)/2), or is ±1 for d = 1.
func integrated(f theory.Quadratic) float64 {
	act := func(z float64) float64 { return f.C1*z + f.C2*(z*z-1) }
	x, w := make([]float64, 12), make([]float64, 12)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	pair := func(rho float64, g func(a, b float64) float64) (sum float64) {
		for i := range x {
			for j := range x {
				z, other := math.Sqrt2*x[i], math.Sqrt2*x[j]
				sum += w[i] * w[j] / math.Pi * g(act(z), act(rho*z+math.Sqrt(max(0, 1-rho*rho))*other))
			}
		}
		return sum
	}
	product := func(a, b float64) float64 { return a * b }
	squares := func(a, b float64) float64 { return a * a * b * b }
	apart, same := 0.0, 0.0
	over := func(rho, weight float64) {
		apart += weight * math.Pow(pair(rho, product), 2)
		same += weight * pair(rho, squares)
	}
	if f.D == 1 {
		over(1, 0.5)
		over(-1, 0.5)
	} else {
		angles, weights := make([]float64, 40), make([]float64, 40)
		quad.Legendre{}.FixedLocations(angles, weights, 0, math.Pi)
		for i, t := range angles {
			weights[i] *= math.Pow(math.Sin(t), float64(f.D-2))
		}
		floats.Scale(1/floats.Sum(weights), weights)
		for i, t := range angles {
			over(math.Cos(t), weights[i])
		}
	}
	n, width := float64(f.N), float64(f.Width)
	energy := pair(1, product)
	return ((width-1)*((n-1)*apart+same) + (n-1)*energy*energy + pair(1, squares)) / width
}

// featureKind is an activation with n/d and n/N.
type featureKind struct {
	Activation string
	Tau, Nu    float64
}

// featureCell is a network of that kind with Samples/4 and Samples samples.
type featureCell struct {
	featureKind
	Samples, Batch int
}

// resolvents holds (1/n) tr (K + λ)⁻¹ and (1/N) tr (FᵀF/N + λ)⁻¹.
type resolvents struct{ Kernel, Features float64 }

// twoResolvents holds the resolvents of two sizes.
type twoResolvents struct{ Small, Large resolvents }

const (
	featureRidge = 0.1

	traceOf    = "(1/n) tr (K + λ)⁻¹ over its limit"
	featuresOf = "(1/N) tr (FᵀF/N + λ)⁻¹ over its limit"
)

// activations holds the activations of the regimes, with mean 0.
var activations = map[string]func(float64) float64{
	"tanh":      math.Tanh,
	"relu":      func(z float64) float64 { return max(z, 0) - 1/math.Sqrt(2*math.Pi) },
	"sine":      func(z float64) float64 { return math.Exp(0.5)*math.Sin(z+1) - math.Sin(1) },
	"quadratic": func(z float64) float64 { return 0.8*z + 0.3*(z*z-1) },
}

var featureRegimes = []string{"tanh", "relu, N = 2n", "quadratic"}

// featureKinds lists the kinds of the regimes.
var featureKinds = []featureKind{{"tanh", 2, 1}, {"relu", 1, 0.5}, {"quadratic", 2, 1}}

// featuresOff has n times the standard deviation of a trace, over its limit, and what 24 and 96 samples leave of its
// bias, which is of order n⁻². They
// were found to be 0.5, 1 and 1.45, and 0.001, 0.001 and 0.011.
var featuresOff = map[string]struct{ Scatter, Bias float64 }{"tanh": {0.6, 0.005}, "relu": {1.1, 0.005},
	"quadratic": {1.5, 0.025}}

// featureClaim holds the limits of the traces.
type featureClaim func(featureKind) resolvents

var featureResolvents = props.Grid[featureCell, twoResolvents, featureClaim]{
	Name: "resolvents of sampled features",
	Cells: func(e props.Effort) (out []featureCell) {
		for _, kind := range featureKinds {
			for i := range (props.Scale{Quick: 64, Standard: 216, Deep: 4000}).At(e) {
				samples := 96
				if kind.Activation == "quadratic" { // which is off most
					samples = props.Scale{Quick: 96, Standard: 144, Deep: 144}.At(e)
				}
				out = append(out, featureCell{kind, samples, i})
			}
		}
		return out
	},
	Regimes: featureRegimes,
	Measure: func(t *props.Trial, c featureCell) twoResolvents { return c.measure(t.Rand, func(_, _ *mat.Dense) {}) },
	Claim:   claimedTraces,
	Conclude: func(r *props.Record, cells []featureCell, all []twoResolvents, claim featureClaim) {
		for k, kind := range featureKinds {
			var kernels, features []float64
			limit, size := claim(kind), 0.0
			for i, c := range cells {
				if small, large := all[i].Small, all[i].Large; c.featureKind == kind {
					size = float64(c.Samples)
					kernels = append(kernels, extrapolated(small.Kernel, large.Kernel)/limit.Kernel)
					features = append(features, extrapolated(small.Features, large.Features)/limit.Features)
				}
			}
			r.Regime(featureRegimes[k])
			// A trace scatters by some 1/n of itself at the size n: 16/9 + 16/9 of its square.
			off, truth := featuresOff[kind.Activation], claimedTraces(kind)
			sd, bias := off.Scatter*math.Sqrt(32./9)/size, off.Bias*math.Pow(96/size, 2)
			props.Limit{Name: traceOf, SD: sd, Bias: bias}.Judge(r, kernels, 1)
			share := kind.Nu * truth.Kernel / truth.Features // the rest of the other trace is (1−ν)/λ
			props.Limit{Name: featuresOf, SD: sd * share, Bias: bias * share}.Judge(r, features, 1)
		}
	},
	Chosen: map[string][]string{"scatter and bias": {traceOf, featuresOf}},
	Controls: []props.WrongCell[featureCell, twoResolvents, featureClaim]{
		{Name: "the trace of K for that of FᵀF", Criterion: featuresOf, Instead: func(kind featureKind) resolvents {
			l := claimedTraces(kind)
			return resolvents{l.Kernel, l.Kernel}
		}},
		{Name: "no noise", Criterion: traceOf, Instead: claimedOf(func(f *theory.RandomFeatures) { f.S2 = 0 })},
		{Name: "noise alone", Criterion: traceOf,
			Instead: claimedOf(func(f *theory.RandomFeatures) { f.A2, f.S2 = 0, f.A2+f.S2 })},
		{Name: "c₁ for c₁²", Criterion: traceOf, Instead: claimedOf(func(f *theory.RandomFeatures) {
			f.A2, f.S2 = math.Sqrt(f.A2), max(0, f.A2+f.S2-math.Sqrt(f.A2))
		})},
		{Name: "τ and ν exchanged", Criterion: traceOf,
			Instead: claimedOf(func(f *theory.RandomFeatures) { f.Tau, f.Nu = f.Nu, f.Tau })},
		{Name: "ν inverted", Criterion: traceOf, Instead: claimedOf(func(f *theory.RandomFeatures) { f.Nu = 1 / f.Nu })},
		{Name: "τ inverted", Criterion: traceOf, Instead: claimedOf(func(f *theory.RandomFeatures) { f.Tau = 1 / f.Tau })},
		{Name: "samples of random length", Assumption: "normal", Criterion: traceOf,
			Measure: func(t *props.Trial, c featureCell) twoResolvents {
				return c.measure(t.Rand, func(x, _ *mat.Dense) {
					rows, _ := x.Dims()
					for i := range rows {
						floats.Scale(1+0.9*sign(t.Rand), x.RawRowView(i))
					}
				})
			}},
		{Name: "rows of W twice as long", Assumption: "unit-rows", Criterion: traceOf,
			Measure: func(t *props.Trial, c featureCell) twoResolvents {
				return c.measure(t.Rand, func(_, w *mat.Dense) { w.Scale(2, w) })
			}},
		{Name: "each row of W twice", Assumption: "independent", Criterion: traceOf,
			Measure: func(t *props.Trial, c featureCell) twoResolvents {
				return c.measure(t.Rand, func(_, w *mat.Dense) {
					rows, _ := w.Dims()
					for i := rows / 2; i < rows; i++ {
						w.SetRow(i, w.RawRowView(i-rows/2))
					}
				})
			}},
	},
	Replicates: 1,
}

// claimedTraces returns the limits of the claim.
func claimedTraces(kind featureKind) resolvents {
	return claimedOf(func(*theory.RandomFeatures) {})(kind)
}

// claimedOf claims the traces of other features.
func claimedOf(change func(*theory.RandomFeatures)) featureClaim {
	return func(kind featureKind) resolvents {
		f := theory.FeaturesOf(kind.Activation, kind.Tau, kind.Nu)
		change(&f)
		features, kernel := f.Resolvents(featureRidge)
		return resolvents{kernel, features}
	}
}

// measure takes both sizes, with a change of the samples and the weights.
func (c featureCell) measure(r *rand.Rand, change func(x, w *mat.Dense)) twoResolvents {
	at := func(n int) resolvents {
		d, width := int(float64(n)/c.Tau), int(float64(n)/c.Nu)
		return featureTraces(r, activations[c.Activation], n, d, width, featureRidge, change)
	}
	return twoResolvents{at(c.Samples / 4), at(c.Samples)}
}

// featureTraces draws features and returns their traces.
func featureTraces(r *rand.Rand, act func(float64) float64, n, d, width int, lambda float64,
	change func(x, w *mat.Dense)) resolvents {
	x, w := gen.Gaussian(r, n, d, 1), gen.Gaussian(r, width, d, 1)
	for i := range width {
		floats.Scale(1/floats.Norm(w.RawRowView(i), 2), w.RawRowView(i))
	}
	change(x, w)
	var f mat.Dense
	f.Mul(x, w.T())
	f.Apply(func(_, _ int, z float64) float64 { return act(z) }, &f)
	values, err := linalg.SingularValues(&f)
	if err != nil {
		return resolvents{math.NaN(), math.NaN()}
	}
	sum := 0.0
	for _, s := range values {
		sum += 1 / (s*s/float64(width) + lambda)
	}
	rest := func(size int) float64 { return float64(size-len(values)) / lambda }
	return resolvents{(sum + rest(n)) / float64(n), (sum + rest(width)) / float64(width)}
}

func tryFeatures(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n := v.Int("n")
	size := func(ratio float64) int { return max(1, int(math.Round(float64(n)/ratio))) }
	d, width := size(v.Float("tau")), size(v.Float("nu"))
	t.Need(d <= 5000 && width <= 5000, "d = %d and N = %d: take n so that neither exceeds 5000", d, width)
	traces := featureTraces(t.Rand, activations[v.Choice("activation")], n, d, width, v.Float("lambda"),
		func(_, _ *mat.Dense) {})
	return map[string]float64{"kernel": traces.Kernel, "features": traces.Features}, nil
}
