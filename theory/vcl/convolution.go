package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Convolution is the claim vcl/convolution.
var Convolution = theory.Statement{
	Slug:  "vcl/convolution",
	Title: "A convolution obeys the same law on its patches",
	Plain: "A gradient step changes a convolution's Gram matrix as virtual steps on its image patches change " +
		"their covariance, up to a second-order term.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "A convolution W̃ (channels × patch length) applied to all patches of a batch of images, any padding " +
		"and stride; every patch takes its own virtual step hᵢ⁺ = hᵢ − γW̃ᵀgᵢ, gᵢ = ∂loss/∂zᵢ.",
	Params: []theory.Param{
		{Name: "size", Symbol: "k", Meaning: "side of a patch", Domain: theory.IntegerBetween(1, 1000), Default: "3"},
		{Name: "side", Symbol: "s", Meaning: "side of the image", Domain: theory.IntegerBetween(1, 1e6), Default: "28"},
		{Name: "padding", Symbol: "p", Meaning: "zeros around the image",
			Domain: theory.IntegerBetween(0, 1000), Default: "1"},
		{Name: "stride", Symbol: "t", Meaning: "distance between patches",
			Domain: theory.IntegerBetween(1, 1000), Default: "1"},
		{Name: "in", Symbol: "cᵢ", Meaning: "channels of the image", Domain: theory.IntegerBetween(1, 1e5), Default: "3"},
		{Name: "out", Symbol: "cₒ", Meaning: "channels of the convolution",
			Domain: theory.IntegerBetween(1, 1e5), Default: "16"},
		{Name: "W", Symbol: "W̃", Meaning: "weights of the convolution, m = cₒ filters of length n = cᵢk²",
			Shape: "m×n"},
		{Name: "H", Symbol: "H", Meaning: "patches, one per column", Shape: "n×N"},
		{Name: "Gamma", Symbol: "Γ",
			Meaning: "gradients of the loss in the pre-activations of the convolution, one column per site and sample",
			Shape:   "m×N"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the loss in the patches, each patch taken separately: W̃ᵀΓ",
			Shape: "n×N"},
		{Name: "W_next", Symbol: "W̃⁺", Meaning: "weights after the step", Shape: "m×n"},
		anyStep,
		{Name: "a", Symbol: "a",
			Meaning: "scale of the loss that moves the weights, relative to the loss of Γ: 1 if Γ is the gradient of the " +
				"minimised loss"},
		{Name: "b", Symbol: "b", Meaning: "scale of the loss that moves the patches, relative to the loss of Γ"},
		covarianceScale,
	},
	Claim: "$W̃⁺ᵀW̃⁺ − W̃ᵀW̃ = (H⁺H⁺ᵀ − HHᵀ) + γ²(HΓᵀΓHᵀ − W̃ᵀΓΓᵀW̃)$ with the patches as hidden states, exactly.",
	TeX: `\tilde W_+^{\top} \tilde W_+ - \tilde W^{\top} \tilde W = \left( H_+ H_+^{\top} - H H^{\top} \right) + ` +
		`\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - \tilde W^{\top} \Gamma \Gamma^{\top} \tilde W \right)`,
	Assumptions: []theory.Assumption{
		{ID: "own-patch",
			Text: "the virtual step of a patch uses the gradient of that patch alone, not the gradient of the pixels it shows"},
		{ID: "all-sites", Text: "the covariance sums over all sites and samples"},
		{ID: "plain-descent", Text: "the weights take a plain gradient step"},
	},
	Source:     successor.At("Theorem 1, proof for convolutions"),
	Deviations: "The source states the law up to O(γ²); the residual is derived here.",
	Proof: "A convolution is one matrix product with all patches, so that the sum over sites is a sum over a larger " +
		"batch, and vcl/residual applies. Where patches overlap, the gradient of a pixel is the sum of the gradients of " +
		"all patches that show it.",
	Tolerance: "As in vcl/residual, with N in place of B. On integers the weights' gradient is taken by central " +
		"differences of step 1 of a loss that is quadratic in W̃ and convolved pixel by pixel, without rounding, so the " +
		"tolerance is 0. For smooth activations the gradient is compared with an extrapolated difference quotient of the " +
		"loss along a random direction, within the estimated error of that quotient.",
	Limits: "Images of at most 5×5 with two channels, patches of at most 3×3, four filters. Convolutions of a " +
		"practical size appear only in the experiments. No convolution has groups or dilation.",
	Readings: []theory.Reading{
		{ID: "image-gradient",
			Reading: "the virtual update of a convolution's input is h − γ ∂loss/∂h with h the image",
			Locus:   "Theorem 1, read with h the image",
			Correct: "∂loss/∂h per patch, W̃ᵀgᵢ; the gradient of the image adds the gradients of all patches that " +
				"show a pixel",
			Counterexample: "overlapping patches: with the gradient of the image the gap is of first order in γ"},
	},
	RestsOn:  []string{"vcl/residual"},
	Violated: func(v theory.Values) error { return convolutionOf(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		c := convolutionOf(v)
		return []theory.Quantity{
			{Name: "sites", Symbol: "N/B", Value: c.Sites(), Meaning: "patches per image"},
			{Name: "patch", Symbol: "cᵢk²", Value: c.Patch(), Meaning: "length of a patch"},
			{Name: "rank", Symbol: "rank R", Value: c.Rank(), Meaning: "largest rank of the residual on one image"},
			{Name: "overlap", Symbol: "⌈k/t⌉²", Value: c.Overlap(),
				Meaning: "patches that show one inner pixel, whose gradients the image's gradient adds up"},
		}
	},
}

// ConvShape holds the sizes of a convolution of square images.
type ConvShape struct{ Size, Side, Padding, Stride, In, Out int }

func convolutionOf(v theory.Values) ConvShape {
	return ConvShape{Size: v.Int("size"), Side: v.Int("side"), Padding: v.Int("padding"), Stride: v.Int("stride"),
		In: v.Int("in"), Out: v.Int("out")}
}

// Valid names the violated hypothesis.
func (c ConvShape) Valid() error {
	return cmp.Or(
		theory.Require(c.Size >= 1 && c.Side >= 1 && c.Padding >= 0 && c.Stride >= 1 && c.In >= 1 && c.Out >= 1,
			"vcl: the sizes of a convolution must be positive"),
		theory.Require(c.Size <= c.Side+2*c.Padding, "vcl: the patch is larger than the padded image"),
	)
}

// Sites returns the number of patches per image, (⌊(s+2p−k)/t⌋+1)².
func (c ConvShape) Sites() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	across := float64((c.Side+2*c.Padding-c.Size)/c.Stride + 1)
	return across * across
}

// Patch returns the length of a patch, cᵢk².
func (c ConvShape) Patch() float64 {
	return theory.When(c.Valid() == nil, float64(c.In*c.Size*c.Size))
}

// Rank returns the largest rank of the residual on one image: HΓᵀΓHᵀ and W̃ᵀΓΓᵀW̃ have rank at most min(cₒ, cᵢk², N)
// each.
func (c ConvShape) Rank() float64 {
	return math.Min(2*math.Min(float64(c.Out), c.Sites()), c.Patch())
}

// Overlap returns the largest number of patches that show one pixel.
func (c ConvShape) Overlap() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	along := float64((c.Size + c.Stride - 1) / c.Stride)
	return math.Min(along*along, c.Sites())
}
