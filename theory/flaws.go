package theory

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/list"
)

var (
	kinds = []Kind{Identity, Inequality, Order, Scaling, Limit,
		Probability, Impossibility, Empirical}
	standings = []Standing{Theorem, Derivation, Conjecture, Finding}

	// slugForm is source/name. A name is one word, so that it is a file name without _test, _linux and the like.
	slugForm = regexp.MustCompile(`^[a-z][a-z0-9]*/[a-z][a-z0-9]*$`)
)

// plainWords is the number of words that the plain sentence of a statement may have.
const plainWords = 25

// Flaws lists the fields that a statement leaves empty or repeats, and predictions that are not finite numbers at its
// own defaults.
func (s *Statement) Flaws() []string {
	return slices.Concat(fieldProblems(s), listProblems(s), predictionProblems(s))
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

func fieldProblems(s *Statement) []string {
	out := empty(field{"title", s.Title}, field{"plain", s.Plain}, field{"setting", s.Setting},
		field{"claim", string(s.Claim)}, field{"tex", s.TeX},
		field{"source.paper", s.Source.Paper}, field{"source.locus", s.Source.Locus},
		field{"source.version", s.Source.Version},
		field{"proof", s.Proof}, field{"tolerance", s.Tolerance}, field{"limits", s.Limits})
	if !slugForm.MatchString(s.Slug) {
		out = append(out, "slug is not source/name in lower-case letters and digits")
	}
	if n := len(strings.Fields(s.Plain)); n > plainWords {
		out = append(out, fmt.Sprintf("plain has %d words, more than %d", n, plainWords))
	}
	if s.Plain != "" && strings.Index(s.Plain+" ", ". ") != len(s.Plain)-1 {
		out = append(out, "plain is not one sentence that ends in a full stop")
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
	if marks := strings.Count(string(s.Claim), "$"); marks%2 != 0 {
		out = append(out, "a dollar sign of the claim is alone")
	} else if formulas := 1 + strings.Count(s.TeX, "quad"); marks/2 > formulas {
		out = append(out, fmt.Sprintf("%d formulas are marked, and TeX has %d", marks/2, formulas))
	}
	return out
}

// listProblems looks into the lists of a statement.
func listProblems(s *Statement) []string {
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
	for _, experiment := range slices.Sorted(maps.Keys(s.Contradicted)) {
		if !slugForm.MatchString(experiment) {
			out = append(out, fmt.Sprintf("contradicted by %q, which is no name of an experiment", experiment))
		}
		out = append(out, empty(field{"what contradicts it in " + experiment, s.Contradicted[experiment]})...)
	}
	return slices.Concat(out, list.Repeated("param", params), list.Repeated("assumption", assumptions),
		list.Repeated("erratum", errata), list.Repeated("reading", readings))
}

// predictionProblems evaluates the closed forms at their defaults.
func predictionProblems(s *Statement) []string {
	if s.Predict == nil {
		return nil
	}
	quantities, err := s.Evaluate(nil)
	if err != nil {
		return []string{fmt.Sprintf("prediction at the defaults: %v", err)}
	}
	var out, names []string
	if len(quantities) == 0 {
		out = append(out, "prediction at the defaults: no quantity at all")
	}
	for _, q := range quantities {
		names = append(names, q.Name)
		if math.IsNaN(q.Value) || math.IsInf(q.Value, 0) {
			out = append(out, fmt.Sprintf("prediction at the defaults: %s is %v", q.Name, q.Value))
		}
	}
	return append(out, list.Repeated("predicted quantity", names)...)
}
