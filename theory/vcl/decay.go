package vcl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Decay is the claim vcl/decay.
var Decay = theory.Statement{
	Slug:  "vcl/decay",
	Title: "Gram shift of a step with weight decay, exactly",
	Plain: "With weight decay, the change of a layer's Gram matrix over one gradient step has an exact closed " +
		"form.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "One layer z = Wh of a differentiable network, a step on the loss summed over a batch plus (λ/2)‖W‖²: " +
		"W⁺ = (1 − γλ)W − γΓHᵀ. P = WᵀΓ are the gradients in the layer's input, D the covariance shift and R the " +
		"residual of vcl/residual.",
	Params: []theory.Param{
		{Name: "w", Symbol: "w", Meaning: "weight of a layer with one output and one input",
			Domain: theory.Between(-1e6, 1e6), Default: "1"},
		{Name: "h", Symbol: "h", Meaning: "its input", Domain: theory.Between(-1e6, 1e6), Default: "1"},
		{Name: "g", Symbol: "g", Meaning: "gradient in its pre-activation", Domain: theory.Between(-1e6, 1e6),
			Default: "0.5"},
		stepSize(theory.Between(0, 1e6), "0.1"),
		{Name: "lambda", Symbol: "λ", Meaning: "weight decay", Domain: theory.Between(0, 1e6), Default: "0.01"},
		layerWeights, layerInputs, preActivationGrads, weightsAfter,
	},
	Claim: "$W⁺ᵀW⁺ − WᵀW = D + R − γλ(2 − γλ)WᵀW + γ²λ(PHᵀ + HPᵀ)$, exactly, for every γ and λ.",
	TeX: `W_+^{\top} W_+ - W^{\top} W = D + R - \gamma \lambda (2 - \gamma \lambda) W^{\top} W + ` +
		`\gamma^2 \lambda \left( P H^{\top} + H P^{\top} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "plain-descent",
			Text: "the weights take a plain gradient step on the loss with the penalty, at the old weights"},
	},
	Source:     paper.At("Theorem 2, to which weight decay is added"),
	Deviations: "The source has no weight decay; the law is derived here.",
	Proof: "Expand: (1−γλ)²WᵀW − γ(1−γλ)(PHᵀ + HPᵀ) + γ²HΓᵀΓHᵀ, with D = −γ(PHᵀ + HPᵀ) + γ²PPᵀ and R = γ²(HΓᵀΓHᵀ − " +
		"PPᵀ). To first order decay adds −2γλWᵀW.",
	Tolerance: "As in vcl/residual, (2(m+B)+12)·u·S, with (|1 − γλ| + γλ)‖W‖ in place of ‖W‖ in the size S of the " +
		"terms. On integers nothing is rounded.",
	Limits: "Algebra for any layer that uses its input once; nothing is said about the end of training with decay (see " +
		"vcl/fact).",
	RestsOn: []string{"vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		one := func(name string) *mat.Dense { return number(v.Float(name)) }
		s := LayerStep{W: one("w"), Inputs: one("h"), PreGrads: one("g"), Step: v.Float("step"), Convention: Sum}
		shift, decay := s.Shift().At(0, 0)+s.Residual().At(0, 0), s.Decay(v.Float("lambda")).At(0, 0)
		return []theory.Quantity{
			{Name: "change", Symbol: "w⁺² − w²", Value: shift + decay, Meaning: "change of the squared weight"},
			{Name: "decay", Symbol: "−γλ(2−γλ)w² + 2γ²λwgh", Value: decay,
				Meaning: "the part of the change that weight decay contributes"},
		}
	},
}

// Decay returns −γλ(2 − γλ)WᵀW + γ²λ(PHᵀ + HPᵀ), n×n: the contribution of weight decay to the change of the Gram
// matrix. All entries are NaN outside the hypotheses.
func (s LayerStep) Decay(lambda float64) *mat.Dense {
	gram := algebra.Product(s.W.T(), s.W)
	if s.Valid() != nil || s.Convention != Sum {
		return undefined(gram.RawMatrix().Cols)
	}
	cross := algebra.Product(algebra.Product(s.W.T(), s.PreGrads), s.Inputs.T())
	shrink, mixed := s.Step*lambda*(2-s.Step*lambda), s.Step*s.Step*lambda
	gram.Apply(func(i, j int, a float64) float64 { return mixed*(cross.At(i, j)+cross.At(j, i)) - shrink*a }, gram)
	return gram
}
