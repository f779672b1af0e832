package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Algorithm1 says what the printed algorithm computes, which is not a solution of the printed problem.
//
// # Setting
//
// Algorithm 1 of the paper for one layer W (m×n): per batch v = cov(h⁺) − cov(h), 𝒱 ← 𝒱 + v; QΛQᵀ the eigendecomposition of
// WᵀW + 𝒱 with the r = min(m, n) largest eigenvalues; W̃ = Λ^αQᵀ; PΣQ′ᵀ = WW̃ᵀ; W ← PQ′ᵀW̃. Negative eigenvalues count as zero.
//
// # Claim
//
//  1. W₊ has the singular values λᵢ^α, so W₊ᵀW₊ = QΛ^{2α}Qᵀ: the constraint holds only for α = ½. Then ‖W₊ᵀW₊ − G‖ is the norm of
//     the negative part of G, and of the positive part beyond rank m.
//  2. With zero gradients a singular value s becomes s^{(2α)^k} in k steps: for α < ½ every one tends to 1, whatever the data.
//     Only for α = ½ is a zero gradient a fixed point.
//  3. 𝒱 is cumulative while W already holds the earlier shifts: for α = ½ and feasible steps W_TᵀW_T = A₀ + Σ_s (T−s+1)v_s, not
//     A₀ + Σ v_s.
//
// # Numerical form
//
// An eigenvalue λ of G is known to ε = 16n·u·‖G‖. Its power λ^α is then known to min(ε^α, αε/λ^{1−α}) (x^α is Hölder continuous), and
// the products add 16n·u times the largest. The sum over steps is exact up to T·16n·u times the sum of its terms.
//
// # Source
//
// Algorithm 1 of the paper, final version; α ≈ 0.1 is recommended and used in all experiments.
var Algorithm1 = theory.Statement{
	Slug:     "vcl/algorithm1",
	Title:    "Algorithm 1 as printed: powers of eigenvalues, no fixed point, shifts counted again and again",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting:  "W ← PQ′ᵀΛ^αQᵀ with QΛQᵀ ≈ WᵀW + 𝒱, 𝒱 the sum of all shifts so far, PΣQ′ᵀ = WQΛ^α; the min(m, n) largest eigenvalues, negative ones as zero.",
	Params: []theory.Param{
		{Name: "alpha", Symbol: "α", Meaning: "exponent of the algorithm", Domain: theory.Above(0), Default: "0.1"},
		{Name: "value", Symbol: "s", Meaning: "a singular value of W", Domain: theory.Above(0), Default: "0.33"},
		{Name: "steps", Symbol: "k", Meaning: "steps without a gradient", Domain: theory.IntegerFrom(0), Default: "3"},
		{Name: "age", Symbol: "T−s", Meaning: "steps since a shift was made", Domain: theory.IntegerFrom(0), Default: "5"},
	},
	Claim: "W₊ᵀW₊ = QΛ^{2α}Qᵀ; without gradients s ← s^{(2α)^k}; for α = ½ and feasible steps W_TᵀW_T = A₀ + Σ_s (T−s+1)v_s.",
	TeX: `W_+^{\top} W_+ = Q \Lambda^{2\alpha} Q^{\top}, \quad s \to s^{(2\alpha)^k}, \quad ` +
		`W_T^{\top} W_T = A_0 + \sum_{s=1}^{T} (T - s + 1) v_s \; \text{for} \; \alpha = \tfrac{1}{2}`,
	Assumptions: []theory.Assumption{
		{ID: "leading", Text: "the largest eigenvalues are kept, not the first that a routine returns"},
		{ID: "cumulative", Text: "𝒱 sums the shifts of all batches (for the third part)"},
		{ID: "feasible", Text: "all targets are Gram matrices of m×n weights (for the third part)"},
	},
	Source:     paper.At("Algorithm 1, final version"),
	Deviations: "What the algorithm computes is derived here.",
	Errata: []theory.Erratum{
		{ID: "alpha", Printed: "Algorithm 1 with α ≈ 0.1 solves equation (2)", Locus: "Algorithm 1 and experiments",
			Correct:        "the constraint W₊ᵀW₊ = WᵀW + D needs α = ½",
			Counterexample: "W = ½, no gradient: the constraint keeps W, α = 0.1 makes it ½^{0.2} = 0.871"},
		{ID: "fixed-point", Printed: "a zero gradient leaves the weights as they are, as every update rule should", Locus: "Algorithm 1, α = 0.1",
			Correct:        "s becomes s^{(2α)^k}: weights tend to a partial isometry",
			Counterexample: "singular values 0.783 and 0.330 become 0.952 and 0.801 after one step, 0.9996 and 0.998 after four"},
		{ID: "counted-again", Printed: "𝒱_l ← 𝒱_l + v_l, W_l from the eigenvectors of W_lᵀW_l + 𝒱_l", Locus: "Algorithm 1",
			Correct:        "WᵀW already holds the earlier shifts; W_l from WᵀW + v",
			Counterexample: "six feasible steps of a 7×4 layer with α = ½: the first shift enters six times, so the plain sum misses the Gram matrix"},
	},
	RestsOn: []string{"vcl/procrustes", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{
			{Name: "after", Symbol: "s^{(2α)^k}", Value: IdlePower(v.Float("value"), v.Float("alpha"), v.Int("steps")), Meaning: "singular value after k steps without a gradient"},
			{Name: "weight", Symbol: "T−s+1", Value: ShiftWeight(v.Int("age")), Meaning: "how often a shift has been counted, for α = ½"},
		}
	},
}

// IdlePower returns s^{(2α)^k}, a singular value s ≥ 0 after k steps without a gradient.
func IdlePower(s, alpha float64, k int) float64 {
	if !(s >= 0) || !(alpha > 0) || k < 0 {
		return math.NaN()
	}
	return math.Pow(s, math.Pow(2*alpha, float64(k)))
}

// ShiftWeight returns how often a shift has been counted so many steps after it was made: once at once.
func ShiftWeight(age int) float64 {
	if age < 0 {
		return math.NaN()
	}
	return float64(age + 1)
}

// CountedAgain returns A₀ + Σ_s (T−s+1)v_s for the shifts v₁ … v_T, all n×n.
func CountedAgain(start *mat.Dense, shifts []*mat.Dense) (*mat.Dense, error) {
	sum := mat.DenseCopyOf(start)
	n, _ := start.Dims()
	for s, v := range shifts {
		if r, c := v.Dims(); r != n || c != n {
			return nil, errors.New("vcl: shifts and Gram matrix must have one order")
		}
		var term mat.Dense
		term.Scale(ShiftWeight(len(shifts)-1-s), v)
		sum.Add(sum, &term)
	}
	return sum, nil
}

// PowerRounding returns min(ε^α, αε/λ^{1−α}) for 0 < α ≤ 1: how far λ^α may be off when λ ≥ 0 is known to ε.
func PowerRounding(lambda, epsilon, alpha float64) float64 {
	if !(lambda >= 0 && epsilon >= 0) || !(alpha > 0 && alpha <= 1) {
		return math.NaN()
	}
	hoelder := math.Pow(epsilon, alpha)
	if lambda <= 2*epsilon {
		return hoelder
	}
	return math.Min(hoelder, alpha*epsilon/math.Pow(lambda-epsilon, 1-alpha))
}
