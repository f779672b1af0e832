package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Outliers is the claim onestep/outliers: the effect of a step of constant size on the spectrum of the features.
var Outliers = theory.Statement{
	Slug:  "onestep/outliers",
	Title: "Beyond a threshold, a step of constant size makes one singular value of the features leave the bulk",
	Plain: "After a step of constant size, one singular value of the features leaves the bulk exactly when the " +
		"step exceeds a threshold.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "F₁ = F₀ + c₁²η(Xβ)aᵀ, n×N, the expansion of the features on a fresh sample with one term, η constant; F₀ " +
		"= σ(XW₀ᵀ), E σ(Z) = 0, rows of W₀ uniform on the unit sphere, β = X̃ᵀỹ/n from another sample, b² = lim ‖β‖², and " +
		"a ~ N(0, I/N) independent of everything else. l(x) = lim (1/nd) tr Xᵀ(x − F₀F₀ᵀ/n)⁻¹X and r(x) = lim (1/N) tr(x − " +
		"F₀ᵀF₀/n)⁻¹; see [Bulk].",
	Params: append([]theory.Param{
		{Name: "eta", Symbol: "η", Meaning: "step size", Domain: theory.Between(0, 1e6), Default: "4"},
	}, stepParams...),
	Claim: "Let θ = c₁²|η|b and D(x) = x l(x) r(x), which decreases in x. If θ² > 1/D at the edge of the bulk, one " +
		"singular value √x of F₁/√n lies above the bulk and solves $θ²D(x) = 1$; otherwise none does. The squared cosine " +
		"of its left vector with Xβ tends to −l D/D′, and the squared cosine of its right vector with a tends to −r D/D′, " +
		"at x.",
	TeX: `\theta^2 D(x) = 1, \quad \cos^2(\hat u, X\beta) \to -\frac{l(x) D(x)}{D'(x)}, \quad ` +
		`\cos^2(\hat v, a) \to -\frac{r(x) D(x)}{D'(x)}`,
	Assumptions: []theory.Assumption{
		{ID: "fresh-sample", Text: "the features are taken on a sample that the step has not seen",
			NoControl: "on the step's own sample Xβ = XXᵀy/n leans to the leading directions of X; the effect is too small to " +
				"show at these sizes, and onestep/reuse has a control for it"},
		{ID: "above", Text: "the spike is beyond the threshold, where an outlier is claimed"},
		{ID: "no-other", Text: "c₂ is too small for an outlier of F₀ itself", NoControl: "onestep/expansion has the " +
			"condition and a control for it"},
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "onestep/expansion has the further outlier of a mean"},
	},
	Source: paper.At("one gradient step of order one, with Ba, Erdogdu, Suzuki, Wang, Wu, Yang, arXiv " +
		"2205.01445; the formulas are ours"),
	Deviations: "The sources treat the outlier of the weights. The claim onestep/expansion says that F may be replaced " +
		"by F₁ at constant η.",
	Proof: "The matrix (0, A; Aᵀ, 0) for A = F₁/√n is the one for F₀ plus a matrix of rank two. At z = √x the resolvent " +
		"for F₀ has the quadratic forms z l at Xβ/‖Xβ‖, which is the linear direction, and z r at a/‖a‖, and 0 between the " +
		"two. So the resolvent for F₁ has the form z l/(1 − θ²D) at Xβ/‖Xβ‖. Its pole is the outlier, and twice the " +
		"residue there is the squared cosine.",
	Tolerance: "Medians over independent networks with order-statistic intervals, at the sample's own ‖Xβ‖‖a‖/√n in " +
		"place of b. Two sizes, one four times the other, remove the part of order 1/d. The tolerance allows for the " +
		"remainder: 0.02 of squared cosines at √(nd) = 20 and 80, and less than 0.005 of singular values.",
	Limits: "Four setups, √(nd) = 35 and 140 at standard effort, steps of 0.6 and 2 times the threshold. Steps close to " +
		"the threshold are not tried. If N is much larger than n and σ is mostly of third order and higher, rows of F₀ " +
		"differ much in length: in a trial with c₁ = c₃ = 0.3, φ = 4, ψ = 0.3 the left vector was off at d = 480, and " +
		"close to its predicted direction at d = 1920.",
	RestsOn:  []string{"onestep/spike", "onestep/expansion", "spectra/deformed"},
	Violated: violated,
	Predict: func(v theory.Values) []theory.Quantity {
		step := StepFrom(v)
		f := Features{Step: step}
		c1 := step.Activation.Coefficient(1)
		s := FeatureSpike{Bulk: f.Bulk(), Strength: c1 * c1 * v.Float("eta") * step.Length()}
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "edge", Symbol: "", Value: s.Bulk.Edge(), Meaning: "largest singular value of the bulk of F₁/√n"},
			{Name: "threshold", Symbol: "", Value: s.Threshold() / (c1 * c1 * step.Length()),
				Meaning: "step size beyond which a singular value leaves the bulk"},
			{Name: "largest", Symbol: "", Value: s.Largest(), Meaning: "largest singular value of F₁/√n"},
			{Name: "left", Symbol: "", Value: s.Left(), Meaning: "squared cosine of its left vector with Xβ"},
			{Name: "right", Symbol: "", Value: s.Right(), Meaning: "squared cosine of its right vector with a"},
		})
	},
}

