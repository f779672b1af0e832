package spectra

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// BBP is the claim spectra/bbp: the effect of a rank-one spike on the spectrum of Gaussian noise.
var BBP = theory.Statement{
	Slug:  "spectra/bbp",
	Title: "A spike of rank one leaves the bulk of Gaussian noise beyond a threshold",
	Plain: "A rank-one spike in Gaussian noise produces an outlying eigenvalue, with an eigenvector that correlates " +
		"with it, exactly when the spike exceeds a threshold.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Covariance: n samples with law N(0, I + (ℓ−1)vvᵀ) in d dimensions, the rows of X; M = X/√n. Additive: M " +
		"= X/√n + θuvᵀ with standard normal X and fixed unit vectors u and v. λ is the largest eigenvalue of MᵀM, its " +
		"vector the right singular vector of M, and the left one lies in ℝⁿ. GOE: M is symmetric with N(0, 1/n) entries, " +
		"N(0, 2/n) on the diagonal, plus θvvᵀ, and λ its largest eigenvalue. n, d → ∞ with d/n → γ.",
	Params: []theory.Param{
		{Name: "model", Symbol: "model", Meaning: "what the spike is part of",
			Domain: theory.OneOf("covariance", "additive", "goe"), Default: "covariance"},
		{Name: "gamma", Symbol: "γ", Meaning: "d/n; nothing for goe", Domain: theory.Between(1e-3, 1e3), Default: "0.5"},
		{Name: "strength", Symbol: "ℓ, θ", Meaning: "strength of the spike, ℓ ≥ 1 for covariance",
			Domain: theory.Between(0, 1e3), Default: "3"},
	},
	Claim: "Covariance: for ℓ > 1 + √γ, λ → ℓ(1 + γ/(ℓ−1)). With p = 1 − γ/(ℓ−1)² the squared cosine of its vector " +
		"with v tends to p/(1 + γ/(ℓ−1)), of the left one with Xv to p, and n Var λ to 2ℓ²p. Additive: for θ > γ^(1/4), " +
		"$λ → (1+θ²)(γ+θ²)/θ²$, the squared cosines with v and u tend to 1 − γ(1+θ²)/(θ²(θ²+γ)) and 1 − " +
		"(γ+θ²)/(θ²(θ²+1)), and n Var λ to 2(1−γ/θ⁴)(1+γ+2θ²). GOE: for θ > 1, λ → θ + 1/θ, the squared cosine to 1 − " +
		"1/θ² and n Var λ to 2(1−1/θ²). Up to the threshold λ tends to the edge of the bulk, (1+√γ)² or 2, and the " +
		"cosines to 0; for fixed ℓ < 1 + √γ the mean of d cos² tends to ℓγ/(1+√γ−ℓ)².",
	TeX: `\lambda \to \frac{(1+\theta^2)(\gamma+\theta^2)}{\theta^2}`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the noise is Gaussian along the spike; in other directions, any law of mean 0, variance 1 " +
			"and finite moments gives the same limits"},
		{ID: "real", Text: "the noise is real: complex noise halves the variances"},
		{ID: "fixed", Text: "u is fixed: a Gaussian u is the covariance with ℓ = 1 + θ²"},
		{ID: "above", Text: "the spike is beyond the threshold, where an outlier is claimed"},
	},
	Source: theory.Source{Paper: "After Baik, Ben Arous, Péché, Ann. Probab. 33; Baik and Silverstein 2006; Paul 2007; " +
		"Benaych-Georges and Nadakuditi, arXiv 1103.2221; Péché 2006; Bloemendal, Knowles, Yau, Yin, arXiv 1404.0788",
		Version: "recalled, not read", Year: 2005, Locus: "proof of theory/spectra.BBP"},
	Deviations: "Aspect ratios are d/n for every γ > 0; the source of the additive model has n ≤ m and variance 1/m.",
	Proof: "Reflections that leave v alone bring the noise to a bidiagonal matrix of independent χ variables, with the " +
		"spike in its first entry; for GOE to a tridiagonal one. In its first rows the entries are 1 and √γ up to " +
		"O(n^(−1/2)), and a vector that decays along them solves a linear recursion: its rate gives λ and its first " +
		"component the cosine, if it decays, which is the threshold. The left vector is Mv₁/√λ, so that ‖Mv‖² times its " +
		"squared cosine with Mv is λ cos²(v). λ is asymptotically linear in the independent entries, with derivatives " +
		"that are products of components; their variances, ½ for χ, give n Var λ. Below, cos² is the density of the " +
		"spectral measure at v over that of the bulk at the edge, over d.",
	Tolerance: "The bidiagonal matrices have the law of the reduced ones at finite n. Means of λ and cos² are off by " +
		"O(1/n), which is extrapolated away from two sizes, one four times the other. At the smaller size, 10/(nd) is " +
		"allowed for the rest, and 0.02 for n Var λ. Up to the threshold λ is divided by its mean " +
		"by spectra/softedge, which is off by n^(−2/3), and at the larger size cos² is allowed 2/min(n, d). λ scatters as " +
		"claimed, and cos² by at most about 1/√n; margins of medians over batches follow from that. n Var λ is " +
		"compared twice: through the derivatives in the independent entries, and, coarsely, as the variance of " +
		"samples at the smaller size, off by 3/√(nd) at most. The mean of d cos² may be off by 0.2.",
	Limits: "Nine spikes with γ from 1/16 to 16, √(nd) up to 680, none close to the threshold, since within n^(−1/3) of " +
		"it neither law holds. Other noise, which has the same limits, is not tried. Spikes with ℓ < 1 are left out.",
	RestsOn:  []string{"spectra/softedge"},
	Violated: func(v theory.Values) error { return spikeFrom(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		s := spikeFrom(v)
		l := s.Limits()
		return theory.Limits("n → ∞", []theory.Quantity{
			{Name: "place", Symbol: "λ", Value: l.Place, Meaning: "largest eigenvalue"},
			{Name: "threshold", Symbol: "", Value: s.Threshold(), Meaning: "strength beyond which it is an outlier"},
			{Name: "right", Symbol: "cos²(v)", Value: l.Right, Meaning: "squared cosine of the right vector with v"},
			{Name: "left", Symbol: "cos²(u)", Value: l.Left, Meaning: "of the left vector with Xv or u"},
			{Name: "variance", Symbol: "n Var λ", Value: l.Variance, Meaning: "of an outlier, else 0"},
		}, "threshold")
	},
}

