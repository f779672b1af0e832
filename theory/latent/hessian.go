package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Hessian is the claim latent/hessian.
var Hessian = theory.Statement{
	Slug:  "latent/hessian",
	Title: "First gradient of a neuron as the mean Hessian of the target",
	Plain: "To leading order in the dimension, a neuron's first gradient is the target's mean Hessian applied " +
		"to its weight direction.",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "x ~ N(0, I) in d dimensions. Two-layer ReLU network with aⱼ = ±1, no biases, in symmetric pairs so " +
		"that its output is zero; population loss L = E(f_θ − f⋆)², without ½. f⋆ is a polynomial of degree p of r " +
		"directions, which span S⋆ with projector Π⋆, with E f⋆² = 1, E f⋆ = 0 and E ∇f⋆ = 0; H = E ∇²f⋆. Means " +
		"are over directions ŵ uniform on the sphere.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension of the input", Domain: theory.IntegerBetween(2, 1e9),
			Default: "100"},
		{Name: "r", Symbol: "r", Meaning: "number of latent directions, at most d",
			Domain: theory.IntegerBetween(1, 1e9), Default: "4"},
		{Name: "m", Symbol: "m", Meaning: "number of neurons", Domain: theory.IntegerBetween(1, 1e9), Default: "1000"},
		{Name: "p", Symbol: "p", Meaning: "degree of the target, for the bounds",
			Domain: theory.IntegerBetween(2, 30), Default: "2"},
		{Name: "kappa", Symbol: "κ", Meaning: "‖H†‖/√r for the bound on the gap, at least 1/√2",
			Domain: theory.Between(1/math.Sqrt2, 1e9), Default: "1"},
		{Name: "alpha", Symbol: "α", Meaning: "degrees of the terms of the target, Σ h_α Π_i He_{αᵢ}(xᵢ) with He₂ " +
			"= x²−1, each at least 2 in all",
			Shape: "N×d"},
		{Name: "h", Symbol: "h_α", Meaning: "coefficients of the terms", Shape: "N"},
		{Name: "w", Symbol: "wⱼ", Meaning: "weights of the neuron, of any length", Shape: "d"},
		{Name: "a", Symbol: "aⱼ", Meaning: "output weight of the neuron"},
		{Name: "gradient", Symbol: "∇L", Meaning: "gradient of the population loss in the neuron's weights",
			Shape: "d"},
	},
	Claim: "∇_{wⱼ}L = −2aⱼ Hŵⱼ/√(2π) + Rⱼ, where R is a finite sum in the even derivatives of f⋆, and (E‖R‖²)^{1/2} ≤ B " +
		"with B = √((r+2)/π)/d · (1 + O(1/d)). The root of the ratio between the least eigenvalue of E ∇∇ᵀ on S⋆ and its " +
		"mean on the other directions is at least (√(2/(πrd))/κ − B)√(d−r)/B, of order d/(rκ), where κ = ‖H†‖/√r. For p = " +
		"2: E‖R‖² = (2‖H‖_F² + (tr H)²)/(2πd(d+2)), and E ∇∇ᵀ is a quadratic polynomial in H. For f⋆ = " +
		"Σ_{i≤r}(xᵢ²−1)/√(2r), which attains B: ‖R‖ = ‖Π⋆ŵ‖²/√(πr), E‖R‖ = √(r/π)/d, E‖Π⋆R‖ = " +
		"Γ((r+3)/2)Γ(d/2)/(√(πr)Γ(r/2)Γ((d+3)/2)), of order r/d^(3/2), and (E max_{j≤m} √‖Rⱼ‖)² stays below an envelope " +
		"that grows as log m.",
	TeX: `\nabla_{w_j} L = -\frac{2 a_j}{\sqrt{2\pi}} H \hat{w}_j + R_j, \quad ` +
		`\mathbb{E} \lVert R_j \rVert^2 \le \frac{r+2}{\pi d (d+2)} + O(r d^{-3})`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal",
			NoControl: "the controls of latent/series, on which this claim rests, drop it"},
		{ID: "centred", Text: "the target has no constant and no linear part: E f⋆ = 0, E ∇f⋆ = 0"},
		{ID: "normalised", Text: "E f⋆² = 1 (for statements about sizes)"},
		{ID: "no-bias", Text: "the neurons have no bias at the first step"},
		{ID: "paired", Text: "the network's output is zero at the start"},
		{ID: "rank", Text: "H has rank r (Assumption 2; for the gap)"},
		{ID: "quadratic", Text: "p = 2 (for the exact means)"},
		{ID: "one-signed", Text: "H is a multiple of Π⋆ (for the mean length and the growth as √r)"},
		{ID: "uniform", Text: "the directions of the neurons are uniform on the sphere"},
	},
	Source: paper.At("Lemma 1 of the arXiv version, Lemma 4 of the COLT version"),
	Deviations: "The source gives the order Õ(√r/d) with high probability. The exact remainder, its mean square, the " +
		"bound B with its constants, the gap and the envelope are derived here; ŵⱼ replaces the source's wⱼ.",
	Proof: "The series of latent/series at b = 0, where c₃ = c₅ = … = 0, gives R = −2a[Σ_{k≥2} c_{2k}/(2k−1)! " +
		"C_{2k}(ŵ^⊗(2k−1)) + ŵ Σ_{k≥1} c_{2k+2}/(2k)! C_{2k}(ŵ^⊗2k)]. Its part of degree 2 is a(ŵᵀHŵ)ŵ/√(2π), and that of " +
		"degree 2k is at most √(2/π)(2k−3)!!/(2k−1)!·‖C_{2k}(ŵ^⊗(2k−1))‖ long. Mean squares of symmetric forms are sums " +
		"over the traces of the tensor, each at most √r times the norm. By Parseval Σ‖C_k‖²/k! = 1. Minkowski's inequality " +
		"gives a sum over the degrees, and the Cauchy–Schwarz inequality gives B. For u in S⋆, E(u·Hŵ)² = ‖Hu‖²/d, from " +
		"whose root R subtracts at most B; for v orthogonal to S⋆, v·∇ = v·R, and all such directions are equivalent. " +
		"Envelope: ‖Π⋆ŵ‖ is a Lipschitz function on the sphere, hence sub-Gaussian with variance proxy 1/(d−1) about its " +
		"mean, which is at most √(r/d); the mean of the largest of m exceeds that of one by at most √(2 ln m/(d−1)). ‖Π⋆R‖ " +
		"= ‖Π⋆ŵ‖³/√(πr), and ‖Π⋆ŵ‖² ~ Beta(r/2, (d−r)/2).",
	Tolerance: "The gradient is an integral over half-spaces and the remainder a sum of latent/series: each of the " +
		"gradient, its leading part and the remainder errs by the bound given there, times |2a|. Means over the sphere are " +
		"taken with cubature formulas that are exact for the polynomials in question, or over an orthonormal basis, over " +
		"which ‖Π⋆ŵ‖² adds up to r: nothing is sampled. The envelope is compared with the lower end of a confidence " +
		"interval of level 10⁻¹⁵ for sub-Gaussian means, which needs no share of the error budget.",
	Limits: "Population gradient only, without sampling error: nothing is said about the theorem's n ≥ d². Single " +
		"neurons: at most 3 latent directions and degree 6, in general position up to d = 4, along axes up to 40. Means " +
		"are for at most 3 latent directions, for 2 in degrees 5 and 6, and for up to 16 with the isotropic target; d up " +
		"to 1000. E‖Π⋆R‖ is for at most 6 directions, even d − r and d up to 40. B is loose by up to a factor √(r+2)/2 " +
		"where H is not one-signed, and by more for targets with many higher degrees. The envelope is for the isotropic " +
		"target alone.",
	Readings: []theory.Reading{
		{
			ID:      "unit-weights",
			Reading: "∇_{wⱼ}L = −2aⱼ Hwⱼ/√(2π) + Rⱼ for wⱼ ~ N(0, I/d), with the remainder of the proof.",
			Locus: "Lemma 4; Lemma 1 of the companion slides; the appendix assumes ‖wⱼ‖ = 1 without loss of " +
				"generality",
			Correct: "The gradient depends on ŵⱼ alone, so its leading term is Hŵⱼ. With Hwⱼ in its place the remainder gains " +
				"(‖wⱼ‖−1)·2aⱼHŵⱼ/√(2π), of order ‖H‖_F/d for wⱼ ~ N(0, I/d): the order survives, the constant does not.",
			Counterexample: "d = 1, f⋆ = (x²−1)/√2, w = 2, a = 1: the gradient is −1/√π = −0.564, the formula " +
				"gives −1.693 with the R of the proof.",
		},
	},
	RestsOn:  []string{"latent/series"},
	Predict:  predictHessian,
	Violated: func(v theory.Values) error { return Isotropic{D: v.Int("d"), R: v.Int("r")}.Valid() },
}

