package reports

import (
	"cmp"
	"fmt"

	"github.com/thm-suite/thm/props/results"
)

// again says what to do about a file that contradicts itself. Errors do not name the value that would pass.
const again = "run thm check again"

// consistent checks the rules that a schema cannot express: unique names, rows for everything planned, parts that do
// not exceed the whole, and fields that follow from others in the file.
func consistent(r *results.Results) error {
	ids := map[string]bool{}
	for i, c := range r.Claims {
		at := index("claims", i)
		if ids[c.ID] {
			return fmt.Errorf("%s.id: expected every claim once, found %s twice", at, c.ID)
		}
		ids[c.ID] = true
		if err := cmp.Or(consistentCounts(at, c), consistentFigures(at, c)); err != nil {
			return err
		}
	}
	if err := asPlanned(r, ids); err != nil {
		return err
	}
	return r.Contradiction()
}

// asPlanned checks that the claims that were planned, and no others, have a row. A run that was stopped has rows for
// all of them.
func asPlanned(r *results.Results, rows map[string]bool) error {
	planned := map[string]bool{}
	for i, slug := range r.Manifest.Planned {
		at := index("manifest.planned", i)
		switch {
		case planned[slug]:
			return fmt.Errorf("%s: expected every claim once, found %s twice", at, shown(slug))
		case !rows[slug]:
			return fmt.Errorf("%s: %s was planned and has no row; %s", at, shown(slug), again)
		}
		planned[slug] = true
	}
	for i, c := range r.Claims {
		if !planned[c.ID] {
			return fmt.Errorf("%s.id: %s was not planned; %s", index("claims", i), c.ID, again)
		}
	}
	return nil
}

// consistentCounts checks that no part of a row counts more than the whole it is of.
func consistentCounts(at string, c results.Claim) error {
	var found error
	within := func(part, whole int, path string, where ...any) {
		if part > whole && found == nil {
			found = fmt.Errorf("%s.%s: more than there are; %s", at, fmt.Sprintf(path, where...), again)
		}
	}
	for i, k := range c.Checks {
		within(k.Cases.Run, k.Cases.Planned, "checks[%d].cases.run", i)
	}
	for i, p := range c.Criteria {
		for j, g := range p.Regimes {
			within(g.Declined, g.Cases, "criteria[%d].regimes[%d].declined", i, j)
		}
	}
	for i, x := range c.Controls {
		within(x.Seen, x.Cases, "controls[%d].seen", i)
	}
	return found
}

// consistentFigures checks that figures have ids of their own, and heat maps as many values as cells.
func consistentFigures(at string, c results.Claim) error {
	figures := map[string]bool{}
	for k, f := range c.Figures {
		if figures[f.ID] {
			return fmt.Errorf("%s.figures[%d].id: expected an id of its own, found %q twice in %s", at, k, f.ID, c.ID)
		}
		figures[f.ID] = true
		if err := f.Valid(); err != nil {
			return fmt.Errorf("%s.figures[%d]: %w", at, k, err)
		}
	}
	return nil
}
