package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// NewtonSchulz says what a fixed number of Newton–Schulz steps in place of a polar factor does to a layer.
//
// # Setting
//
// M = WW_sᵀ with W_s = W − γ∇. X₀ = M/‖M‖_F, X ← X(15I − 10S + 3S²)/8 with S = XᵀX, ten times; W₊ = XW_s.
//
// # Claim
//
// X has the singular vectors of M and the singular values f^{10}(σ/‖M‖_F), f(x) = x(15 − 10x² + 3x⁴)/8. On [0, 1] f(x) ≤ 15x/8, so a
// singular value grows by at most (15/8)^{10} = 537.05, and one below 0.00100 of ‖M‖_F ends below ½: the Gram matrix of W₊ is
// not that of W_s. With a zero gradient a singular value s of W becomes s·f^{10}(s²/‖WWᵀ‖_F) in every step: small ones are
// deleted although nothing is learnt. The exact polar factor leaves W where it is.
//
// # Numerical form
//
// The scalar map is increasing on [0, 1] with slope at most 15/8, so ten steps amplify an error of a singular value by at
// most 537. The product starts with 4m·u, and each step adds 8m·u, which the steps after it amplify: together at most Σ(15/8)ᵏ·8m·u <
// 537·10m·u. So |error| ≤ 537·14m·u for an m×m product. The polar step leaves W fixed to 20m·u‖W‖.
//
// # Source
//
// Whitening by ten quintic Newton–Schulz steps: arXiv 2605.06258 and its published code.
var NewtonSchulz = theory.Statement{
	Slug:     "vcl/newtonschulz",
	Title:    "Ten Newton–Schulz steps delete directions that an exact polar factor keeps",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting:  "W₊ = XW_s, X ten steps X ← X(15I − 10XᵀX + 3(XᵀX)²)/8 from M/‖M‖_F, M = WW_sᵀ, W_s = W − γ∇.",
	Params: []theory.Param{
		{Name: "share", Symbol: "σ/‖M‖_F", Meaning: "a singular value of M over its Frobenius norm", Domain: theory.Between(0, 1), Default: "0.001"},
		{Name: "steps", Symbol: "k", Meaning: "number of Newton–Schulz steps", Domain: theory.IntegerFrom(0), Default: "10"},
	},
	Claim: "The singular values of X are f^{10}(σ/‖M‖_F) with f(x) = x(15 − 10x² + 3x⁴)/8, at most 537.05σ/‖M‖_F; with a zero gradient a singular value s of W becomes s·f^{10}(s²/‖WWᵀ‖_F).",
	TeX: `\sigma_i(X) = f^{10} \left( \frac{\sigma_i(M)}{\lVert M \rVert_F} \right), \quad f(x) = \frac{x \left( 15 - 10 x^2 + 3 x^4 \right)}{8}, \quad ` +
		`f^{10}(x) \le \left( \tfrac{15}{8} \right)^{10} x`,
	Assumptions: []theory.Assumption{
		{ID: "frobenius-start", Text: "the iteration starts at M/‖M‖_F"},
		{ID: "fixed-steps", Text: "it takes ten steps, converged or not"},
	},
	Source:     successor.At("whitening by Newton–Schulz"),
	Deviations: "The source uses the iteration as a polar factor; its deviation from one is derived here.",
	Errata: []theory.Erratum{
		{ID: "gram-kept", Printed: "W₊ = UVᵀ(W − γ∇), computed by Newton–Schulz, has the Gram matrix of W − γ∇", Locus: "whitening",
			Correct:        "only where every σ/‖M‖_F exceeds 0.0083; square layers at their usual initialisation have smaller ones",
			Counterexample: "a square layer with uniform entries and zero gradient: a step moves W, which the exact polar factor leaves where it is to rounding"},
	},
	RestsOn: []string{"vcl/procrustes"},
	Predict: func(v theory.Values) []theory.Quantity {
		x, k := v.Float("share"), v.Int("steps")
		return []theory.Quantity{
			{Name: "reached", Symbol: "f^k(σ/‖M‖_F)", Value: Quintic(x, k), Meaning: "singular value of X; 1 for an exact polar factor"},
			{Name: "growth", Symbol: "(15/8)^k", Value: QuinticGrowth(k), Meaning: "largest factor by which a singular value can grow"},
			{Name: "half", Symbol: "x_½", Value: quinticThreshold(0.5, k), Meaning: "share that ends at one half"},
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

// QuinticThreshold returns the share that k steps take to the given value in (0, 1). It is an error when there is none.
func QuinticThreshold(value float64, k int) (float64, error) {
	if !(value > 0 && value < 1) || k < 0 {
		return math.NaN(), errors.New("vcl: a value strictly between 0 and 1 and a number of steps are needed")
	}
	return quinticThreshold(value, k), nil
}

// quinticThreshold bisects the increasing function f^k to the last bit.
func quinticThreshold(value float64, k int) float64 {
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
