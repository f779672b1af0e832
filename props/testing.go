package props

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// Test verifies each claim as a subtest, at quick effort and seed 1 unless THM_EFFORT and THM_SEED say otherwise. A
// claim passes when it holds, all its controls and printed errors are rejected, every resolution is finite, and the claim made wrong by
// twice its resolution is noticed on fresh streams.
func Test(t *testing.T, claims []Claim) {
	o := testOptions(t)
	for _, c := range claims {
		t.Run(c.Statement.Slug, func(t *testing.T) {
			t.Parallel()
			results := Run(t.Context(), []Claim{c}, o)
			row := results.Claims[0]
			t.Logf("%s: %d of %d cases, worst ratio %.3g, resolution %.2g, %d controls",
				row.Verdict, row.Cases.Run, row.Cases.Planned, float64(row.WorstRatio), float64(row.Resolution), len(row.Controls))
			for _, complaint := range append(row.complaints(), row.unresolved(o.Effort)...) {
				t.Error(complaint)
			}
			for _, warning := range row.warnings() {
				t.Log(warning)
			}
			if c.checks != nil {
				return
			}
			fresh := freshSession(t.Context(), c, o)
			for i, r := range row.Resolutions {
				if err := fresh.honest(c.Resolve[i], r); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func testOptions(t *testing.T) Options {
	o := Options{Effort: Quick, Seed: 1, Jobs: runtime.GOMAXPROCS(0)}
	if e := os.Getenv("THM_EFFORT"); e != "" {
		o.Effort = Effort(e)
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
func (row *ClaimResult) complaints() []string {
	var out []string
	if row.Verdict != Holds {
		out = append(out, fmt.Sprintf("verdict %s, worst ratio %v: %s\n%s", row.Verdict, row.WorstRatio, row.Message, row.Counterexample))
		for _, p := range row.Parts {
			if p.Verdict != Holds {
				out = append(out, fmt.Sprintf("%s / %s: %s, ratio %.4g, floor %.4g", p.Check, p.Name, p.Verdict, float64(p.Ratio), float64(p.Floor)))
			}
		}
		for _, f := range row.Facts {
			out = append(out, "fact: "+f.String())
		}
	}
	for _, c := range row.Controls {
		if !c.Rejected {
			out = append(out, fmt.Sprintf("control %q was rejected on a fraction %v of replicates only; smallest ratio %.3g %s", c.Name, c.Fraction, float64(c.Ratio), c.Message))
		}
	}
	for _, e := range row.Errata {
		if !e.Refuted {
			out = append(out, fmt.Sprintf("printed form %q was not refuted; ratio %.3g %s", e.ID, float64(e.Ratio), e.Message))
		}
	}
	for _, r := range row.Resolutions {
		if row.Parts[0].Form != "" {
			break
		}
		if math.IsInf(float64(r.Value), 0) || math.IsNaN(float64(r.Value)) {
			out = append(out, fmt.Sprintf("resolution of %q is %v: no error of it is ever noticed", r.Of, r.Value))
		}
	}
	return out
}

// String prints a fact as a claimed-against-obtained line.
func (f Fact) String() string {
	s := fmt.Sprintf("%s = %.6g", f.Name, float64(f.Value))
	if f.Lo != nil && f.Hi != nil {
		s += fmt.Sprintf(" [%.6g, %.6g]", float64(*f.Lo), float64(*f.Hi))
	}
	if f.Claimed != nil {
		s += fmt.Sprintf(", claimed %.6g", float64(*f.Claimed))
	}
	return s
}

// freshSession runs checks of one claim apart from its run, so that honest can use streams which that has not.
func freshSession(ctx context.Context, c Claim, o Options) *session {
	return newSession(&run{Options: o, ctx: ctx, pool: newPool(o.Jobs)}, c.Statement.Slug)
}

// honest returns an error when the claim made wrong by twice its printed resolution goes unnoticed on fresh streams.
func (s *session) honest(r Resolution, result ResolutionResult) error {
	dose := 2 * float64(result.Value)
	if r.Unit == Exact {
		dose = ulp
	}
	fresh := s.times(r.Check(dose), doses)
	if !s.noticed(r, dose, fresh) {
		return fmt.Errorf("the resolution of %q is printed as %.3g, but an error of %.3g goes unnoticed", r.Of, float64(result.Value), dose)
	}
	return nil
}
