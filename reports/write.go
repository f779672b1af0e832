package reports

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// Site is what a report is made of.
type Site struct {
	Results    *props.Results
	Statements []*theory.Statement // the catalogue; a statement without a result is shown as not verified
	Command    string              // how to make these results again, e.g. "go run ./cmd/thm check --seed 1"
}

// Write writes results.json, index.html, report.md and junit.xml into a directory, which it makes if need be. Each
// file is replaced at once, so that a reader never sees half of one, and results.json comes first: the others can be
// rendered again from it.
func Write(dir string, s Site) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name   string
		render func(Site) ([]byte, error)
	}{
		{"results.json", func(s Site) ([]byte, error) { return Encode(s.Results) }},
		{"index.html", HTML},
		{"report.md", Markdown},
		{"junit.xml", JUnit},
	} {
		b, err := f.render(s)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := WriteFile(filepath.Join(dir, f.name), b); err != nil {
			return err
		}
	}
	return nil
}
