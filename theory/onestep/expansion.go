package onestep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Expansion is the claim onestep/expansion.
var Expansion = theory.Statement{
	Slug:  "onestep/expansion",
	Title: "After one large step the features gain one spike for each power of the learned direction",
	Plain: "After one large gradient step, the features gain one spike per power of the learned direction, as " +
		"many as the step size allows.",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "The setting of onestep/spike, with the features F = σ(XW₁ᵀ), n×N, on a fresh sample X ~ N(0, I) as large " +
		"as the sample of the step; W₁ = W₀ + ηc₁aβᵀ (displayed weights) or W₀ + ηG (true gradient, mean-field scaling); β " +
		"= Xᵀy/n on the sample of the step; η ~ n^α. Rows of W₀ have length one; for the expansion of the displayed " +
		"weights they may also be N(0, I/d). Z, Z′ are independent standard normal, s² = φ E y²(E σ′² − c₁²), L and R are " +
		"the Gram matrices of the spikes weighted by the resolvents of F₀/√n at x; see [Bulk.Outliers].",
	Params: append([]theory.Param{
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(2, 1_000_000_000), Default: "1000"},
		{Name: "alpha", Symbol: "α", Meaning: "exponent of the step size, η = κn^α",
			Domain: theory.Inside(0, 0.45), Default: "0.3"},
		{Name: "kappa", Symbol: "κ", Meaning: "prefactor of the step size", Domain: theory.Between(1e-3, 1e3),
			Default: "1"},
		{Name: "F", Symbol: "F", Meaning: "features after the step", Shape: "n×N"},
		{Name: "u", Symbol: "u", Meaning: "Xβ", Shape: "n"},
		{Name: "a", Symbol: "a", Meaning: "output weights", Shape: "N"},
	}, stepParams...),
	Claim: "If (ℓ−1)/(2ℓ) < α < ℓ/(2ℓ+2), the step adds ℓ terms to the features, one for each power of the learned " +
		"direction: for the displayed weights $F = F₀ + Σ_{k≤ℓ} cₖc₁ᵏηᵏ(Xβ)^∘k(a^∘k)ᵀ + Δ$ with $‖Δ‖_op = o(√n)$. Each " +
		"term with cₖ ≠ 0 makes one singular value of F/√n leave the bulk. F₀ has an outlier of its own, from c₂(|x|²/d − " +
		"1)1ᵀ, if and only if 2c₂² exceeds a threshold that depends on φ, ψ, c₁ and E σ². F keeps this outlier, in " +
		"addition to those of the terms, if ℓ = 1. If ℓ ≥ 2, it does so only when 2c₂² times the share of 1 that is " +
		"orthogonal to all a^∘k with cₖ ≠ 0, k ≤ ℓ, exceeds the threshold; this share is 2/3 for ℓ = 2 and 3, and 8/15 for " +
		"ℓ = 4 and 5 when c₄ ≠ 0. All outliers lie where an eigenvalue of x·L(x)R(x) is one. For the outliers of the " +
		"terms, [Bulk.Triplets] gives the squared cosines of their left singular vectors with the span of (Xβ)^∘k, k ≤ ℓ, " +
		"and of their right singular vectors with the span of a^∘k. These tend to one as the terms outgrow the rest. For " +
		"the true gradient, the k-th term of the Taylor expansion about F₀ has the mean ηᵏP_k(Xβ)(a^∘k)ᵀ over W₀, up to " +
		"O(1/d), where P_k(u) = E σ⁽ᵏ⁾(Z)(c₁u + 2c₂E y Z + sZ′)ᵏ/k!, k ≤ 3.",
	TeX: `F = F_0 + \sum_{k=1}^{\ell} c_k c_1^k \eta^k \, (X\beta)^{\circ k} \, (a^{\circ k})^{\top} + \Delta, \quad ` +
		`\lVert \Delta \rVert_{\mathrm{op}} = o(\sqrt{n}), \quad ` +
		`P_k(u) = \frac{1}{k!} \mathbb{E} \, \sigma^{(k)}(Z) (c_1 u + 2 c_2 \mathbb{E} y \, Z + s Z')^k`,
	Assumptions: []theory.Assumption{
		{ID: "fresh-sample", Text: "the features are taken on a sample that the step has not seen"},
		{ID: "interval", Text: "α lies strictly inside the interval of ℓ"},
		{ID: "weights",
			Text: "powers of Xβ belong to the displayed weights, Gaussian means of powers to the true gradient"},
		{ID: "nonzero", Text: "an outlier is counted for k only when cₖ ≠ 0"},
		{ID: "centred", Text: "E σ(Z) = 0; otherwise F₀ has a further outlier"},
		{ID: "unit-rows", Text: "for outliers and for the true gradient, rows of W₀ have length one; Gaussian ones " +
			"give F₀ a further outlier from c₂1(|w|² − 1)ᵀ when c₂ is large"},
		{ID: "smooth", Text: "σ has bounded derivatives up to the third", NoControl: "it is a condition of the proof; " +
			"polynomials, which the checks use because their series ends, do not need it"},
	},
	Source: paper.At("theorem on the polynomial expansion of F = σ(XW₁ᵀ) and the interval of α"),
	Deviations: "The slides use one symbol for the samples of the step and of the features; here the features are taken " +
		"on a fresh sample. Outliers are stated for rows of W₀ of length one, where the slides have N(0, I/d). cₖ is not " +
		"normalised by √k!. The true gradient with its P_k and the outliers of F₀ are ours. The paper itself was not read, " +
		"only its abstract and the slides.",
	Proof: "A Taylor expansion about F₀. For the displayed weights the k-th term is (c₁ηu)ᵏ(a^∘k)ᵀ times σ⁽ᵏ⁾(XW₀ᵀ)/k!, " +
		"entry by entry, whose average is cₖ. Its norm is √n S_k, S_k = |cₖ|(|c₁|ηb)ᵏ(2k−1)!! N^(−(k−1)/2), because " +
		"‖(Xβ)^∘k‖² → n b²ᵏ(2k−1)!! and ‖a^∘k‖² → N^(1−k)(2k−1)!!; it outgrows √n exactly when α > (k−1)/(2k). " +
		"Fluctuations of σ⁽ᵏ⁾(XW₀ᵀ) cost n^(α−1/2) and logarithms. For the true gradient row j of W₁ − W₀ is ηa_j(c₁β + " +
		"2c₂E y w_j + g_j), and on a fresh sample g_j·x is N(0, s²) and independent of all else to leading order. " +
		"Outliers: the resolvents of both Gram matrices of F₀/√n are multiples of the identity except in the linear " +
		"direction, so that a spike UVᵀ leaves the bulk where det(1 − x UᵀR(x)U VᵀR̃(x)V) = 0. Its vectors are the residue " +
		"of the resolvent there. The second term grows without bound and removes the direction a^∘2 from the outlier of " +
		"F₀, and so do all further terms: as cos²(a^∘2, 1) = 1/3, two thirds of the right vector 1 remain orthogonal to " +
		"a^∘2, and 8/15 to a^∘2 and a^∘4. Gaussian rows have squared lengths 1 + O(d^(−1/2)), which changes the k-th term " +
		"by S_k√(n/d) at most, of the order of √n·n^(k(α−1/2)).",
	Tolerance: "Limits and exponents are medians over independent networks, or over means of batches of them, with " +
		"order-statistic intervals. Growth is measured after dividing by the sample's own ‖u^∘k‖‖a^∘k‖ over its limit, so " +
		"that heavy tails of high powers do not blur the exponent. For a series that has ended, ‖Δ‖ is divided by the mean " +
		"norm of diag(u)XGᵀdiag(a) for Gaussian G, which has the same logarithms. Coefficients are means over W₀ and −W₀, " +
		"which have the same law and cancel most of the scatter. The coefficients of P_k are averaged over fresh samples " +
		"in closed form, and compared with the P_k for the E y and the covariance of the gradient's rows of the batch at " +
		"hand. Two sizes, one four times the other, remove the part of order 1/d of all coefficients and of the positions " +
		"and vectors of outliers; outliers are counted at both.",
	Limits: "Growth for ℓ ≤ 4, coefficients and outliers for ℓ ≤ 3; outliers are counted for ℓ = 3 on F₀ and the terms, " +
		"without Δ, and the outlier of F₀ is not examined together with four terms. Gaussian rows are drawn where E y ≠ 0. " +
		"n up to a few hundred, where neighbouring powers of η are a small factor apart: exponents are seen with large " +
		"prefactors. Everything is tried on Hermite series that end at degree 5 or less, and the first coefficient on a " +
		"sine as well; a heavy Hermite tail is never tried. P₃ of the true gradient is resolved to within a tenth. Four " +
		"teachers: both settings of the slides, one with a mean, and for P_k bounded labels in place of Setting 2, under " +
		"which third powers of the gradient scatter too much. The fluctuations of the true gradient about its mean terms " +
		"are not measured.",
	Cost: "Singular values of features at several sizes; coefficients are means over networks.",
	Readings: []theory.Reading{
		{
			ID: "true-gradient",
			Reading: "F = F₀ + Σ_{k≤ℓ} c₁ᵏcₖηᵏ(Xβ)^∘k(a^∘k)ᵀ + Δ with ‖Δ‖_op = o(√n) holds for the network after a " +
				"gradient step as well",
			Locus: "slides of 23 March 2024, theorem on the polynomial expansion, which defines F by the rank-one weights; " +
				"the slide on universality does not specify the weights",
			Correct: "At ℓ = 2 and c₂ ≠ 0 the second feature is c₁²(Xβ)^∘2 + s²1, if E y = 0. The term that the form for " +
				"rank-one weights omits, c₂η²s²1(a^∘2)ᵀ, has the norm √n·|c₂|η²s²√(3/N), of the same order as the second spike.",
			Counterexample: "σ = 0.4z + 0.5(z²−1), y = z + noise of variance 1, d = n, N = 4n: the coefficient of " +
				"1(a^∘2)ᵀ in F − F₀ is c₂η²s² and not 0",
		},
		{
			ID:      "bulk-only",
			Reading: "the outliers of F are the spikes of the expansion, and F₀ has none",
			Locus:   "slides of 23 March 2024, theorem on the polynomial expansion",
			Correct: "When c₂ is large, F₀ has an outlier of its own, along |x|² − d.",
			Counterexample: "σ = z + 2(z²−1), φ = ψ = 0.1: F₀/√n has a singular value near 10, and its bulk ends at " +
				"6.65",
		},
	},
	RestsOn: []string{"onestep/spike", "spectra/deformed", "spectra/gaussianequivalence"},
	Violated: func(v theory.Values) error {
		if alpha := v.Float("alpha"); critical(2 * alpha / (1 - 2*alpha)) {
			return fmt.Errorf("onestep: α = %.4g is an end point of an interval (ℓ−1)/(2ℓ) < α < ℓ/(2ℓ+2), which excludes it",
				alpha)
		}
		return violated(v)
	},
	Predict: func(v theory.Values) []theory.Quantity {
		n, alpha := v.Float("n"), v.Float("alpha")
		f := Features{Step: StepFrom(v), Eta: v.Float("kappa") * math.Pow(n, alpha)}
		width, terms := n*f.Phi/f.Psi, Terms(alpha)
		trained := f
		trained.Trained = true
		bulk := f.Bulk()
		own := 0.0
		if f.OwnOutlier(terms) > 0 {
			own = 1
		}
		out := []theory.Quantity{
			{Name: "eta", Symbol: "η", Value: f.Eta, Meaning: "step size"},
			{Name: "terms", Symbol: "ℓ", Value: float64(terms), Meaning: "number of terms for this exponent"},
			{Name: "edge", Symbol: "", Value: bulk.Edge(), Meaning: "largest singular value of the bulk of F/√n"},
			{Name: "outliers", Symbol: "", Value: float64(f.Spikes(terms)) + own,
				Meaning: "singular values of F/√n that leave the bulk, displayed weights"},
			{Name: "growth", Symbol: "", Value: f.Growth(terms, alpha), Meaning: "exponent of n in ‖Δ‖/√n"},
			{Name: "s2", Symbol: "s²", Value: f.Noise(), Meaning: "constant that the true gradient adds to c₁²u²"},
			{Name: "missing", Symbol: "", Value: f.Missing(width),
				Meaning: "norm/√n of the constant part of the second feature, true gradient"},
		}
		for k := 1; k <= max(3, terms); k++ {
			out = append(out, theory.Quantity{Name: fmt.Sprintf("strength%d", k), Symbol: "S" + string(rune('₀'+k)),
				Value: f.Strength(k, width), Meaning: "norm/√n of that term, displayed weights",
				Nonnegative: true})
		}
		return theory.Limits("n, d, N → ∞", out, "eta", "terms", "growth")
	},
}

