package reports

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"sync"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/internal/stylesheet"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

//go:embed templates
var templateFiles embed.FS

//go:embed templates/report.js
var script string

// frame holds the data for the beginning and the end of every page.
type frame struct {
	Name   string // in the title of the window
	Policy string
	CSS    template.CSS
	Script template.JS
}

// framed allows a page its own style, images that it holds itself, and one script, by the hash of its text.
func framed(name string) frame {
	hash := sha256.Sum256([]byte(script))
	return frame{Name: name, CSS: template.CSS(stylesheet.CSS()), Script: template.JS(script), Policy: fmt.Sprintf(
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-%s'",
		base64.StdEncoding.EncodeToString(hash[:]))}
}

// pageTemplates parses the templates once.
var pageTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"raised": raised, "heading": heading,
		"table": tableOf, "more": more, "number": number, "paragraphs": paragraphs, "experiment": source.Experiment,
		"verdict": func(v results.Verdict) verdictView { return verdictViews[v] }, "chosen": Chosen,
		"ratio": ratio, "strip": criterionStrip, "rule": rule, "test": test, "sides": sides, "resolved": resolved,
		"near": near, "outcome": outcome, "reached": reached, "controlStrip": controlStrip, "basis": basis,
		"claimed": claimedOf, "obtained": obtained, "interval": interval,
		"of":      func(s figure.Subject) string { return ofWords[s] },
		"trimmed": func(text string) string { return strings.TrimRight(text, "\n") },
	}).ParseFS(templateFiles, "templates/*.html"))
})

func execute(name string, view any) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, name, view); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// HTML returns the report as one file that needs nothing else, and can be mailed.
func HTML(s Site) ([]byte, error) {
	view := s.view(inside)
	view.frame = framed(view.Sentence + " · " + s.Title)
	entries := s.entries()
	all := supported(entries)
	for _, e := range entries {
		view.Claims = append(view.Claims, s.claim(e, all, inside, 3))
	}
	return execute("index.html", view)
}

// File is a file of a report.
type File struct {
	Name    string // with slashes, from the folder of the report
	Content []byte
}

// Pages returns the report as an index and a page for each claim, which find each other in a folder.
func Pages(s Site) ([]File, error) {
	view := s.view(fromIndex)
	view.frame = framed(view.Sentence + " · " + s.Title)
	index, err := execute("index.html", view)
	if err != nil {
		return nil, err
	}
	entries := s.entries()
	all := supported(entries)
	out, errs := make([]File, 1+len(entries)), make([]error, len(entries))
	out[0] = File{"index.html", index}
	var writing sync.WaitGroup
	for i, e := range entries { // after a merge this takes longest
		writing.Go(func() {
			page := claimPage{claimView: s.claim(e, all, fromClaim, 1)}
			page.frame = framed(page.Title + " · " + s.Title)
			if i > 0 {
				page.Before = all.references([]string{entries[i-1].slug()}, fromClaim)
			}
			if i+1 < len(entries) {
				page.After = all.references([]string{entries[i+1].slug()}, fromClaim)
			}
			out[i+1].Name = fromIndex.claim(e.slug())
			out[i+1].Content, errs[i] = execute("claimpage.html", page)
		})
	}
	writing.Wait()
	return out, errors.Join(errs...)
}

// claimPage is the page of a claim; Before and After hold its neighbours, if it has any.
type claimPage struct {
	frame
	claimView
	Before, After []reference
}

// more counts the folded rows, "1 more condition" or "2 more conditions".
func more(n int, noun string) string { return plural(n, "more "+noun, "more "+noun+"s") }

// heading returns a heading below one of the given level.
func heading(level, below int, text string) template.HTML {
	n := min(level+below, 6)
	return template.HTML(fmt.Sprintf("<h%d>%s</h%d>", n, template.HTMLEscapeString(text), n))
}

// table is rows below the axis of their strips.
type table struct {
	Rows    any
	Axis    template.HTML
	Caption string
}

func tableOf(rows any, axis template.HTML, caption string) table { return table{rows, axis, caption} }

var superscript = regexp.MustCompile(`[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+`)

var digit = strings.NewReplacer("⁻", "−", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷",
	"7", "⁸", "8", "⁹", "9")

// raised sets the exponents of a number as markup. Few text faces have all raised digits, and a mixture is ugly.
func raised(number string) template.HTML {
	escaped := template.HTMLEscapeString(number)
	return template.HTML(superscript.ReplaceAllStringFunc(escaped,
		func(s string) string { return "<sup>" + digit.Replace(s) + "</sup>" }))
}
