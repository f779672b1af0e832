package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Convolution says that a convolution obeys the same law as a dense layer, on its patches.
//
// # Setting
//
// A convolution W̃ (channels × patch length D) applied to every patch of every image of a batch, as one matrix product
// with the N = batch·sites patches hᵢ as columns of H (D×N). gᵢ = ∂loss/∂zᵢ at patch i, and the virtual step of a patch
// is hᵢ⁺ = hᵢ − γ W̃ᵀgᵢ: each patch counts as an input of its own, also where patches overlap.
//
// # Claim
//
// With W̃⁺ = W̃ − γ Σᵢ gᵢhᵢᵀ: W̃⁺ᵀW̃⁺ − W̃ᵀW̃ = H⁺H⁺ᵀ − HHᵀ + γ²(HΓᵀΓHᵀ − W̃ᵀΓΓᵀW̃), exactly. The sum over sites is a sum over a
// larger batch, so vcl/residual applies.
//
// # Numerical form
//
// That of vcl/residual with N in place of B. On integers the weights' gradient is taken by central differences of step 1
// of a loss that is quadratic in W̃, without rounding; the tolerance is 0.
//
// # Source
//
// The successor's proof of the theorem for convolutions; the residual is derived above.
var Convolution = theory.Statement{
	Slug:     "vcl/convolution",
	Title:    "A convolution obeys the same law on its patches",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "A convolution W̃ (channels × patch length) applied to all patches of a batch of images, any padding and stride; every " +
		"patch takes its own virtual step hᵢ⁺ = hᵢ − γW̃ᵀgᵢ, gᵢ = ∂loss/∂zᵢ.",
	Params: []theory.Param{
		{Name: "size", Symbol: "k", Meaning: "side of a patch", Domain: theory.IntegerFrom(1), Default: "3"},
		{Name: "side", Symbol: "s", Meaning: "side of the image", Domain: theory.IntegerFrom(1), Default: "28"},
		{Name: "padding", Symbol: "p", Meaning: "zeros around the image", Domain: theory.IntegerFrom(0), Default: "1"},
		{Name: "stride", Symbol: "t", Meaning: "distance between patches", Domain: theory.IntegerFrom(1), Default: "1"},
		{Name: "in", Symbol: "c", Meaning: "channels of the image", Domain: theory.IntegerFrom(1), Default: "3"},
		{Name: "out", Symbol: "c′", Meaning: "channels of the convolution", Domain: theory.IntegerFrom(1), Default: "16"},
		{Name: "W", Symbol: "W̃", Meaning: "weights of the convolution", Shape: "c′×ck²"},
		{Name: "H", Symbol: "H", Meaning: "patches, one per column", Shape: "ck²×N"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the loss in the outputs of the convolution", Shape: "c′×N"},
	},
	Claim: "W̃⁺ᵀW̃⁺ − W̃ᵀW̃ = (H⁺H⁺ᵀ − HHᵀ) + γ²(HΓᵀΓHᵀ − W̃ᵀΓΓᵀW̃) with the patches as hidden states, exactly.",
	TeX: `\tilde W_+^{\top} \tilde W_+ - \tilde W^{\top} \tilde W = \left( H_+ H_+^{\top} - H H^{\top} \right) + ` +
		`\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - \tilde W^{\top} \Gamma \Gamma^{\top} \tilde W \right)`,
	Assumptions: []theory.Assumption{
		{ID: "own-patch", Text: "the virtual step of a patch uses the gradient of that patch alone, not that of the pixels it shows"},
		{ID: "all-sites", Text: "the covariance sums over all sites and samples"},
		{ID: "plain-descent", Text: "the weights take a plain gradient step"},
	},
	Source:     successor.At("Theorem 1, proof for convolutions"),
	Deviations: "The source states the law up to O(γ²); the residual is derived here.",
	Errata: []theory.Erratum{
		{ID: "image-gradient", Printed: "the virtual update of a convolution's input is h − γ ∂loss/∂h", Locus: "Theorem 1, read with h the image",
			Correct:        "∂loss/∂h per patch, W̃ᵀgᵢ; the gradient of the image adds the gradients of all patches that show a pixel",
			Counterexample: "a 3×3 kernel without padding: with the patches of the image's gradient the gap is of first order in γ"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		c := ConvShape{Size: v.Int("size"), Side: v.Int("side"), Padding: v.Int("padding"), Stride: v.Int("stride"), In: v.Int("in"), Out: v.Int("out")}
		return []theory.Quantity{
			{Name: "sites", Symbol: "N/B", Value: c.Sites(), Meaning: "patches per image"},
			{Name: "patch", Symbol: "ck²", Value: c.Patch(), Meaning: "length of a patch"},
			{Name: "rank", Symbol: "rank R", Value: c.Rank(), Meaning: "largest rank of the residual on one image"},
			{Name: "overlap", Symbol: "⌈k/t⌉²", Value: c.Overlap(), Meaning: "patches that show one inner pixel: what the gradient of the image adds up"},
		}
	},
}

// ConvShape are the sizes of a convolution of square images.
type ConvShape struct{ Size, Side, Padding, Stride, In, Out int }

// Valid names the violated hypothesis.
func (c ConvShape) Valid() error {
	if c.Size < 1 || c.Side < 1 || c.Padding < 0 || c.Stride < 1 || c.In < 1 || c.Out < 1 {
		return errors.New("vcl: the sizes of a convolution must be positive")
	}
	if c.Size > c.Side+2*c.Padding {
		return errors.New("vcl: the patch is larger than the padded image")
	}
	return nil
}

// Sites returns the number of patches per image, (⌊(s+2p−k)/t⌋+1)².
func (c ConvShape) Sites() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	across := float64((c.Side+2*c.Padding-c.Size)/c.Stride + 1)
	return across * across
}

// Patch returns the length of a patch, ck².
func (c ConvShape) Patch() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	return float64(c.In * c.Size * c.Size)
}

// Rank returns the largest rank of the residual on one image: HΓᵀΓHᵀ and W̃ᵀΓΓᵀW̃ have rank at most min(c′, ck², N) each.
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
