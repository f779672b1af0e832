package spectra

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// GaussianEquivalence is the claim spectra/gaussianequivalence: random features have the spectrum of a linear model.
var GaussianEquivalence = theory.Statement{
	Slug:  "spectra/gaussianequivalence",
	Title: "The kernel of random features has the spectrum of a linear model with noise",
	Plain: "The kernel matrix of random nonlinear features has the spectrum of linear features plus independent noise " +
		"of the right size.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "F = σ(XWᵀ), n×N, with standard normal X, n×d, and rows of W uniform on the unit sphere; E σ(Z) = 0, c_k " +
		"= E σ(Z)He_k(Z)/k!, a² = c₁² and s² = E σ(Z)² − c₁²; K = FFᵀ/N. n, d, N → ∞ with n/d → τ and n/N → ν. S is the " +
		"mean of 1/(x + t) over the law of Marchenko and Pastur of ratio τ.",
	Params: []theory.Param{
		{Name: "activation", Symbol: "σ", Meaning: "activation", Domain: theory.OneOf("tanh", "relu", "sine", "quadratic"),
			Default: "tanh"},
		{Name: "tau", Symbol: "τ", Meaning: "n/d", Domain: theory.Between(1e-2, 1e2), Default: "2"},
		{Name: "nu", Symbol: "ν", Meaning: "n/N", Domain: theory.Between(1e-2, 1e2), Default: "1"},
		{Name: "lambda", Symbol: "λ", Meaning: "ridge", Domain: theory.Between(1e-6, 1e3), Default: "0.1"},
	},
	Claim: "The spectrum of K has the same limit as with F replaced by c₁XWᵀ + sΘ, Θ standard normal and independent. " +
		"For λ > 0, (1/N) tr(FᵀF/N + λ)⁻¹ tends to the solution q of $q(λ + νh) = 1$, where qh = 1 − g, g = S(x)/(qa²) " +
		"and x = (1 + qs²)/(qa²), and (1/n) tr(K + λ)⁻¹ to g/λ. For σ = c₁He₁ + c₂He₂ exactly, with q₀ = c₁² + 2c₂², q₂ = " +
		"c₁² + 4c₂² and E σ⁴ = 3q₀² + 48c₁²c₂² + 48c₂⁴, N E(1/n)tr K² = (N−1)[(n−1)(c₁⁴/d + 12c₂⁴/(d(d+2))) + q₀² + " +
		"2q₂²/d + 72c₂⁴/(d(d+2))] + (n−1)q₀² + E σ⁴.",
	TeX: `q \, (\lambda + \nu h) = 1`,
	Assumptions: []theory.Assumption{
		{ID: "normal", Text: "the entries of X are independent and standard normal"},
		{ID: "unit-rows", Text: "the rows of W have length one; N(0, 1/d) entries give the same limit"},
		{ID: "independent", Text: "the rows of W are independent"},
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "a mean only adds one eigenvalue of order n, which changes traces " +
			"of the resolvent by O(1/n)"},
		{ID: "proportional", Text: "n, d and N grow in proportion", NoControl: "it is the direction of the limit; τ and ν " +
			"enter the claim, and controls exchange them"},
	},
	Source: theory.Source{Paper: "After Pennington and Worah, NIPS 2017; Louart, Liao, Couillet, arXiv 1702.05419; " +
		"Benigni and Péché, arXiv 1904.03090", Version: "recalled, not read", Year: 2017,
		Locus: "theory/spectra.GaussianEquivalence"},
	Proof: "Given X, rows of Fᵀ are independent with covariance Φ = E σ(Xw)σ(Xw)ᵀ, and quadratic forms of them " +
		"concentrate, so that q is the solution of q(λ + ν(1/n)tr Φ(1 + qΦ)⁻¹) = 1. By Mehler's formula Φᵢⱼ is a power " +
		"series in xᵢ·xⱼ, of which off the diagonal only the linear term counts in the limit: Φ ≈ a²XXᵀ/d + s². The " +
		"second moment sums over which of two samples and two neurons are the same; (w·w′)² has mean 1/d and (w·w′)⁴ mean " +
		"3/(d(d+2)).",
	Tolerance: "The second moment is compared with quadratures of the four sums over samples and neurons, exact for " +
		"polynomials of degree 8. Traces are medians over networks; the part of order 1/n is extrapolated away from sizes " +
		"n/4 and n. For the rest, 0.005 is allowed (0.001 was measured at n = 24 and 96), and 0.025 for the quadratic " +
		"activation (0.011 was measured).",
	Limits: "tanh, ReLU and quadratic with (τ, ν) = (2, 1) and (1, ½), λ = 0.1, n = 24 and 96, or 36 and 144 for the " +
		"quadratic one. The claim is about traces. With c₂ ≠ 0 single eigenvalues differ, and for n of order " +
		"d² the whole spectrum does.",
	RestsOn: []string{"spectra/marchenkopastur"},
	Predict: func(v theory.Values) []theory.Quantity {
		f := FeaturesOf(v.Choice("activation"), v.Float("tau"), v.Float("nu"))
		q, m := f.Resolvents(v.Float("lambda"))
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "features", Symbol: "q", Value: q, Meaning: "(1/N) tr(FᵀF/N + λ)⁻¹"},
			{Name: "kernel", Symbol: "g/λ", Value: m, Meaning: "(1/n) tr(K + λ)⁻¹"},
		})
	},
}

