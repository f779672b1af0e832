package onestep

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// TwoSteps is the claim onestep/twosteps: the overlaps of the directions of a second step with the teacher's direction.
var TwoSteps = theory.Statement{
	Slug:     "onestep/twosteps",
	Title:    "A second step on the same batch sees directions that a fresh batch does not",
	Plain:    "A second step on the same batch can see directions that a second step on a fresh batch cannot.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "β = Xᵀy/n of a first batch, n×d; β^(k) = X₂ᵀ(y₂ ∘ (X₂β)^∘k)/n of the second, which is the same batch " +
		"or a fresh one; x ~ N(0, I), y = σ⋆(β⋆ᵀx) + noise, ‖β⋆‖ = 1; n, d → ∞ with d/n → φ. The k-th spike that a " +
		"second large step adds to the first layer has the left vector a^∘(k+1), in mean-field scaling; both steps " +
		"are along the gradient.",
	Params: []theory.Param{
		{Name: "phi", Symbol: "φ", Meaning: "d/n", Domain: theory.Between(0.01, 100), Default: "1"},
		{Name: "teacher", Symbol: "σ⋆", Meaning: "teacher",
			Domain:  theory.OneOf("H1", "H1+H2", "H3", "H2", "exponent-three"),
			Default: "exponent-three"},
		{Name: "noise", Symbol: "σ_ε²",
			Meaning: "variance of the label noise", Domain: theory.Between(0, 100), Default: "0"},
		{Name: "alpha1", Symbol: "α₁",
			Meaning: "exponent of the first step, η₁ ~ N^α₁", Domain: theory.Inside(0, 0.5), Default: "0.3"},
		{Name: "alpha2", Symbol: "α₂",
			Meaning: "exponent of the second step", Domain: theory.Inside(0, 0.5), Default: "0.45"},
	},
	Claim: "$⟨β^(k), β⋆⟩ → Σ_{j even} (k; j)(j−1)!!(φ E y²)^(j/2) E[z y w^(k−j)]$ with $w = c⋆₁z + φy$ on the same " +
		"batch and w = c⋆₁z on a fresh one, c⋆₁ = E zy. Hence, if c⋆₁ = 0, all these overlaps vanish on a fresh batch, " +
		"whereas on the same batch the overlap with k = 2 tends to φ² E zy³, which need not vanish. For even labels all " +
		"overlaps vanish on both. After steps η₁ ~ N^α₁ and η₂ ~ N^α₂ with 0 < α₁, α₂ < 1/2, 1 + ⌊α₂/(1/2 − α₁)⌋ singular " +
		"values of W₂ leave the bulk, if the quotient is not an integer and none of the spikes vanishes. The left vectors " +
		"of the second step's spikes are a^∘(k+1), and their right vectors are Σᵢ qᵢβ^(i) with Σᵢ qᵢuⁱ = " +
		"η₂(k+1)c_{k+1}η₁ᵏE(c₁u + g)ᵏ, g ~ N(0, s²), s² = φ E y²(E σ′² − c₁²).",
	TeX: `\langle \beta^{(k)}, \beta_\star \rangle \to \sum_{j \text{ even}} \binom{k}{j} (j-1)!! \, (\varphi \, ` +
		`\mathbb{E} y^2)^{j/2} ` +
		`\, \mathbb{E} [ z y w^{k-j} ], \quad w = c_{\star 1} z + \varphi y`,
	Assumptions: []theory.Assumption{
		{ID: "same-batch", Text: "φy is part of w only on the same batch"},
		{ID: "proportional", Text: "d grows with n: the noise of Xβ has the variance φ E y²"},
		{ID: "nonlinear", Text: "where outliers are counted, c_{k+1} ≠ 0, and β^(k) ≠ 0 in the limit"},
	},
	Source: theory.Source{
		Paper: "B. Moniri, H. Hassani: two steps against one (abstract only); slides of 23 March 2024 for the " +
			"first step",
		ArXiv: "2605.17767", Version: "abstract", Year: 2026,
		Locus: "abstract: batches that are reused learn directions beyond information exponent one",
	},
	Deviations: "The formula is ours. The abstract counts outliers by ⌊α₂/(1/2 − α₁)⌋; by the sizes N^(α₂ − k(1/2 − " +
		"α₁)) of the spikes, this is the number of spikes with k ≥ 1, without the direction of the first step.",
	Proof: "xᵢᵀβ = c⋆₁zᵢ + φyᵢ + √(φ E y²)gᵢ on the same batch to leading order, where φyᵢ is the sample's own term " +
		"|xᵢ|²yᵢ/n and gᵢ is standard normal and independent of (zᵢ, yᵢ); on a fresh batch its own term is missing. Then " +
		"⟨β^(k), β⋆⟩ is the mean of zᵢyᵢ(xᵢᵀβ)ᵏ. The gradient of the second step weighs samples by the mean of σ′(w_jᵀx + " +
		"η₁a_j(c₁xᵀβ + g)), where g comes from the remainder of the first step. The k-th Taylor term of this mean is " +
		"(k+1)c_{k+1}(η₁a_j(c₁xᵀβ + g))ᵏ: a spike of size N^(α₂ − k(1/2 − α₁)).",
	Tolerance: "The check takes medians, with order-statistic intervals, over independent batches of means over " +
		"opposite or unrelated teachers on one batch, divided by the claimed value or, where that is zero, by √(E y²)bᵏ. " +
		"It replaces the mean of an overlap given β⋆ᵀx and the labels by its limit, and compares the batches' moments with " +
		"expectations separately; that mean is the same formula at (d−1)/n for the batches' own moments, with a term of " +
		"order 1/n. For k = 2 the part of first order in Xβ minus its mean, which vanishes on average, is left out. " +
		"Coefficients of spikes are fitted together with a part that is linear in the rows of W₀, which has mean zero and " +
		"scatters most. Two sizes, one four times the other, remove the part of order 1/d from overlaps and coefficients. " +
		"Outliers are counted at two sizes.",
	Limits: "k ≤ 2, √(nd) up to a few hundred, five teachers. Outliers are counted for cubic activations, labels β⋆ᵀx, " +
		"three pairs of exponents with floors 0 and 1, fresh batches and n of a few hundred, with prefactors of 1 and 1.7: " +
		"the growth of a spike is judged by its size there, and not in the limit. With a floor of 1 the second spike grows " +
		"as N^0.1: at c₂ = −0.42 it was at least 1.25 times the edge of the bulk in each of 1000 networks; at c₂ = −0.35 " +
		"and a prefactor of 1.2 it was below 1.06 times the edge in one of ten. With a floor of 2 nothing is counted: the " +
		"third spike, of size N^(α₂ − 2(1/2 − α₁)), was 0.9 to 1.2 times as long as the part outside the spikes in each of " +
		"135 settings of prefactors and coefficients at N = 180, because the gradient also multiplies row j by 1 + " +
		"6c₁c₃η₁η₂E[yu]a_j², which vanishes only as N^(α₁+α₂−1). Coefficients of all three spikes are compared there. s² " +
		"contributes a tenth of the third one, which is about the resolution, so a right vector without s² is not rejected.",
	RestsOn: []string{"onestep/spike"},
	Violated: func(v theory.Values) error {
		first, second := v.Float("alpha1"), v.Float("alpha2")
		if critical(second / (0.5 - first)) {
			return fmt.Errorf("onestep: at α₁ = %.4g, α₂ = %.4g the quotient α₂/(1/2 − α₁) is an integer, which is excluded",
				first, second)
		}
		return nil
	},
	Predict: func(v theory.Values) []theory.Quantity {
		l := Labels{Link: Links[v.Choice("teacher")], Noise: v.Float("noise"), Phi: v.Float("phi")}
		moment := l.table()
		out := []theory.Quantity{
			{Name: "outliers", Symbol: "", Value: Outside(v.Float("alpha1"), v.Float("alpha2")),
				Meaning: "spikes of the first layer that grow, the direction of the first step included"},
		}
		for k := range 4 {
			symbol := fmt.Sprintf("⟨β^(%d), β⋆⟩, ", k)
			out = append(out,
				theory.Quantity{Name: fmt.Sprint("same", k), Symbol: symbol + "same batch",
					Value: OverlapOf(k, true, l.Phi, moment, moment), Meaning: "overlap on the same batch"},
				theory.Quantity{Name: fmt.Sprint("fresh", k), Symbol: symbol + "fresh batch",
					Value: OverlapOf(k, false, l.Phi, moment, moment), Meaning: "overlap on a fresh batch"})
		}
		return theory.Limits("n, d, N → ∞", out)
	},
}

