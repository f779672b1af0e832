package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Interpolation is the claim vcl/interpolation.
var Interpolation = theory.Statement{
	Slug:  "vcl/interpolation",
	Title: "Interpolation error of a linear decoder compared with its reconstruction error",
	Plain: "A linear decoder's mean error at points interpolated between codes is at most its mean " +
		"reconstruction error.",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "Codes zᵢ and samples xᵢ, i = 1 … N, an affine decoder g, residuals rᵢ = g(zᵢ) − xᵢ with mean r̄. The " +
		"error of an ordered pair at 0 ≤ α ≤ 1 is ‖g(αzᵢ+(1−α)zⱼ) − αxᵢ − (1−α)xⱼ‖; means are over all N² pairs, " +
		"including those of a sample with itself.",
	Params: []theory.Param{
		{Name: "squares", Symbol: "(1/N)Σ‖rᵢ‖²", Meaning: "mean squared residual", Domain: theory.AtLeast(0),
			Default: "1"},
		{Name: "bias", Symbol: "‖r̄‖", Meaning: "norm of the mean residual", Domain: theory.AtLeast(0), Default: "0"},
		{Name: "alpha", Symbol: "α", Meaning: "weight of the first of a pair", Domain: theory.Between(0, 1),
			Default: "0.5"},
		{Name: "A", Symbol: "A", Meaning: "linear part of the decoder g(z) = Az + b", Shape: "p×d"},
		{Name: "b", Symbol: "b", Meaning: "its offset", Shape: "p"},
		{Name: "Z", Symbol: "Z", Meaning: "codes", Shape: "d×N"},
		{Name: "X", Symbol: "X", Meaning: "samples", Shape: "p×N"},
		{Name: "decoded", Symbol: "g(Z)", Meaning: "decoder at the codes", Shape: "p×N"},
		{Name: "between", Symbol: "g(αzᵢ+(1−α)zⱼ)", Meaning: "decoder between the codes i and j, in column (i−1)N+j",
			Shape: "p×N²"},
	},
	Claim: "Mean error ≤ (1/N)Σ‖rᵢ‖ ≤ √((1/N)Σ‖rᵢ‖²), with equality in the first for α = 0 and 1. Mean squared error " +
		"= (α²+(1−α)²)(1/N)Σ‖rᵢ‖² + 2α(1−α)‖r̄‖² exactly, so without bias it falls to half at α = ½.",
	TeX: `\frac{1}{N^2} \sum_{i,j} \lVert \alpha r_i + (1-\alpha) r_j \rVert \le \frac{1}{N} \sum_i \lVert r_i ` +
		`\rVert, \quad \frac{1}{N^2} \sum_{i,j} \lVert \alpha r_i + (1-\alpha) r_j \rVert^2 = \frac{\alpha^2 + ` +
		`(1-\alpha)^2}{N} \sum_i \lVert r_i \rVert^2 + 2 \alpha (1-\alpha) \lVert \bar{r} \rVert^2`,
	Assumptions: []theory.Assumption{
		{ID: "affine", Text: "the decoder is affine"},
		{ID: "between", Text: "0 ≤ α ≤ 1 (for the bound)"},
		{ID: "ordered-pairs", Text: "means are over all ordered pairs, including those of a sample with itself"},
	},
	Source:     successor.At("Proposition 3'"),
	Deviations: "The mean of squares is derived here.",
	Proof: "An affine decoder has the error ‖αrᵢ+(1−α)rⱼ‖. The first bound is the triangle inequality, averaged; the " +
		"second says that a mean is at most the root mean square; the identity follows by summing the squared errors.",
	Tolerance: "An output of the decoder is an inner product over d codes and errs by δ = (d+8)·u·M, M the largest " +
		"of ‖A‖‖z‖+‖b‖+‖x‖. The mean of errors errs by that, the mean of squares by twice its root times that on " +
		"both sides, and sums of N² terms and norms of p entries add (N²+N+5p+8)·u.",
	Limits: "This is the algebra of residuals: a pass says that a decoder claimed to be affine is affine. Nothing is " +
		"said about decoders with several layers, whose errors between the codes have another cause. Up to 8 codes, 8 " +
		"outputs and 8 samples.",
	Readings: []theory.Reading{
		{ID: "root", Reading: "the bound (1/N)Σ‖rᵢ‖ equals √(1−T₀), in units of the spread √(e₀/N) of the samples",
			Locus: "remark after Proposition 3'",
			Correct: "√(1−T₀) is the root mean square of the residuals; their mean is smaller unless all have " +
				"one length",
			Counterexample: "codes 1 and 0, samples 4 and −4, best linear decoder: residuals 0 and 4, so the bound " +
				"is 2, and √(1−T₀) is √8 in the same units"},
	},
	RestsOn: []string{"vcl/linearity"},
	Predict: func(v theory.Values) []theory.Quantity {
		e := reconstructionOf(v)
		return []theory.Quantity{
			{Name: "squared", Symbol: "(1/N²)Σ‖·‖²", Value: e.Interpolated(v.Float("alpha")),
				Meaning: "mean squared interpolation error"},
			{Name: "bound", Symbol: "√((1/N)Σ‖rᵢ‖²)", Value: e.Bound(),
				Meaning: "bound on the mean interpolation error", Bound: "≤"},
		}
	},
	Violated: func(v theory.Values) error { return reconstructionOf(v).Valid() },
}

// Reconstruction describes the residuals of a decoder by their first two moments.
type Reconstruction struct {
	Squares float64 // (1/N)Σ‖rᵢ‖²
	Bias    float64 // ‖r̄‖
}

func reconstructionOf(v theory.Values) Reconstruction {
	return Reconstruction{Squares: v.Float("squares"), Bias: v.Float("bias")}
}

// Valid names the violated hypothesis. A mean is no longer than the root mean square, up to rounding.
func (e Reconstruction) Valid() error {
	return theory.Require(e.Bias >= 0 && e.Squares >= 0 && e.Bias*e.Bias <= e.Squares*(1+1e-12),
		"vcl: the mean residual must not be longer than the root mean square of the residuals")
}

// Interpolated returns (α²+(1−α)²)(1/N)Σ‖rᵢ‖² + 2α(1−α)‖r̄‖².
func (e Reconstruction) Interpolated(alpha float64) float64 {
	return theory.When(e.Valid() == nil, (alpha*alpha+(1-alpha)*(1-alpha))*e.Squares+2*alpha*(1-alpha)*e.Bias*e.Bias)
}

// Bound returns √((1/N)Σ‖rᵢ‖²).
func (e Reconstruction) Bound() float64 {
	return theory.When(e.Valid() == nil, math.Sqrt(e.Squares))
}
