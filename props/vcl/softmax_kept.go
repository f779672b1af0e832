package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/optim"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// softmaxKept is that gradient descent does not change 1ᵀW, and that whitening does not if it is zero. Every column of the gradient is a sum over
// the batch. W then has lost a direction: the paper's route, which forms the Gram matrix, knows the singular value that vanishes to √u only and is
// left out.
func softmaxKept(v softmaxTrial) props.LegacyCheck {
	return props.Property{
		Name:  "1ᵀW is kept",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			classes, batch := 1+gen.Dim(t.T, "C−1", 5), gen.Dim(t.T, "B", 6)
			inputs := classes - 1 + gen.Dim(t.T, "n−C+1", 6)
			r := t.Stream("entries")
			w := gen.Gaussian(r, classes, inputs, 1)
			if !v.offset {
				w = mat.DenseCopyOf(centred(mat.DenseCopyOf(w.T())).T())
			}
			view, _ := v.view(r, w, batch)
			rate := gen.Scale(t.T, "γ", 1e-2, 1)
			solver := []routes.Solver{routes.Polar{}, routes.Krylov{}, routes.Auto{}}[rapid.IntRange(0, 2).Draw(t.T, "solver")]
			next, report, err := (&optim.VCL{Gamma: rate, Solver: solver}).Next(view)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			var grad, moved mat.Dense
			grad.Mul(view.PreGrad.T(), view.Inputs)
			moved.Sub(next, w)
			t.Show("W", w)
			t.Show("solver", report.Method)
			t.Show("1ᵀW₊ − 1ᵀW", columnSums(&moved))
			unit := float64(inputs+batch) * 0x1p-53
			return props.Worst(
				props.Within(mat.Norm(columnSums(&grad), 2), 16*unit*(mat.Norm(view.PreGrad, 2)+1)*mat.Norm(view.Inputs, 2)),
				props.Within(mat.Norm(columnSums(&moved), 2), 16*unit*math.Sqrt(float64(classes))*productCondition(w, next)*(mat.Norm(next, 2)+mat.Norm(w, 2))),
			)
		},
	}.Check()
}

// columnSums is 1ᵀA.
func columnSums(a *mat.Dense) *mat.VecDense {
	_, n := a.Dims()
	sums := mat.NewVecDense(n, nil)
	for j := range n {
		sums.SetVec(j, mat.Sum(a.ColView(j)))
	}
	return sums
}

// softmaxInertia counts the eigenvalues of the target of the true shift. Steps are 10⁻² of a summed loss: negative eigenvalues are of their
// square, 10⁻⁴ of a few singular values of order one, positive ones those of WᵀW.
func softmaxInertia(v softmaxTrial) props.LegacyCheck {
	return props.LegacySweep[wide, [2]int]{
		Name: "inertia for C < n",
		Cells: func(props.Effort) []wide {
			var cells []wide
			for classes := 2; classes <= 5; classes++ {
				for n := classes + 1; n <= 11; n += 2 {
					for _, b := range []int{1, 3, 12} {
						cells = append(cells, wide{classes, n, b})
					}
				}
			}
			return cells
		},
		Measure: func(t *props.Trial, c wide) [2]int {
			view, _ := v.view(t.Rand, conditionedLayer(t, theory.LayerShape{Outputs: c.M, Inputs: c.N}), c.B)
			p := routes.Problem{W: view.Stage.W, Gamma: view.PreGrad.T(), H: view.Inputs.T(), Rate: 1e-2 * float64(c.B)}
			return signs(routes.TrueShift.Gram(p))
		},
		Judge: func(cells []wide, counts [][2]int) props.Judgement {
			ok, example := true, ""
			for i, c := range cells {
				negative := theory.SoftmaxNegative(c.M, c.N, c.B)
				if v.everyClass {
					negative = theory.NegativeEigenvalues(c.M, c.N, c.B)
				}
				if counts[i] != [2]int{negative, c.M} && ok {
					ok = false
					example = fmt.Sprintf("%d classes, %d inputs, batch %d: %d negative and %d positive eigenvalues, claimed %d and %d", c.M, c.N, c.B, counts[i][0], counts[i][1], negative, c.M)
				}
			}
			return props.Judgement{Parts: []props.Part{{Name: "signs of the eigenvalues", Ratio: props.Truth(ok)}}, Counterexample: example}
		},
	}.Check()
}

// turning is one regression with two classes whitened at growing steps.
type turning struct{ steps, measured, claimed, allowed []float64 }

// softmaxAngles measures the angle between whitening and gradient descent: W₊W_sᵀ is a rotation of a positive definite matrix.
func softmaxAngles(v softmaxTrial) props.LegacyCheck {
	return props.LegacySweep[int, turning]{
		Name:    "angle along steps",
		Cells:   func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 6, Standard: 20, Deep: 500}.At(e)) },
		Measure: func(t *props.Trial, _ int) turning { return v.turn(t) },
		Judge: func(_ []int, all []turning) props.Judgement {
			ratio, curves := props.Ratio{}, []props.Curve{}
			for i, run := range all {
				for k := range run.steps {
					ratio = props.Worst(ratio, props.Within(run.measured[k]-(1+v.dose)*run.claimed[k], run.allowed[k]))
				}
				if i < 3 {
					curves = append(curves, props.Curve{Name: fmt.Sprintf("regression %d", i+1), Style: props.Points, X: run.steps, Y: run.measured},
						props.Curve{Name: fmt.Sprintf("closed form, %d", i+1), Style: props.Dashed, X: run.steps, Y: run.claimed})
				}
			}
			return props.Judgement{
				Parts: []props.Part{{Name: "angle along steps", Ratio: ratio}},
				Figures: []props.Figure{{
					ID:    "angle",
					Title: "How far whitening turns gradient descent",
					Caption: "For three softmax regressions with two classes, the angle from the weights of gradient descent to the whitened ones against the step size, " +
						"with a logarithmic axis: the measured angles lie on the closed form and begin in proportion to the step size.",
					X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "θ in radians"}, Curves: curves,
				}},
			}
		},
	}.Check()
}

// turn takes steps 2⁻⁶ … 2⁰, as far as they keep the weights on their side, of one regression with six inputs. An angle errs as the polar factor.
func (v softmaxTrial) turn(t *props.Trial) turning {
	const inputs, batch = 6, 4
	view, _ := v.view(t.Rand, conditionedLayer(t, theory.LayerShape{Outputs: 2, Inputs: inputs}), batch)
	var run turning
	for e := -6; e <= 0; e++ {
		rate := math.Ldexp(1, e)
		if limit, _ := v.sided(view, rate); limit < rate {
			break
		}
		next, _, err := (&optim.VCL{Gamma: rate}).Next(view)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		var m mat.Dense
		m.Mul(next, sgdStep(view.Stage.W, view, rate).T())
		run.steps = append(run.steps, rate)
		run.measured = append(run.measured, math.Atan2(m.At(1, 0)-m.At(0, 1), m.At(0, 0)+m.At(1, 1)))
		run.claimed = append(run.claimed, twoClasses(view, rate).Angle())
		run.allowed = append(run.allowed, 32*(inputs+batch)*0x1p-53*productCondition(view.Stage.W, next))
	}
	return run
}
