package vcl

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// feasibility pairs the criterion with eigenvalues of the target, and with what the closed-form solver says of it.
var feasibility = props.Claim{
	Statement: &theory.Feasibility,
	Verify: []props.LegacyCheck{
		feasibilityCriterion(feasibilityTrial{}),
		feasibilityBatch(feasibilityTrial{}),
		feasibilityInertia(feasibilityTrial{}),
		feasibilityNever(feasibilityTrial{}),
		feasibilityLimit(feasibilityTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "a in place of a − 1", Check: feasibilityCriterion(feasibilityTrial{wholeLength: true})},
		{Name: "D without its second order", Assumption: "whole-shift", Check: feasibilityCriterion(feasibilityTrial{linear: true})},
		{Name: "D without its second order, in the test for batches", Assumption: "whole-shift", Check: feasibilityBatch(feasibilityTrial{linear: true})},
		{Name: "a batch of two as one summed sample", Assumption: "one-sample", Check: feasibilityCriterion(feasibilityTrial{batch: true})},
		{Name: "weights that have lost a direction", Assumption: "full-rank", Check: feasibilityInertia(feasibilityTrial{lost: true})},
		{Name: "hidden states in the row space of W", Assumption: "outside", Check: feasibilityInertia(feasibilityTrial{inside: true})},
		{Name: "hidden states in the row space of W, at any step", Assumption: "outside", Check: feasibilityNever(feasibilityTrial{inside: true})},
		{Name: "a square layer with a ≤ 1, at any step", Check: feasibilityNever(feasibilityTrial{square: true})},
		{Name: "as many negative eigenvalues as samples", Check: feasibilityInertia(feasibilityTrial{everySample: true})},
		{Name: "all of h in place of its part in the kernel", Check: feasibilityLimit(feasibilityTrial{wholeLength: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "always-feasible", Check: feasibilityWorked("target of a 1×2 layer", mat.NewDense(1, 2, []float64{1, 0}), []float64{0, 1}, 0.5)},
		{Erratum: "large-step", Check: feasibilityWorked("target of a 1×1 layer", mat.NewDense(1, 1, []float64{1}), []float64{2}, 1)},
	},
	Resolve: []props.Resolution{
		{Of: "the determinant", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return feasibilityCriterion(feasibilityTrial{dose: dose}) }},
		{Of: "the least eigenvalue for m < n", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return feasibilityLimit(feasibilityTrial{dose: dose}) }},
	},
}

// feasibilityTrial is the version of the claim on trial. The zero value is the claim itself.
type feasibilityTrial struct {
	dose        float64 // γ²q(a−1) and the least eigenvalue times 1+dose
	wholeLength bool    // a for a−1; h for P₀h
	linear      bool
	batch       bool
	lost        bool
	inside      bool
	square      bool
	everySample bool
}

// feasibilityCriterion compares det G/det A with the 2×2 determinant, and its sign with that of the least eigenvalue of G, of
// which at most one may be negative.
func feasibilityCriterion(v feasibilityTrial) props.LegacyCheck {
	return props.Property{
		Name:  "criterion for m ≥ n",
		Cases: props.Scale{Quick: 300, Standard: 1200, Deep: 100000},
		Prop: func(t *props.T) props.Ratio {
			n := gen.Dim(t.T, "n", 6)
			m, batch := n+gen.Dim(t.T, "m−n+1", 4)-1, 1
			if v.batch {
				batch = 2
			}
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, m, n, 1), Gamma: gen.Gaussian(r, m, batch, 1), H: gen.Gaussian(r, n, batch, 1), Rate: gen.Scale(t.T, "γ", 1e-2, 3)}
			s, err := theory.NewSampleShift(p.W, rowSums(p.H), rowSums(p.Gamma))
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			claimed := s.Determinant(p.Rate) - v.dose*p.Rate*p.Rate*s.Q*(s.A-1)
			if v.wholeLength {
				claimed -= p.Rate * p.Rate * s.Q
			}
			measured, rounding := v.whitenedDeterminant(p)
			values, _, err := linalg.SymEigen(asSymmetric(v.target(p)), false)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			t.Show("W", p.W)
			t.Show("Γ", p.Gamma)
			t.Show("H", p.H)
			t.Show("γ", p.Rate)
			t.Show("det G/det A, measured and claimed", []float64{measured, claimed})
			t.Show("eigenvalues of G", values)
			ratio := props.Within(measured-claimed, rounding)
			if math.Abs(claimed) > rounding {
				ratio = props.Worst(ratio, props.Truth((claimed < 0) == (values[0] < 0)))
			}
			if noise := 64 * float64(n) * 0x1p-53 * max(-values[0], values[n-1]); n > 1 {
				ratio = props.Worst(ratio, props.Truth(values[1] > -noise))
			}
			return props.Worst(ratio, v.atLimit(p, s))
		},
	}.Check()
}

// atLimit is whether the determinant vanishes at γ*, and whether a target is feasible halfway there; where γ* is infinite, whether
// one at a hundred times the step is.
func (v feasibilityTrial) atLimit(p routes.Problem, s theory.SampleShift) props.Ratio {
	vanishes, limit := props.Ratio{}, s.Limit()
	if math.IsInf(limit, 1) {
		p.Rate *= 100
	} else {
		p.Rate = limit
		vanishes = props.Within(v.whitenedDeterminant(p))
		p.Rate = limit / 2
	}
	g := v.target(p)
	values, _, err := linalg.SymEigen(asSymmetric(g), false)
	if err != nil {
		return props.Truth(false)
	}
	n := len(values)
	return props.Worst(vanishes, props.AtMost(-values[0], 0, 64*float64(n)*0x1p-53*math.Pow(condition(p.W), 2)*(math.Pow(mat.Norm(p.W, 2), 2)+max(-values[0], values[n-1]))))
}

