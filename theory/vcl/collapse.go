package vcl

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Collapse is the claim vcl/collapse.
var Collapse = theory.Statement{
	Slug:  "vcl/collapse",
	Title: "Neural collapse maximises the similarity of targets and Gram matrix",
	Plain: "With classes of equal size, the similarity of features and class labels, relative to the features' size, " +
		"is largest exactly under neural collapse.",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "N samples in K ≥ 2 classes, none of them empty, the centred one-hot targets eₖ − 1/K in the rows of Y " +
		"(N×K), features in the columns of H (d×N), G = HᵀH, S(G) = tr(YᵀGY). Σ_B = Σᵢ(m₍ᵢ₎ − m̄)(m₍ᵢ₎ − m̄)ᵀ is the " +
		"scatter of the class means, each taken once for every sample of its class. Features are collapsed if each " +
		"equals its class mean and the means form a regular simplex around zero.",
	Params: []theory.Param{
		{Name: "classes", Symbol: "K", Meaning: "number of classes", Domain: theory.IntegerBetween(2, 100_000),
			Default: "10"},
		{Name: "size", Symbol: "N/K", Meaning: "samples in a class", Domain: theory.IntegerBetween(1, 1_000_000),
			Default: "100"},
		{Name: "length", Symbol: "a", Meaning: "squared length of a class mean", Domain: theory.Above(0), Default: "1"},
		{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Above(0), Default: "1"},
		{Name: "H", Symbol: "H", Meaning: "features, one sample per column", Shape: "d×N"},
		{Name: "labels", Symbol: "k", Meaning: "class of each sample, 0 to K−1", Shape: "N"},
		{Name: "fitted", Symbol: "Ŷ", Meaning: "ridge regression of the targets on the features, without an intercept",
			Shape: "N×K"},
	},
	Claim: "S(G) ≤ ‖G‖_F‖YYᵀ‖_F. In classes of equal size S(G) = (N/K) tr Σ_B and ‖YYᵀ‖_F = (N/K)√(K−1), where tr Σ_B ≤ " +
		"√(K−1)‖Σ_B‖_F ≤ √(K−1)‖G‖_F: S(G) depends neither on the variation of features within a class nor on their " +
		"overall mean. For H ≠ 0 the first bound is attained exactly when the features are collapsed, which requires d ≥ K " +
		"− 1. With class means of squared length a, S(G) is then aN²/K, and ridge regression with penalty λ has the target " +
		"linearity 1 − (λ/(λ+aN/(K−1)))².",
	TeX: `\operatorname{tr}(Y^{\top} G Y) = \frac{N}{K} \operatorname{tr} \Sigma_B \le \frac{N}{K} \sqrt{K-1} \, ` +
		`\lVert \Sigma_B \rVert_F \le \lVert Y Y^{\top} \rVert_F \lVert G \rVert_F`,
	Assumptions: []theory.Assumption{
		{ID: "nc1", Text: "every feature is the mean of its class (for equality)"},
		{ID: "nc2", Text: "the class means are vertices of a regular simplex around zero (for equality)"},
		{ID: "balanced", Text: "all classes have the same number of samples (for Σ_B and the numbers; not for the " +
			"bound and equality)"},
		{ID: "centred", Text: "the targets are centred over the classes"},
	},
	Source: successor.At("Proposition 2'"),
	Deviations: "The source says that collapsed features attain the maximum of S over G of one norm. The shortfall " +
		"elsewhere, from class means and from variation within classes, and the target linearity are derived here. " +
		"The source assumes balanced classes; with targets centred over the classes, as in its experiments, equality " +
		"holds without that assumption.",
	Proof: "S(G) = ⟨G, YYᵀ⟩, so the bound is the Cauchy–Schwarz inequality. HY has the columns nₖmₖ minus their mean " +
		"over the classes: for equal sizes (N/K)(mₖ − m̄). Σ_B has rank at most K−1. HHᵀ = Σ_B + N m̄m̄ᵀ + ZZᵀ, with the " +
		"deviations Z within classes, is a sum of positive semidefinite matrices, so ‖Σ_B‖ ≤ ‖HHᵀ‖ = ‖G‖. The first " +
		"inequality is an equality where all K−1 eigenvalues are equal (a regular simplex), the second where Z = 0 and m̄ " +
		"= 0. Collapsed features have G = aK/(K−1)·YYᵀ, and every column of Y is an eigenvector of it.",
	Tolerance: "Sums of N products of sums of N: (2N+K+40)·u·‖G‖‖YYᵀ‖. The regression errs as in vcl/linearity.",
	Limits: "Linear algebra of features and labels: a pass does not show that training ends in collapse. Up to 6 " +
		"classes of up to 5 samples in 8 dimensions.",
	RestsOn: []string{"vcl/linearity"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Simplex{Classes: v.Int("classes"), Size: v.Int("size"), Length: v.Float("length")}
		return []theory.Quantity{
			{Name: "gram", Symbol: "‖G‖_F", Value: s.Gram(), Meaning: "norm of the Gram matrix of collapsed features"},
			{Name: "similarity", Symbol: "S(G)", Value: s.Similarity(),
				Meaning: "their similarity to the targets, the largest for that norm"},
			{Name: "linearity", Symbol: "T", Value: s.Linearity(v.Float("lambda")), Meaning: "their target linearity"},
			{Name: "uncentred", Symbol: "√((K−1)/K)", Value: s.Uncentred(),
				Meaning: "share of the largest similarity that remains when the targets are not centred"},
		}
	},
}

