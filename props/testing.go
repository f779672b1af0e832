package props

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/results"
)

// Test verifies each claim as a subtest, at quick effort and seed 1 unless THM_EFFORT and THM_SEED say otherwise. A
// claim passes when it holds, all its controls are rejected and every criterion notices some error of the claim. The
// garbage collector of the test binary works as rarely as that of the command, unless GOGC says otherwise.
//
// The subtests run in parallel, after the function that calls Test has returned, and compute with the kernels that were
// in use when it was called: a test may install its own with [blas64.Use], and defer to give the others back.
func Test(t *testing.T, claims []Claim) { test(t, claims, "") }

// TestPinned is [Test], and compares what the claims showed with the evidence that is pinned in a directory: a check
// that departs from it, by noticing less above all, fails. The flag -update, which the test binary must define, pins
// the evidence of the claims that run.
func TestPinned(t *testing.T, claims []Claim, dir string) {
	test(t, claims, dir)
	if !updating() {
		for _, complaint := range orphans(dir, claims) {
			t.Error(complaint)
		}
	}
}

func test(t *testing.T, claims []Claim, pinned string) {
	collector.Set()
	o, install := testOptions(t), keptKernels(t)
	for _, c := range claims {
		t.Run(c.Statement.Slug, func(t *testing.T) {
			t.Parallel()
			install()
			row := &verifyClaims(t.Context(), []Claim{c}, o)[0]
			t.Logf("%s: %d of %d cases, worst ratio %.3g, resolution %s, %d controls", row.Verdict, row.Cases.Run,
				row.Cases.Planned, float64(row.WorstRatio), row.ResolutionText(), len(row.Controls))
			for _, complaint := range slices.Concat(complaints(row), c.Statement.Flaws(), unresolved(row, o.Effort),
				c.unanswerable(), c.lucky(row), selfCompared(row), c.dwindling(), c.undrawn(t.Context(), row, o),
				c.dishonest(t.Context(), row, o), c.pinnedAgainst(pinned, row, o, t)) {
				t.Error(complaint)
			}
			for _, warning := range row.Warned() {
				t.Log("warning: " + warning)
			}
		})
	}
}

// keptKernels returns how a parallel subtest installs the kernels that are in use now, once for all of them. They are
// taken away again when all have ended.
func keptKernels(t *testing.T) (install func()) {
	kernels := blas64.Implementation()
	return sync.OnceFunc(func() {
		others := blas64.Implementation()
		blas64.Use(kernels)
		t.Cleanup(func() { blas64.Use(others) })
	})
}

// undrawn says why the figure of the theorem is missing.
func (c Claim) undrawn(ctx context.Context, row *results.Claim, o Options) []string {
	if c.Along == nil || row.Verdict == results.Incomplete ||
		slices.ContainsFunc(row.Figures, func(f Figure) bool { return f.ID == alongID }) {
		return nil
	}
	_, err := c.theoremFigures(ctx, o, newPool(o.Jobs))
	return []string{fmt.Sprintf("the figure of the theorem is not drawn: %v", err)}
}

// unanswerable lists what fails only when a user asks: a simulation without a run, and an array that the statement does
// not explain.
func (c Claim) unanswerable() []string {
	var out []string
	if c.Try != nil && c.Try.Run == nil {
		out = append(out, "its simulation has no Run")
	}
	for _, k := range c.checks {
		if k.certify == nil {
			continue
		}
		if _, err := k.certify.fields(c.Statement); err != nil {
			out = append(out, err.Error())
		}
	}
	return out
}

// updating reports whether the flag -update is set.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// pinnedAgainst compares with the pinned evidence, or pins it. Other efforts and seeds have evidence of their own.
func (c Claim) pinnedAgainst(dir string, row *results.Claim, o Options, t *testing.T) []string {
	switch {
	case dir == "":
		return nil
	case o.Effort != Quick || o.Seed != 1:
		t.Log("the pinned evidence is that of quick effort and seed 1: not compared")
		return nil
	case !updating():
		return compareEvidence(dir, evidenceOf(row, c))
	}
	if err := evidenceOf(row, c).Write(dir); err != nil {
		return []string{err.Error()}
	}
	t.Logf("pinned: %s", evidence.File(dir, row.ID))
	return nil
}

