package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/latent"
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

// maxSigned is the number of samples whose signs are all tried.
const maxSigned = 8

var fixedLayer = props.Drawn[fitted, fittedClaim]{
	Name:    "fixed first layer",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"several samples", "one sample", "two equal samples"},
	Draw:    func(t *props.T) fitted { return drawFitted(t).fit(euclidean) },
	Claim:   fittedClaim{complexity: byNorms, above: 1, below: math.Sqrt2},
	Judge:   judgeFixed,
	Proven: map[string]string{"R ≤ root of the mean square": "every rounding of features and sums",
		"root of the mean square ≤ √2 R": "every rounding of features and sums"},
	Controls: []props.Wrong[fitted, fittedClaim]{
		{Name: "last sign is the product of the others", Assumption: "signs", Criterion: "R = (B_a/n)E‖Σϵφ‖",
			Instead: fittedClaim{complexity: func(f fitted) float64 { return f.dependent() }}},
		{Name: "sum of absolute output weights bounded", Assumption: "ball", Criterion: "R = (B_a/n)E‖Σϵφ‖",
			Draw: func(t *props.T) fitted { return drawFitted(t).fit(absolute) }},
		{Name: "bound 1 % smaller", Criterion: "R ≤ root of the mean square", Claim: func(c *fittedClaim) { c.above = 0.99 }},
		{Name: "sharp up to 1.4", Criterion: "root of the mean square ≤ √2 R", Claim: func(c *fittedClaim) { c.below = 1.4 }},
		{Name: "longer output weights", Criterion: "other output weights", Alter: func(f *fitted) { f.Rival *= 1.01 }},
	},
}

// fitted is a network with what its output weights reach on signs.
type fitted struct {
	Net        latent.Network
	X, Phi     *mat.Dense
	Norm       float64 // B_a
	Equal      bool    // two equal samples
	Complexity float64 // mean over the signs of what is reached
	contest
	rival []float64
}

// contest is what the best weights and others reach on the signs for which the others come closest.
type contest struct{ Best, Rival float64 }

func (c *contest) try(best, rival float64) {
	if c.Best == 0 || rival*c.Best > c.Rival*best {
		c.Best, c.Rival = best, rival
	}
}

func drawFitted(t *props.T) fitted {
	n, m, d := gen.Dim(t.T, "n", maxSigned), gen.Dim(t.T, "m", 6), gen.Dim(t.T, "d", 4)
	r := t.Stream("entries")
	kind := rapid.IntRange(0, 3).Draw(t.T, "kind")
	switch kind {
	case 2:
		n = 1
	case 3:
		n = 2
	}
	f := fitted{Net: latent.Independent(r, m, d).Redraw(r), X: gen.Gaussian(r, n, d, 1),
		Norm: gen.LogUniform(t.T, "B_a", 0.1, 10), Equal: kind == 3}
	f.Net.W.Scale(gen.LogUniform(t.T, "scale", 0.1, 10), f.Net.W)
	if f.Equal {
		f.X.SetRow(1, f.X.RawRowView(0))
	}
	if f.Phi = f.Net.Features(f.X); mat.Norm(f.Phi, 2) == 0 { // then R = 0, and there is nothing to see
		f.Net.B = constant(m, 10)
		f.Net.W.Zero()
		f.Phi = f.Net.Features(f.X)
	}
	f.rival = gen.Gaussian(r, 1, m, gen.LogUniform(t.T, "distance of the rival", 1e-3, 10)).RawRowView(0)
	return f
}

// ball gives the a of a set with bound 1 that is best for a direction: the maximiser of ⟨a, v⟩, v ≠ 0.
type ball func(v []float64) []float64

func euclidean(v []float64) []float64 {
	a := slices.Clone(v)
	floats.Scale(1/floats.Norm(v, 2), a)
	return a
}

func absolute(v []float64) []float64 {
	a, largest := make([]float64, len(v)), 0
	for j := range v {
		if math.Abs(v[j]) > math.Abs(v[largest]) {
			largest = j
		}
	}
	a[largest] = math.Copysign(1, v[largest])
	return a
}

