// Package halfidentity pairs the exact special case of Lemma 5 with the hinge gradient of networks, summed over every
// state of the hidden bits. γ comes from the law of the count alone, by the closed form.
package halfidentity

import (
	"math"
	"math/big"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// Claim is emergence/halfidentity.
var Claim = props.Spec{
	Statement: &theory.HalfIdentity,
	Checks: []props.Check{
		props.Drawn[instance, levelClaim]{
			Replicates: 3,
			Name:       "the gradient in rational arithmetic",
			Cases:      props.Scale{Quick: 40, Standard: 300, Deep: 5000},
			Regimes:    []string{"k = 1", "k = 3", "k = 5", "k = D", "ties or saturation"},
			Draw:       drawInstance,
			Claim:      levelClaim{level: halfLevel, departure: 1},
			Judge:      judgeExactly,
			Controls: []props.Wrong[instance, levelClaim]{
				{Name: "background bits with probability 1/3", Assumption: "fair-background",
					Draw: symmetric(8).biased().on("narrow")},
				{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
					Draw: func(t *props.T) instance {
						l := symmetric(8)
						l.background = 1
						h := l.draw(t)
						tie(h)
						return newInstance(h, paired(drawNet(t, "plain", h)))
					}},
				{Name: "law that changes under complement", Assumption: "symmetric-law",
					Draw: symmetric(8).with(rotated).on("narrow")},
				{Name: "parity for even k", Assumption: "odd-label", Draw: symmetric(8).evenParity().on("plain")},
				{Name: "label that rejects both s and k − s for one s", Assumption: "odd-label",
					Draw: symmetric(8).labelled(func(r *rand.Rand, k int) []bool {
						accept := oddLabel(r, k)
						s := r.IntN(k + 1)
						accept[s], accept[k-s] = false, false
						return accept
					}).on("plain")},
				{Name: "relevant bits with different covariances", Assumption: "equal-covariance",
					Draw: symmetric(8).with(complemented).on("plain")},
				{Name: "bias of about half the largest pre-activation", Assumption: "no-bias",
					Draw: symmetric(8).on("bias")},
				{Name: "weights with pre-activations up to 2", Assumption: "unsaturated",
					Draw: symmetric(8).on("saturated")},
				{Name: "weights ±1, whose pre-activations can be 0", Assumption: "no-tie", Draw: symmetric(8).on("tied")},
				{Name: "no mirror neurons, output weights from 8 to 16", Assumption: "paired",
					Draw: func(t *props.T) instance {
						h := symmetric(8).draw(t)
						net, r := drawNet(t, "plain", h), t.Stream("outputs")
						for i := range net.A {
							net.A[i] = big.NewRat(8+r.Int64N(9), 1)
						}
						return newInstance(h, net)
					}},
				{Name: "uniform bits on A at the level of the structured law",
					Draw: symmetric(8).labelled(func(_ *rand.Rand, k int) []bool { return data.Parity(k) }).with(
						func(_ *rand.Rand, k int) []int64 { return data.Mixture(k, 1, 0) }).on("plain"),
					Instead: levelClaim{level: func(h data.Hidden) *big.Rat {
						k := len(h.Support)
						return halfLevel(data.NewHidden(k, props.Indices(k), h.Accept, data.Mixture(k, 1, 1), data.Fair))
					}}},
				{Name: "gate that is always open, β = 1", Criterion: "gradient", Claim: levelTimes(2)},
				{Name: "opposite sign", Criterion: "gradient", Claim: levelTimes(-1)},
				{Name: "no departure by ties or saturation beyond a tenth",
					Criterion: "departure by ties or saturation",
					Draw: func(t *props.T) instance {
						in := symmetric(8).on("saturated")(t)
						in.beyond = true
						return in
					},
					Instead: levelClaim{departure: 0.1}},
			},
		},
		props.Drawn[step, stepClaim]{
			Replicates: 3,
			Name:       "the gradient through a dictionary",
			Cases:      props.Scale{Quick: 40, Standard: 300, Deep: 5000},
			Regimes:    stepRegimes,
			Draw: func(t *props.T) step {
				h, extra := symmetric(9).draw(t), rapid.IntRange(0, 3).Draw(t.T, "d−D")
				beyond, common := rapid.Bool().Draw(t.T, "beyond saturation"), rapid.Bool().Draw(t.T, "γ = 1/2")
				return drawStep(t, h, extra, beyond, common)
			},
			Claim: stepClaim{level: theory.Feature.Level, departure: theory.Feature.Departure, on: 1, outside: 1},
			Judge: judgeStep,
			Controls: []props.Wrong[step, stepClaim]{
				{Name: "background bits with probability 1/3, in floating point", Assumption: "fair-background",
					Criterion: "gradient",
					Draw: func(t *props.T) step {
						h := symmetric(9).biased().draw(t)
						return drawStep(t, h, rapid.IntRange(0, 3).Draw(t.T, "d−D"), false, false)
					}},
				{Name: atDimNine, Criterion: "gradient", Reading: "scale",
					Draw: func(t *props.T) step { // of a law with another σ̃ than D = 9 has
						h := symmetric(8).draw(t)
						return drawStep(t, h, rapid.IntRange(0, 3).Draw(t.T, "d−D"), false, false)
					},
					Instead: stepClaim{level: func(f theory.Feature) float64 { f.Deviation = 1.5; return f.Level() }}},
				{Name: "γ in place of γ/(2σ̃)", Criterion: "gradient", As: atDimNine,
					Instead: stepClaim{level: func(f theory.Feature) float64 { return f.Covariance }}},
				{Name: halfBound, Criterion: "departure by saturation",
					Draw: func(t *props.T) step {
						h := symmetric(9).draw(t)
						return drawStep(t, h, rapid.IntRange(0, 3).Draw(t.T, "d−D"), true, true)
					},
					Instead: stepClaim{on: 0.5, outside: 0.5}},
				{Name: "three quarters of that bound outside A", Criterion: "departure by saturation",
					Draw: func(t *props.T) step {
						return attained(rapid.Float64Range(1.5, 6).Draw(t.T, "largest pre-activation"))
					},
					Instead: stepClaim{outside: 0.75}},
				{Name: "half of the departure when γ = 1/2", Criterion: "departure when γ = 1/2", As: halfBound,
					Instead: stepClaim{on: 2, outside: 2, departure: func(f theory.Feature, outside float64) float64 {
						return f.Departure(outside) / 2
					}}},
			},
		},
		props.Drawn[instance, derivativeClaim]{
			Replicates: 3,
			Name:       "the gradient against difference quotients",
			Cases:      props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Regimes:    []string{"plain", "bias", "saturated"},
			Draw: func(t *props.T) instance {
				kind := rapid.SampledFrom([]string{"plain", "bias", "saturated"}).Draw(t.T, "kind")
				alone := rapid.Bool().Draw(t.T, "no mirrors")
				return drawAny(t, kind, alone, big.NewRat(7, 2)) // large enough for the hinge to be inactive somewhere
			},
			Claim: derivativeClaim{adds: between, input: instance.input},
			Judge: judgeQuotient,
			Controls: []props.Wrong[instance, derivativeClaim]{
				{Name: "gradient without the indicator of the hinge", Assumption: "paired",
					Draw: func(t *props.T) instance { // inactive at most inputs with the right label
						return drawAny(t, "plain", true, big.NewRat(112, 1))
					}, Claim: withoutIndicator},
				{Name: "gradient without the indicator, one neuron on one bit", Reading: "indicator",
					Draw: props.Constant(byHand()), Claim: withoutIndicator},
				{Name: "gradient without the input",
					Instead: derivativeClaim{input: func(instance, int) *big.Rat { return big.NewRat(1, 1) }}},
				{Name: "gradient without the upper cut of the gate",
					Draw: func(t *props.T) instance {
						return drawAny(t, "saturated", rapid.Bool().Draw(t.T, "no mirrors"), big.NewRat(7, 2))
					},
					Instead: derivativeClaim{adds: func(z, margin *big.Rat) bool {
						return z.Sign() > 0 && margin.Cmp(big.NewRat(1, 1)) < 0
					}}},
				{Name: "gradient of twice the loss", Criterion: "implementation",
					Alter: func(in *instance) { in.computed = new(big.Rat).Add(in.computed, in.computed) }},
			},
		},
	},
	Along: &props.Along{
		Param: "D", From: 5, To: 13, Of: []string{"level"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"1", "3", "5"}}, Places: 9, Reps: 2,
	},
	Try: simulation,
}.Claim()

