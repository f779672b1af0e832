package latent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// rademacher fits networks to all signs of small samples.
var rademacher = props.Spec{
	Statement: &theory.Rademacher,
	Checks:    []props.Check{fixedLayer, featureSquares, allWeights},
	Along: &props.Along{
		Param: "n", From: 10, To: 1000, Of: []string{"fixed"}, Y: "mean complexity", Points: "signs drawn", Places: 5,
		Reps: 3,
	},
	Try: &props.Simulation{Run: tryRademacher, Params: []statement.Param{{Name: "signs", Symbol: "N",
		Meaning: "draws of the signs", Domain: statement.IntegerBetween(1, 1e5), Default: "20"}}},
}.Claim()

var fixedLayer = props.Drawn[fitted, fittedClaim]{
	Name:    "fixed first layer",
	Cases:   props.Scale{Quick: 90, Standard: 600, Deep: 20000},
	Regimes: []string{"several samples", "one sample", "two equal samples"},
	Draw:    func(t *props.T) fitted { return drawFitted(t).fit(allSigns, euclidean) },
	Claim:   fittedClaim{above: 1, below: math.Sqrt2},
	Judge: func(r *props.Record, f fitted, claim fittedClaim) {
		n, d := f.X.Dims()
		_, m := f.Features.Dims()
		r.RegimeOf(n == 1, f.Equal)
		scale := f.Norm / float64(n)
		root := scale * mat.Norm(f.Features, 2)
		terms := meanNorm(f.X)*mat.Norm(f.Net.W, 2) + floats.Norm(f.Net.B, 2) // before cancellation
		tolerance := float64(4*(n+m+d+4)) * r.Unit() * f.Norm * terms
		r.Within("R = (B_a/n)E‖Σϵh‖", f.Complexity, scale*theory.SignedNorm(rows(f.Features)), tolerance)
		r.AtMost("R ≤ root of the mean square", f.Complexity, claim.above*root, tolerance)
		r.AtMost("root of the mean square ≤ √2 R", root, claim.below*f.Complexity, 2*tolerance)
		r.AtMost("other output weights", f.Other.Less, f.Other.More, 2*tolerance)
	},
	Proven: map[string]string{"R ≤ root of the mean square": "every rounding of features and sums",
		"root of the mean square ≤ √2 R": "every rounding of features and sums"},
	Controls: []props.Wrong[fitted, fittedClaim]{
		{Name: "last sign is the product of the others", Assumption: "signs", Criterion: "R = (B_a/n)E‖Σϵh‖",
			Draw: func(t *props.T) fitted { return drawFitted(t).fit(dependentSigns, euclidean) }},
		{Name: "sum of absolute output weights bounded", Assumption: "ball", Criterion: "R = (B_a/n)E‖Σϵh‖",
			Draw: func(t *props.T) fitted { return drawFitted(t).fit(allSigns, absolute) }},
		{Name: "bound 1 % smaller", Criterion: "R ≤ root of the mean square", Claim: func(c *fittedClaim) { c.above = 0.99 }},
		{Name: "sharp up to 1.4", Criterion: "root of the mean square ≤ √2 R", Claim: func(c *fittedClaim) { c.below = 1.4 }},
		{Name: "longer output weights", Criterion: "other output weights", Alter: func(f *fitted) { f.Other.Less *= 1.01 }},
	},
}

// fittedClaim holds the factors by which the root of the mean square is claimed to bound the complexity from above and
// below.
type fittedClaim struct{ above, below float64 }

// fitted holds a network, and the values that its best output weights reach.
type fitted struct {
	Net         latent.Network // its output weights are the displacement of other weights from the best ones, for B_a = 1
	X, Features *mat.Dense
	Norm        float64 // B_a
	Equal       bool    // two equal samples
	reached
}

// reached holds the values that networks reach on the signs of a sample.
type reached struct {
	Complexity float64 // mean over the signs of the value of the best network
	Other      closest // values of another network and of the best one
}

// closest keeps the pair with the largest quotient of all pairs that it sees.
type closest struct{ Less, More float64 }

func (c *closest) see(less, more float64) {
	if more != 0 && (c.More == 0 || less*c.More > c.Less*more) {
		*c = closest{less, more}
	}
}