// Features describes the features on a fresh sample after one step of size Eta.
type Features struct {
	Step
	Eta     float64 // η
	Trained bool    // the true gradient, and not the displayed rank-one weights
}

// Left returns the coefficients of the powers of u in P_k(u), k+1 of them: cₖc₁ᵏuᵏ for the displayed weights, and for
// the true gradient, with p = 2c₂E y,
//
//	E σ⁽ᵏ⁾(Z)(c₁u + pZ + sZ′)ᵏ/k! = Σ_{i,j} (k; i, 2j) pⁱ E[σ⁽ᵏ⁾(Z)Zⁱ]/k! (2j−1)!! s²ʲ (c₁u)^(k−i−2j).
func (f Features) Left(k int) []float64 {
	q := make([]float64, k+1)
	if f.Valid() != nil {
		for i := range q {
			q[i] = math.NaN()
		}
		return q
	}
	c1, s2, pull := f.Activation.Coefficient(1), 0.0, 0.0
	if f.Trained {
		s2, pull = f.Noise(), f.Pull()
	}
	for i := range k + 1 {
		for j := 0; i+2*j <= k; j++ {
			rest := k - i - 2*j
			choose := hermite.Factorial(k) / hermite.Factorial(i) / hermite.Factorial(2*j) / hermite.Factorial(rest)
			q[rest] += choose * math.Pow(pull, float64(i)) * f.derivative(k, i) *
				hermite.DoubleFactorial(2*j-1) * math.Pow(s2, float64(j)) * math.Pow(c1, float64(rest))
		}
	}
	return q
}