// fit evaluates the network with the best output weights for each choice of the signs, and with rivals.
func (f fitted) fit(best ball) fitted {
	n, m := f.Phi.Dims()
	everySign(n, func(signs []float64) {
		v := mat.NewVecDense(m, nil)
		v.MulVec(f.Phi.T(), mat.NewVecDense(n, signs))
		if mat.Norm(v, 2) == 0 {
			return
		}
		a := best(v.RawVector().Data)
		reached := f.reached(a, signs)
		f.Complexity += reached / math.Pow(2, float64(n))
		other := slices.Clone(f.rival)
		floats.Add(other, a)
		other = euclidean(other)
		f.try(reached, f.reached(other, signs))
	})
	return f
}

// reached is (1/n)Σϵf(x) for output weights a of norm 1, times the bound of the norm.
func (f fitted) reached(a, signs []float64) float64 {
	net := f.Net
	net.A = slices.Clone(a)
	floats.Scale(f.Norm, net.A)
	return floats.Dot(signs, net.Output(f.X)) / float64(len(signs))
}

// everySign calls f with each choice of n signs.
func everySign(n int, f func(signs []float64)) {
	signs := make([]float64, n)
	for k := range 1 << n {
		for i := range signs {
			signs[i] = float64(2*(k>>i&1) - 1)
		}
		f(signs)
	}
}

// fittedClaim is the complexity, and by which factors the root of the mean square bounds it from above and below.
type fittedClaim struct {
	complexity   func(fitted) float64
	above, below float64
}

func byNorms(f fitted) float64 {
	n, _ := f.Phi.Dims()
	return f.Norm / float64(n) * theory.SignedNorm(rows(f.Phi))
}

// dependent is the same if an even number of signs is −1.
func (f fitted) dependent() float64 {
	n, m := f.Phi.Dims()
	total := 0.0
	everySign(n, func(signs []float64) {
		if floats.Prod(signs) > 0 {
			v := mat.NewVecDense(m, nil)
			v.MulVec(f.Phi.T(), mat.NewVecDense(n, signs))
			total += mat.Norm(v, 2)
		}
	})
	return f.Norm / float64(n) * total / math.Pow(2, float64(n-1))
}

func rows(m *mat.Dense) [][]float64 {
	n, _ := m.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = m.RawRowView(i)
	}
	return out
}

func judgeFixed(r *props.Record, f fitted, claim fittedClaim) {
	n, m := f.Phi.Dims()
	r.RegimeOf(n == 1, f.Equal)
	root := f.Norm / float64(n) * mat.Norm(f.Phi, 2)
	_, d := f.X.Dims()
	tolerance := float64(4*(n+m+d)) * r.Unit() * f.Norm * f.terms()
	r.Within("R = (B_a/n)E‖Σϵφ‖", f.Complexity, claim.complexity(f), tolerance)
	r.AtMost("R ≤ root of the mean square", f.Complexity, claim.above*root, tolerance)
	r.AtMost("root of the mean square ≤ √2 R", root, claim.below*f.Complexity, 2*tolerance)
	r.AtMost("other output weights", f.Rival, f.Best, 2*tolerance)
}

// terms bounds (1/n)Σᵢ‖φ(xᵢ)‖, before anything cancels.
func (f fitted) terms() float64 {
	sum := 0.0
	for _, x := range rows(f.X) {
		sum += floats.Norm(x, 2)*mat.Norm(f.Net.W, 2) + floats.Norm(f.Net.B, 2)
	}
	return sum / float64(len(rows(f.X)))
}

