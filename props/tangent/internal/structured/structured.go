// Package structured pairs Theorem 2 on adaptive tangent features with matrices: it checks the least cost of factors of
// given parameters, the factors that attain it, and their kernel.
package structured

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/pictures"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Claim is tangent/structured.
var Claim = props.Spec{
	Statement: &theory.Structured,
	Checks:    []props.Check{lowerBound, stated, steps},
	Along: &props.Along{
		Param: "sigma", From: 0.1, To: 100, Of: []string{"optimum"},
		Each: &props.ParamSweep{Name: "right", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: simulation,
}.Claim()

var regimes = []string{"no side", "one side", "two sides"}

var lowerBound = props.Drawn[factors, costClaim]{
	Name:    "no factors cost less",
	Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 200000},
	Regimes: regimes,
	Draw:    drawFactors,
	Claim:   costClaim{factors.product, factors.optimum},
	Judge:   judgeBound,
	Controls: []props.Wrong[factors, costClaim]{
		{Name: "the root of |z−1|", Assumption: "log-convex", Criterion: "cost", Reading: "no-log-convexity",
			Draw:    props.Constant(counterexample("root")),
			Instead: costClaim{optimum: func(factors, *mat.Dense) float64 { return rootOptimum() }}},
		{Name: "a continuous, strictly increasing step", Assumption: "log-convex", Criterion: "cost",
			Reading: "no-log-convexity", Draw: props.Constant(counterexample("smooth step")),
			Instead: costClaim{optimum: func(factors, *mat.Dense) float64 { return smoothOptimum() }}},
		{Name: "parameters AAΘC", Assumption: "both-sides", Criterion: "cost",
			Instead: costClaim{product: func(in factors) *mat.Dense {
				return impl.Sided{A: in.A, Theta: in.product(), C: impl.Identity(rows(in.C))}.Product()
			}}},
		{Name: "a tenth more", Criterion: "cost",
			Instead: costClaim{optimum: func(in factors, b *mat.Dense) float64 { return 1.1 * in.optimum(b) }}},
		{Name: "the penalty of the largest singular value alone, times the rank", Criterion: "cost",
			Instead: costClaim{optimum: factors.largestAlone}},
	},
	Replicates: 3,
}

var stated = props.Drawn[solved, solvedClaim]{
	Name:    "the stated factors",
	Cases:   props.Scale{Quick: 240, Standard: 1200, Deep: 100000},
	Regimes: regimes,
	Draw:    drawSolved,
	Claim: solvedClaim{optimum: theory.Layer.Optimum, threshold: func(s theory.Sum) float64 { return s.Threshold(1) },
		kernel: func(in solved) float64 { return in.Sides.layer(in.B).Kernel(in.F, in.F2) }},
	Judge: judgeSolved,
	Controls: []props.Wrong[solved, solvedClaim]{
		{Name: "a penalty on the entries of A − I and C − I", Assumption: "spectral", Criterion: "cost",
			Alter: chargeEntries},
		{Name: "left and right singular vectors exchanged", Criterion: "product", Alter: exchangeVectors},
		{Name: "both sides stretched by the root of the whole", Criterion: "cost", Alter: splitEvenly},
		{Name: "z in place of z² in the kernel", Criterion: "kernel",
			Instead: solvedClaim{kernel: solved.kernelOfFirstPower}},
		{Name: "the kernel of the exchanged penalties", Criterion: "kernel",
			Instead: solvedClaim{kernel: func(in solved) float64 {
				return in.Sides.exchanged().layer(in.B).Kernel(in.F, in.F2)
			}}},
		{Name: oneThreshold, Criterion: "directions that C stretches", Draw: drawAtThreshold,
			Instead: solvedClaim{threshold: func(s theory.Sum) float64 { return s[1:].Threshold(0) }}},
		{Name: "a threshold a hundredth of a percent higher", Criterion: "directions that C stretches", As: oneThreshold,
			Instead: solvedClaim{threshold: func(s theory.Sum) float64 { return s.Threshold(1) * (1 + 1e-4) }}},
		{Name: "the exchanged penalties cost a tenth more", Criterion: "cost with exchanged penalties",
			Instead: solvedClaim{optimum: func(l theory.Layer) float64 { return 1.1 * l.Optimum() }}},
	},
	Replicates: 3,
	Declined:   map[string]float64{"directions that C stretches": 0.001},
}

// costClaim holds the claimed least cost of factors, by their product.
type costClaim struct {
	product func(factors) *mat.Dense
	optimum func(in factors, b *mat.Dense) float64
}

func (in factors) product() *mat.Dense {
	return impl.Sided{A: in.A, Theta: in.Theta, C: in.C}.Product()
}

func (in factors) optimum(b *mat.Dense) float64 { return in.layer(b).Optimum() }

// largestAlone is the penalty of the largest singular value, times the rank.
func (in factors) largestAlone(b *mat.Dense) float64 {
	top := algebra.Scaled(mat.Norm(b, 2), impl.Identity(min(b.Dims())))
	return max(in.optimum(b)*1.001, in.optimum(top))
}

// factors are A, Θ, C and the penalties.
type factors struct {
	A      *mat.Dense    `npy:"A"`
	Theta  *mat.Dense    `npy:"Theta"`
	C      *mat.Dense    `npy:"C"`
	Left   theory.Family `npy:"left"`
	Right  theory.Family `npy:"right"`
	KLeft  float64       `npy:"kl"`
	KRight float64       `npy:"kr"`
}

var penalties = map[theory.Family]*impl.Penalty{
	theory.Fixed: nil, theory.Quadratic: &impl.Square, theory.Absolute: &impl.Modulus, theory.LogDet: &impl.LogDet,
	"root": &root, "smooth step": &smoothStep}

// root violates (LC).
var root = impl.Penalty{Name: "root", Value: func(e float64) float64 { return math.Sqrt(math.Abs(e)) }, Slope: noSlope}

// smoothStep violates (LC) too, rises without a jump, and grows without bound.
var smoothStep = impl.Penalty{Name: "smooth step", Slope: noSlope, Value: func(e float64) float64 {
	if e <= 0 {
		return -e
	}
	return -0.75*math.Expm1(-e/0.02) + 0.01*e + 50*math.Pow(max(0, e-1), 2)
}}

// noSlope stands for a derivative that nobody asks for.
func noSlope(float64) float64 { return 0 }

// penaltyOf is a side's penalty, nil for a fixed one.
func penaltyOf(family theory.Family, factor float64) *impl.Penalty {
	p := penalties[family]
	if p == nil {
		return nil
	}
	scaled := p.Times(factor)
	return &scaled
}

// cost is the objective of one layer.
func (in factors) cost() float64 {
	s := impl.Structured{Layers: []impl.StructuredLayer{{Left: penaltyOf(in.Left, in.KLeft),
		Right: penaltyOf(in.Right, in.KRight)}}}
	return s.Cost([]impl.Sided{{A: in.A, Theta: in.Theta, C: in.C}})
}

func (in factors) layer(b *mat.Dense) theory.Layer {
	return theory.Layer{B: b, Left: theory.Side{Family: in.Left, Factor: in.KLeft},
		Right: theory.Side{Family: in.Right, Factor: in.KRight}}
}

// Valid names the hypothesis that a user's numbers violate.
func (in factors) Valid() error {
	return in.layer(in.product()).Valid()
}

func regime(left, right theory.Family) string {
	moved := 0
	for _, f := range []theory.Family{left, right} {
		if f != theory.Fixed {
			moved++
		}
	}
	return regimes[moved]
}

var families = []theory.Family{theory.Fixed, theory.Quadratic, theory.Absolute, theory.LogDet}

func drawSides(t *props.T) (in factors) {
	in.Left, in.Right = rapid.SampledFrom(families).Draw(t.T, "ω₁"), rapid.SampledFrom(families).Draw(t.T, "ω₂")
	in.KLeft, in.KRight = gen.LogUniform(t.T, "κ₁", 0.1, 10), gen.LogUniform(t.T, "κ₂", 0.1, 10)
	return in
}

// drawFactors draws factors far from the identity, near it, and near the stated solution for their product.
func drawFactors(t *props.T) factors {
	in, r := drawSides(t), t.Stream("entries")
	m, k := gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	size := gen.LogUniform(t.T, "size", 0.05, 20)
	in.A, in.Theta, in.C = gen.Gaussian(r, m, m, 1), gen.Gaussian(r, m, k, size), gen.Gaussian(r, k, k, 1)
	apart := gen.LogUniform(t.T, "distance", 1e-7, 1)
	switch rapid.IntRange(0, 3).Draw(t.T, "kind") {
	case 1:
		in.A, in.C = near(impl.Identity(m), in.A, apart), near(impl.Identity(k), in.C, apart)
	case 2, 3:
		a, theta, c := in.layer(in.Theta).Factors()
		in.A, in.C, in.Theta = near(a, in.A, apart), near(c, in.C, apart), near(theta, gen.Gaussian(r, m, k, 1), apart)
	}
	if in.Left == theory.Fixed {
		in.A = impl.Identity(m)
	}
	if in.Right == theory.Fixed {
		in.C = impl.Identity(k)
	}
	return in
}

// near is m + distance·by.
func near(m, by *mat.Dense, distance float64) *mat.Dense {
	out := algebra.Scaled(distance, by)
	out.Add(out, m)
	return out
}

// counterexample has factors that turn against each other where (LC) fails.
func counterexample(name string) factors {
	stretch, theta, cos2 := 2.0, 1/math.Sqrt2, 2./9
	if name == "root" {
		stretch, theta, cos2 = 4, 0.75, 0.3
	}
	cos, sin := math.Sqrt(cos2), math.Sqrt(1-cos2)
	a := mat.NewDense(2, 2, []float64{stretch, 0, 0, 1})
	c := algebra.Product(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), a)
	return factors{A: a, Theta: mat.NewDense(2, 2, []float64{theta, 0, 0, theta}), C: c,
		Left: theory.Family(name), Right: theory.Family(name), KLeft: 1, KRight: 1}
}