// RandomFeatures describes features with the energies A2 = a² of the linear part and S2 = s² of the rest, n/d = Tau and
// n/N = Nu.
type RandomFeatures struct{ A2, S2, Tau, Nu float64 }

// FeaturesOf returns the features of the activation tanh, relu (centred), sine (√e(sin(z+1) − e^(−1/2) sin 1)) or
// quadratic (0.8 He₁ + 0.3 He₂).
func FeaturesOf(activation string, tau, nu float64) RandomFeatures {
	of, known := map[string]func() hermite.Activation{"tanh": hermite.Tanh, "relu": hermite.CentredReLU,
		"sine":      func() hermite.Activation { return hermite.PhaseSine(math.Exp(0.5), 1) },
		"quadratic": func() hermite.Activation { return hermite.Series(0, 0.8, 0.3) }}[activation]
	if !known {
		return RandomFeatures{} // which is not valid
	}
	act := of()
	c := act.Coefficient(1)
	return RandomFeatures{c * c, act.Nonlinear(), tau, nu}
}

// Valid names the violated hypothesis.
func (f RandomFeatures) Valid() error {
	sum := f.A2 + f.S2
	return theory.Require(f.A2 >= 0 && f.S2 >= 0 && sum > 0 && f.Tau > 0 && f.Nu > 0 && !math.IsInf(sum+f.Tau+f.Nu, 1),
		"spectra: energies must not be negative nor both 0, and n/d and n/N positive")
}

// Resolvents returns the limits q of (1/N) tr(FᵀF/N + λ)⁻¹ and g/λ of (1/n) tr(K + λ)⁻¹. q(λ + νh) increases in q.
func (f RandomFeatures) Resolvents(lambda float64) (q, kernel float64) {
	if f.Valid() != nil || !(lambda > 0) {
		return math.NaN(), math.NaN()
	}
	lo, hi := 0.0, 1/lambda
	for range 100 {
		if q = (lo + hi) / 2; q*lambda+f.Nu*(1-f.share(q)) < 1 {
			lo = q
		} else {
			hi = q
		}
	}
	return hi, f.share(hi) / lambda
}

// share returns g, the mean of 1/(1 + qt) over the law of a²XXᵀ/d + s².
func (f RandomFeatures) share(q float64) float64 {
	if f.A2 == 0 {
		return 1 / (1 + q*f.S2)
	}
	s, _ := MP{f.Tau}.Stieltjes((1 + q*f.S2) / (q * f.A2))
	return s / (q * f.A2)
}

// Quadratic describes features of Width neurons in D dimensions at N samples, with σ = C1 He₁ + C2 He₂.
type Quadratic struct {
	N, D, Width int
	C1, C2      float64
}

// SecondMoment returns E (1/n) tr K².
func (f Quadratic) SecondMoment() float64 {
	if f.N < 1 || f.D < 1 || f.Width < 1 {
		return math.NaN()
	}
	n, d, width, a, b := float64(f.N), float64(f.D), float64(f.Width), f.C1*f.C1, f.C2*f.C2
	q0, q2, pairs := a+2*b, a+4*b, d*(d+2)
	fourth := 3*q0*q0 + 48*a*b + 48*b*b
	return ((width-1)*((n-1)*(a*a/d+12*b*b/pairs)+q0*q0+2*q2*q2/d+72*b*b/pairs) + (n-1)*q0*q0 + fourth) / width
}
