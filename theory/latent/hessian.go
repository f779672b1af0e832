package latent

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Hessian says that the first gradient of every neuron is the mean Hessian of the target applied to the neuron's
// direction, up to a remainder that is known exactly.
//
// # Setting
//
// x ~ N(0, I) in ℝᵈ; f⋆ a polynomial of r latent directions, E f⋆² = 1, from which the population has removed the
// constant and the linear part (C₀ = 0, C₁ = 0); H = E∇²f⋆ of rank r, S⋆ its range. The network Σ aⱼσ(wⱼ·x), σ = ReLU,
// aⱼ = ±1, starts in symmetric pairs, so its output is zero. The loss is L = E(f_θ(x) − f⋆(x))², without ½. The
// directions ŵⱼ are uniform on the sphere.
//
// # Claim
//
// ∇_{wⱼ}L = −2aⱼ Hŵⱼ/√(2π) + Rⱼ with the finite sum of [Remainder], ‖Rⱼ‖ = Õ(√r/d). For
// f⋆ = A_r = Σ_{i≤r}(xᵢ²−1)/√(2r), whose H = √(2/r)Π⋆ attains the largest trace:
//
//	‖Rⱼ‖ = ‖Π⋆ŵⱼ‖²/√(πr)          for every ŵⱼ, hence E‖Rⱼ‖ = √(r/π)/d for all r ≤ d, which is also the mean over
//	                               any orthonormal basis of directions,
//	E max_{j≤m} √‖Rⱼ‖ ≤ √envelope   with the envelope of [Isotropic.Envelope], which grows as log m,
//
// and the second moment E∇∇ᵀ over the neurons equals signal·Π⋆ + noise·(I−Π⋆), whose gap √(signal/noise) grows as d:
// the gradients point into S⋆. That is where rank H = r is needed.
//
// Proof: the series of latent/series at b = 0, where c₃ = c₅ = … = 0. For A_r only k = 1, 2 remain.
//
// # Numerical form
//
// The remainder is a difference of the gradient and its leading part. Both are sums of latent/series, and the
// rounding bound is the one given there, times |2a|, for each of the three.
//
// # Source
//
// Lemma 4 (Lemma 1 of the arXiv version and the slides); the proof is that of Lemma 13.
var Hessian = theory.Statement{
	Slug:     "latent/hessian",
	Title:    "First gradient of a neuron as the mean Hessian of the target",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "x ~ N(0, I) in d dimensions. Two-layer ReLU network with aⱼ = ±1, no biases, in symmetric pairs so that its output is zero; " +
		"population loss E(f_θ − f⋆)², without ½. f⋆ is a polynomial of r directions with E f⋆² = 1, E f⋆ = 0, E ∇f⋆ = 0 and H = E ∇²f⋆ of rank r. " +
		"Directions ŵⱼ uniform on the sphere.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension of the input", Domain: theory.IntegerFrom(2), Default: "100"},
		{Name: "r", Symbol: "r", Meaning: "number of latent directions, at most d", Domain: theory.IntegerFrom(1), Default: "4"},
		{Name: "m", Symbol: "m", Meaning: "number of neurons", Domain: theory.IntegerFrom(1), Default: "1000"},
		{Name: "H", Symbol: "H", Meaning: "mean Hessian of the target", Shape: "d×d"},
		{Name: "w", Symbol: "ŵⱼ", Meaning: "direction of the neuron's weights", Shape: "d"},
	},
	Claim: "∇_{wⱼ}L = −2aⱼ Hŵⱼ/√(2π) + Rⱼ, where ‖Rⱼ‖ is of order √r/d: for f⋆ = Σ_{i≤r}(xᵢ²−1)/√(2r) its mean over neurons is " +
		"exactly √(r/π)/d, its largest value over m neurons stays below an envelope that grows as log m, and the gradients of many neurons single out " +
		"the r latent directions with a gap of order d between the r-th and the next singular value.",
	TeX: `\nabla_{w_j} L = -\frac{2 a_j}{\sqrt{2\pi}} H \hat{w}_j + R_j, \quad ` +
		`\mathbb{E} \lVert R_j \rVert = \frac{1}{\sqrt{\pi}} \frac{\sqrt{r}}{d}`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal", NoControl: "dropped among the controls of latent/series, on which this claim rests"},
		{ID: "centred", Text: "the target has no constant and no linear part: E f⋆ = 0, E ∇f⋆ = 0"},
		{ID: "normalised", Text: "E f⋆² = 1"},
		{ID: "no-bias", Text: "the neurons have no bias at the first step"},
		{ID: "paired", Text: "the network's output is zero at the start"},
		{ID: "rank", Text: "H has rank r (Assumption 2)"},
		{ID: "one-signed", Text: "for the constant and the growth with r: H is a multiple of the projector on the latent directions"},
		{ID: "uniform", Text: "the directions of the neurons are uniform on the sphere"},
	},
	Source: paper.At("Lemma 1 of the arXiv version, Lemma 4 of the COLT version"),
	Deviations: "The source gives the order Õ(√r/d) with high probability. The exact remainder, its mean, the envelope over neurons and the " +
		"gap are derived here; ŵⱼ stands where the source has wⱼ.",
	Errata: []theory.Erratum{{
		ID:      "unit-weights",
		Printed: "∇_{wⱼ}L = −2aⱼ Hwⱼ/√(2π) + Rⱼ for wⱼ ~ N(0, I/d), with the remainder of the proof",
		Locus:   "Lemma 4; Lemma 1 of the companion slides",
		Correct: "The gradient depends on ŵⱼ alone, so Hŵⱼ leads. With Hwⱼ in its place the remainder gains a term of its own order, " +
			"√r/d: the order survives, the constant does not.",
		Counterexample: "f⋆ = (x₁²−1)/√2, wⱼ ~ N(0, I/d): E‖Rⱼ‖·d tends to 2(√2+arsinh 1)/π^(3/2) = 0.824 in place of 1/√π = 0.564.",
	}},
	RestsOn: []string{"latent/series"},
	Predict: func(v theory.Values) []theory.Quantity {
		a := Isotropic{D: v.Int("d"), R: v.Int("r")}
		return []theory.Quantity{
			{Name: "remainder", Symbol: "E‖R‖", Value: a.Remainder(), Meaning: "mean length of the remainder for the target Σ(xᵢ²−1)/√(2r)"},
			{Name: "spread", Symbol: "sd‖R‖/E‖R‖", Value: math.Sqrt(a.RelativeVariance()), Meaning: "its standard deviation over neurons, relative to the mean"},
			{Name: "envelope", Symbol: "(E max √‖R‖)²", Value: a.Envelope(v.Int("m")), Meaning: "bound on the largest remainder among m neurons"},
			{Name: "signal", Symbol: "E(u·∇)²", Value: a.Signal(), Meaning: "second moment of the gradient along a latent direction"},
			{Name: "noise", Symbol: "E(v·∇)²", Value: a.Noise(), Meaning: "second moment of the gradient along any other direction"},
			{Name: "gap", Symbol: "√(signal/noise)", Value: a.Gap(), Meaning: "ratio of the r-th to the next singular value of the gradients of many neurons"},
		}
	},
}

