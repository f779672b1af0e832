package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// FreshSamples is the claim latent/freshsamples: the error of a head that is fitted to new samples.
var FreshSamples = theory.Statement{
	Slug:  "latent/freshsamples",
	Title: "Error of a ridge head fitted to fresh samples on frozen features",
	Plain: "The test error of a ridge head on frozen features is bounded by a norm and the number of fresh samples, " +
		"whatever the dimension.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "Frozen features h(x) ∈ ℝᵐ with ‖h(x)‖² ≤ M, and N independent samples (x, y) of any law, fresh in that h " +
		"does not depend on them. â minimises Σᵢ(a·h(xᵢ) − yᵢ)² + μ‖a‖², μ > 0, and L(a) = E(a·h(x) − y)².",
	Params: []theory.Param{
		{Name: "N", Symbol: "N", Meaning: "fresh samples", Domain: theory.IntegerBetween(0, 1e9), Default: "300"},
		{Name: "penalty", Symbol: "μ/M", Meaning: "penalty over the largest ‖h‖²", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "size", Symbol: "M‖a‖²", Meaning: "largest ‖h‖² times ‖a‖², for an a to compare with",
			Domain: theory.Between(0, 1e9), Default: "10"},
		{Name: "loss", Symbol: "L(a)", Meaning: "error of that a", Domain: theory.Between(0, 1e9), Default: "0"},
	},
	Claim: "$E L(â) ≤ (1 + M/μ)²(L(a) + μ‖a‖²/(N+1))$ for every a, which is 4L(a) + 4M‖a‖²/(N+1) at μ = M. On any N " +
		"+ 1 samples the mean squared leave-one-out error is at most (1 + M/μ)² times the mean squared error of the " +
		"fit to all, with equality for orthogonal features with ‖h‖² = M, and no a has a smaller sum of the error of " +
		"the fit and μ‖a‖²/(N+1). Neither m nor the dimension of x enters.",
	TeX: `\mathbb{E} L(\hat a) \le \left(1 + \tfrac{M}{\mu}\right)^2 \left(L(a) + \tfrac{\mu\lVert a\rVert^2}{N+1}\right)`,
	Assumptions: []theory.Assumption{
		{ID: "bounded", Text: "‖h(x)‖² ≤ M"},
		{ID: "fresh", Text: "the samples are independent of one another and of h"},
		{ID: "ridge", Text: "the fit has the penalty μ that the bound names"},
	},
	Source: paper.At("after Theorem 3, transfer learning"),
	Deviations: "The source bounds the mean absolute error by √(rᵖκ²ᵖ/min(m, N)) + N^(−1/4), up to a constant and " +
		"logarithms, by Rademacher complexities. Here the error is squared, and both terms in N become 1/(N+1), with " +
		"constants, by leaving samples out, a classical argument. With the a⋆ of latent/outputweights, M‖a⋆‖² is of the " +
		"order rᵏκ²ᵏ, for which M is of the order m, and the variance part of L(a⋆) of the order rᵏκ²ᵏ/m: the root of the " +
		"bound has the source's first term.",
	Proof: "With p = h·(Σhhᵀ + μI)⁻¹h the error for a sample left out is that of the fit to all divided by 1 − p, and p " +
		"≤ ‖h‖²/(‖h‖² + μ). A sample that is left out of N + 1 independent ones is a test sample for N of them. The fit to " +
		"all minimises its penalised error, whose mean at a fixed a is L(a) + μ‖a‖²/(N+1).",
	Tolerance: "Solutions err by 40(N+m)²u times the condition number (NM+μ)/μ, relative to the labels over √μ, and " +
		"squared errors by as much relative to the largest squared label times (1 + M/μ)².",
	Limits: "At most 12 samples, 8 features, and inputs in 40 dimensions; for the mean over samples, which is taken " +
		"over all of them, at most 4 samples of a law on 3 points. For labels of size 1 the bound is useful from " +
		"about 4M‖a‖² samples on. With the a⋆ of latent/outputweights for k = 2, r = κ = 1, ρ = ½, and M = 4m, these " +
		"are 1800 samples, and r^k times as many for larger r: at the 300 samples of latent/transfer, where median " +
		"errors below 1 are measured, the bound is vacuous.",
	RestsOn: []string{"latent/outputweights", "latent/head"},
	Predict: func(v theory.Values) []theory.Quantity {
		f := FrozenHead{v.Float("N"), v.Float("penalty"), v.Float("size"), v.Float("loss")}
		return []theory.Quantity{
			{Name: "error", Symbol: "E L(â) ≤", Value: f.Bound(), Bound: "≤", Nonnegative: true,
				Meaning: "mean squared error of the head"},
			{Name: "factor", Symbol: "(1 + M/μ)²", Value: f.Factor(), Meaning: "left out, over the error of the fit"},
		}
	},
}

// FrozenHead describes a ridge head on N fresh samples, compared with another head.
type FrozenHead struct {
	N       float64
	Penalty float64 // μ/M
	Size    float64 // M‖a‖² of the other head
	Loss    float64 // L(a)
}

// Valid names the violated hypothesis.
func (f FrozenHead) Valid() error {
	return theory.Require(f.N >= 0 && f.Penalty > 0 && f.Size >= 0 && f.Loss >= 0,
		"latent: a head needs a penalty above 0, and no negative number of samples, norm or loss")
}

// Factor returns (1 + M/μ)².
func (f FrozenHead) Factor() float64 {
	return theory.When(f.Valid() == nil, math.Pow(1+1/f.Penalty, 2))
}

// Bound returns (1 + M/μ)²(L(a) + μ‖a‖²/(N+1)).
func (f FrozenHead) Bound() float64 { return f.Factor() * (f.Loss + f.Penalty*f.Size/(f.N+1)) }
