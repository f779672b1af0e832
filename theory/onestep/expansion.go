package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Expansion says that the features after one large step are the random features plus one spike for each power of Xβ
// that the step size lets through.
//
// # Setting
//
// The features are taken on a fresh sample X, F = σ(XW₁ᵀ), and β comes from the sample of the step. F₀ = σ(XW₀ᵀ).
// W₁ is either the displayed W₀ + ηc₁aβᵀ or W₀ + ηG with the true gradient G of onestep/spike.
//
// # Claim
//
// Let η grow as n^α with (ℓ−1)/(2ℓ) < α < ℓ/(2ℓ+2). For the displayed weights
// F = F₀ + Σ_{k≤ℓ} c₁ᵏcₖηᵏ (Xβ)^∘k (a^∘k)ᵀ + Δ with ‖Δ‖_op = o(√n): a Taylor expansion about F₀ whose coefficients
// σ⁽ᵏ⁾(XW₀ᵀ)/k! average to cₖ. The k-th term has norm √n S_k,
//
//	S_k = |cₖ|(|c₁|ηb)ᵏ(2k−1)!! N^(−(k−1)/2),
//
// because ‖(Xβ)^∘k‖² → n b²ᵏ(2k−1)!! and ‖a^∘k‖² → N^(1−k)(2k−1)!!; it outgrows √n exactly when α > (k−1)/(2k).
//
// For the true gradient, row j of W₁ − W₀ is ηa_j(c₁β + r_j) with ‖r_j‖² → s² in a direction that is nearly random.
// On a fresh sample (c₁u + g)ᵏ with g ~ N(0, s²) therefore takes the place of (c₁u)ᵏ, and its mean
// Q_k(u) = E(c₁u + g)ᵏ that of the feature: Q₁ = c₁u, Q₂ = c₁²u² + s², Q₃ = c₁³u³ + 3c₁s²u.
//
// # Numerical form
//
// The decay of Δ is slow by nature, n^(α−1/2) or n^((ℓ+1)α−ℓ/2). What is checked: with polynomials of degree ℓ+1, the
// ratio of ‖F − F_ℓ‖ to the norm of the next term in the same sample; the sign of the growth of ‖F − F_ℓ‖/√n, positive
// with ℓ−1 terms and negative with ℓ; the coefficients of u^i a^j in F − F₀; the number of outliers, and their left
// singular vectors.
//
// # Source
//
// The theorem on F = σ(XW₁ᵀ). That it fails for the true gradient at ℓ = 2, and the corrected features, are derived here.
var Expansion = theory.Statement{
	Slug:     "onestep/expansion",
	Title:    "After one large step the features gain one spike for each power of the learned direction",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "F = σ(XW₁ᵀ), n×N, on a fresh sample X of the size of the one that the step was taken on; W₁ = W₀ + ηc₁aβᵀ (displayed " +
		"weights) or W₀ + ηG (true gradient, mean-field scaling); β = Xᵀy/n of the step; η ~ n^α.",
	Params: append([]theory.Param{
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerFrom(1), Default: "1000"},
		{Name: "alpha", Symbol: "α", Meaning: "exponent of the step size, η = κn^α", Domain: theory.Inside(0, 0.5), Default: "0.3"},
		{Name: "kappa", Symbol: "κ", Meaning: "prefactor of the step size", Domain: theory.Above(0), Default: "1"},
		{Name: "F", Symbol: "F", Meaning: "features after the step", Shape: "n×N"},
		{Name: "u", Symbol: "u", Meaning: "Xβ", Shape: "n"},
		{Name: "a", Symbol: "a", Meaning: "output weights", Shape: "N"},
	}, stepParams...),
	Proof: "For the displayed weights a Taylor expansion about F₀ whose coefficients σ⁽ᵏ⁾(XW₀ᵀ)/k! average to cₖ; the k-th term " +
		"has norm √n|cₖ|(|c₁|ηb)ᵏ(2k−1)!! N^(−(k−1)/2) and outgrows √n exactly when α > (k−1)/(2k). For the true gradient row j of " +
		"W₁ − W₀ is ηa_j(c₁β + r_j) with ‖r_j‖² → s² in a nearly random direction, so that (c₁u + g)ᵏ takes the place of (c₁u)ᵏ.",
	Tolerance: "The decay of Δ is slow by nature, n^(α−1/2) or n^((ℓ+1)α−ℓ/2). Checked are, with polynomials of degree ℓ+1, the " +
		"ratio of ‖F − F_ℓ‖ to the norm of the next term in the same sample, the sign of its growth, coefficients, the number of " +
		"outliers and their left singular vectors, with margins from the variance at the size measured.",
	Limits: "Activations whose Hermite series ends at degree 4 or less, plus one sine; φ = ψ = 1/2 for the displayed weights, one " +
		"quadratic activation with φ = 1, ψ = 1/4 for the true gradient, whose formula is checked for ℓ up to 2 only. The count " +
		"of outliers presumes that F₀ has none of its own, which fails for strongly nonlinear activations (z + 2(z² − 1) at " +
		"φ = ψ = 0.1); no such case is drawn. Labels have mean zero. n up to 800 at standard effort.",
	Claim: "For (ℓ−1)/(2ℓ) < α < ℓ/(2ℓ+2): F = F₀ + Σ_{k≤ℓ} cₖηᵏ Q_k(Xβ)(a^∘k)ᵀ + Δ with ‖Δ‖_op = o(√n), where Q_k(u) = c₁ᵏuᵏ for the " +
		"displayed weights and Q_k(u) = E(c₁u + g)ᵏ, g ~ N(0, s²), for the true gradient. #{k ≤ ℓ : cₖ ≠ 0} singular values of F/√n leave the bulk.",
	TeX: `F = F_0 + \sum_{k=1}^{\ell} c_k \eta^k \, Q_k(X\beta) \, (a^{\circ k})^{\top} + \Delta, \quad ` +
		`\lVert \Delta \rVert_{\mathrm{op}} = o(\sqrt{n}), \quad Q_k(u) = \begin{cases} c_1^k u^k & W_1 = W_0 + \eta c_1 a \beta^{\top} \\ ` +
		`\mathbb{E} (c_1 u + s Z)^k & W_1 = W_0 + \eta G \end{cases}`,
	Assumptions: []theory.Assumption{
		{ID: "fresh-sample", Text: "the features are taken on a sample that the step has not seen"},
		{ID: "interval", Text: "α lies strictly inside the interval of ℓ"},
		{ID: "weights", Text: "Q_k belongs to the weights: powers for the displayed ones, Gaussian means of powers for the true gradient"},
		{ID: "nonzero", Text: "an outlier is counted for k only when cₖ ≠ 0"},
		{ID: "centred", Text: "E σ(Z) = 0; otherwise F₀ has an outlier of its own"},
		{ID: "smooth", Text: "σ has bounded derivatives up to the third", NoControl: "it is a condition of the proof: polynomials, which the checks use because their series ends, do without it"},
	},
	Source: paper.At("theorem on the polynomial expansion of F = σ(XW₁ᵀ) and the interval of α"),
	Deviations: "The slides use one symbol for the samples of the step and of the features; the second is a fresh sample here. " +
		"Rows of W₀ have length one. cₖ is not normalised by √k!.",
	Errata: []theory.Erratum{
		{
			ID:      "true-gradient",
			Printed: "F = F₀ + Σ_{k≤ℓ} c₁ᵏcₖηᵏ(Xβ)^∘k(a^∘k)ᵀ + Δ with ‖Δ‖_op = o(√n), for the network after a gradient step",
			Locus:   "slides, theorem on the polynomial expansion, with the gradient replaced by its rank-one part",
			Correct: "At ℓ = 2 and c₂ ≠ 0 the second feature is c₁²(Xβ)^∘2 + s²1. What the printed form leaves out, c₂η²s²1(a^∘2)ᵀ, has the " +
				"norm √n·|c₂|η²s²√(3/N), of the same order as the second spike.",
			Counterexample: "σ = 0.4z + 0.5(z²−1), y = z + noise of variance 1, d = n, N = 4n, η = 3n^0.32: the coefficient of 1(a^∘2)ᵀ in F − F₀ is c₂η²s², and " +
				"‖F − F₂‖/√n comes down onto the norm of the missing term, which grows as n^0.14",
		},
	},
	RestsOn: []string{"onestep/spike"},
	Predict: func(v theory.Values) []theory.Quantity {
		n, alpha := v.Float("n"), v.Float("alpha")
		f := Features{Step: stepFrom(v), Eta: v.Float("kappa") * math.Pow(n, alpha), Trained: true}
		width := n * f.Phi / f.Psi
		terms := Terms(alpha)
		out := []theory.Quantity{
			{Name: "eta", Symbol: "η", Value: f.Eta, Meaning: "step size"},
			{Name: "terms", Symbol: "ℓ", Value: float64(terms), Meaning: "number of terms that the exponent asks for"},
			{Name: "edge", Symbol: "", Value: f.Bulk().Edge(), Meaning: "largest singular value of the bulk of F/√n"},
			{Name: "outliers", Symbol: "", Value: float64(f.Outliers(terms)), Meaning: "singular values of F/√n that leave the bulk as n → ∞"},
			{Name: "growth", Symbol: "", Value: f.Growth(terms, alpha), Meaning: "exponent of n in ‖Δ‖/√n"},
			{Name: "s2", Symbol: "s²", Value: f.Remainder(), Meaning: "constant that the true gradient adds to c₁²u²"},
			{Name: "missing", Symbol: "", Value: f.Missing(width), Meaning: "norm/√n of what the printed form leaves out for the true gradient"},
		}
		for k, symbol := range []string{"S₁", "S₂", "S₃"} {
			out = append(out, theory.Quantity{Name: "strength" + string(rune('1'+k)), Symbol: symbol,
				Value: f.Strength(k+1, width), Meaning: "norm/√n of that term, displayed weights"})
		}
		return out
	},
}