var featureSquares = props.Drawn[featureSquare, squareClaim]{
	Name:    "mean square of features",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"bias below the norm of the weights", "bias above", "no bias", "rarely active"},
	Draw:    func(t *props.T) featureSquare { return drawNeuron(t).under(normalWeight) },
	Claim: squareClaim{square: theory.RectifiedSquare, printed: func(s, b float64) float64 {
		return s*s + b*b
	}},
	Judge: func(r *props.Record, f featureSquare, claim squareClaim) {
		s, b := floats.Norm(f.W, 2), f.B
		r.RegimeOf(math.Abs(b) > s, b == 0, b < -2*s)
		size := s*s + b*b
		tolerance := float64(squareNodes+100) * r.Unit() * size
		r.WithinScale("E φ(x)²", f.Square, claim.square(s, b), size, tolerance)
		r.AtMost("E φ(x)² ≤ ‖w‖² + b²", f.Square, claim.printed(s, b), tolerance)
	},
	Controls: []props.Wrong[featureSquare, squareClaim]{
		{Name: "uniform inputs of variance 1", Assumption: "gaussian", Criterion: "E φ(x)²",
			Draw: func(t *props.T) featureSquare { return drawNeuron(t).under(uniformWeight) }},
		{Name: "half of the second moment", Criterion: "E φ(x)²",
			Claim: func(c *squareClaim) { c.square = func(s, b float64) float64 { return (s*s + b*b) / 2 } }},
		{Name: "bias counted once", Criterion: "E φ(x)²",
			Claim: func(c *squareClaim) {
				c.square = func(s, b float64) float64 { return theory.RectifiedSquare(s, b) - b*max(0, b)/2 }
			}},
		{Name: "bias left out", Criterion: "E φ(x)² ≤ ‖w‖² + b²",
			Claim: func(c *squareClaim) { c.printed = func(s, _ float64) float64 { return s * s } }},
	},
}

// featureSquare is a neuron with the mean square of its feature by quadrature.
type featureSquare struct {
	W      []float64
	B      float64
	Square float64
}

func drawNeuron(t *props.T) featureSquare {
	d, r := gen.Dim(t.T, "d", 5), t.Stream("entries")
	f := featureSquare{W: gen.Gaussian(r, 1, d, gen.LogUniform(t.T, "scale", 0.1, 10)).RawRowView(0)}
	if kind := rapid.IntRange(0, 4).Draw(t.T, "bias"); kind > 0 {
		f.B = floats.Norm(f.W, 2) * gen.LogUniform(t.T, "|b|/‖w‖", 0.1, 4)
		if kind > 2 {
			f.B = -f.B
		}
	}
	return f
}

// Panels of the quadrature on [−13, 13], beyond which the density has no mass in double precision, and the kink.
const (
	squareReach  = 13
	squarePanels = 52
	panelNodes   = 16
	squareNodes  = (squarePanels + 1) * panelNodes
)

