package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
)

// Files renders the results of an experiment: the content of each file by its name.
func Files(e experiment.Experiment, r *experiment.Result) (map[string][]byte, error) {
	j, err := e.Judge(r)
	if err != nil {
		return nil, err
	}
	p, err := newPage(e, r, j)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{"report.md": Markdown(p)}
	if out["results.json"], err = r.Encode(); err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	if out["index.html"], err = HTML(p); err != nil {
		return nil, fmt.Errorf("index.html: %w", err)
	}
	if j.Cover != nil {
		out[coverFile] = []byte(draw.File(draw.SVG(*j.Cover, "cover")))
	}
	return out, nil
}

// Dir is the folder of an experiment's report in that of all.
func Dir(dir string, e experiment.Experiment) string {
	return filepath.Join(dir, filepath.FromSlash(e.Name))
}

// Write writes the report of an experiment into its folder, which it makes if need be. Each file is replaced at once,
// results.json first: the others can be rendered again from it.
func Write(dir string, e experiment.Experiment, r *experiment.Result) error {
	files, err := Files(e, r)
	if err != nil {
		return err
	}
	to := Dir(dir, e)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"results.json", "index.html", "report.md", coverFile} {
		if content, there := files[name]; there {
			if err := atomicfile.Write(filepath.Join(to, name), content); err != nil {
				return err
			}
		}
	}
	return nil
}

// Read reads the results of an experiment from the folder of all; nil where there are none.
func Read(dir string, e experiment.Experiment) (*experiment.Result, error) {
	file := filepath.Join(Dir(dir, e), "results.json")
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := e.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// WriteIndex lists the experiments that have results in a folder in its README.md.
func WriteIndex(dir string, all []experiment.Experiment) error {
	index, err := Index(dir, all)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "README.md"), index)
}

// Index is the list of experiments that have results in a folder.
func Index(dir string, all []experiment.Experiment) ([]byte, error) {
	var out strings.Builder
	out.WriteString("# Experiments\n\nPublished plots run again, as statements that can fail, with intervals over " +
		"independent runs. A verdict is a\nfinding about these data sets, sizes and networks; the report of each says " +
		"which.\n\n| experiment | | verdicts | effort | runs |\n| --- | --- | --- | --- | ---: |\n")
	for _, e := range all {
		r, err := Read(dir, e)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		fmt.Fprintf(&out, "| [%s](%s/report.md) | %s | %s | %s | %d |\n", e.Name, e.Name, e.Title, count(r.Headlines),
			r.Run.Effort, r.Run.Cells.Run)
	}
	return []byte(out.String()), nil
}
