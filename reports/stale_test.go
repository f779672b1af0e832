package reports

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// numberCheck is a check with one control and one erratum.
func numberCheck(name, control, assumption string) props.Check {
	return props.Sweep[int, float64]{Name: name, Cells: props.Times(1).Indices,
		Measure: func(*props.Trial, int, string) float64 { return 1 },
		Judge: func(r *props.Record, _ int, m float64, claimed string) {
			r.Exactly("criterion", m, 1+float64(len(claimed)))
		},
		Controls: []props.Control{{Name: control, Assumption: assumption, Claimed: "w"}, {Erratum: "e", Claimed: "ee"}}}
}

// catalogue is a list of one claim.
func catalogue(checks ...props.Check) props.Spec {
	return props.Spec{Checks: checks, Statement: &theory.Statement{Slug: "a/b", Title: "T", Kind: theory.Identity, Standing: theory.Theorem,
		Source: theory.Source{Paper: "P", ArXiv: "1", Locus: "Theorem 1"}, Errata: []theory.Erratum{{ID: "e", Printed: "p", Counterexample: "c"}}}}
}

func TestStale(t *testing.T) {
	check := numberCheck("v", "w", "x")
	r := props.Run(t.Context(), []props.Claim{catalogue(check).Claim()}, props.Options{Effort: props.Quick, Seed: 1, Jobs: 1})
	require.Zero(t, r.ExitCode())
	for want, change := range map[string]func(*props.Spec){
		"":                                 func(*props.Spec) {},
		`a/b: title is "U", stored as "T"`: func(s *props.Spec) { s.Statement.Title = "U" },
		`a/b: kind is "limit", stored as "identity"`:                      func(s *props.Spec) { s.Statement.Kind = theory.Limit },
		`a/b: standing is "finding", stored as "theorem"`:                 func(s *props.Spec) { s.Statement.Standing = theory.Finding },
		`a/b: paper is "Q", stored as "P"`:                                func(s *props.Spec) { s.Statement.Source.Paper = "Q" },
		`a/b: arXiv number is "2", stored as "1"`:                         func(s *props.Spec) { s.Statement.Source.ArXiv = "2" },
		`a/b: locus is "Theorem 2", stored as "Theorem 1"`:                func(s *props.Spec) { s.Statement.Source.Locus = "Theorem 2" },
		`a/b: printed error "e: q / c" is not in the stored results`:      func(s *props.Spec) { s.Statement.Errata[0].Printed = "q" },
		`a/b: check "v" is stored but no longer exists`:                   func(s *props.Spec) { s.Checks = []props.Check{numberCheck("u", "w", "x")} },
		`a/b: check "u" is not in the stored results`:                     func(s *props.Spec) { s.Checks = []props.Check{numberCheck("u", "w", "x")} },
		`a/b: wrong version "z (drops x)" is not in the stored results`:   func(s *props.Spec) { s.Checks = []props.Check{numberCheck("v", "z", "x")} },
		`a/b: wrong version "w (drops y)" is not in the stored results`:   func(s *props.Spec) { s.Checks = []props.Check{numberCheck("v", "w", "y")} },
		`a/b: wrong version "w (drops x)" is stored but no longer exists`: func(s *props.Spec) { s.Checks = nil },
		"a/b: no longer in the catalogue":                                 func(s *props.Spec) { s.Statement.Slug = "a/c" },
		"a/c: not in the stored results":                                  func(s *props.Spec) { s.Statement.Slug = "a/c" },
	} {
		s := catalogue(check)
		change(&s)
		got := Stale(r, []*theory.Statement{s.Statement}, []props.Claim{s.Claim()})
		if want == "" {
			require.Empty(t, got)
		} else {
			require.Contains(t, got, want)
		}
	}
}
