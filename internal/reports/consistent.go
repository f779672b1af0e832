package reports

import (
	"fmt"

	"github.com/thm-suite/thm/props"
)

// consistent checks what a schema cannot say: names that must be unique, and what follows from
// something else in the file.
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
	return r.Contradiction()
}

// consistentFigures checks that figures have ids of their own, and heat maps as many values as cells.
func consistentFigures(at string, c props.ClaimResult) error {
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
