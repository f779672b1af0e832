package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/terminal"
)

// certifyRun judges a recording, writes its page, and says what it came to.
func (p *program) certifyRun(ctx context.Context, f commonFlags, dir string) error {
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet || f.json)
	ctx, stop := cli.Interruptible(ctx, show.Note)
	found, err := recorded.Judge(ctx, dir, f.jobs, func(done, planned int) {
		show.Count("layers and steps", done, planned, 0)
	})
	stop()
	show.Close()
	if errors.Is(err, context.Canceled) {
		return cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted: nothing was written")}
	}
	if err != nil {
		return err
	}
	out := f.out
	if out == "" {
		out = filepath.Join(dir, "certified")
	}
	page, err := reports.RecordedPage(found, fmt.Sprintf("%s certify %s", p.Name, dir))
	if err != nil {
		return err
	}
	if err := p.writePage(out, "certificate.json", found, page); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	err = p.present(f, found, func(s terminal.Style) string {
		return console.Recorded(found, s) + "page: " + filepath.Join(out, "index.html") + "\n"
	})
	switch {
	case err != nil:
		return err
	case len(found.Errors) > 0:
		return fmt.Errorf("%s of %s could not be judged", terminal.Plural(len(found.Errors), "file"), dir)
	}
	return certified(found.Verdict)
}

// writePage writes what was found, for programs and for readers.
func (p *program) writePage(dir, file string, found any, page []byte) error {
	text, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the page cannot be written: %w; choose another directory with --out", err)
	}
	if err := atomicfile.Write(filepath.Join(dir, file), text); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "index.html"), page)
}
