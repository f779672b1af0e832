package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Collapse says that neural collapse is where the similarity of targets and Gram matrix is largest, and how linear the targets are there.
//
// # Setting
//
// N samples in K classes of N/K each, the centred one-hot targets eₖ − 1/K in the rows of Y (N×K), features in the columns of H, G = HᵀH,
// S(G) = tr(YᵀGY).
//
// # Claim
//
//  1. Among all G with ‖G‖_F ≤ r, S(G) ≤ r‖YYᵀ‖_F, ‖YYᵀ‖_F = (N/K)√(K−1), and at ‖G‖_F = r what is missing is exactly
//     (r/2)‖YYᵀ‖_F·‖G/r − YYᵀ/‖YYᵀ‖_F‖²_F: G = rYYᵀ/‖YYᵀ‖_F alone attains it.
//  2. Collapsed features attain it: every feature is the mean of its class (NC1), and the class means are vertices of a regular simplex around
//     zero (NC2). With means of squared length a they have S(G) = aN²/K.
//  3. Ridge regression with penalty λ on collapsed features has the target linearity T = 1 − (λ/(λ+aN/(K−1)))².
//
// S(G) = ⟨G, YYᵀ⟩, so the first is Cauchy and Schwarz's inequality with its remainder. YYᵀ is N/K times a projector of rank K−1; collapsed
// features have G = aK/(K−1)·YYᵀ, of which every column of Y is an eigenvector.
//
// # Numerical form
//
// Sums of N² products of entries of G and YYᵀ: (2N+K+16)·u‖G‖‖YYᵀ‖. The regression errs as in vcl/linearity.
//
// # Source
//
// Proposition 2' of the successor; the remainder, the uniqueness and the target linearity are derived above. The source asks for balanced
// classes; with targets centred over classes equality holds without.
//
// # Deviations
//
// The targets are centred over the classes, as in the experiments of the source. For targets that are not, S(G) of collapsed features is
// √((K−1)/K) of the largest.
var Collapse = theory.Statement{
	Slug:     "vcl/collapse",
	Title:    "Neural collapse maximises the similarity of targets and Gram matrix",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "N samples in K classes of equal size, Y (N×K) with the rows eₖ − 1/K, features in the columns of H, G = HᵀH, S(G) = tr(YᵀGY); " +
		"collapsed: the features of a class are one vertex of a regular simplex around zero.",
	Params: []theory.Param{
		{Name: "classes", Symbol: "K", Meaning: "number of classes", Domain: theory.IntegerFrom(2), Default: "10"},
		{Name: "size", Symbol: "N/K", Meaning: "samples in a class", Domain: theory.IntegerFrom(1), Default: "100"},
		{Name: "length", Symbol: "a", Meaning: "squared length of a class mean", Domain: theory.Above(0), Default: "1"},
		{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Above(0), Default: "1"},
	},
	Claim: "S(G) ≤ ‖G‖_F‖YYᵀ‖_F, with equality for G in proportion to YYᵀ alone, as collapsed features have it; their target linearity is 1 − (λ/(λ+aN/(K−1)))².",
	TeX: `\operatorname{tr}(Y^{\top} G Y) = r \lVert Y Y^{\top} \rVert_F \left( 1 - \frac{1}{2} \left\lVert \frac{G}{r} - ` +
		`\frac{Y Y^{\top}}{\lVert Y Y^{\top} \rVert_F} \right\rVert_F^2 \right), \quad r = \lVert G \rVert_F`,
	Assumptions: []theory.Assumption{
		{ID: "nc1", Text: "every feature is the mean of its class (for equality)"},
		{ID: "nc2", Text: "the class means are vertices of a regular simplex around zero (for equality)"},
		{ID: "balanced", Text: "all classes have the same number of samples (for the target linearity and the numbers; not needed for equality)"},
		{ID: "centred", Text: "the targets are centred over the classes (for equality)"},
	},
	Source:     successor.At("Proposition 2'"),
	Deviations: "Centring of the targets is written out; the remainder of the inequality and the target linearity are derived here.",
	RestsOn:    []string{"vcl/linearity"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Simplex{Classes: v.Int("classes"), Size: v.Int("size"), Length: v.Float("length")}
		return []theory.Quantity{
			{Name: "gram", Symbol: "‖G‖_F", Value: s.Gram(), Meaning: "norm of the Gram matrix of collapsed features"},
			{Name: "similarity", Symbol: "S(G)", Value: s.Similarity(), Meaning: "their similarity to the targets, the largest for that norm"},
			{Name: "linearity", Symbol: "T", Value: s.Linearity(v.Float("lambda")), Meaning: "their target linearity"},
			{Name: "uncentred", Symbol: "√((K−1)/K)", Value: s.Uncentred(), Meaning: "share of the largest similarity that is left for targets that are not centred"},
		}
	},
}

// Simplex are collapsed features.
type Simplex struct {
	Classes int     // K
	Size    int     // N/K
	Length  float64 // a, squared length of a class mean
}

// Valid names the violated hypothesis.
func (s Simplex) Valid() error {
	if s.Classes < 2 || s.Size < 1 {
		return errors.New("vcl: a simplex has at least two classes, and a class at least one sample")
	}
	if !(s.Length > 0) {
		return errors.New("vcl: class means must not vanish")
	}
	return nil
}

// TargetNorm returns ‖YYᵀ‖_F = (N/K)√(K−1).
func (s Simplex) TargetNorm() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return float64(s.Size) * math.Sqrt(float64(s.Classes-1))
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
	if s.Valid() != nil {
		return math.NaN()
	}
	return math.Sqrt(float64(s.Classes-1) / float64(s.Classes))
}
