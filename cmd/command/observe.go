package command

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/terminal"
)

func (p *program) observeCommand() *cobra.Command {
	f := flagsAt("", "")
	cmd := &cobra.Command{
		Use:   "observe RUN...",
		Short: "Show how far the theory reaches on recorded training runs",
		Long: `Compute the quantities of the theory on every layer and step of a recorded run: the
residual of the identity, the alignment of the weights with the gradient outer product,
the spike of the gradient, the tangent kernel, directions of curvature and sizes of
coordinates. If the theory makes a prediction, it is printed next to the measurement.
There are no verdicts; thm certify gives those.

Runs of several widths are a coordinate check. For each layer and for the outputs, the
command fits the power of the width by which the first recorded step moves them, and
compares it with the powers that width/mup predicts for SGD and Adam in standard,
tangent (NTK) and maximal (μP) parametrisation. It also says which of the three the runs
exclude. Intervals need at least three runs; further runs of the same width, with other
seeds, make them narrower.

The command writes a page, a CSV file and a JSON file into RUN/observed.`,
		Example: "  thm observe run\n  thm observe run --json\n  thm observe width64 width128 width256 width512 --out widths",
		Args:    cli.Args(1, -1, "at least one RUN"),
		RunE:    func(cmd *cobra.Command, dirs []string) error { return p.observe(cmd.Context(), f, dirs) },
	}
	f.add(cmd, "json", "no-color", "quiet", "out: directory for the page; observed in the first RUN if it is not given")
	return cmd
}

func (p *program) observe(ctx context.Context, f commonFlags, dirs []string) error {
	var found *recorded.Observations
	look := func(ctx context.Context, progress func(done, planned int)) (out runPage, err error) {
		if found, err = recorded.Observe(ctx, dirs, progress); err != nil {
			return out, err
		}
		page, err := reports.ObservedPage(found)
		return runPage{found: found, json: "observations.json",
			files: map[string][]byte{"index.html": page, "observations.csv": []byte(found.CSV())},
			text:  func(s terminal.Style) string { return console.Observed(found, s) }}, err
	}
	err := p.onRuns(ctx, f, filepath.Join(dirs[0], "observed"), look)
	if err == nil && len(found.Errors) > 0 {
		err = fmt.Errorf("%s could not be read", terminal.Plural(len(found.Errors), "file"))
	}
	return err
}
