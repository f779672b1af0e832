package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Riccati is the claim linear/riccati.
var Riccati = theory.Statement{
	Slug:  "linear/riccati",
	Title: "Exact flow of two linear layers that differ by a multiple of the identity",
	Plain: "Two linear layers whose Gram matrices differ by λ times the identity train along a matrix Riccati equation " +
		"with a known solution.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Gradient flow of W₁ (h×n) and W₂ (m×h) on ½‖S − W₂W₁‖², as of white inputs, from W₂ᵀW₂ − W₁W₁ᵀ = " +
		"λI. Q = [W₁ᵀ; W₂] stacks both, K = QQᵀ, F = [[−λ/2, Sᵀ], [S, λ/2]]. One mode has the layers c and d, λ = ±(c² − " +
		"d²), κ = √(4s² + λ²).",
	Params: []theory.Param{
		{Name: "target", Symbol: "s", Meaning: "target of one mode", Domain: theory.Between(0, 100), Default: "2"},
		{Name: "c", Symbol: "c", Meaning: "strength of its first layer at the " +
			"start", Domain: theory.Between(-100, 100), Default: "1.5"},
		{Name: "d", Symbol: "d", Meaning: "strength of its second layer at the " +
			"start", Domain: theory.Between(-100, 100), Default: "0.1"},
		{Name: "time", Symbol: "t", Meaning: "time of training", Domain: theory.Between(0, 1000), Default: "0.5"},
		{Name: "S", Symbol: "S", Meaning: "target", Shape: "m×n"},
		{Name: "W1", Symbol: "W₁", Meaning: "first layer at the start", Shape: "h×n"},
		{Name: "W2", Symbol: "W₂", Meaning: "second layer at the start", Shape: "m×h"},
		{Name: "lambda", Symbol: "λ", Meaning: "imbalance: W₂ᵀW₂ − W₁W₁ᵀ = λI"},
		{Name: "K", Symbol: "K", Meaning: "[W₁ᵀ; W₂][W₁, W₂ᵀ] at the time", Shape: "(n+m)×(n+m)"},
	},
	Claim: "$K(t) = e^{Ft}Q₀(I + Q₀ᵀ∫₀ᵗe^{2Fτ}dτ Q₀)^{−1}Q₀ᵀe^{Ft}$ at every time, without any alignment of S and the " +
		"layers. At every time $WᵀW = M² + λM$ with W = W₂W₁ and M = W₁ᵀW₁. In one mode (c+d)² and (c−d)², whose " +
		"product is λ², are rational in tanh(κt/2).",
	TeX: `K(t) = e^{Ft} Q_0 \Big( I + Q_0^{\top} \int_0^t e^{2F\tau} d\tau \, Q_0 \Big)^{-1} Q_0^{\top} e^{Ft}, ` +
		`\quad W^{\top} W = M^2 + \lambda M`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "only the two layers act between input and output"},
		{ID: "balanced", Text: "W₂ᵀW₂ − W₁W₁ᵀ is a multiple of the identity"},
		{ID: "white", Text: "the loss is ½‖S − W‖²"},
		{ID: "flow", Text: "both layers follow the gradient flow, at the same speed"},
	},
	Source: theory.Source{
		Paper: "After K. Fukumizu (1998), L. Braun et al. (2022), and C. Dominé et al.: From lazy to rich: exact learning " +
			"dynamics in deep linear networks",
		ArXiv: "2409.14623", Version: "abstract", Year: 2024,
		Locus: "abstract: exact solutions for λ-balanced starts; the formulas are derived here",
	},
	Deviations: "The form is evaluated step by step as a semigroup: as one matrix exponential it loses all digits by κt " +
		"≈ 40.",
	Proof: "W₁W₁ᵀ = (QᵀQ − λ)/2 and W₂ᵀW₂ = (QᵀQ + λ)/2 turn the flow into Q′ = FQ − QQᵀQ/2, hence K′ = FK + KF − " +
		"K². K^{−1} obeys a linear equation, and Woodbury's identity removes the inverse. WᵀW = W₁ᵀ(W₁W₁ᵀ + λ)W₁. For " +
		"one mode diagonalise F.",
	Tolerance: "The flow is known to the difference between one and two sizes of the steps of an extrapolation method " +
		"of order 16. Rounding, of some 10⁴ operations, grows no faster than e^{κt} with the largest κ, on the scale ‖K₀‖ " +
		"+ ‖K‖ + κ.",
	Limits: "Up to four inputs, outputs and hidden units and (κ + ‖K₀‖)t ≤ 6. λ > 0 needs h ≤ m, and λ < 0 needs h ≤ n. " +
		"Nothing is said about single layers, which K determines only up to a rotation.",
	RestsOn: []string{"linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		p := Pair{Target: v.Float("target"), C: v.Float("c"), D: v.Float("d")}
		sum, difference := p.Squares(v.Float("time"))
		return []theory.Quantity{
			{Name: "product", Symbol: "cd", Value: (sum - difference) / 4, Meaning: "strength of the mode at the time t"},
			{Name: "squares", Symbol: "c² + d²", Value: (sum + difference) / 2, Meaning: "sum of the squares of its layers"},
			{Name: "rate", Symbol: "κ", Value: p.Rate(), Meaning: "rate of convergence"},
		}
	},
}