// FeatureSpike is F₀/√n plus θ times the outer product of two unit vectors, the left one in the linear direction.
type FeatureSpike struct {
	Bulk     Bulk
	Strength float64 // θ
}

// product returns D = x l r at e, with its factors.
func (s FeatureSpike) product(e float64) (d, x, l, r float64) {
	x, _, l, r = s.Bulk.traces(e)
	return x * l * r, x, l, r
}

// valid reports whether the parameters describe a spike.
func (s FeatureSpike) valid() bool {
	return s.Bulk.valid() && s.Strength >= 0 && !math.IsInf(s.Strength, 1)
}

// Threshold returns the θ at which a singular value leaves the bulk.
func (s FeatureSpike) Threshold() float64 {
	if !s.Bulk.valid() {
		return math.NaN()
	}
	d, _, _, _ := s.product(s.Bulk.critical())
	return 1 / math.Sqrt(d)
}

// Visible reports whether a singular value leaves the bulk.
func (s FeatureSpike) Visible() bool { return s.valid() && s.Strength > s.Threshold() }

// at returns the e at which θ²D = 1, and whether there is one. D falls with e towards 0, where x is infinite.
func (s FeatureSpike) at() (e float64, visible bool) {
	critical := s.Bulk.critical()
	if d, _, _, _ := s.product(critical); !(s.Strength*s.Strength*d > 1) {
		return critical, false
	}
	lo, hi := math.Log(-critical), -60.0
	for range 60 { // 60 over 2⁶⁰ is below a rounding
		mid := (lo + hi) / 2
		if d, _, _, _ := s.product(-math.Exp(mid)); s.Strength*s.Strength*d > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return -math.Exp((lo + hi) / 2), true
}

// Triplet returns the largest singular value, the outlier or else the edge of the bulk, and the squared cosines of its
// left and right vectors with those of the spike, −l D/D′ and −r D/D′, which are 0 without an outlier. It computes
// dD/dx by differences along e, with an error of second order in 10⁻⁵.
func (s FeatureSpike) Triplet() (largest, left, right float64) {
	if !s.valid() {
		return math.NaN(), math.NaN(), math.NaN()
	}
	e, visible := s.at()
	d, x, l, r := s.product(e)
	if !visible {
		return math.Sqrt(x), 0, 0
	}
	const step = 1e-5
	more, far, _, _ := s.product(e * (1 - step))
	less, near, _, _ := s.product(e * (1 + step))
	slope := (more - less) / (far - near)
	return math.Sqrt(x), -l * d / slope, -r * d / slope
}

// Largest returns the largest singular value.
func (s FeatureSpike) Largest() float64 { largest, _, _ := s.Triplet(); return largest }

// Left returns the squared cosine of its left vector with that of the spike.
func (s FeatureSpike) Left() float64 { _, left, _ := s.Triplet(); return left }

// Right returns the squared cosine of its right vector with that of the spike.
func (s FeatureSpike) Right() float64 { _, _, right := s.Triplet(); return right }
