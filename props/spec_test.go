package props

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// pair is two matrices that commute, or are claimed to.
type pair struct {
	A, B *mat.Dense
}

// commuting is an identity claim with everything: AB = BA for multiples of the identity, which a control drops.
func commuting(cases int) Spec {
	return Spec{
		Statement: assuming("spec", "scalar"),
		Checks: []Check{typedInstances[pair]{
			Name: "AB = BA", Cases: Times(cases), Regimes: []string{"small", "large", "huge"},
			Draw: func(t *T, done string) pair {
				n := rapid.IntRange(2, 5).Draw(t.T, "n")
				entries := t.Stream("A")
				a, b := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
				for i := range n {
					for j := range n {
						b.Set(i, j, entries.NormFloat64())
						if a.Set(i, i, 3); done == "any two" {
							a.Set(i, j, entries.NormFloat64())
						}
					}
				}
				return pair{a, b}
			},
			Judge: func(r *Record, p pair, claimed string) {
				r.Regime("small")
				if n, _ := p.A.Dims(); n > 3 {
					r.Regime("large")
				}
				var ab, ba mat.Dense
				ab.Mul(p.A, p.B)
				ba.Mul(p.B, p.A)
				if claimed == "off by a thousandth" {
					ba.Scale(1.001, &ba)
				}
				r.WithinMatrix("commutator", &ab, &ba, 1e-12*mat.Norm(&ba, 2))
			},
			Controls: []Control{
				{Name: "any two matrices", Assumption: "scalar", done: "any two"},
				{Name: "off by a thousandth", claimed: "off by a thousandth"},
				{Erratum: "printed", done: "any two", claimed: "as printed"},
			},
		}},
	}
}

// estimated is a claim about the mean of normal draws, on a sweep with three cells.
func estimated() Spec {
	return Spec{
		Statement: statement("estimated"),
		Checks: []Check{typedSweep[int, []float64]{
			Name: "mean", Cells: func(Effort) []int { return []int{1, 2, 3} },
			Measure: func(t *Trial, _ int, done string) []float64 {
				xs := make([]float64, 40)
				for i := range xs {
					xs[i] = 2 + t.Rand.NormFloat64()
					if done == "shifted" {
						xs[i] += 5
					}
				}
				return xs
			},
			Conclude: func(r *Record, _ []int, all [][]float64, claimed string) {
				var xs []float64
				for _, x := range all {
					xs = append(xs, x...)
				}
				want := 2.0
				if claimed == "twice" {
					want = 4
				}
				iv := stat.Mean(xs, 1e-8)
				r.Equals("mean", iv, want, 1)
				r.Measured("mean", iv, want)
			},
			Controls: []Control{{Name: "shifted", done: "shifted"}, {Name: "twice", claimed: "twice"}},
		}},
	}
}

func TestSpec(t *testing.T) {
	row, found := verify(t, commuting(40).Claim())
	require.Equal(t, results.Holds, row.Verdict, row.Message)
	require.Equal(t, 0, found.ExitCode())
	require.Empty(t, complaints(&row))
	require.Equal(t, []string{"AB = BA: huge"}, row.NotDrawn)
	require.Len(t, row.Controls, 3)
	require.Len(t, row.Errata, 1)
	require.True(t, row.Errata[0].Refuted)
	require.NotEmpty(t, row.Errata[0].Evidence)
	require.Len(t, row.Criteria, 1)
	part := row.Criteria[0]
	require.Len(t, part.Regimes, 2)
	require.Equal(t, 40, part.Regimes[0].Cases+part.Regimes[1].Cases)
	for _, r := range part.Regimes { // a relative tolerance of 1e-12 is what an error of the claim is measured against
		require.True(t, r.Run > 0.5e-12 && r.Decile < 1.5e-12 && r.Run <= r.Median && r.Median <= r.Decile, "%+v", r)
		require.InEpsilon(t, nearRatio, float64(r.Near), 0.01)
	}
	require.Equal(t, part.Resolution, row.Resolution)
}

