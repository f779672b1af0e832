package width

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// MeanField is the claim width/meanfield: one step of n particles compared with one step of their law.
var MeanField = theory.Statement{
	Slug:  "width/meanfield",
	Title: "One step of n particles: distance to the mean-field step, and fluctuations of the output",
	Plain: "After one step of a mean-field network, particles stay close to independent copies, yet their small " +
		"correlations change the output's variance.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "f = (1/n)Σ aⱼφ(wⱼ·x), aⱼ and entries of wⱼ independent N(0, 1), one input with |x| = 1 and label y, and " +
		"one step of rate ηn on ½(f − y)²: each particle θⱼ = (aⱼ, wⱼ) moves by ηρ∇(aⱼφ(wⱼ·x)), ρ = y − f. Its copy makes " +
		"the same step with ρ = y, the residual of n → ∞.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "width", Domain: theory.IntegerBetween(1, 1e6), Default: "10"},
		{Name: "step", Symbol: "η", Meaning: "step size", Domain: theory.Between(0, 100), Default: "0.5"},
		{Name: "y", Symbol: "y", Meaning: "label", Domain: theory.Between(-100, 100), Default: "1"},
		{Name: "activation", Symbol: "φ", Meaning: "activation, for the distance to the copy",
			Domain: theory.OneOf("linear", "relu", "tanh"), Default: "linear"},
		{Name: "a", Symbol: "a", Meaning: "output weights before the step", Shape: "n"},
		{Name: "w", Symbol: "w·x", Meaning: "pre-activations before the step", Shape: "n"},
		{Name: "f", Symbol: "f⁺", Meaning: "output after the step", Domain: theory.Real(), Default: "0"},
	},
	Claim: "E|θⱼ⁺ − copy|² = (η²/n²)((n−1) E φ² (E φ² + E φ′²) + E φ⁴ + 3 E φ²φ′²), φ at N(0, 1): of order 1/n. If φ " +
		"is linear, $f⁺ = f(1 + η²ρ²) + ηρ s$ with s the mean of aⱼ² + (wⱼ·x)², E f⁺ = 2ηy − 2η²y/n, and $n Var f⁺ → (1 − " +
		"2η + η²y²)² + 4η²y²$, with an exact value at every n. Independent particles would have $(1 + η²y²)² + 4η²y²$.",
	TeX: `f^+ = f (1 + \eta^2 \rho^2) + \eta \rho s, \qquad n \operatorname{Var} f^+ \to (1 - 2\eta + \eta^2 y^2)^2 + ` +
		`4 \eta^2 y^2, \qquad (1 + \eta^2 y^2)^2 + 4 \eta^2 y^2`,
	Assumptions: []theory.Assumption{
		{ID: "mean", Text: "the output is a mean over particles"},
		{ID: "rate", Text: "the rate is ηn, so that a particle moves by order 1"},
		{ID: "independent", Text: "the particles are independent at the start"},
		{ID: "joint", Text: "a and w are trained together"},
	},
	Source: theory.Source{Paper: "After Mei, Montanari, Nguyen; Chizat, Bach: mean-field limits of two-layer networks",
		Version: "recalled", Year: 2018, Locus: "proof of theory/width.MeanField"},
	Deviations: "Their theorems bound a whole path; this is one step with its constants.",
	Proof: "A particle's distance to its copy is ηf|∇(aⱼφ)|, and f² is a sum over pairs of particles, of which those " +
		"that are not j and not alike vanish. If φ is linear, (a+ηρw)(w+ηρa) = aw(1+η²ρ²) + ηρ(a²+w²). With (a±w)/√2 one " +
		"has f = (A−B)/2n and s = (A+B)/n, A and B independent χ²(n), whose moments up to the sixth give the variance. " +
		"All particles share ρ: Cov(p₁⁺, p₂⁺) = (4η² − 4η(1+η²y²))/n + O(n⁻²) is small, but there are n² pairs, and Var " +
		"f⁺ is of order 1/n.",
	Tolerance: "The identity: sums of n terms and of inputs, 8 operations. Moments are exact at every n: integrals over " +
		"A and B round as sums of 10⁴ terms; draws are means over many networks, and their medians are a sixth of scatter " +
		"times skewness from 1.",
	Limits: "One step, one input. The distance is checked only on drawn networks, of widths 4 and 12, with one η for " +
		"each φ, from ¼ to 1. Drift averaged over data, and later steps, are not tried.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := ParticleStep{v.Int("n"), v.Float("step"), v.Float("y")}
		return []theory.Quantity{
			{Name: "mean", Symbol: "E f⁺", Value: s.Mean(), Meaning: "mean output after the step, if φ is linear"},
			{Name: "variance", Symbol: "Var f⁺", Value: s.Variance(), Meaning: "its variance", Nonnegative: true},
			{Name: "independent", Symbol: "", Value: s.Independent(), Bound: "independent particles",
				Meaning: "leading variance if particles were independent", Nonnegative: true},
			{Name: "distance", Symbol: "E|θ⁺ − copy|²", Value: s.Distance(v.Choice("activation")), Nonnegative: true,
				Meaning: "mean squared distance of a particle to its copy"},
		}
	},
}

