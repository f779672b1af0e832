package reports

import (
	"bytes"
	"embed"
	"html/template"
	"regexp"
	"strings"
	"sync"

	"github.com/thm-suite/thm/internal/stylesheet"
)

//go:embed templates
var templateFiles embed.FS

// pageTemplate parses the templates once.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{"raised": raised, "to": to}).ParseFS(
		templateFiles, "templates/*.html"))
})

// HTML returns the report as one file that needs nothing else: no script, no font, no image from anywhere.
func HTML(s Site) ([]byte, error) {
	view := s.view()
	view.CSS = template.CSS(stylesheet.CSS())
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, view); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// to links to a section of the page. A slug keeps its slash, which a template would escape.
func to(slug string) template.URL { return template.URL("#" + slug) }

var superscript = regexp.MustCompile(`[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+`)

var digit = strings.NewReplacer("⁻", "−", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷",
	"7", "⁸", "8", "⁹", "9")

// raised sets the exponents of a number as markup. Few text faces have all raised digits, and a mixture is ugly.
func raised(number string) template.HTML {
	escaped := template.HTMLEscapeString(number)
	return template.HTML(superscript.ReplaceAllStringFunc(escaped,
		func(s string) string { return "<sup>" + digit.Replace(s) + "</sup>" }))
}
