package latent

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// example is a worked case that a printed form gets wrong.
type example struct {
	Name   string
	target theory.Target
	w      []float64
	b      float64
}

var (
	mixed = theory.Target{{Coefficient: 1, Degrees: []int{2, 1}}, {Coefficient: 2, Degrees: []int{1, 1}}, {Coefficient: -1, Degrees: []int{0, 4}},
		{Coefficient: -6, Degrees: []int{0, 2}}, {Coefficient: 1, Degrees: []int{0, 1}}, {Coefficient: 0.5, Degrees: []int{1}}, {Coefficient: -2}}
	square = theory.Target{{Coefficient: 1, Degrees: []int{2}}}

	smallest    = example{"x²−1 at w = 1, b = 0", square, []float64{1}, 0}
	shifted     = example{"x²−1 at w = 1, b = 1", square, []float64{1}, 1}
	linear      = example{"x at w = 1, b = 0", theory.Target{{Coefficient: 1, Degrees: []int{1}}}, []float64{1}, 0}
	mixedUnit   = example{"x₁²x₂+2x₁x₂−x₂⁴+x₁/2+1 at w = (0.6, 0.8), b = 0", mixed, []float64{0.6, 0.8}, 0}
	mixedBiased = example{"x₁²x₂+2x₁x₂−x₂⁴+x₁/2+1 at w = (0.3, −1.1), b = 1/2", mixed, []float64{0.3, -1.1}, 0.5}
)

// seriesExamples holds a printed form against worked cases, each of which it has to get wrong: the ratio is the smallest.
func seriesExamples(v seriesTrial, examples ...example) props.LegacyCheck {
	return props.LegacySweep[string, []float64]{
		Name: "worked cases",
		Cells: func(props.Effort) []string {
			names := make([]string, len(examples))
			for i, e := range examples {
				names[i] = e.Name
			}
			return names
		},
		Measure: func(t *props.Trial, _ string) []float64 { return v.obtained(examples[t.Index].instance()) },
		Judge: func(_ []string, moments [][]float64) props.Judgement {
			mildest := props.Truth(false)
			var shown strings.Builder
			for i, e := range examples {
				in := e.instance()
				claimed := v.claimed(in.series())
				fmt.Fprintf(&shown, "%s: E[f x 1] = %.6f, printed %.6f\n", e.Name, moments[i], claimed)
				if r := props.Within(norm(plus(moments[i], -1, claimed)), in.rounding()); r.Value < mildest.Value {
					mildest = r
				}
			}
			return props.Judgement{
				Parts:          []props.Part{{Name: "the mildest of the worked cases", Ratio: mildest}},
				Counterexample: strings.TrimSpace(shown.String()),
			}
		},
	}.Check()
}

func (e example) instance() instance {
	return instance{e.target, monomials(e.target), e.w, e.b}
}