func TestSpecRefuted(t *testing.T) {
	s := commuting(40)
	check := s.Checks[0].(typedInstances[pair])
	judge := check.Judge
	check.Judge = func(r *Record, p pair, _ string) { judge(r, p, "off by a thousandth") }
	check.Controls = nil
	s.Checks[0] = check
	row, found := verify(t, s.Claim())
	require.Equal(t, results.Refuted, row.Verdict)
	require.Equal(t, 1, found.ExitCode())
	require.Contains(t, row.Counterexample, "A (2×2) =") // shrunk to the smallest dimension
}

// Variants with the same Done share their draws and measurements, and none sees the data of another.
func TestVariantsShareWhatIsDone(t *testing.T) {
	calls := map[string]int{}
	s := Spec{Statement: statement("sharing"), Checks: []Check{typedSweep[int, string]{
		Name: "s", Cells: func(Effort) []int { return []int{0} },
		Measure: func(_ *Trial, _ int, done string) string { calls[done]++; return "did " + done },
		Judge: func(r *Record, _ int, m, claimed string) {
			r.Within("number", map[string]float64{"did ": 1, "did that": 2}[m], map[string]float64{"": 1, "two": 2}[claimed],
				0.1)
		},
		Controls: []Control{{Name: "a", done: "that"}, {Name: "b", claimed: "two"}, {Name: "c", claimed: "none"}},
	}}}
	row, _ := verify(t, s.Claim())
	require.Empty(t, complaints(&row))
	require.Equal(t, map[string]int{"": replicates.Quick, "that": replicates.Quick}, calls)
}

// A control that is the claim itself, or another control again, or points at an erratum that is not there, does not
// build.
func TestSpecThatContradictsItself(t *testing.T) {
	with := func(controls ...Control) func() {
		s := commuting(1)
		check := s.Checks[0].(typedInstances[pair])
		check.Controls = controls
		s.Checks[0] = check
		return func() { s.Claim() }
	}
	require.NotPanics(t, with())
	require.PanicsWithValue(t, `props: synthetic/spec: check "AB = BA": control "x" is the same variant as the claim `+
		`itself`, with(Control{Name: "x"}))
	require.Panics(t, with(Control{Name: "x", done: "any two"}, Control{Name: "y", done: "any two"}))
	require.Panics(t, with(Control{Erratum: "no such", done: "any two"}))
	require.Panics(t, with(Control{Reading: "no such", done: "any two"}))
	twice := commuting(1)
	twice.Checks = append(twice.Checks, twice.Checks[0])
	require.Panics(t, func() { twice.Claim() })
	hidden := Spec{Statement: statement("hidden"), Checks: []Check{typedSweep[int, struct{ lost float64 }]{Name: "s"}}}
	require.Panics(t, func() { hidden.Claim() }, "a measurement that would not survive encoding")
}

// A variant that no check knows does what the claim does, and is accepted.
func TestControlWithAMisspeltVariantIsAccepted(t *testing.T) {
	s := commuting(40)
	check := s.Checks[0].(typedInstances[pair])
	check.Controls = []Control{{Name: "any two matrices", done: "any tow"}}
	s.Checks[0] = check
	row, found := verify(t, s.Claim())
	require.False(t, row.Controls[0].Rejected)
	require.Equal(t, 1, found.ExitCode())
}