func drawFitted(t *props.T) fitted {
	n, m, d := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "m", 6), gen.Dim(t.T, "d", 4)
	r, kind := t.Stream("entries"), rapid.IntRange(0, 2).Draw(t.T, "kind")
	if kind > 0 {
		n = kind
	}
	f := fitted{Net: latent.Independent(r, m, d).Redraw(r), X: gen.Gaussian(r, n, d, 1),
		Norm: gen.LogUniform(t.T, "B_a", 0.1, 10), Equal: kind == 2}
	f.Net.W.Scale(gen.LogUniform(t.T, "scale", 0.1, 10), f.Net.W)
	f.Net.A = gen.Gaussian(r, 1, m, gen.LogUniform(t.T, "distance of others", 1e-3, 10)).RawRowView(0)
	if f.Equal {
		f.X.SetRow(1, f.X.RawRowView(0))
	}
	if mat.Norm(f.Net.Features(f.X), 2) == 0 { // then R = 0, and nothing could be compared
		f.Net.B = constant(m, 10)
		f.Net.W.Zero()
	}
	f.Features = f.Net.Features(f.X)
	return f
}

// fit finds the best output weights within a bound for every choice of signs.
func (f fitted) fit(choices func(n int) [][]float64, best func(v []float64, bound float64) []float64) fitted {
	n, m := f.Features.Dims()
	f.reached = reach(f.X, choices(n), func(signs []float64) (latent.Network, latent.Network) {
		v := mat.NewVecDense(m, nil)
		v.MulVec(f.Features.T(), mat.NewVecDense(n, signs))
		net, other := f.Net, f.Net
		net.A = best(v.RawVector().Data, f.Norm)
		other.A = euclidean(floats.AddScaledTo(make([]float64, m), net.A, f.Norm, f.Net.A), f.Norm)
		return net, other
	})
	return f
}

// reach evaluates the best network and another one for every choice of signs.
func reach(x *mat.Dense, choices [][]float64, networks func(signs []float64) (best, other latent.Network)) (r reached) {
	values := list.Map(choices, func(signs []float64) float64 {
		value := func(n latent.Network) float64 { return floats.Dot(signs, n.Output(x)) / float64(len(signs)) }
		best, other := networks(signs)
		r.Other.see(value(other), value(best))
		return value(best)
	})
	r.Complexity = floats.SumCompensated(values) / float64(len(values))
	return r
}

// allSigns lists all choices of n signs.
func allSigns(n int) [][]float64 {
	return list.Fill(1<<n, func(k int) []float64 {
		return list.Fill(n, func(i int) float64 { return float64(2*(k>>i&1) - 1) })
	})
}

func dependentSigns(n int) [][]float64 {
	return list.Where(allSigns(n), func(signs []float64) bool { return floats.Prod(signs) > 0 })
}

// euclidean returns the a with ‖a‖ ≤ bound that maximises a·v.
func euclidean(v []float64, bound float64) []float64 {
	a := slices.Clone(v)
	if norm := floats.Norm(v, 2); norm > 0 {
		floats.Scale(bound/norm, a)
	}
	return a
}

// absolute returns the a with Σ|aⱼ| ≤ bound that maximises a·v.
func absolute(v []float64, bound float64) []float64 {
	a, largest := make([]float64, len(v)), floats.MaxIdx(list.Map(v, math.Abs))
	a[largest] = math.Copysign(bound, v[largest])
	return a
}

func rows(m *mat.Dense) [][]float64 { return list.Fill(m.RawMatrix().Rows, m.RawRowView) }

// meanNorm returns the mean length of the rows.
func meanNorm(m *mat.Dense) float64 {
	norms := list.Map(rows(m), func(row []float64) float64 { return floats.Norm(row, 2) })
	return floats.Sum(norms) / float64(len(norms))
}

