package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// riccati follows the flow of two layers, with gradients from backpropagation, and compares it with the closed forms.
var riccati = props.Spec{
	Statement: &theory.Riccati,
	Try:       &props.Simulation{Run: tryRiccati},
	Along: &props.Along{Param: "time", From: 0, To: 2, Of: []string{"product"}, Y: "strength of the mode", Reps: 1,
		Each: &props.ParamSweep{Name: "c", Values: []string{"0.1", "1", "4"}}},
	Checks: []props.Check{
		props.Drawn[layerPair, riccatiClaim]{
			Name:    "flow of two layers",
			Cases:   props.Scale{Quick: 20, Standard: 30, Deep: 3000},
			Tries:   20,
			Regimes: []string{"λ = 0", "λ > 0", "λ < 0"},
			Draw:    func(t *props.T) layerPair { return drawLayerPair(t, pairPractice{act: nn.Identity}) },
			Claim:   riccatiClaim{gram: theory.LayerPair.Gram, factor: 1},
			Judge:   judgePair,
			Controls: []props.Wrong[layerPair, riccatiClaim]{
				{Name: "ReLU between the layers", Assumption: "linear",
					Draw: func(t *props.T) layerPair { return drawLayerPair(t, pairPractice{act: nn.ReLU}) }},
				{Name: "first layer larger by a thousandth", Assumption: "balanced",
					Draw: func(t *props.T) layerPair {
						return drawLayerPair(t, pairPractice{act: nn.Identity, excess: 1e-3})
					}},
				{Name: "inputs with a covariance", Assumption: "white",
					Draw: func(t *props.T) layerPair {
						return drawLayerPair(t, pairPractice{act: nn.Identity, coloured: true})
					}},
				{Name: "gradient descent in 200 steps", Assumption: "flow",
					Draw: func(t *props.T) layerPair { return drawLayerPair(t, pairPractice{act: nn.Identity, steps: 200}) }},
				{Name: "no λ in the generator", Criterion: "K", Instead: riccatiClaim{
					gram: func(p theory.LayerPair, t float64) *mat.Dense {
						p.Lambda = 0
						return p.Gram(t)
					}}},
				{Name: "λ of the opposite sign", Criterion: "K", Instead: riccatiClaim{
					gram: func(p theory.LayerPair, t float64) *mat.Dense {
						p.Lambda = -p.Lambda
						return p.Gram(t)
					}}},
				{Name: "WᵀW = M² + λM/2", Criterion: "WᵀW = M² + λM", Instead: riccatiClaim{factor: 0.5}},
			},
		},
		props.Drawn[onePair, squaresOf]{
			Name:    "one mode",
			Cases:   props.Scale{Quick: 80, Standard: 200, Deep: 10000},
			Tries:   40,
			Regimes: []string{"both layers alike in sign", "layers of opposite sign", "no target", "balanced"},
			Draw:    drawOnePair,
			Claim:   theory.Pair.Squares,
			Judge: func(r *props.Record, p onePair, claim squaresOf) {
				r.RegimeOf(p.C*p.D < 0, p.Target == 0, math.Abs(p.C) == math.Abs(p.D))
				sum, difference := claim(p.Pair, p.Time)
				// As for matrices.
				size := p.C*p.C + p.D*p.D + p.Sum + p.Difference + p.Rate()
				allowed := p.Error + 1e4*r.Unit()*size*math.Exp(p.Rate()*p.Time)
				r.WithinScale("(c+d)²", p.Sum, sum, size, allowed)
				r.WithinScale("(c−d)²", p.Difference, difference, size, allowed)
			},
			Controls: []props.Wrong[onePair, squaresOf]{
				{Name: "rate of balanced layers", Instead: func(p theory.Pair, t float64) (sum, difference float64) {
					if p.Rate() > 0 {
						t *= 2 * p.Target / p.Rate()
					}
					return p.Squares(t)
				}},
				{Name: "twice the time", Instead: func(p theory.Pair, t float64) (sum, difference float64) {
					return p.Squares(2 * t)
				}},
				{Name: "squares exchanged", Instead: func(p theory.Pair, t float64) (sum, difference float64) {
					sum, difference = p.Squares(t)
					return difference, sum
				}},
			},
		},
	},
}.Claim()