// Features are the features on a fresh sample after one step of size Eta.
type Features struct {
	Step
	Eta     float64 // η
	Trained bool    // the true gradient, and not the displayed rank-one weights
}

// Left returns the coefficients of the powers of u in Q_k(u), k+1 of them: c₁ᵏuᵏ for the displayed weights, and
// E(c₁u + sZ)ᵏ = Σ_j binom(k, 2j)(2j−1)!! s^(2j) (c₁u)^(k−2j) for the true gradient.
func (f Features) Left(k int) []float64 {
	q := make([]float64, k+1)
	if f.Valid() != nil {
		for i := range q {
			q[i] = math.NaN()
		}
		return q
	}
	c1, s2 := f.Activation.Coefficient(1), 0.0
	if f.Trained {
		s2 = f.Remainder()
	}
	for j := 0; 2*j <= k; j++ {
		choose := hermite.Factorial(k) / hermite.Factorial(2*j) / hermite.Factorial(k-2*j)
		q[k-2*j] = choose * hermite.DoubleFactorial(2*j-1) * math.Pow(s2, float64(j)) * math.Pow(c1, float64(k-2*j))
	}
	return q
}

// Weight returns cₖηᵏ, the factor of Q_k(u)(a^∘k)ᵀ.
func (f Features) Weight(k int) float64 {
	return f.Activation.Coefficient(k) * math.Pow(f.Eta, float64(k))
}