var featureSquares = props.Drawn[equalNeurons, squareClaim]{
	Name:    "mean square of features",
	Cases:   props.Scale{Quick: 90, Standard: 600, Deep: 20000},
	Regimes: []string{"bias below the norm of the weights", "bias above", "no bias", "rarely active", "no weights"},
	Draw:    func(t *props.T) equalNeurons { return drawNeurons(t).under(13, normalWeight) }, // P(|z| > 13) ≈ 1e-38
	Claim:   squareClaim{theory.NetworkClass.Fixed, theory.NetworkClass.FixedPrinted},
	Judge: func(r *props.Record, f equalNeurons, claim squareClaim) {
		s, b := f.Class.Input, f.Class.Bias
		r.RegimeOf(math.Abs(b) > s, b == 0, b < -2*s, s == 0)
		size := f.Class.Output * math.Hypot(s, b) * math.Sqrt(f.Class.M/f.Class.N)
		tolerance := (2*squareNodes + 100) * r.Unit() * size
		root := f.Class.Output * math.Sqrt(f.Square/f.Class.N)
		r.Within("B_a√(E‖h(x)‖²/n)", root, claim.fixed(f.Class), tolerance)
		r.AtMost("at most B_a√((‖W‖² + ‖b‖²)/n)", root, claim.printed(f.Class), tolerance)
	},
	Proven: map[string]string{"at most B_a√((‖W‖² + ‖b‖²)/n)": "every rounding of features and sums"},
	Controls: []props.Wrong[equalNeurons, squareClaim]{
		{Name: "uniform inputs of variance 1", Assumption: "gaussian", Criterion: "B_a√(E‖h(x)‖²/n)",
			Draw: func(t *props.T) equalNeurons {
				return drawNeurons(t).under(math.Sqrt(3), func(float64) float64 { return 1 / math.Sqrt(12) })
			}},
		{Name: "half of the second moment", Criterion: "B_a√(E‖h(x)‖²/n)", Claim: func(c *squareClaim) {
			c.fixed = func(c theory.NetworkClass) float64 { return c.FixedPrinted() / math.Sqrt2 }
		}},
		{Name: "bias left out", Criterion: "at most B_a√((‖W‖² + ‖b‖²)/n)", Claim: func(c *squareClaim) {
			c.printed = func(c theory.NetworkClass) float64 { c.Bias = 0; return c.FixedPrinted() }
		}},
		{Name: "printed bound 1 % smaller", Criterion: "at most B_a√((‖W‖² + ‖b‖²)/n)", Claim: func(c *squareClaim) {
			c.printed = func(c theory.NetworkClass) float64 { return 0.99 * c.FixedPrinted() }
		}},
	},
}

// squareClaim holds the claimed root of the mean square of the features, and the printed bound.
type squareClaim struct {
	fixed, printed func(theory.NetworkClass) float64
}

// equalNeurons holds M neurons with equal weights, and the mean of ‖h(x)‖².
type equalNeurons struct {
	Class  theory.NetworkClass
	Unit   []float64 // direction of the weights
	Square float64
}

func drawNeurons(t *props.T) equalNeurons {
	n, m, d, r := gen.Dim(t.T, "n", 100), gen.Dim(t.T, "m", 3), gen.Dim(t.T, "d", 5), t.Stream("entries")
	s, bias := gen.LogUniform(t.T, "‖w‖", 0.1, 10), gen.LogUniform(t.T, "|b|/‖w‖", 0.1, 4)
	kind := rapid.IntRange(0, 4).Draw(t.T, "kind")
	class := theory.NetworkClass{N: float64(n), M: float64(m), D: float64(d), Input: s,
		Output: gen.LogUniform(t.T, "B_a", 0.1, 10), Bias: s * []float64{0, bias, -bias, -2 - bias, bias}[kind]}
	if kind == 4 {
		class.Input = 0
	}
	return equalNeurons{Class: class, Unit: euclidean(gen.Gaussian(r, 1, d, 1).RawRowView(0), 1)}
}

const squareNodes = 128 // on each side of the kink

