package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Steps says what many steps do to the Gram matrix: the shifts of the virtual covariance add up, and so do their
// residuals.
//
// # Setting
//
// That of vcl/residual at each of T steps τ = 0 … T−1: D_τ is the virtual covariance shift at the weights and gradients
// of step τ, R_τ its residual. All layers of the network may move at once.
//
// # Claim
//
// W_TᵀW_T − W₀ᵀW₀ = Σ_{τ<T} D_τ + Σ_{τ<T} R_τ exactly, with T terms for T steps. Each R_τ is of second order in γ, so
// over a fixed time Tγ their sum is of first order: the identity telescopes, and Σ R_τ = γ·Σ γ(…) tends to γ times an
// integral along the gradient flow.
//
// # Numerical form
//
// The error of step τ is bounded by vcl/residual's numerical form, with the weights that were computed; the sum of these
// bounds is allowed, and T·u times the sum of the norms for adding up. The order is a slope of logarithms; with E(γ) =
// γE₁ + γ²E₂ + …, E(γ) − 2E(γ/2) is half of the second-order term, and twice that bounds how far each size lies from
// first order.
//
// # Source
//
// The sum over steps after Theorem 2 of the paper.
var Steps = theory.Statement{
	Slug:     "vcl/steps",
	Title:    "Many steps: shifts and residuals add up",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "T plain gradient steps W_{τ+1} = W_τ − γ Σᵢ gᵢhᵢᵀ on a summed loss, all layers at once; D_τ is the virtual covariance " +
		"shift of the layer's input at step τ, R_τ its exact residual.",
	Params: []theory.Param{
		{Name: "steps", Symbol: "T", Meaning: "number of steps", Domain: theory.IntegerFrom(1), Default: "6000"},
		{Name: "step", Symbol: "γ", Meaning: "step size", Domain: theory.Above(0), Default: "0.05"},
		{Name: "residual", Symbol: "‖R‖/γ²", Meaning: "typical size of a residual over the square of the step size", Domain: theory.AtLeast(0), Default: "0.01"},
		{Name: "shift", Symbol: "‖D‖/γ", Meaning: "typical size of a shift over the step size", Domain: theory.Above(0), Default: "0.1"},
	},
	Claim: "W_TᵀW_T − W₀ᵀW₀ = Σ_{τ=0}^{T−1} D_τ + Σ_{τ=0}^{T−1} R_τ, exactly; over a fixed time Tγ the residuals add up to O(γ).",
	TeX: `W_T^{\top} W_T - W_0^{\top} W_0 = \sum_{\tau=0}^{T-1} D_{\tau} + \sum_{\tau=0}^{T-1} R_{\tau}, \quad ` +
		`\sum_{\tau=0}^{T-1} R_{\tau} = O(\gamma) \text{ at fixed } T\gamma`,
	Assumptions: []theory.Assumption{
		{ID: "plain-descent", Text: "every step is a plain gradient step; no momentum"},
		{ID: "own-point", Text: "shift and residual of a step are taken at the weights of that step"},
		{ID: "fixed-time", Text: "the order is that of a ladder of step sizes at one time Tγ"},
	},
	Source:     paper.At("sum over steps after Theorem 2"),
	Deviations: "The source prints the sum with ≈ and without residuals; that they add up, and to which order, is derived here.",
	Errata: []theory.Erratum{
		{ID: "one-term-too-many", Printed: "W_tᵀW_t − W₀ᵀW₀ ≈ Σ_{τ=0}^{t} shift_τ", Locus: "after Theorem 2",
			Correct:        "the sum ends at t − 1: t steps make t shifts",
			Counterexample: "GELU networks after 2 to 40 steps: with the term τ = t and its residual the sum misses the Gram shift by far more than rounding, without them by none"},
		{ID: "second-order", Printed: "many steps agree up to O(γ²), as one step does", Locus: "after Theorem 2, read with Theorem 2",
			Correct:        "O(γ) at fixed time Tγ: T residuals of size γ² add up to Tγ·γ",
			Counterexample: "a GELU network at time ⅛: halving γ halves the accumulated residual and does not quarter it"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		a := Accumulated{Steps: v.Int("steps"), Step: v.Float("step"), Residual: v.Float("residual"), Shift: v.Float("shift")}
		return []theory.Quantity{
			{Name: "time", Symbol: "Tγ", Value: a.Time(), Meaning: "time of training"},
			{Name: "accumulated", Symbol: "T‖R‖", Value: a.Sum(), Meaning: "largest accumulated residual"},
			{Name: "relative", Symbol: "‖R‖/‖D‖", Value: a.Relative(), Meaning: "accumulated residual over accumulated shift"},
		}
	},
}

// Accumulated is the size of what T residuals add up to when all have one direction.
type Accumulated struct {
	Steps           int
	Step            float64 // γ
	Residual, Shift float64 // ‖R‖/γ² and ‖D‖/γ
}

// Valid names the violated hypothesis.
func (a Accumulated) Valid() error {
	if a.Steps < 1 || !(a.Step > 0) {
		return errors.New("vcl: the number of steps and the step size must be positive")
	}
	if !(a.Residual >= 0 && a.Shift > 0) {
		return errors.New("vcl: a residual must not be negative, and a shift must be positive")
	}
	return nil
}

// Time returns Tγ.
func (a Accumulated) Time() float64 {
	if a.Valid() != nil {
		return math.NaN()
	}
	return float64(a.Steps) * a.Step
}

// Sum returns T‖R‖ = Tγ·γ·(‖R‖/γ²), of first order in γ at fixed time.
func (a Accumulated) Sum() float64 { return a.Time() * a.Step * a.Residual }

// Relative returns T‖R‖/(T‖D‖).
func (a Accumulated) Relative() float64 { return a.Sum() / (a.Time() * a.Shift) }

// Shift returns the virtual covariance shift D = c(H⁺H⁺ᵀ − HHᵀ), n×n, in the expanded form −γ'(HΓᵀW + WᵀΓHᵀ) +
// γ'²WᵀΓΓᵀW with γ' = bγ: the difference of two outer products loses a factor ‖h‖/(γ‖Wᵀg‖) of relative accuracy. All
// entries are NaN outside the hypotheses.
func (s LayerStep) Shift() *mat.Dense {
	_, n := s.W.Dims()
	d := mat.NewDense(n, n, nil)
	if s.Valid() != nil {
		d.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, d)
		return d
	}
	var p, cross mat.Dense
	p.Mul(s.W.T(), s.PreGrads) // ∂loss/∂H
	cross.Mul(s.Inputs, p.T())
	step, c := s.Step*s.Convention.Virtual, s.Convention.Covariance
	d.Mul(&p, p.T())
	d.Apply(func(i, j int, square float64) float64 {
		return c * (step*step*square - step*(cross.At(i, j)+cross.At(j, i)))
	}, d)
	return d
}

// Whole is the set of integers from min to max.
func Whole(min, max float64) *theory.Domain {
	d := theory.Between(min, max)
	d.Integer = true
	return d
}
