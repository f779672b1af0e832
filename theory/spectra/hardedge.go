package spectra

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// HardEdge is the claim spectra/hardedge: the smallest singular value of a square Gaussian matrix.
var HardEdge = theory.Statement{
	Slug:  "spectra/hardedge",
	Title: "Law of the smallest singular value of a square Gaussian matrix",
	Plain: "The smallest singular value of a square Gaussian matrix is of order 1/√n, and its distribution is known " +
		"exactly for every n.",
	Kind:     theory.Probability,
	Standing: theory.Derivation,
	Setting:  "X is n×n with independent N(0, 1) entries, and σ its smallest singular value.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "rows and columns", Domain: theory.IntegerBetween(1, 1e6), Default: "10"},
		{Name: "epsilon", Symbol: "ε", Meaning: "bound on √n σ", Domain: theory.Between(0, 100), Default: "0.5"},
	},
	Claim: "√n σ is half-normal of a random scale: $P(√n σ ≤ ε) = n(n−1) ∫ cosⁿ⁻²φ sin³φ erf(εr/(√(2n) sin φ))/r dφ$ " +
		"with r² = n sin²φ + cos²φ, over 0 ≤ φ ≤ π/2, for every n ≥ 2, and erf(ε/√2) for n = 1. It is less than ε > 0, and " +
		"tends to $1 − e^(−ε²/2−ε)$ as n → ∞, with an error that falls as 1/n.",
	TeX: `\mathbb{P}(\sqrt n \, \sigma \le \varepsilon) = n(n-1) \int_0^{\pi/2} \frac{\cos^{n-2}\varphi \, ` +
		`\sin^3\varphi}{r} \operatorname{erf}\!\left( \frac{\varepsilon r}{\sqrt{2n} \sin\varphi} \right) d\varphi, \quad ` +
		`1 - e^{-\varepsilon^2/2 - \varepsilon}`,
	Assumptions: []theory.Assumption{
		{ID: "square", Text: "X has as many rows as columns"},
		{ID: "real", Text: "the entries are real"},
		{ID: "gaussian", Text: "the entries are Gaussian; others with enough moments have the same limit, but not the same " +
			"law at finite n"},
		{ID: "independent", Text: "the entries are independent"},
	},
	Source: theory.Source{Paper: "After Edelman, Eigenvalues and condition numbers of random matrices, SIAM J. Matrix " +
		"Anal. Appl. 9; for the limit of other entries Tao and Vu, arXiv 0903.0614", Version: "recalled, not read",
		Year: 1988, Locus: "proof of theory/spectra.HardEdge"},
	Deviations: "The source gives the density of λ = σ² as n Γ((n+1)/2) λ^(−1/2) e^(−nλ/2) U((n−1)/2, −1/2, " +
		"λ/2)/√(2π). With Tricomi's integral for U and λ integrated first this is the mixture here, which needs no Γ.",
	Proof: "In the joint density of the eigenvalues of XᵀX, ∏λᵢ^(−1/2) e^(−λᵢ/2) ∏|λᵢ−λⱼ|, put λᵢ = λ + μᵢ for the n−1 " +
		"others: e^(−nλ/2) λ^(−1/2) times the mean of det(M + λ)^(−1/2) over a Wishart matrix M of size n−1, with n+1 " +
		"degrees of freedom. M + λ is met by a Gaussian integral, which leaves U. U(a, −½, y)Γ(a) = ∫ e^(−yq) q^(a−1) " +
		"(1+q)^(−a−3/2) dq; q = cot²φ. Each half-normal density decreases, so that P/ε is less than the density at 0, " +
		"√(2/n) Γ((n+1)/2)/Γ(n/2) < 1. With φ = τ/√n and n → ∞ the integral over τ is that of the limit.",
	Tolerance: "For n up to 12 the law is compared with a Pfaffian of double integrals of orthonormal functions (de " +
		"Bruijn), by Gauss-Legendre quadrature of entire functions: no step loses more than the condition of a matrix of " +
		"size n, below 10³, and 10⁻¹¹ covers that with the quadrature of the claim. The error of the limit is c/n + " +
		"O(1/n²), and one Richardson step leaves the second term: 1/n² is allowed of probabilities, and 1/n of the " +
		"exponent. The upper quartile of samples has an interval of order statistics; its margin is two half-widths of " +
		"that at the claimed density.",
	Limits: "The exact law is tested without sampling for n up to 12, and by samples at n = 2 and 5. Its limit is " +
		"tested from n = 24 to 64, or 128 at deep effort.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := Smallest{N: v.Int("n")}
		epsilon := v.Float("epsilon")
		return []theory.Quantity{
			{Name: "probability", Symbol: "P(√n σ ≤ ε)", Value: s.Below(epsilon), Meaning: "exactly, at this n"},
			{Name: "limit", Symbol: "", Value: Smallest{N: math.MaxInt}.Below(epsilon), Meaning: "the same", Limit: "n → ∞"},
			{Name: "mean", Symbol: "E √n σ", Value: s.Mean(), Meaning: "mean of √n σ"},
		}
	},
}

// Smallest is the smallest singular value σ of a Gaussian matrix of size N, through y = √N σ. It has its limit for
// math.MaxInt.
type Smallest struct{ N int }

// Valid names the violated hypothesis.
func (s Smallest) Valid() error {
	return theory.Require(s.N >= 1, "spectra: a matrix has rows")
}

// Below returns P(y ≤ x); NaN outside the hypotheses.
func (s Smallest) Below(x float64) float64 {
	switch {
	case s.Valid() != nil || !(x >= 0):
		return math.NaN()
	case s.N == 1:
		return math.Erf(x / math.Sqrt2)
	case s.N == math.MaxInt:
		return -math.Expm1(-x*x/2 - x)
	}
	return min(1, s.mixed(func(scale float64) float64 { return math.Erf(x / (math.Sqrt2 * scale)) }))
}

// Mean returns E y.
func (s Smallest) Mean() float64 {
	switch {
	case s.Valid() != nil:
		return math.NaN()
	case s.N == 1:
		return math.Sqrt(2 / math.Pi)
	case s.N == math.MaxInt:
		return math.Sqrt(math.Pi*math.E/2) * math.Erfc(math.Sqrt2/2)
	}
	return s.mixed(func(scale float64) float64 { return math.Sqrt(2/math.Pi) * scale })
}

// mixed returns the mean of a function of the scale of the half-normal law of y, N ≥ 2. The angle is within 13/√N, up
// to a probability of e^(−80).
func (s Smallest) mixed(f func(scale float64) float64) float64 {
	n := float64(s.N)
	return quad.Fixed(func(phi float64) float64 {
		sin, cos := math.Sincos(phi)
		r := math.Sqrt(n*sin*sin + cos*cos)
		// cosⁿ⁻²φ = (1 − sin²φ)^((n−2)/2), in which small angles of many dimensions lose nothing.
		return n * (n - 1) * math.Exp((n-2)/2*math.Log1p(-sin*sin)) * sin * sin * sin / r * f(math.Sqrt(n)*sin/r)
	}, 0, min(math.Pi/2, 13/math.Sqrt(n)), 120, quad.Legendre{}, 0)
}
