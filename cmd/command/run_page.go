package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
)

// interrupted ends a command that keeps no partial results.
var interrupted = cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted: nothing was written")}

// runPage holds the output of a command on recorded runs, in every form in which it is written.
type runPage struct {
	found any // which is written as JSON
	json  string
	files map[string][]byte // besides, by their names: the page, which is index.html, and others
	text  func(terminal.Style) string
}

// onRuns reads recorded runs and shows progress until it is interrupted, writes the findings into a directory, and
// prints them. The directory of --out takes precedence over the given one.
func (p *program) onRuns(ctx context.Context, f commonFlags, out string,
	look func(ctx context.Context, progress func(done, planned int)) (runPage, error)) error {
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet || f.json)
	ctx, stop := cli.Interruptible(ctx, show.Note)
	made, err := look(ctx, func(done, planned int) { show.Count("layers and steps", done, planned, 0) })
	stop()
	show.Close()
	if errors.Is(err, context.Canceled) {
		return interrupted
	}
	if err != nil {
		return err
	}
	if f.out != "" {
		out = f.out
	}
	if err := made.write(out); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return p.present(f, made.found, func(s terminal.Style) string {
		return made.text(s) + "page: " + filepath.Join(out, "index.html") + "\n"
	})
}

func (r runPage) write(dir string) error {
	text, err := json.MarshalIndent(r.found, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the page cannot be written: %w; choose another directory with --out", err)
	}
	r.files[r.json] = text
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if err := atomicfile.Write(filepath.Join(dir, name), r.files[name]); err != nil {
			return err
		}
	}
	return nil
}
