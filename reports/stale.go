package reports

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// Stale lists how stored results no longer match the catalogue: claims that came, went or changed their title, kind,
// standing or source; checks, controls or printed errors that changed their names. An empty list says
// that a run would have the same rows again. It says nothing about the numbers.
func Stale(r *props.Results, statements []*theory.Statement, claims []props.Claim) []string {
	var out []string
	stored := map[string]*props.ClaimResult{}
	for i := range r.Claims {
		stored[r.Claims[i].ID] = &r.Claims[i]
	}
	current := map[string]bool{}
	for _, st := range statements {
		current[st.Slug] = true
		row := stored[st.Slug]
		if row == nil {
			out = append(out, st.Slug+": not in the stored results")
			continue
		}
		out = append(out, staleStatement(row, st)...)
		if i := slices.IndexFunc(claims, func(c props.Claim) bool { return c.Statement.Slug == st.Slug }); i >= 0 {
			out = append(out, staleClaim(row, claims[i])...)
		}
	}
	for _, row := range r.Claims {
		if !current[row.ID] {
			out = append(out, row.ID+": no longer in the catalogue")
		}
	}
	return out
}

// staleStatement compares a row with its statement.
func staleStatement(row *props.ClaimResult, st *theory.Statement) []string {
	var out []string
	for _, f := range []struct{ name, stored, now string }{
		{"title", row.Title, st.Title},
		{"kind", row.Kind, string(st.Kind)},
		{"standing", row.Standing, string(st.Standing)},
		{"paper", row.Source.Paper, st.Source.Paper},
		{"arXiv number", row.Source.ArXiv, st.Source.ArXiv},
		{"locus", row.Source.Locus, st.Source.Locus},
	} {
		if f.stored != f.now {
			out = append(out, fmt.Sprintf("%s: %s is %q, stored as %q", row.ID, f.name, f.now, f.stored))
		}
	}
	var now, then []string
	for _, e := range st.Errata {
		now = append(now, e.ID+": "+e.Printed+" / "+e.Counterexample)
	}
	for _, e := range row.Errata {
		then = append(then, e.ID+": "+e.Printed+" / "+e.Counterexample)
	}
	return append(out, differences(row.ID, "printed error", then, now)...)
}

// staleClaim compares a row with the checks of its claim. The criteria of a check are known only after it ran, so their
// check's name stands for them; a check that broke has none.
func staleClaim(row *props.ClaimResult, c props.Claim) []string {
	var now, then []string
	for _, p := range row.Parts {
		then = append(then, p.Check)
	}
	out := differences(row.ID, "check", then, c.CheckNames())
	then = nil
	for _, x := range c.AllControls() {
		now = append(now, x.Name+" (drops "+x.Assumption+")")
	}
	for _, x := range row.Controls {
		then = append(then, x.Name+" (drops "+x.Assumption+")")
	}
	return append(out, differences(row.ID, "wrong version", then, now)...)
}

// differences lists the names that are in one list only.
func differences(slug, what string, then, now []string) []string {
	var out []string
	for _, name := range now {
		if !slices.Contains(then, name) {
			out = append(out, fmt.Sprintf("%s: %s %q is not in the stored results", slug, what, name))
		}
	}
	for i, name := range then {
		if !slices.Contains(now, name) && slices.Index(then, name) == i {
			out = append(out, fmt.Sprintf("%s: %s %q is stored but no longer exists", slug, what, name))
		}
	}
	return out
}