// rowSums adds up the columns: of one sample, the sample itself.
func rowSums(a mat.Matrix) []float64 {
	rows, cols := a.Dims()
	sum := make([]float64, rows)
	for i := range rows {
		for j := range cols {
			sum[i] += a.At(i, j)
		}
	}
	return sum
}

// target is A + D, as the version on trial has it.
func (v feasibilityTrial) target(p routes.Problem) *mat.Dense {
	g := routes.TrueShift.Gram(p)
	if v.linear {
		var back, square mat.Dense
		back.Mul(p.W.T(), p.Gamma)
		square.Mul(&back, back.T())
		square.Scale(-p.Rate*p.Rate, &square)
		g.Add(g, &square)
	}
	return g
}

// whitenedDeterminant is det(L⁻¹GL⁻ᵀ) for the Cholesky factor A = LLᵀ, as a product of eigenvalues, and its rounding: every
// eigenvalue is known to 64n·u·κ(A) times 1 plus the largest, since I and the whitened shift may cancel.
func (v feasibilityTrial) whitenedDeterminant(p routes.Problem) (det, rounding float64) {
	g := v.target(p)
	n, _ := g.Dims()
	var factor mat.Cholesky
	if !factor.Factorize(gramOf(p.W)) {
		return math.NaN(), math.NaN()
	}
	var lower mat.TriDense
	factor.LTo(&lower)
	var half, white mat.Dense
	if half.Solve(&lower, g) != nil || white.Solve(&lower, half.T()) != nil {
		return math.NaN(), math.NaN()
	}
	values, _, err := linalg.SymEigen(asSymmetric(&white), false)
	if err != nil {
		return math.NaN(), math.NaN()
	}
	top := 1 + max(-values[0], values[n-1])
	det = 1
	for i, x := range values {
		det *= x
		others := 1.0
		for j, y := range values {
			if j != i {
				others *= math.Abs(y)
			}
		}
		rounding += others
	}
	return det, rounding*64*float64(n)*0x1p-53*top*math.Pow(condition(p.W), 2) + math.Abs(det)*float64(n)*0x1p-53
}

// feasibilityBatch compares what the closed-form solver says of a batch with the least eigenvalue of the target. It factorises WᵀW,
// so both are known to 256n·u·κ(W)² of the sizes of WᵀW and G: what it refuses may not be positive beyond that, and what
// it solves not negative.
func feasibilityBatch(v feasibilityTrial) props.LegacyCheck {
	return props.Property{
		Name:  "test by 2B eigenvalues",
		Cases: props.Scale{Quick: 150, Standard: 700, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, batch := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "B", 5)
			m := n + gen.Dim(t.T, "m−n+1", 4) - 1
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, m, n, 1), Gamma: gen.Gaussian(r, m, batch, 1), H: gen.Gaussian(r, n, batch, 1), Rate: gen.Scale(t.T, "γ", 1e-2, 1)}
			if batch == 1 { // to both sides of where feasibility ends
				s, err := theory.NewSampleShift(p.W, rowSums(p.H), rowSums(p.Gamma))
				if limit := s.Limit(); err == nil && !math.IsInf(limit, 1) {
					p.Rate = limit * rapid.SampledFrom([]float64{0.999, 1.001}).Draw(t.T, "γ/γ*")
				}
			}
			target := v.target(p)
			values, _, err := linalg.SymEigen(asSymmetric(target), false)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			step, err := routes.Factor{}.Solve(p)
			t.Show("W", p.W)
			t.Show("Γ", p.Gamma)
			t.Show("H", p.H)
			t.Show("γ", p.Rate)
			t.Show("least eigenvalue of G", values[0])
			t.Show("the solver says", err)
			noise := 256 * float64(n) * 0x1p-53 * math.Pow(condition(p.W), 2) * (math.Pow(mat.Norm(p.W, 2), 2) + max(-values[0], values[n-1]))
			if errors.Is(err, routes.ErrInfeasible) {
				return props.AtMost(values[0], 0, noise)
			} else if err != nil {
				return props.Truth(false)
			}
			var gram mat.Dense
			gram.Mul(step.W.T(), step.W)
			gram.Sub(&gram, target)
			return props.Worst(props.AtMost(-values[0], 0, noise), props.Within(mat.Norm(&gram, 2), noise))
		},
	}.Check()
}

// feasibilityWorked is the printed presumption that the target of one sample with g = 1 is a Gram matrix.
func feasibilityWorked(name string, w *mat.Dense, h []float64, rate float64) props.LegacyCheck {
	return props.Example(name, func() (props.Ratio, string) {
		p := routes.Problem{W: w, Gamma: mat.NewDense(1, 1, []float64{1}), H: mat.NewDense(len(h), 1, h), Rate: rate}
		values, _, err := linalg.SymEigen(asSymmetric(routes.TrueShift.Gram(p)), false)
		if err != nil {
			return props.Truth(true), err.Error()
		}
		return props.AtMost(-values[0], 0, 1e-12), fmt.Sprintf("W = %v, h = %v, g = 1, γ = %g: least eigenvalue of G %.6g", w.RawMatrix().Data, h, rate, values[0])
	})
}
