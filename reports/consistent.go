package reports

import (
	"fmt"

	"github.com/thm-suite/thm/props"
)

// consistent checks what a schema cannot say: names that must be unique, names that must exist, sums.
func consistent(r *props.Results) error {
	ids := map[string]bool{}
	for i, c := range r.Claims {
		at := index("claims", i)
		if ids[c.ID] {
			return fmt.Errorf("%s.id: expected every claim once, found %s twice", at, c.ID)
		}
		ids[c.ID] = true
		if err := consistentFigures(at, c); err != nil {
			return err
		}
	}
	return consistentSummary(r)
}

// consistentFigures checks that figures have ids of their own.
func consistentFigures(at string, c props.ClaimResult) error {
	figures := map[string]bool{}
	for k, f := range c.Figures {
		if figures[f.ID] {
			return fmt.Errorf("%s.figures[%d].id: expected an id of its own, found %q twice in %s", at, k, f.ID, c.ID)
		}
		figures[f.ID] = true
	}
	return nil
}

// consistentSummary counts the rows again.
func consistentSummary(r *props.Results) error {
	again := props.Results{Claims: r.Claims}
	again.Summarise()
	found, want := r.Summary, again.Summary
	for _, v := range props.Verdicts {
		if found.Verdicts[v] != want.Verdicts[v] {
			return fmt.Errorf("summary.verdicts.%s: expected %d, the number of rows with this verdict, found %d", v,
				want.Verdicts[v], found.Verdicts[v])
		}
	}
	for _, c := range []struct {
		name        string
		found, want props.Count
	}{{"cases", found.Cases, want.Cases}, {"controls", found.Controls, want.Controls},
		{"errata", found.Errata, want.Errata},
		{"readings", found.Readings, want.Readings}} {
		if c.found != c.want {
			return fmt.Errorf("summary.%s: expected %d of %d, the sum over the rows, found %d of %d",
				c.name, c.want.Run, c.want.Planned, c.found.Run, c.found.Planned)
		}
	}
	return nil
}
