package onestep

import (
	"math"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// spike pairs the rank-one structure of the first gradient with gradients of sampled networks.
var spike = props.Claim{
	Statement: &theory.Spike,
	Verify: []props.LegacyCheck{
		gradientConstant(spikeTrial{}),
		remainders(spikeTrial{}),
		directions(spikeTrial{}),
		weights(spikeTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "literal output scaling", Assumption: "mean-field", Check: remainders(spikeTrial{seen: literal})},
		{Name: "β from another sample", Assumption: "same-sample", Check: remainders(spikeTrial{seen: foreign})},
		{Name: "spike of twice the length", Check: remainders(spikeTrial{seen: doubled})},
		{Name: "weights of rank one for the gradient", Check: remainders(spikeTrial{seen: rankOne})},
		{Name: "s² without the factor φ", Check: remainders(spikeTrial{noPhi: true})},
		{Name: "an even activation, c₁ = 0", Assumption: "slope-mean", Check: weights(spikeTrial{even: true})},
		{Name: "ψ and 1/ψ exchanged", Check: weights(spikeTrial{swapped: true})},
		{Name: "an outlier below the threshold as well", Check: weights(spikeTrial{below: true})},
		{Name: "a teacher without linear part", Assumption: "linear-part", Check: directions(spikeTrial{data: quadratic})},
		{Name: "samples with two variances", Assumption: "isotropic", Check: directions(spikeTrial{data: anisotropic})},
		{Name: "Cauchy noise on the labels", Assumption: "moments", Check: directions(spikeTrial{data: cauchy})},
		{Name: "b² without the term φ E y²", Check: directions(spikeTrial{noPhi: true})},
		{Name: "gradient of the loss without 1/2", Check: gradientConstant(spikeTrial{lossScale: func(n float64) float64 { return 1 / n }})},
	},
	Errata: []props.Refutation{
		{Erratum: "output-scale", Check: remainders(spikeTrial{seen: literal})},
		{Erratum: "small-in-norm", Check: remainders(spikeTrial{seen: frobenius})},
		{Erratum: "gradient-constant", Check: gradientConstant(spikeTrial{lossScale: func(float64) float64 { return 1 }})},
	},
	Resolve: []props.Resolution{
		{Of: "the exponent of ‖R‖_op", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return remainders(spikeTrial{exponentDose: dose}) }},
		{Of: "‖R‖_F²", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return remainders(spikeTrial{dose: dose}) }},
		{Of: "‖β‖²", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return directions(spikeTrial{dose: dose}) }},
		{Of: "cos(β, β⋆)", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return directions(spikeTrial{cosineDose: dose}) }},
		{Of: "the outlier of W₁", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return weights(spikeTrial{dose: dose}) }},
		{Of: "the constant of the gradient", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return gradientConstant(spikeTrial{dose: dose}) }},
	},
}

// spikeTrial is the version of the claim on trial. The zero value is the claim itself.
type spikeTrial struct {
	dose         float64 // the claimed limit times 1+dose
	cosineDose   float64 // the claimed cosine times 1+dose
	exponentDose float64 // the claimed exponent plus dose

	seen      seen                    // what is taken for the remainder
	noPhi     bool                    // the closed form forgets φ
	swapped   bool                    // the closed form exchanges ψ and 1/ψ
	data      data                    // how samples and labels are drawn
	even      bool                    // the activation is cos z − e^(−1/2)
	below     bool                    // the step size is half the threshold, and an outlier is claimed all the same
	lossScale func(n float64) float64 // the loss is lossScale(n)·‖y − f‖²; nil for 1/(2n)
}

// seen is what a trial takes for the remainder of the rank-one part.
type seen int

const (
	meanField seen = iota // G − c₁aβᵀ with the output N^(−1/2)aᵀσ
	literal               // the same with the output aᵀσ
	foreign               // G − c₁aβ′ᵀ with β′ from another sample
	doubled               // G − 2c₁aβᵀ
	rankOne               // nothing: the weights c₁aβᵀ are taken for the gradient
	frobenius             // the mean-field remainder, measured in Frobenius norm
)

// data is how samples and labels are drawn.
type data int

const (
	isotropic   data = iota
	quadratic        // y = (z²−1)/√2 + noise
	anisotropic      // the coordinates have variance 1.9 and 0.1 in turn
	cauchy           // the noise is Cauchy distributed, of the setup's scale
)

// spikeSetups lie on the same side of φ = 1 and ψ = 1, so that a closed form that forgets them is off the same way.
// The last has Gaussian rows, as on the slides.
func spikeSetups() map[string]setup {
	return map[string]setup{
		"phase-sine": phaseSine(0.5, 0.5, 0.7, 2, 0.8),
		"sincos":     phaseSine(0.4, 0.5, 0.5, math.Sqrt(2*math.E), math.Pi/4),
		"tanh":       {act: nn.Tanh, closed: hermite.Tanh(), phi: 0.4, psi: 0.5, noise: 1.5, gaussianRows: true},
	}
}

var (
	spikeNames = []string{"phase-sine", "sincos", "tanh"}
	spikeBy    = spikeSetups()
)

// evenSetup is a setup whose activation has no linear part.
func evenSetup() setup {
	s := spikeBy["phase-sine"]
	s.act = features.PhaseSine(2, math.Pi/2)
	return s
}
