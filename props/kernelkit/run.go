package kernelkit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
	"github.com/thm-suite/thm/props/results"
)

// Schema is the version of the format of a result.
const Schema = "thm.kernelkit/v1"

// Options say how to run the kit. The zero value runs every check at quick effort.
type Options struct {
	Effort   props.Effort // props.Quick where empty
	Seed     uint64
	Jobs     int           // instances at a time; 0 means one per processor
	Match    string        // globs of check names ("gemm/*") or parts of names, separated by commas; empty is all
	Waivers  []Waiver      // those of other kernels are left out
	Today    time.Time     // the day on which waivers are judged; zero is the day of the run
	Strict   bool          // known defects of gonum's routines are not waived
	Limit    time.Duration // of a check; one that takes longer has failed. 0 is none
	Progress func(props.Event)
	Asked    func(what string) // is told what is asked of the kernel, before it is
}

// Verdict is the outcome of a check.
type Verdict string

// The verdicts. A result is green when every check holds, is waived, or is not offered, and no waiver is complained of.
const (
	Holds      Verdict = "holds"
	Failed     Verdict = "failed"
	Waived     Verdict = "waived"      // it fails, and a waiver accepts that
	Incomplete Verdict = "incomplete"  // fewer instances ran than were planned
	Error      Verdict = "error"       // the check itself broke
	NotOffered Verdict = "not offered" // the kernel lacks the part
)

// CheckResult holds the result of one check.
type CheckResult struct {
	Check          string         `json:"check"`
	Part           Part           `json:"part"`
	Doc            string         `json:"doc"`
	Verdict        Verdict        `json:"verdict"`
	Ratio          results.Number `json:"ratio"` // the worst; at most 1 where the check holds
	Cases          results.Count  `json:"cases"`
	Counterexample string         `json:"counterexample,omitempty"` // the simplest failing instance that was found
	Reproducer     string         `json:"reproducer,omitempty"`     // a program that makes the call
	Message        string         `json:"message,omitempty"`        // why the verdict is error or incomplete
	Waiver         *Waiver        `json:"waiver,omitempty"`         // also when it does not help
}

// Result holds the results of a run of the kit.
type Result struct {
	Schema string          `json:"schema"`
	Kernel string          `json:"kernel"`
	Effort props.Effort    `json:"effort"`
	Seed   uint64          `json:"seed"`
	Counts map[Verdict]int `json:"counts"`
	Cases  results.Count   `json:"cases"`
	Checks []CheckResult   `json:"checks"`
	// waivers that are expired, not needed, or for a check that does not exist
	Complaints []string `json:"complaints"`
}

// OK reports whether the kernel conforms: something was checked, all of it holds or is waived, and all waivers are in
// order.
func (r *Result) OK() bool {
	bad := r.Counts[Failed] + r.Counts[Incomplete] + r.Counts[Error] + len(r.Complaints)
	return bad == 0 && r.Counts[Holds]+r.Counts[Waived] > 0
}

// Run runs the checks on a kernel. When the context ends early the checks that did not finish are incomplete. An
// error means that nothing could be run: a pattern that matches no check, a malformed waiver, a kernel that cannot be
// prepared.
func Run(ctx context.Context, k Kernel, o Options) (*Result, error) {
	checks, err := Match(o.Match)
	if err != nil {
		return nil, err
	}
	w, err := newWaivers(k, o)
	if err != nil {
		return nil, err
	}
	restore, err := k.Begin()
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	defer restore()
	var rows []CheckResult
	for _, c := range checks {
		row := o.run(ctx, k, c)
		w.apply(&row)
		rows = append(rows, row)
	}
	return newResult(k.Name, o, rows, w.complaints(checks)), nil
}

// RunOne runs one check on a kernel whose Begin has been called, and applies no waiver.
func RunOne(ctx context.Context, c Check, k Kernel, o Options) CheckResult {
	return o.run(ctx, k, c)
}

