package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/reports/console"
)

// tryFlags holds the flags of thm try.
type tryFlags struct {
	commonFlags
	reps  int
	sweep string
	yes   bool
}

func (p *program) tryCommand() *cobra.Command {
	f := tryFlags{commonFlags: flagsAt("", ""), reps: 10}
	cmd := &cobra.Command{
		Use:   "try SLUG [NAME=VALUE...]",
		Short: "Simulate a claim at your parameters and compare with the prediction",
		Long: `Simulate the subject of a claim at your own parameters, and print each prediction next
to the mean of the measurements, with 95 % intervals. If the claim draws figures, those
of the first simulation follow as text. Parameters that you leave out take their
defaults; thm show SLUG lists them.

With --sweep one parameter takes several values in turn, and the table ends with the
value from which each prediction is accurate to 5 %. --out writes the figures to SVG
files (rsvg-convert -f pdf converts one for LaTeX), and the numbers and the data of the
figures to CSV files. A simulation decides nothing; thm check gives the verdicts.

First the command estimates its time and memory, from simulations at smaller parameters;
it stops if the run exceeds the estimate. If the estimate is more than a minute or 2 GB,
add --yes. Exit codes: 2 bad usage, or --yes is missing; 3 stopped.`,
		Example: `  thm try {simulated}
  thm try {simulated} {sizes} --reps 20 --yes
  thm try {simulated} --sweep {sweep} --out figures
  thm try {simulated} --json`,
		Args:              cli.Args(1, -1, "a SLUG and then NAME=VALUE pairs"),
		ValidArgsFunction: p.completePrediction,
		RunE:              func(cmd *cobra.Command, words []string) error { return p.try(cmd.Context(), f, words) },
	}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.reps, "N", between(1, 10000, "reps is a whole number from 1 to 10000")), "reps",
		"simulations at each point, from 1 to 10000")
	flags.StringVar(&f.sweep, "sweep", "", "NAME=FROM:TO (doubling) or NAME=FROM:TO:POINTS")
	flags.BoolVar(&f.yes, "yes", false, "agree to more than a minute or 2 GB")
	f.add(cmd, "seed", "jobs: simulations at a time; the results do not depend on it",
		"out: directory for figures (SVG) and numbers (CSV)", "json", "quiet")
	return cmd
}

func (p *program) try(ctx context.Context, f tryFlags, words []string) error {
	c, err := runs.One(p.claims, words[0])
	if err != nil {
		return err
	}
	given, err := assignments(words[1:])
	if err != nil {
		return err
	}
	o := props.SimulationOptions{Seed: f.seed, Reps: f.reps, Jobs: f.jobs}
	if f.sweep != "" {
		if o.Sweep, err = c.ParseSweep(f.sweep); err != nil {
			return err
		}
	}
	found, err := p.simulate(ctx, c, f, given, o)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := writeSimulation(f.out, found); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
	}
	return p.present(f.commonFlags, found, func(terminal.Style) string { return console.Simulation(found, f.out) })
}

// simulate estimates the cost of the simulations, and runs them within that limit.
func (p *program) simulate(ctx context.Context, c props.Claim, f tryFlags, given map[string]string,
	o props.SimulationOptions) (*props.Simulated, error) {
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.Simulate(ended, given, o); !errors.Is(err, context.Canceled) {
		return nil, err // the parameters cannot be read
	}
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet)
	defer show.Close()
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	watch := cli.NewWatch(freely, func(text string) {
		show.Note(c.Statement.Slug + ": " + text + "; nothing was written")
	})
	defer watch.Stop()
	defer shareThreads(f.jobs)()
	cost, bound, err := weigh(ctx, c, f, given, o, watch)
	if err == nil && f.out != "" {
		if err = os.MkdirAll(f.out, 0o777); err != nil {
			err = fmt.Errorf("the figures cannot be written: %w; choose another directory with --out", err)
		}
	}
	var found *props.Simulated
	if err == nil {
		show.Line(fmt.Sprintf("%v; stopped at %s or %s", cost, terminal.Clock(bound.Time), cli.Bytes(bound.Memory)))
		watch.Allow(bound)
		o.Progress = func(done, planned int) { show.Count("simulations", done, planned, 0) }
		if found = cost.found; found == nil {
			found, err = c.Simulate(ctx, given, o)
		}
	}
	if errors.Is(err, context.Canceled) {
		err = interrupted
	}
	return found, err
}

// writeSimulation writes all numbers, the figures of the measured quantities, which show these numbers, and the figures
// of the claim with their data.
func writeSimulation(dir string, s *props.Simulated) error {
	base := strings.ReplaceAll(s.Slug, "/", "-")
	for id, svg := range reports.SimulationSVG(s) {
		if err := atomicfile.Write(filepath.Join(dir, base+"-"+id+".svg"), []byte(draw.File(svg))); err != nil {
			return err
		}
	}
	for _, f := range reports.DrawnFigures(s) {
		if err := atomicfile.Write(filepath.Join(dir, base+"-"+f.ID+".csv"), []byte(draw.CSV(f))); err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(dir, base+".csv"), []byte(reports.SimulationCSV(s)))
}