func normalWeight(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

func uniformWeight(z float64) float64 {
	if math.Abs(z) < math.Sqrt(3) {
		return 1 / (2 * math.Sqrt(3))
	}
	return 0
}

// under integrates the square of the network's feature along w, the only direction in which it changes.
func (f featureSquare) under(density func(z float64) float64) featureSquare {
	s, d := floats.Norm(f.W, 2), len(f.W)
	net := latent.Network{W: mat.NewDense(1, d, f.W), B: []float64{f.B}, A: []float64{1}}
	ends := []float64{max(-squareReach, min(squareReach, -f.B/s))}
	for k := range squarePanels + 1 {
		ends = append(ends, squareReach*(2*float64(k)/squarePanels-1))
	}
	slices.Sort(ends)
	z, weights := make([]float64, panelNodes), make([]float64, panelNodes)
	for k := range ends[1:] {
		if ends[k] == ends[k+1] {
			continue
		}
		quad.Legendre{}.FixedLocations(z, weights, ends[k], ends[k+1])
		x := mat.NewDense(panelNodes, d, nil)
		x.Outer(1/s, mat.NewVecDense(panelNodes, z), mat.NewVecDense(d, f.W))
		for i, phi := range net.Features(x).RawMatrix().Data {
			f.Square += weights[i] * density(z[i]) * phi * phi
		}
	}
	return f
}

// squareClaim is the mean square of a feature, and the printed bound.
type squareClaim struct{ square, printed func(s, b float64) float64 }

var allWeights = props.Drawn[free, freeClaim]{
	Name:    "all weights",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"two dimensions", "one dimension", "one sample", "two opposite samples"},
	Draw:    func(t *props.T) free { return drawFree(t).fit(1) },
	Claim:   freeClaim{above: 2, below: 2, neurons: math.Sqrt},
	Judge:   judgeFree,
	Proven:  map[string]string{"ρ_ϵ ≤ 2 R_ϵ": "every rounding of outputs and sums"},
	Controls: []props.Wrong[free, freeClaim]{
		{Name: "slope 3", Assumption: "slope", Criterion: "R ≤ 2ρ",
			Draw: func(t *props.T) free { return drawFree(t).fit(3) }},
		{Name: "bound below ρ", Criterion: "R ≤ 2ρ", Claim: func(c *freeClaim) { c.above = 0.99 }},
		{Name: "no growth with the neurons", Criterion: "R ≤ 2ρ",
			Claim: func(c *freeClaim) { c.neurons = func(float64) float64 { return 1 } }},
		{Name: "sharp up to 1.98", Criterion: "ρ_ϵ ≤ 2 R_ϵ", Claim: func(c *freeClaim) { c.below = 1.98 }},
		{Name: "longer weights", Criterion: "other networks", Alter: func(f *free) { f.Rival *= 1.01 }},
	},
}

// free is a sample with what networks of all weights reach on its signs, for B_a = B_w = 1.
type free struct {
	X          *mat.Dense
	M          int
	Opposite   bool
	Complexity float64 // mean over the signs
	contest
	Linear, Reached float64 // (√m/n)‖Σϵx‖ and what is reached, for the signs with the largest quotient
	neurons         *mat.Dense
	outputs         []float64
}

func drawFree(t *props.T) free {
	n, d, kind := gen.Dim(t.T, "n", 6), rapid.IntRange(1, 2).Draw(t.T, "d"), rapid.IntRange(0, 3).Draw(t.T, "kind")
	switch kind {
	case 2:
		n = 1
	case 3:
		n = 2
	}
	r := t.Stream("entries")
	f := free{X: gen.Gaussian(r, n, d, gen.LogUniform(t.T, "scale", 0.1, 10)), M: gen.Dim(t.T, "m", 20),
		Opposite: kind == 3}
	if f.Opposite {
		opposite := slices.Clone(f.X.RawRowView(0))
		floats.Scale(-1, opposite)
		f.X.SetRow(1, opposite)
	}
	distance := gen.LogUniform(t.T, "distance of the rival", 1e-3, 10)
	f.neurons, f.outputs = gen.Gaussian(r, f.M, d, distance), gen.Gaussian(r, 1, f.M, distance).RawRowView(0)
	return f
}

// fit evaluates networks of the best neuron, for each choice of the signs, with outputs multiplied by a slope.
func (f free) fit(slope float64) free {
	n, d := f.X.Dims()
	everySign(n, func(signs []float64) {
		net := latent.Network{W: mat.NewDense(f.M, d, nil), A: make([]float64, f.M), B: make([]float64, f.M)}
		w, a := f.best(signs)
		for j := range f.M {
			net.W.SetRow(j, w)
			net.A[j] = a / math.Sqrt(float64(f.M))
		}
		reach := func(net latent.Network) float64 {
			return slope * floats.Dot(signs, net.Output(f.X)) / float64(n)
		}
		reached := reach(net)
		f.Complexity += reached / math.Pow(2, float64(n))
		var sum mat.VecDense
		sum.MulVec(f.X.T(), mat.NewVecDense(n, signs))
		linear := math.Sqrt(float64(f.M)) * mat.Norm(&sum, 2) / float64(n)
		if f.Reached == 0 || linear*f.Reached > f.Linear*reached {
			f.Linear, f.Reached = linear, reached
		}
		net.W.Add(net.W, f.neurons)
		for j := range f.M {
			net.W.SetRow(j, euclidean(net.W.RawRowView(j)))
		}
		floats.Add(net.A, f.outputs)
		net.A = euclidean(net.A)
		f.try(reached, reach(net))
	})
	return f
}

