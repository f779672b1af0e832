package main

import (
	"fmt"
	"os"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props/vcl/experiment"
	"github.com/thm-suite/thm/reports/experiments"
)

// publishedExperiment reads the results that a run is to be held against, nil for none, before the run takes its time.
func publishedExperiment(f experimentFlags, names []string, sets []experiment.Set) (*experiment.Result, error) {
	if f.check == "" {
		return nil, nil
	}
	b, err := os.ReadFile(f.check)
	if err != nil {
		return nil, fmt.Errorf("%w; --check wants a results.json of thm experiment", err)
	}
	published, err := experiments.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.check, err)
	}
	var datasets []string
	for _, s := range sets {
		datasets = append(datasets, s.Name)
	}
	if err := published.Covers(names, datasets, f.effort, f.seed); err != nil {
		return nil, fmt.Errorf("%s: %w", f.check, err)
	}
	return published, nil
}

// settle chooses the exit code: a verdict is a finding, whatever it is, but missing runs, missing numbers and a drift from what was published
// are failures.
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
