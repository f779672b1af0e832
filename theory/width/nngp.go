package width

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// NNGP is the claim width/nngp.
var NNGP = theory.Statement{
	Slug:  "width/nngp",
	Title: "Random networks of finite width: a Gaussian of random variance",
	Plain: "Given the length of its last layer, a random ReLU network is Gaussian; the length's moments are products " +
		"over layers at every width.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "hˡ = φ(Wˡhˡ⁻¹) for l = 1, …, L with widths n_l and h⁰ = x ∈ ℝᵈ, x ≠ 0; φ(z) = αz for z > 0 and βz " +
		"elsewhere, not both zero; entries of Wˡ are independent, N(0, g²/n_{l−1}), with g² = 2/(α²+β²), so that the " +
		"ReLU has He's weights. The output f is linear in hᴸ with weights N(0, g²/n_L). q_l = g²‖hˡ‖²/n_l, with " +
		"q₀ = g²‖x‖²/d.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "width of all hidden layers", Domain: theory.IntegerBetween(1, 1e6), Default: "16"},
		{Name: "layers", Symbol: "L", Meaning: "number of hidden layers", Domain: theory.IntegerBetween(1, 100),
			Default: "2"},
		{Name: "slope", Symbol: "β", Meaning: "slope at negative arguments, with α = 1", Domain: theory.Between(-1, 1),
			Default: "0"},
		{Name: "widths", Symbol: "n₁, …, n_L", Meaning: "widths of the hidden layers", Shape: "L"},
		{Name: "alpha", Symbol: "α", Meaning: "slope at positive arguments"},
		{Name: "beta", Symbol: "β", Meaning: "slope at negative arguments"},
		{Name: "moments", Symbol: "E (q_L/q₀)ᵏ", Meaning: "moments that were found, k = 1, …, 4", Shape: "4"},
	},
	Claim: "Given the layers below, f is N(0, q_L), and q_L/q₀ is a product of independent R_l with $E R = 1$, " +
		"$E R² = 1 + κ/n$, $E R³ = 1 + 3κ/n + m₃/n²$ and $E R⁴ = 1 + 6κ/n + (4m₃+3κ²)/n² + (m₄−3κ²)/n³$ with central " +
		"moments κ = κ₂, m₃ and m₄ of g²φ(Z)², Z standard normal: $κ = 6(α⁴+β⁴)/(α²+β²)² − 1$. For the ReLU they are 5, " +
		"44 and 633. Hence $E f⁴ = 3q₀² ∏(1 + κ/n_l)$ at every width: f is Gaussian in the limit of large widths at a " +
		"fixed depth, and is not where depth grows with width.",
	TeX: `\mathbb{E} R = 1, \qquad \mathbb{E} R^2 = 1 + \kappa/n, ` +
		`\qquad \mathbb{E} R^3 = 1 + 3\kappa/n + m_3/n^2, ` +
		`\qquad \mathbb{E} R^4 = 1 + 6\kappa/n + (4m_3 + 3\kappa^2)/n^2 + (m_4 - 3\kappa^2)/n^3, ` +
		`\qquad \kappa = 6\,\frac{\alpha^4+\beta^4}{(\alpha^2+\beta^2)^2} - 1, ` +
		`\qquad \mathbb{E} f^4 = 3 q_0^2 \prod_l (1 + \kappa/n_l)`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the weights are independent and normal"},
		{ID: "scaled", Text: "their variance is g² over the width of the layer below"},
		{ID: "unbiased", Text: "the layers have no biases"},
		{ID: "homogeneous", Text: "φ is linear on either side of 0"},
	},
	Source: theory.Source{Paper: "After J. Lee et al., Deep neural networks as Gaussian processes, and " +
		"A. G. de G. Matthews et al., Gaussian process behaviour in wide deep neural networks", Version: "derived here",
		Year: 2018, Locus: "proof of theory/width.NNGP"},
	Deviations: "The sources state the limit. Here is the law at finite width, for activations that are linear on " +
		"either side of 0.",
	Proof: "Given hˡ⁻¹ the entries of Wˡhˡ⁻¹ are independent and N(0, q_{l−1}). φ is homogeneous, so that q_l = " +
		"q_{l−1}R_l with R_l the mean of n_l independent copies of g²φ(Z)², whatever hˡ⁻¹. Its moments are E(g²φ(Z)²)ᵏ = " +
		"(2k−1)!!(α²ᵏ+β²ᵏ)g²ᵏ/2, and those of a mean follow from central moments. f given hᴸ is normal with variance q_L.",
	Tolerance: "Moments of one neuron are compared by quadrature and added up neuron by neuron, which meets some 10 n " +
		"roundings. Drawn networks have matrices: medians of batches, whose scatter follows from E R⁴.",
	Limits: "Moments up to the fourth; in drawn networks, of one and two layers, moments of q up to the second. One " +
		"input; nothing is said about several inputs jointly.",
	Predict: predictNNGP,
}

func predictNNGP(v theory.Values) []theory.Quantity {
	net := Homogeneous{Widths: make([]int, v.Int("layers")), Up: 1, Down: v.Float("slope")}
	for l := range net.Widths {
		net.Widths[l] = v.Int("n")
	}
	return []theory.Quantity{
		{Name: "mean", Symbol: "E q_L/q₀", Value: net.Moment(1), Meaning: "variance of the output", Nonnegative: true},
		{Name: "square", Symbol: "E q_L²/q₀²", Value: net.Moment(2), Meaning: "a third of the output's kurtosis",
			Nonnegative: true},
		{Name: "cube", Symbol: "E q_L³/q₀³", Value: net.Moment(3), Meaning: "a fifteenth of its standardised sixth moment",
			Nonnegative: true},
	}
}

// Homogeneous is a random network whose activation has the slope Up at positive arguments and Down at negative ones.
type Homogeneous struct {
	Widths   []int
	Up, Down float64
}

// Valid names the violated hypothesis.
func (h Homogeneous) Valid() error {
	for _, n := range h.Widths {
		if n < 1 {
			return errors.New("width: a layer has at least one neuron")
		}
	}
	if a := math.Hypot(h.Up, h.Down); !(a > 0) || math.IsInf(a, 0) {
		return errors.New("width: the slopes are finite, and not both zero")
	}
	return nil
}

// Moment returns E(q_L/q₀)ᵏ for k from 0 to 4, and NaN for others.
func (h Homogeneous) Moment(k int) float64 {
	if h.Valid() != nil || k < 0 || k > 4 {
		return math.NaN()
	}
	scale := math.Max(math.Abs(h.Up), math.Abs(h.Down))
	a, b := h.Up/scale, h.Down/scale
	a, b = 2*a*a/(a*a+b*b), 2*b*b/(a*a+b*b) // squared slopes times g²
	raw := func(k, odd float64) float64 { return odd / 2 * (math.Pow(a, k) + math.Pow(b, k)) }
	v, c, d := raw(2, 3), raw(3, 15), raw(4, 105)
	v, c, d = v-1, c-3*v+2, d-4*c+6*v-3 // central moments
	out := 1.0
	for _, width := range h.Widths {
		n := float64(width)
		out *= []float64{1, 1, 1 + v/n, 1 + (3*v+c/n)/n, 1 + (6*v+(4*c+3*v*v+(d-3*v*v)/n)/n)/n}[k]
	}
	return out
}
