package reports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// Site holds the data of a report.
type Site struct {
	Title      string // whose report it is
	Results    *results.Results
	Statements []*theory.Statement // the catalogue; a statement without a result is shown as not verified
	Program    string              // how the command is called, e.g. "go run ./cmd/thm"
	Command    string              // how to make these results again, e.g. "go run ./cmd/thm check --seed 1"
	Simulated  map[string]bool     // slugs of the claims that thm try simulates
	Closed     map[string]string   // why no numbers of a reader's own can be judged, by the slugs of such claims
	Sliders    map[string]*Slider  // that are known already, see [Sliders]
	Moved      *Moved              // since other results; nil where nobody asked
	Form       Form
}

// Form is the layout of the pages of a report.
type Form string

// The forms. The zero value stands for pages.
const (
	FormPages Form = "pages" // index.html and a page for each claim
	FormFile  Form = "file"  // one index.html, to be mailed
	FormZip   Form = "zip"   // report.zip with the pages and the results
)

// Forms lists all forms.
var Forms = []Form{FormPages, FormFile, FormZip}

// Render returns the files of a report besides its results: the pages in the form of the site, with index.html after
// those that it leads to, then report.md and junit.xml.
func Render(s Site) ([]File, error) {
	var out []File
	switch s.Form {
	case FormFile:
		page, err := HTML(s)
		if err != nil {
			return nil, fmt.Errorf("index.html: %w", err)
		}
		out = []File{{"index.html", page}}
	case FormZip:
		archive, err := zipped(s)
		if err != nil {
			return nil, fmt.Errorf("report.zip: %w", err)
		}
		out = []File{{"report.zip", archive}}
	default:
		pages, err := Pages(s)
		if err != nil {
			return nil, fmt.Errorf("index.html: %w", err)
		}
		out = append(pages[1:], pages[0])
	}
	for _, f := range []struct {
		name   string
		render func(Site) ([]byte, error)
	}{{"report.md", Markdown}, {"junit.xml", JUnit}} {
		b, err := f.render(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		out = append(out, File{f.name, b})
	}
	return out, nil
}

// zipped returns a report in pages and its results as one archive. The same report gives the same bytes.
func zipped(s Site) ([]byte, error) {
	results, err := Encode(s.Results)
	if err != nil {
		return nil, err
	}
	pages, err := Pages(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range append(pages, File{"results.json", results}) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: "report/" + f.Name, Method: zip.Deflate,
			Modified: s.Results.Run.Started.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Content); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Write writes results.json and the files of [Render] into a directory, which it makes if need be. Everything is
// rendered before anything is written. Each file is replaced at once, so that a reader never sees half of one, and
// results.json comes first: the others can be rendered again from it.
func Write(dir string, s Site) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	results, err := Encode(s.Results)
	if err != nil {
		return fmt.Errorf("results.json: %w", err)
	}
	files, err := Render(s)
	if err != nil {
		return err
	}
	return Place(dir, append([]File{{"results.json", results}}, files...))
}

// Place writes files into a directory, each atomically, and removes pages of an earlier report that are not among them.
func Place(dir string, files []File) error {
	var pages []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, f.Content); err != nil {
			return err
		}
		pages = append(pages, path)
	}
	return removeStale(filepath.Join(dir, claimsFolder), pages)
}

// generated is in every page that this package makes, and so in those that it may remove.
const generated = `<meta name="generator" content="thm report">`

// removeStale removes the generated pages below a folder that are not among those that were written.
func removeStale(folder string, written []string) error {
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".html") || slices.Contains(written, path) {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(b, []byte(generated)) {
			return err
		}
		return os.Remove(path)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