// Simplex describes collapsed features.
type Simplex struct {
	Classes int     // K
	Size    int     // N/K
	Length  float64 // a, squared length of a class mean
}

// Valid names the violated hypothesis.
func (s Simplex) Valid() error {
	return cmp.Or(
		theory.Require(s.Classes >= 2 && s.Size >= 1,
			"vcl: a simplex has at least two classes, and a class at least one sample"),
		theory.Require(s.Length > 0, "vcl: class means must not vanish"),
	)
}

// TargetNorm returns ‖YYᵀ‖_F = (N/K)√(K−1).
func (s Simplex) TargetNorm() float64 {
	return theory.When(s.Valid() == nil, float64(s.Size)*math.Sqrt(float64(s.Classes-1)))
}

// Gram returns ‖G‖_F = aN/√(K−1).
func (s Simplex) Gram() float64 {
	k := float64(s.Classes)
	return s.Length * k / (k - 1) * s.TargetNorm()
}

// Similarity returns aN²/K.
func (s Simplex) Similarity() float64 { return s.Gram() * s.TargetNorm() }

// Linearity returns 1 − (λ/(λ+aN/(K−1)))², NaN unless λ > 0.
func (s Simplex) Linearity(lambda float64) float64 {
	if s.Valid() != nil || !(lambda > 0) {
		return math.NaN()
	}
	rest := lambda / (lambda + s.Length*float64(s.Classes*s.Size)/float64(s.Classes-1))
	return 1 - float64(rest*rest) // rounded on every architecture alike: a conversion forbids fusing
}

// Uncentred returns √((K−1)/K).
func (s Simplex) Uncentred() float64 {
	return theory.When(s.Valid() == nil, math.Sqrt(float64(s.Classes-1)/float64(s.Classes)))
}

// ClassScatter returns the number of classes K, their targets eₖ − 1/K in rows (N×K), and the scatter of the class
// means, each taken once for every sample of its class (d×d), for features in the columns of h (d×N) with classes 0, 1,
// …
func ClassScatter(h *mat.Dense, labels []int) (classes int, targets, scatter *mat.Dense) {
	d, n := h.Dims()
	classes = slices.Max(labels) + 1
	sums, sizes, mean := mat.NewDense(d, classes, nil), make([]float64, classes), make([]float64, d)
	targets = mat.NewDense(n, classes, slices.Repeat([]float64{-1 / float64(classes)}, n*classes))
	for i, k := range labels {
		sizes[k]++
		targets.Set(i, k, 1-1/float64(classes))
		for j := range d {
			sums.Set(j, k, sums.At(j, k)+h.At(j, i))
			mean[j] += h.At(j, i) / float64(n)
		}
	}
	scatter = mat.NewDense(d, d, nil)
	deviation := mat.NewVecDense(d, nil)
	for k, size := range sizes {
		if size == 0 {
			continue
		}
		for j := range d {
			deviation.SetVec(j, sums.At(j, k)/size-mean[j])
		}
		scatter.RankOne(scatter, size, deviation, deviation)
	}
	return classes, targets, scatter
}