// Leading returns −2a Hw/√(2π), d numbers, the leading part of the gradient when w is the neuron's direction.
func Leading(f Target, a float64, w []float64) []float64 {
	lead := f.Contract(2, w)
	for i := range lead {
		lead[i] *= -2 * a / math.Sqrt(2*math.Pi)
	}
	return lead
}

// Remainder returns the exact remainder for a unit vector w and a target with C₀ = 0 and C₁ = 0,
//
//	R = −2a [ Σ_{k≥2} c_{2k}/(2k−1)! C_{2k}(w^⊗(2k−1)) + w Σ_{k≥1} c_{2k+2}/(2k)! C_{2k}(w^⊗2k) ],
//
// where √(2π) c_{2k} = (−1)^(k−1) (2k−3)!!. It is NaN for other targets, and when the target has more coordinates than w.
func Remainder(f Target, a float64, w []float64) []float64 {
	r := make([]float64, len(w))
	if f.Coordinates() > len(w) || f.Form(0, w) != 0 || norm(f.Contract(1, w)) != 0 {
		for i := range r {
			r[i] = math.NaN()
		}
		return r
	}
	for degree := 2; degree <= f.Degree(); degree += 2 {
		along := evenCoefficient(degree+2) / hermite.Factorial(degree) * f.Form(degree, w)
		contracted := f.Contract(degree, w)
		for i := range r {
			if degree > 2 {
				r[i] += -2 * a * evenCoefficient(degree) / hermite.Factorial(degree-1) * contracted[i]
			}
			r[i] += -2 * a * along * w[i]
		}
	}
	return r
}

// evenCoefficient returns c_k for even k ≥ 2 at b = 0, s = 1: (−1)^(k/2−1) (k−3)!!/√(2π).
func evenCoefficient(k int) float64 {
	c := 1 / math.Sqrt(2*math.Pi)
	for j := 1; j <= k-3; j += 2 {
		c *= -float64(j)
	}
	return c
}

