package vcl

import (
	"cmp"
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
)

// Softmax is the claim vcl/softmax.
var Softmax = theory.Statement{
	Slug:  "vcl/softmax",
	Title: "Softmax regression: whitening rotates the weights that gradient descent reaches, and keeps 1ᵀW = 0",
	Plain: "For moderate steps in two-class softmax regression, whitening rotates the weights that gradient " +
		"descent would reach by an explicit angle.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Logits z = Wx of C classes, W C×n, mean loss −log softmax(z)_y over a batch of B, gᵢ = (softmax(zᵢ) − " +
		"e_y)/B, W_s = W − γΓHᵀ the weights of gradient descent.",
	Params: []theory.Param{
		{Name: "squared", Symbol: "‖W‖²", Meaning: "squared norm of the weights of two classes",
			Domain: theory.Between(1e-6, 1e6), Default: "1"},
		{Name: "first", Symbol: "z₁", Meaning: "logit of the first class, of one sample",
			Domain: theory.Between(-700, 700), Default: "0.6"},
		{Name: "second", Symbol: "z₂", Meaning: "logit of the second class", Domain: theory.Between(-700, 700),
			Default: "0.2"},
		{Name: "label", Symbol: "y", Meaning: "class of the sample", Domain: theory.OneOf("first", "second"),
			Default: "second"},
		stepSize(theory.Between(1e-9, 1e6), "0.1"),
		{Name: "classes", Symbol: "C", Meaning: "number of classes", Domain: theory.IntegerBetween(2, 1e6), Default: "10"},
		{Name: "inputs", Symbol: "n", Meaning: "number of inputs", Domain: theory.IntegerBetween(1, 1e6), Default: "784"},
		{Name: "batch", Symbol: "B", Meaning: "samples in the batch", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
		{Name: "W", Symbol: "W", Meaning: "weights", Shape: "C×n"},
		{Name: "H", Symbol: "x", Meaning: "inputs, one sample per column", Shape: "n×B"},
		{Name: "Y", Symbol: "e_y", Meaning: "labels, one-hot, one sample per column", Shape: "C×B"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the mean loss in the logits, one sample per column",
			Shape: "C×B"},
		{Name: "W_next", Symbol: "W₊", Meaning: "whitened weights", Shape: "C×n"},
	},
	Claim: "Two classes: $W₊ = R(θ)(W − γΓHᵀ)$, $tan θ = −γ Σ qᵢ(z₁+z₂)ᵢ/(‖W‖² − γ Σ qᵢ(z₁−z₂)ᵢ)$, qᵢ the first entry " +
		"of gᵢ, as long as det(WW_sᵀ) > 0. For any C gradient descent keeps 1ᵀW, and whitening keeps 1ᵀW = 0 where " +
		"its step is unique: where WW_sᵀ has the rank of W_s, so not from W = 0. For C < n, a generic batch and small γ " +
		"the target of the true shift has C positive and $min(B, n−C, C−1) negative eigenvalues$.",
	TeX: `W_+ = R(\theta) \left( W - \gamma \Gamma H^{\top} \right), \quad ` +
		`\tan \theta = \frac{- \gamma \sum_i q_i (z_1 + z_2)_i}{\lVert W \rVert^2 - \gamma \sum_i q_i (z_1 - ` +
		`z_2)_i}, \quad \min(B, n-C, C-1) \text{ negative eigenvalues}, \quad 1^{\top} W = 0 \text{ is kept}`,
	Assumptions: []theory.Assumption{
		{ID: "softmax", Text: "the classes share one softmax, so that the entries of every gᵢ add up to zero"},
		{ID: "same-side", Text: "det(WW_sᵀ) > 0: the step does not turn the weights inside out (for the angle)"},
		{ID: "centred", Text: "1ᵀW = 0 (for whitening to keep it)"},
		{ID: "unique", Text: "WW_sᵀ has the rank of W_s (for whitening to keep 1ᵀW = 0)"},
		{ID: "generic", Text: "W has full rank, samples are in general position and the step is small (for the count)"},
	},
	Source:     paper.At("poster, logistic regression"),
	Deviations: "The source announces the case as easy to investigate; everything stated is derived here.",
	Proof: "The step maximises tr W₊Wᵀ = tr R(θ)(WW_sᵀ)ᵀ over rotations, with WW_sᵀ = WWᵀ − γZΓᵀ. 1ᵀgᵢ = 0 keeps 1ᵀW " +
		"in gradient descent; 1ᵀW = 0 gives 1ᵀWW_sᵀ = 0 and WW_sᵀ1 = 0, so the polar factor maps the complement of 1 " +
		"into itself, where it is determined on the range of W_s. The block of the target between the kernel of W " +
		"and its row space is −γP₀HΓᵀW, and Γ has rank at most C−1: one fewer than other layers can have.",
	Tolerance: "A polar factor errs by 16(n+B)·u·κ, κ = ‖W‖‖W_s‖ over the least singular value of WW_sᵀ that is not " +
		"zero. Routes that form the Gram matrix err by √u when 1ᵀW = 0, because one singular value vanishes, and " +
		"are left out there. Probabilities have slopes below one in logits that err by n·u‖W‖‖x‖.",
	Limits: "Up to eight classes and eleven inputs. The angle is stated for two classes only; the count is a count of " +
		"signs, which has no resolution, and is taken for steps of 10⁻³ to 10⁻² on a summed loss.",
	RestsOn: []string{"vcl/procrustes", "vcl/feasibility", "vcl/logistic"},
	Predict: predictSoftmax,
}

func predictSoftmax(v theory.Values) []theory.Quantity {
	z := []float64{v.Float("first"), v.Float("second")}
	p := Probabilities(z)
	q := p[0]
	if v.Choice("label") == "first" {
		q--
	}
	t := TwoClasses{Squared: v.Float("squared"), Common: q * (z[0] + z[1]), Apart: q * (z[0] - z[1]),
		Step: v.Float("step")}
	return []theory.Quantity{
		{Name: "probability", Symbol: "p₁", Value: p[0], Meaning: "probability of the first class"},
		{Name: "angle", Symbol: "θ", Value: t.Angle(),
			Meaning: "angle, in radians, by which whitening rotates the weights of gradient descent"},
		{Name: "negative", Symbol: "min(B, n−C, C−1)",
			Value:   float64(SoftmaxNegative(v.Int("classes"), v.Int("inputs"), v.Int("batch"))),
			Meaning: "negative eigenvalues of the target of the true shift"},
	}
}

// Probabilities returns exp zₖ / Σ exp zⱼ, shifted by the largest logit.
func Probabilities(z []float64) []float64 {
	top, sum, p := slices.Max(z), 0.0, make([]float64, len(z))
	for k, x := range z {
		p[k] = math.Exp(x - top)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// TwoClasses is one whitening step of a softmax regression with two classes.
type TwoClasses struct {
	Squared float64 // ‖W‖²
	Common  float64 // Σ qᵢ(z₁+z₂)ᵢ with qᵢ the first entry of gᵢ
	Apart   float64 // Σ qᵢ(z₁−z₂)ᵢ
	Step    float64 // γ
}

// Valid names the violated hypothesis.
func (t TwoClasses) Valid() error {
	return cmp.Or(
		theory.Require(t.Squared > 0, "vcl: the weights must not vanish"),
		theory.Require(!math.IsNaN(t.Common+t.Apart+t.Step), "vcl: logits, gradients and the step must be numbers"),
	)
}

// Angle returns θ in (−π, π], counter-clockwise in the plane of the two classes.
func (t TwoClasses) Angle() float64 {
	return theory.When(t.Valid() == nil, math.Atan2(-t.Step*t.Common, t.Squared-t.Step*t.Apart))
}

// SoftmaxNegative returns min(B, n−C, C−1) for C < n: the number of negative eigenvalues of the target for a generic
// batch and small steps. It is 0 for C ≥ n.
func SoftmaxNegative(classes, inputs, batch int) int {
	return max(0, min(batch, inputs-classes, classes-1))
}
