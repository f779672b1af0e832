package linear

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Edge is the claim linear/edge.
var Edge = theory.Statement{
	Slug:  "linear/edge",
	Title: "Product of two weights: catapult, edge of stability and the orbit of period two",
	Plain: "For the product of two weight vectors, gradient steps change error and sharpness by exact formulas, which " +
		"also tell where large steps end.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Gradient descent with step h on ½(⟨x, y⟩ − m)² over x and y of k entries. e = ⟨x, y⟩ − m, S = ‖x‖² + " +
		"‖y‖², which is the sharpness at a minimum, and D = xxᵀ − yyᵀ.",
	Params: []theory.Param{
		{Name: "m", Symbol: "m", Meaning: "target", Domain: theory.Between(-1e6, 1e6), Default: "1"},
		{Name: "h", Symbol: "h", Meaning: "step size", Domain: theory.Inside(0, 1e6), Default: "0.2"},
		{Name: "p", Symbol: "⟨x, y⟩", Meaning: "product at the start", Domain: theory.Between(-1e6, 1e6), Default: "1.5"},
		{Name: "S", Symbol: "S", Meaning: "squared norm of both vectors", Domain: theory.Between(0, 1e6), Default: "9.25"},
		{Name: "x", Symbol: "x", Meaning: "first vector", Shape: "k"},
		{Name: "y", Symbol: "y", Meaning: "second vector", Shape: "k"},
		{Name: "x_next", Symbol: "x⁺", Meaning: "first vector after the step", Shape: "k"},
		{Name: "y_next", Symbol: "y⁺", Meaning: "second vector after the step", Shape: "k"},
	},
	Claim: "$e⁺ = e(1 − hS + h²e(e+m))$, $S⁺ = S(1 + h²e²) − 4he(e+m)$ and $D⁺ = (1 − h²e²)D$. If m = 0 then S never " +
		"rises and e tends to 0 where hS < 4, and S never falls where hS > 4. Gradient flow that ends at a minimum ends at " +
		"the sharpness φ = √(S² − 4(e+m)² + 4m²). A run in which e tends to 0 and never is 0 ends at hS ≤ 2, and one that " +
		"starts next to a minimum with D ≠ 0 and hS = 2(1+ε) at 2(1 − ε + O(ε²)). If hm > 1 then on x = y, for k = 1, is " +
		"an orbit of period two, ½(√(m+3/h) ± √(m−1/h)), with multiplier 9 − 2(1+hm)² along it.",
	TeX: `e^+ = e \left( 1 - hS + h^2 e (e+m) \right), \quad S^+ = S (1 + h^2 e^2) - 4 h e (e+m), \quad ` +
		`D^+ = (1 - h^2 e^2) D`,
	Assumptions: []theory.Assumption{
		{ID: "at-once", Text: "both vectors step from the old point"},
		{ID: "half", Text: "the loss carries the factor ½"},
		{ID: "zero-target", Text: "m = 0, for the threshold at hS = 4"},
	},
	Source: theory.Source{Paper: "After Lewkowycz et al., The large learning rate phase of deep learning, and Kreisler " +
		"et al., Gradient descent monotonically decreases the sharpness of gradient flow solutions", ArXiv: "2003.02218",
		Version: "abstract", Year: 2020, Locus: "derived here"},
	Deviations: "A network of width n in the NTK scaling, ⟨u, v⟩/√n with loss ½f² and step η, is this model with x = " +
		"u/n^(1/4), y = v/n^(1/4), h = η/√n: its thresholds 2 and 4 over the kernel are exact at every width.",
	Proof: "x⁺ = x − hey, y⁺ = y − hex, and expand. S² − 4⟨x, y⟩² = 2 tr D² − (tr D)² is kept by the flow and " +
		"multiplied by (1 − h²e²)² by a step. If m = 0, S⁺ − S = he²(hS − 4), so that below 4 the sum of he²(4 − hS) is " +
		"at most S₀ and e → 0. Near e = 0 the error is multiplied by 1 − hS, and a minimum with hS > 2 repels; a step may " +
		"still land on one, as x = 13/8, y = 1 do for h = 1, m = 0. The flow misses all minima where it starts at 0, or " +
		"at x = −y with m > 0 or x = y with m < 0, and ends at 0. With δ = " +
		"hφ − 2 a step changes log e² by 2δ and δ by −κe² to leading order, κ = h³(φ² − 4m²)/φ, so that δ² + κe² is " +
		"conserved and δ is reflected. On x = y a step is x(1 − h(x² − m)); the orbit has xx' = 1/h and x² + x'² = m + " +
		"1/h.",
	Tolerance: "On small integers and dyadic h there is none. Otherwise, with E = ‖x‖‖y‖ + |m|, a = ‖x‖ + hE‖y‖ and b " +
		"= ‖y‖ + hE‖x‖, each number is a sum of terms whose sizes add up to at most ab + |m|, or a² + b², and that meet " +
		"at most 6k + 20 roundings on both sides. Thresholds lie in brackets of bisection. The reflection and the end of " +
		"the flow are extrapolated from six halvings of ε or h by Neville's scheme, whose last correction is allowed. A " +
		"run stops at a small e, when hS is known to 5h|e|. Orbits are followed until they attract to rounding.",
	Limits: "k up to 5, and up to 64 for the threshold; only orbits that attract. The reflection is a leading-order " +
		"argument checked numerically, not a theorem. For m ≠ 0 the threshold is not 4, and no other is claimed.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := Product{Target: v.Float("m"), Step: v.Float("h"), Value: v.Float("p"), Sharpness: v.Float("S")}
		return []theory.Quantity{
			{Name: "error", Symbol: "e⁺", Value: s.NextError(), Meaning: "error after a step"},
			{Name: "sharpness", Symbol: "S⁺", Value: s.NextSharpness(), Meaning: "sharpness after a step"},
			{Name: "end", Symbol: "S_∞", Value: s.End(), Bound: "≤",
				Meaning: "sharpness where a run ends, if it converges and no step lands on a minimum"},
			{Name: "flow", Symbol: "φ", Value: s.FlowSharpness(), Meaning: "sharpness where gradient flow ends"},
		}
	},
	Violated: func(v theory.Values) error {
		return Product{Step: v.Float("h"), Value: v.Float("p"), Sharpness: v.Float("S")}.Valid()
	},
}

