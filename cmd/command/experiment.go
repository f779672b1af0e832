package command

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/bench/experiment/report"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/reports/runs"
)

// experimentFlags are the flags of thm experiment.
type experimentFlags struct {
	effort  props.Effort
	seed    uint64
	jobs    int
	sets    []string
	out     string
	cache   string
	check   string
	fresh   bool
	json    bool
	quiet   bool
	noColor bool
}

// experimentOut is where the report goes if nothing else is said.
const experimentOut = "reports/latest/experiments"

func (p *program) experimentCommand() *cobra.Command {
	f := experimentFlags{effort: props.Standard, seed: 1, jobs: runtime.GOMAXPROCS(0)}
	cmd := &cobra.Command{
		Use:   "experiment [NAME...]",
		Short: "Repeat the experiments of virtual covariance learning",
		Long: `Repeat the experiments of virtual covariance learning on MNIST and Fashion-MNIST:
` + strings.Join(experiment.Names, ", ") + `; all if none is named. What the authors say about
their plots becomes verdicts: holds, refuted, undecided, with intervals over runs.

Data sets that are not here are skipped, and the report says so; without any, built-in
synthetic pictures are used. See thm data --help.

Finished runs are kept in a file, so that a run that was stopped goes on where it was,
and a larger grid reuses a smaller one. Effort quick takes seconds, standard about a
quarter of an hour on two cores, deep days.

A verdict is a finding: refuted and undecided are not failures. With --check the findings
are compared with published ones, and a drift is: another verdict, an estimate outside of
the published interval, or a finding that only one of them has.

Exit codes: 0 everything planned was run, and nothing drifted; 1 the findings drifted from
those given with --check; 2 bad usage, or --check with results of other settings; 3 fewer
runs than planned, or a finding without a number.`,
		Example: `  thm data fetch mnist fashion-mnist && thm experiment
  thm experiment covariance --data mnist
  thm experiment --effort quick --data synthetic --out /tmp/experiment
  thm experiment --check reports/published/experiments/vcl/results.json --out /tmp/experiment`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return experiment.Names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error { return p.experiment(cmd.Context(), f, names) },
	}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.effort, "EFFORT", parseEffort), "effort", "size of the run: "+efforts())
	flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), "seed", "seed of all random streams")
	flags.Var(cli.NewValue(&f.jobs, "N", cli.ParseJobs), "jobs", "runs at a time; the results do not depend on it")
	flags.StringSliceVar(&f.sets, "data", nil, "data sets: "+
		strings.Join(append(report.DataNames(), report.SyntheticName), ", ")+"; default: those that are here")
	flags.StringVar(&f.out, "out", experimentOut, "directory of the report")
	flags.StringVar(&f.cache, "cache", "", "file of finished runs; default: thm/experiments.jsonl in the user's cache")
	flags.StringVar(&f.check, "check", "", "results.json to compare the findings with, see the exit codes")
	flags.BoolVar(&f.fresh, "fresh", false, "neither read nor write finished runs")
	flags.BoolVar(&f.json, "json", false, "print results.json instead of the verdicts")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	cli.NoColorFlag(flags, &f.noColor)
	_ = cmd.RegisterFlagCompletionFunc("effort",
		cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("out")
	_ = cmd.MarkFlagFilename("cache", "jsonl")
	_ = cmd.MarkFlagFilename("check", "json")
	return cmd
}

func (p *program) experiment(ctx context.Context, f experimentFlags, names []string) error {
	selected, err := report.Names(names)
	if err != nil {
		return err
	}
	sets, skipped, err := report.OpenSets(f.sets, f.seed)
	if err != nil {
		return err
	}
	before, err := report.Published(f.check, selected, sets, f.effort, f.seed)
	if err != nil {
		return err
	}
	cache, err := report.OpenCache(f.cache, f.fresh)
	if err != nil {
		return err
	}
	if err := runs.Writable(f.out); err != nil {
		return err
	}
	show := report.NewProgress(p.Stderr, f.quiet)
	for _, s := range skipped {
		show.Note(s)
	}
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	r, err := experiment.Run(ctx, experiment.Options{Names: selected, Sets: sets, Skipped: skipped, Effort: f.effort,
		Seed: f.seed, Jobs: f.jobs,
		Cache: cache, Progress: show.Cell})
	show.End()
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	if err := report.Write(f.out, r); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the report: %w", err)}
	}
	if err := p.publishExperiment(f, r); err != nil {
		return err
	}
	return p.settle(r, before)
}

// publishExperiment prints the verdicts or the JSON.
func (p *program) publishExperiment(f experimentFlags, r *experiment.Result) error {
	text := ""
	if f.json {
		encoded, err := report.Encode(r)
		if err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		text = string(encoded)
	} else {
		text = report.Findings(r, terminal.StyleOf(p.Stdout, f.noColor))
		text += "report: " + filepath.Join(f.out, "index.html") + "\n"
	}
	return p.Print(text)
}

// settle chooses the exit code: a verdict is a finding, whatever it is, but missing runs, missing numbers and a drift
// from what was published are failures.
func (p *program) settle(r, published *experiment.Result) error {
	unsound := r.Unsound()
	for _, line := range unsound {
		fmt.Fprintln(p.Stderr, "thm: "+line)
	}
	if len(unsound) > 0 || r.Run.Cells.Run < r.Run.Cells.Planned {
		return cli.Exit{Code: cli.Unsettled}
	}
	if published == nil {
		return nil
	}
	drift := r.Drift(published)
	for _, line := range drift {
		fmt.Fprintln(p.Stderr, "thm: drift: "+line)
	}
	if len(drift) > 0 {
		return cli.Exit{Code: cli.Refuted}
	}
	return nil
}
