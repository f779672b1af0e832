// Package documents writes the generated parts of the repository's documents, between markers that name them, and makes
// a static site from the documents and the published reports.
package documents

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/reports/conformance"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/bench/record"
)

// Part is a part of a document, or with an empty name a whole file, that a function generates from the catalogue and
// from files of the repository.
type Part struct {
	File, name string
	text       func(all []*theory.Statement, root string) (string, error)
}

// Title returns the name of the part for a sentence about its file.
func (g Part) Title() string {
	if g.name == "" {
		return "the file"
	}
	return "the part " + g.name
}

// Parts lists all generated parts.
var Parts = []Part{
	{"README.md", "sources", tableOf(sourcesTable)},
	{"doc/claims.md", "claims", tableOf(claimsTable)},
	{"doc/bias.md", "limits", tableOf(limitsTable)},
	{"doc/kernels.md", "speed", drawn(record.Speed)},
	{"doc/findings.md", "findings", drawn(conformance.FindingsTable)},
	{"doc/cluster.md", "deep run", drawn(deepRun)},
	{record.RooflineFile, "", drawn(record.RooflineFigure)},
	{"doc/vcl.md", "vcl speed", drawn(record.VCLSection)},
	{record.VCLFigureFile, "", drawn(record.VCLFigure)},
	{"doc/layout.md", "folders", drawn(layout)},
	{"doc/layout.svg", "", drawn(layoutPicture)},
	predicted("spectra/marchenkopastur n=200 d=100 x=1.3"),
	predicted("spectra/doubledescent n=100 d=90"),
	predicted("spectra/doubledescent n=100 d=300"),
	predicted("linear/balance w1=2 w2=3 target=5 step=0.5"),
	predicted("width/kernelchange activation=tanh n=1024"),
	predicted("width/mup parametrisation=tangent"),
	predicted("width/mup parametrisation=maximal"),
	// add here
}

// predicted returns the part of doc/start.md with the output of thm predict for these words.
func predicted(words string) Part {
	return Part{"doc/start.md", words, func(all []*theory.Statement, _ string) (string, error) {
		return predictions(all, strings.Fields(words))
	}}
}

// tableOf returns a text that is generated from the catalogue.
func tableOf(table func([]*theory.Statement) string) func([]*theory.Statement, string) (string, error) {
	return func(all []*theory.Statement, _ string) (string, error) { return table(all), nil }
}

// drawn returns a text that is generated from a file of the repository.
func drawn(draw func(root string) (string, error)) func([]*theory.Statement, string) (string, error) {
	return func(_ []*theory.Statement, root string) (string, error) { return draw(root) }
}

// Regenerate returns a document as it is and as it should be.
func (g Part) Regenerate(root string, all []*theory.Statement) (old, text string, err error) {
	b, err := os.ReadFile(filepath.Join(root, g.File))
	if err != nil && !(g.name == "" && errors.Is(err, fs.ErrNotExist)) {
		return "", "", fmt.Errorf("%w; run this at the root of the repository or give --root", err)
	}
	begin := fmt.Sprintf("<!-- BEGIN GENERATED: %s -->\n", g.name)
	end := fmt.Sprintf("<!-- END GENERATED: %s -->", g.name)
	before, rest, found := strings.Cut(string(b), begin)
	_, after, closed := strings.Cut(rest, end)
	if g.name != "" && !(found && closed) {
		return "", "", fmt.Errorf("%s has no lines %q and %q around the part that is generated", g.File,
			strings.TrimSpace(begin), end)
	}
	text, err = g.text(all, root)
	if err != nil || g.name == "" {
		return string(b), text, err
	}
	return string(b), before + begin + text + end + after, nil
}
