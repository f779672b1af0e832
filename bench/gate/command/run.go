package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/terminal"
)

// runFlags are the flags of benchgate run.
type runFlags struct {
	sampling
	path   string // of the commands
	out    string
	resume string
}

func (c *commands) runCommand() *cobra.Command {
	f := runFlags{path: c.path}
	cmd := &cobra.Command{
		Use:   "run [PATTERN]",
		Short: "Measure benchmarks of any module into a file",
		Long: `Measure the Go benchmarks whose names match PATTERN (as in go test -bench; all of
them by default) and write a file in the standard benchmark format, with the
machine and the build.

Each test binary is built once. Each sample is a process of its own, run from the
package's directory, and the order is random round by round, so that drift of the
machine falls on all benchmarks alike and an interruption leaves equal counts.
Every sample is on the disk before the next begins: a run that was interrupted,
even killed, is continued with --resume FILE.

A benchmark that fails is recorded with its reason, named at the end, and makes
the exit code 3; so does an interruption.`,
		Example: `  benchgate run -n 20 --out new.txt
  benchgate run MatMul --pkg ./impl/... --filter '/n:(64 OR 128)'
  benchgate run -C ../other/module --benchtime 100ms
  benchgate run --resume new.txt`,
		Args: cli.Args(0, 1, "at most one PATTERN; packages are named with --pkg"),
		RunE: func(cmd *cobra.Command, words []string) error {
			pattern := "."
			if len(words) == 1 {
				pattern = words[0]
			}
			if _, err := regexp.Compile(pattern); err != nil {
				return fmt.Errorf("PATTERN %q: %w", pattern, err)
			}
			if err := f.valid(); err != nil {
				return err
			}
			return c.benchRun(cmd, f, pattern, len(words) == 1)
		},
	}
	f.register(cmd.Flags(), "1s", timeAlone)
	cmd.Flags().StringVar(&f.out, "out", "", "`FILE` of the samples (default bench-DATE-TIME.txt); never replaced")
	cmd.Flags().StringVar(&f.resume, "resume", "",
		"go on with the `FILE` of an interrupted run, or take more samples with a larger --count")
	return cmd
}

// adopt takes over what a file that is resumed fixes. Flags that say something else are refused.
func (f *runFlags) adopt(run measure.Run, flags *pflag.FlagSet, pattern *string, given bool) error {
	if len(run.Arms) != 1 || run.Arms[0].Name != "" {
		return fmt.Errorf("%s compares two versions; it is continued by %s diff --resume", f.resume, f.path)
	}
	for _, name := range []string{"pkg", "filter", "benchtime", "seed", "out", "meter"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s is fixed by %s, which is resumed", name, f.resume)
		}
	}
	if given {
		return fmt.Errorf("PATTERN is fixed by %s, which is resumed", f.resume)
	}
	f.quantity = cmp.Or(run.Quantity, timeAlone)
	f.packages, f.filter, f.benchtime, f.seed, f.out, *pattern = run.Packages, run.Filter, run.Benchtime, run.Seed,
		f.resume, run.Pattern
	return f.valid()
}

func (c *commands) benchRun(cmd *cobra.Command, f runFlags, pattern string, given bool) (err error) {
	var record *measure.Contents
	if f.resume != "" {
		if record, err = measure.ReadFile(f.resume); err != nil {
			return err
		}
		if err := f.adopt(record.Run, cmd.Flags(), &pattern, given); err != nil {
			return err
		}
	}
	if f.out == "" {
		f.out = time.Now().Format("bench-20060102-150405.txt")
	}
	if _, err := os.Lstat(f.out); err == nil && f.resume == "" {
		return fmt.Errorf("%s is already there; choose another file with --out, or go on with --resume %s", f.out,
			f.out)
	}
	m := terminal.NewProgress(c.Stderr, c.Name, f.quiet)
	ctx, stop := cli.Interruptible(cmd.Context(), m.Stopping)
	text, err := sampleInto(ctx, m, f, pattern, record)
	stop()
	m.Close()
	return c.conclude(text, err)
}

// conclude prints what was done, and says how it ended. An interruption is no error of usage.
func (c *commands) conclude(text string, err error) error {
	if text != "" {
		if printed := c.Print(text); printed != nil {
			return printed
		}
	}
	if errors.Is(err, context.Canceled) {
		return cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted")}
	}
	return err
}

