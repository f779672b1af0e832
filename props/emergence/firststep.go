package emergence

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// firststep pairs the bounds of Lemma 5 with gradients over all inputs, and by convolution where there are too many.
var firststep = props.Spec{
	Statement: &theory.FirstStep,
	Checks: []props.Check{
		props.Drawn[firstGradient, firstClaim]{
			Name:       "the gradient over all inputs",
			Cases:      props.Scale{Quick: 80, Standard: 200, Deep: 5000},
			Replicates: 2,
			Regimes:    listed.kinds,
			Draw:       listed.draw,
			Claim:      theory.Gradient.Certificate,
			Judge:      judgeFirst,
			Proven:     firstProven,
			Declined:   firstDeclined,
			Controls: append(firstControls("over all inputs", listed, 1./8, 10),
				props.Wrong[firstGradient, firstClaim]{Name: "half of E|Δ|, over all inputs",
					Criterion: "bound outside A", Cases: 10, Claim: outsideTimes(1. / 2),
					Draw: func(t *props.T) firstGradient { return listed.drawTelling(t, []string{"hard gate"}, 1./32) }},
				props.Wrong[firstGradient, firstClaim]{Name: "nine tenths of the bound on A", Criterion: "bound on A",
					Claim: certified(func(_ theory.Gradient, c *theory.Certificate) { c.Epsilon *= 0.9 })},
				props.Wrong[firstGradient, firstClaim]{Name: "a background bit that tends to equal a relevant one",
					Assumption: "independent-background", Criterion: "identity outside A", Cases: 20, Draw: drawCopied},
				props.Wrong[firstGradient, firstClaim]{Name: "relevant bits of different covariances",
					Assumption: "equal-covariance", Criterion: "level without weight on A", Cases: 20, Draw: drawUnequal},
				props.Wrong[firstGradient, firstClaim]{Name: "one background bit of another probability",
					Assumption: "alike-background", Criterion: "identity outside A", Cases: 20, Draw: drawOddBit},
			),
		},
		props.Drawn[firstGradient, firstClaim]{
			Name:       "the gradient by convolution",
			Cases:      props.Scale{Quick: 10, Standard: 30, Deep: 500},
			Replicates: 2,
			Regimes:    convolved.kinds,
			Draw:       convolved.draw,
			Claim:      theory.Gradient.Certificate,
			Judge:      judgeFirst,
			Proven:     firstProven,
			Declined:   firstDeclined,
			Controls: append(firstControls("by convolution", convolved, 1./64, 2),
				props.Wrong[firstGradient, firstClaim]{Name: "a tenth of E|Δ|, by convolution",
					Criterion: "bound outside A", As: noCut + "by convolution", Cases: 2, Claim: outsideTimes(1. / 10)}),
		},
	},
	Along: &props.Along{
		Param: "D", From: 10, To: 100, Of: []string{"on", "outside"}, Y: "T on A, and largest |T| outside",
		Smooth: 1, Places: 10, Reps: 1,
	},
	Try: &props.Simulation{Run: convolve, Draw: drawMoments},
}.Claim()

// firstCriteria lists the criteria of the claim.
var firstCriteria = []string{"level without weight on A", "bound on A", "bound outside A", "closed form",
	"identity outside A"}

// firstProven says why the tolerances of the criteria cover every draw; firstDeclined says how often an input may be at
// a kink: its distance is uniform in a unit of the lattice, at least 2⁻¹⁰, and the rounding is below 10⁻¹⁰.
var (
	firstProven   = ofFirst("every rounding of both sides, inputs at a kink declined")
	firstDeclined = ofFirst(1e-6)
)

// ofFirst maps every criterion to the same value.
func ofFirst[V any](v V) map[string]V {
	out := map[string]V{}
	for _, name := range firstCriteria {
		out[name] = v
	}
	return out
}

// firstClaim returns the bounds and closed forms for the gradient of a neuron.
type firstClaim func(theory.Gradient) theory.Certificate