// Pair is one mode of two layers.
type Pair struct {
	Target float64 // s ≥ 0
	C, D   float64 // the layers at the start
}

// Rate returns κ.
func (p Pair) Rate() float64 { return math.Hypot(2*p.Target, p.lambda()) }

func (p Pair) lambda() float64 { return (p.C - p.D) * (p.C + p.D) }

// Squares returns (c+d)² and (c−d)² at the time t; NaN outside the hypotheses and for negative times. No difference of
// positive numbers occurs: κ − 2s = λ²/(κ + 2s), and 1 − T is known without T.
func (p Pair) Squares(t float64) (sum, difference float64) {
	s, kappa, lambda2 := p.Target, p.Rate(), p.lambda()*p.lambda()
	sum, difference = (p.C+p.D)*(p.C+p.D), (p.C-p.D)*(p.C-p.D)
	switch {
	case !(s >= 0 && t >= 0):
		return math.NaN(), math.NaN()
	case kappa == 0:
		return sum / (1 + sum*t/2), difference / (1 + difference*t/2)
	}
	tanh, rest := math.Tanh(kappa*t/2), 2/(math.Exp(kappa*t)+1)
	gap := lambda2/(kappa+2*s) + 2*s*rest // κ − 2sT

	if sum > 0 { // c = −d is invariant, where the gap underflows at late times
		sum = (sum*(kappa+2*s*tanh) + lambda2*tanh) / (gap + sum*tanh)
	}
	return sum, (difference*gap + lambda2*tanh) / (kappa + 2*s*tanh + difference*tanh)
}

// LayerPair is two layers and their target.
type LayerPair struct {
	S, W1, W2 *mat.Dense // m×n, h×n, m×h
	Lambda    float64
}

// Valid names the violated hypothesis. It does not check whether the layers are balanced; the caller knows how closely
// they are.
func (p LayerPair) Valid() error {
	m, n := p.S.Dims()
	h, n1 := p.W1.Dims()
	m2, h2 := p.W2.Dims()
	return theory.Require(n1 == n && m2 == m && h2 == h,
		"linear: shapes of S (m×n), W₁ (h×n) and W₂ (m×h) do not fit")
}

// Gram returns K(t), in steps that are short enough for the inverse.
func (p LayerPair) Gram(t float64) *mat.Dense {
	m, n := p.S.Dims()
	k := mat.NewDense(n+m, n+m, nil)
	var eigen mat.EigenSym
	if p.Valid() != nil || !(t >= 0) || !eigen.Factorize(p.generator(), true) {
		k.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, k)
		return k
	}
	var q, basis mat.Dense
	q.Stack(p.W1.T(), p.W2)
	eigen.VectorsTo(&basis)
	rates := eigen.Values(nil)
	q.Mul(basis.T(), &q) // from here on F is diagonal

	// one step at least: without a target F may be 0, and Q still decays
	steps := max(1, math.Ceil(t*max(-rates[0], rates[len(rates)-1])))
	for range int(steps) {
		riccatiStep(&q, rates, t/steps)
	}
	q.Mul(&basis, &q)
	k.Mul(&q, q.T())
	return k
}

// generator returns F.
func (p LayerPair) generator() *mat.SymDense {
	m, n := p.S.Dims()
	f := mat.NewSymDense(n+m, nil)
	for j := range n {
		f.SetSym(j, j, -p.Lambda/2)
		for i := range m {
			f.SetSym(n+i, n+i, p.Lambda/2)
			f.SetSym(n+i, j, p.S.At(i, j))
		}
	}
	return f
}

// riccatiStep replaces Q by e^{Ft}Q L^{−T} with LLᵀ = I + Qᵀ∫e^{2Fτ}dτ Q.
func riccatiStep(q *mat.Dense, rates []float64, t float64) {
	_, h := q.Dims()
	var grown, gram, next mat.Dense
	grown.Apply(func(i, _ int, x float64) float64 {
		if rates[i] == 0 {
			return x * t
		}
		return x * math.Expm1(2*rates[i]*t) / (2 * rates[i])
	}, q)
	gram.Mul(q.T(), &grown)
	inner := mat.NewSymDense(h, nil)
	for i := range h {
		for j := i; j < h; j++ {
			inner.SetSym(i, j, (gram.At(i, j)+gram.At(j, i))/2)
		}
		inner.SetSym(i, i, 1+inner.At(i, i))
	}
	var chol mat.Cholesky
	var l mat.TriDense
	chol.Factorize(inner) // above the identity
	chol.LTo(&l)
	q.Apply(func(i, _ int, x float64) float64 { return x * math.Exp(rates[i]*t) }, q)
	if next.Solve(&l, q.T()) == nil {
		q.Copy(next.T())
	}
}
