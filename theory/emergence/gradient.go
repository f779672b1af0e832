package emergence

import (
	"math"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// GradientFormula is the claim emergence/gradient: the population gradient, and a gradient step.
var GradientFormula = theory.Statement{
	Slug:  "emergence/gradient",
	Title: "The population gradient with the hinge's indicator and the gate under noise, and a step along it",
	Plain: "With paired neurons, the first hinge-loss gradient is the mean of label times input, weighted by " +
		"each neuron's slope.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "g(x) = Σᵢ aᵢ σ_s(zᵢ), zᵢ = ⟨wᵢ,x⟩ + bᵢ, with σ_s(z) = E σ(z+ξ), ξ ~ N(0, s²), s > 0, σ(z) = min(1, " +
		"max(z, 0)); L = E max(0, 1 − y g(x)) over a finite law with no input at y g = 1. Φ and φ are the standard " +
		"normal distribution function and density. x = Mφ̄ with hidden φ̄ ∈ ℝ^D and a matrix M.",
	Params: []theory.Param{
		{Name: "z", Symbol: "z", Meaning: "pre-activation", Domain: theory.Real(), Default: "0.05"},
		{Name: "noise", Symbol: "s", Meaning: "standard deviation of the injected noise",
			Domain: &theory.Domain{Min: new(float64), OpenMin: true, Max: ptr(1000)}, Default: "0.1"},
		{Name: "step", Symbol: "η", Meaning: "size of a step", Domain: theory.Above(0), Default: "0.001"},
	},
	Claim: "$∂L/∂wᵢ = −aᵢ E[y 1{y g < 1} ψ(zᵢ) x]$, ∂L/∂bᵢ = −aᵢ E[y 1{y g < 1} ψ(zᵢ)], ∂L/∂aᵢ = −E[y 1{y g < 1} " +
		"σ_s(zᵢ)]; here σ_s(z) = ρ(z) − ρ(z−1) with ρ(z) = zΦ(z/s) + sφ(z/s), and $ψ(z) = Φ(z/s) − Φ((z−1)/s)$. If " +
		"the neurons come in pairs with equal weights and biases and opposite output weights, g = 0 on every input " +
		"and the indicator is 1. A step η on L + λ_w Σ‖wᵢ‖² turns wᵢ into (1−2ηλ_w)wᵢ − η∂L/∂wᵢ: with λ_w = 1/(2η) " +
		"only the gradient term is left. For x = Mφ̄ and q = Mᵀw, ∂L/∂w = M ∂L/∂q; and if MᵀM = 1, such steps on x " +
		"and on φ̄ give networks with the same outputs.",
	TeX: `\frac{\partial L}{\partial w_i} = -a_i \, E\left[ y \, 1\{y g < 1\} \, \psi(z_i) \, x \right], \quad ` +
		`\psi(z) = \Phi\left(\tfrac{z}{s}\right) - \Phi\left(\tfrac{z-1}{s}\right)`,
	Assumptions: []theory.Assumption{
		{ID: "inside", Text: "the average over the noise is taken inside the hinge"},
		{ID: "no-margin", Text: "no input lies at y g = 1",
			NoControl: "there the loss has no derivative to compare with"},
		{ID: "paired", Text: "for dropping the indicator: neurons come in pairs"},
		{ID: "forgetting", Text: "for w = −η∂L/∂w: λ_w = 1/(2η)"},
		{ID: "orthonormal", Text: "for equal outputs after steps: the columns of M are orthonormal"},
	},
	Source: paper.At("section 3, learning process, and the slides' gradient"),
	Deviations: "The slides print the gradient without the indicator, which is 1 in the first step because of the " +
		"paired initialisation. The derivative without noise is the claim emergence/halfidentity. The dimension d of the " +
		"input enters only through M.",
	Proof: "The chain rule; where y g ≠ 1 the hinge is smooth. ρ is E max(z+ξ, 0) by parts, ρ′ = Φ(z/s), and σ(z) = " +
		"max(z, 0) − max(z−1, 0). The gradient of λ‖w‖² is 2λw. g depends on w through Mᵀw; after a step that " +
		"forgets w⁺ = −ηM∂L/∂q, and Mᵀw⁺ = −ηMᵀM∂L/∂q.",
	Tolerance: "The loss is differentiated numerically: package derivative gives the difference quotient and a bound on " +
		"its error. σ_s is compared with an integral by Gauss–Legendre, whose error is below 10⁻²⁰, up to 200u(1+|z|+s). " +
		"Networks on x and φ̄ differ by the roundings of Mφ̄ and of at most N + 4d + 40 operations, which two steps " +
		"amplify by at most (1 + 1/s)² on weights and inputs of size 1: 100(N+4d+40)u(1+1/s)²(1+Σ|a|)².",
	Limits: "Laws of at most 6 bits and 6 neurons, noise from 0.1 to 1, two steps.",
	Predict: func(v theory.Values) []theory.Quantity {
		z, s, eta := v.Float("z"), v.Float("noise"), v.Float("step")
		return []theory.Quantity{
			{Name: "value", Symbol: "σ_s(z)", Value: Activation(z, s), Meaning: "activation averaged over the noise"},
			{Name: "slope", Symbol: "ψ(z)", Value: Gate(z, s), Meaning: "its derivative, the gate"},
			{Name: "penalty", Symbol: "1/(2η)", Value: 1 / (2 * eta), Meaning: "λ_w for which a step forgets the old weights"},
		}
	},
	RestsOn: []string{"emergence/halfidentity"},
}

// Activation returns σ_s(z) = ρ(z) − ρ(z−1), the average of min(1, max(z + ξ, 0)) over ξ ~ N(0, s²). Where both terms
// are large it uses σ_s(z) = 1 − σ_s(1−z). For large s they cancel, and the error is of the order su. It is NaN unless
// s > 0.
func Activation(z, s float64) float64 {
	if !(s > 0) {
		return math.NaN()
	}
	if z > 0.5 {
		return 1 - Activation(1-z, s)
	}
	rho := func(z float64) float64 {
		t := z / s
		return z*math.Erfc(-t/math.Sqrt2)/2 + s*math.Exp(-t*t/2)/math.Sqrt(2*math.Pi)
	}
	if z < -40*s { // at −∞ the product would be 0·∞
		return 0
	}
	return rho(z) - rho(z-1)
}

// Forgotten returns w after a step η with penalty λ_w: (1 − 2ηλ_w)w − η·gradient, entry by entry.
func Forgotten(w, gradient []float64, step, penalty float64) []float64 {
	if len(w) != len(gradient) {
		return nil
	}
	return list.Fill(len(w), func(j int) float64 { return (1-2*step*penalty)*w[j] - step*gradient[j] })
}