// Outside returns 1 + ⌊α₂/(1/2 − α₁)⌋, the number of spikes of the first layer that grow after two steps of sizes N^α₁
// and N^α₂, the direction of the first step included.
func Outside(first, second float64) float64 { return 1 + math.Floor(second/(0.5-first)) }

// SecondStep is a step of size Second after a step of size First along the gradient, in mean-field scaling.
type SecondStep struct {
	Activation    hermite.Activation
	First, Second float64 // η₁, η₂
	Noise         float64 // s² of the first step, [Step.Noise]; 0 for displayed weights
}

// Right returns the coefficients of β^(0), …, β^(k) in the right vector of a^∘(k+1) in W₂ − W₁: those of the powers of
// u in η₂(k+1)c_{k+1}η₁ᵏE(c₁u + g)ᵏ, where g has the variance s².
func (s SecondStep) Right(k int) []float64 {
	out := make([]float64, k+1)
	scale := s.Second * float64(k+1) * s.Activation.Coefficient(k+1) * math.Pow(s.First, float64(k))
	for j := 0; j <= k; j += 2 { // the power of g
		out[k-j] = scale * choose(k, j) * hermite.DoubleFactorial(j-1) * math.Pow(s.Noise, float64(j/2)) *
			math.Pow(s.Activation.Coefficient(1), float64(k-j))
	}
	return out
}

