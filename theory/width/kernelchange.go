package width

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// KernelChange is the claim width/kernelchange.
var KernelChange = theory.Statement{
	Slug:  "width/kernelchange",
	Title: "Change of the tangent kernel in one step: 1/n for smooth activations, 1/√n for the ReLU",
	Plain: "One gradient step changes the tangent kernel of a wide network by order 1/n in the width n, and by n^(−1/2) " +
		"for the ReLU.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "f = n^(−1/2) Σaⱼφ(uⱼ) at one training input of length one, with independent standard normal aⱼ and uⱼ = " +
		"wⱼ·x; Θ = (1/n)Σ(φ(uⱼ)² + aⱼ²φ′(uⱼ)²) is its tangent kernel. One gradient step of size η on a loss with the " +
		"derivative χ at f, with s = −ηχ held fixed: a⁺ = a + sφ(u)/√n and u⁺ = u + s aφ′(u)/√n. φₖ is the k-th " +
		"derivative, and E the mean over N(0, 1). A network of pairs has each (a, w) together with (−a, w).",
	Params: []theory.Param{
		{Name: "activation", Symbol: "φ", Meaning: "activation",
			Domain: theory.OneOf("tanh", "erf", "sine", "softplus", "relu"), Default: "tanh"},
		{Name: "s", Symbol: "s", Meaning: "−ηχ", Domain: theory.Between(-5, 5), Default: "1"},
		{Name: "n", Symbol: "n", Meaning: "width", Domain: theory.IntegerBetween(2, 1e6), Default: "1024"},
		{Name: "a", Symbol: "a", Meaning: "readout before the step", Shape: "n"},
		{Name: "b", Symbol: "b", Meaning: "first layer before the step", Shape: "n"},
		{Name: "f", Symbol: "f⁺", Meaning: "output after the step"},
		{Name: "theta", Symbol: "Θ⁺", Meaning: "tangent kernel after the step"},
	},
	Claim: "For φ smooth with bounded derivatives n(Θ⁺ − Θ) tends to $N(ms², vs²)$ and n(f⁺ − f − sΘ) to " +
		"$N(μs³, ws⁴)$, with $m = E[φ₁⁴ + 5φφ₁²φ₂ + 3φ₁²φ₂² + 3φ₁³φ₃ + φ²φ₁²]$, $v = E[16φ²φ₁⁴ + 48φφ₁⁴φ₂ + 60φ₁⁴φ₂²]$, " +
		"$μ = E[φφ₁²φ₂ + φ₁³φ₃]/2$ and $w = E[(15/4)φ₁⁴φ₂² + 3φφ₁⁴φ₂ + φ²φ₁⁴]$; in a network of pairs n(Θ⁺ − Θ) tends to " +
		"ms². For the ReLU $√n E(Θ⁺ − Θ) → −|s|/π$ and $√n E(f⁺ − f − sΘ) → −s|s|/2π$. For φ(z) = z every n has " +
		"$f⁺ = f + sΘ + s²f/n$ and $Θ⁺ = Θ + 4sf/n + s²Θ/n$.",
	TeX: `\mathcal{N}(m s^2, v s^2), \qquad \mathcal{N}(\mu s^3, w s^4), ` +
		`\qquad m = \mathbb{E}[\phi_1^4 + 5\phi\phi_1^2\phi_2 + 3\phi_1^2\phi_2^2 + 3\phi_1^3\phi_3 + \phi^2\phi_1^2], ` +
		`\qquad v = \mathbb{E}[16\phi^2\phi_1^4 + 48\phi\phi_1^4\phi_2 + 60\phi_1^4\phi_2^2], ` +
		`\qquad \mu = \tfrac12\mathbb{E}[\phi\phi_1^2\phi_2 + \phi_1^3\phi_3], ` +
		`\qquad w = \mathbb{E}[\tfrac{15}{4}\phi_1^4\phi_2^2 + 3\phi\phi_1^4\phi_2 + \phi^2\phi_1^4], ` +
		`\qquad \sqrt n\, \mathbb{E}(\Theta^+ - \Theta) \to -|s|/\pi, ` +
		`\qquad \sqrt n\, \mathbb{E}(f^+ - f - s\Theta) \to -s|s|/2\pi, ` +
		`\qquad f^+ = f + s\Theta + s^2 f/n, \qquad \Theta^+ = \Theta + 4sf/n + s^2\Theta/n`,
	Assumptions: []theory.Assumption{
		{ID: "smooth", Text: "φ has three bounded derivatives, except where the claim names the ReLU"},
		{ID: "both", Text: "the step moves both layers"},
		{ID: "scaled", Text: "the output has the factor n^(−1/2), and s does not depend on n"},
	},
	Source: theory.Source{Paper: "After J. Huang and H.-T. Yau, Dynamics of deep neural networks and neural tangent " +
		"hierarchy, and A. Lewkowycz et al., The large learning rate phase of deep learning", Version: "derived here",
		Year: 2019, Locus: "proof of theory/width.KernelChange"},
	Deviations: "The first source bounds the change by a constant over n; the constants, and those of the ReLU, are " +
		"derived here for one step on one sample.",
	Proof: "Θ is a mean over neurons of g(a, u) = φ² + a²φ₁², and a step is of size s/√n in each. Expanded to second " +
		"order, the first is odd in a, of mean zero: summed over n neurons it gives the fluctuation v, and pairs cancel " +
		"it; the mean of the second is m. Likewise for aφ(u). A ReLU neuron with u > 0 is switched off when u < −sa/√n, " +
		"with probability (s a)₋/√(2πn), and takes a² with it, or a half of sa²|u⁺| on the way: E|a|³ and E|a|³/2 times " +
		"|s|/2√(2π). For the identity the step is algebra.",
	Tolerance: "Means and variances of one neuron's change are integrals in a and u, without sampling, at six widths; " +
		"they are extrapolated in 1/n, or 1/√n, by Neville's scheme, whose last correction is allowed twice. Networks: " +
		"medians over batches, whose scatter is 10.4/√n per network of pairs (tanh), and a bias of 15/n.",
	Limits: "One step on one sample in two layers. |s| from 0.1 to 3. Means and variances are tested, for the ReLU only " +
		"means; that sums over neurons become normal is the central limit theorem. Away from the training point the kernel " +
		"of the ReLU changes less.",
	RestsOn: []string{"width/ntk"},
	Predict: func(v theory.Values) []theory.Quantity {
		k, n := OneStep{v.Choice("activation"), v.Float("s")}, v.Float("n")
		scale := n
		if k.Activation == "relu" {
			scale = math.Sqrt(n)
		}
		return theory.Limits("n → ∞", []theory.Quantity{
			{Name: "kernel", Symbol: "E Θ⁺ − Θ", Value: k.Kernel() / scale, Meaning: "mean change of the tangent kernel"},
			{Name: "output", Symbol: "E f⁺ − f − sΘ", Value: k.Output() / scale,
				Meaning: "mean change of the output beyond its linear part"},
		})
	},
}