// best is the unit vector w for which |Σϵmax(0, w·x)| is largest, and the sign of the sum. The sum is linear in w while
// the same samples are active, so that it is largest along a sum of samples, or at an edge where one becomes active.
func (f free) best(signs []float64) (best []float64, sign float64) {
	n, d := f.X.Dims()
	largest := -1.0
	try := func(w []float64) {
		value := 0.0
		for i, x := range rows(f.X) {
			value += signs[i] * max(0, floats.Dot(w, x))
		}
		if math.Abs(value) > largest {
			largest, best, sign = math.Abs(value), w, math.Copysign(1, value)
		}
	}
	everySign(n, func(active []float64) {
		sum := make([]float64, d)
		for i, x := range rows(f.X) {
			floats.AddScaled(sum, signs[i]*(1+active[i])/2, x)
		}
		if floats.Norm(sum, 2) > 0 {
			up, down := euclidean(sum), euclidean(sum)
			floats.Scale(-1, down)
			try(up)
			try(down)
		}
	})
	if d == 2 {
		for _, x := range rows(f.X) {
			try(euclidean([]float64{-x[1], x[0]}))
			try(euclidean([]float64{x[1], -x[0]}))
		}
	}
	return best, sign
}

// freeClaim is by which factors ρ bounds the complexity from above and below, and its growth with the neurons.
type freeClaim struct {
	above, below float64
	neurons      func(m float64) float64
}

func judgeFree(r *props.Record, f free, claim freeClaim) {
	n, d := f.X.Dims()
	r.RegimeOf(d == 1, n == 1, f.Opposite)
	neurons := claim.neurons(float64(f.M))
	rho := neurons / float64(n) * theory.SignedNorm(rows(f.X))
	size := 0.0
	for _, x := range rows(f.X) {
		size += floats.Norm(x, 2) / float64(n)
	}
	tolerance := float64(4*(n+f.M+d)) * r.Unit() * math.Sqrt(float64(f.M)) * size
	r.AtMost("R ≤ 2ρ", f.Complexity, claim.above*rho, tolerance)
	r.AtMost("ρ_ϵ ≤ 2 R_ϵ", f.Linear, claim.below*f.Reached, 2*tolerance)
	r.AtMost("other networks", f.Rival, f.Best, 2*tolerance)
}

// tryRademacher fits output weights of a random first layer to signs that are drawn.
func tryRademacher(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, d, m := v.Int("n"), v.Int("d"), v.Int("m")
	t.Need(float64(n)*float64(m+d) <= 1e8 && m*d <= 1e7, "n = %d, d = %d and m = %d: n(m + d) may be 10⁸ here, and md 10⁷",
		n, d, m)
	net := latent.Network{W: gen.Gaussian(t.Rand, m, d, 1), A: make([]float64, m), B: constant(m, v.Float("bias"))}
	for j := range m {
		w := euclidean(net.W.RawRowView(j))
		floats.Scale(v.Float("input"), w)
		net.W.SetRow(j, w)
	}
	phi := net.Features(gen.Gaussian(t.Rand, n, d, 1))
	total, draws := 0.0, v.Int("signs")
	for range draws {
		var sum mat.VecDense
		sum.MulVec(phi.T(), mat.NewVecDense(n, randomSigns(t.Rand, n)))
		total += mat.Norm(&sum, 2)
	}
	return map[string]float64{"fixed": v.Float("output") * total / float64(n*draws)}, nil
}

func randomSigns(r *rand.Rand, n int) []float64 {
	signs := make([]float64, n)
	for i := range signs {
		signs[i] = float64(2*r.IntN(2) - 1)
	}
	return signs
}