func normalWeight(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

// under integrates ‖h(x)‖² along the weights, the only direction in which it changes.
func (f equalNeurons) under(reach float64, density func(z float64) float64) equalNeurons {
	m, d, s, b := int(f.Class.M), len(f.Unit), f.Class.Input, f.Class.Bias
	net := latent.Network{W: mat.NewDense(m, d, nil), B: constant(m, b), A: constant(m, 1)}
	net.W.Outer(s, mat.NewVecDense(m, net.A), mat.NewVecDense(d, f.Unit))
	integrand := func(z float64) float64 {
		x := mat.NewDense(1, d, floats.ScaleTo(make([]float64, d), z, f.Unit))
		return density(z) * math.Pow(mat.Norm(net.Features(x), 2), 2)
	}
	kink := max(-reach, min(reach, -b/s))
	f.Square = quad.Fixed(integrand, -reach, kink, squareNodes, quad.Legendre{}, 0) +
		quad.Fixed(integrand, kink, reach, squareNodes, quad.Legendre{}, 0)
	return f
}

var allWeights = props.Drawn[free, freeClaim]{
	Name:    "all weights",
	Cases:   props.Scale{Quick: 90, Standard: 600, Deep: 20000},
	Regimes: []string{"inputs in a plane", "inputs on a line", "one sample", "two opposite samples"},
	Draw:    func(t *props.T) free { return drawFree(t).fit() },
	Claim:   freeClaim{above: 1.5, below: 0.5, linear: theory.NetworkClass.Linear},
	Judge: func(r *props.Record, f free, claim freeClaim) {
		n, m, rho := f.Class.N, f.Class.M, claim.linear(f.Class, f.Mean)
		r.RegimeOf(f.Line, n == 1, f.Opposite)
		tolerance := 4 * (n + m + 2 + 4) * r.Unit() * f.Class.Output * f.Class.Input * math.Sqrt(m) * meanNorm(f.X)
		r.AtMost("R ≤ (3/2)ρ", f.Complexity, claim.above*rho, tolerance)
		if f.Line {
			r.Within("R = ρ on a line", f.Complexity, rho, tolerance)
		}
		r.AtMost("½ρ_ϵ ≤ R_ϵ", claim.below*claim.linear(f.Class, f.Linear.Less), f.Linear.More, 2*tolerance)
		r.AtMost("other networks", f.Other.Less, f.Other.More, 2*tolerance)
	},
	Proven: map[string]string{"R = ρ on a line": "every rounding of outputs and sums",
		"½ρ_ϵ ≤ R_ϵ": "every rounding of outputs and sums"},
	Controls: []props.Wrong[free, freeClaim]{
		{Name: "slope 3", Assumption: "slope", Criterion: "R ≤ (3/2)ρ", Alter: func(f *free) { f.Complexity *= 3 }},
		{Name: "bound below ρ", Criterion: "R ≤ (3/2)ρ", Claim: func(c *freeClaim) { c.above = 0.99 }},
		{Name: "no growth with the neurons", Criterion: "R = ρ on a line", Claim: func(c *freeClaim) {
			c.linear = func(c theory.NetworkClass, norm float64) float64 { c.M = 1; return c.Linear(norm) }
		}},
		{Name: "root of the mean square for the mean", Criterion: "R = ρ on a line",
			Alter: func(f *free) { f.Mean = mat.Norm(f.X, 2) }},
		{Name: "at least 0.505ρ", Criterion: "½ρ_ϵ ≤ R_ϵ", Claim: func(c *freeClaim) { c.below = 0.505 }},
		{Name: "longer weights", Criterion: "other networks", Alter: func(f *free) { f.Other.Less *= 1.01 }},
	},
}

// freeClaim holds the factors by which ρ is claimed to bound the complexity from above, and from below for every choice
// of signs.
type freeClaim struct {
	above, below float64
	linear       func(c theory.NetworkClass, norm float64) float64
}

// free holds a sample, and the values that networks of any weights reach on its signs.
type free struct {
	X              *mat.Dense
	Class          theory.NetworkClass
	Line, Opposite bool    // all inputs on a line; two opposite ones
	Mean           float64 // E‖Σϵx‖
	reached
	Linear closest // ‖Σϵx‖, and the value of the best network
	others latent.Network
}

func drawFree(t *props.T) free {
	n, m, kind := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "m", 20), rapid.IntRange(0, 2).Draw(t.T, "kind")
	if kind == 2 {
		n = 2
	}
	r := t.Stream("entries")
	f := free{X: gen.Gaussian(r, n, 2, 1), Line: kind > 0, Opposite: kind == 2,
		Class: theory.NetworkClass{N: float64(n), M: float64(m), D: 2, Output: gen.LogUniform(t.T, "B_a", 0.1, 10),
			Input: gen.LogUniform(t.T, "B_w", 0.1, 10)}}
	along := gen.Gaussian(r, n, 1, gen.LogUniform(t.T, "scale", 0.1, 10))
	if f.Opposite {
		along.Set(1, 0, -along.At(0, 0))
	}
	if f.Line {
		f.X.Mul(along, gen.Gaussian(r, 1, 2, 1))
	}
	distance := gen.LogUniform(t.T, "distance of others", 1e-3, 10)
	f.others = latent.Network{W: gen.Gaussian(r, m, 2, distance), A: gen.Gaussian(r, 1, m, distance).RawRowView(0)}
	f.Mean = theory.SignedNorm(rows(f.X))
	return f
}

