package props

import (
	"context"
	"runtime"

	"github.com/thm-suite/thm/props/results"
)

// CheckName is the name of a check within its claim or suite.
func CheckName(c Check) string { return c.erase().name }

// SuiteResult holds the result of one check of a suite.
type SuiteResult struct {
	Check          string          `json:"check"`
	Verdict        results.Verdict `json:"verdict"`
	Ratio          results.Number  `json:"ratio"` // the worst; +Inf when nothing was judged
	Lower          results.Number  `json:"lower"`
	Cases          results.Count   `json:"cases"`
	Counterexample string          `json:"counterexample,omitempty"` // shrunk where the check can shrink
	Message        string          `json:"message,omitempty"`        // why the verdict is error or incomplete
}

// RunChecks runs checks that belong to no claim, one after the other, each with its cells in parallel, and returns an
// outcome for every check in their order. Streams are keyed by the name of the suite in place of a slug. When the
// context ends early the rest is incomplete.
func RunChecks(ctx context.Context, suite string, checks []Check, o Options) []SuiteResult {
	return runChecks(ctx, suite, checks, o, true)
}

// JudgeChecks is RunChecks without the search for simpler counterexamples, which costs far more than the verdict: for
// suites that run their checks on things known to be wrong.
func JudgeChecks(ctx context.Context, suite string, checks []Check, o Options) []SuiteResult {
	return runChecks(ctx, suite, checks, o, false)
}

func runChecks(ctx context.Context, suite string, checks []Check, o Options, shrink bool) []SuiteResult {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	r := &run{Options: o, ctx: ctx, pool: newPool(o.Jobs)}
	outcomes := make([]SuiteResult, len(checks))
	for i, c := range checks {
		k := c.erase()
		if !shrink {
			k.shrink = nil
		}
		r.report(Event{Claim: suite, Stage: k.name})
		s := newSession(r, suite)
		outcomes[i] = s.outcome(k)
	}
	return outcomes
}

// outcome executes a check and shrinks its counterexample. A check whose plan panics is in error.
func (s *session) outcome(k checker) (out SuiteResult) {
	out = SuiteResult{Check: k.name, Verdict: results.Error, Ratio: results.Number(inf.Value),
		Lower: results.Number(inf.Lower)}
	defer func() {
		if p := recover(); p != nil {
			out.Verdict, out.Message = results.Error, describe(p)
		}
	}()
	o := s.evaluate(k, variant{}, 0)
	out.Verdict, out.Cases, out.Message = o.verdict, o.count, o.message
	if o.tally == nil || o.verdict == results.Error {
		return out
	}
	ratio := o.ratio()
	out.Ratio, out.Lower = results.Number(ratio.Value), results.Number(ratio.Lower)
	if o.verdict == results.Refuted && o.Failing != nil {
		out.Counterexample = s.simplest(k, o.Failing, &results.Claim{})
	}
	return out
}
