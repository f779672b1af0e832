package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// NewtonSchulz is the claim vcl/newtonschulz.
var NewtonSchulz = theory.Statement{
	Slug:  "vcl/newtonschulz",
	Title: "A fixed number of Newton–Schulz steps deletes directions that an exact polar factor keeps",
	Plain: "A fixed number of Newton–Schulz steps shrinks small singular values of the weights, which an exact " +
		"polar factor would preserve.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "W₊ = XW_s for W (m×n) and the weights W_s = W − γ∇ of gradient descent: X₀ = M/‖M‖_F with M = WW_sᵀ ≠ " +
		"0, then k steps X ← X(15I − 10S + 3S²)/8, S = XᵀX; the source takes k = 10.",
	Params: []theory.Param{
		{Name: "share", Symbol: "σ/‖M‖_F", Meaning: "a singular value of M over its Frobenius norm",
			Domain: theory.Between(0, 1), Default: "0.001"},
		{Name: "steps", Symbol: "k", Meaning: "number of Newton–Schulz steps", Domain: theory.IntegerBetween(0, 1000),
			Default: "10"},
		weightsBefore,
		{Name: "W_s", Symbol: "W_s", Meaning: "weights of gradient descent", Shape: "m×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "weights after the step", Shape: "m×n"},
	},
	Claim: "X has the singular vectors of M and the singular values f^k(σ/‖M‖_F) with $f(x) = x(15 − 10x² + 3x⁴)/8$, " +
		"at most (15/8)^k·σ/‖M‖_F. So with a zero gradient one step turns a singular value s of W into " +
		"s·f^k(s²/‖WWᵀ‖_F), whereas the exact polar factor leaves W unchanged.",
	TeX: `f(x) = \frac{x \left( 15 - 10 x^2 + 3 x^4 \right)}{8}, \quad ` +
		`\sigma_i(X) = f^{k} \left( \frac{\sigma_i(M)}{\lVert M \rVert_F} \right), \quad ` +
		`f^{k}(x) \le \left( \tfrac{15}{8} \right)^{k} x`,
	Assumptions: []theory.Assumption{
		{ID: "frobenius-start", Text: "the iteration starts at M/‖M‖_F"},
		{ID: "fixed-steps", Text: "it takes k steps, converged or not"},
	},
	Source:     successor.At("whitening by Newton–Schulz; its published code takes ten steps"),
	Deviations: "The source uses the iteration as a polar factor. The distance from a polar factor is derived here.",
	Proof: "With X = UΣVᵀ a step is U f(Σ)Vᵀ. On [0, 1], f′(x) = 15(1 − x²)²/8 lies between 0 and 15/8, so f increases " +
		"to f(1) = 1 and f(x) ≤ 15x/8. Hence (15/8)¹⁰ = 537.05 is the largest factor by which ten steps can enlarge a " +
		"singular value: one of 0.00100‖M‖_F ends at ½, and only those above 0.0083‖M‖_F end within 10⁻⁷ of 1.",
	Tolerance: "X ↦ U f(Σ)Vᵀ has the Lipschitz constant 15/8 of f in the Frobenius norm (f is odd: apply it to the " +
		"Hermitian dilation of X). A step has four products of m×m matrices of norm at most √m, whose errors add up " +
		"to 8m·√m·u, and the start adds 4(m+n)·u. The judge applies f^k by a singular value decomposition of M that " +
		"is exact up to 16(m+n)·u. Later steps amplify all of this to at most (15/8)^k·(20(m+n) + 10m√m)·u, since " +
		"Σ(15/8)^−j < 15/7. The polar step leaves W fixed to 20m·u‖W‖.",
	Limits: "The published coefficients in double precision; the source runs them in single. Layers up to 12×12 and, " +
		"without a gradient, 32×32 at the usual initialisation. The check does not ask whether the deletion harms training.",
	Readings: []theory.Reading{
		{ID: "gram-kept", Reading: "W₊ = UVᵀ(W − γ∇), computed by Newton–Schulz, has the Gram matrix of W − γ∇; with " +
			"a zero gradient it is W",
			Locus: "whitening, computed by ten steps in the published code",
			Correct: "only where every σ/‖M‖_F exceeds 0.0083; square layers at their usual initialisation " +
				"have smaller ones",
			Counterexample: "square layers with uniform entries and zero gradient: a step moves W, which the exact " +
				"polar factor leaves unchanged up to rounding"},
	},
	RestsOn: []string{"vcl/procrustes"},
	Predict: func(v theory.Values) []theory.Quantity {
		x, k := v.Float("share"), v.Int("steps")
		return []theory.Quantity{
			{Name: "reached", Symbol: "f^k(σ/‖M‖_F)", Value: Quintic(x, k),
				Meaning: "singular value of X; 1 for an exact polar factor"},
			{Name: "growth", Symbol: "(15/8)^k", Value: QuinticGrowth(k),
				Meaning: "largest factor by which a singular value can grow"},
			{Name: "half", Symbol: "x_½", Value: QuinticThreshold(0.5, k), Meaning: "share that the steps take to one half"},
		}
	},
}

// Quintic returns f^k(x) for f(x) = x(15 − 10x² + 3x⁴)/8; NaN for x outside [0, 1].
func Quintic(x float64, k int) float64 {
	if !(x >= 0 && x <= 1) || k < 0 {
		return math.NaN()
	}
	for range k {
		x = x * (15 - x*x*(10-3*x*x)) / 8
	}
	return x
}

// QuinticGrowth returns (15/8)^k, the supremum of f^k(x)/x.
func QuinticGrowth(k int) float64 { return math.Pow(15./8, float64(k)) }

// QuinticThreshold returns the share that k ≥ 0 steps take to the given value, by bisecting the increasing function f^k
// to the last bit. It is NaN unless the value lies strictly between 0 and 1.
func QuinticThreshold(value float64, k int) float64 {
	if !(value > 0 && value < 1) || k < 0 {
		return math.NaN()
	}
	lo, hi := 0.0, 1.0
	for {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			return hi
		}
		if Quintic(mid, k) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
}
