package props

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// Small claims, true and false, on which the engine is tried out.

func statement(name string) *theory.Statement {
	return &theory.Statement{
		Slug: "synthetic/" + name, Title: name, Plain: "A test.",
		Kind: theory.Identity, Standing: theory.Theorem, Setting: "a test",
		Claim: "true", TeX: "1", Proof: "obvious", Tolerance: "none", Limits: "everything else",
		Source:      theory.Source{Paper: "paper", Version: "v1", Year: 2020, Locus: "Theorem 1"},
		Assumptions: []theory.Assumption{{ID: "itself", Text: "text", NoControl: "a test"}},
	}
}

// assuming is a statement with one assumption and one erratum.
func assuming(name, assumption string) *theory.Statement {
	s := statement(name)
	s.Assumptions = []theory.Assumption{{ID: assumption, Text: "text"}}
	s.Errata = []theory.Erratum{{ID: "printed", Printed: "as printed", Locus: "(1)", Correct: "as it is",
		Counterexample: "n = 1"}}
	return s
}

// claim is a claim that consists of checks alone.
func claim(name string, checks ...Check) Claim {
	return Spec{Statement: statement(name), Checks: checks}.Claim()
}

// property is a check of a property of one drawn integer between 0 and 1000, in 40 cases.
func property(name string, prop func(t *T, n int) Ratio) Property {
	return Property{Name: name, Cases: Times(40), Prop: func(t *T) Ratio {
		n := rapid.IntRange(0, 1000).Draw(t.T, "n")
		t.Show("n", n)
		return prop(t, n)
	}}
}

// below fails for the integers from a threshold on.
func below(threshold int) Property {
	return property(fmt.Sprintf("below %d", threshold), func(_ *T, n int) Ratio { return Condition(n < threshold) })
}

// limited is the claim that an integer between 0 and 1000 is below 1001, with one control.
func limited(name string, c Control) Claim {
	s := assuming(name, c.Assumption)
	if c.Assumption == "" {
		s.Assumptions[0] = theory.Assumption{ID: "itself", Text: "text", NoControl: "a test"}
	}
	if c.Erratum == "" {
		s.Errata = nil
	}
	return Spec{Statement: s, Checks: []Check{typedInstances[int]{
		Name: "limit", Cases: Times(40),
		Draw: func(t *T, done string) int {
			if done == "broken" {
				panic("no")
			}
			return rapid.IntRange(0, 1000).Draw(t.T, "n")
		},
		Judge: func(r *Record, n int, claimed string) {
			if claimed == "smaller" {
				r.AtMost("limit", float64(n), 7, 0.1)
				return
			}
			r.AtMost("limit", float64(n), 1000, 0.1)
		},
		Controls: []Control{c},
	}}}.Claim()
}

// mean is the claim that normal draws of variance one have mean zero up to a margin, on four cells of 30 draws.
func mean(margin float64, controls ...Control) typedSweep[int, []float64] {
	return typedSweep[int, []float64]{
		Name: "mean", Cells: func(Effort) []int { return []int{1, 2, 3, 4} },
		Measure: func(t *Trial, _ int, _ string) []float64 {
			xs := make([]float64, 30)
			for i := range xs {
				xs[i] = t.Rand.NormFloat64()
			}
			return xs
		},
		Conclude: func(r *Record, _ []int, measured [][]float64, claimed string) {
			var all []float64
			for _, xs := range measured {
				all = append(all, xs...)
			}
			iv, want := stat.Mean(all, 1e-8), map[string]float64{"another": 5, "uncertain": margin}[claimed]
			r.EqualsAbsolutely("mean", iv, want, margin)
			r.Measured("mean", iv, want)
			r.Figure(Figure{ID: "draws", Title: "Draws", Caption: "All draws.",
				Curves: []Curve{{Name: "draws", Style: Points, X: all, Y: all}}})
		},
		Controls: controls,
	}
}

// zoo has a claim for everything that can happen.
func zoo() []Claim {
	return []Claim{
		commuting(120).Claim(),
		claim("statistical", mean(1.5, Control{Name: "another mean", claimed: "another"})),
		claim("true", below(1001)),
		claim("false", below(7)),
		claim("nan", typedInstances[float64]{
			Name: "nan", Cases: Times(40), Draw: always(math.NaN()),
			Judge: func(r *Record, x float64, _ string) { r.Within("nan", x, 0, 1) },
		}),
		claim("undecided", mean(0.1)),
		claim("panics", property("panics", func(_ *T, n int) Ratio {
			if n >= 500 {
				panic(fmt.Sprintf("cannot do %d", n))
			}
			return Ratio{}
		})),
		claim("empty", Property{Name: "empty", Prop: func(*T) Ratio { return Ratio{} }}),
		claim("none"),
		claim("two", below(1001), below(7)),
	}
}

// always draws the same instance.
func always[I any](in I) func(*T, string) I {
	return func(t *T, _ string) I { return Constant(in)(t) }
}
