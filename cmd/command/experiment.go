package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/experiment/all"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
)

// experimentFlags holds the flags of thm experiment.
type experimentFlags struct {
	commonFlags
	sets  []string
	cache string
	check string
	list  bool
	fresh bool
}

// experimentOut is where the reports go if nothing else is said.
const experimentOut = "reports/latest/experiments"

func (p *program) experimentCommand() *cobra.Command {
	f := experimentFlags{commonFlags: flagsAt(props.Standard, experimentOut)}
	cmd := &cobra.Command{
		Use:   "experiment [NAME...]",
		Short: "Run published experiments again, each with verdicts",
		Long: `Run published experiments again. Each statement that the authors make about their plots
gets a verdict, holds, refuted or undecided, with an interval over runs. A NAME is
source/name, a source, or a pattern as for thm check; without a NAME all experiments
run. --list lists them.

Each experiment writes a folder of its name with index.html, report.md and results.json.
Data sets that are not here are skipped, and the report says so; an experiment on images
that finds no data set uses built-in synthetic images. See thm data --help.

Finished runs are kept in a file, so that a stopped command continues where it was, and
a larger plan reuses a smaller one. Effort quick takes seconds, deep up to days.

A verdict is a finding: refuted and undecided are not failures. With --check the
findings are compared with published ones, and only a drift is a failure: another
verdict, an estimate outside the published interval, or a finding that only one side
has.

Exit codes: 0 everything planned was run, and nothing drifted; 1 the findings drifted from
those given with --check; 2 bad usage, or --check with results of other settings; 3 fewer
runs than planned, or a finding without a number.`,
		Example: `  thm experiment --list
  thm data fetch mnist && thm experiment
  thm experiment vcl/covariance --data mnist
  thm experiment latent --effort quick --out /tmp/experiments
  thm experiment --check reports/published/experiments --out /tmp/experiments`,
		ValidArgsFunction: cobra.FixedCompletions(all.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(cmd *cobra.Command, names []string) error { return p.experiments(cmd.Context(), f, names) },
	}
	flags := cmd.Flags()
	f.add(cmd, "effort", "seed", "jobs: runs at a time; the results do not depend on it", "out: directory of the reports",
		"json: print results.json instead of the verdicts; a line for each experiment", "quiet", "no-color")
	flags.StringSliceVar(&f.sets, "data", nil, "data sets: "+
		strings.Join(experiment.SetNames(), ", ")+"; default: those that are here")
	flags.StringVar(&f.cache, "cache", "", "file of finished runs; default: thm/experiments.jsonl in the user's cache")
	flags.StringVar(&f.check, "check", "", "directory of reports to compare the findings with, see the exit codes")
	flags.BoolVar(&f.list, "list", false, "list the experiments, and run none")
	flags.BoolVar(&f.fresh, "fresh", false, "neither read nor write finished runs")
	_ = cmd.MarkFlagDirname("check")
	_ = cmd.MarkFlagFilename("cache", "jsonl")
	return cmd
}

// plannedExperiment is an experiment with its data, and with the published results that it is compared with.
type plannedExperiment struct {
	experiment.Experiment
	sets      []experiment.Set
	skipped   []string
	published *experiment.Result
}

// experiments runs those that the names choose, and fails as the worst of them does.
func (p *program) experiments(ctx context.Context, f experimentFlags, names []string) error {
	chosen, err := runs.Choose("experiment", all.Experiments(), experiment.Experiment.Words, names...)
	if err != nil {
		return err
	}
	if f.list {
		return p.Print(console.Experiments(chosen))
	}
	plan, notes, err := openExperiments(f, chosen, len(names) == 0)
	if err != nil {
		return err
	}
	cache, err := f.openCache()
	if err != nil {
		return fmt.Errorf("%w; name another file with --cache, or give --fresh", err)
	}
	if err := runs.Writable(f.out); err != nil {
		return err
	}
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet)
	defer show.Close()
	for _, n := range notes {
		show.Note(n)
	}
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	var worst error
	if len(plan) < len(chosen) {
		worst = cli.Exit{Code: cli.Unsettled}
	}
	for _, e := range plan {
		err := p.experiment(ctx, f, e, cache, show)
		if err != nil && !isVerdict(err) {
			return err
		}
		if exit, ok := err.(cli.Exit); ok && (worst == nil || exit.Code == cli.Unsettled) {
			worst = exit
		}
	}
	if err := reports.WriteExperimentIndex(f.out, all.Experiments()); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the index: %w", err)}
	}
	return worst
}

// openCache opens the file of finished runs, by default in the user's cache; a fresh run has none.
func (f experimentFlags) openCache() (*experiment.Cache, error) {
	if f.fresh || f.cache != "" {
		return experiment.OpenCache(map[bool]string{false: f.cache}[f.fresh])
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no directory for finished runs: %w", err)
	}
	return experiment.OpenCache(filepath.Join(dir, "thm", "experiments.jsonl"))
}

// openExperiments opens the data that the runs need before the long work begins, and returns notes about it. If all
// experiments are run, those without data are skipped.
func openExperiments(f experimentFlags, chosen []experiment.Experiment,
	every bool) (plan []plannedExperiment, notes []string, err error) {
	for _, e := range chosen {
		sets, skipped, err := e.OpenSets(f.sets, f.seed)
		notes = append(notes, skipped...)
		if every && errors.Is(err, data.ErrMissing) {
			notes = append(notes, err.Error())
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		published, err := e.Published(f.check, sets, f.effort, f.seed)
		if err != nil {
			return nil, nil, err
		}
		plan = append(plan, plannedExperiment{e, sets, skipped, published})
	}
	slices.Sort(notes)
	return plan, slices.Compact(notes), nil
}

// experiment runs one, writes its report and prints its verdicts or the JSON.
func (p *program) experiment(ctx context.Context, f experimentFlags, e plannedExperiment, cache *experiment.Cache,
	show *terminal.Progress) error {
	r, err := e.Run(ctx, experiment.Options{Sets: e.sets, Skipped: e.skipped, Effort: f.effort, Seed: f.seed,
		Jobs: f.jobs, Cache: cache, Progress: func(done, planned int, left time.Duration, cell string) {
			show.Count(cell, done, planned, left)
		}})
	show.Clear()
	if err == nil {
		err = reports.WriteExperiment(f.out, e.Experiment, r)
	}
	var text []byte
	if err == nil && f.json {
		text, err = r.Encode()
	}
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	if !f.json {
		text = []byte(console.Experiment(e.Experiment, r, terminal.StyleOf(p.Stdout, f.noColor)) + "  report: " +
			filepath.Join(e.Dir(f.out), "index.html") + "\n")
	}
	if err := p.Print(string(text)); err != nil {
		return err
	}
	return p.settle(e, r)
}

// settle chooses the exit code: every verdict is a finding, but missing runs, missing numbers and a drift from the
// published findings are failures.
func (p *program) settle(e plannedExperiment, r *experiment.Result) error {
	unsound := e.Unsound(r)
	for _, line := range unsound {
		fmt.Fprintln(p.Stderr, p.Name+": "+e.Name+": "+line)
	}
	if len(unsound) > 0 || r.Run.Cells.Run < r.Run.Cells.Planned {
		return cli.Exit{Code: cli.Unsettled}
	}
	if e.published == nil {
		return nil
	}
	drift := r.Drift(e.published)
	for _, line := range drift {
		fmt.Fprintln(p.Stderr, p.Name+": drift: "+e.Name+": "+line)
	}
	if len(drift) > 0 {
		return cli.Exit{Code: cli.Refuted}
	}
	return nil
}