// riccatiClaim is the closed form of K, and the factor of λ in the law of WᵀW.
type riccatiClaim struct {
	gram   func(theory.LayerPair, float64) *mat.Dense
	factor float64
}

// squaresOf are (c+d)² and (c−d)² over time.
type squaresOf func(p theory.Pair, t float64) (sum, difference float64)

// layerPair is two layers, and K after they followed the flow for some time.
type layerPair struct {
	S      *mat.Dense `npy:"S"`
	W1     *mat.Dense `npy:"W1"`
	W2     *mat.Dense `npy:"W2"`
	Lambda float64    `npy:"lambda"`
	Time   float64    `npy:"time"`
	K      *mat.Dense `npy:"K"`

	error float64 // of K, from the steps of the integration
}

// Valid names the violated hypothesis.
func (p layerPair) Valid() error {
	return theory.LayerPair{S: p.S, W1: p.W1, W2: p.W2, Lambda: p.Lambda}.Valid()
}

func judgePair(r *props.Record, p layerPair, claim riccatiClaim) {
	r.RegimeOf(p.Lambda > 0, p.Lambda < 0)
	pair := theory.LayerPair{S: p.S, W1: p.W1, W2: p.W2, Lambda: p.Lambda}
	want := claim.gram(pair, p.Time)
	m, n := p.S.Dims()
	kappa := math.Hypot(2*mat.Norm(p.S, 2), p.Lambda)
	size := mat.Norm(stackedGram(p.W1, p.W2), 2) + mat.Norm(p.K, 2) + kappa
	allowed := p.error + 1e4*r.Unit()*size*math.Exp(kappa*p.Time)
	r.WithinMatrix("K", p.K, want, allowed)
	square, w := p.K.Slice(0, n, 0, n), p.K.Slice(n, n+m, 0, n)
	law := plus(product(square, square), claim.factor*p.Lambda, square)
	r.WithinMatrix("WᵀW = M² + λM", product(w.T(), w), law, 2*allowed*size)
}

// stackedGram is K.
func stackedGram(w1, w2 *mat.Dense) *mat.Dense {
	var q mat.Dense
	q.Stack(w1.T(), w2)
	return product(&q, q.T())
}

// pairPractice says how two layers depart from the hypotheses.
type pairPractice struct {
	act      nn.Activation
	excess   float64 // of the first layer
	coloured bool
	steps    int // of gradient descent; 0 for the flow
}

// drawLayerPair follows two layers to (κ + ‖K₀‖)t ≤ 6: W_1 = R diag(c) Vᵀ and W_2 = U diag(d) Rᵀ with d² − c² = λ in
// all hidden units; the layer of the smaller side may lack some of them.
func drawLayerPair(t *props.T, practice pairPractice) layerPair {
	n, m := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4)
	sign, limit := float64(rapid.IntRange(-1, 1).Draw(t.T, "sign of λ")), 4
	size := gen.LogUniform(t.T, "|λ|", 0.05, 5)
	switch {
	case sign > 0:
		limit = m
	case sign < 0:
		limit = n
	}
	h, r := gen.Dim(t.T, "h", limit), t.Stream("entries")
	p := layerPair{Lambda: sign * size, S: gen.Gaussian(r, m, n, 0.7)}
	if sign == 0 && rapid.IntRange(0, 2).Draw(t.T, "no target") == 0 {
		p.S.Zero() // the generator vanishes
	}
	c, d := make([]float64, min(h, n)), make([]float64, min(h, m))
	for i := range h {
		small := 0.0
		if i < min(n, m) {
			small = 0.2 + r.Float64()
		}
		if i < n {
			c[i] = math.Sqrt(small*small + max(0, -p.Lambda))
		}
		if i < m {
			d[i] = math.Sqrt(small*small + max(0, p.Lambda))
		}
	}
	hidden := gen.Orthonormal(r, h, h)
	p.W1 = spectral(hidden, c, gen.Orthonormal(r, n, len(c)))
	p.W2 = spectral(gen.Orthonormal(r, m, len(d)), d, hidden)
	p.W1.Scale(1+practice.excess, p.W1)
	rate := math.Hypot(2*mat.Norm(p.S, 2), p.Lambda) + mat.Norm(stackedGram(p.W1, p.W2), 2)
	p.Time = gen.LogUniform(t.T, "time", 0.1, 6) / rate
	p.follow(practice)
	return p
}

