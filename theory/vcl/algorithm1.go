package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Algorithm1 is the claim vcl/algorithm1.
var Algorithm1 = theory.Statement{
	Slug:  "vcl/algorithm1",
	Title: "Algorithm 1 as printed: powers of eigenvalues, no fixed point, shifts counted repeatedly",
	Plain: "Without a gradient, the first step of Algorithm 1 as printed leaves all weights unchanged only if its " +
		"exponent is one half.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "One layer W (m×n). Per batch v = cov(h⁺) − cov(h) and 𝒱 ← 𝒱 + v; Q the eigenvectors and Λ the " +
		"eigenvalues of G = WᵀW + 𝒱, the min(m, n) largest; W̃ = Λ^αQᵀ; PΣQ′ᵀ = WW̃ᵀ; W₊ = PQ′ᵀW̃. Negative " +
		"eigenvalues count as zero.",
	Params: []theory.Param{
		{Name: "alpha", Symbol: "α", Meaning: "exponent of the algorithm", Domain: openClosed(0, 1), Default: "0.1"},
		{Name: "value", Symbol: "s", Meaning: "a singular value of W", Domain: openClosed(0, 1e6), Default: "0.33"},
		{Name: "steps", Symbol: "k", Meaning: "steps without a gradient", Domain: theory.IntegerBetween(0, 1000),
			Default: "3"},
		{Name: "age", Symbol: "T−s", Meaning: "steps since a shift was made", Domain: theory.IntegerBetween(0, 1000),
			Default: "5"},
		{Name: "W", Symbol: "W", Meaning: "weights before", Shape: "m×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "weights after", Shape: "m×n"},
		{Name: "V", Symbol: "𝒱", Meaning: "sum of the shifts of all batches, the present one included", Shape: "n×n"},
	},
	Claim: "$W₊ᵀW₊ = QΛ^{2α}Qᵀ$. So for α = ½ the step misses the constraint W₊ᵀW₊ = G by the norm of the part of G " +
		"that it discards: the negative part, and the positive part beyond rank m. While 𝒱 = 0, a step without a gradient " +
		"turns a singular value s into s^{2α}: only α = ½ leaves every W unchanged, and for α < ½ repeated steps drive all " +
		"nonzero singular values to 1. For α = ½ and feasible steps W_TᵀW_T = A₀ + Σ_s (T−s+1)v_s.",
	TeX: `W_+^{\top} W_+ = Q \Lambda^{2\alpha} Q^{\top}, \quad s \to s^{(2\alpha)^k}, \quad W_T^{\top} W_T = A_0 + ` +
		`\sum_{s=1}^{T} (T - s + 1) v_s \; \text{for} \; \alpha = \tfrac{1}{2}`,
	Assumptions: []theory.Assumption{
		{ID: "leading", Text: "the largest eigenvalues are kept, not the first that a routine returns"},
		{ID: "rotated", Text: "Q′ and P come from the same decomposition, so that PQ′ᵀ is a rotation",
			NoControl: "every rotation leaves the Gram matrix unchanged, and the claim is about that matrix alone"},
		{ID: "no-past", Text: "𝒱 = 0 (for the steps without a gradient)"},
		{ID: "half", Text: "α = ½ (for the constraint and for the sum)"},
		{ID: "cumulative", Text: "𝒱 sums the shifts of all batches (for the sum)"},
		{ID: "feasible", Text: "all targets are Gram matrices of m×n weights (for the sum)"},
	},
	Source: paper.At("Algorithm 1, final version; α ≈ 0.1 is recommended and used in all experiments"),
	Deviations: "What the algorithm computes is derived here. Its indices are read charitably: the range of Λ[:m, " +
		":m] for m > n, eigenvalues in descending order.",
	Proof: "PQ′ᵀ preserves the inner products of W̃, so W₊ᵀW₊ = W̃ᵀW̃ = QΛ^{2α}Qᵀ. Without a gradient G = WᵀW has " +
		"the eigenvalues s². For α = ½ and feasible targets W_tᵀW_t = W_{t−1}ᵀW_{t−1} + Σ_{s≤t} v_s, summed over t.",
	Tolerance: "G and its eigenvalues are accurate to ε = 16(m+n)·u·(‖W‖²+‖𝒱‖). The matrix function of the kept powers " +
		"moves by at most 4ε times its largest divided difference over the spectrum, where eigenvalues are taken to be at " +
		"least ε apart and the slope of a power x^p, p < 1, at most its slope at ε. A term of 16(m+n)·u times the norms of " +
		"the result and of ‖G‖^{2α} is added. Relative errors of the singular values add up over steps without a gradient. " +
		"The sum over steps is exact up to T·16(m+n)·u times the sum of its terms.",
	Limits: "The claim describes the printed loop as we read it; the source does not print its warm-up or its batch " +
		"size. Layers up to 8×8. Where eigenvalues vanish, as in a singular layer, a small α amplifies rounding to u^{2α}, " +
		"and the check detects little.",
	Readings: []theory.Reading{
		{ID: "alpha", Reading: "Algorithm 1 with α ≈ 0.1 solves equation (2)", Locus: "Algorithm 1 and experiments",
			Correct:        "the constraint W₊ᵀW₊ = WᵀW + D needs α = ½",
			Counterexample: "W = ½, no gradient: the constraint keeps W, α = 0.1 makes it ½^{0.2} = 0.871"},
		{ID: "counted-again", Reading: "with 𝒱_l ← 𝒱_l + v_l the Gram matrix of the weights has moved by the sum of " +
			"the shifts", Locus: "Algorithm 1",
			Correct: "WᵀW already holds the earlier shifts: every later step counts a shift once more. With W₊ from " +
				"WᵀW + v each shift would count once",
			Counterexample: "feasible steps with α = ½: the first of six shifts enters six times, so the plain sum " +
				"misses the Gram matrix"},
	},
	RestsOn: []string{"vcl/procrustes", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{
			{Name: "after", Symbol: "s^{(2α)^k}", Value: IdlePower(v.Float("value"), v.Float("alpha"), v.Int("steps")),
				Meaning: "singular value after k steps without a gradient"},
			{Name: "weight", Symbol: "T−s+1", Value: ShiftWeight(v.Int("age")),
				Meaning: "how often a shift has been counted, for α = ½"},
		}
	},
}

// openClosed returns the domain (lo, hi].
func openClosed(lo, hi float64) *theory.Domain {
	d := theory.Between(lo, hi)
	d.OpenMin = true
	return d
}

// IdlePower returns s^{(2α)^k}, the value that k steps without a gradient give to a singular value s ≥ 0.
func IdlePower(s, alpha float64, k int) float64 {
	return theory.When(s >= 0 && alpha > 0 && k >= 0, math.Pow(s, math.Pow(2*alpha, float64(k))))
}

// ShiftWeight returns how often a shift has been counted after the given number of steps: once in its own step.
func ShiftWeight(age int) float64 {
	return theory.When(age >= 0, float64(age+1))
}

// KeptPowers returns QΛ^{2α}Qᵀ for the given number of largest eigenvalues of the symmetric matrix g, without negative
// ones. It also returns a first-order bound on the error when g is accurate to epsilon: epsilon times the largest
// divided difference of the kept powers over the spectrum. It returns an error when the eigenvalues do not converge.
func KeptPowers(g *mat.SymDense, keep int, alpha, epsilon float64) (powers *mat.Dense, rounding float64, err error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(g, true) {
		return nil, math.NaN(), errors.New("vcl: the eigenvalues of the target do not converge")
	}
	var q mat.Dense
	eigen.VectorsTo(&q)
	values := eigen.Values(nil) // ascending
	n := len(values)
	kept, steepest := make([]float64, n), 0.0
	for i, x := range values {
		if i >= n-keep && x > 0 {
			kept[i] = math.Pow(x, 2*alpha)
			at := x + epsilon // where the power is steepest near x
			if alpha < 0.5 {
				at = max(x-epsilon, epsilon)
			}
			steepest = max(steepest, 2*alpha*math.Pow(at, 2*alpha-1))
		}
		for j := range i {
			steepest = max(steepest, math.Abs(kept[i]-kept[j])/max(x-values[j], epsilon))
		}
	}
	powers = mat.NewDense(n, n, nil)
	powers.Product(&q, mat.NewDiagDense(n, kept), q.T())
	return powers, epsilon * steepest, nil
}