// certified claims the statement's certificate of a neuron, changed.
func certified(change func(theory.Gradient, *theory.Certificate)) func(*firstClaim) {
	return func(claim *firstClaim) {
		*claim = func(g theory.Gradient) theory.Certificate {
			c := g.Certificate()
			change(g, &c)
			return c
		}
	}
}

// outsideTimes multiplies the bound outside A, and leaves the identity as it is.
func outsideTimes(factor float64) func(*firstClaim) {
	return certified(func(_ theory.Gradient, c *theory.Certificate) { c.Share *= factor })
}

func alwaysOpen(_ theory.Gradient, c *theory.Certificate) { c.Beta = 1 }

const noCut = "upper cut left out of the claimed gate, "

// firstControls returns wrong forms of the claim that both checks reject; in most of their cases every bit outside A
// reveals the error.
func firstControls(how string, from firstDraws, unit float64, cases int) []props.Wrong[firstGradient, firstClaim] {
	telling, bare := noCut+how, "level γ/σ̃ without weight on A, "+how
	return []props.Wrong[firstGradient, firstClaim]{
		{Name: telling, Assumption: "own-gate", Criterion: "identity outside A", Cases: cases,
			Draw: func(t *props.T) firstGradient {
				return from.drawTelling(t, []string{"hard gate", "smooth gate"}, unit)
			},
			Instead: func(g theory.Gradient) theory.Certificate {
				g.Noise, g.Unit, g.Bias = g.Noise*1e-6, g.Unit*1e-6, g.Bias*1e-6 // the cut is then far away
				return g.Certificate()
			}},
		{Name: "p_o in place of p_o(1−p_o), " + how, Criterion: "identity outside A", As: telling, Cases: cases,
			Claim: certified(func(g theory.Gradient, c *theory.Certificate) {
				for j := range c.T {
					if !slices.Contains(g.Law.Support, j) {
						c.T[j] /= 1 - g.Law.Background
					}
				}
			})},
		{Name: "the label left out of the identity, " + how, Criterion: "identity outside A", As: telling, Cases: cases,
			Instead: func(g theory.Gradient) theory.Certificate {
				g.Law.Accept = slices.Repeat([]bool{true}, len(g.Law.Accept))
				return g.Certificate()
			}},
		{Name: "T on A of opposite sign, " + how, Criterion: "closed form", As: telling, Cases: cases,
			Claim: certified(func(g theory.Gradient, c *theory.Certificate) {
				for _, j := range g.Law.Support {
					c.T[j] = -c.T[j]
				}
			})},
		{Name: bare, Criterion: "level without weight on A", Cases: cases, Draw: from.drawBare,
			Claim: certified(alwaysOpen)},
		{Name: "level γ/σ̃, " + how, Criterion: "bound on A", As: bare, Cases: cases,
			Alter: func(in *firstGradient) { in.kind = "hard gate" }, Claim: certified(alwaysOpen)},
	}
}

func judgeFirst(r *props.Record, in firstGradient, claim firstClaim) {
	r.Regime(in.kind)
	c := claim(theory.Gradient{Law: theory.Bits{Dim: in.Dim, Support: in.Support, Accept: in.Accept, Pattern: in.Pattern,
		Background: in.Background}, Steps: in.Steps, Unit: in.Unit, Bias: in.Bias, Noise: in.Noise})
	r.Show("β, ε_A, γ, σ̃", []float64{c.Beta, c.Epsilon, c.Gamma, c.Sigma})
	if in.atKink(r) {
		return
	}
	rounding := in.rounding(r.Unit(), c.Sigma)
	sums := float64(in.inputs+2<<len(in.Support)) * r.Unit() / c.Sigma // of ε_A, and m
	relevant := rational.Indicator(in.Dim, in.Support)
	var outside, identity, on, closed []float64
	for j, t := range in.T {
		if relevant[j] == 1 {
			if in.kind == "no weight on A" { // ε_A = 0
				r.Within("level without weight on A", t, c.Level(), rounding)
			} else {
				r.AtMost("bound on A", math.Abs(t-c.Level()), c.Allowed(), rounding+sums)
			}
			on, closed = append(on, t), append(closed, c.T[j])
			continue
		}
		if in.kind == "gate closed by A" { // T = 0 everywhere
			continue
		}
		r.AtMost("bound outside A", math.Abs(t), c.Share*c.Change[j], rounding)
		outside, identity = append(outside, t), append(identity, c.T[j])
	}
	if in.kind == "gate closed by A" {
		return
	}
	r.WithinVector("closed form", on, closed, rounding*math.Sqrt(float64(len(on))))
	if len(outside) > 0 {
		r.WithinVector("identity outside A", outside, identity, rounding*math.Sqrt(float64(len(outside))))
	}
}

