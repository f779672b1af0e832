package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/terminal"
)

// diffFlags are the flags of benchgate diff.
type diffFlags struct {
	sampling
	compareFlags
	pattern string
	confirm int
	pilot   int
	samples string
	resume  bool
	all     bool
	setup   string
	budget  time.Duration
	folded  string
	kept    bool // the samples lie where nobody chose
}

func (c *commands) diffCommand() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff REF [REF2]",
		Short: "Measure two revisions together, and gate on the difference",
		Long: `Build the benchmarks of revision REF and of REF2 (by default of the working tree
as it is), measure them together, and exit by the rules of benchgate gate:
0 pass, 1 regression, 2 unusable input, 3 undecided or interrupted.

In every round each benchmark runs three times, one process after the other in
random order: the old code, a second copy of the old code, the new code. The
difference between the first two is the noise floor of the row. If nothing
changed, the three are exchangeable by the random order alone, so that the chance
of any false alarm in the whole table is at most --alpha however noisy the
machine is.

If the machine can count instructions, by its own counters or under valgrind, they are
counted in addition to time (--meter), in three rounds, which suffice because counts
repeat. Counts decide where they can, unless time is sure of the contrary. Without
counts, --pilot rounds of the old code show how noisy the machine is, and before the
measurement begins the command says which changes --count rounds will find.

Rows that --count rounds leave undecided, or whose time looks changed, are measured
further, up to --confirm times. All rounds count together, and each look spends a
part of --alpha, so that looking again does not raise it.

After --budget the measurement ends, and what is known then is judged. Ctrl-C prints
what is known. All samples are kept, and the last line says where.

Packages whose test binary and directory are the same in both revisions are not
measured; --all measures them. The revisions are checked out in temporary
directories, which are removed also after Ctrl-C.`,
		Example: `  benchgate diff main
  benchgate diff v1.2.0 v1.3.0 --bench 'MatMul|SVD' --pkg ./impl/...
  benchgate diff origin/main --format github --report markdown="$GITHUB_STEP_SUMMARY"
  benchgate diff HEAD -n 20 --zone 0.02 --samples diff.txt`,
		Args: cli.Args(1, 2, "a revision REF, and perhaps a second one"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			return c.benchDiff(cmd, &f, append(words, "")[:2], cmd.Flags().Changed)
		},
	}
	flags := cmd.Flags()
	f.sampling.register(flags, "200ms", automatic)
	f.policyFlags(flags)
	f.outputFlags(flags, "brief")
	flags.StringVar(&f.pattern, "bench", ".", "measure the benchmarks that match this `PATTERN` of go test -bench")
	flags.IntVar(&f.confirm, "confirm", 1, "how many times undecided rows are measured further")
	flags.IntVar(&f.pilot, "pilot", 5, "rounds of the old code that predict which changes will be found; 0 for none")
	flags.StringVar(&f.samples, "samples", "", "keep all samples in this `FILE` (default one in the user's cache, for a "+
		"month)")
	flags.DurationVar(&f.budget, "budget", 5*time.Minute, "measure no longer than this, first what was not measured "+
		"yet, then what looks changed; then judge what is known; 0 for no limit")
	flags.BoolVar(&f.resume, "resume", false, "continue an interrupted command from its file of --samples")
	flags.StringVar(&f.folded, "functions", "", "write the instructions of each function, before and after, to this "+
		"`FILE` of folded stacks, from which flame graphs of a difference are made")
	flags.StringVar(&f.setup, "setup", "", "shell `COMMAND` that is run at the root of each checkout before its tests "+
		"are built, as in \"go generate ./...\"")
	flags.BoolVar(&f.all, "all", false, "also measure packages that are the same in both revisions")
	return cmd
}

// check refuses what cannot be used, before anything is built.
func (f *diffFlags) check(flags *pflag.FlagSet) error {
	if err := f.settle(flags); err != nil {
		return err
	}
	if _, err := regexp.Compile(f.pattern); err != nil {
		return fmt.Errorf("--bench %q: %w", f.pattern, err)
	}
	if f.confirm < 0 || f.confirm > 100 {
		return fmt.Errorf("--confirm %d: this is a whole number from 0 to 100", f.confirm)
	}
	if f.pilot < 0 || f.pilot == 1 || f.pilot > 1000 {
		return fmt.Errorf("--pilot %d: this is a whole number from 2 to 1000, or 0 for no estimate", f.pilot)
	}
	if f.budget < 0 {
		return fmt.Errorf("--budget %v: this is a time as in 5m, or 0 for none", f.budget)
	}
	if f.resume && f.samples == "" {
		return errors.New("--resume needs the file of the samples, with --samples")
	}
	if _, err := os.Lstat(f.samples); f.samples != "" && err == nil && !f.resume {
		return fmt.Errorf("%s is already there; choose another file with --samples, or go on with it by --resume",
			f.samples)
	}
	return f.valid()
}

