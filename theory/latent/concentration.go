package latent

import "github.com/thm-suite/thm/theory"

// Concentration is the claim latent/concentration: the sampling noise of the first gradient.
var Concentration = theory.Statement{
	Slug:  "latent/concentration",
	Title: "Sampling noise of the first gradient, with and without preprocessing",
	Plain: "The sampling error of the first gradient has an exact formula; subtracting the labels' fitted " +
		"linear part roughly halves it in high dimension.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "n samples x ~ N(0, I) in d dimensions with labels y = f⋆(x) + ϵ, ϵ = ±ς fair and independent of x; f⋆ " +
		"has degree at most 3, E f⋆ = 0, E ∇f⋆ = 0 and E f⋆² = 1. g(w) = E yx1{w·x≥0} is the population gradient of " +
		"a neuron up to a factor. The empirical one is g_n(w) = (1/n)Σ yᵢxᵢ1{w·xᵢ≥0} from raw labels, and ĝ_n(w) = " +
		"(1/n)Σ ŷᵢxᵢ1{w·xᵢ≥0} after preprocessing, which subtracts the fitted linear part: ŷ = y − α − β·x with α = " +
		"mean y and β = mean yx over the sample. Squared errors are means over samples and over directions w uniform " +
		"on the sphere. Q_k = E y²‖x‖ᵏ, so that Q₂ = (1+ς²)d + E f⋆²(‖x‖²−d); H and C are the means of ∇²f⋆ and " +
		"∇³f⋆, C(I) is the trace of C; with s = sign(ŵ·x), h, K and Γ are the means over x of sy‖x‖²x, syx⊗x⊗x and " +
		"syxxᵀ, and ωⱼ = √(2/π)E y²‖x‖ʲ⁻¹|ŵ·x|.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e6), Default: "64"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(1, 1e9), Default: "4096"},
		{Name: "r", Symbol: "r", Meaning: "latent directions of the target Σ(xᵢ²−1)/√(2r), at most d",
			Domain: theory.IntegerBetween(1, 1000), Default: "1"},
		{Name: "noise", Symbol: "ς", Meaning: "size of the noise", Domain: theory.Between(0, 100), Default: "0"},
	},
	Claim: "Without preprocessing n E‖g_n − g‖² = Q₂/2 − E‖g‖² for every n and d. With preprocessing n E‖ĝ_n − g‖² " +
		"tends to Q₂/4 − ω₁/2 + (1+ς²)/(2π) − E‖g‖² as n → ∞: subtracting the fitted linear part halves the noise, " +
		"although f⋆ has no linear part. Exactly, for every n and d and with all terms averaged over w, 4n³ E‖ĝ_n − g‖² = " +
		"(n−1)[(n+2d+2)Q₂ − 2Q₄ − 2(n−1)ω₁ + (1+ς²)((n−2)·2/π + 2d) + 2(‖H‖² + ω₃ + ‖Γ‖²) + ‖C‖² + ‖C(I)‖² + ‖h‖² + ‖K‖²] " +
		"+ 2Q₆ − (4n²−16n+8)E‖g‖² + (8n−4)g·h.",
	TeX: `n\, \mathbb{E}\lVert g_n - g \rVert^2 \to \tfrac14 d (1+\varsigma^2) + O(1)`,
	Assumptions: []theory.Assumption{
		{ID: "preprocessed", Text: "α and β are computed from the sample"},
		{ID: "noise", Text: "the noise has variance ς² and is independent of x"},
		{ID: "centred", Text: "E f⋆ = 0 and E ∇f⋆ = 0"},
		{ID: "normalised", Text: "E f⋆² = 1", NoControl: "f⋆ and ς scale together: a different normalisation amounts to a " +
			"different ς"},
	},
	Source: paper.At("concentration of the empirical gradient in the proof of Theorem 1: sup_w ‖g_n − g‖ ≲ √(d " +
		"ι^(p+1)/n)"),
	Deviations: "The source bounds the supremum over w with logarithms. Here the mean square, averaged over w, is given " +
		"with its constant.",
	Proof: "g_n is a mean of n independent terms. For ĝ_n, 1{w·x≥0} = ½ + ½s splits the error into a part that is " +
		"even in w and one that is odd, whose squares add up when averaged over w: ½(β − αx̄ − Σ̂β) with Σ̂ = mean " +
		"xxᵀ, and ½(mean syx − α mean sx − mean sxxᵀ β) − g. Both squares are sums over up to four samples. Split " +
		"each sum by the coincidences among the samples; a sample that occurs once contributes its mean, which is 0 " +
		"for y, x, yx and sxxᵀ, I for xxᵀ, 2g for syx and √(2/π)ŵ for sx. The means over w of squares of forms in H " +
		"and C are moments of a random direction; E y²‖x‖ᵏ follows from the mean of y² over spheres. For n = 1 the " +
		"residual is −y‖x‖², and the error ½Q₆ + E‖g‖² + g·h.",
	Tolerance: "The formulas are exact, so the tolerance has no term for n or d. A draw is the mean error over a batch " +
		"of data sets and some directions. From raw labels it is divided by the claimed value. After preprocessing the " +
		"claimed multiple of the error from raw labels is subtracted first, the difference is divided by the claimed " +
		"value, and 1 is added, so that the heavy tails of the labels largely cancel. Medians of draws are compared with " +
		"1. The scatter of draws was measured once and enters the margin. For the difference between median and mean " +
		"the margin allows a sixth of the scatter, which a skewness of 1 requires, and a third of it at n = 2d.",
	Limits: "d = 16 with n = 24d and n = 2d for three targets. Means over directions only: nothing is said about the " +
		"largest error over all directions, whose order includes logarithms.",
	Predict:  predictConcentration,
	Violated: func(v theory.Values) error { return Isotropic{D: v.Int("d"), R: v.Int("r")}.Valid() },
}

func predictConcentration(v theory.Values) []theory.Quantity {
	iso := Isotropic{D: v.Int("d"), R: v.Int("r")}
	s := Sampling{D: v.Int("d"), N: v.Int("n"), Noise: v.Float("noise"), Target: iso.Target()}
	return []theory.Quantity{
		{Name: "raw", Symbol: "E‖g_n−g‖²", Value: s.Raw(),
			Meaning: "mean squared error of the gradient from raw labels", Nonnegative: true},
		{Name: "preprocessed", Symbol: "E‖ĝ_n−g‖²", Value: s.Preprocessed(), Meaning: "mean squared error after " +
			"preprocessing",
			Nonnegative: true},
	}
}