// atKink declines all criteria if rounding may put an input on either side of a kink. The kinks 0 and 1 are a multiple
// of the unit apart, so that the pre-activations have the same smallest distance from both. Both sides evaluate a
// pre-activation from means that err by 2ᵏ⁻¹u, in sums of D terms: it errs by at most (2D+2ᵏ+30)u times Σ|Steps|·Unit +
// |b| + 1.
func (in firstGradient) atKink(r *props.Record) bool {
	if in.Noise > 0 {
		return false
	}
	reach, at := 1+math.Abs(in.Bias), in.Bias/in.Unit
	for j, m := range in.wide().Mean() {
		reach, at = reach+math.Abs(float64(in.Steps[j]))*in.Unit, at-m*float64(in.Steps[j])
	}
	distance := math.Abs(at-math.Round(at)) * in.Unit
	needed := float64(2*in.Dim+1<<len(in.Support)+30) * r.Unit() * reach
	if distance >= needed {
		return false
	}
	for _, name := range firstCriteria {
		r.Declines(name, distance, needed)
	}
	return true
}

// rounding returns the bound of the statement. The terms below are in units of u/σ̃, to first order; Σp|φⱼ| ≤ 1/2 on A
// and 2p_o(1−p_o) outside.
//
// Over N inputs T is a sum of products of D − k factors: (N+D+4)/2, the means of A err by k and σ̃² by k² and D + 3 of
// it, which moves T by k + D/4 + 1 as |T| ≤ 2σ̃/k. The closed form is a sum over 2ᵏ patterns of sums over at most
// 2^(D−k) atoms, of 2D roundings each: half of them, with means that err by 2^(k−1), and σ̃ by the same in T. The level
// has γ, which errs by 2ᵏ⁺¹ + 2. Together 3N/4 + 2D + 3k/2 + 5·2ᵏ/2 + 8 ≤ N + 4D + 2ᵏ⁺¹ + 40 for 2ᵏ ≤ N, k ≤ 5; outside
// A it is less. The bound on A adds the errors of ε_A, of 2ᵏ + N/2ᵏ + 2D roundings, and of m and σ̃: N + 2ᵏ⁺¹ more.
//
// By convolution the sums have 12(D−k) + 1 atoms, which err by 2D. A bit of step s is taken out of the law of the sum
// by a recursion whose errors do not grow: 4D + 2 for an atom, as the probabilities of its chain add up to 1 at most.
// Times Σ|h(x+s) − h(x)| ≤ 2|s| ≤ 24 and p_o(1−p_o) ≤ 1/4 this is 24D + 12, and the sums of both sides err by 6D + 2ᵏ:
// N = 32D.
//
// With noise the values of ψ on both sides err by 12 together, and the argument by (2D+k+2^(k−1)+9)u·Σ|qⱼ|/σ̃ + 2u|b|,
// times sup|ψ′| ≤ 0.4/σ_ξ and 1/2.
func (in firstGradient) rounding(unit, sigma float64) float64 {
	reach := 0.0
	for _, s := range in.Steps {
		reach += math.Abs(float64(s)) * in.Unit
	}
	bound := float64(4*in.Dim+in.inputs+2<<len(in.Support)+40) * unit / sigma
	if in.Noise > 0 {
		bound += (12 + (float64(2*in.Dim+10)*reach+2*math.Abs(in.Bias))/in.Noise) * unit / sigma
	}
	return bound
}