// sampleInto builds, finds and measures. The text says what is in the file now.
func sampleInto(ctx context.Context, m *terminal.Progress, f runFlags, pattern string,
	record *measure.Contents) (string, error) {
	count, err := f.sampling.counter(ctx, m)
	if err != nil {
		return "", err
	}
	tests, err := newBuilds(m, count)
	if err != nil {
		return "", err
	}
	defer tests.remove()
	bins, err := tests.build(ctx, m, &f.sampling, f.dir, "")
	if err != nil {
		return "", err
	}
	if record != nil && !sameBuilds(record.Run.Builds, tests.sums) {
		return "", fmt.Errorf("the code has changed since %s was begun; measure it into another file", f.resume)
	}
	found, failed, err := discover(ctx, m, &f.sampling, pattern, bins)
	if err != nil {
		return "", err
	}
	if len(found)+len(failed) == 0 {
		return "", fmt.Errorf("no benchmark of %s matches %q%s", strings.Join(f.packages, " "), pattern,
			filtered(f.filter))
	}
	log, have, err := openLog(ctx, f, pattern, tests, record)
	if err != nil {
		return "", err
	}
	if count != nil {
		count.Adopt(have)
	}
	session := measure.Session{Log: log, Binaries: bins, Seed: f.seed, Benchtime: f.benchtime, Have: have, Count: count,
		Progress: func(at measure.Progress) { m.Count("measuring "+at.Next.Name, at.Done, at.Planned, at.Left) }}
	if err := addFailures(log, failed, have); err != nil {
		return "", errors.Join(err, log.Close())
	}
	_, err = session.Take(ctx, found, 0, f.count)
	if err = errors.Join(err, log.Close()); err != nil && !errors.Is(err, context.Canceled) {
		return "", cli.Exit{Code: cli.Unsettled, Err: err}
	}
	text, broken := describeRun(f.out)
	if what := lacking(count); what != "" {
		m.Note(what)
	}
	if err != nil {
		m.Note("go on with: " + f.path + " run --resume " + f.out + again(f))
		return text, err
	}
	if broken {
		return text, cli.Exit{Code: cli.Unsettled}
	}
	return text, nil
}

// again returns the flags that must be repeated, because --resume does not know them.
func again(f runFlags) string {
	text := ""
	if f.count != 10 {
		text += fmt.Sprintf(" -n %d", f.count)
	}
	if f.dir != "." {
		text += " -C " + f.dir
	}
	return text
}

func sameBuilds(a, b map[string]string) bool {
	for name, sum := range a {
		if b[name] != sum {
			return false
		}
	}
	return len(a) == len(b)
}

// openLog begins the file of a run, or goes on with it; it also returns what is in it.
func openLog(ctx context.Context, f runFlags, pattern string, tests *builds, record *measure.Contents) (
	*measure.Log, []measure.Sample, error) {
	if record != nil {
		log, record, err := measure.Resume(f.out, tests.config)
		if err != nil {
			return nil, nil, err
		}
		return log, record.Samples, nil
	}
	commit, dirty := measure.Revision(ctx, f.dir)
	run := f.describe(pattern, tests, measure.Arm{Commit: commit, Dirty: dirty})
	log, err := measure.Create(f.out, run, tests.config)
	return log, nil, err
}

// addFailures records what did not even run once.
func addFailures(log *measure.Log, failed []measure.Failure, have []measure.Sample) error {
	taken := measure.Taken(have)
	for _, f := range failed {
		if taken[measure.Slot{Benchmark: f.Benchmark, Arm: f.Arm}] > 0 {
			continue
		}
		if err := log.Add(measure.Sample{Benchmark: f.Benchmark, Arm: f.Arm, Load: measure.LoadAverage(),
			Fail: f.Reason}); err != nil {
			return err
		}
	}
	return nil
}

// describeRun says what a file holds, and names what failed.
func describeRun(file string) (text string, broken bool) {
	record, err := measure.ReadFile(file)
	if err != nil {
		return "", true
	}
	good, bad := map[measure.Benchmark]int{}, map[measure.Benchmark]string{}
	for _, s := range record.Samples {
		if s.Fail == "" {
			good[s.Benchmark]++
		} else {
			bad[s.Benchmark] = s.Fail
		}
	}
	samples, lowest, highest := 0, 0, 0
	for _, n := range good {
		if samples == 0 || n < lowest {
			lowest = n
		}
		samples, highest = samples+n, max(highest, n)
	}
	text = fmt.Sprintf("%s of %s in %s\n", terminal.Plural(samples, "sample"), terminal.Plural(len(good), "benchmark"),
		file)
	if lowest != highest {
		text += fmt.Sprintf("unequal numbers of samples: %d to %d\n", lowest, highest)
	}
	var lines []string
	for b, why := range bad {
		lines = append(lines, fmt.Sprintf("failed: %s: %s\n", b, why))
	}
	slices.Sort(lines)
	return text + strings.Join(lines, ""), len(bad) > 0
}
