package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// bounded is one regression with all bounds on it.
type bounded struct {
	linearity, lower, upper, printed, trivial float64
	solved                                    bool
}

// printedBeatsTrivial is what a bound that grows with the similarity would have to do at the least: to exceed 1 − 2e₁/e₀ somewhere,
// which is weaker than the trivial bound 1 − e₁/e₀. Constants are at their best: ‖W‖ = c₀, ‖H‖_F = c₁, and λ = c₁²/2, where (2λ+c₁²)²/λ is least, among
// others.
func printedBeatsTrivial() props.LegacyCheck {
	return props.LegacySweep[int, bounded]{
		Name: "printed bound against the trivial one",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 300, Standard: 1000, Deep: 20000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) bounded {
			const d, n = 3, 8
			in := regression{h: gen.Gaussian(t.Rand, d, n, 1)}
			in.y = mixedTargets(t.Rand, in.h, float64(cell%5))
			c1 := mat.Norm(in.h, 2)
			in.lambda = c1 * c1 / 2 * math.Exp(t.Rand.NormFloat64())
			f, err := linearityTrial{}.run(in)
			// W orthogonal: S(G) = S, the largest that ‖W‖ = c₀ = 1 allows.
			return bounded{f.linearity, f.Lower(), f.Upper(), f.PrintedLower(f.E1, 1, c1, f.Similarity), 1 - f.E1/f.E0, err == nil}
		},
		Judge: func(_ []int, all []bounded) props.Judgement { return judgePrinted(all) },
	}.Check()
}

func judgePrinted(all []bounded) props.Judgement {
	beats, solved, closest := false, true, math.Inf(1)
	curves := []props.Curve{{Name: "lower bound", Style: props.Points}, {Name: "upper bound", Style: props.Points}, {Name: "printed bound", Style: props.Points}}
	for _, b := range all {
		solved = solved && b.solved
		beats = beats || !(1-b.printed >= 2*(1-b.trivial)*(1-1e-12)) // a dozen operations
		closest = min(closest, (1-b.printed)/(1-b.trivial))
		for i, y := range []float64{b.lower, b.upper, max(b.printed, -8)} {
			curves[i].X, curves[i].Y = append(curves[i].X, b.linearity), append(curves[i].Y, y)
		}
	}
	return props.Judgement{
		Parts:          []props.Part{{Name: "the printed bound exceeds 1 − 2e₁/e₀", Ratio: props.Truth(beats || !solved)}},
		Facts:          []props.Fact{props.Noted("least (C/S)/(e₁/e₀) over all draws", closest, 2)},
		Counterexample: fmt.Sprintf("on all %d draws C/S ≥ %.4g·e₁/e₀, so the printed bound is below 1 − 2e₁/e₀", len(all), closest),
		Figures: []props.Figure{{
			ID:    "bounds",
			Title: "Bounds on the target linearity",
			Caption: "For random regressions, bounds on the target linearity against its value: the lower and upper bound of the claim enclose the " +
				"diagonal, while the printed lower bound (cut off at −8) lies below −1 throughout.",
			X: props.Axis{Label: "target linearity T"}, Y: props.Axis{Label: "bound"}, Curves: curves,
		}},
	}
}

// printedNorm is the printed bound with e₁ = ‖Y‖ on the worked case.
func printedNorm() props.LegacyCheck {
	return props.Example("printed bound with e₁ = ‖Y‖", func() (props.Ratio, string) {
		in := regression{h: mat.NewDense(1, 2, []float64{1, 0}), y: []float64{4, -4}, lambda: 1}
		f, err := linearityTrial{}.run(in)
		if err != nil {
			return props.Truth(true), err.Error()
		}
		printed := f.PrintedLower(math.Sqrt(f.E1), 1, 1, f.Similarity)
		return props.AtMost(printed, f.linearity, f.slack),
			fmt.Sprintf("H = (1, 0), W = 1, Y = (4, −4), λ = 1: T = %.6g, printed bound %.6g", f.linearity, printed)
	})
}