// judgeBound: the cost of the factors is known to the rounding of their singular values, ω̃ to the rounding of their
// product.
func judgeBound(r *props.Record, in factors, c costClaim) {
	b := c.product(in)
	r.Regime(regime(in.Left, in.Right))
	r.AtLeast("cost", in.cost(), c.optimum(in, b), in.noise(b, r.Unit()))
}

func rows(m *mat.Dense) int {
	n, _ := m.Dims()
	return n
}

// noise bounds the rounding error of the cost and of ω̃ of the product: singular values err by ten roundings times the
// order and the norm, and slopes are at most 2κz and 2σ.
func (in factors) noise(b *mat.Dense, unit float64) float64 {
	n := float64(rows(in.A) + rows(in.C))
	a, theta, c, product := mat.Norm(in.A, 2), mat.Norm(in.Theta, 2), mat.Norm(in.C, 2), mat.Norm(b, 2)
	return unit * n * n * (20*(in.KLeft*(1+a*a)+in.KRight*(1+c*c)) + 4*theta*theta + 20*product*(product+a*theta*c))
}

// rootOptimum is the optimum of the counterexample with the root, found once.
var rootOptimum = sync.OnceValue(func() float64 { return gridOptimum(root, []float64{7.38119, 1.21931}) })

// smoothOptimum is the optimum of the counterexample with the smooth step.
var smoothOptimum = sync.OnceValue(func() float64 { return gridOptimum(smoothStep, []float64{2, 1}) })

