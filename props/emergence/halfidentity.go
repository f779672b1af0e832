package emergence

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// halfIdentity pairs the sharp form of Lemma 5 with the hinge gradient of networks, summed over every state of the
// hidden bits. γ comes from the law of the count alone, by the closed form.
var halfIdentity = props.Claim{
	Statement: &theory.HalfIdentity,
	Verify: []props.LegacyCheck{
		halfExactly(halfTrial{}),
		halfRounded(halfTrial{}),
		halfDimension(halfTrial{}),
		halfSaturation(halfTrial{}),
		halfGradient(halfTrial{}),
		halfGradientByHand(halfTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "background bits with probability 1/3", Assumption: "fair-background", Check: halfExactly(halfTrial{biased: true})},
		{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background", Check: halfExactly(halfTrial{copied: true})},
		{Name: "law that changes under complement", Assumption: "symmetric-law", Check: halfExactly(halfTrial{skewed: true})},
		{Name: "parity for even k", Assumption: "odd-label", Check: halfExactly(halfTrial{evenCount: true})},
		{Name: "label that rejects both s and k − s for one s", Assumption: "odd-label", Check: halfExactly(halfTrial{evenLabel: true})},
		{Name: "relevant bits with different covariances", Assumption: "equal-covariance", Check: halfExactly(halfTrial{unequal: true})},
		{Name: "bias of about half the largest pre-activation", Assumption: "no-bias", Check: halfExactly(halfTrial{bias: true})},
		{Name: "weights with pre-activations up to 2", Assumption: "unsaturated", Check: halfExactly(halfTrial{saturated: true})},
		{Name: "weights ±1, whose pre-activations can be 0", Assumption: "no-tie", Check: halfExactly(halfTrial{tied: true})},
		{Name: "no mirror neurons, output weights from 8 to 16", Assumption: "paired", Check: halfExactly(halfTrial{unpaired: true})},
		{Name: "uniform bits on A at the level of the structured law", Check: halfExactly(halfTrial{unstructured: true})},
		{Name: "gate that is always open, β = 1", Check: halfExactly(halfTrial{dose: 1})},
		{Name: "opposite sign", Check: halfExactly(halfTrial{dose: -2})},
		{Name: "background bits with probability 1/3, in floating point", Assumption: "fair-background", Check: halfRounded(halfTrial{biased: true})},
		{Name: "half of the bound on the departure", Check: halfSaturation(halfTrial{dose: 1})},
		{Name: "gradient without the indicator of the hinge", Assumption: "paired", Check: halfGradient(halfTrial{noIndicator: true})},
		{Name: "gradient without the input", Check: halfGradient(halfTrial{noInput: true})},
		{Name: "gradient without the upper cut of the gate", Check: halfGradient(halfTrial{noCut: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "indicator", Check: halfGradientByHand(halfTrial{noIndicator: true, noInput: true})},
		{Erratum: "scale", Check: halfDimension(halfTrial{printedScale: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the level on A, in rational arithmetic", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return halfExactly(halfTrial{dose: dose}) }},
		{Of: "the level on A, in floating point", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return halfRounded(halfTrial{dose: dose}) }},
		{Of: "the exponent of D at fixed γ", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return halfDimension(halfTrial{dose: dose}) }},
		{Of: "the bound on the departure", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return halfSaturation(halfTrial{dose: dose}) }},
	},
}

// halfTrial is the version of the claim on trial. The zero value is the claim itself.
type halfTrial struct {
	dose         float64 // the level times 1+dose; the exponent plus dose; the bound divided by 1+dose
	biased       bool    // p_o = 1/3
	copied       bool    // one background bit equals one relevant bit with probability 3/4
	skewed       bool    // pattern on A without the symmetry under complement
	evenCount    bool    // k = 2 or 4 and parity
	evenLabel    bool    // s and k − s both outside P for one s
	unequal      bool    // pattern on A without the symmetry that makes the covariances equal
	bias         bool    // b ≠ 0
	saturated    bool    // pre-activations up to 2
	tied         bool    // pre-activations that can be 0
	unpaired     bool    // no mirror neurons
	unstructured bool    // the claimed γ is that of the mixture, the data are uniform
	printedScale bool    // T of the order of γ, whatever D is
	noIndicator  bool    // gradient without 1{y g < 1}
	noInput      bool    // gradient without x
	noCut        bool    // gate 1{z > 0}
}

// gamma returns the claimed γ, from the law of the count.
func (v halfTrial) gamma(h data.Hidden) *big.Rat {
	if k := len(h.Support); v.unstructured {
		h = data.NewHidden(k, props.Indices(k), h.Accept, data.Mixture(k, 1, 1), data.Fair)
	}
	return theory.Counts{Probability: h.CountLaw(), Accept: h.Accept}.Covariance()
}

// halfExactly holds every component of the gradient against the claim, in rational arithmetic: for each neuron
// ∂L/∂vⱼ = −a·γ/2 on A and 0 outside. There is no tolerance.
func halfExactly(v halfTrial) props.LegacyCheck {
	return props.Property{
		Name:  "the gradient, in rational arithmetic",
		Cases: props.Scale{Quick: 25, Standard: 100, Deep: 5000},
		Prop: func(t *props.T) props.Ratio {
			h := drawHidden(t, v, 8)
			net := drawNet(t, v, h)
			level := theory.HalfLevel(v.gamma(h))
			level.Mul(level, new(big.Rat).SetFloat64(1+v.dose))
			t.Show("claimed σ̃T on A", level.RatString())
			equal := true
			for i, grad := range net.HingeGradient(h) {
				for j := range grad {
					claimed := new(big.Rat)
					if slices.Contains(h.Support, j) {
						claimed.Neg(claimed.Mul(net.A[i], level))
					}
					equal = equal && grad[j].Cmp(claimed) == 0
				}
				t.Show("∂L/∂v of one neuron", texts(grad))
			}
			return props.Truth(equal)
		},
	}.Check()
}

// halfRounded holds the gradient in the input's own space against −a·γ/(2σ̃)·Σ_{j∈A} Mⱼ, in floating point and within
// the rounding bound of the statement. Every second dictionary is not orthonormal.
func halfRounded(v halfTrial) props.LegacyCheck {
	return props.Property{
		Name:  "the gradient, through a dictionary",
		Cases: props.Scale{Quick: 25, Standard: 100, Deep: 5000},
		Prop: func(t *props.T) props.Ratio {
			h := drawHidden(t, v, 9)
			extra := rapid.IntRange(0, 3).Draw(t.T, "d−D")
			reach := rapid.Float64Range(0.05, 0.95).Draw(t.T, "largest pre-activation")
			oblique := rapid.Bool().Draw(t.T, "any dictionary")
			r := t.Stream("network")
			m := gen.Orthonormal(r, h.Dim+extra, h.Dim)
			if oblique {
				m = gen.Gaussian(r, h.Dim+extra, h.Dim, 0.5)
			}
			t.Show("M", m)
			f := firstStep(h, m, gen.Gaussian(r, 1, h.Dim+extra, 1), reach, r.NormFloat64())
			feature := theory.Feature{Covariance: float(v.gamma(h)), Deviation: math.Sqrt(float(h.Variance()))}
			claimed := mat.NewVecDense(h.Dim+extra, nil)
			for _, j := range h.Support {
				claimed.AddScaledVec(claimed, feature.Level()*(1+v.dose), m.ColView(j))
			}
			t.Show("ΣTⱼMⱼ", mat.Formatted(f.direction.T()))
			t.Show("claimed", mat.Formatted(claimed.T()))
			var gap mat.VecDense // and not in place: what was shown is printed later
			gap.SubVec(f.direction, claimed)
			return props.Within(mat.Norm(&gap, 2), f.rounding)
		},
	}.Check()
}
