package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Condition is the claim latent/condition: the condition number of Assumption 2, and the gradient without it.
var Condition = theory.Statement{
	Slug:  "latent/condition",
	Title: "Condition number of the mean Hessian, and the gradient where the Hessian vanishes",
	Plain: "The mean Hessian is best conditioned exactly for purely quadratic targets whose eigenvalues all " +
		"have one size.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "A polynomial f⋆ of r directions, which span S⋆, with E f⋆² = 1 and mean Hessian H of rank r; κ = " +
		"‖H†‖/√r. Second part: f⋆ = He_p(u·x)/√p! with p ≥ 3, for which H = 0, and the gradient of the population " +
		"loss E(f_θ−f⋆)² of a neuron with output weight ±1 and bias b, the same for both neurons of a symmetric " +
		"pair, averaged over ŵ uniform on the sphere.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e9), Default: "128"},
		{Name: "p", Symbol: "p", Meaning: "degree", Domain: theory.IntegerBetween(3, 20), Default: "4"},
		{Name: "b", Symbol: "b", Meaning: "bias of the neurons", Domain: theory.Between(-10, 10), Default: "0"},
	},
	Claim: "κ ≥ 1/√2, with equality if and only if f⋆ is purely quadratic and all eigenvalues of H on S⋆ have the " +
		"same absolute value. For He_p the mean square of the neuron's gradient is (4/p!)[p²c_p²m_{p−1} + " +
		"(2pc_pc_{p+2} + c_{p+2}²)m_p] with c_k(b, 1) of latent/series and m_k = (2k−1)!!/(d(d+2)…(d+2k−2)): at most " +
		"of order d^−(p−1), whereas with H ≠ 0 it is of order 1/d. Without bias it is 0 for odd p ≥ 3, and so is the " +
		"gradient for every ŵ.",
	TeX: `\kappa = \lVert H^\dagger \rVert / \sqrt{r} \ge 1/\sqrt{2}`,
	Assumptions: []theory.Assumption{
		{ID: "normalised", Text: "E f⋆² = 1"},
		{ID: "rank", Text: "H has rank r (for κ)",
			NoControl: "otherwise ‖H†‖ omits directions, and the source does not define κ"},
		{ID: "no-bias", Text: "the neurons have no bias (for the last sentence)"},
		{ID: "paired", Text: "the network's output is zero", NoControl: "the controls of latent/hessian drop it"},
	},
	Source: paper.At("Assumption 2 and the definition of κ"),
	Proof: "r λ_min(|H|)² ≤ ‖H‖_F² ≤ 2E f⋆² by Parseval, since E f₂² = ‖H‖_F²/2 for the part of degree 2. The " +
		"gradient is the series of latent/series, in which only C_p = √p!·u⊗…⊗u is not zero, and whose coefficients " +
		"c_k vanish for odd k ≥ 3 at b = 0; moments of one coordinate of the sphere.",
	Tolerance: "For κ from means of derivatives with N monomials and eigenvalues of order r, the tolerance is " +
		"(20N+50r)u·κ times ‖H‖/λ_min. For mean squares by quadratures that are exact for the polynomials in question, it " +
		"is 500(p+4)u of the mean square of the moments with all signs positive.",
	Limits: "At most 3 directions and degree 6 for κ; one latent direction, p up to 6, d up to 40 and biases up to 2 " +
		"for the gradient. The claim does not say that no other algorithm learns such targets.",
	Readings: []theory.Reading{{
		ID:      "necessary",
		Reading: "Without Assumption 2 the target is not learned: the first stage learns nothing about f⋆.",
		Locus:   "remarks on the necessity of Assumption 2",
		Correct: "Some targets that violate it are not learned with few samples. A linear target violates it too, and " +
			"preprocessing alone learns it.",
		Counterexample: "f⋆(x) = x₁: H = 0, and β = e₁ on the population.",
	}},
	RestsOn: []string{"latent/series"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{
			{Name: "square", Symbol: "E‖∇‖²", Value: PureGradient(v.Int("d"), v.Int("p"), v.Float("b")),
				Meaning: "mean square of the gradient of He_p"},
			{Name: "quadratic", Symbol: "E‖∇₂‖²", Value: PureGradient(v.Int("d"), 2, v.Float("b")),
				Meaning: "mean square of the gradient of He₂/√2"},
		}
	},
}

// Kappa returns κ = ‖H†‖/√r for a symmetric H of order and rank r; an error names the violated hypothesis.
func Kappa(h *mat.SymDense) (float64, error) {
	var e mat.EigenSym
	if !e.Factorize(h, false) {
		return 0, errors.New("latent: eigenvalues of the mean Hessian")
	}
	smallest := math.Inf(1)
	for _, x := range e.Values(nil) {
		smallest = min(smallest, math.Abs(x))
	}
	if !(smallest > 0) {
		return 0, errors.New("latent: the mean Hessian is singular on the latent directions")
	}
	return 1 / (smallest * math.Sqrt(float64(h.SymmetricDim()))), nil
}

// PureGradient returns the mean square of the gradient for He_p(u·x)/√p!, p ≥ 2, in d dimensions for neurons of this
// bias; NaN otherwise.
func PureGradient(d, p int, bias float64) float64 {
	if p < 2 || d < 1 {
		return math.NaN()
	}
	first, second, n := ReLU(p, bias, 1), ReLU(p+2, bias, 1), float64(p)
	return 4 / hermite.Factorial(p) * (n*n*first*first*SphereMoment(d, p-1) +
		(2*n*first*second+second*second)*SphereMoment(d, p))
}

// SphereMoment returns E u₁^2k = (2k−1)!!/(d(d+2)…(d+2k−2)) for u uniform on the sphere.
func SphereMoment(d, k int) float64 {
	m := 1.0
	for j := range k {
		m *= float64(2*j+1) / float64(d+2*j)
	}
	return m
}
