package vcl

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// wide is the shape of a layer with fewer outputs than inputs, and a batch.
type wide struct{ M, N, B int }

// feasibilityInertia counts the eigenvalues of targets for m < n.
func feasibilityInertia(v feasibilityTrial) props.LegacyCheck {
	return props.LegacySweep[wide, [2]int]{
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
			return signs(routes.TrueShift.Gram(p))
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

// feasibilityNever is that for m < n and one sample the target has a negative eigenvalue at every step, from 10⁻² to 10². On the
// plane of P₀h and w the target is [[x, y], [y, 0]] with y = γ‖P₀h‖‖w‖, of which the least eigenvalue is below −y²/(2x) or so: far above
// rounding when ‖P₀h‖ = ‖g‖ = 1.
func feasibilityNever(v feasibilityTrial) props.LegacyCheck {
	return props.LegacySweep[int, float64]{
		Name: "no feasible step for m < n",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 60, Standard: 500, Deep: 20000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) float64 {
			m := 1 + cell%4
			shape := wide{m, m + 1 + cell%3, 1}
			if v.square {
				shape.N = m
			}
			p := v.wideProblem(t, shape, math.Pow(10, 4*t.Rand.Float64()-2))
			h := mat.DenseCopyOf(p.H)
			switch {
			case v.square: // ‖h‖ = 1 and singular values of at least 1, so a ≤ 1
				h.Scale(1/mat.Norm(h, 2), h)
				p.H = h
			case !v.inside:
				h.Scale(1/kernelPart(p.W, h), h)
				p.H = h
			}
			g := mat.DenseCopyOf(p.Gamma)
			g.Scale(1/mat.Norm(g, 2), g)
			p.Gamma = g
			values, _, err := linalg.SymEigen(asSymmetric(routes.TrueShift.Gram(p)), false)
			if err != nil {
				panic("vcl: " + err.Error())
			}
			return values[0] / (64 * float64(len(values)) * 0x1p-53 * values[len(values)-1])
		},
		Judge: func(_ []int, least []float64) props.Judgement {
			worst := slices.Max(least)
			return props.Judgement{Parts: []props.Part{{Name: "least eigenvalue negative beyond rounding", Ratio: props.Truth(worst < -1)}},
				Counterexample: fmt.Sprintf("the largest least eigenvalue of %d targets is %.3g roundings", len(least), worst)}
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
func feasibilityLimit(v feasibilityTrial) props.LegacyCheck {
	share := ""
	if !v.wholeLength {
		share = "least"
	}
	return props.LegacySweep[int, leastRun]{
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
				rounding := 1e3 * 0x1p-53 / math.Pow(r.steps[last], 2) // of an eigenvalue of size γ², ‖G‖ ≤ 10
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

// signs counts the negative and the positive eigenvalues of a symmetric matrix that are not zero to rounding.
func signs(a *mat.Dense) [2]int {
	values, _, err := linalg.SymEigen(asSymmetric(a), false)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	n := len(values)
	noise := 64 * float64(n) * 0x1p-53 * max(-values[0], values[n-1])
	count := [2]int{}
	for _, x := range values {
		if x > noise {
			count[1]++
		} else if x < -noise {
			count[0]++
		}
	}
	return count
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
