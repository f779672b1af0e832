package kernelkit

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Test runs every check on a kernel, each as a subtest, at quick effort and seed 1 unless THM_EFFORT and THM_SEED say
// otherwise. Checks of parts that the kernel does not offer are skipped by name; a kernel without any part fails. So
// does a check that takes longer than THM_TIMEOUT, three minutes if that is not set. Waivers may be for several
// kernels; one that is expired, not needed, or for a check that does not exist fails the test. The known defects of
// routines that the kernel has from gonum are waived without asking, and counted at the end.
func Test(t *testing.T, k Kernel, accepted ...Waiver) {
	t.Helper()
	o := testOptions(t)
	o.Waivers = accepted
	w, err := newWaivers(k, o)
	if err != nil {
		t.Fatal(err)
	}
	restore, err := k.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	checks, taken := Checks(), 0
	if !slices.ContainsFunc(checks, func(c Check) bool { return c.OfferedBy(k) }) {
		t.Fatalf("kernel %q: nothing ran: it offers neither a BLAS nor a factorisation", k.Name)
	}
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) {
			row := o.run(t.Context(), k, c)
			w.apply(&row)
			switch row.Verdict {
			case Holds:
				t.Logf("%d cases, worst ratio %.3g", row.Cases.Run, float64(row.Ratio))
			case Waived:
				taken++
				t.Logf("fails, waived until %s: %s", row.Waiver.Expires, row.Waiver.Reason)
			case NotOffered:
				t.Skipf("%s does not offer this: %s", k.Name, c.Part)
			default:
				t.Error(row.complaint())
			}
		})
	}
	if taken > 0 {
		t.Logf("%s: %d checks fail and are waived", k.Name, taken)
	}
	for _, complaint := range w.complaints(ran(checks, w)) {
		t.Error(complaint)
	}
}

// ran leaves out the checks whose subtests were filtered away: nothing is known of their waivers.
func ran(checks []Check, w *waivers) []Check {
	return list.Where(checks, func(c Check) bool {
		entry := w.byCheck[c.Name]
		return entry == nil || entry.verdict != ""
	})
}

// complaint says what is wrong, and shows it.
func (row *CheckResult) complaint() string {
	s := fmt.Sprintf("%s: worst ratio %.4g over %d of %d cases. %s", row.Verdict, float64(row.Ratio), row.Cases.Run,
		row.Cases.Planned, row.Doc)
	for _, more := range []string{row.Message, row.Counterexample, row.Reproducer} {
		if more != "" {
			s += "\n" + more
		}
	}
	return s
}

func testOptions(t *testing.T) Options {
	o := Options{Effort: props.Quick, Seed: 1, Limit: 3 * time.Minute}
	if e := os.Getenv("THM_EFFORT"); e != "" {
		if o.Effort = props.Effort(e); !slices.Contains(results.Efforts, o.Effort) {
			t.Fatalf("THM_EFFORT=%s: want one of %v", e, results.Efforts)
		}
	}
	if s := os.Getenv("THM_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("THM_SEED=%s: want a non-negative integer", s)
		}
		o.Seed = seed
	}
	if s := os.Getenv("THM_TIMEOUT"); s != "" {
		limit, err := time.ParseDuration(s)
		if err != nil || limit <= 0 {
			t.Fatalf("THM_TIMEOUT=%s: want a positive duration, such as 90s", s)
		}
		o.Limit = limit
	}
	return o
}