// Coefficient returns the coefficient of u^i (a^∘j)ᵀ in F − F₀: c_jη^j times that of u^i in Q_j. There is none at j = 0.
func (f Features) Coefficient(i, j int) float64 {
	if j == 0 || i > j {
		return 0
	}
	return f.Weight(j) * f.Left(j)[i]
}

// Strength returns S_k = |cₖ|(|c₁|ηb)ᵏ(2k−1)!! N^(−(k−1)/2), the norm of the k-th term of the displayed weights over √n.
func (f Features) Strength(k int, width float64) float64 {
	power := math.Pow(math.Abs(f.Activation.Coefficient(1))*f.Eta*f.Length(), float64(k))
	return math.Abs(f.Activation.Coefficient(k)) * power * hermite.DoubleFactorial(2*k-1) * math.Pow(width, -float64(k-1)/2)
}

// Missing returns |c₂|η²s²√(3/N), the norm over √n of c₂η²s²1(a^∘2)ᵀ.
func (f Features) Missing(width float64) float64 {
	return math.Abs(f.Weight(2)) * f.Remainder() * math.Sqrt(3/width)
}

// Outliers returns #{k ≤ ℓ : cₖ ≠ 0}.
func (f Features) Outliers(l int) int {
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

// MissingGrowth returns 2α − 1/2, the exponent of n in [Features.Missing].
func MissingGrowth(alpha float64) float64 { return 2*alpha - 0.5 }

// Interval returns the ends of the open interval of α in which ℓ ≥ 1 terms are needed, (ℓ−1)/(2ℓ) and ℓ/(2ℓ+2).
func Interval(l int) (lo, hi float64) {
	k := float64(l)
	return (k - 1) / (2 * k), k / (2*k + 2)
}

// Terms returns the ℓ in whose interval α in (0, 1/2) lies. At an end point it is the larger one.
func Terms(alpha float64) int { return int(2*alpha/(1-2*alpha)) + 1 }

// Bulk returns the spectrum of F₀.
func (f Features) Bulk() Bulk {
	c1 := f.Activation.Coefficient(1)
	return Bulk{Phi: f.Phi, Psi: f.Psi, Linear: c1, Nonlinear: f.Activation.Energy - c1*c1}
}