func testOptions(t *testing.T) Options {
	o := Options{Effort: Quick, Seed: 1, Jobs: runtime.GOMAXPROCS(0), sketch: true}
	if e := os.Getenv("THM_EFFORT"); e != "" {
		if o.Effort = Effort(e); !slices.Contains(results.Efforts, o.Effort) {
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
	return o
}

// complaints says what is not green about a row.
func complaints(row *results.Claim) []string {
	var out []string
	if row.Verdict != results.Holds {
		out = append(out, fmt.Sprintf("verdict %s, worst ratio %v: %s\n%s", row.Verdict, row.WorstRatio, row.Message,
			row.Counterexample))
		for _, p := range row.Criteria {
			if p.Verdict != results.Holds {
				out = append(out, fmt.Sprintf("%s / %s: %s, ratio %.4g, lower %.4g", p.Check, p.Name, p.Verdict, float64(p.Ratio),
					float64(p.Lower)))
				for _, r := range p.Regimes {
					if r.Sides != nil {
						out = append(out, strings.TrimPrefix(r.Name+": ", ": ")+r.Sides.String())
					}
				}
			}
		}
		for _, f := range row.Measurements {
			out = append(out, "measured: "+f.String())
		}
	}
	if row.Verdict != results.Unproven { // which says so itself
		out = append(out, row.Unfounded()...)
	}
	return out
}

// manyCases is the number of cases of an equation that meet some rounding, wherever its two sides are two computations.
const manyCases = 20

// selfCompared complains of equations that allow for rounding and meet none in any of so many cases: the judge may
// compare a number with itself.
func selfCompared(row *results.Claim) []string {
	var out []string
	for _, p := range row.Criteria {
		cases := 0
		for _, r := range p.Regimes {
			cases += r.Cases
		}
		if p.Form == results.Equation && p.Ratio == 0 && cases >= manyCases {
			out = append(out, fmt.Sprintf("%s / %s: both sides are the same in all %d cases, to the last bit; where that is "+
				"as it should be, use Exactly", p.Check, p.Name, cases))
		}
	}
	return out
}

// dwindling names the checks that measure less at deep effort than at standard effort, as one does whose sizes end
// there. Quick effort may take more and smaller instances.
func (c Claim) dwindling() (out []string) {
	for _, k := range c.checks {
		if standard, deep := casesIn(k.plan(Standard)), casesIn(k.plan(Deep)); deep < standard {
			out = append(out, fmt.Sprintf("%s plans %d cases at standard effort and %d at deep: more effort must not "+
				"measure less", k.name, standard, deep))
		}
	}
	return out
}

// freshReplicate is a replicate that no control and no verification uses.
const freshReplicate = 1000

// dishonest runs the claim once more on fresh streams and complains where the resolution that is printed is finer than
// what is found there: at least one fresh case of ten must notice twice the error that the median case is printed to
// notice. With 40 cases on each side that fails by chance only when one share is 3.6 standard deviations below the
// other.
func (c Claim) dishonest(ctx context.Context, row *results.Claim, o Options) []string {
	const enough = 40
	var out []string
	s := c.freshSession(ctx, o)
	for _, k := range c.checks {
		if k.shrink == nil || mostCases(row, k.name) < enough { // a sweep is measured once: its interval is its resolution
			continue
		}
		k.controls = nil // what they claim is not asked for
		fresh := s.evaluateFresh(k)
		if fresh.tally == nil {
			continue
		}
		for _, f := range fresh.Rows {
			printed, ok := regimeOf(row, k.name, f.Criterion.Name, f.Regime)
			tenth := results.Number(quantile(f.Epsilons, 0.1))
			if ok && min(printed.Cases, f.Cases) >= enough && tenth > 2*printed.Median {
				out = append(out, fmt.Sprintf("the resolution of %s / %s %s is printed as %.3g, and on fresh streams nine cases "+
					"of ten need %.3g",
					k.name, f.Criterion.Name, f.Regime, float64(printed.Median), float64(tenth)))
			}
		}
	}
	return out
}

// mostCases is the number of cases in the largest regime of a check.
func mostCases(row *results.Claim, check string) int {
	found := 0
	for _, p := range row.Criteria {
		for _, r := range p.Regimes {
			if p.Check == check {
				found = max(found, r.Cases)
			}
		}
	}
	return found
}

func regimeOf(row *results.Claim, check, criterion, regime string) (results.Regime, bool) {
	for _, p := range row.Criteria {
		for _, r := range p.Regimes {
			if p.Check == check && p.Name == criterion && r.Name == regime {
				return r, true
			}
		}
	}
	return results.Regime{}, false
}

// freshSession runs checks of one claim apart from its run.
func (c Claim) freshSession(ctx context.Context, o Options) *session {
	return newSession(&run{Options: o, ctx: ctx, pool: newPool(o.Jobs)}, c.Statement.Slug)
}

// evaluateFresh judges the claim itself on a replicate of its own.
func (s *session) evaluateFresh(k checker) evaluated {
	return s.evaluate(k, variant{}, freshReplicate)
}
