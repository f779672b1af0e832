package linear

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// EndToEnd is the claim linear/endtoend.
var EndToEnd = theory.Statement{
	Slug:  "linear/endtoend",
	Title: "Gradient flow of the end-to-end matrix of a balanced linear network",
	Plain: "Training a balanced deep linear network moves its end-to-end matrix along the gradient, amplified by powers " +
		"of the matrix's own singular values.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "W = W_N ⋯ W_1 under a loss ℓ(W) with gradient G = ∂ℓ/∂W; the flow dW_l/dt = −∂ℓ/∂W_l, or one step of " +
		"size h. Balanced: W_{l+1}ᵀW_{l+1} = W_lW_lᵀ for all l. W = U diag(s) Vᵀ with square U and V; missing singular " +
		"values are 0, and 0⁰ = 1.",
	Params: []theory.Param{
		{Name: "depth", Symbol: "N", Meaning: "number of layers", Domain: theory.IntegerBetween(1, 100), Default: "3"},
		{Name: "s", Symbol: "s", Meaning: "singular value of W on the left of an " +
			"entry", Domain: theory.Between(0, 1e3), Default: "2"},
		{Name: "other", Symbol: "s′", Meaning: "singular value of W on its " +
			"right", Domain: theory.Between(0, 1e3), Default: "0.5"},
		{Name: "W1", Symbol: "W₁", Meaning: "first of two layers", Shape: "m×n"},
		{Name: "W2", Symbol: "W₂", Meaning: "second of two layers", Shape: "q×m"},
		{Name: "G", Symbol: "G", Meaning: "gradient of the loss in W₂W₁", Shape: "q×n"},
		{Name: "W_next", Symbol: "W⁺", Meaning: "product of the two layers after a step", Shape: "q×n"},
		{Name: "step", Symbol: "h", Meaning: "step size"},
	},
	Claim: "$dW/dt = −Σ_{j=1}^N (WWᵀ)^{(N−j)/N} G (WᵀW)^{(j−1)/N}$: entry (r, r′) of UᵀGV is multiplied by Σ_j " +
		"s_r^{2(N−j)/N} s_{r′}^{2(j−1)/N}. One step departs from it by O(h²). Of two layers, balanced or not, $W⁺ = W − " +
		"h(W₂W₂ᵀG + GW₁ᵀW₁) + h²GWᵀG$ exactly.",
	TeX: `\dot W = -\sum_{j=1}^N (W W^{\top})^{\frac{N-j}{N}} G \, (W^{\top} W)^{\frac{j-1}{N}}, ` +
		`\quad W^+ = W - h (W_2 W_2^{\top} G + G W_1^{\top} W_1) + h^2 G W^{\top} G`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "only the layers act between input and output"},
		{ID: "balanced", Text: "W_{l+1}ᵀW_{l+1} = W_lW_lᵀ, for the flow"},
		{ID: "plain-descent", Text: "all layers follow their own gradient, taken at the same weights, at one speed"},
	},
	Source: theory.Source{
		Paper: "After S. Arora, N. Cohen, E. Hazan: On the optimization of deep networks",
		ArXiv: "1802.06509", Version: "abstract", Year: 2018,
		Locus: "abstract: depth acts as a preconditioner; formula and step are derived here",
	},
	Deviations: "No weight decay.",
	Proof: "The product rule gives dW/dt = −Σ_j (W_N⋯W_{j+1})(W_N⋯W_{j+1})ᵀ G (W_{j−1}⋯W_1)ᵀ(W_{j−1}⋯W_1). Balance " +
		"lets W_N⋯W_{j+1} telescope: its Gram matrix is (W_NW_Nᵀ)^{N−j}, and WWᵀ = (W_NW_Nᵀ)^N; likewise on the right. The " +
		"flow keeps the balance (linear/balance). For two layers the step is multiplied out.",
	Tolerance: "On integers and signed permutations the arithmetic is exact. Otherwise every entry is the end of " +
		"chains of at most 2N products of inner length at most d, whose 2N factors are themselves products of two: " +
		"16N(d+2)u·Σ_l‖G‖Π_{k≠l}‖W_k‖². Orders are slopes of logarithms, see package order. Flows are compared up to the " +
		"difference between one and two steps of an extrapolation method of order 16, and rounding.",
	Limits: "Up to five layers of at most six units. The flow is followed up to time ½, from matrices with singular " +
		"values in [½, 3/2]. If singular values vanish, the fractional powers are checked at one time only.",
	RestsOn: []string{"linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		c := Chain{Depth: v.Int("depth")}
		gain := func(s, other float64) float64 {
			root := 1 / float64(c.Depth)
			return c.Gain(math.Pow(s, root), math.Pow(other, root))
		}
		s := v.Float("s")
		return []theory.Quantity{
			{Name: "gain", Symbol: "Σ_j s^{2(N−j)/N} " +
				"s′^{2(j−1)/N}", Value: gain(s, v.Float("other")), Meaning: "amplification of the entry (s, s′) of the gradient"},
			{Name: "along", Symbol: "N s^{2−2/N}", Value: gain(s, s), Meaning: "amplification along a singular direction of W"},
			{Name: "across", Symbol: "s^{2−2/N}", Value: gain(s, 0), Meaning: "amplification into the kernel of W"},
		}
	},
}

