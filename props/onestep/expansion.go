package onestep

import (
	"math"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// expansion pairs the polynomial expansion of the features with features of sampled networks: for the weights that the
// source displays, and for those after a step along the true gradient.
var expansion = props.Claim{
	Statement: &theory.Expansion,
	Verify: []props.LegacyCheck{
		powers(expansionTrial{}),
		trained(expansionTrial{}),
		outliers(expansionTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "one term less", Check: powers(expansionTrial{fewer: true})},
		{Name: "α above the interval", Assumption: "interval", Check: powers(expansionTrial{outside: true})},
		{Name: "cₖηᵏ without c₁ᵏ", Check: powers(expansionTrial{formula: withoutLinear})},
		{Name: "η for ηᵏ", Check: powers(expansionTrial{formula: plainStep})},
		{Name: "orthonormal Hermite coefficients", Check: powers(expansionTrial{formula: orthonormal})},
		{Name: "S_k without (2k−1)!!", Check: powers(expansionTrial{formula: plainMoments})},
		{Name: "a for a^∘k", Check: powers(expansionTrial{formula: plainOutput})},
		{Name: "true gradient taken for weights of rank one", Assumption: "weights", Check: trained(expansionTrial{printed: true})},
		{Name: "weights of rank one taken for the true gradient", Assumption: "weights", Check: trained(expansionTrial{displayed: true})},
		{Name: "s² without the noise of the labels", Check: trained(expansionTrial{noNoise: true})},
		{Name: "the step's own sample", Assumption: "fresh-sample", Check: trained(expansionTrial{reuse: true})},
		{Name: "an outlier for every k ≤ ℓ", Assumption: "nonzero", Check: outliers(expansionTrial{everyPower: true})},
		{Name: "α below the interval", Assumption: "interval", Check: outliers(expansionTrial{outside: true})},
		{Name: "an activation of mean one", Assumption: "centred", Check: outliers(expansionTrial{uncentred: true})},
		{Name: "left vectors against Xβ alone", Check: outliers(expansionTrial{firstOnly: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "true-gradient", Check: trained(expansionTrial{printed: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the strength of the next term", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return powers(expansionTrial{dose: dose}) }},
		{Of: "the exponent with ℓ−1 terms", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return powers(expansionTrial{exponentDose: dose}) }},
		{Of: "the constant s² of the second feature", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return trained(expansionTrial{dose: dose}) }},
		{Of: "the edge of the bulk", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return outliers(expansionTrial{dose: dose}) }},
	},
}

// expansionTrial is the version of the claim on trial. The zero value is the claim itself.
type expansionTrial struct {
	dose         float64 // the closed form times 1+dose
	exponentDose float64 // the claimed exponents plus dose

	fewer   bool    // F_ℓ has ℓ−1 terms
	outside bool    // α lies outside the interval of ℓ
	formula formula // how the coefficients are written

	printed   bool // the true gradient, with the features of the displayed weights
	displayed bool // the displayed weights, with the features of the true gradient
	noNoise   bool // s² has c⋆₁² in place of E y²
	reuse     bool // the features are taken on the sample of the step

	everyPower bool // counts every k ≤ ℓ, also those with cₖ = 0
	uncentred  bool // the activation has mean one
	firstOnly  bool // the left vectors lie along Xβ alone
}

// formula is a way to write the coefficient of u^k(a^∘k)ᵀ.
type formula int

const (
	asClaimed     formula = iota // c₁ᵏcₖηᵏ
	withoutLinear                // cₖηᵏ
	plainStep                    // c₁ᵏcₖη
	orthonormal                  // c₁ᵏcₖ√(k!) ηᵏ
	plainOutput                  // c₁ᵏcₖηᵏ, but for u^k aᵀ; the claim for u^k(a^∘k)ᵀ then is zero
	plainMoments                 // c₁ᵏcₖηᵏ, but S_k without (2k−1)!!
)

// coefficient is the coefficient of u^k(a^∘k)ᵀ that the trial claims for the displayed weights.
func (v expansionTrial) coefficient(f theory.Features, k int) float64 {
	claimed := f.Coefficient(k, k)
	switch v.formula {
	case withoutLinear:
		return claimed / math.Pow(f.Activation.Coefficient(1), float64(k))
	case plainStep:
		return claimed / math.Pow(f.Eta, float64(k-1))
	case orthonormal:
		return claimed * math.Sqrt(math.Gamma(float64(k+1)))
	case plainOutput:
		if k > 1 {
			return 0
		}
	}
	return claimed
}

// stepSize is η = κn^α.
func stepSize(kappa, alpha float64, n int) float64 { return kappa * math.Pow(float64(n), alpha) }
