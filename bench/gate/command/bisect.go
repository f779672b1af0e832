package command

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/terminal"
)

// bisection is a search for the commit that changed a count.
type bisection struct {
	sampling
	setup string

	show    func(string)
	m       *terminal.Progress
	tests   *builds
	bench   measure.Benchmark // once it is found
	samples map[string]measure.Sample
}

func (c *commands) bisectCommand() *cobra.Command {
	var f bisection
	cmd := &cobra.Command{
		Use:   "bisect GOOD BAD BENCHMARK",
		Short: "Find the commit that changed the instructions of a benchmark",
		Long: `Search the commits after GOOD up to BAD, along first parents, for the first from which
the benchmark executes as many instructions as at BAD, and print it with the functions
that changed. Both ends are counted three times, and the search refuses to begin if
that does not tell them apart; each commit on the way is counted once, in as many steps
as the number of commits has binary digits. Commits that do not build are passed over.`,
		Example: `  benchgate bisect v1.2.0 main Sum/n=10
  benchgate bisect HEAD~50 HEAD Parse --pkg ./parser`,
		Args: cli.Args(3, 3, "GOOD, BAD and a BENCHMARK"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := f.valid(); err != nil {
				return err
			}
			f.show = func(text string) { _ = c.Print(text + "\n") }
			f.m = terminal.NewProgress(c.Stderr, c.Name, f.quiet)
			ctx, stop := cli.Interruptible(cmd.Context(), f.m.Stopping)
			err := f.run(ctx, words[0], words[1], strings.TrimPrefix(words[2], "Benchmark"))
			stop()
			f.m.Close()
			if errors.Is(err, context.Canceled) {
				return cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted")}
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "dir", "C", ".", "`DIR` of the module")
	flags.StringSliceVar(&f.packages, "pkg", []string{"./..."}, "`PACKAGES` in which the benchmark is, as the go command "+
		"has them")
	flags.DurationVar(&f.limit, "count-limit", 2*time.Minute, "how long a process may take whose instructions are "+
		"counted")
	flags.StringVar(&f.setup, "setup", "", "shell `COMMAND` that is run at the root of each checkout before its tests "+
		"are built")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	f.quantity, f.count, f.benchtime = instructions, 1, "1x"
	return cmd
}

// ends is the number of times that both ends are counted.
const ends = 3

func (f *bisection) run(ctx context.Context, good, bad, name string) (err error) {
	count, err := f.sampling.counter(ctx, f.m)
	if err != nil {
		return err
	}
	if f.tests, err = newBuilds(f.m, count); err != nil {
		return err
	}
	defer f.tests.remove()
	commits, err := measure.Commits(ctx, f.dir, good, bad)
	if err != nil {
		return err
	}
	f.samples = map[string]measure.Sample{}
	after, err := f.counts(ctx, bad, name, ends)
	if err != nil {
		return fmt.Errorf("%s: %w", bad, err)
	}
	before, err := f.counts(ctx, good, name, ends)
	if err != nil {
		return fmt.Errorf("%s: %w", good, err)
	}
	gap, err := diff.NewGap(before, after)
	if err != nil {
		return err
	}
	last, first, err := diff.FirstBad(ctx, len(commits), func(ctx context.Context, i int) (diff.Side, error) {
		f.m.Set(fmt.Sprintf("%d commits, at %s", len(commits), commits[i]))
		x, err := f.counts(ctx, commits[i].Hash, name, 1)
		switch {
		case ctx.Err() != nil:
			return diff.Unknown, ctx.Err()
		case err != nil:
			f.show(fmt.Sprintf("unknown  %s: %v", commits[i], err))
			return diff.Unknown, nil
		}
		side := gap.Side(x[0])
		f.show(fmt.Sprintf("%-7s  %s: %.6g instructions/op", []string{"before", "after"}[side], commits[i], x[0]))
		return side, nil
	})
	if err != nil {
		return err
	}
	f.conclude(commits, last, first, good, bad)
	return nil
}

// conclude prints the first commit after the change, and the functions that changed.
func (f *bisection) conclude(commits []measure.Commit, last, first int, good, bad string) {
	f.show("first commit after the change: " + commits[first].String())
	for i := last + 1; i < first; i++ {
		f.show("or, because it was not counted:  " + commits[i].String())
	}
	before, after := f.samples[good], f.samples[bad]
	if last >= 0 {
		before = f.samples[commits[last].Hash]
	}
	if s, counted := f.samples[commits[first].Hash]; counted {
		after = s
	}
	before.Arm, after.Arm = diff.Old, diff.New
	c := diff.Comparison{Samples: []measure.Sample{before, after}}
	if text := c.Culprits(f.bench); text != "" {
		f.show(text)
	}
}

// counts checks a revision out and counts its benchmark.
func (f *bisection) counts(ctx context.Context, revision, name string, times int) (out []float64, err error) {
	w, err := measure.Checkout(ctx, f.tests.scratch, f.dir, revision)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Remove()) }()
	if f.setup != "" {
		if err := w.Setup(ctx, f.setup); err != nil {
			return nil, err
		}
	}
	bin, err := f.binary(ctx, w.Dir, revision, name)
	if err != nil {
		return nil, err
	}
	for range times {
		s, err := measure.Take(ctx, bin, f.bench, 0, "1x")
		if err == nil && s.Result != nil {
			err = f.tests.count.Add(ctx, bin, &s)
		}
		if err != nil {
			return nil, err
		}
		if why := s.Fail + s.Uncounted; why != "" {
			return nil, errors.New(why)
		}
		x, _ := s.Result.Value(measure.InstructionUnit)
		out, f.samples[revision] = append(out, x), s
	}
	return out, nil
}

// binary builds the package of the benchmark; the first time it finds which that is.
func (f *bisection) binary(ctx context.Context, dir, revision, name string) (measure.Binary, error) {
	if f.bench.Package != "" {
		f.packages = []string{f.bench.Package}
	}
	bins, err := f.tests.build(ctx, f.m, &f.sampling, dir, "at "+strings.ReplaceAll(revision, "/", "-"))
	if err != nil {
		return measure.Binary{}, err
	}
	if f.bench.Package != "" {
		return bins[0], nil
	}
	top, _, _ := strings.Cut(name, "/")
	for _, bin := range bins {
		found, _, err := measure.Discover(ctx, bin, "^Benchmark"+regexp.QuoteMeta(top)+"$")
		if err != nil {
			return bin, err
		}
		for _, b := range found {
			if b.Name == name {
				f.bench = b
				return bin, nil
			}
		}
	}
	return measure.Binary{}, fmt.Errorf("no benchmark of %s is named %s", strings.Join(f.packages, " "), name)
}
