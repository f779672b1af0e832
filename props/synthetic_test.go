package props

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// Small claims, true and false, on which the engine is tried out.

func statement(name string) *theory.Statement {
	return &theory.Statement{
		Slug: "synthetic/" + name, Title: name, Kind: theory.Identity, Standing: theory.Theorem,
		Errata: []theory.Erratum{{ID: "printed", Printed: "as printed", Counterexample: "n = 1"}},
	}
}

// claim is a claim that consists of checks alone.
func claim(name string, checks ...LegacyCheck) Claim {
	return Claim{Statement: statement(name), Verify: checks}
}

// property is a check of a property of one drawn integer between 0 and 1000, in 40 cases.
func property(name string, prop func(t *T, n int) Ratio) LegacyCheck {
	return Property{Name: name, Cases: Scale{40, 40, 40}, Prop: func(t *T) Ratio {
		n := rapid.IntRange(0, 1000).Draw(t.T, "n")
		t.Show("n", n)
		return prop(t, n)
	}}.Check()
}

// below fails for the integers from a threshold on.
func below(threshold int) LegacyCheck {
	return property("below", func(_ *T, n int) Ratio { return Truth(n < threshold) })
}

// always has the same ratio in each of its cells.
func always(name string, r Ratio) LegacyCheck {
	return property(name, func(*T, int) Ratio { return r })
}

// within is the claim 1 = 1+dose with a relative tolerance.
func within(tolerance float64) func(dose float64) LegacyCheck {
	return func(dose float64) LegacyCheck { return always("within", Within(dose, tolerance)) }
}

// mean is the claim that normal draws of variance one have the mean claimed, up to a zone. The measurement, 30 draws in
// each of four cells, is shared by whatever is claimed.
func mean(claimed, zone float64) LegacyCheck {
	return LegacySweep[int, []float64]{
		Name: "mean", Share: "draws",
		Cells: func(Effort) []int { return []int{1, 2, 3, 4} },
		Measure: func(t *Trial, cell int) []float64 {
			xs := make([]float64, 30)
			for i := range xs {
				xs[i] = t.Rand.NormFloat64()
			}
			return xs
		},
		Judge: func(_ []int, measured [][]float64) Judgement {
			var all []float64
			for _, xs := range measured {
				all = append(all, xs...)
			}
			iv := stat.Mean(all, stat.PartAlpha)
			return Judgement{
				Parts:   []Part{Equality("mean", iv, claimed, zone)},
				Facts:   []Fact{Measured("mean", iv, claimed)},
				Figures: []Figure{{ID: "draws", Curves: []Curve{{Name: "draws", Style: Points, X: all, Y: all}}}},
			}
		},
	}.Check()
}

// commutes is a claim with everything: AB = BA for multiples of the identity, which the control drops.
func commutes() Claim {
	version := func(scalar bool, dose float64) LegacyCheck {
		return Property{Name: "AB = BA", Cases: Scale{30, 30, 30}, Prop: func(t *T) Ratio {
			n := rapid.IntRange(2, 5).Draw(t.T, "n")
			entries := t.Stream("A")
			a, b := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
			for i := range n {
				for j := range n {
					b.Set(i, j, entries.NormFloat64())
					if a.Set(i, i, 3); !scalar {
						a.Set(i, j, entries.NormFloat64())
					}
				}
			}
			t.Show("A", a)
			t.Show("B", b)
			var ab, ba, difference mat.Dense
			ab.Mul(a, b)
			ba.Mul(b, a)
			ab.Scale(1+dose, &ab)
			difference.Sub(&ab, &ba)
			return Within(mat.Norm(&difference, 2), 1e-12*mat.Norm(&ba, 2))
		}}.Check()
	}
	return Claim{
		Statement: statement("commutes"),
		Verify:    []LegacyCheck{version(true, 0)},
		Controls:  []LegacyControl{{Name: "any two matrices", Assumption: "scalar", Check: version(false, 0)}},
		Errata:    []Refutation{{Erratum: "printed", Check: version(false, 0)}},
		Resolve:   []Resolution{{Of: "AB", Unit: Relative, Check: func(dose float64) LegacyCheck { return version(true, dose) }}},
	}
}

// statistical is a claim about a mean with control, erratum and resolution, on one shared measurement.
func statistical() Claim {
	return Claim{
		Statement: statement("statistical"),
		Verify:    []LegacyCheck{mean(0, 1.5)},
		Controls:  []LegacyControl{{Name: "another mean", Check: mean(5, 1.5)}},
		Errata:    []Refutation{{Erratum: "printed", Check: mean(-4, 1.5)}},
		Resolve:   []Resolution{{Of: "mean", Unit: Absolute, Check: func(dose float64) LegacyCheck { return mean(dose, 1.5) }}},
	}
}

// zoo has a claim for everything that can happen.
func zoo() []Claim {
	return []Claim{
		commutes(),
		statistical(),
		claim("true", below(1001)),
		claim("false", below(7)),
		claim("nan", always("nan", Ratio{math.NaN(), math.NaN()})),
		claim("undecided", mean(0, 0.1)),
		claim("panics", property("panics", func(_ *T, n int) Ratio {
			if n >= 500 {
				panic(fmt.Sprintf("cannot do %d", n))
			}
			return Ratio{}
		})),
		claim("empty", Property{Name: "empty", Prop: func(*T) Ratio { return Ratio{} }}.Check()),
		claim("none"),
		claim("two", below(1001), below(7)),
	}
}
