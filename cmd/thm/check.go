package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/reports"

	"github.com/thm-suite/thm/reports/console"
	"github.com/thm-suite/thm/reports/runs"
)

// defaultOut is where a report goes, and where the last verdicts are looked up.
const defaultOut = "reports/latest"

func (p *program) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATTERN...]",
		Short: "Verify claims and write the report",
		Long: `Verify the claims that match any PATTERN, or all of them, and write index.html,
report.md, results.json and junit.xml to the directory of the report. The simplest
counterexample to a refuted claim goes to counterexamples/, for thm certify.

Progress goes to stderr and the table to stdout. Ctrl-C stops the run: what is
known by then is written, claims that did not finish are incomplete, and the exit
code is 3. A second Ctrl-C quits at once. However a run ends before its end, killed
included, the same command goes on where it stopped, from ` + runs.JournalName + `.

With --shard I/N only the I-th of N parts of the work is done, of about equal cost and
with N as large as you like; thm merge joins the parts. The results depend on the
claims, the effort and the seed, and not on --jobs or on the number of parts.`,
		Example: `  thm check
  thm check 'vcl/*' onestep/spike --effort quick
  thm check --effort deep --shard 2/8 --out shard2
  thm check --json --quiet > results.json`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return p.check(cmd.Context(), f, patterns)
		},
	}
	f.register(cmd)
	return cmd
}

func (p *program) check(ctx context.Context, f checkFlags, patterns []string) (err error) {
	selected, err := catalog.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	part, err := f.shard.Units(selected, f.effort)
	if err != nil {
		return err
	}
	profiles, err := f.profile.Start()
	if err != nil {
		return err
	}
	if err := runs.Writable(f.out); err != nil {
		profiles.Discard()
		return err
	}
	defer func() {
		if failed := profiles.Finish(); failed != nil && (err == nil || isVerdict(err)) {
			err = cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing a profile: %w", failed)}
		}
	}()
	journal, done, err := runs.OpenJournal(f.out, f.effort, f.seed, f.shard, selected)
	if err != nil {
		return err
	}
	defer journal.Close()
	if f.shard.Partial() {
		journal.Own(part)
	}
	show := console.NewDisplay(p.Stderr, runs.Slugs(selected), f.quiet, f.noColor)
	ctx, stop := cli.Interruptible(ctx, show.Note)
	show.Begin(fmt.Sprintf("%s effort, seed %d, %s", f.effort, f.seed, terminal.Plural(f.jobs, "job")))
	if done > 0 {
		show.Note(fmt.Sprintf("going on from %s: %d of %s done", filepath.Join(f.out, runs.JournalName), done,
			terminal.Plural(len(part), "unit of work")))
	}
	results := props.Run(ctx, selected, props.Options{Effort: f.effort, Seed: f.seed, Jobs: f.jobs,
		Progress: show.Event,
		Journal:  journal})
	stop()
	show.Close()
	if err := journal.Err(); err != nil {
		show.Note(fmt.Sprintf("the journal could not be written (%v): if the run is killed it begins anew", err))
	}
	if f.shard.Partial() {
		return p.finishShard(f, results)
	}
	if err := p.publish(results, f.out, f.json, terminal.StyleOf(p.Stdout, f.noColor)); results.Run.Interrupted ||
		err != nil && !isVerdict(err) {
		return err
	} else {
		_ = journal.Close()
		_ = os.Remove(filepath.Join(f.out, runs.JournalName)) // the run has ended and is on paper
		return err
	}
}

// isVerdict reports whether an error only chooses the exit code of results that were written.
func isVerdict(err error) bool {
	var e cli.Exit
	return errors.As(err, &e) && e.Err == nil
}

// finishShard says where the measurements of a shard are. A shard has no verdict of its own.
func (p *program) finishShard(f checkFlags, r *props.Results) error {
	if r.Run.Interrupted {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf(
			"shard %v was interrupted; the same command goes on where it stopped", f.shard)}
	}
	for _, row := range r.Claims {
		if row.Verdict == props.Error {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("%s: %s", row.ID, row.Message)}
		}
	}
	return p.Print(fmt.Sprintf("shard %v is measured: %s; join all of them with thm merge\n", f.shard,
		filepath.Join(f.out, runs.JournalName)))
}

// publish writes the report, prints the table or the JSON, and chooses the exit code.
func (p *program) publish(r *props.Results, dir string, asJSON bool, s terminal.Style) error {
	if err := runs.Write(dir, r, p.claims); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	text := console.Result(r, s) + "; report: " + filepath.Join(dir, "index.html") + "\n"
	if asJSON {
		encoded, err := reports.Encode(r)
		if err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		text = string(encoded)
	}
	if err := p.Print(text); err != nil {
		return err
	}
	code := r.ExitCode()
	if r.Run.Interrupted && code == cli.Green {
		code = cli.Unsettled
	}
	if code != cli.Green {
		return cli.Exit{Code: code}
	}
	return nil
}

// checkFlags are the flags of thm check.
type checkFlags struct {
	effort  props.Effort
	seed    uint64
	jobs    int
	shard   runs.Shard
	out     string
	json    bool
	quiet   bool
	noColor bool
	profile cli.Profiling
}

func (f *checkFlags) register(cmd *cobra.Command) {
	*f = checkFlags{effort: props.Standard, seed: 1, jobs: runtime.GOMAXPROCS(0), shard: runs.Undivided}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.effort, "EFFORT", parseEffort), "effort", "size of the run: "+efforts())
	flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), "seed", "seed of all random streams")
	flags.Var(cli.NewValue(&f.jobs, "N", cli.ParseJobs), "jobs",
		"cells that run at a time; the results do not depend on it")
	flags.Var(cli.NewValue(&f.shard, "I/N", runs.ParseShard), "shard",
		"do the I-th of N parts of the work; join them with thm merge")
	flags.StringVar(&f.out, "out", defaultOut, "directory of the report")
	flags.BoolVar(&f.json, "json", false, "print results.json instead of the table")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	cli.NoColorFlag(flags, &f.noColor)
	f.profile.Register(flags)
	_ = cmd.RegisterFlagCompletionFunc("effort",
		cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("out")
	for _, name := range []string{"seed", "jobs", "shard"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}
