package reports

import (
	"html/template"
	"net/url"
	"strings"
)

// claimsFolder holds the pages of claims.
const claimsFolder = "claims"

// links say where a page finds the others.
type links struct {
	index string              // from here, "" on the index itself
	claim func(string) string // the page or section of a claim
}

// The links of a report in one file, of the index of a report in pages, and of the page of a claim.
var (
	inside    = links{"", func(slug string) string { return "#" + slug }}
	fromIndex = links{"", func(slug string) string { return claimsFolder + "/" + slug + ".html" }}
	fromClaim = links{"../../index.html", func(slug string) string { return "../" + slug + ".html" }}
)

// to returns the address of a claim for a template, which would escape the slash of a slug.
func (l links) to(slug string) template.URL { return template.URL(l.claim(slug)) }

// Back returns the address of a place in the index.
func (l links) Back(place string) template.URL { return template.URL(l.index + "#" + place) }

// asData returns a link that contains the file.
func asData(kind, content string) template.URL {
	return template.URL("data:" + kind + ";charset=utf-8," + url.PathEscape(content))
}

// fileName returns a name for a download that every file system accepts.
func fileName(slug, id, extension string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == '/', r == ' ':
			return '-'
		}
		return -1
	}, slug+"-"+id)
	return plain[:min(len(plain), 100)] + "." + extension
}