// gridOptimum is Σ of the least p(z) + p(w) + σ²/(zw)² on a grid of stretches: an upper bound, to 10⁻³, on the
// structured penalty of two sides without a closed form.
func gridOptimum(p impl.Penalty, singular []float64) float64 {
	stretches := []float64{2}
	for i := range 300 {
		stretches = append(stretches, math.Pow(10, float64(i)/300))
	}
	sum := 0.0
	for _, sigma := range singular {
		lowest := math.Inf(1)
		for _, z := range stretches {
			for _, w := range stretches {
				lowest = min(lowest, p.Value(z-1)+p.Value(w-1)+math.Pow(sigma/(z*w), 2))
			}
		}
		sum += lowest
	}
	return sum
}

// simulation solves one layer of one entry, and draws a layer of 4×4.
var simulation = &props.Simulation{Run: simulate, Draw: drawLayer}

// simulate: the cheapest factors of σ by descent are the factors of the spectral route.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	sigma := v.Float("sigma")
	s := chosenLayer(v, 1, mat.NewDense(1, 1, []float64{1}), []float64{sigma})
	found := must.Get(s.Alternate(2, 0))
	f := found.Factors[0]
	t.Need(!math.IsInf(found.Cost, 1), "the cost is infinite")
	return map[string]float64{"optimum": found.Cost, "left": f.A.At(0, 0), "right": f.C.At(0, 0)}, nil
}