// jets holds activations with their first three derivatives.
var jets = map[string]func(z float64) [4]float64{
	"tanh": func(z float64) [4]float64 {
		t := math.Tanh(z)
		d := (1 - t) * (1 + t)
		return [4]float64{t, d, -2 * t * d, d * (6*t*t - 2)}
	},
	"erf": func(z float64) [4]float64 {
		d := 2 / math.Sqrt(math.Pi) * math.Exp(-z*z)
		return [4]float64{math.Erf(z), d, -2 * z * d, d * (4*z*z - 2)}
	},
	"sine": func(z float64) [4]float64 {
		s, c := math.Sincos(z)
		return [4]float64{s, c, -s, -c}
	},
	"softplus": func(z float64) [4]float64 {
		p := 1 / (1 + math.Exp(-z))
		return [4]float64{math.Log1p(math.Exp(z)), p, p * (1 - p), p * (1 - p) * (1 - 2*p)}
	},
}

// OneStep is a step of size s with an activation: tanh, erf, sine, softplus, or relu.
type OneStep struct {
	Activation string
	Step       float64
}

// mean returns E of an expression in φ and its derivatives, or NaN for other activations.
func (k OneStep) mean(f func(p [4]float64) float64) float64 {
	jet := jets[k.Activation]
	if jet == nil {
		return math.NaN()
	}
	return hermite.Expectation(func(z float64) float64 { return f(jet(z)) })
}

// Kernel returns the limit of n E(Θ⁺ − Θ), or for the ReLU of √n times it.
func (k OneStep) Kernel() float64 {
	if k.Activation == "relu" {
		return -math.Abs(k.Step) / math.Pi
	}
	return k.Step * k.Step * k.mean(func(p [4]float64) float64 {
		return p[1] * p[1] * (p[1]*p[1] + 5*p[0]*p[2] + 3*p[2]*p[2] + 3*p[1]*p[3] + p[0]*p[0])
	})
}

// KernelVariance returns the limit of the variance of n(Θ⁺ − Θ), NaN for the ReLU.
func (k OneStep) KernelVariance() float64 {
	return k.Step * k.Step * k.mean(func(p [4]float64) float64 {
		return math.Pow(p[1], 4) * (16*p[0]*p[0] + 48*p[0]*p[2] + 60*p[2]*p[2])
	})
}

// Output returns the limit of n E(f⁺ − f − sΘ), or for the ReLU of √n times it.
func (k OneStep) Output() float64 {
	if k.Activation == "relu" {
		return -k.Step * math.Abs(k.Step) / (2 * math.Pi)
	}
	return math.Pow(k.Step, 3) / 2 * k.mean(func(p [4]float64) float64 {
		return p[1] * p[1] * (p[0]*p[2] + p[1]*p[3])
	})
}

// OutputVariance returns the limit of the variance of n(f⁺ − f − sΘ), NaN for the ReLU.
func (k OneStep) OutputVariance() float64 {
	return math.Pow(k.Step, 4) * k.mean(func(p [4]float64) float64 {
		return math.Pow(p[1], 4) * (3.75*p[2]*p[2] + 3*p[0]*p[2] + p[0]*p[0])
	})
}

// Catapult is a network with the identity for its activation.
type Catapult struct {
	Width         int
	Output, Theta float64 // f, Θ
}

// Valid names the violated hypothesis.
func (c Catapult) Valid() error {
	if c.Width < 1 || !(2*math.Abs(c.Output) <= (1+1e-9)*math.Sqrt(float64(c.Width))*c.Theta) {
		return errors.New("width: need at least one neuron, and 2|f| ≤ √n Θ") // as 2|ab| ≤ a² + b²
	}
	return nil
}

// Next returns f⁺ and Θ⁺ after a step with −ηχ = s.
func (c Catapult) Next(s float64) (output, theta float64) {
	if c.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	n := float64(c.Width)
	return c.Output + s*c.Theta + s*s*c.Output/n, c.Theta + 4*s*c.Output/n + s*s*c.Theta/n
}
