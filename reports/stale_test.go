package reports

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// fresh is a catalogue of one claim and the results of running it.
func fresh(t *testing.T) (*props.Results, *theory.Statement, *props.Claim) {
	st := &theory.Statement{Slug: "a/b", Title: "T", Kind: theory.Identity, Standing: theory.Theorem,
		Source: theory.Source{Paper: "P", ArXiv: "1", Locus: "Theorem 1"}, Errata: []theory.Erratum{{ID: "e", Printed: "p", Counterexample: "c"}}}
	check := func(name string, ok bool) props.LegacyCheck {
		return props.LegacySweep[int, bool]{Name: name, Cells: func(props.Effort) []int { return []int{1} }, Measure: func(*props.Trial, int) bool { return ok },
			Judge: func(_ []int, m []bool) props.Judgement {
				return props.Judgement{Parts: []props.Part{{Name: "part", Ratio: props.Truth(m[0])}}}
			}}.Check()
	}
	c := &props.Claim{Statement: st, Verify: []props.LegacyCheck{check("v", true)}, Controls: []props.LegacyControl{{Name: "w", Assumption: "x", Check: check("w", false)}},
		Errata:  []props.Refutation{{Erratum: "e", Check: check("e", false)}},
		Resolve: []props.Resolution{{Of: "o", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return check("r", dose == 0) }}}}
	return props.Run(t.Context(), []props.Claim{*c}, props.Options{Effort: props.Quick, Seed: 1, Jobs: 1}), st, c
}

func TestStale(t *testing.T) {
	for want, change := range map[string]func(*theory.Statement, *props.Claim){
		"":                                 func(*theory.Statement, *props.Claim) {},
		`a/b: title is "U", stored as "T"`: func(s *theory.Statement, _ *props.Claim) { s.Title = "U" },
		`a/b: kind is "limit", stored as "identity"`:                       func(s *theory.Statement, _ *props.Claim) { s.Kind = theory.Limit },
		`a/b: standing is "finding", stored as "theorem"`:                  func(s *theory.Statement, _ *props.Claim) { s.Standing = theory.Finding },
		`a/b: paper is "Q", stored as "P"`:                                 func(s *theory.Statement, _ *props.Claim) { s.Source.Paper = "Q" },
		`a/b: arXiv number is "2", stored as "1"`:                          func(s *theory.Statement, _ *props.Claim) { s.Source.ArXiv = "2" },
		`a/b: locus is "Theorem 2", stored as "Theorem 1"`:                 func(s *theory.Statement, _ *props.Claim) { s.Source.Locus = "Theorem 2" },
		`a/b: printed error "e: q / c" is not in the stored results`:       func(s *theory.Statement, _ *props.Claim) { s.Errata[0].Printed = "q" },
		`a/b: printed error "e: p / c" is stored but no longer exists`:     func(s *theory.Statement, _ *props.Claim) { s.Errata = nil },
		`a/b: check "v" is stored but no longer exists`:                    func(_ *theory.Statement, c *props.Claim) { c.Verify = nil },
		`a/b: check "w" is not in the stored results`:                      func(_ *theory.Statement, c *props.Claim) { c.Verify = append(c.Verify, c.Controls[0].Check) },
		`a/b: wrong version "z (drops x)" is not in the stored results`:    func(_ *theory.Statement, c *props.Claim) { c.Controls[0].Name = "z" },
		`a/b: wrong version "w (drops y)" is not in the stored results`:    func(_ *theory.Statement, c *props.Claim) { c.Controls[0].Assumption = "y" },
		`a/b: wrong version "w (drops x)" is stored but no longer exists`:  func(_ *theory.Statement, c *props.Claim) { c.Controls = nil },
		`a/b: resolution "o, absolute error" is not in the stored results`: func(_ *theory.Statement, c *props.Claim) { c.Resolve[0].Unit = props.Absolute },
		"a/b: no longer in the catalogue":                                  func(s *theory.Statement, _ *props.Claim) { s.Slug = "a/c" },
		"a/c: not in the stored results":                                   func(s *theory.Statement, _ *props.Claim) { s.Slug = "a/c" },
	} {
		r, st, c := fresh(t)
		require.Zero(t, r.ExitCode())
		change(st, c)
		got := Stale(r, []*theory.Statement{st}, []props.Claim{*c})
		if want == "" {
			require.Empty(t, got)
		} else {
			require.Contains(t, got, want)
		}
	}
}
