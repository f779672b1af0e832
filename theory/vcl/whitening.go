package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Whitening says that the two targets of virtual covariance learning differ by the residual of one step, and their solutions
// by as little.
//
// # Setting
//
// One step γ of a layer W (m×n). The true shift asks for the Gram matrix G = WᵀW + D, whitening for that of gradient
// descent, G′ = W_sᵀW_s with W_s = W − γΓHᵀ.
//
// # Claim
//
//	G − G′ = −R, R the residual of vcl/residual, exactly.
//
// G′ is a Gram matrix of m×n weights for every shape and every γ; its solution is polar(WW_sᵀ)W_s. For W of full rank the
// solutions to both targets, G with its negative part dropped, differ by O(γ²), while each moves by O(γ).
//
// # Numerical form
//
// On integers both targets are exact. For the order, with E(γ) the difference of the solutions, E(γ) − 4E(γ/2) bounds, doubled,
// what is not of second order. Dropping the negative part of G adds a term of second order as well, since that part is of
// order γ².
//
// # Source
//
// Equation (2) of the paper; whitening: arXiv 2605.06258. Their distance is derived above.
var Whitening = theory.Statement{
	Slug:     "vcl/whitening",
	Title:    "Whitening and the true covariance shift differ by the residual, and to second order",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting:  "One step γ of a layer W of full rank: nearest weights with the Gram matrix WᵀW + D, or with that of W_s = W − γΓHᵀ.",
	Params: []theory.Param{
		{Name: "step", Symbol: "γ", Meaning: "step size", Domain: theory.Above(0), Default: "0.1"},
		{Name: "second", Symbol: "‖E₂‖", Meaning: "distance of the two solutions over γ²", Domain: theory.AtLeast(0), Default: "2.3"},
		{Name: "first", Symbol: "‖Δ‖", Meaning: "length of the step over γ", Domain: theory.Above(0), Default: "2.7"},
	},
	Claim: "G − G′ = −R exactly; the nearest weights to both Gram matrices differ by O(γ²) while each moves by O(γ).",
	TeX: `G - G' = -\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - W^{\top} \Gamma \Gamma^{\top} W \right), \quad ` +
		`\lVert W_+(G) - W_+(G') \rVert = O(\gamma^2)`,
	Assumptions: []theory.Assumption{
		{ID: "full-rank", Text: "W has full rank (for the order only)"},
		{ID: "both-nearest", Text: "both are the nearest weights with their Gram matrix"},
		{ID: "same-batch", Text: "both targets are those of one batch at one step size"},
	},
	Source:     successor.At("whitening, with equation (2) of the workshop paper"),
	Deviations: "The sources use the two targets apart; that they differ by the residual is derived here.",
	RestsOn:    []string{"vcl/residual", "vcl/procrustes", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := SecondOrder{Step: v.Float("step"), First: v.Float("first"), Second: v.Float("second")}
		return []theory.Quantity{
			{Name: "moved", Symbol: "γ‖Δ‖", Value: s.Moved(), Meaning: "length of the step to first order"},
			{Name: "apart", Symbol: "γ²‖E₂‖", Value: s.Apart(), Meaning: "distance of the two solutions to second order"},
			{Name: "relative", Symbol: "γ‖E₂‖/‖Δ‖", Value: s.Relative(), Meaning: "distance over the length of the step"},
		}
	},
}

// SecondOrder are two steps that agree to first order.
type SecondOrder struct {
	Step          float64 // γ
	First, Second float64 // length over γ, distance over γ²
}

// Valid names the violated hypothesis.
func (s SecondOrder) Valid() error {
	if !(s.Step > 0 && s.First > 0 && s.Second >= 0) {
		return errors.New("vcl: a step size and a length must be positive, and a distance not negative")
	}
	return nil
}

// Moved returns γ‖Δ‖.
func (s SecondOrder) Moved() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return s.Step * s.First
}

// Apart returns γ²‖E₂‖.
func (s SecondOrder) Apart() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return s.Step * s.Step * s.Second
}

// Relative returns γ‖E₂‖/‖Δ‖.
func (s SecondOrder) Relative() float64 { return s.Apart() / s.Moved() }

// Targets returns G = WᵀW + D and G′ = W_sᵀW_s, both n×n. All entries are NaN outside the hypotheses.
func (s LayerStep) Targets() (shift, descent *mat.Dense) {
	_, n := s.W.Dims()
	shift = s.Shift()
	var gram, by, next mat.Dense
	gram.Mul(s.W.T(), s.W)
	shift.Add(shift, &gram)
	descent = mat.NewDense(n, n, nil)
	by.Mul(s.PreGrads, s.Inputs.T())
	by.Scale(-s.Step*s.Convention.Weights, &by)
	next.Add(s.W, &by)
	descent.Mul(next.T(), &next)
	if s.Valid() != nil {
		descent.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, descent)
	}
	return shift, descent
}
