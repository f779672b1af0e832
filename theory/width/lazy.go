package width

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Lazy is the claim width/lazy: a model whose output is multiplied by a large number hardly moves.
var Lazy = theory.Statement{
	Slug:  "width/lazy",
	Title: "Lazy training of a scaled model: how far weights, tangent kernel and outputs move",
	Plain: "A model whose output is multiplied by a large factor fits its labels with tiny moves of its weights, nearly " +
		"like its linearisation.",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting: "Gradient flow, or descent with steps η, on F(w) = α⁻²·½|αh(w) − y|² from w₀, to a fixed time t; orders " +
		"are for η at most 1 over the largest eigenvalue of Θ₀, so that no step overshoots. Θ is the tangent kernel of h, " +
		"the linear model is h(w₀) + ∇h(w₀)(w − w₀) trained in the same way.",
	Params: []theory.Param{
		{Name: "alpha", Symbol: "α", Meaning: "factor of the output", Domain: theory.Between(1e-2, 1e6), Default: "4"},
		{Name: "y", Symbol: "y", Meaning: "label of h = w² − 1, which starts at w = 1",
			Domain: theory.Between(-1e3, 1e3), Default: "1"},
		{Name: "t", Symbol: "t", Meaning: "time", Domain: theory.Between(0, 100), Default: "0.3"},
		{Name: "f", Symbol: "αh", Meaning: "output at that time", Domain: theory.Real(), Default: "0"},
	},
	Claim: "$|w(t) − w₀| ≤ √(t/2)|αh(w₀) − y|/α$ for every h along the flow, and $|w_k − w₀| ≤ √(kη/2c)|αh(w₀) − y|/α$ " +
		"for k steps of which each lowers F by at least cη|∇F|²; a straight path of constant gradient to F = 0 " +
		"attains both. If h is smooth and h(w₀) = 0, then w − w₀, Θ − Θ₀ and αh − αh_lin are of order 1/α. " +
		"If h has one hidden layer of pairs of units (a, w) and (−a, w), the last two are of order 1/α². For h = w² − 1 " +
		"and w₀ = 1, $αh = y D/(1 − (y/α) D)$ with D = (1 − e^(−4vt))/v, v = 1 + y/α, and Θ has the relative change " +
		"αh/α: by exactly y/α in the end, if y > −α.",
	TeX: `|w(t) - w_0| \le \sqrt{t/2} \, |\alpha h(w_0) - y| / \alpha, \qquad |w_k - w_0| \le \sqrt{k \eta / 2c} \, ` +
		`|\alpha h(w_0) - y| / \alpha, \qquad \alpha h = \frac{y D}{1 - (y/\alpha) D}`,
	Assumptions: []theory.Assumption{
		{ID: "centred", Text: "h(w₀) = 0"},
		{ID: "scaled", Text: "the loss is divided by α², so that times are comparable for all α"},
		{ID: "smooth", Text: "h has continuous second derivatives, and for the order 1/α² third ones",
			NoControl: "ReLU changes Θ by jumps: none at small width and large α, and of order α^(−1/2) at large width"},
		{ID: "pairs", Text: "units come in pairs with opposite output weights, for the order 1/α²"},
	},
	Source: theory.Source{Paper: "After Chizat, Oyallon, Bach: On lazy training in differentiable programming",
		ArXiv: "1812.07956", Version: "recalled", Year: 2019, Locus: "proof of theory/width.Lazy"},
	Deviations: "The explicit bounds, the scalar model and the second order of pairs are derived here.",
	Proof: "Along the flow dF/dt = −|ẇ|², so that the length of the path is at most √t (∫|ẇ|²)^½ ≤ √(t F(w₀)); " +
		"likewise for steps. It is equal where |ẇ| is constant, w does not turn and F ends at 0. With h(w₀) = 0 that " +
		"is O(1/α), and Θ and h are smooth in w. Pairs (a, w) and (−a, w) have h " +
		"= 0 and move oppositely to first order, by δ and −δ in w; Θ, and the second derivative of h along the path, are " +
		"sums over units of even terms in a, or odd ones in a pair, whose changes of first order cancel. In the scalar " +
		"model v = w² is logistic.",
	Tolerance: "Orders: E(a) − 2ᵖE(a/2) bounds the part of other orders, see package order; a = 1/α. The scalar flow " +
		"is integrated by Runge–Kutta steps h and h/2: a quarter of their difference is allowed, and roundings. Bounds: " +
		"roundings.",
	Limits: "Networks of 8 units, 4 points, 40 steps, labels of norm 2; α from 1024 to 32 768, and from 64 to 512 " +
		"for pairs. Nothing is said about how large α must be.",
	Predict: func(v theory.Values) []theory.Quantity {
		s, t := ScaledSquare{v.Float("alpha"), v.Float("y")}, v.Float("t")
		return []theory.Quantity{
			{Name: "output", Symbol: "αh", Value: s.Output(t), Meaning: "output at time t"},
			{Name: "linear", Symbol: "αh_lin", Value: s.Linear(t), Meaning: "that of the linear model"},
			{Name: "kernel", Symbol: "Θ/Θ₀ − 1", Value: s.KernelChange(t), Meaning: "relative change of the tangent kernel"},
			{Name: "moved", Symbol: "|w − w₀|", Value: LazyBound(t, 1, v.Float("y")/s.Alpha), Bound: "≤",
				Meaning: "distance of the weight from its start"},
		}
	},
}

// ScaledSquare is the model αh with h = w² − 1 from w = 1, and one label.
type ScaledSquare struct{ Alpha, Label float64 }

// Valid names the violated hypothesis.
func (s ScaledSquare) Valid() error {
	return theory.Require(s.Alpha > 0 && !math.IsInf(s.Alpha, 1) && !math.IsNaN(s.Label) && !math.IsInf(s.Label, 0),
		"width: α must be positive, and α and the label finite")
}

// Output returns yD/(1 − (y/α)D), D = (1 − e^(−4vt))/v with v = 1 + y/α, and D = 4t at v = 0.
func (s ScaledSquare) Output(t float64) float64 {
	if s.Valid() != nil || !(t >= 0) {
		return math.NaN()
	}
	v, inverse := 1+s.Label/s.Alpha, 1/(4*t) // 1/D − (y/α) = 1 + v/(e^(4vt) − 1), which does not cancel
	if v != 0 {
		inverse = v / math.Expm1(4*v*t)
	}
	return s.Label / (1 + inverse)
}

// Linear returns y(1 − e^(−4t)).
func (s ScaledSquare) Linear(t float64) float64 {
	return theory.When(s.Valid() == nil && t >= 0, -s.Label*math.Expm1(-4*t))
}

// KernelChange returns Θ/Θ₀ − 1 = αh/α.
func (s ScaledSquare) KernelChange(t float64) float64 { return s.Output(t) / s.Alpha }

// LazyBound returns √(t/2c)·gap, the largest distance from the start after a time t, where gap is |αh(w₀) − y|/α; c is
// 1 for the flow, and for steps the least share of η|∇F|² by which one lowers F.
func LazyBound(t, c, gap float64) float64 {
	return theory.When(t >= 0 && c > 0, math.Sqrt(t/(2*c))*math.Abs(gap))
}
