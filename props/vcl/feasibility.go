package vcl

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// feasibility pairs the criterion with eigenvalues of the target, and with what the closed-form solver says of it.
var feasibility = props.Claim{
	Statement: &theory.Feasibility,
	Verify: []props.Check{
		feasibilityCriterion(feasibilityTrial{}),
		feasibilityBatch(feasibilityTrial{}),
		feasibilityInertia(feasibilityTrial{}),
		feasibilityLimit(feasibilityTrial{}),
	},
	Controls: []props.Control{
		{Name: "a in place of a − 1", Check: feasibilityCriterion(feasibilityTrial{wholeLength: true})},
		{Name: "D without its second order", Assumption: "whole-shift", Check: feasibilityCriterion(feasibilityTrial{linear: true})},
		{Name: "a batch of two as one summed sample", Assumption: "one-sample", Check: feasibilityCriterion(feasibilityTrial{batch: true})},
		{Name: "weights that have lost a direction", Assumption: "full-rank", Check: feasibilityInertia(feasibilityTrial{lost: true})},
		{Name: "hidden states in the row space of W", Assumption: "outside", Check: feasibilityInertia(feasibilityTrial{inside: true})},
		{Name: "as many negative eigenvalues as samples", Check: feasibilityInertia(feasibilityTrial{everySample: true})},
		{Name: "all of h in place of its part in the kernel", Check: feasibilityLimit(feasibilityTrial{wholeLength: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "always-feasible", Check: feasibilityWorked("target of a 1×2 layer", mat.NewDense(1, 2, []float64{1, 0}), []float64{0, 1}, 0.5)},
		{Erratum: "large-step", Check: feasibilityWorked("target of a 1×1 layer", mat.NewDense(1, 1, []float64{1}), []float64{2}, 1)},
	},
	Resolve: []props.Resolution{
		{Of: "the determinant", Unit: props.Relative, Check: func(dose float64) props.Check { return feasibilityCriterion(feasibilityTrial{dose: dose}) }},
		{Of: "the least eigenvalue for m < n", Unit: props.Relative, Check: func(dose float64) props.Check { return feasibilityLimit(feasibilityTrial{dose: dose}) }},
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
	everySample bool
}

// feasibilityCriterion compares det G/det A with the 2×2 determinant, and its sign with that of the least eigenvalue of G, of
// which at most one may be negative.
func feasibilityCriterion(v feasibilityTrial) props.Check {
	return props.Property{
		Name:  "criterion for m ≥ n",
		Cases: props.Scale{Quick: 300, Standard: 3000, Deep: 100000},
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
			return ratio
		},
	}.Check()
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
// eigenvalue is known to 64n·u·κ(A) times the largest.
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
	top := max(-values[0], values[n-1])
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

// feasibilityBatch compares what the closed-form solver says of a batch with the least eigenvalue of the target.
func feasibilityBatch(feasibilityTrial) props.Check {
	return props.Property{
		Name:  "test by 2B eigenvalues",
		Cases: props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, batch := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "B", 5)
			m := n + gen.Dim(t.T, "m−n+1", 4) - 1
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, m, n, 1), Gamma: gen.Gaussian(r, m, batch, 1), H: gen.Gaussian(r, n, batch, 1), Rate: gen.Scale(t.T, "γ", 1e-2, 1)}
			target := routes.TrueShift.Gram(p)
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
			noise := 256 * float64(n) * 0x1p-53 * math.Pow(condition(p.W), 2) * max(-values[0], values[n-1])
			switch {
			case math.Abs(values[0]) <= noise:
				return props.Ratio{} // too close to call
			case values[0] < 0:
				return props.Truth(errors.Is(err, routes.ErrInfeasible))
			case err != nil:
				return props.Truth(false)
			}
			var gram mat.Dense
			gram.Mul(step.W.T(), step.W)
			gram.Sub(&gram, target)
			return props.Within(mat.Norm(&gram, 2), noise)
		},
	}.Check()
}

// wide is the shape of a layer with fewer outputs than inputs, and a batch.
type wide struct{ M, N, B int }

// feasibilityInertia counts the eigenvalues of targets for m < n.
func feasibilityInertia(v feasibilityTrial) props.Check {
	return props.Sweep[wide, [2]int]{
		Name: "inertia for m < n",
		Cells: func(e props.Effort) []wide {
			var cells []wide
			for m := 1; m <= 4; m++ {
				for n := m + 1; n <= 8; n += 2 {
					for _, b := range []int{1, 2, 5} {
						cells = append(cells, wide{m, n, b})
					}
				}
			}
			return cells
		},
		Measure: func(t *props.Trial, c wide) [2]int {
			p := v.wideProblem(t, c, 1e-3)
			values, _, err := linalg.SymEigen(asSymmetric(routes.TrueShift.Gram(p)), false)
			if err != nil {
				panic("vcl: " + err.Error())
			}
			noise := 64 * float64(c.N) * 0x1p-53 * max(-values[0], values[c.N-1])
			count := [2]int{}
			for _, x := range values {
				if x > noise {
					count[1]++
				} else if x < -noise {
					count[0]++
				}
			}
			return count
		},
		Judge: func(cells []wide, counts [][2]int) props.Judgement {
			ok, example := true, ""
			for i, c := range cells {
				negative := theory.NegativeEigenvalues(c.M, c.N, c.B)
				if v.everySample {
					negative = c.B
				}
				if counts[i] != [2]int{negative, c.M} && ok {
					ok = false
					example = fmt.Sprintf("%d×%d, batch %d: %d negative and %d positive eigenvalues, claimed %d and %d", c.M, c.N, c.B, counts[i][0], counts[i][1], negative, c.M)
				}
			}
			return props.Judgement{Parts: []props.Part{{Name: "signs of the eigenvalues", Ratio: props.Truth(ok)}}, Counterexample: example}
		},
	}.Check()
}