const (
	atDimNine = "level of D = 9 for every D"
	halfBound = "half of the bound on the departure"
)

// levelClaim is what is claimed: σ̃T on A, and the departure from it as a multiple of what ties and saturation allow.
type levelClaim struct {
	level     func(data.Hidden) *big.Rat
	departure float64
}

func halfLevel(h data.Hidden) *big.Rat {
	return theory.HalfLevel(theory.Counts{Probability: h.CountLaw(), Accept: h.Accept}.Covariance())
}

func levelTimes(factor int64) func(*levelClaim) {
	return func(c *levelClaim) {
		c.level = func(h data.Hidden) *big.Rat { return new(big.Rat).Mul(halfLevel(h), big.NewRat(factor, 1)) }
	}
}

// judgeExactly compares every component of the gradient with the claim, in rational arithmetic: for each neuron
// ∂L/∂vⱼ = −a·γ/2 on A and 0 outside. There is no tolerance.
func judgeExactly(r *props.Record, in instance, claim levelClaim) {
	h := in.law
	k := len(h.Support)
	r.RegimeOf(k > 1, k > 3, k == h.Dim, in.beyond)
	level := claim.level(h)
	r.Show("claimed σ̃T on A", level.RatString())
	relevant := rational.Indicator(h.Dim, h.Support)
	if in.beyond {
		judgeDeparture(r, in, level, claim.departure)
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
func judgeDeparture(r *props.Record, in instance, level *big.Rat, share float64) {
	relevant, land, one := rational.Indicator(in.law.Dim, in.law.Support), in.net.Over(in.law), big.NewRat(1, 1)
	for i, gradient := range in.net.HingeGradient(in.law) {
		outside := int64(0)
		for s, w := range in.law.Weight {
			if z := new(big.Rat).Abs(land.Pre[s][i]); z.Sign() == 0 || z.Cmp(one) >= 0 {
				outside += w
			}
		}
		bound := share * rational.Float(big.NewRat(outside, 4*in.law.Total()))
		for j, g := range gradient {
			gap := new(big.Rat).Quo(g, in.net.A[i])
			if gap.Neg(gap); relevant[j] == 1 {
				gap.Sub(gap, level)
			}
			r.AtMost("departure by ties or saturation", rational.Float(gap.Abs(gap)), bound, r.Unit())
		}
	}
}

// simulation takes the first gradient of a neuron with random weights over all 2^D inputs.
var simulation = &props.Simulation{
	Params: []statement.Param{
		{Name: "reach", Symbol: "max|z|", Meaning: "largest pre-activation; from 1 on the neuron saturates",
			Domain: statement.Between(1e-3, 100), Default: "0.9"},
	},
	Run: simulate,
}

// simulate reads γ off the law of the bits, T on A as the mean over A, and T outside as its largest size.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim, k, uniform := v.Int("D"), v.Int("k"), v.Float("uniform")
	t.Need(dim <= 14, "the dimension D=%d cannot be simulated: all 2^D inputs are visited, and D is at most 14 here", dim)
	t.Need(k <= dim && k%2 == 1, "k=%d cannot be simulated: k is odd and at most D=%d", k, dim)
	background := v.Float("background")
	t.Need(background == 0.5, "background=%g cannot be simulated: the bits outside A are fair", background)
	const shares = 1 << 20
	first := int64(math.Round(uniform * shares))
	h := data.NewHidden(dim, props.Indices(k), data.Parity(k), data.Mixture(k, first, shares-first), data.Fair)
	s := firstStep(t.Rand, h, dense.Identity(dim), v.Float("reach"))
	gamma, on, outside := 0.0, 0.0, 0.0
	for i, p := range s.P {
		gamma += p * s.Y[i] * s.X.At(i, 0) * s.Sigma
	}
	for j, relevant := range s.Relevant {
		level := -s.Gradient[j] / s.A
		on += relevant * level / float64(k)
		outside = max(outside, (1-relevant)*math.Abs(level))
	}
	return map[string]float64{"sigma": s.Sigma, "gamma": gamma, "level": on, "outside": outside}, nil
}
