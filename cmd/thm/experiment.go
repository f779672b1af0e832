package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/experiment"
	"github.com/thm-suite/thm/reports/experiments"
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

// syntheticName is the data set that is drawn and not read.
const syntheticName = "synthetic"

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
are held against published ones, and a drift is: another verdict, an estimate outside of
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
	flags.StringSliceVar(&f.sets, "data", nil, "data sets: "+strings.Join(append(dataNames(), syntheticName), ", ")+"; default: those that are here")
	flags.StringVar(&f.out, "out", experimentOut, "directory of the report")
	flags.StringVar(&f.cache, "cache", "", "file of finished runs; default: thm/experiments.jsonl in the user's cache")
	flags.StringVar(&f.check, "check", "", "results.json to hold the findings against, see the exit codes")
	flags.BoolVar(&f.fresh, "fresh", false, "neither read nor write finished runs")
	flags.BoolVar(&f.json, "json", false, "print results.json instead of the verdicts")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	cli.NoColorFlag(flags, &f.noColor)
	_ = cmd.RegisterFlagCompletionFunc("effort", cobra.FixedCompletions(strings.Split(efforts(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagDirname("out")
	_ = cmd.MarkFlagFilename("cache", "jsonl")
	_ = cmd.MarkFlagFilename("check", "json")
	return cmd
}

func (p *program) experiment(ctx context.Context, f experimentFlags, names []string) error {
	chosen, err := experimentNames(names)
	if err != nil {
		return err
	}
	sets, skipped, err := experimentSets(f)
	if err != nil {
		return err
	}
	published, err := publishedExperiment(f, chosen, sets)
	if err != nil {
		return err
	}
	cache, err := experimentCache(f)
	if err != nil {
		return err
	}
	if err := writable(f.out); err != nil {
		return err
	}
	show := &experimentProgress{p: p, quiet: f.quiet, terminal: terminal.IsTerminal(p.Stderr), start: time.Now(), last: time.Now()}
	for _, s := range skipped {
		show.note(s)
	}
	ctx, stop := cli.Interruptible(ctx, show.note)
	defer stop()
	r, err := experiment.Run(ctx, experiment.Options{Names: chosen, Sets: sets, Skipped: skipped, Effort: f.effort, Seed: f.seed, Jobs: f.jobs,
		Cache: cache, Progress: show.cell})
	show.end()
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	if err := experiments.Write(f.out, r); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the report: %w", err)}
	}
	if err := p.publishExperiment(f, r); err != nil {
		return err
	}
	return p.settle(r, published)
}

// experimentNames checks the names, and puts them in the order of the list.
func experimentNames(names []string) ([]string, error) {
	for _, name := range names {
		if !slices.Contains(experiment.Names, name) {
			return nil, fmt.Errorf("no experiment %q; there are %s", name, strings.Join(experiment.Names, ", "))
		}
	}
	var out []string
	for _, name := range experiment.Names {
		if len(names) == 0 || slices.Contains(names, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// experimentSets opens the data sets that were asked for, or those that are here, or draws one.
func experimentSets(f experimentFlags) (sets []experiment.Set, skipped []string, err error) {
	dir, err := data.DefaultDir()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range f.sets {
		if name != syntheticName && !slices.Contains(dataNames(), name) {
			return nil, nil, fmt.Errorf("no data set %q; there are %s", name, strings.Join(append(dataNames(), syntheticName), ", "))
		}
	}
	for _, k := range data.KnownSets {
		if len(f.sets) > 0 && !slices.Contains(f.sets, k.Name) {
			continue
		}
		set, err := k.Open(dir)
		switch {
		case err == nil:
			sets = append(sets, experiment.Set{Name: k.Name, Data: set})
		case len(f.sets) == 0 && errors.Is(err, data.ErrMissing):
			skipped = append(skipped, fmt.Sprintf("%s was skipped, because it is not here; thm data fetch %s gets it.", k.Title, k.Name))
		default:
			return nil, nil, err
		}
	}
	if slices.Contains(f.sets, syntheticName) || len(sets) == 0 {
		sets = append(sets, experiment.SyntheticSet(f.seed))
	}
	return sets, skipped, nil
}

// experimentCache opens the file of finished runs.
func experimentCache(f experimentFlags) (*experiment.Cache, error) {
	if f.fresh {
		return experiment.OpenCache("")
	}
	path := f.cache
	if path == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no directory for finished runs: %w; name a file with --cache, or give --fresh", err)
		}
		path = filepath.Join(dir, "thm", "experiments.jsonl")
	}
	cache, err := experiment.OpenCache(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name another file with --cache, or give --fresh", err)
	}
	return cache, nil
}

// publishExperiment prints the verdicts or the JSON.
func (p *program) publishExperiment(f experimentFlags, r *experiment.Result) error {
	text := ""
	if f.json {
		encoded, err := experiments.Encode(r)
		if err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		text = string(encoded)
	} else {
		s := terminal.StyleOf(p.Stdout, f.noColor)
		for _, h := range r.Headlines {
			rule := h.Rule.Title()
			if h.Rule == experiment.SGDFrozen {
				rule = "control: " + rule
			}
			text += strings.TrimRight(fmt.Sprintf("%s  %-45s %s", verdictWord(h.Verdict, s), experiment.FindClaim(h.Claim).Title, rule), " ") + "\n"
		}
		text += "report: " + filepath.Join(f.out, "index.html") + "\n"
	}
	return p.Print(text)
}

func verdictWord(v props.Verdict, s terminal.Style) string {
	colour := map[props.Verdict]terminal.Colour{props.Holds: terminal.Green, props.Refuted: terminal.Red, props.Undecided: terminal.Yellow}[v]
	return s.Paint(colour, fmt.Sprintf("%-10s", v))
}

// experimentProgress writes how far the runs are: on a terminal in one line, elsewhere a line every heartbeat.
type experimentProgress struct {
	p           *program
	quiet       bool
	terminal    bool
	computed    int
	start, last time.Time
}

// cell takes in a finished run. The runner calls it for one at a time.
func (e *experimentProgress) cell(done, total int, c experiment.Cell, cached bool) {
	if !cached {
		e.computed++
	}
	if e.quiet || cached && done < total {
		return
	}
	left := ""
	if e.computed > 0 && done < total {
		each := time.Since(e.start) / time.Duration(e.computed)
		left = ", about " + (each * time.Duration(total-done)).Round(time.Second).String() + " left"
	}
	text := fmt.Sprintf("run %d of %d%s; %s", done, total, left, c)
	switch {
	case e.terminal:
		width, _ := terminal.Size(e.p.Stderr)
		fmt.Fprint(e.p.Stderr, "\r\x1b[K", terminal.Fit(text, width-1))
	case time.Since(e.last) >= terminal.Heartbeat || done == total:
		e.last = time.Now()
		fmt.Fprintln(e.p.Stderr, text)
	}
}

func (e *experimentProgress) note(text string) {
	if e.terminal {
		fmt.Fprintln(e.p.Stderr)
	}
	fmt.Fprintln(e.p.Stderr, "thm: "+text)
}

func (e *experimentProgress) end() {
	if e.terminal && !e.quiet {
		fmt.Fprintln(e.p.Stderr)
	}
}
