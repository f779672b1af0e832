package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// krylovRun is one layer solved in spaces of 1, 2, … blocks.
type krylovRun struct {
	Kappa    float64   // condition of WWᵀ
	gaps     []float64 // excess of the squared distance over the least, relative to it
	formula  []float64 // the same by the nuclear norm, of vcl/procrustes
	gram     []props.Ratio
	rounding float64
}

// solversKrylov is the rotation in growing Krylov spaces: exact Gram matrix, excess falling to zero. Squared distances err by
// 64n·u‖W‖², which counts relative to the least of them.
func solversKrylov(v solversTrial) props.LegacyCheck {
	return props.LegacySweep[int, krylovRun]{
		Name:    "rotations in growing Krylov spaces",
		Cells:   func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 4, Standard: 12, Deep: 200}.At(e)) },
		Measure: func(t *props.Trial, cell int) krylovRun { return v.growKrylov(t.Rand, []float64{2, 6, 20, 60}[cell%4]) },
		Judge: func(_ []int, all []krylovRun) props.Judgement {
			gram, sign, formula, falls, ends := props.Ratio{}, props.Ratio{}, props.Ratio{}, props.Ratio{}, props.Ratio{}
			var curves []props.Curve
			for i, run := range all {
				for j, gap := range run.gaps {
					gram = props.Worst(gram, run.gram[j])
					sign = props.Worst(sign, props.AtMost(-gap, 0, run.rounding))
					formula = props.Worst(formula, props.Within(gap-run.formula[j], run.rounding))
					if j > 0 {
						falls = props.Worst(falls, props.AtMost(gap, run.gaps[j-1], run.rounding))
					}
				}
				ends = props.Worst(ends, props.Within(run.gaps[len(run.gaps)-1], run.rounding))
				if i < 4 {
					curves = append(curves, run.curves()...)
				}
			}
			return props.Judgement{
				Parts: []props.Part{{Name: "exact Gram matrix in every space", Ratio: gram}, {Name: "excess not negative", Ratio: sign},
					{Name: "excess by the nuclear norm", Ratio: formula},
					{Name: "excess does not grow", Ratio: falls}, {Name: "no excess at the end", Ratio: ends}},
				Figures: []props.Figure{{
					ID:    "krylov",
					Title: "Excess distance in growing Krylov spaces",
					Caption: "Excess of the squared distance over its minimum against the number of blocks, for 24×32 layers of four conditions and one sample, on a " +
						"logarithmic axis cut off at 10⁻¹⁶: it falls at the rate of conjugate gradients (dashed), while the Gram matrix is exact throughout.",
					X: props.Axis{Label: "blocks"}, Y: props.Axis{Label: "relative excess of ‖W₊ − W‖²", Log: true}, Curves: curves,
				}},
			}
		},
	}.Check()
}

// growKrylov solves one 24×32 layer with singular values spread evenly on a logarithmic scale.
func (v solversTrial) growKrylov(r *rand.Rand, kappa float64) krylovRun {
	const m, n = 24, 32
	d := make([]float64, m)
	for i := range d {
		d[i] = math.Pow(kappa, -float64(i)/(2*(m-1)))
	}
	p := routes.Problem{W: withSingularValues(r, n, d), Gamma: gen.Gaussian(r, m, 1, 0.3), H: gen.Gaussian(r, n, 1, 0.3), Rate: 0.1}
	reference, err := routes.Full{}.Solve(p)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	least, target := distance(reference.W, p.W), routes.SGDGram.Gram(p)
	run := krylovRun{Kappa: kappa, rounding: 64 * n * 0x1p-53 * math.Pow(mat.Norm(p.W, 2), 2) / least}
	most := m / 2
	if v.halfSpace {
		most = m / 4
	}
	for blocks := 1; blocks <= most; blocks++ {
		step, err := routes.Krylov{Blocks: blocks}.Solve(p)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		step.W.Scale(1+v.dose, step.W)
		run.gaps = append(run.gaps, distance(step.W, p.W)/least-1)
		run.formula = append(run.formula, theory.Gap(step.W, p.W)/least)
		run.gram = append(run.gram, meetsGramLoosely(step.W, target))
	}
	return run
}

// curves are the measured excess and the rate of conjugate gradients from its first value.
func (k krylovRun) curves() []props.Curve {
	root := math.Sqrt((1/1. + k.Kappa) / 2) // √κ̂ with κ̂ = (λmax + λmin)/(2λmin)
	rate := math.Pow((root-1)/(root+1), 2)
	measured := props.Curve{Name: fmt.Sprintf("condition %g", k.Kappa), Style: props.Points}
	predicted := props.Curve{Name: fmt.Sprintf("rate for %g", k.Kappa), Style: props.Dashed}
	for j, gap := range k.gaps {
		measured.X, measured.Y = append(measured.X, float64(j+1)), append(measured.Y, max(gap, 1e-16))
		predicted.X, predicted.Y = append(predicted.X, float64(j+1)), append(predicted.Y, max(k.gaps[0]*math.Pow(rate, float64(j)), 1e-16))
	}
	return []props.Curve{measured, predicted}
}