// Conclude is the result of checks that were run one by one, with the waivers of the options applied.
func Conclude(k Kernel, o Options, rows []CheckResult) (*Result, error) {
	w, err := newWaivers(k, o)
	if err != nil {
		return nil, err
	}
	ran := map[string]bool{}
	for i := range rows {
		w.apply(&rows[i])
		ran[rows[i].Check] = true
	}
	checks := slices.DeleteFunc(Checks(), func(c Check) bool { return !ran[c.Name] })
	return newResult(k.Name, o, rows, w.complaints(checks)), nil
}

func newResult(kernel string, o Options, rows []CheckResult, complaints []string) *Result {
	r := &Result{Schema: Schema, Kernel: kernel, Effort: o.effort(), Seed: o.Seed, Counts: map[Verdict]int{},
		Checks: rows, Complaints: complaints}
	for _, row := range rows {
		r.Counts[row.Verdict]++
		r.Cases.Planned += row.Cases.Planned
		r.Cases.Run += row.Cases.Run
	}
	return r
}

// run executes a check if the kernel offers its part. Calls of a kernel cannot be stopped: one that does not return
// within the limit is left to itself.
func (o Options) run(ctx context.Context, k Kernel, c Check) CheckResult {
	row := CheckResult{Check: c.Name, Part: c.Part, Doc: c.Doc, Verdict: NotOffered}
	if !c.OfferedBy(k) {
		return row
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if o.Asked != nil {
		kit.Observe(o.Asked)
	}
	done := make(chan props.SuiteResult, 1)
	go func() { done <- props.RunChecks(ctx, kit.Suite, []props.Check{c.Make(k)}, o.engine())[0] }()
	var late <-chan time.Time
	if o.Limit > 0 {
		late = time.After(o.Limit)
	}
	select {
	case out := <-done:
		row.Verdict, row.Ratio, row.Cases = VerdictOf(out.Verdict), out.Ratio, out.Cases
		row.Counterexample, row.Reproducer, _ = strings.Cut(out.Counterexample, kit.Reproducer+" = ")
		if row.Reproducer = strings.TrimSpace(row.Reproducer); row.Reproducer != "" {
			row.Reproducer += "\n"
		}
		row.Message = out.Message
	case <-late:
		row.Verdict, row.Ratio = Failed, results.Number(math.Inf(1))
		row.Counterexample, row.Reproducer = kit.Unanswered(c.Name)
		row.Message = fmt.Sprintf("no answer within %v: it hangs, or is too slow for this limit", o.Limit)
		kit.GiveUp()
	}
	return row
}

// Judge runs one check on a kernel whose Prepare has been called, without the search for a simpler counterexample.
func Judge(ctx context.Context, c Check, k Kernel, o Options) props.SuiteResult {
	return props.JudgeChecks(ctx, kit.Suite, []props.Check{c.Make(k)}, o.engine())[0]
}

func (o Options) effort() props.Effort { return cmp.Or(o.Effort, props.Quick) }

// engine are the options of the engine that runs the checks.
func (o Options) engine() props.Options {
	return props.Options{Effort: o.effort(), Seed: o.Seed, Jobs: o.Jobs, Progress: o.Progress}
}

// VerdictOf reads the engine's verdict. What is undecided has not been shown to hold.
func VerdictOf(v results.Verdict) Verdict {
	switch v {
	case results.Holds:
		return Holds
	case results.Incomplete:
		return Incomplete
	case results.Error:
		return Error
	}
	return Failed
}

// Match returns the checks that any of the patterns matches, in the order of Checks.
func Match(patterns string) ([]Check, error) {
	if patterns == "" {
		return Checks(), nil
	}
	var found []Check
	for _, c := range Checks() {
		hit := false
		for _, p := range strings.Split(patterns, ",") {
			p = strings.TrimSpace(p)
			ok, err := path.Match(p, c.Name)
			if err != nil {
				return nil, fmt.Errorf("pattern %q is malformed: a bracket is not closed or an escape is not finished",
					p)
			}
			hit = hit || ok || p != "" && strings.Contains(c.Name, p)
		}
		if hit {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no check matches %q", patterns)
	}
	return found, nil
}
