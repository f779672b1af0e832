package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/reports"

	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

// trackClaimsCommand is added to the subcommands of thm bench track, which are about benchmarks.
func (p *program) trackClaimsCommand() *cobra.Command {
	var f commonFlags
	cmd := &cobra.Command{
		Use:   "claims RESULTS.json...",
		Short: "Plot worst ratios and resolutions of claims over several results",
		Long: `Line up the worst ratios and the resolutions of several results files, of several
commits for instance, in the order in which they were made, and say which claims moved
most. With --out the figures go to SVG files in a directory.`,
		Example: "  thm bench track claims results-*.json --out moved",
		Args:    cli.Args(2, -1, "at least two results files"),
		RunE: func(_ *cobra.Command, files []string) error {
			var all []*results.Results
			for _, file := range files {
				r, err := reports.Read(file)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			t, err := runs.Follow(all)
			if err != nil {
				return err
			}
			if f.out != "" {
				if err := writeTrack(f.out, t); err != nil {
					return err
				}
			}
			return p.present(f, t, console.Track(t).Render)
		},
	}
	f.add(cmd, "out: directory for the figures (SVG)", "json", "no-color")
	return cmd
}

// writeTrack writes the figures of a track.
func writeTrack(dir string, t runs.Track) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the figures cannot be written: %w; choose another directory with --out", err)
	}
	var errs []error
	for _, f := range t.Figures() {
		errs = append(errs, atomicfile.Write(filepath.Join(dir, f.ID+".svg"), []byte(draw.Standalone(draw.SVG(f, f.ID)))))
	}
	if err := errors.Join(errs...); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return nil
}