func (c *commands) benchDiff(cmd *cobra.Command, f *diffFlags, refs []string, given func(string) bool) error {
	m := terminal.NewProgress(c.Stderr, c.Name, f.quiet)
	ctx, stop := cli.Interruptible(cmd.Context(), m.Stopping)
	table, err := f.measure(ctx, m, refs, given)
	stop()
	m.Close()
	kept := ""
	if _, missing := os.Lstat(f.samples); missing == nil && f.kept {
		kept = "; the samples are in " + f.samples
	}
	if errors.Is(err, context.Canceled) {
		if table != nil && len(table.Rows) > 0 {
			if err := c.emit(table, &f.compareFlags); err != nil {
				return err
			}
		}
		if _, missing := os.Lstat(f.samples); f.samples == "" || missing != nil {
			return cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted, nothing is decided")}
		}
		return cli.Exit{Code: cli.Unsettled,
			Err: fmt.Errorf("interrupted; the same command goes on with --samples %s --resume", f.samples)}
	}
	switch {
	case err != nil:
		return err
	case table == nil:
		return c.Print("nothing to measure: every package is the same in both revisions, its test binary byte by " +
			"byte\n")
	}
	if err := c.emit(table, &f.compareFlags); err != nil {
		return err
	}
	if outcome := table.Outcome(); outcome.Code != compare.Pass {
		return cli.Exit{Code: outcome.Code, Err: errors.New(outcome.Name + ": " + outcome.Reason + kept)}
	}
	if kept != "" {
		m.Note("pass" + kept)
	}
	return nil
}

// keep names a file for the samples in the user's cache, and removes those that are older than a month.
func (f *diffFlags) keep() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "benchgate")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w; choose a file with --samples", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range old {
		const month = 30 * 24 * time.Hour
		info, err := file.Info()
		if err == nil && strings.HasPrefix(file.Name(), "diff-") && time.Since(info.ModTime()) > month {
			_ = os.Remove(filepath.Join(dir, file.Name())) // the next one removes it
		}
	}
	f.samples = filepath.Join(dir, fmt.Sprintf("diff-%s-%d.txt", time.Now().Format("20060102-150405"), os.Getpid()))
	f.kept = true
	return nil
}

// measure makes the table; without an error there is none if nothing had to be measured.
func (f *diffFlags) measure(ctx context.Context, m *terminal.Progress, refs []string, given func(flag string) bool) (
	table *compare.Table, err error) {
	count, err := f.sampling.counter(ctx, m)
	if err != nil {
		return nil, err
	}
	f.settleQuantity(given)
	tests, err := newBuilds(m, count)
	if err != nil {
		return nil, err
	}
	v := &versions{builds: tests}
	defer func() { err = errors.Join(err, v.clean()) }()
	if err := v.prepare(ctx, m, f, refs); err != nil {
		return nil, err
	}
	common := diff.Common(v.sets[0], v.sets[1])
	if len(v.sets[0])+len(v.sets[1])+len(v.failed) == 0 {
		if len(v.skipped) > 0 {
			return nil, nil
		}
		return nil, fmt.Errorf("no benchmark of %s matches %q%s", strings.Join(f.packages, " "), f.pattern,
			filtered(f.filter))
	}
	return f.looks(ctx, m, v, common)
}

// looks measures the common benchmarks, look by look, and judges them.
func (f *diffFlags) looks(ctx context.Context, m *terminal.Progress, v *versions,
	common []measure.Benchmark) (*compare.Table, error) {
	if f.samples == "" {
		if err := f.keep(); err != nil {
			return nil, err
		}
	}
	log, have, err := f.open(v)
	if err != nil {
		return nil, err
	}
	defer log.Close() // every sample is synced
	p := diff.Procedure{Common: common, Pilot: v.pilot, PilotRounds: f.pilot, Failed: v.failed, Display: m, Process: v.ran,
		Budget: f.budget, Relink: v.relink,
		Comparison: diff.Comparison{Rounds: f.count, Old: v.names[0], New: v.names[1], Policy: f.policy,
			Looks:  diff.Schedule(f.count, f.confirm, len(common), f.policy.Alpha, v.count != nil),
			Cycles: f.quantity == cycles},
		Session: measure.Session{Log: log, Binaries: v.bins, Seed: f.seed, Benchtime: f.benchtime, Have: have,
			Count: v.count}}
	table, err := p.Run(ctx)
	if table == nil {
		return nil, err
	}
	if f.folded != "" {
		var text bytes.Buffer
		written := errors.Join(p.Folded(&text, common), atomicfile.Write(f.folded, text.Bytes()))
		if written != nil {
			return nil, errors.Join(err, written)
		}
	}
	p.Sets(table, v.sets[0], v.sets[1])
	if what := lacking(v.count); what != "" {
		table.Problems = append(table.Problems, compare.Problem{Text: what})
	}
	if n := len(v.skipped); n > 0 {
		text := "not measured, because nothing in them changed: " + strings.Join(v.skipped, ", ")
		table.Problems = append(table.Problems, compare.Problem{Text: text})
	}
	return table, err
}

// open opens the file of samples, and returns what is in it.
func (f *diffFlags) open(v *versions) (*measure.Log, []measure.Sample, error) {
	run := f.describe(f.pattern, v.builds, v.arms...)
	run.Rounds = f.count
	if _, err := os.Lstat(f.samples); !f.resume || errors.Is(err, fs.ErrNotExist) {
		log, err := measure.Create(f.samples, run, v.config)
		return log, nil, err
	}
	record, err := measure.ReadFile(f.samples)
	if err != nil {
		return nil, nil, err
	}
	if run.Started = record.Run.Started; !reflect.DeepEqual(run, record.Run) {
		return nil, nil, fmt.Errorf("%s was begun by another command, on another machine, or with other code; choose "+
			"another file", f.samples)
	}
	log, record, err := measure.Resume(f.samples, v.config)
	if err != nil {
		return nil, nil, err
	}
	return log, record.Samples, nil
}