// Links holds the teachers by name.
var Links = map[string]func(z float64) float64{
	"H1":    func(z float64) float64 { return z },
	"H1+H2": func(z float64) float64 { return z + (z*z-1)/math.Sqrt2 },
	"H2":    func(z float64) float64 { return (z*z - 1) / math.Sqrt2 },
	"H3":    func(z float64) float64 { return z * (z*z - 3) / math.Sqrt(6) },
	// Bounded, with E zy = 0 and E y² = 1: information exponent three.
	"exponent-three": func(z float64) float64 { return (math.Sin(z) - math.Exp(1.5)/2*math.Sin(2*z)) / exponentThree },
}

// exponentThree makes E y² = 1: E sin² = (1 − e⁻²)/2, E sin²2z = (1 − e⁻⁸)/2, E sin z sin 2z = (e^(−1/2) − e^(−9/2))/2.
var exponentThree = math.Sqrt((1-math.Exp(-2))/2 + math.Exp(3)/4*(1-math.Exp(-8))/2 -
	math.Exp(1.5)*(math.Exp(-0.5)-math.Exp(-4.5))/2)

// Labels describes y = σ⋆(z) + noise for a standard normal z, with d/n → φ.
type Labels struct {
	Link  func(z float64) float64
	Noise float64 // variance
	Phi   float64
}

// Moment returns E z^p y^q.
func (l Labels) Moment(p, q int) float64 {
	noise := make([]float64, q+1) // of ε^j: (q; j) E ε^j, and E ε^j = (j−1)!! for even j
	for j := 0; j <= q; j += 2 {
		noise[j] = choose(q, j) * hermite.DoubleFactorial(j-1) * math.Pow(l.Noise, float64(j/2))
	}
	return hermite.Expectation(func(z float64) float64 {
		sum, y := 0.0, l.Link(z)
		for _, c := range noise { // Σ c y^(q−j)
			sum = sum*y + c
		}
		for range p {
			sum *= z
		}
		return sum
	})
}

// table caches moments, so that each is computed once. It is not safe for concurrent use.
func (l Labels) table() func(p, q int) float64 {
	known := map[[2]int]float64{}
	return func(p, q int) float64 {
		m, found := known[[2]int{p, q}]
		if !found {
			m = l.Moment(p, q)
			known[[2]int{p, q}] = m
		}
		return m
	}
}

// OverlapOf returns the limit of ⟨β^(k), β⋆⟩, on the same batch or on a fresh one, from the moments E z^p y^q of the
// first batch and of the second.
func OverlapOf(k int, same bool, phi float64, first, second func(p, q int) float64) float64 {
	c, own, variance := first(1, 1), 0.0, phi*first(0, 2)
	if same {
		own = phi
	}
	sum := 0.0
	for j := 0; j <= k; j += 2 {
		outer := choose(k, j) * hermite.DoubleFactorial(j-1) * math.Pow(variance, float64(j/2))
		for i := 0; i <= k-j; i++ { // of w^(k−j), the power of φy
			sum += outer * choose(k-j, i) * math.Pow(c, float64(k-j-i)) * math.Pow(own, float64(i)) * second(1+k-j-i,
				1+i)
		}
	}
	return sum
}

func choose(n, k int) float64 {
	return hermite.Factorial(n) / hermite.Factorial(k) / hermite.Factorial(n-k)
}