func spikeFrom(v theory.Values) Spike {
	return Spike{Model: v.Choice("model"), Gamma: v.Float("gamma"), Strength: v.Float("strength")}
}

// Spike is a spike of rank one in the model "covariance", of strength ℓ, or "additive" or "goe", of strength θ.
type Spike struct {
	Model           string
	Gamma, Strength float64 // γ = d/n, which goe does not have
}

// SpikeLimits holds the limits of λ, of the squared cosines of its vectors, and of n Var λ, 0 without an outlier.
type SpikeLimits struct{ Place, Right, Left, Variance float64 }

// Valid names the violated hypothesis.
func (s Spike) Valid() error {
	switch {
	case s.Model != "covariance" && s.Model != "additive" && s.Model != "goe":
		return errors.New("spectra: the model is covariance, additive or goe")
	case !(s.Strength >= 0) || math.IsInf(s.Strength, 1) || s.Model == "covariance" && s.Strength < 1:
		return errors.New("spectra: need a finite θ ≥ 0, or ℓ ≥ 1")
	case s.Model != "goe" && (!(s.Gamma > 0) || math.IsInf(s.Gamma, 1)):
		return errors.New("spectra: d/n must be positive and finite")
	}
	return nil
}

// Threshold returns the strength beyond which there is an outlier.
func (s Spike) Threshold() float64 {
	switch {
	case s.Valid() != nil:
		return math.NaN()
	case s.Model == "covariance":
		return 1 + math.Sqrt(s.Gamma)
	case s.Model == "additive":
		return math.Sqrt(math.Sqrt(s.Gamma))
	}
	return 1
}

// Limits returns the limits of the claim; all are NaN outside the hypotheses.
func (s Spike) Limits() SpikeLimits {
	if s.Valid() != nil {
		return SpikeLimits{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	g, visible := s.Gamma, s.Strength > s.Threshold()
	switch {
	case s.Model == "goe" && !visible:
		return SpikeLimits{Place: 2}
	case !visible:
		return SpikeLimits{Place: math.Pow(1+math.Sqrt(g), 2)}
	case s.Model == "goe":
		q := 1 / (s.Strength * s.Strength)
		return SpikeLimits{s.Strength + 1/s.Strength, 1 - q, 1 - q, 2 * (1 - q)}
	case s.Model == "covariance":
		excess := s.Strength - 1
		p, factor := 1-g/(excess*excess), 1+g/excess
		return SpikeLimits{s.Strength * factor, p / factor, p, 2 * s.Strength * s.Strength * p}
	}
	t := s.Strength * s.Strength
	return SpikeLimits{(1 + t) * (g + t) / t, 1 - g*(1+t)/(t*(t+g)), 1 - (g+t)/(t*(t+1)),
		2 * (1 - g/(t*t)) * (1 + g + 2*t)}
}

// Hidden returns the limit of E d cos² below the threshold, of the covariance alone.
func (s Spike) Hidden() float64 {
	gap := s.Threshold() - s.Strength
	if s.Valid() != nil || s.Model != "covariance" || !(gap > 0) {
		return math.NaN()
	}
	return s.Strength * s.Gamma / (gap * gap)
}
