package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Depth is the claim vcl/depth.
var Depth = theory.Statement{
	Slug: "vcl/depth",
	Title: "The arithmetic of Theorem 4': a layer's similarity, relative to its size, falls with the degree of the " +
		"layers above it",
	Plain: "With centred targets and activations of degree above one, layers that follow the neural feature " +
		"ansatz resemble the targets more with depth.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Targets Y ≠ 0 of length N that the network interpolates. The Gram matrix of layer l ≤ L is G = (c/N)PPᵀ " +
		"with Pᵢₖ = yᵢ + (M−1)yₖ, M = m^{L−l}. The neural feature ansatz WᵀW = (c/N)Σ∇f∇fᵀ gives this matrix when " +
		"hᵢ·∇f(hₖ) = f(hᵢ) + (M−1)f(hₖ), which the source assumes for activations that are homogeneous of degree m. S = " +
		"YᵀGY.",
	Params: []theory.Param{
		{Name: "degree", Symbol: "m", Meaning: "degree of the activations", Domain: theory.Between(1, 10),
			Default: "2"},
		{Name: "above", Symbol: "L−l", Meaning: "layers above", Domain: theory.IntegerBetween(0, 50), Default: "2"},
		{Name: "squares", Symbol: "‖Y‖²", Meaning: "sum of the squared targets", Domain: theory.Inside(0, 1e100),
			Default: "1"},
		{Name: "sum", Symbol: "ΣY", Meaning: "sum of the targets", Domain: theory.Real(), Default: "0"},
		{Name: "samples", Symbol: "N",
			Meaning: "number of samples", Domain: theory.IntegerBetween(1, 1_000_000), Default: "10"},
		{Name: "factor", Symbol: "M",
			Meaning: "degree of the network above the layer, m^{L−l}", Domain: theory.AtLeast(1), Default: "4"},
		{Name: "Y", Symbol: "Y", Meaning: "targets", Shape: "N"},
		{Name: "G", Symbol: "PPᵀ", Meaning: "Gram matrix of the layer times N/c", Shape: "N×N"},
	},
	Claim: "tr G = c[(1+(M−1)²)‖Y‖² + 2(M−1)(ΣY)²/N] and S = c[‖Y‖⁴ + (M²−1)‖Y‖²(ΣY)²/N]. So S/tr G = ‖Y‖²/Φ with " +
		"Φ = (M−1)² + 1 for centred targets: for m > 1 it grows with l, up to ‖Y‖² in the last layer.",
	TeX: `\frac{S}{\operatorname{tr} G} = \frac{\lVert Y \rVert^2}{\Phi_l}, \quad ` +
		`\Phi_l = \left( m^{L-l} - 1 \right)^2 + 1`,
	Assumptions: []theory.Assumption{
		{ID: "centred", Text: "the targets are centred (for S/tr G)"},
		{ID: "interpolation", Text: "the outputs equal the targets, and P has the form that the source assumes",
			NoControl: "P is the setting of the claim, not its conclusion"},
	},
	Source: successor.At("Theorem 4'"),
	Deviations: "The source prints the bound S ≳ C₀‖Y‖²/Φ for tr G ≥ C₀. The terms with ΣY, which vanish in that bound, " +
		"carry a factor 1/N that its derivation leaves out.",
	Proof: "tr PPᵀ = Σᵢₖ (yᵢ + (M−1)yₖ)², and PᵀY has the entries ‖Y‖² + (M−1)yₖΣY.",
	Tolerance: "Sums over N samples of squares of at most 2M|y|: tr G errs by (N+16)·u·4M²‖Y‖², and S, with two more " +
		"sums, by N‖Y‖² times that.",
	Limits: "Arithmetic only. That hᵢ·∇f(hₖ) = f(hᵢ) + (M−1)f(hₖ) is a Taylor approximation, exact for i = k and for " +
		"linear f, and the feature ansatz is an observation (vcl/ansatz): nothing here says that a trained layer has " +
		"this Gram matrix.",
	RestsOn: []string{"vcl/taylor", "vcl/ansatz"},
	Predict: func(v theory.Values) []theory.Quantity {
		p := PairSum{Factor: math.Pow(v.Float("degree"), v.Float("above")), Squares: v.Float("squares"),
			Sum: v.Float("sum"), Samples: v.Int("samples")}
		return []theory.Quantity{
			{Name: "trace", Symbol: "tr G/c", Value: p.Trace(), Meaning: "size of the layer"},
			{Name: "similarity", Symbol: "S/c", Value: p.Similarity(),
				Meaning: "similarity of targets and Gram matrix"},
			{Name: "phi", Symbol: "Φ", Value: p.Phi(), Meaning: "divisor of the similarity of centred targets"},
		}
	},
	Violated: func(v theory.Values) error {
		return PairSum{1, v.Float("squares"), v.Float("sum"), v.Int("samples")}.Valid()
	},
}

// PairSum describes the matrix Pᵢₖ = yᵢ + (M−1)yₖ by the moments of Y.
type PairSum struct {
	Factor  float64 // M
	Squares float64 // ‖Y‖²
	Sum     float64 // ΣY
	Samples int     // N
}

// Valid names the violated hypothesis.
func (p PairSum) Valid() error {
	return cmp.Or(
		theory.Require(p.Factor >= 1 && p.Samples >= 1, "vcl: a degree and a number of samples are at least one"),
		theory.Require(p.Sum*p.Sum <= float64(p.Samples)*p.Squares*(1+1e-12),
			"vcl: the square of a sum is at most N times the sum of squares"),
	)
}

// Phi returns (M−1)² + 1.
func (p PairSum) Phi() float64 { return (p.Factor-1)*(p.Factor-1) + 1 }

// Trace returns Φ‖Y‖² + 2(M−1)(ΣY)²/N.
func (p PairSum) Trace() float64 {
	return theory.When(p.Valid() == nil, p.Phi()*p.Squares+2*(p.Factor-1)*p.Sum*p.Sum/float64(p.Samples))
}

// Similarity returns ‖Y‖⁴ + (M²−1)‖Y‖²(ΣY)²/N.
func (p PairSum) Similarity() float64 {
	return theory.When(p.Valid() == nil, p.Squares*(p.Squares+(p.Factor*p.Factor-1)*p.Sum*p.Sum/float64(p.Samples)))
}
