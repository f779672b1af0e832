package latent

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// HermiteSeries is the claim latent/series.
var HermiteSeries = theory.Statement{
	Slug:  "latent/series",
	Title: "Half-space moment of a polynomial as a finite Hermite series",
	Plain: "The mean of a polynomial times the input over a half-space is a finite sum of Hermite coefficients, " +
		"without remainder.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "x ~ N(0, I) in d dimensions, a polynomial f⋆ of degree p, a weight vector w ≠ 0 of length s and a " +
		"bias b. C_k = E ∇ᵏf⋆; c_k = E σ⁽ᵏ⁾(sZ+b) for σ = ReLU, with derivatives in the sense of distributions: c₁ " +
		"= Φ(b/s) and c_k = s^−(k−1) He_{k−2}(−b/s) φ(b/s) for k ≥ 2. The population gradient of a neuron σ(w·x+b) " +
		"in w contains E[f⋆(x) x σ′(w·x+b)], and σ′ is the indicator of the half-space w·x+b ≥ 0.",
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "degree of the target He_p(u·x)/√p!",
			Domain: theory.IntegerBetween(1, 30), Default: "2"},
		{Name: "b", Symbol: "b", Meaning: "bias", Domain: theory.Between(-1e7, 1e7), Default: "0"},
		{Name: "s", Symbol: "s", Meaning: "length of w", Domain: theory.Between(1e-6, 1e6), Default: "1"},
		{Name: "cosine", Symbol: "ŵ·u", Meaning: "cosine between w and the latent direction u",
			Domain: theory.Between(-1, 1), Default: "1"},
		{Name: "w", Symbol: "w", Meaning: "weights of the neuron", Shape: "d"},
		{Name: "C", Symbol: "C_k", Meaning: "mean of the k-th derivative of the target", Shape: "d×…×d"},
		{Name: "alpha", Symbol: "α",
			Meaning: "degrees of the terms of the target, Σ h_α Π_i He_{αᵢ}(xᵢ) with He₂ = x²−1",
			Shape:   "N×d"},
		{Name: "h", Symbol: "h_α", Meaning: "coefficients of the terms", Shape: "N"},
		{Name: "moment", Symbol: "E[f⋆x1]",
			Meaning: "mean of f⋆(x) x over the half-space w·x+b ≥ 0, not divided by its mass",
			Shape:   "d"},
	},
	Claim: "$E[f⋆(x) x 1{w·x+b≥0}] = Σ_{k=0}^{p−1} c_{k+1}/k! C_{k+1}(w^⊗k) + w Σ_{k=0}^{p} c_{k+2}/k! C_k(w^⊗k)$, " +
		"without remainder.",
	TeX: `\mathbb{E}\left[ f^\star(x)\, x\, 1_{w \cdot x + b \ge 0} \right] = ` +
		`\sum_{k=0}^{p-1} \frac{c_{k+1}}{k!} C_{k+1}(w^{\otimes k}) + w \sum_{k=0}^{p} \frac{c_{k+2}}{k!} ` +
		`C_k(w^{\otimes k})`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal"},
		{ID: "degree", Text: "f⋆ is a polynomial of degree at most p"},
		{ID: "relu", Text: "c_k are the coefficients of ReLU for the given bias and length of w"},
		{ID: "nonzero", Text: "w ≠ 0",
			NoControl: "w = 0 defines no half-space; the closed form is then NaN, which its tests check"},
	},
	Source: paper.At("equation (1) with the limits of Lemma 13"),
	Deviations: "The source gives b = 0 and unit w in Lemma 13. The coefficients for every b and every length of w are " +
		"derived here; the C_k come from the Hermite expansion of f⋆.",
	Proof: "Stein's identity gives E[f⋆xσ′(w·x+b)] = E[∇f⋆ σ′] + w E[f⋆σ″], and E[h(x)ψ(w·x)] = Σ_k ⟨E∇ᵏh, " +
		"E∇ᵏψ⟩/k! stops at the degree of h, which is p−1 for ∇f⋆ and p for f⋆. Because C_{p+1} = 0 the two sums " +
		"may also share the limit p.",
	Tolerance: "With x = b/s and N terms of the expansion, c_k carries a relative error of at most (12k+5x²+10)u " +
		"of its recurrence with all signs positive (9u in x² enters the exponent, 4u per factor x or 1/s), a form " +
		"of degree k at most 3k+N roundings, and k ≤ p+2. So |error| ≤ (15(p+2)+5x²+N+20)·u·S, with S the length " +
		"of the series with all signs positive. The integral is bounded in the same way. Mean derivatives of " +
		"integers are exact.",
	Limits: "A polynomial identity in at most 4 dimensions and of degree at most 6, with |b| ≤ 6‖w‖, compared with " +
		"moments that we integrate ourselves. The check determines the coefficients; nothing is said about targets " +
		"that are not polynomials.",
	Readings: []theory.Reading{
		{
			ID: "limit",
			Reading: "Both families share the limit p−1: E[f⋆ x σ′(w·x+b)] = Σ_{k=0}^{p−1} (1/k!)[c_{k+1} " +
				"C_{k+1}(w^⊗k) + c_{k+2} w C_k(w^⊗k)].",
			Locus: "equation (1) of the COLT version and companion slides, as reported in our notes; Lemma 13 has the right " +
				"limits",
			Correct: "The second family runs to k = p. The lost term c_{p+2} w C_p(w^⊗p)/p! vanishes when b = 0 " +
				"and p is odd.",
			Counterexample: "d = 1, f⋆ = x²−1, w = 1, b = 0: the true value is φ(0) = 0.398942, but with the common limit the " +
				"sum is 2φ(0) = 0.797885.",
		},
		{
			ID:      "sigma-prime",
			Reading: "The c_k are the Hermite coefficients of σ′, the function that is expanded.",
			Locus:   "main text around equation (1); companion slides, which expand σ′ and do not define c_k",
			Correct: "They are the Hermite coefficients of σ = ReLU, as in appendix A.1.1.",
			Counterexample: "d = 1, f⋆ = x²−1, w = 1, b = 0: the true value is 0.398942, but with the coefficients of σ′ the " +
				"sum is 0.",
		},
		{
			ID: "second-line",
			Reading: "For the b of the left side, the sum equals Hw/√(2π) + Σ_{k≥2} (1/k!)[c_{k+1} C_{k+1}(w^⊗k) + " +
				"c_{k+2} w C_k(w^⊗k)].",
			Locus: "equation (1), second line, whose left side has a bias; companion slides",
			Correct: "That line is for b = 0, unit w, and a target from which C₀ and C₁ have been removed. In " +
				"general the leading term is φ(b)Hw for unit w, and c₁C₁ + c₂wC₀ + c₃wC₁(w) is missing.",
			Counterexample: "d = 1, w = 1, b = 1, f⋆ = x²−1: the true value is 2φ(1) = 0.483941, but the second line gives " +
				"0.797885.",
		},
	},
	Predict: predictSeries,
}