func predictHessian(v theory.Values) []theory.Quantity {
	a, b := Isotropic{D: v.Int("d"), R: v.Int("r")}, Bounds{D: v.Int("d"), R: v.Int("r"), P: v.Int("p")}
	out := []theory.Quantity{
		{Name: "remainder", Symbol: "E‖R‖", Value: a.Remainder(),
			Meaning: "mean length of the remainder for the target Σ(xᵢ²−1)/√(2r)", Nonnegative: true},
		{Name: "spread", Symbol: "sd‖R‖/E‖R‖", Value: math.Sqrt(a.RelativeVariance()),
			Meaning: "standard deviation of that length over neurons, relative to the mean"},
		{Name: "envelope", Symbol: "(E max √‖R‖)²", Value: a.Envelope(v.Int("m")),
			Meaning: "bound for the largest remainder among m neurons", Bound: "≤"},
		{Name: "signal", Symbol: "E(u·∇)²", Value: a.Signal(),
			Meaning: "second moment of the gradient along a latent direction"},
		{Name: "bound", Symbol: "B", Value: b.Remainder(),
			Meaning: "bound on (E‖R‖²)^{1/2} for every target of degree p", Bound: "≤"},
	}
	if a.R < a.D { // there are other directions
		out = append(out, []theory.Quantity{
			{Name: "noise", Symbol: "E(v·∇)²", Value: a.Noise(),
				Meaning: "second moment of the gradient along any other direction"},
			{Name: "gap", Symbol: "√(signal/noise)", Value: a.Gap(),
				Meaning:     "ratio of the r-th to the (r+1)-th singular value of the gradients of many neurons",
				Nonnegative: true},
			{Name: "gap_bound", Symbol: "gap ≥", Value: b.Gap(v.Float("kappa")),
				Meaning: "lower bound on that ratio for every target of degree p with this κ; 0 where it is vacuous",
				Bound:   "≥"},
		}...)
	}
	return out
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
// where √(2π) c_{2k} = (−1)^(k−1) (2k−3)!!. It is NaN for other targets, and when the target has more coordinates
// than w.
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

// Quadratic describes a target of degree 2 in D dimensions by its mean Hessian.
type Quadratic struct {
	D int
	H *mat.SymDense // on the first coordinates; the others are zero
}

// square returns 2‖H‖_F² + (tr H)², which is E(gᵀHg)² for a standard normal g.
func (q Quadratic) square() float64 {
	frobenius, trace := mat.Norm(q.H, 2), mat.Trace(q.H)
	return 2*frobenius*frobenius + trace*trace
}

// MeanSquare returns E‖R‖² = (2‖H‖_F² + (tr H)²)/(2πD(D+2)).
func (q Quadratic) MeanSquare() float64 {
	d := float64(q.D)
	return q.square() / (2 * math.Pi * d * (d + 2))
}

// Latent returns E ∇∇ᵀ on the coordinates of H,
//
//	2/π · [H²/D − (2H² + tr H·H)/(D(D+2)) + (8H² + 4 tr H·H + (2‖H‖_F² + (tr H)²)I)/(4D(D+2)(D+4))],
//
// from the mean of (Hŵ − ½(ŵᵀHŵ)ŵ)(…)ᵀ.
func (q Quadratic) Latent() *mat.Dense {
	d, trace := float64(q.D), mat.Trace(q.H)
	two, four := d*(d+2), 4*d*(d+2)*(d+4)
	var m mat.Dense
	m.Mul(q.H, q.H)
	m.Apply(func(i, j int, square float64) float64 {
		x := square*(1/d-2/two+8/four) + trace*q.H.At(i, j)*(4/four-1/two)
		if i == j {
			x += q.square() / four
		}
		return 2 / math.Pi * x
	}, &m)
	return &m
}

// Other returns E(v·∇)² for a unit vector v on which H vanishes: (2‖H‖_F² + (tr H)²)/(2πD(D+2)(D+4)).
func (q Quadratic) Other() float64 { return q.MeanSquare() / float64(q.D+4) }

// Bounds computes bounds for every target of degree at most P of R directions in D dimensions with E f⋆² = 1, without
// constant and linear part.
type Bounds struct{ D, R, P int }

// Valid names the violated hypothesis.
func (b Bounds) Valid() error {
	if b.P < 2 {
		return errors.New("latent: a target of degree below 2 has no part that is not linear")
	}
	return Isotropic{D: b.D, R: b.R}.Valid()
}

// Remainder returns B with (E‖R‖²)^{1/2} ≤ B, B² = β₂² + β₄² + … up to degree P; see [Bounds.Part].
func (b Bounds) Remainder() float64 {
	sum := 0.0
	for k := 2; k <= max(2, b.P); k += 2 {
		sum += math.Pow(b.Part(k), 2)
	}
	return math.Sqrt(sum)
}

// RemainderOf returns the bound Σ_k β_k (E f_k²)^{1/2} ≤ B for a target of mean square 1 with parts f_k of degree k.
func (b Bounds) RemainderOf(f Target) float64 {
	sum := 0.0
	for k := 2; k <= b.P; k += 2 {
		sum += b.Part(k) * math.Sqrt(f.Part(k).MeanSquare())
	}
	return sum
}

// Part returns β_{2k}, which bounds the root mean square of the contribution to R of a part of degree 2k and mean
// square 1,
//
//	β₂² = (R+2)/(πD(D+2)),  β_{2k}² = 2/π ((2k−3)!!/(2k−1)!)² (2k)! M_k/(D(D+2)…(D+4k−4)),
//	M_k = Σ_{l<k} (2k−1−2l)! ((2l−1)!!)² binom(2k−1, 2l)² Rˡ,
//
// where M_k bounds E‖T(g^⊗(2k−1))‖²/‖T‖_F² for symmetric tensors T of order 2k on R coordinates and a normal g.
func (b Bounds) Part(degree int) float64 {
	d, r := float64(b.D), float64(b.R)
	switch {
	case b.Valid() != nil || degree%2 == 1 || degree < 2:
		return math.NaN()
	case degree == 2:
		return math.Sqrt((r + 2) / (math.Pi * d * (d + 2)))
	}
	sum, odd := 0.0, degree-1
	for l := range degree / 2 {
		// Ratios of factorials in an order in which none overflows: 2/π (2k)!/(2k−1)! = 4k/π.
		root := hermite.DoubleFactorial(2*l-1) * hermite.DoubleFactorial(odd-2) /
			hermite.Factorial(odd) * binomial(odd, 2*l)
		x := 2 * float64(degree) / math.Pi * root * hermite.Factorial(odd-2*l) * root * hermite.Factorial(odd)
		for j := range odd { // Rˡ over D(D+2)…, a factor at a time
			if j < l {
				x *= r
			}
			x /= d + 2*float64(j)
		}
		sum += x
	}
	return math.Sqrt(sum)
}

// Gap returns a lower bound for the root of the least eigenvalue of E ∇∇ᵀ on the latent directions over that on the
// others, (√(2/(πRD))/κ − B)√(D−R)/B for κ = ‖H†‖/√R. It is 0 where it is vacuous, and NaN for R = D and κ < 1/√2,
// which no target has: R/‖H†‖² ≤ ‖H‖_F² ≤ 2. A κ that was computed may lie below by rounding.
func (b Bounds) Gap(kappa float64) float64 {
	if b.Valid() != nil || b.R == b.D || !(kappa >= math.Sqrt(0.5)*(1-1e-9)) {
		return math.NaN()
	}
	d, r, remainder := float64(b.D), float64(b.R), b.Remainder()
	return max(0, math.Sqrt(2/(math.Pi*r*d))/kappa-remainder) * math.Sqrt(d-r) / remainder
}

func binomial(n, k int) float64 {
	return hermite.Factorial(n) / hermite.Factorial(k) / hermite.Factorial(n-k)
}

// Isotropic describes the target A_r = Σ_{i≤R}(xᵢ²−1)/√(2R) in D dimensions, with neurons whose directions are uniform
// on the sphere. With ρ² = ‖Π⋆ŵ‖² ~ Beta(R/2, (D−R)/2) its gradient is −2a/√(πR) (Π⋆ŵ − ½ρ²ŵ).
type Isotropic struct{ D, R int }

// Valid names the violated hypothesis.
func (t Isotropic) Valid() error {
	return theory.Require(t.R >= 1 && t.R <= t.D,
		"latent: the number of latent directions must lie between 1 and the dimension")
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
	return theory.When(t.Valid() == nil && rhoSquared >= 0, rhoSquared/math.Sqrt(math.Pi*float64(t.R)))
}

// Remainder returns E‖R‖ = √(R/π)/D.
func (t Isotropic) Remainder() float64 { return t.Length(float64(t.R) / float64(t.D)) }

// Projected returns E‖Π⋆R‖ = E ρ³/√(πR) = Γ((R+3)/2)Γ(D/2)/(√(πR)Γ(R/2)Γ((D+3)/2)).
func (t Isotropic) Projected() float64 {
	if t.Valid() != nil {
		return math.NaN()
	}
	d, r := float64(t.D)/2, float64(t.R)/2
	logarithm := 0.0
	for _, g := range []struct{ at, sign float64 }{{r + 1.5, 1}, {d, 1}, {r, -1}, {d + 1.5, -1}} {
		l, _ := math.Lgamma(g.at)
		logarithm += g.sign * l
	}
	return t.Length(math.Exp(logarithm))
}

// RelativeVariance returns var‖R‖/(E‖R‖)² = 2(D−R)/(R(D+2)).
func (t Isotropic) RelativeVariance() float64 {
	if t.Valid() != nil {
		return math.NaN()
	}
	d, r := float64(t.D), float64(t.R)
	return 2 * (d - r) / (r * (d + 2))
}

// Envelope returns (√R + √(2 ln m · D/(D−1)))²/(D√(πR)), for D ≥ 2 and m ≥ 1: E max_{j≤m} √‖Rⱼ‖ is at most its root.
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
