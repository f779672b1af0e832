package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// idlePowers are the singular values of one layer along steps without a gradient, for one α.
type idlePowers struct {
	Alpha    float64
	measured [][]float64 // after 0, 1, 2, … steps, descending
}

// algorithmIdle takes steps with zero gradients.
func algorithmIdle(v algorithmTrial) props.LegacyCheck {
	return props.LegacySweep[float64, idlePowers]{
		Name:    "steps without a gradient",
		Share:   "idle powers",
		Cells:   func(props.Effort) []float64 { return []float64{0.1, 0.3, 0.5} },
		Measure: func(t *props.Trial, alpha float64) idlePowers { return idleAlgorithm(t.Rand, alpha) },
		Judge:   func(_ []float64, all []idlePowers) props.Judgement { return v.judgeIdle(all) },
	}.Check()
}

// idleAlgorithm takes four steps of a 5×7 layer with singular values from 0.9 to 0.3.
func idleAlgorithm(r *rand.Rand, alpha float64) idlePowers {
	w := withSingularValues(r, 7, []float64{0.9, 0.783, 0.6, 0.45, 0.33})
	rule := &optim.Algorithm1{Gamma: 1, Alpha: alpha, Clip: true}
	out := idlePowers{Alpha: alpha}
	for range 5 {
		values, err := linalg.SingularValues(w)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		out.measured = append(out.measured, values)
		next, _, err := rule.Next(sampleView(w, gen.Gaussian(r, 3, 7, 1), mat.NewDense(3, 5, nil)))
		if err != nil {
			panic("vcl: " + err.Error())
		}
		w = next
	}
	return out
}

func (v algorithmTrial) judgeIdle(all []idlePowers) props.Judgement {
	ratio, example := props.Ratio{}, ""
	var curves []props.Curve
	for _, run := range all {
		curve := props.Curve{Name: fmt.Sprintf("smallest, α = %g", run.Alpha), Style: props.Points}
		predicted := props.Curve{Name: fmt.Sprintf("0.33^((2·%g)^k)", run.Alpha), Style: props.Dashed}
		for k, values := range run.measured {
			for i, s := range values {
				claimed := theory.IdlePower(run.measured[0][i], run.Alpha+v.dose, k)
				if v.fixed {
					claimed = run.measured[0][i]
				}
				// Every step errs by 16n·u relative to the largest eigenvalue, and these are above a tenth of it.
				ratio = props.Worst(ratio, props.Within(s-claimed, float64(k+1)*16*7*10*0x1p-53))
			}
			last := len(values) - 1
			curve.X, curve.Y = append(curve.X, float64(k)), append(curve.Y, values[last])
			predicted.X = append(predicted.X, float64(k))
			predicted.Y = append(predicted.Y, theory.IdlePower(run.measured[0][last], run.Alpha, k))
		}
		curves = append(curves, curve, predicted)
		example += fmt.Sprintf("α = %g: the singular value %.3g is %.4g after one step and %.4g after four\n", run.Alpha,
			run.measured[0][4], run.measured[1][4], run.measured[4][4])
	}
	return props.Judgement{
		Parts:          []props.Part{{Name: "singular values without a gradient", Ratio: ratio}},
		Counterexample: example,
		Figures: []props.Figure{{
			ID:    "idle",
			Title: "Algorithm 1 without a gradient",
			Caption: "The smallest singular value of a 5×7 layer along steps with zero gradients: for α = 0.1 and 0.3 it tends to one along the formula, and " +
				"only for α = ½ does it stay.",
			X: props.Axis{Label: "step"}, Y: props.Axis{Label: "singular value"}, Curves: curves,
		}},
	}
}

// counted is one run of the algorithm: the Gram matrix at its end and what it is compared with.
type counted struct {
	end, start *mat.Dense
	shifts     []*mat.Dense
	scale      float64 // the sum of the norms of all terms
	message    string
}

// algorithmCount runs six feasible steps with α = ½.
func algorithmCount(v algorithmTrial) props.LegacyCheck {
	share := ""
	if v == (algorithmTrial{dose: v.dose, once: v.once}) {
		share = "counts"
	}
	return props.LegacySweep[int, counted]{
		Name:  "count of the shifts",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 10, Standard: 50, Deep: 1000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) counted { return v.run(t) },
		Judge: func(_ []int, all []counted) props.Judgement {
			ratio := props.Ratio{}
			for _, c := range all {
				ratio = props.Worst(ratio, v.judgeCount(c))
			}
			return props.Judgement{Parts: []props.Part{{Name: "Gram matrix after six steps", Ratio: ratio}},
				Counterexample: fmt.Sprintf("the Gram matrix after six steps is %.3g times what rounding allows from the claimed sum", ratio.Value)}
		},
	}.Check()
}

// run takes six steps of a 7×4 layer with singular values in [1, 2] and shifts of a hundredth of that, which keeps the targets
// feasible.
func (v algorithmTrial) run(t *props.Trial) counted {
	const m, n, batch = 7, 4, 2
	w := conditionedLayer(t, theory.LayerShape{Outputs: m, Inputs: n})
	rule := &optim.Algorithm1{Gamma: 1e-3, Alpha: 0.5, PerStep: v.perStep, Clip: true}
	if v.large {
		rule.Gamma = 0.5
	}
	if v.alpha > 0 {
		rule.Alpha = v.alpha
	}
	out := counted{start: mat.DenseCopyOf(gramOf(w)), scale: math.Pow(mat.Norm(w, 2), 2)}
	for range 6 {
		h, gamma := gen.Gaussian(t.Rand, batch, n, 1), gen.Gaussian(t.Rand, batch, m, 1)
		step := theory.LayerStep{W: w, Inputs: mat.DenseCopyOf(h.T()), PreGrads: mat.DenseCopyOf(gamma.T()), Step: rule.Gamma, Convention: theory.Sum}
		out.shifts = append(out.shifts, step.Shift())
		next, _, err := rule.Next(sampleView(w, h, gamma))
		if err != nil {
			out.message = err.Error()
			return out
		}
		w = next
		out.scale += math.Pow(mat.Norm(w, 2), 2)
	}
	out.end = mat.DenseCopyOf(gramOf(w))
	return out
}

func (v algorithmTrial) judgeCount(c counted) props.Ratio {
	if c.message != "" {
		return props.Truth(false)
	}
	claimed, err := theory.CountedAgain(c.start, c.shifts)
	if err != nil {
		return props.Truth(false)
	}
	if v.once {
		claimed.Copy(c.start)
		for _, s := range c.shifts {
			claimed.Add(claimed, s)
		}
	}
	claimed.Scale(1+v.dose, claimed)
	claimed.Sub(claimed, c.end)
	return props.Within(mat.Norm(claimed, 2), 16*7*0x1p-53*c.scale)
}
