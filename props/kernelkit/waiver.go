package kernelkit

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// waivers holds the waivers of one kernel on one day.
type waivers struct {
	byCheck map[string]*waived
	order   []string
	today   string
}

// waived is a waiver and what became of its check.
type waived struct {
	Waiver
	verdict Verdict // of the check, without the waiver; empty while it has not run

	optional bool // inherited, and not asked for
}

// newWaivers takes the waivers of a kernel out of a list. A waiver without a check, a reason or a date is an error,
// and so are two for the same check. The known defects of routines that are gonum's are waived as well, unless the
// options are strict.
func newWaivers(k Kernel, o Options) (*waivers, error) {
	kernel := k.Name
	today := o.Today
	if today.IsZero() {
		today = time.Now()
	}
	w := &waivers{byCheck: map[string]*waived{}, today: today.Format(time.DateOnly)}
	for _, entry := range o.Waivers {
		if entry.Kernel != kernel {
			continue
		}
		if _, err := time.Parse(time.DateOnly, entry.Expires); err != nil {
			return nil, fmt.Errorf("waiver of %s for %s: %q is not a date like 2027-06-30", entry.Check, kernel,
				entry.Expires)
		}
		if strings.TrimSpace(entry.Reason) == "" {
			return nil, fmt.Errorf("waiver of %s for %s: no reason", entry.Check, kernel)
		}
		if w.byCheck[entry.Check] != nil {
			return nil, fmt.Errorf("waiver of %s for %s: given twice", entry.Check, kernel)
		}
		w.byCheck[entry.Check] = &waived{Waiver: entry}
		w.order = append(w.order, entry.Check)
	}
	if o.Strict {
		return w, nil
	}
	for _, entry := range inherited(k) {
		if w.byCheck[entry.Check] == nil {
			w.byCheck[entry.Check] = &waived{Waiver: entry, optional: true}
		}
	}
	return w, nil
}

// apply turns a failure into a waived one where a waiver says so that has not expired. Dates as text are ordered as
// days.
func (w *waivers) apply(row *CheckResult) {
	entry := w.byCheck[row.Check]
	if entry == nil {
		return
	}
	entry.verdict = row.Verdict
	if entry.optional && (row.Verdict != Failed || w.today > entry.Expires) {
		return
	}
	row.Waiver = &entry.Waiver
	if row.Verdict == Failed && w.today <= entry.Expires {
		row.Verdict = Waived
	}
}

// complaints are about waivers that accept nothing. Waivers of checks that exist and were not selected are left alone.
func (w *waivers) complaints(selected []Check) []string {
	out := []string{}
	for _, name := range w.order {
		entry := w.byCheck[name]
		named := func(checks []Check) bool {
			return slices.ContainsFunc(checks, func(c Check) bool { return c.Name == name })
		}
		switch {
		case !named(Checks()):
			out = append(out, fmt.Sprintf("waiver of %s: no such check", name))
		case !named(selected):
		case w.today > entry.Expires:
			out = append(out, fmt.Sprintf("waiver of %s expired on %s: %s", name, entry.Expires, entry.Reason))
		case entry.verdict == Holds || entry.verdict == NotOffered:
			out = append(out, fmt.Sprintf("waiver of %s is not needed: the check %s", name, entry.verdict))
		}
	}
	return out
}