// chosenLayer is a problem with one square layer and the penalties of a user's.
func chosenLayer(v statement.Values, size int, features *mat.Dense, labels []float64) impl.Structured {
	return impl.Structured{Labels: labels, Layers: []impl.StructuredLayer{{Rows: size, Cols: size, Features: features,
		Left:  penaltyOf(theory.Family(v.Choice("left")), v.Float("kl")),
		Right: penaltyOf(theory.Family(v.Choice("right")), v.Float("kr"))}}}
}

// drawLayer solves a layer of 4×4 with 8 Gaussian constraints, whose parameters of least norm have the largest singular
// value of the user's, and draws kernels, spectra, and alignment over the scale of the labels.
func drawLayer(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	const size, n = 4, 8
	features, labels := gen.Gaussian(t.Rand, n, size*size, 1), gen.Gaussian(t.Rand, n, 1, 1).RawMatrix().Data
	fixed := must.Get(chosenLayer(v, size, features, labels).MinFrobenius())
	floats.Scale(v.Float("sigma")/singular(fixed[0])[0], labels)
	s := chosenLayer(v, size, features, labels)
	found := must.Get(s.Alternate(300, 1e-10))
	before, f := s.Kernel([]impl.Sided{{A: impl.Identity(size), C: impl.Identity(size)}}), found.Factors[0]
	kernels := []pictures.Kernel{{Name: "before", K: before}, {Name: "after", K: s.Kernel(found.Factors)}}
	return []props.Figure{
		pictures.Kernels(fmt.Sprintf("Kernel of %d samples in the order of their labels, before and after a layer of %d×%d "+
			"adapts with the penalties %s on A and %s on C.", n, size, size, v.Choice("left"), v.Choice("right")), labels,
			kernels...),
		pictures.KernelSpectra("Eigenvalues of both kernels.", kernels...),
		pictures.Spectra("stretches", "Singular values of parameters and factors", "Singular values of B, and the stretches "+
			"of A and C along its singular vectors.", "singular value", true,
			pictures.Spectrum{Name: "B", Values: singular(f.Product())},
			pictures.Spectrum{Name: "A", Values: singular(f.A)}, pictures.Spectrum{Name: "C", Values: singular(f.C)}),
		alignmentFigure(s, v, before),
	}, nil
}

// alignmentFigure has the alignment of the kernel over the scale of the labels, from a hundredth to a hundred times.
func alignmentFigure(s impl.Structured, v statement.Values, before *mat.Dense) props.Figure {
	c := props.Curve{Name: "adapted", Style: props.Line}
	start := props.Curve{Name: "before", Style: props.Dashed}
	for k := range 17 {
		scale := math.Pow(10, float64(k-8)/4)
		scaled := s
		scaled.Labels = floats.ScaleTo(make([]float64, len(s.Labels)), scale, s.Labels)
		found := must.Get(scaled.Alternate(300, 1e-10))
		c.Add(scale*v.Float("sigma"), impl.Alignment(s.Kernel(found.Factors), s.Labels))
		start.Add(scale*v.Float("sigma"), impl.Alignment(before, s.Labels))
	}
	return props.Figure{ID: "alignment", Title: "Alignment over the scale of the labels",
		Caption: "Alignment of the kernel with the labels against the largest singular value of the parameters of least " +
			"norm.",
		X: props.Axis{Label: "scale of the labels", Log: true}, Y: props.Axis{Label: "alignment"},
		Curves: []props.Curve{c, start}}
}