// derivative returns E[σ⁽ᵏ⁾(Z)Zⁱ]/k!, from Zⁱ = Σ_r i!/((2r)!(i−2r)!) (2r−1)!! H_{i−2r}(Z) and E σ⁽ᵏ⁾H_j = (k+j)!
// c_{k+j}.
func (f Features) derivative(k, i int) float64 {
	sum := 0.0
	for r := 0; 2*r <= i; r++ {
		j := i - 2*r
		choose := hermite.Factorial(i) / hermite.Factorial(2*r) / hermite.Factorial(j)
		mean := hermite.Factorial(k+j) / hermite.Factorial(k) * f.Activation.Coefficient(k+j)
		sum += choose * hermite.DoubleFactorial(2*r-1) * mean
	}
	return sum
}

// Coefficient returns the coefficient of u^i (a^∘j)ᵀ in F − F₀, ηʲ times that of uⁱ in P_j. At j = 0 there is no such
// term.
func (f Features) Coefficient(i, j int) float64 {
	if j == 0 || i > j {
		return 0
	}
	return math.Pow(f.Eta, float64(j)) * f.Left(j)[i]
}

// Strength returns S_k = |cₖ|(|c₁|ηb)ᵏ(2k−1)!! N^(−(k−1)/2), the norm of the k-th term of the displayed weights over
// √n.
func (f Features) Strength(k int, width float64) float64 {
	power := math.Pow(math.Abs(f.Activation.Coefficient(1))*f.Eta*f.Length(), float64(k))
	moments := hermite.DoubleFactorial(2*k-1) * math.Pow(width, -float64(k-1)/2)
	return math.Abs(f.Activation.Coefficient(k)) * power * moments
}

