package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

// defaultOut is where a report goes, and where the last verdicts are looked up.
const defaultOut = "reports/latest"

func (p *program) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Verify claims and write the report",
		Long: `Verify the claims that match any PATTERN, or all of them, and write index.html with
a page for each claim below claims/, report.md, results.json and junit.xml to the
directory of the report; thm report makes one file or an archive of it. The simplest
counterexample to a refuted claim goes to counterexamples/, for thm certify.

Progress goes to stderr and the table to stdout. Ctrl-C stops the run within a second:
results so far are written, unfinished claims are incomplete, and the exit code is 3. A
second Ctrl-C quits at once. If a run ends early, even killed, the same command continues
where it stopped, from ` + runs.JournalName + `.

If you run only some claims, the report keeps its other rows, marked as older, provided
that they have the same source, effort and seed. Otherwise the old results are kept as
` + runs.PreviousName + `.

--shard I/N does only the I-th of N parts of the work, which cost about the same; N may
be as large as you like. thm merge joins the parts. The results depend on the claims,
the effort and the seed, and not on --jobs or on the number of parts.

Deep effort adds four hours of processor time to standard effort, or as much as --budget
allows. The checks share it equally; no check grows beyond the sizes that it declares,
and time that one check does not need goes to the others.`,
		Example: `  thm check
  thm check '{source}/*' {simulated} --effort quick
  thm check --effort deep --shard 2/8 --out shard2
  thm check --budget 30m --dry-run
  thm check --json --quiet > results.json
  thm check {name} --dry-run
  thm check --failed-first --fail-fast`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			if err := f.budgeted(cmd); err != nil {
				return err
			}
			return p.check(cmd.Context(), f, patterns)
		},
	}
	f.register(cmd)
	return cmd
}

func (p *program) check(ctx context.Context, f checkFlags, patterns []string) (err error) {
	selected, err := runs.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	last, _ := reports.Read(filepath.Join(f.out, "results.json")) // costs and verdicts, where there are any
	o := f.options(p, patterns)
	total := reports.CountStatements(runs.Statements(selected)).Total()
	var plan []runs.Planned
	if f.dryRun || !f.quiet {
		plan = runs.Estimate(selected, o, last)
	}
	out := f.outputs(p.Stdout)
	if out.against, err = readAgainst(f.against); err != nil {
		return err
	}
	if f.dryRun {
		return p.showPlan(f, plan, total)
	}
	part, concerned, err := f.shard.Units(selected, o)
	if err != nil {
		return err
	}
	profiles, err := f.profile.Start()
	if err != nil {
		return err
	}
	release, err := runs.Take(f.out)
	if err != nil {
		profiles.Discard()
		return err
	}
	defer release()
	defer func() {
		if failed := profiles.Finish(); failed != nil && (err == nil || isVerdict(err)) {
			err = cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing a profile: %w", failed)}
		}
	}()
	journal, done, err := runs.OpenJournal(f.out, o, f.shard, selected)
	if err != nil {
		return err
	}
	defer journal.Close()
	if f.shard.Partial() {
		journal.Own(part)
		selected = concerned
	}
	o.Journal = journal
	if f.failedFirst && last != nil {
		selected = runs.FailedFirst(selected, last)
	}
	show := console.NewDisplay(p.Stderr, runs.Slugs(selected), console.Progress{Program: p.Name,
		Quiet: f.quiet, NoColor: f.noColor, JSON: f.progress == "json", Costs: runs.SecondsOf(plan),
		Jobs: f.jobs, Undivided: !f.shard.Partial()})
	ctx, stop := cli.Interruptible(ctx, show.Note)
	show.Begin(fmt.Sprintf("%s: %s effort, seed %d, %s", total, f.effort, f.seed, terminal.Plural(f.jobs, "job")))
	if done > 0 {
		show.Note(fmt.Sprintf("going on from %s: %d of %s done", filepath.Join(f.out, runs.JournalName), done,
			terminal.Plural(len(part), "unit of work")))
	}
	ctx, o.Progress = f.untilFailure(ctx, show.Event, show.Note)
	ctx, o.Progress = f.whileKept(ctx, journal, o.Progress)
	defer shareThreads(f.jobs)()
	results := props.Run(ctx, selected, o)
	stop()
	show.Close()
	runs.InOrder(results, p.claims)
	if f.shard.Partial() {
		return p.finishShard(f, results, errors.Join(journal.Err(), journal.Close()))
	}
	if err := journal.Err(); err != nil {
		show.Note(fmt.Sprintf("the journal could not be written (%v): if the run is killed it begins anew", err))
	}
	err = p.publish(results, f.out, out)
	if results.Run.Interrupted || err != nil && !isVerdict(err) {
		return err
	}
	_ = journal.Close()
	_ = os.Remove(filepath.Join(f.out, runs.JournalName)) // the run has ended and is on paper
	return err
}

// untilFailure ends the run at the first claim that is refuted or whose wrong version was accepted, with --fail-fast.
func (f checkFlags) untilFailure(ctx context.Context, show func(props.Event), note func(string)) (context.Context,
	func(props.Event)) {
	if !f.failFast {
		return ctx, show
	}
	ctx, cancel := context.WithCancel(ctx)
	return ctx, func(e props.Event) {
		show(e)
		if row := e.Finished; row != nil && (row.Verdict == results.Refuted || row.Missed()) && ctx.Err() == nil {
			note(row.ID + " has failed: stopping within a second")
			cancel()
		}
	}
}

// whileKept ends the run of a shard when its journal cannot be written, because the journal is all that a shard leaves.
func (f checkFlags) whileKept(ctx context.Context, j *props.Journal, show func(props.Event)) (context.Context,
	func(props.Event)) {
	if !f.shard.Partial() {
		return ctx, show
	}
	ctx, cancel := context.WithCancel(ctx)
	return ctx, func(e props.Event) {
		if show(e); j.Err() != nil {
			cancel()
		}
	}
}

// options returns the options of the run that the flags describe.
func (f checkFlags) options(p *program, patterns []string) props.Options {
	o := props.Options{Effort: f.effort, Seed: f.seed, Jobs: f.jobs, Patterns: patterns,
		Uncalibrated: p.uncalibrated || f.shard.Partial()}
	if f.effort == props.Deep {
		o.Budget = f.budget.Seconds()
	}
	runs.Afford(&o, p.claims)
	return o
}

// isVerdict reports whether an error only chooses the exit code of results that were written.
func isVerdict(err error) bool {
	var e cli.Exit
	return errors.As(err, &e) && e.Err == nil
}

// finishShard prints where the measurements of a shard are. A shard has no verdict of its own.
func (p *program) finishShard(f checkFlags, r *results.Results, lost error) error {
	if lost != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf(
			"shard %v: the journal cannot be written: %w; free some space: the same command goes on where it stopped",
			f.shard, lost)}
	}
	if r.Run.Interrupted {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf(
			"shard %v was interrupted; the same command goes on where it stopped", f.shard)}
	}
	for _, row := range r.Claims {
		if row.Verdict == results.Error {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("%s: %s", row.ID, row.Message)}
		}
	}
	return p.Print(fmt.Sprintf("shard %v is measured: %s; join all of them with thm merge\n", f.shard,
		filepath.Join(f.out, runs.JournalName)))
}

// shareThreads gives each of the jobs its share of the processors for the kernels, because more threads would compete
// with other cells, and returns a function that undoes it.
func shareThreads(jobs int) (restore func()) {
	blas.SetThreads(max(1, runtime.GOMAXPROCS(0)/jobs))
	return func() { blas.SetThreads(0) }
}
