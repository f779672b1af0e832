package vcl

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Steps is the claim vcl/steps.
var Steps = theory.Statement{
	Slug:  "vcl/steps",
	Title: "Many steps: shifts and residuals add up",
	Plain: "Over many gradient steps, the change of WᵀW is the sum of the virtual covariance shifts and of " +
		"their second-order residuals.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "T plain gradient steps W_{τ+1} = W_τ − γ Σᵢ gᵢhᵢᵀ on a summed loss, all layers at once. D_τ is the " +
		"virtual covariance shift of the layer's input at step τ, −γ(HPᵀ + PHᵀ) + γ²PPᵀ with P = ∂loss/∂H, and R_τ = " +
		"γ²(HΓᵀΓHᵀ − PPᵀ) its exact residual.",
	Params: []theory.Param{
		{Name: "steps", Symbol: "T", Meaning: "number of steps", Domain: theory.IntegerBetween(1, 1e12), Default: "6000"},
		stepSize(theory.Inside(0, 1e100), "0.05"),
		{Name: "residual", Symbol: "‖R‖/γ²", Meaning: "typical size of a residual over the square of the step size",
			Domain: theory.Between(0, 1e100), Default: "0.01"},
		{Name: "shift", Symbol: "‖D‖/γ", Meaning: "typical size of a shift over the step size",
			Domain: theory.Inside(0, 1e100), Default: "0.1"},
		{Name: "W", Symbol: "W₀", Meaning: "weights before the first step", Shape: "m×n"},
		{Name: "W_last", Symbol: "W_T", Meaning: "weights after the last step", Shape: "m×n"},
		{Name: "H", Symbol: "H", Meaning: "inputs of the layer at each step, the batches of B columns side by side",
			Shape: "n×TB"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the per-sample losses in the pre-activations, likewise",
			Shape: "m×TB"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the per-sample losses in the layer's inputs, likewise",
			Shape: "n×TB"},
	},
	Claim: "$W_TᵀW_T − W₀ᵀW₀ = Σ_{τ=0}^{T−1} D_τ + Σ_{τ=0}^{T−1} R_τ$, exactly; over a fixed time Tγ the residuals add " +
		"up to γ·∫(HΓᵀΓHᵀ − PPᵀ)dt + O(γ²), the integral taken along the gradient flow of a smooth network.",
	TeX: `W_T^{\top} W_T - W_0^{\top} W_0 = \sum_{\tau=0}^{T-1} D_{\tau} + \sum_{\tau=0}^{T-1} R_{\tau}, \quad ` +
		`\sum_{\tau=0}^{T-1} R_{\tau} = \gamma \int_0^{T\gamma} ` +
		`\left( H \Gamma^{\top} \Gamma H^{\top} - P P^{\top} \right) dt + O(\gamma^2)`,
	Assumptions: []theory.Assumption{
		{ID: "plain-descent", Text: "every step is a plain gradient step; no momentum"},
		{ID: "own-point", Text: "shift and residual of a step are taken at the weights of that step"},
		{ID: "fixed-time", Text: "the order is for decreasing step sizes up to one fixed time Tγ"},
	},
	Source: paper.At("sum over steps after Theorem 2"),
	Deviations: "The source prints the sum with ≈ and without residuals; their sum, its order and its limit are derived " +
		"here.",
	Proof: "vcl/residual at every step; the left side telescopes. Each R_τ is of second order in γ, so that Σ R_τ = " +
		"γ·Σ γ(…) is γ times a Riemann sum along gradient descent, which follows the gradient flow up to O(γ).",
	Tolerance: "Weights are rounded T times, which moves W_TᵀW_T by 2T·u·w² with w = ‖W₀‖ + γΣ‖Γ‖‖H‖; the products " +
		"W_TᵀW_T and W₀ᵀW₀ add 2m·u·w² and a few u·w². The terms of first order in γ are below Γ₁ = γΣ‖Γ‖‖H‖w each and " +
		"result from TB + m + B + 10 operations, those of second order are below Γ₂ = γ²Σ‖Γ‖²(‖H‖² + w²) and result from " +
		"TB + 2(m+B) + 2T + 12: |error| ≤ u·((2T+2m+6)w² + 2(TB+m+B+10)Γ₁ + (TB+2(m+B)+2T+12)Γ₂). The order is a slope of " +
		"logarithms: with E(γ) = γE₁ + γ²E₂ + …, E(γ) − 2E(γ/2) is half of the second-order term, and twice that bounds " +
		"how far each size lies from first order. The limit of E(γ)/γ is extrapolated from six halved steps by Neville's " +
		"scheme, whose last correction is allowed. The integral is taken by the classical Runge–Kutta method with two " +
		"numbers of steps, and the difference of the two results is allowed.",
	Limits: "At most 256 steps of networks with up to 8 units on one batch of up to 6. The order is measured at " +
		"times up to 1/32, before training saturates, and for smooth activations; the identity is checked with " +
		"kinked ones too. The limit takes γ to zero at fixed time: nothing is said about infinite time.",
	Readings: []theory.Reading{
		{ID: "second-order", Reading: "many steps agree up to O(γ²), as one step does",
			Locus:   "after Theorem 2, read with Theorem 2",
			Correct: "O(γ) at fixed time Tγ: T residuals of size γ² add up to Tγ·γ",
			Counterexample: "networks at a time up to 1/32: halving γ halves the accumulated residual and does not " +
				"quarter it"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		a := Accumulated{Steps: v.Int("steps"), Step: v.Float("step"), Residual: v.Float("residual"),
			Shift: v.Float("shift")}
		return []theory.Quantity{
			{Name: "time", Symbol: "Tγ", Value: a.Time(), Meaning: "time of training"},
			{Name: "accumulated", Symbol: "T‖R‖", Value: a.Sum(), Meaning: "largest accumulated residual"},
			{Name: "relative", Symbol: "‖R‖/‖D‖", Value: a.Relative(),
				Meaning: "accumulated residual over accumulated shift"},
		}
	},
}

// Descents holds the inputs and gradients of a layer in T steps on a batch of B, side by side.
type Descents struct {
	Inputs     *mat.Dense // H, n×TB
	PreGrads   *mat.Dense // Γ, m×TB
	InputGrads *mat.Dense // P, n×TB
	Step       float64    // γ
	Steps      int        // T
}

// Valid names the violated hypothesis.
func (d Descents) Valid() error {
	n, columns := d.Inputs.Dims()
	_, gammas := d.PreGrads.Dims()
	pn, grads := d.InputGrads.Dims()
	return theory.Require(d.Steps >= 1 && columns%d.Steps == 0 && pn == n && gammas == columns && grads == columns,
		"vcl: inputs and gradients need one column per sample and step")
}

// FirstOrder returns −γΣ(HPᵀ + PHᵀ), n×n. All entries of this and the other sums are NaN outside the hypotheses.
func (d Descents) FirstOrder() *mat.Dense {
	cross := algebra.Product(d.Inputs, d.InputGrads.T())
	return d.checked(algebra.Scaled(-d.Step, algebra.Sum(cross, cross.T())))
}

// Shifts returns ΣD = −γΣ(HPᵀ + PHᵀ) + γ²ΣPPᵀ, n×n.
func (d Descents) Shifts() *mat.Dense {
	return algebra.Sum(algebra.Scaled(d.Step*d.Step, algebra.Product(d.InputGrads, d.InputGrads.T())), d.FirstOrder())
}

// Residuals returns ΣR = γ²Σ(HΓᵀΓHᵀ − PPᵀ), n×n.
func (d Descents) Residuals() *mat.Dense {
	n, _ := d.Inputs.Dims()
	sum := mat.NewDense(n, n, nil)
	d.each(func(h, g, p mat.Matrix) {
		var gh, square mat.Dense
		gh.Mul(g, h.T())
		square.Mul(gh.T(), &gh)
		sum.Add(sum, &square)
		square.Mul(p, p.T())
		sum.Sub(sum, &square)
	})
	sum.Scale(d.Step*d.Step, sum)
	return d.checked(sum)
}

// Sizes returns Σγ‖Γ‖‖H‖, which bounds how far the weights move, Σγ²‖Γ‖²‖H‖² and Σγ²‖Γ‖², in Frobenius norms at each
// step.
func (d Descents) Sizes() (moved, weights, virtual float64) {
	d.each(func(h, g, _ mat.Matrix) {
		gamma := math.Abs(d.Step) * mat.Norm(g, 2)
		by := gamma * mat.Norm(h, 2)
		moved, weights, virtual = moved+by, weights+by*by, virtual+gamma*gamma
	})
	return moved, weights, virtual
}

// each visits the steps.
func (d Descents) each(visit func(h, g, p mat.Matrix)) {
	if d.Valid() != nil {
		return
	}
	n, columns := d.Inputs.Dims()
	m, _ := d.PreGrads.Dims()
	batch := columns / d.Steps
	for at := 0; at < columns; at += batch {
		visit(d.Inputs.Slice(0, n, at, at+batch), d.PreGrads.Slice(0, m, at, at+batch), d.InputGrads.Slice(0, n, at,
			at+batch))
	}
}

// checked returns the sum, or NaN outside the hypotheses.
func (d Descents) checked(sum *mat.Dense) *mat.Dense {
	if d.Valid() != nil {
		return undefined(sum.RawMatrix().Cols)
	}
	return sum
}

// Accumulated describes the size of the sum of T residuals that all have the same direction.
type Accumulated struct {
	Steps           int
	Step            float64 // γ
	Residual, Shift float64 // ‖R‖/γ² and ‖D‖/γ
}

// Valid names the violated hypothesis.
func (a Accumulated) Valid() error {
	return cmp.Or(
		theory.Require(a.Steps >= 1 && a.Step > 0, "vcl: the number of steps and the step size must be positive"),
		theory.Require(a.Residual >= 0 && a.Shift > 0, "vcl: a residual must not be negative, and a shift must be positive"),
	)
}

// Time returns Tγ.
func (a Accumulated) Time() float64 {
	return theory.When(a.Valid() == nil, float64(a.Steps)*a.Step)
}

// Sum returns T‖R‖ = Tγ·γ·(‖R‖/γ²), of first order in γ at fixed time.
func (a Accumulated) Sum() float64 { return a.Time() * a.Step * a.Residual }

// Relative returns T‖R‖/(T‖D‖).
func (a Accumulated) Relative() float64 { return a.Sum() / (a.Time() * a.Shift) }

// Shift returns the virtual covariance shift D = c(H⁺H⁺ᵀ − HHᵀ), n×n, in the expanded form −γ'(HΓᵀW + WᵀΓHᵀ) +
// γ'²WᵀΓΓᵀW with γ' = bγ: the difference of two outer products loses a factor ‖h‖/(γ‖Wᵀg‖) of relative accuracy. All
// entries are NaN outside the hypotheses.
func (s LayerStep) Shift() *mat.Dense {
	if s.Valid() != nil {
		return undefined(s.W.RawMatrix().Cols)
	}
	p := algebra.Product(s.W.T(), s.PreGrads) // ∂loss/∂H
	cross, d := algebra.Product(s.Inputs, p.T()), algebra.Product(p, p.T())
	step, c := s.Step*s.Convention.Virtual, s.Convention.Covariance
	d.Apply(func(i, j int, square float64) float64 {
		return c * (step*step*square - step*(cross.At(i, j)+cross.At(j, i)))
	}, d)
	return d
}