// Product is gradient descent on ½(⟨x, y⟩ − m)², seen through ⟨x, y⟩ and the sharpness ‖x‖² + ‖y‖².
type Product struct{ Target, Step, Value, Sharpness float64 }

// Valid names the violated hypothesis.
func (s Product) Valid() error {
	switch {
	case !(s.Step > 0) || math.IsNaN(s.Target):
		return errors.New("linear: need a positive step size and a target")
	case !(2*math.Abs(s.Value) <= s.Sharpness*(1+1e-12)): // beyond rounding
		return errors.New("linear: S is at least 2|⟨x, y⟩|")
	}
	return nil
}

// NextError returns e⁺.
func (s Product) NextError() float64 {
	e := s.Value - s.Target
	return s.or(e * (1 - s.Step*s.Sharpness + s.Step*s.Step*e*s.Value))
}

// NextSharpness returns S⁺.
func (s Product) NextSharpness() float64 {
	e := s.Value - s.Target
	return s.or(s.Sharpness*(1+s.Step*s.Step*e*e) - 4*s.Step*e*s.Value)
}

// Shrinkage returns 1 − h²e², by which a step multiplies D.
func (s Product) Shrinkage() float64 {
	e := s.Step * (s.Value - s.Target)
	return s.or((1 - e) * (1 + e))
}

// End returns 2/h, which the sharpness where a run converges does not exceed unless a step lands on a minimum; it
// returns S where the run stands still, and S⁺ where its first step lands on a minimum.
func (s Product) End() float64 {
	switch {
	case s.Value == s.Target:
		return s.or(s.Sharpness)
	case s.NextError() == 0:
		return s.NextSharpness()
	}
	return s.or(2 / s.Step)
}

// FlowSharpness returns the S where gradient flow ends: √(S² − 4⟨x, y⟩² + 4m²) at a minimum, and 0 at the saddle.
func (s Product) FlowSharpness() float64 {
	imbalance := max(0, (s.Sharpness-2*s.Value)*(s.Sharpness+2*s.Value))
	if imbalance == 0 && s.Target != 0 && (s.Value == 0 || (s.Value < 0) != (s.Target < 0)) {
		return s.or(0)
	}
	return s.or(math.Hypot(math.Sqrt(imbalance), 2*s.Target))
}

// Orbit returns the larger and the smaller point of the orbit of period two on x = y, and its multiplier; NaN unless hm
// > 1.
func (s Product) Orbit() (larger, smaller, multiplier float64) {
	hm := s.Step * s.Target
	if !(s.Step > 0 && hm > 1) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	larger = (math.Sqrt(s.Target+3/s.Step) + math.Sqrt(s.Target-1/s.Step)) / 2
	return larger, 1 / (s.Step * larger), 9 - 2*(1+hm)*(1+hm)
}

// or returns the value inside the hypotheses, and NaN outside.
func (s Product) or(value float64) float64 {
	return theory.When(s.Valid() == nil, value)
}