// A control is rejected by a valid ratio only, and by the criterion that it names.
func TestControlsThatProveNothing(t *testing.T) {
	judged := func(judge func(r *Record, claimed string), control Control) results.Control {
		s := Spec{Statement: statement("proves"), Checks: []Check{typedInstances[float64]{
			Name: "c", Cases: Times(3), Draw: always(1.0),
			Judge:    func(r *Record, _ float64, claimed string) { judge(r, claimed) },
			Controls: []Control{control},
		}}}
		row, _ := verify(t, s.Claim())
		requirePassed(t, row)
		return row.Controls[0]
	}
	wrong := func(claimed string) bool { return claimed == "wrong" }
	infinite := judged(func(r *Record, claimed string) {
		slack := 1.0
		if wrong(claimed) {
			slack = math.Inf(1)
		}
		r.AtMost("bound", 0, 1, slack)
	}, Control{Name: "slack without limit", claimed: "wrong"})
	require.False(t, infinite.Rejected)
	require.Contains(t, infinite.Message, "no positive finite tolerance")

	nan := judged(func(r *Record, claimed string) {
		got := 1.0
		if wrong(claimed) {
			got = math.NaN()
		}
		r.Within("value", got, 1, 1)
	}, Control{Name: "NaN", claimed: "wrong"})
	require.False(t, nan.Rejected)

	byAnother := func(criterion string) results.Control {
		return judged(func(r *Record, claimed string) {
			got := 1.0
			if wrong(claimed) {
				got = 5
			}
			r.Within("this", 1, 1, 1)
			r.Within("that", got, 1, 1)
		}, Control{Name: "c", claimed: "wrong", Criterion: criterion})
	}
	require.True(t, byAnother("").Rejected)
	require.Equal(t, "that", byAnother("").Criterion)
	require.True(t, byAnother("that").Rejected)
	require.False(t, byAnother("this").Rejected)
	require.False(t, byAnother("no such criterion").Rejected)
}

// NaN, infinities and tolerances that are none are errors in every comparison, in every argument.
func TestPoisonedRecord(t *testing.T) {
	poison := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	one := mat.NewDense(1, 1, []float64{1})
	at := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	iv := func(x float64) stat.Interval { return interval95(x, x, x) }
	all := map[string]func(r *Record, x float64){
		"got":       func(r *Record, x float64) { r.Within("c", x, 1, 1) },
		"want":      func(r *Record, x float64) { r.Within("c", 1, x, 1) },
		"tolerance": func(r *Record, x float64) { r.Within("c", 1, 1, x) },
		"matrix":    func(r *Record, x float64) { r.WithinMatrix("c", at(x), one, 1) },
		"wanted":    func(r *Record, x float64) { r.WithinMatrix("c", one, at(x), 1) },
		"vector":    func(r *Record, x float64) { r.WithinVector("c", []float64{x}, []float64{1}, 1) },
		"exact":     func(r *Record, x float64) { r.Exactly("c", x, 1) },
		"exactly":   func(r *Record, x float64) { r.ExactlyMatrix("c", one, at(x)) },
		"value":     func(r *Record, x float64) { r.AtMost("c", x, 1, 1) },
		"bound":     func(r *Record, x float64) { r.AtMost("c", 1, x, 1) },
		"slack":     func(r *Record, x float64) { r.AtMost("c", 1, 1, x) },
		"interval":  func(r *Record, x float64) { r.Equals("c", iv(x), 1, 1) },
		"claimed":   func(r *Record, x float64) { r.Equals("c", iv(1), x, 1) },
		"margin":    func(r *Record, x float64) { r.Equals("c", iv(1), 1, x) },
		"exponent":  func(r *Record, x float64) { r.WithinExponent("c", x, 1, 1) },
		"function":  func(r *Record, x float64) { r.Perturbed("c", func(float64) Ratio { return compare(x, 1) }) },
		"functional": func(r *Record, x float64) {
			r.PerturbedMatrix("c", one, func(*mat.Dense) Ratio { return compare(x, 1) })
		},
	}
	for name, judge := range all {
		values := poison
		if name == "tolerance" || name == "slack" || name == "margin" {
			values = append([]float64{0, -1}, poison...)
		}
		for _, x := range values {
			r := &Record{detailed: true, entry: streams.New(1, "poison")}
			judge(r, x)
			require.Equal(t, results.Error, r.ratio().Verdict(), "%s = %v: %+v", name, x, r.findings)
		}
	}
}