// Isotropic is the target A_r = Σ_{i≤R}(xᵢ²−1)/√(2R) in D dimensions, seen by neurons whose directions are uniform on
// the sphere. With ρ² = ‖Π⋆ŵ‖² ~ Beta(R/2, (D−R)/2) its gradient is −2a/√(πR) (Π⋆ŵ − ½ρ²ŵ).
type Isotropic struct{ D, R int }

// Valid names the violated hypothesis.
func (t Isotropic) Valid() error {
	if t.R < 1 || t.R > t.D {
		return errors.New("latent: the number of latent directions must lie between 1 and the dimension")
	}
	return nil
}

// Target returns A_r by its Hermite expansion.
func (t Isotropic) Target() Target {
	var f Target
	for i := range t.R {
		degrees := make([]int, i+1)
		degrees[i] = 2
		f = append(f, Term{1 / math.Sqrt(2*float64(t.R)), degrees})
	}
	return f
}

// Length returns ‖R‖ = ρ²/√(πR) for one neuron with ‖Π⋆ŵ‖² = ρ².
func (t Isotropic) Length(rhoSquared float64) float64 {
	if t.Valid() != nil || !(rhoSquared >= 0) {
		return math.NaN()
	}
	return rhoSquared / math.Sqrt(math.Pi*float64(t.R))
}

// Remainder returns E‖R‖ = √(R/π)/D.
func (t Isotropic) Remainder() float64 { return t.Length(float64(t.R) / float64(t.D)) }

// RelativeVariance returns var‖R‖/(E‖R‖)² = 2(D−R)/(R(D+2)).
func (t Isotropic) RelativeVariance() float64 {
	if t.Valid() != nil {
		return math.NaN()
	}
	d, r := float64(t.D), float64(t.R)
	return 2 * (d - r) / (r * (d + 2))
}

// LiteralRemainder returns the limit of E‖R′‖ D/√R for D → ∞, where R′ is what is left of the gradient after
// −2aHw/√(2π) with w ~ N(0, I/D) in place of ŵ. It is known for R = 1 only, 2(√2 + arsinh 1)/π^(3/2), and NaN otherwise.
//
// Derivation: w = (1+g/√(2D))ŵ with g nearly standard normal, and D ρ² → h² with h standard normal, so that
// D‖R′‖ → |h|√(h²+2g²)/√π. In polar coordinates its mean is E ρ²·(2/π)∫₀¹√(1+s²)ds/√π.
func (t Isotropic) LiteralRemainder() float64 {
	if t.R != 1 {
		return math.NaN()
	}
	return 2 * (math.Sqrt2 + math.Asinh(1)) / math.Pow(math.Pi, 1.5)
}

// Envelope returns (√R + √(2 ln m · D/(D−1)))²/(D√(πR)), for D ≥ 2 and m ≥ 1: E max_{j≤m} √‖Rⱼ‖ is at most its root.
//
// Proof: ρ is a Lipschitz function on the sphere, hence sub-Gaussian with variance proxy 1/(D−1) about its mean, which
// is at most √(R/D). The mean of the largest of m such variables exceeds that of one by at most √(2 ln m/(D−1)).
func (t Isotropic) Envelope(m int) float64 {
	if t.Valid() != nil || t.D < 2 || m < 1 {
		return math.NaN()
	}
	d, r := float64(t.D), float64(t.R)
	root := math.Sqrt(r) + math.Sqrt(2*math.Log(float64(m))*d/(d-1))
	return root * root / (d * math.Sqrt(math.Pi*r))
}

// Signal returns E(u·∇)² for a unit vector u in S⋆: 4/(πR) E ŵ₁²(1−½ρ²)². It is 4/(πRD)·(1 − O(1/D)).
func (t Isotropic) Signal() float64 {
	if t.Valid() != nil {
		return math.NaN()
	}
	d, r := float64(t.D), float64(t.R)
	return 4 / (math.Pi * r * d) * (1 - (r+2)/(d+2) + (r+2)*(r+4)/(4*(d+2)*(d+4)))
}

// Noise returns E(v·∇)² for a unit vector v orthogonal to S⋆: E ρ⁴(1−ρ²)/(πR(D−R)). It is NaN for R = D.
func (t Isotropic) Noise() float64 {
	if t.Valid() != nil || t.R == t.D {
		return math.NaN()
	}
	d, r := float64(t.D), float64(t.R)
	return (r + 2) / (math.Pi * d * (d + 2) * (d + 4))
}

// Gap returns √(signal/noise), which is 2D/√(R(R+2))·(1 + O(R/D)).
func (t Isotropic) Gap() float64 { return math.Sqrt(t.Signal() / t.Noise()) }