// wideProblem is a layer with singular values in [1, 2] and a batch.
func (v feasibilityTrial) wideProblem(t *props.Trial, c wide, rate float64) routes.Problem {
	p := routes.Problem{W: conditionedLayer(t, theory.LayerShape{Outputs: c.M, Inputs: c.N}), Gamma: gen.Gaussian(t.Rand, c.M, c.B, 1), Rate: rate}
	h := gen.Gaussian(t.Rand, c.N, c.B, 1)
	if v.inside {
		h.Mul(p.W.T(), gen.Gaussian(t.Rand, c.M, c.B, 1))
	}
	if v.lost {
		for j := range c.N {
			p.W.Set(c.M-1, j, 0)
		}
	}
	p.H = h
	return p
}

// leastRun is the least eigenvalue over −γ²‖P₀h‖²‖g‖² along halved steps.
type leastRun struct{ steps, shares []float64 }

// feasibilityLimit is the least eigenvalue for m < n as γ tends to zero.
func feasibilityLimit(v feasibilityTrial) props.Check {
	share := ""
	if !v.wholeLength {
		share = "least"
	}
	return props.Sweep[int, leastRun]{
		Name:  "least eigenvalue for m < n",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 20, Standard: 100, Deep: 2000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) leastRun { return v.halve(t) },
		Judge: func(_ []int, all []leastRun) props.Judgement {
			ratio := props.Ratio{}
			for _, r := range all {
				last := len(r.steps) - 1
				rounding := 1e3 * 0x1p-53 / math.Pow(r.steps[last], 2)
				ratio = props.Worst(ratio, props.Within(r.shares[last]-(1+v.dose), 2*math.Abs(r.shares[last-1]-r.shares[last])+rounding))
			}
			curves := []props.Curve{{Name: "limit", Style: props.Dashed, X: all[0].steps, Y: constant(1, len(all[0].steps))}}
			for i := range min(4, len(all)) {
				curves = append(curves, props.Curve{Name: fmt.Sprintf("layer %d", i+1), Style: props.Points, X: all[i].steps, Y: all[i].shares})
			}
			return props.Judgement{
				Parts: []props.Part{{Name: "limit of λ_min/(−γ²‖P₀h‖²‖g‖²)", Ratio: ratio}},
				Figures: []props.Figure{{
					ID:    "least",
					Title: "The least eigenvalue of the target",
					Caption: "Least eigenvalue of A + D over −γ²‖P₀h‖²‖g‖² for four 3×6 layers and one sample each, step sizes on a logarithmic axis: negative at " +
						"every step, the quotient tends to one.",
					X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "λ_min/(−γ²‖P₀h‖²‖g‖²)"}, Curves: curves,
				}},
			}
		},
	}.Check()
}

func constant(x float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// halve takes steps γ = 2⁻⁵ … 2⁻¹² of a 3×6 layer.
func (v feasibilityTrial) halve(t *props.Trial) leastRun {
	p := v.wideProblem(t, wide{3, 6, 1}, 0)
	outside := kernelPart(p.W, mat.DenseCopyOf(p.H))
	if v.wholeLength {
		outside = mat.Norm(p.H, 2)
	}
	var r leastRun
	for e := -5; e >= -12; e-- {
		p.Rate = math.Ldexp(1, e)
		values, _, err := linalg.SymEigen(asSymmetric(routes.TrueShift.Gram(p)), false)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		r.steps = append(r.steps, p.Rate)
		r.shares = append(r.shares, values[0]/theory.LeastEigenvalue(p.Rate, outside, mat.Norm(p.Gamma, 2)))
	}
	return r
}

// kernelPart is the norm of the part of h orthogonal to the rows of w.
func kernelPart(w, h *mat.Dense) float64 {
	var qr mat.QR
	var q, inside mat.Dense
	m, n := w.Dims()
	qr.Factorize(w.T())
	qr.QTo(&q)
	rows := q.Slice(0, n, 0, m)
	inside.Product(rows, rows.T(), h)
	inside.Sub(h, &inside)
	return mat.Norm(&inside, 2)
}

// feasibilityWorked is the printed presumption that the target of one sample with g = 1 is a Gram matrix.
func feasibilityWorked(name string, w *mat.Dense, h []float64, rate float64) props.Check {
	return props.Example(name, func() (props.Ratio, string) {
		p := routes.Problem{W: w, Gamma: mat.NewDense(1, 1, []float64{1}), H: mat.NewDense(len(h), 1, h), Rate: rate}
		values, _, err := linalg.SymEigen(asSymmetric(routes.TrueShift.Gram(p)), false)
		if err != nil {
			return props.Truth(true), err.Error()
		}
		return props.AtMost(-values[0], 0, 1e-12), fmt.Sprintf("W = %v, h = %v, g = 1, γ = %g: least eigenvalue of G %.6g", w.RawMatrix().Data, h, rate, values[0])
	})
}