// The closed forms of the smallest perturbation: beyond it the comparison fails, short of it it holds.
func TestPerturbationsAreSharp(t *testing.T) {
	r := streams.New(1, "perturbations")
	for range 200 {
		want := mat.NewDense(3, 4, nil)
		want.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, want)
		got := mat.NewDense(3, 4, nil)
		got.Apply(func(i, j int, _ float64) float64 { return want.At(i, j) + 1e-7*r.NormFloat64() }, got)
		var diff mat.Dense
		diff.Sub(got, want)
		tolerance := mat.Norm(&diff, 2) * (1 + 3*r.Float64())
		epsilon, near := matrixPerturbation(&diff, want, tolerance, streams.New(7, "entry"))
		require.InEpsilon(t, nearRatio, near, 1e-6)
		rejects := func(e float64) bool { // in both shapes and with both signs
			i, j := randomEntry(3, 4, streams.New(7, "entry"))
			for _, sign := range []float64{-1, 1} {
				whole, single := mat.DenseCopyOf(want), mat.DenseCopyOf(want)
				whole.Scale(1+sign*e, whole)
				single.Set(i, j, single.At(i, j)+sign*e*mat.Norm(want, 2))
				for _, moved := range []*mat.Dense{whole, single} {
					var d mat.Dense
					d.Sub(got, moved)
					if mat.Norm(&d, 2) <= tolerance {
						return false
					}
				}
			}
			return true
		}
		require.True(t, rejects(epsilon*(1+1e-6)))
		require.False(t, rejects(epsilon*(1-1e-6)))
	}
	// A comparison of traces notices the factor and not an entry off the diagonal.
	eye := mat.NewDiagDense(3, []float64{1, 1, 1})
	epsilon, _ := searchMatrixPerturbation(eye, func(m *mat.Dense) Ratio { return compare(mat.Trace(m)-3, 1e-9) },
		streams.New(1, "x"))
	require.True(t, math.IsInf(epsilon, 1))
	epsilon, _ = searchMatrixPerturbation(eye, func(m *mat.Dense) Ratio {
		var d mat.Dense
		d.Sub(m, eye)
		return compare(mat.Norm(&d, 2), 1e-9)
	}, streams.New(1, "x"))
	require.InEpsilon(t, 1e-9/math.Sqrt(3), epsilon, 1e-6)
}

// The resolution belongs to the sign of an error that is noticed last, whichever it is.
func TestCoarserSign(t *testing.T) {
	for _, steep := range []float64{-1, 1} {
		epsilon, _ := searchPerturbation(func(e float64) Ratio {
			if e*steep > 0 {
				e *= 10
			}
			return compare(e, 1e-3)
		})
		require.InEpsilon(t, 1e-3, epsilon, 1e-6)
	}
}

// The error probabilities of comparisons and of regimes add up.
func TestProbabilitiesAddUp(t *testing.T) {
	one := Criterion{Name: "c", Form: results.Estimate, Alpha: 1e-9, Undecided: 1e-6}
	all := merged([]finding{{Criterion: one}, {Criterion: one}, {Criterion: one}})
	require.Len(t, all, 1)
	require.InEpsilon(t, 3e-9, all[0].Alpha, 1e-9)
	require.InEpsilon(t, 3e-6, all[0].Undecided, 1e-9)
	p := newCriterionResult(checker{}, one)
	for range 2 {
		addRegime(&p, tallyRow{Criterion: all[0].Criterion}, 0)
	}
	require.InEpsilon(t, 6e-9, p.Alpha, 1e-9)
	require.InEpsilon(t, 6e-6, p.Undecided, 1e-9)
}

// A sweep says of each criterion at most once what was chosen after a look at the data, and its row repeats it.
func TestChosenAfterALook(t *testing.T) {
	of := func(chosen map[string][]string) Check {
		return Grid[int, float64, float64]{Name: "numbers", Cells: Times(3).Indices, Chosen: chosen, Claim: 1,
			Measure: func(*Trial, int) float64 { return 1 },
			Judge:   func(r *Record, _ int, x, claim float64) { r.Exactly("one", x, claim) }}
	}
	k := of(map[string][]string{"bound": {"one"}}).erase()
	require.Equal(t, "bound", newCriterionResult(k, Criterion{Name: "one"}).Chosen)
	require.Empty(t, newCriterionResult(k, Criterion{Name: "two"}).Chosen)
	for _, unclear := range []map[string][]string{{"": {"one"}}, {"bound": {"one"}, "sizes": {"one"}}} {
		require.Panics(t, func() { of(unclear).erase() })
	}
}
