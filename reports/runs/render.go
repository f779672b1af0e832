package runs

import (
	"fmt"
	"path/filepath"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/reports"
)

// Render writes the pages of a report, without its results. Everything is rendered before anything is written.
func Render(dir string, s reports.Site) error {
	formats := []struct {
		name   string
		render func(reports.Site) ([]byte, error)
	}{{"index.html", reports.HTML}, {"report.md", reports.Markdown}, {"junit.xml", reports.JUnit}}
	var err error
	rendered := make([][]byte, len(formats))
	for i, f := range formats {
		if rendered[i], err = f.render(s); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("rendering %s: %w", f.name, err)}
		}
	}
	if err := Writable(dir); err != nil {
		return err
	}
	for i, f := range formats {
		if err := reports.WriteFile(filepath.Join(dir, f.name), rendered[i]); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the report: %w", err)}
		}
	}
	return nil
}
