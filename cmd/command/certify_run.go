package command

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/terminal"
)

// certifyRun judges a recording, writes its page, and prints the verdict.
func (p *program) certifyRun(ctx context.Context, f commonFlags, dir string) error {
	var found *recorded.Result
	judge := func(ctx context.Context, progress func(done, planned int)) (out runPage, err error) {
		if found, err = recorded.Judge(ctx, dir, f.jobs, progress); err != nil {
			return out, err
		}
		page, err := reports.RecordedPage(found, fmt.Sprintf("%s certify %s", p.Name, dir))
		return runPage{found: found, json: "certificate.json", files: map[string][]byte{"index.html": page},
			text: func(s terminal.Style) string { return console.Recorded(found, s) }}, err
	}
	err := p.onRuns(ctx, f, filepath.Join(dir, "certified"), judge)
	switch {
	case err != nil:
		return err
	case len(found.Errors) > 0:
		return fmt.Errorf("%s of %s could not be judged", terminal.Plural(len(found.Errors), "file"), dir)
	}
	return certified(found.Verdict)
}
