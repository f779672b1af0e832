package spectra

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// FreeProduct is the claim spectra/freeproduct.
var FreeProduct = theory.Statement{
	Slug:  "spectra/freeproduct",
	Title: "Spectrum of a product of random matrices, wide and deep",
	Plain: "The squared singular values of a random linear network have exactly known moments, which grow exponentially " +
		"with the ratio of depth to width.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Y = X_L⋯X₁ with independent standard normal entries and X_l of N_l×N_{l−1}; G = YᵀY/(N₁⋯N_L), γ_l = " +
		"N₀/N_l, and mₖ = E (1/N₀) tr Gᵏ.",
	Params: []theory.Param{
		{Name: "width", Symbol: "N", Meaning: "all widths", Domain: theory.IntegerBetween(1, 1e6), Default: "20"},
		{Name: "depth", Symbol: "L", Meaning: "number of factors", Domain: theory.IntegerBetween(1, 200), Default: "3"},
		{Name: "widths", Symbol: "N₀, …, N_L", Meaning: "widths, of the inputs first", Shape: "L+1"},
		{Name: "second", Symbol: "E (1/N₀) tr G²", Meaning: "second moment that was found"},
		{Name: "third", Symbol: "E (1/N₀) tr G³", Meaning: "third moment that was found"},
		{Name: "variance", Symbol: "Var (1/N₀) tr G", Meaning: "variance that was found"},
		{Name: "terms", Symbol: "|Ω|", Meaning: "number of values of the entries over which the moments are means"},
	},
	Claim: "Exactly, E tr (YᵀY)ᵏ is the sum over a pairing of 2k places for each factor, of all widths to the power " +
		"of the loops between the pairings on their two sides. With all widths N it gives $m₂ = ((N+2)(1+2/N)^L − " +
		"(N−1)(1−1/N)^L)/3$. As all widths grow in proportion, L fixed, $mₖ → (1/k) [z^{k−1}] ((1+z)∏(1+γ_l z))ᵏ$, the " +
		"free product of laws of Marchenko and Pastur; with all γ_l = 1 these are $C((L+1)k, k)/(Lk+1)$. With L/N → a " +
		"instead, $m₂/N → (e^{2a} − e^{−a})/3$.",
	TeX: `m_2 = \tfrac13 \left[ (N+2)(1+\tfrac2N)^L - (N-1)(1-\tfrac1N)^L \right], \qquad m_k \to \tfrac1k [z^{k-1}] ` +
		`\Bigl( (1+z) \prod_l (1+\gamma_l z) \Bigr)^k, \qquad \frac{1}{Lk+1} \binom{(L+1)k}{k}, \qquad ` +
		`\frac{m_2}{N} \to \frac{e^{2a} - e^{-a}}{3}`,
	Assumptions: []theory.Assumption{
		{ID: "independent", Text: "the factors are independent"},
		{ID: "normal", Text: "the entries are real and normal, for the exact means"},
		{ID: "shallow", Text: "L stays fixed as the widths grow, for the limit of all moments"},
	},
	Source: theory.Source{Paper: "After Burda, Janik and Waclaw, Spectrum of the product of independent random Gaussian " +
		"matrices; Penson and Życzkowski, Product of Ginibre matrices", ArXiv: "1103.3453", Version: "derivation", Year: 2011,
		Locus: "moments of products of square matrices"},
	Proof: "Wick's formula for each factor; a width is summed once for each loop of the pairings of its two " +
		"neighbours. For k = 2 there are three pairings, of which two agree by symmetry, and a factor multiplies by a " +
		"2×2 matrix with eigenvalues (N+2)(N) and N(N−1). Most loops have the chains of pairings that do not cross and " +
		"follow one another, which the coefficient of z counts, by Lagrange's inversion of the product of S-transforms " +
		"1/(1+γ_l z).",
	Tolerance: "Exact means are compared with finite sums over five nodes of Gaussian quadrature for each entry, which " +
		"is exact to degree 9 in each, with a rounding for each term; m₂ of square factors is also computed one factor " +
		"after the other, with 20 roundings for each. The limit of large widths is read from the exact means at widths " +
		"above 10⁸, where every other chain of pairings has one loop fewer. The limit in depth has an error of order a/N.",
	Limits: "The finite sums have at most six random entries, in up to three factors. In the limit, moments up to the " +
		"third, and the fourth of up to two factors.",
	Predict: func(v theory.Values) []theory.Quantity {
		widths := make([]int, v.Int("depth")+1)
		for i := range widths {
			widths[i] = v.Int("width")
		}
		p := Product{widths}
		return theory.Limits("N → ∞", []theory.Quantity{
			{Name: "second", Symbol: "m₂", Value: p.Moment(2), Meaning: "second moment of the spectrum", Nonnegative: true},
			{Name: "third", Symbol: "m₃", Value: p.Moment(3), Meaning: "third moment of the spectrum", Nonnegative: true},
			{Name: "free", Symbol: "L+1", Value: p.FreeMoment(2), Meaning: "second moment in the limit of width alone"},
		}, "second", "third")
	},
	RestsOn: []string{"spectra/marchenkopastur"},
}

// Product is a product of normal matrices between these widths, of inputs first.
type Product struct{ Widths []int }

// Valid names the violated hypothesis.
func (p Product) Valid() error {
	if len(p.Widths) < 2 {
		return errors.New("spectra: a product needs a factor")
	}
	for _, n := range p.Widths {
		if n < 1 {
			return errors.New("spectra: widths must be positive")
		}
	}
	return nil
}

// Moment returns mₖ = E (1/N₀) tr Gᵏ, for 1 ≤ k ≤ 4.
func (p Product) Moment(k int) float64 {
	if p.Valid() != nil || k < 1 || k > 4 {
		return math.NaN()
	}
	mean, _ := expectedTraces(k, p.Widths, k)
	return mean / float64(p.Widths[0])
}

// Variance returns Var (1/N₀) tr G.
func (p Product) Variance() float64 {
	if p.Valid() != nil {
		return math.NaN()
	}
	n := float64(p.Widths[0])
	_, variance := expectedTraces(2, p.Widths, 1, 1)
	return variance / (n * n)
}

// FreeMoment returns the limit of mₖ as all widths grow in proportion, for k ≥ 1.
func (p Product) FreeMoment(k int) float64 {
	if p.Valid() != nil || k < 1 {
		return math.NaN()
	}
	coefficients := make([]float64, k) // of the power of the product, up to z^(k−1)
	coefficients[0] = 1
	for _, n := range p.Widths {
		for range k {
			for j := k - 1; j > 0; j-- { // times 1 + γz
				coefficients[j] += coefficients[j-1] * float64(p.Widths[0]) / float64(n)
			}
		}
	}
	return coefficients[k-1] / float64(k)
}

// Square is a product of Depth normal matrices of size Width.
type Square struct{ Width, Depth int }

// Second returns m₂.
func (s Square) Second() float64 {
	if s.Width < 1 || s.Depth < 1 {
		return math.NaN()
	}
	n, l := float64(s.Width), float64(s.Depth)
	// The powers minus 1, without which wide factors would cancel.
	return 1 + ((n+2)*math.Expm1(l*math.Log1p(2/n))-(n-1)*math.Expm1(l*math.Log1p(-1/n)))/3
}

// DeepSecond returns the limit of m₂/N at this ratio of depth to width.
func (s Square) DeepSecond() float64 {
	if s.Width < 1 || s.Depth < 1 {
		return math.NaN()
	}
	a := float64(s.Depth) / float64(s.Width)
	return (math.Expm1(2*a) - math.Expm1(-a)) / 3
}