// fit evaluates networks of copies of the best neuron, and others, for every choice of signs.
func (f free) fit() free {
	m := int(f.Class.M)
	f.reached = reach(f.X, allSigns(int(f.Class.N)), func(signs []float64) (latent.Network, latent.Network) {
		w, a := f.best(signs)
		network := func(others float64) latent.Network {
			outputs := floats.AddScaledTo(make([]float64, m), constant(m, a), others, f.others.A)
			net := latent.Network{W: mat.NewDense(m, 2, nil), A: euclidean(outputs, f.Class.Output), B: constant(m, 0)}
			for j, other := range rows(f.others.W) {
				net.W.SetRow(j, euclidean(floats.AddScaledTo(make([]float64, 2), w, others, other), f.Class.Input))
			}
			return net
		}
		best := network(0)
		var sum mat.VecDense
		sum.MulVec(f.X.T(), mat.NewVecDense(len(signs), signs))
		f.Linear.see(mat.Norm(&sum, 2), floats.Dot(signs, best.Output(f.X))/f.Class.N)
		return best, network(1)
	})
	return f
}

// best returns the unit vector w that maximises |Σϵmax(0, w·x)|, and the sign of the sum. The sum is linear in w as
// long as the same samples are active, so that its maximum lies along a signed sum of samples, or at an edge where a
// sample becomes active.
func (f free) best(signs []float64) (best []float64, sign float64) {
	inputs := rows(f.X)
	directions := list.Map(inputs, func(x []float64) []float64 { return []float64{-x[1], x[0]} })
	for _, active := range allSigns(len(signs)) {
		sum := make([]float64, 2)
		for i, x := range inputs {
			floats.AddScaled(sum, signs[i]*(1+active[i])/2, x)
		}
		directions = append(directions, sum)
	}
	largest := -1.0
	for _, v := range directions {
		for _, way := range []float64{1, -1} {
			w, sum := euclidean(v, way), 0.0
			for i, x := range inputs {
				sum += signs[i] * max(0, floats.Dot(w, x))
			}
			if math.Abs(sum) > largest {
				largest, best, sign = math.Abs(sum), w, math.Copysign(1, sum)
			}
		}
	}
	return best, sign
}

// tryRademacher fits output weights of a random first layer to random signs.
func tryRademacher(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, d, m := v.Int("n"), v.Int("d"), v.Int("m")
	t.Need(float64(n)*float64(m+d) <= 1e8 && m*d <= 1e7, "n = %d, d = %d and m = %d: n(m + d) may be 10⁸ here, and md 10⁷",
		n, d, m)
	net := latent.Network{W: gen.Gaussian(t.Rand, m, d, 1), A: make([]float64, m), B: constant(m, v.Float("bias"))}
	for _, w := range rows(net.W) {
		copy(w, euclidean(w, v.Float("input")))
	}
	features := net.Features(gen.Gaussian(t.Rand, n, d, 1))
	total, draws := 0.0, v.Int("signs")
	for range draws {
		signs := list.Fill(n, func(int) float64 { return float64(2*t.Rand.IntN(2) - 1) })
		var sum mat.VecDense
		sum.MulVec(features.T(), mat.NewVecDense(n, signs))
		total += mat.Norm(&sum, 2)
	}
	return map[string]float64{"fixed": v.Float("output") * total / float64(n*draws)}, nil
}