// follow sets K and its error.
func (p *layerPair) follow(practice pairPractice) {
	inputs := identity(p.S.RawMatrix().Cols)
	if practice.coloured {
		inputs.Scale(1.1, inputs)
	}
	targets := product(p.S, inputs)
	descend := func(layers []*mat.Dense) (v []*mat.Dense) {
		for _, b := range netOf(layers, practice.act).Batches(inputs, targets) {
			v = append(v, plus(b.WeightGrad(), -2, b.WeightGrad()))
		}
		return v
	}
	end := []*mat.Dense{p.W1, p.W2}
	if practice.steps > 0 {
		for range practice.steps {
			end = along(end, p.Time/float64(practice.steps), descend(end))
		}
		p.K = stackedGram(end[0], end[1])
		return
	}
	coarse := flow(end, p.Time, 2, descend)
	end = flow(end, p.Time, 4, descend)
	p.K = stackedGram(end[0], end[1])
	p.error = mat.Norm(plus(p.K, -1, stackedGram(coarse[0], coarse[1])), 2)
}

// onePair is one mode, and its squares after some time.
type onePair struct {
	theory.Pair
	Time, Sum, Difference, Error float64
}

func drawOnePair(t *props.T) onePair {
	r := t.Stream("entries")
	p := onePair{Pair: theory.Pair{Target: gen.LogUniform(t.T, "s", 0.1, 3), C: 1.5 * r.NormFloat64(),
		D: 1.5 * r.NormFloat64()}}
	if rapid.IntRange(0, 4).Draw(t.T, "no target") == 0 {
		p.Target = 0
	}
	switch rapid.IntRange(0, 5).Draw(t.T, "balanced when 0 or 1") {
	case 0:
		p.D = p.C
	case 1:
		p.D = -p.C
	}
	p.Time = gen.LogUniform(t.T, "time", 0.1, 6) / (p.Rate() + p.C*p.C + p.D*p.D)
	number := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	squares := func(steps int) (sum, difference float64) {
		end := flow([]*mat.Dense{number(p.C), number(p.D)}, p.Time, steps, downhill(number(p.Target)))
		c, d := end[0].At(0, 0), end[1].At(0, 0)
		return (c + d) * (c + d), (c - d) * (c - d)
	}
	sum, difference := squares(3)
	p.Sum, p.Difference = squares(6)
	p.Error = math.Abs(p.Sum-sum) + math.Abs(p.Difference-difference)
	return p
}

// tryRiccati follows the flow of one mode.
func tryRiccati(t *props.Trial, v statement.Values) (map[string]float64, error) {
	number := func(name string) *mat.Dense { return mat.NewDense(1, 1, []float64{v.Float(name)}) }
	layers := []*mat.Dense{number("c"), number("d")}
	work := v.Float("time") * (math.Pow(v.Float("c"), 2) + math.Pow(v.Float("d"), 2) + 2*v.Float("target"))
	t.Need(work <= 1000, "a simulation takes at most 1000 steps: t·(c² + d² + 2s) must not exceed 1000")
	end := flow(layers, v.Float("time"), 1+int(work), downhill(number("target")))
	c, d := end[0].At(0, 0), end[1].At(0, 0)
	return map[string]float64{"product": c * d, "squares": c*c + d*d}, nil
}