// Chain is a balanced linear network: every layer has the same singular values.
type Chain struct {
	Depth     int
	U, V      *mat.Dense // of the end-to-end matrix, square
	Strengths []float64  // q = s^{1/N}, the singular values of a layer; missing ones are 0
}

// ChainOf returns the balanced network of an end-to-end matrix.
func ChainOf(w *mat.Dense, depth int) Chain {
	var svd mat.SVD
	c := Chain{Depth: depth, U: new(mat.Dense), V: new(mat.Dense)}
	if svd.Factorize(w, mat.SVDFull) {
		svd.UTo(c.U)
		svd.VTo(c.V)
		for _, s := range svd.Values(nil) {
			c.Strengths = append(c.Strengths, math.Pow(s, 1/float64(depth)))
		}
	}
	return c
}

// Gain returns Σ_j q^{2(N−j)} q′^{2(j−1)}; NaN outside the hypotheses.
func (c Chain) Gain(q, other float64) float64 {
	if c.Depth < 1 || !(q >= 0 && other >= 0) {
		return math.NaN()
	}
	sum, power := 0.0, 1.0
	for range c.Depth { // Horner's scheme in q²
		sum = sum*q*q + power
		power *= other * other
	}
	return sum
}

// Velocity returns −dW/dt at the gradient G, which has the shape of W. All entries are NaN outside the hypotheses.
func (c Chain) Velocity(g *mat.Dense) *mat.Dense {
	at := func(i int) float64 {
		if i < len(c.Strengths) {
			return c.Strengths[i]
		}
		return 0
	}
	var p mat.Dense
	p.Mul(c.U.T(), g)
	p.Mul(&p, c.V)
	p.Apply(func(i, j int, x float64) float64 { return x * c.Gain(at(i), at(j)) }, &p)
	p.Mul(c.U, &p)
	p.Mul(&p, c.V.T())
	return &p
}

// TwoLayers is one step of two linear layers.
type TwoLayers struct {
	W1, W2 *mat.Dense // m×n and q×m
	G      *mat.Dense // q×n
	Step   float64
}

// Valid names the violated hypothesis.
func (s TwoLayers) Valid() error {
	m, n := s.W1.Dims()
	q, inner := s.W2.Dims()
	gq, gn := s.G.Dims()
	return cmp.Or(
		theory.Require(inner == m && gq == q && gn == n, "linear: shapes of W₁ (m×n), W₂ (q×m) and G (q×n) do not fit"),
		theory.Require(s.Step > 0 && !math.IsInf(s.Step, 0), "linear: the step size must be positive and finite"),
	)
}

// Next returns W⁺ = W − h(W₂W₂ᵀG + GW₁ᵀW₁) + h²GWᵀG, q×n. All entries are NaN outside the hypotheses.
func (s TwoLayers) Next() *mat.Dense {
	next := mat.DenseCopyOf(s.G)
	if s.Valid() != nil {
		next.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, next)
		return next
	}
	var left, right, second mat.Dense
	next.Mul(s.W2, s.W1)
	left.Product(s.W2, s.W2.T(), s.G)
	right.Product(s.G, s.W1.T(), s.W1)
	second.Product(s.G, next.T(), s.G)
	left.Add(&left, &right)
	left.Scale(s.Step, &left)
	second.Scale(s.Step*s.Step, &second)
	next.Sub(next, &left)
	next.Add(next, &second)
	return next
}