// Missing returns |c₂|η²s²√(3/N), the norm over √n of c₂η²s²1(a^∘2)ᵀ.
func (f Features) Missing(width float64) float64 {
	return math.Abs(f.Activation.Coefficient(2)) * f.Eta * f.Eta * f.Noise() * math.Sqrt(3/width)
}

// Spikes returns #{k ≤ ℓ : cₖ ≠ 0}, the number of singular values that the step adds.
func (f Features) Spikes(l int) int {
	count := 0
	for k := 1; k <= l; k++ {
		if f.Activation.Coefficient(k) != 0 {
			count++
		}
	}
	return count
}

// seriesEnd is where the search for a next coefficient ends; the decay of c_k makes later ones irrelevant.
const seriesEnd = 12

// Growth returns the exponent of n in ‖F − F_ℓ‖_op/√n for η ~ n^α. The next term with cₖ ≠ 0 grows as n^(kα−(k−1)/2),
// and the fluctuation of σ⁽ᵏ⁾(XW₀ᵀ) about its mean as n^(α−1/2).
func (f Features) Growth(l int, alpha float64) float64 {
	exponent := alpha - 0.5
	for k := l + 1; k <= seriesEnd; k++ {
		if f.Activation.Coefficient(k) != 0 {
			exponent = max(exponent, float64(k)*alpha-float64(k-1)/2)
		}
	}
	return exponent
}