// ParticleStep is one step of N particles.
type ParticleStep struct {
	N           int
	Step, Label float64 // η, y
}

// Valid names the violated hypothesis.
func (s ParticleStep) Valid() error {
	return theory.Require(s.N >= 1 && s.Step >= 0 && !math.IsNaN(s.Label),
		"width: need n ≥ 1, a step size that is not negative, and a label")
}

// Output returns f⁺ = f(1+η²ρ²) + ηρs of linear particles with output f and mean square norm s.
func (s ParticleStep) Output(f, norm float64) float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	move := s.Step * (s.Label - f)
	return f*(1+move*move) + move*norm
}

// Mean returns E f⁺ = 2ηy(1 − η/n) of linear particles.
func (s ParticleStep) Mean() float64 {
	return theory.When(s.Valid() == nil, 2*s.Step*s.Label*(1-s.Step/float64(s.N)))
}

// Variance returns Var f⁺ of linear particles: with S = s − 2, f⁺ − 2ηy = cf + ηyS − 2η²yf² − ηfS + η²f³, c =
// 1−2η+η²y².
func (s ParticleStep) Variance() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	n, e, ey2 := float64(s.N), s.Step, s.Step*s.Step*s.Label*s.Label
	c := 1 - 2*e + ey2
	f2s := 4 / (n * n)                                // E f²S; E f² = 1/n, E S² = 4/n
	f4 := (3 + 6/n) / (n * n)                         // E f⁴
	f2s2, f4s := (4+24/n)/(n*n), (24+48/n)/(n*n*n)    // E f²S², E f⁴S
	f6 := (15 + 90/n + 120/(n*n)) / (n * n * n)       // E f⁶
	squares := (c*c+4*ey2)/n + 4*e*e*ey2*(f4-1/(n*n)) // of the even terms in f, less the squared mean
	return squares + e*e*(f2s2+e*e*f6-2*e*f4s) + 2*c*e*(e*f4-f2s) - 4*e*ey2*f2s
}

// Independent returns ((1+η²y²)² + 4η²y²)/n, the variance that independent particles with the residual y would have.
func (s ParticleStep) Independent() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	ey2 := s.Step * s.Step * s.Label * s.Label
	return ((1+ey2)*(1+ey2) + 4*ey2) / float64(s.N)
}

// Distance returns E|θ⁺ − copy|² for the activation "linear", "relu" or "tanh".
func (s ParticleStep) Distance(activation string) float64 {
	var phi2, slope2, phi4, both float64 // E φ², E φ′², E φ⁴, E φ²φ′²
	switch activation {
	case "linear":
		phi2, slope2, phi4, both = 1, 1, 3, 1
	case "relu":
		phi2, slope2, phi4, both = 0.5, 0.5, 1.5, 0.5
	default:
		mean := func(i, k float64) float64 {
			power := func(j [4]float64) float64 { return math.Pow(j[0], i) * math.Pow(j[1], k) }
			return OneStep{Activation: activation}.mean(power)
		}
		phi2, slope2, phi4, both = mean(2, 0), mean(0, 2), mean(4, 0), mean(2, 2)
	}
	if s.Valid() != nil {
		return math.NaN()
	}
	n := float64(s.N)
	return s.Step * s.Step / (n * n) * ((n-1)*phi2*(phi2+slope2) + phi4 + 3*both)
}
