package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// PreviousName is the name that a results file gets when results of another kind take its place.
const PreviousName = "results.previous.json"

// Update joins the results of a run with those that a directory holds already. Rows of the same source, on the same
// kind of machine, with the same effort and seed stay in addition to the new ones, marked as older; a note says how
// many. Other results are replaced; if they have rows that the new ones lack, they are kept under another name, which a
// note states.
func Update(dir string, r *results.Results, known []props.Claim) (all *results.Results, note string, err error) {
	file := filepath.Join(dir, "results.json")
	old, err := reports.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, "", nil
	case err != nil || !comparable(old, r):
		if err == nil && contains(r, old) {
			return r, "", nil
		}
		if err := os.Rename(file, filepath.Join(dir, PreviousName)); err != nil {
			return r, "", err
		}
		return r, fmt.Sprintf("the earlier results in %s are of another run and are kept as %s", dir, PreviousName), nil
	}
	all = joined(old, r, known)
	kept := len(list.Where(all.Claims, func(row results.Claim) bool { return row.Older != nil }))
	if kept == 0 {
		return all, "", nil
	}
	return all, fmt.Sprintf("the report in %s has %s of the same source that this run did not make", dir,
		terminal.Plural(kept, "older row")), nil
}

// comparable reports whether rows of two results may stand in one report.
func comparable(a, b *results.Results) bool {
	return a.Manifest.Source().Same(b.Manifest.Source()) && a.Run.Effort == b.Run.Effort && a.Run.Seed == b.Run.Seed &&
		a.Run.Budget == b.Run.Budget &&
		a.Tool == b.Tool
}

// contains reports whether new results have a row for every row of old ones.
func contains(r, old *results.Results) bool {
	return !slices.ContainsFunc(old.Claims, func(row results.Claim) bool { return Row(r, row.ID) == nil })
}

// joined puts rows side by side in the order of the catalogue. A row that a run did not finish does not displace one
// that was.
func joined(old, r *results.Results, known []props.Claim) *results.Results {
	all := *r
	all.Claims = nil
	take := func(slug string) {
		before, now := Row(old, slug), Row(r, slug)
		if before != nil && (now == nil || now.Verdict == results.Incomplete && before.Verdict != results.Incomplete) {
			row := *before
			if row.Older == nil {
				row.Older = &old.Run.Started
			}
			all.Claims = append(all.Claims, row)
		} else if now != nil {
			all.Claims = append(all.Claims, *now)
		}
	}
	for _, slug := range Slugs(known) {
		take(slug)
	}
	all.Manifest.Planned = ids(&all)
	if len(all.Claims) == len(known) {
		all.Manifest.Patterns = nil
	} else {
		all.Manifest.Patterns = slices.Compact(slices.Sorted(slices.Values(slices.Concat(old.Manifest.Patterns,
			r.Manifest.Patterns))))
	}
	all.Conclude()
	return &all
}

// InOrder puts the rows of a run, and the names of what was planned, back into the order of the catalogue.
func InOrder(r *results.Results, known []props.Claim) {
	order := Slugs(known)
	slices.SortStableFunc(r.Claims, func(a, b results.Claim) int {
		return slices.Index(order, a.ID) - slices.Index(order, b.ID)
	})
	slices.SortStableFunc(r.Manifest.Planned, func(a, b string) int {
		return slices.Index(order, a) - slices.Index(order, b)
	})
	r.Conclude()
}

// FailedFirst puts the claims that were not green in earlier results before the others.
func FailedFirst(claims []props.Claim, last *results.Results) []props.Claim {
	rank := func(c props.Claim) int {
		row := Row(last, c.Statement.Slug)
		if row != nil && (row.Verdict != results.Holds || row.Missed() || row.Unfinished()) {
			return 0
		}
		return 1
	}
	out := slices.Clone(claims)
	slices.SortStableFunc(out, func(a, b props.Claim) int { return rank(a) - rank(b) })
	return out
}
