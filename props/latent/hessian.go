package latent

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// hessian pairs Lemma 4 with population gradients of single neurons, integrated over half-spaces.
var hessian = props.Claim{
	Statement: &theory.Hessian,
	Verify: []props.LegacyCheck{
		hessianIdentity(hessianTrial{}),
		hessianFrame(hessianTrial{}),
		hessianMean(hessianTrial{}),
		hessianDimension(hessianTrial{}),
		hessianDirections(hessianTrial{}),
		hessianDominance(hessianTrial{}),
		hessianGap(hessianTrial{}),
		hessianEnvelope(hessianTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "linear part kept, exact remainder", Assumption: "centred", Check: hessianIdentity(hessianTrial{keepLinear: true})},
		{Name: "linear part kept", Assumption: "centred", Check: hessianDimension(hessianTrial{target: withLinear})},
		{Name: "bias 1, exact remainder", Assumption: "no-bias", Check: hessianIdentity(hessianTrial{setting: biased})},
		{Name: "bias 1", Assumption: "no-bias", Check: hessianDimension(hessianTrial{setting: biased})},
		{Name: "a neuron without its partner", Assumption: "paired", Check: hessianDimension(hessianTrial{setting: unpaired})},
		{Name: "loss with ½", Check: hessianIdentity(hessianTrial{halved: true})},
		{Name: "remainder by its leading term alone", Check: hessianIdentity(hessianTrial{shortened: true})},
		{Name: "target twice as large, exact lengths", Assumption: "normalised", Check: hessianFrame(hessianTrial{target: doubled})},
		{Name: "target twice as large", Assumption: "normalised", Check: hessianMean(hessianTrial{target: doubled})},
		{Name: "Hessian without trace, constant", Assumption: "one-signed", Check: hessianMean(hessianTrial{target: alternating})},
		{Name: "Hessian without trace, growth with r", Assumption: "one-signed", Check: hessianDirections(hessianTrial{target: alternating})},
		{Name: "H = 0, order of the remainder", Assumption: "rank", Check: hessianDimension(hessianTrial{target: quartic})},
		{Name: "H = 0, gradient all remainder", Assumption: "rank", Check: hessianDominance(hessianTrial{target: quartic})},
		{Name: "H of rank 1 for two directions", Assumption: "rank", Check: hessianGap(hessianTrial{target: deficient})},
		{Name: "neurons along the axes", Assumption: "uniform", Check: hessianEnvelope(hessianTrial{axes: true})},
		{Name: "bound without logarithm", Check: hessianEnvelope(hessianTrial{constant: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "unit-weights", Check: hessianMean(hessianTrial{literal: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the exact remainder", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return hessianIdentity(hessianTrial{dose: dose}) }},
		{Of: "the constant 1/√π, over a basis", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return hessianFrame(hessianTrial{dose: dose}) }},
		{Of: "the constant 1/√π, over random neurons", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return hessianMean(hessianTrial{dose: dose}) }},
		{Of: "the exponent of d", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return hessianDimension(hessianTrial{dose: dose}) }},
		{Of: "the exponent of r", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return hessianDirections(hessianTrial{dose: dose}) }},
		{Of: "the exponent of the gap", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return hessianGap(hessianTrial{dose: dose}) }},
		{Of: "the envelope, taken smaller", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return hessianEnvelope(hessianTrial{dose: dose}) }},
	},
}

// hessianTrial is the version of the claim on trial. The zero value is the claim itself.
type hessianTrial struct {
	dose       float64    // constants times 1+dose, exponents plus dose, the envelope divided by 1+dose
	target     targetName // in place of the isotropic one
	setting    setting    // of the network
	literal    bool       // Hw with w ~ N(0, I/d) in place of Hŵ
	keepLinear bool       // C₁ ≠ 0
	halved     bool       // the gradient is claimed for ½E(f_θ − f)²
	shortened  bool       // R is claimed to be a(ŵᵀHŵ)ŵ/√(2π)
	axes       bool       // every neuron looks along a coordinate axis
	constant   bool       // the envelope of one neuron is claimed for any number
}

// hessianIdentity holds the gradient minus its leading part against the exact remainder, for random centred targets,
// random neurons of any length, and both signs of a. Degrees go up to 6, where the remainder has five terms.
func hessianIdentity(v hessianTrial) props.LegacyCheck {
	return props.Property{
		Name:  "exact remainder",
		Cases: props.Scale{Quick: 100, Standard: 600, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			d := gen.Dim(t.T, "d", 5)
			degree, from := rapid.IntRange(2, 6).Draw(t.T, "p"), 2
			if v.keepLinear {
				from = 1
			}
			in := instance{target: drawTarget(t, min(d, 3), from, degree), w: drawWeights(t, d)}
			in.f = monomials(in.target)
			neuron := population.Neuron{A: float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign") - 1), W: in.w}
			if v.setting == biased {
				neuron.B = 1
			}
			in.b = neuron.B
			obtained, claimed := neuron.Gradient(in.f), v.claimed(in, neuron.A)
			in.show(t)
			t.Show("a", neuron.A)
			t.Show("gradient", obtained)
			t.Show("claimed gradient", claimed)
			// Three sums of the series' size: the gradient, its leading part and the remainder, each times |2a|.
			return props.Within(norm(plus(obtained, -1, claimed)), 2*math.Abs(neuron.A)*(in.rounding()+2*in.series().Rounding()))
		},
	}.Check()
}

// claimed returns leading part plus remainder of the version on trial.
func (v hessianTrial) claimed(in instance, a float64) []float64 {
	direction := scaled(in.w, 1/norm(in.w))
	var centred theory.Target
	for _, t := range in.target {
		if t.Degree() >= 2 {
			centred = append(centred, t)
		}
	}
	remainder := theory.Remainder(centred, a, direction)
	if v.shortened {
		remainder = scaled(direction, a*centred.Form(2, direction)/math.Sqrt(2*math.Pi))
	}
	g := plus(theory.Leading(centred, a, direction), 1+v.dose, remainder)
	if v.halved {
		g = scaled(g, 0.5)
	}
	return g
}
