package runs

import (
	"fmt"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
)

// Render writes the pages of a report, without its results. Everything is rendered before anything is written.
func Render(dir string, s reports.Site) error {
	files, err := reports.Render(s)
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("rendering %w", err)}
	}
	if err := Writable(dir); err != nil {
		return err
	}
	if err := reports.Place(dir, files); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the report: %w", err)}
	}
	return nil
}
