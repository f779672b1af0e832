package catalog

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/thm-suite/thm/theory"
)

var (
	kinds = []theory.Kind{theory.Identity, theory.Inequality, theory.Order, theory.Scaling, theory.Limit,
		theory.Probability, theory.Impossibility, theory.Empirical}
	standings = []theory.Standing{theory.Theorem, theory.Derivation, theory.Conjecture, theory.Finding}

	// slugForm is source/name. A name is one word, so that it is a file name without _test, _linux and the like.
	slugForm = regexp.MustCompile(`^[a-z][a-z0-9]*/[a-z][a-z0-9]*$`)
)

// Unfilled lists what the statements leave empty, repeat, or refer to without its being there.
func Unfilled(statements []*theory.Statement) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range statements {
		if seen[s.Slug] {
			out = append(out, s.Slug+": slug occurs twice")
		}
		seen[s.Slug] = true
	}
	for _, s := range statements {
		for _, problem := range slices.Concat(fieldProblems(s), listProblems(s)) {
			out = append(out, s.Slug+": "+problem)
		}
		for _, slug := range s.RestsOn {
			if !seen[slug] || slug == s.Slug {
				out = append(out, fmt.Sprintf("%s: rests on %q, which is no other claim", s.Slug, slug))
			}
		}
	}
	return out
}

// field is a piece of text that must be there.
type field struct{ name, text string }

func empty(fields ...field) []string {
	var out []string
	for _, f := range fields {
		if f.text == "" {
			out = append(out, f.name+" is empty")
		}
	}
	return out
}

func fieldProblems(s *theory.Statement) []string {
	out := empty(field{"title", s.Title}, field{"setting", s.Setting}, field{"claim", s.Claim}, field{"tex", s.TeX},
		field{"source.paper", s.Source.Paper}, field{"source.locus", s.Source.Locus},
		field{"source.version", s.Source.Version},
		field{"proof", s.Proof}, field{"tolerance", s.Tolerance}, field{"limits", s.Limits})
	if !slugForm.MatchString(s.Slug) {
		out = append(out, "slug is not source/name in lower-case letters and digits")
	}
	if !slices.Contains(kinds, s.Kind) {
		out = append(out, fmt.Sprintf("kind %q is unknown", s.Kind))
	}
	if !slices.Contains(standings, s.Standing) {
		out = append(out, fmt.Sprintf("standing %q is unknown", s.Standing))
	}
	if s.Source.Year < 1900 || s.Source.Year > 2100 {
		out = append(out, fmt.Sprintf("source.year is %d", s.Source.Year))
	}
	if len(s.Assumptions) == 0 {
		out = append(out, "assumptions is empty")
	}
	return out
}

// partProblems looks into the lists of a statement.
func listProblems(s *theory.Statement) []string {
	var out, params, assumptions, errata, readings []string
	for _, p := range s.Params {
		params = append(params, p.Name)
		out = append(out, empty(field{"symbol of " + p.Name, p.Symbol}, field{"meaning of " + p.Name, p.Meaning})...)
	}
	for _, a := range s.Assumptions {
		assumptions = append(assumptions, a.ID)
		out = append(out, empty(field{"text of assumption " + a.ID, a.Text})...)
	}
	for _, e := range s.Errata {
		errata = append(errata, e.ID)
		out = append(out, empty(field{"printed form of erratum " + e.ID, e.Printed},
			field{"locus of erratum " + e.ID, e.Locus},
			field{"correction of erratum " + e.ID, e.Correct}, field{"counterexample of erratum " + e.ID, e.Counterexample})...)
	}
	for _, r := range s.Readings {
		readings = append(readings, r.ID)
		out = append(out, empty(field{"text of reading " + r.ID, r.Reading}, field{"locus of reading " + r.ID, r.Locus},
			field{"correction of reading " + r.ID, r.Correct}, field{"counterexample of reading " + r.ID, r.Counterexample})...)
	}
	return slices.Concat(out, uneven("param", params), uneven("assumption", assumptions), uneven("erratum", errata),
		uneven("reading", readings))
}