// predictSeries evaluates the series for f⋆ = He_p(u·x)/√p! in the plane of u and w.
func predictSeries(v theory.Values) []theory.Quantity {
	p, s, cosine := v.Int("p"), v.Float("s"), v.Float("cosine")
	series := Series{
		Target: Target{{1 / math.Sqrt(hermite.Factorial(p)), []int{p}}}, // u is the first axis
		W:      []float64{s * cosine, s * math.Sqrt(1-cosine*cosine)},
		B:      v.Float("b"),
	}
	moment, lost := series.Moment(), series.Term(p, series.Coefficient)
	return []theory.Quantity{
		{Name: "along_latent", Symbol: "u·E[f⋆x1]", Value: moment[0],
			Meaning: "component along the latent direction u"},
		{Name: "across", Symbol: "u⊥·E[f⋆x1]", Value: moment[1],
			Meaning: "component along the direction of w orthogonal to u"},
		{Name: "lost", Symbol: "‖lost‖", Value: norm(lost),
			Meaning: "length of the term that the common limit p−1 omits"},
		{Name: "c_1", Symbol: "c₁", Value: series.Coefficient(1), Meaning: "coefficient of C₁"},
		{Name: "c_2", Symbol: "c₂", Value: series.Coefficient(2), Meaning: "coefficient of Hw and of wC₀"},
		{Name: "c_p", Symbol: "c_p", Value: series.Coefficient(p), Meaning: "coefficient of C_p(w^⊗(p−1))/(p−1)!"},
		{Name: "c_p2", Symbol: "c_{p+2}", Value: series.Coefficient(p + 2), Meaning: "coefficient of wC_p(w^⊗p)/p!"},
	}
}