// Interval returns the ends of the open interval of α in which ℓ ≥ 1 terms are needed, (ℓ−1)/(2ℓ) and ℓ/(2ℓ+2).
func Interval(l int) (lo, hi float64) {
	k := float64(l)
	return (k - 1) / (2 * k), k / (2*k + 2)
}

// critical reports whether a quotient whose integer part counts spikes is an integer up to rounding: there the last
// spike neither grows nor vanishes.
func critical(quotient float64) bool {
	return math.Abs(quotient-math.Round(quotient)) <= 0x1p-48*quotient
}

// Terms returns the ℓ in whose interval α in (0, 1/2) lies. At an end point it is the larger one.
func Terms(alpha float64) int { return int(2*alpha/(1-2*alpha)) + 1 }

// OwnOutlier returns the singular value that c₂(|x|²/d − 1)1ᵀ puts outside the bulk in the presence of ℓ terms that
// outgrow it, and 0 when it puts none there: the a^∘k remove the part of 1 in their span. ℓ = 0 is F₀.
func (f Features) OwnOutlier(l int) float64 {
	return f.Bulk().OwnOutlier(f.Activation.Coefficient(2) * math.Sqrt(f.across(l)))
}

// across returns the share of the squared length of 1 that is orthogonal to all a^∘k with cₖ ≠ 0, k ≤ ℓ. Powers of a
// over its standard deviation have the scalar products (j+k−1)!! for even j+k, and 0 otherwise; with 1 they have j = 0.
func (f Features) across(l int) float64 {
	var even []int // odd powers are orthogonal to 1 and to these
	for k := 2; k <= l; k += 2 {
		if f.Activation.Coefficient(k) != 0 {
			even = append(even, k)
		}
	}
	if len(even) == 0 {
		return 1
	}
	products, gram := make([]float64, len(even)), mat.NewDense(len(even), len(even), nil)
	for i, j := range even {
		products[i] = hermite.DoubleFactorial(j - 1)
		for m, k := range even {
			gram.Set(i, m, hermite.DoubleFactorial(j+k-1))
		}
	}
	return 1 - Share(products, gram)
}

// Bulk returns the spectrum of F₀.
func (f Features) Bulk() Bulk {
	c1 := f.Activation.Coefficient(1)
	return Bulk{Phi: f.Phi, Psi: f.Psi, Linear: c1, Nonlinear: f.Activation.Energy - c1*c1}
}
