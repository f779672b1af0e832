// Package halfidentity pairs the exact slice of Lemma 5 with the hinge gradient of networks, summed over every state
// of the hidden bits. γ comes from the law of the count alone, by the closed form.
package halfidentity

import (
	"math/big"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// Claim is emergence/halfidentity.
var Claim = props.Spec{
	Statement: &theory.HalfIdentity,
	Checks: []props.Check{
		props.Instances[instance]{
			Replicates: 3,
			Name:       "the gradient in rational arithmetic",
			Cases:      props.Scale{Quick: 40, Standard: 300, Deep: 5000},
			Regimes:    []string{"k = 1", "k = 3", "k = 5", "k = D", "ties or saturation"},
			Draw:       func(t *props.T, done string) instance { return drawInstance(t, done, 8) },
			Judge:      judgeExactly,
			Controls: []props.Control{
				{Name: "background bits with probability 1/3", Assumption: "fair-background", Done: "biased"},
				{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
					Done: "copied"},
				{Name: "law that changes under complement", Assumption: "symmetric-law", Done: "skewed"},
				{Name: "parity for even k", Assumption: "odd-label", Done: "even count"},
				{Name: "label that rejects both s and k − s for one s", Assumption: "odd-label", Done: "even label"},
				{Name: "relevant bits with different covariances", Assumption: "equal-covariance", Done: "unequal"},
				{Name: "bias of about half the largest pre-activation", Assumption: "no-bias", Done: "bias"},
				{Name: "weights with pre-activations up to 2", Assumption: "unsaturated", Done: "saturated"},
				{Name: "weights ±1, whose pre-activations can be 0", Assumption: "no-tie", Done: "tied"},
				{Name: "no mirror neurons, output weights from 8 to 16", Assumption: "paired", Done: "unpaired"},
				{Name: "uniform bits on A at the level of the structured law", Done: "unstructured",
					Claimed: "structured"},
				{Name: "gate that is always open, β = 1", Criterion: "gradient", Claimed: "open gate"},
				{Name: "opposite sign", Criterion: "gradient", Claimed: "opposite sign"},
				{Name: "no departure by ties or saturation beyond a tenth",
					Criterion: "departure by ties or saturation",
					Done:      "beyond", Claimed: "tenth"},
			},
		},
		props.Instances[step]{
			Replicates: 3,
			Name:       "the gradient through a dictionary",
			Cases:      props.Scale{Quick: 40, Standard: 300, Deep: 5000},
			Regimes:    stepRegimes,
			Draw:       drawStep,
			Judge:      judgeStep,
			Controls: []props.Control{
				{Name: "background bits with probability 1/3, in floating point", Assumption: "fair-background",
					Criterion: "gradient", Done: "biased"},
				{Name: "level of D = 9 for every D", Criterion: "gradient", Done: "within",
					Claimed: "whatever D", Reading: "scale"},
				{Name: "γ in place of γ/(2σ̃)", Criterion: "gradient", Done: "within", Claimed: "level γ"},
				{Name: "half of the bound on the departure", Criterion: "departure by saturation",
					Done: "beyond", Claimed: "half the bound"},
				{Name: "three quarters of that bound outside A", Criterion: "departure by saturation",
					Done: "attained outside A", Claimed: "three quarters outside A"},
				{Name: "half of the departure when γ = 1/2", Criterion: "departure when γ = 1/2",
					Done: "beyond", Claimed: "half the departure"},
			},
		},
		props.Instances[instance]{
			Replicates: 3,
			Name:       "the gradient against difference quotients",
			Cases:      props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Regimes:    []string{"plain", "bias", "saturated"},
			Draw:       drawAny,
			Judge:      judgeQuotient,
			Controls: []props.Control{
				{Name: "gradient without the indicator of the hinge", Assumption: "paired", Done: "large outputs",
					Claimed: "no indicator"},
				{Name: "gradient without the indicator, one neuron on one bit", Done: "by hand",
					Claimed: "no indicator",
					Reading: "indicator"},
				{Name: "gradient without the input", Claimed: "no input"},
				{Name: "gradient without the upper cut of the gate", Done: "saturated", Claimed: "no cut"},
				{Name: "gradient of twice the loss", Criterion: "implementation", Claimed: "twice"},
			},
		},
	},
	Along: &props.Along{
		Param: "D", From: 5, To: 13, Of: []string{"level"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"1", "3", "5"}}, Places: 9, Reps: 2,
	},
	Try: simulation,
}.Claim()

// judgeExactly compares every component of the gradient with the claim, in rational arithmetic: for each neuron
// ∂L/∂vⱼ = −a·γ/2 on A and 0 outside. There is no tolerance.
func judgeExactly(r *props.Record, in instance, claimed string) {
	h := in.law
	r.Regime(regimeOf(h))
	counts := theory.Counts{Probability: h.CountLaw(), Accept: h.Accept}
	if k := len(h.Support); claimed == "structured" {
		counts.Probability = data.NewHidden(k, props.Indices(k), h.Accept, data.Mixture(k, 1, 1), data.Fair).CountLaw()
	}
	level := theory.HalfLevel(counts.Covariance())
	switch claimed {
	case "open gate":
		level.Mul(level, big.NewRat(2, 1))
	case "opposite sign":
		level.Neg(level)
	}
	r.Show("claimed σ̃T on A", level.RatString())
	relevant := rational.Indicator(h.Dim, h.Support)
	if in.beyond {
		r.Regime("ties or saturation")
		judgeDeparture(r, in, level, claimed)
		return
	}
	for i, gradient := range in.net.HingeGradient(h) {
		want := make([]*big.Rat, h.Dim)
		for j := range want {
			want[j] = new(big.Rat)
			if relevant[j] == 1 {
				want[j].Neg(want[j].Mul(in.net.A[i], level))
			}
		}
		r.Show("∂L/∂v of one neuron", rational.Texts(gradient))
		rational.Exactly(r, "gradient", gradient, want)
	}
}

// judgeDeparture compares |σ̃Tⱼ − level| with Pr[z = 0 or |z| ≥ 1]/4, in rational arithmetic.
func judgeDeparture(r *props.Record, in instance, level *big.Rat, claimed string) {
	relevant, land, one := rational.Indicator(in.law.Dim, in.law.Support), in.net.Over(in.law), big.NewRat(1, 1)
	for i, gradient := range in.net.HingeGradient(in.law) {
		outside := int64(0)
		for s, w := range in.law.Weight {
			if z := new(big.Rat).Abs(land.Pre[s][i]); z.Sign() == 0 || z.Cmp(one) >= 0 {
				outside += w
			}
		}
		bound := rational.Float(big.NewRat(outside, 4*in.law.Total()))
		if claimed == "tenth" {
			bound /= 10
		}
		for j, g := range gradient {
			gap := new(big.Rat).Quo(g, in.net.A[i])
			if gap.Neg(gap); relevant[j] == 1 {
				gap.Sub(gap, level)
			}
			r.AtMost("departure by ties or saturation", rational.Float(gap.Abs(gap)), bound, r.Unit())
		}
	}
}

func regimeOf(h data.Hidden) string {
	switch k := len(h.Support); {
	case k == h.Dim:
		return "k = D"
	case k == 1:
		return "k = 1"
	case k <= 3:
		return "k = 3"
	}
	return "k = 5"
}