// Series describes the right side of the identity for one target and one half-space w·x + b ≥ 0.
type Series struct {
	Target Target
	W      []float64 // d
	B      float64
}

// Valid names the violated hypothesis.
func (s Series) Valid() error {
	switch length := norm(s.W); {
	case !(length > 0) || math.IsInf(length, 1):
		return errors.New("latent: w is zero or not finite")
	case s.Target.Coordinates() > len(s.W):
		return errors.New("latent: the target has more coordinates than w")
	case math.IsNaN(s.B) || math.IsInf(s.B, 0):
		return errors.New("latent: the bias is not finite")
	}
	return nil
}

// Coefficient returns c_k = E σ^(k)(sZ+b) for σ = ReLU and s = ‖w‖, k ≥ 0, and NaN outside the hypotheses.
func (s Series) Coefficient(k int) float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return ReLU(k, s.B, norm(s.W))
}

// ReLU returns c_k(b, s) = E σ^(k)(sZ+b) for σ = ReLU, k ≥ 0, s > 0; NaN for other s.
func ReLU(k int, b, s float64) float64 {
	x := b / s
	switch {
	case !(s > 0):
		return math.NaN()
	case k == 0:
		return s*hermite.PDF(x) + b*hermite.CDF(x)
	case k == 1:
		return hermite.CDF(x)
	case hermite.PDF(x) == 0: // where the polynomial may overflow
		return 0
	}
	return hermite.Polynomial(k-2, -x) * hermite.PDF(x) / math.Pow(s, float64(k-1))
}

// Term returns c_{k+1}/k! C_{k+1}(w^⊗k) + c_{k+2}/k! C_k(w^⊗k) w for coefficients c; in the identity these are
// [Series.Coefficient]. Entries are NaN outside the hypotheses.
func (s Series) Term(k int, c func(k int) float64) []float64 {
	term := make([]float64, len(s.W))
	if s.Valid() != nil {
		for i := range term {
			term[i] = math.NaN()
		}
		return term
	}
	contracted, first := s.Target.Contract(k+1, s.W), c(k+1)/hermite.Factorial(k)
	second := c(k+2) / hermite.Factorial(k) * s.Target.Form(k, s.W)
	for i, wi := range s.W {
		term[i] = first*contracted[i] + second*wi
	}
	return term
}

// Sum returns the sum of the terms from, …, to.
func (s Series) Sum(from, to int, c func(k int) float64) []float64 {
	sum := make([]float64, len(s.W))
	for k := from; k <= to; k++ {
		for i, x := range s.Term(k, c) {
			sum[i] += x
		}
	}
	return sum
}

// Moment returns the right side of the identity, d numbers; NaN outside the hypotheses.
func (s Series) Moment() []float64 { return s.Sum(0, s.Target.Degree(), s.Coefficient) }

// Magnitude returns the length of the series with all signs positive: |h_α|, |w|, and the Hermite polynomials in c_k
// with positive terms. No partial sum exceeds it, so rounding errors are multiples of u·S.
func (s Series) Magnitude() float64 {
	length := norm(s.W)
	x := math.Abs(s.B) / length
	absolute := Series{Target: s.Target.absolute(), W: make([]float64, len(s.W)), B: s.B}
	for i, wi := range s.W {
		absolute.W[i] = math.Abs(wi)
	}
	return norm(absolute.Sum(0, s.Target.Degree(), func(k int) float64 {
		if k < 2 {
			return hermite.CDF(s.B / length) // c₁; the sum does not contain c₀
		}
		return hermite.Magnitude(k-2, x) * hermite.PDF(x) / math.Pow(length, float64(k-1))
	}))
}

// Rounding bounds the error of the computed moment, in length: the statement's tolerance.
func (s Series) Rounding(unit float64) float64 {
	x, p := s.B/norm(s.W), float64(s.Target.Degree())
	return (15*(p+2) + 5*x*x + float64(len(s.Target)) + 20) * unit * s.Magnitude()
}
