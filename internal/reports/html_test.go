package reports

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// structure parses a page and returns what is wrong with it: ids that are not unique, anchors that lead nowhere,
// headings that skip a level, tables without scopes, figures without text alternative, anything that loads or runs.
func structure(page []byte) []string {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return []string{err.Error()}
	}
	return examined(root).complaints
}

// examined walks over a page and returns the state of the walk.
func examined(root *html.Node) *scan {
	s := &scan{ids: map[string]int{}}
	s.walk(root)
	for id, n := range s.ids {
		if n > 1 || strings.ContainsAny(id, " \t\n") {
			s.complain("id %q occurs %d times", id, n)
		}
	}
	for _, ref := range s.refs {
		if s.ids[ref] == 0 {
			s.complain("nothing has the id %q", ref)
		}
	}
	if s.h1 != 1 {
		s.complain("%d h1", s.h1)
	}
	if s.lang == "" {
		s.complain("no language")
	}
	slices.Sort(s.complaints)
	return s
}

// scan is the state of a walk over a page.
type scan struct {
	ids        map[string]int
	refs       []string
	pages      []string // links to other pages
	level, h1  int
	lang       string
	complaints []string
}

func (s *scan) complain(format string, args ...any) {
	s.complaints = append(s.complaints, fmt.Sprintf(format, args...))
}

func (s *scan) walk(n *html.Node) {
	if n.Type == html.ElementNode {
		s.element(n)
	}
	if n.Type == html.TextNode && n.Parent.Data == "style" {
		s.style(n.Data)
	}
	if n.Type == html.TextNode && strings.Contains(n.Data, "..") && twoStops.MatchString(n.Data) {
		s.complain("two full stops in %q", n.Data)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.walk(c)
	}
}

var twoStops = regexp.MustCompile(`(abs|exp|par|rel)\.\.`) // after a unit; other text can be anything

func (s *scan) element(n *html.Node) {
	attributes := map[string]string{}
	for _, a := range n.Attr {
		attributes[a.Key] = a.Val
		if strings.HasPrefix(a.Key, "on") {
			s.complain("attribute %s", a.Key)
		}
	}
	if id, ok := attributes["id"]; ok {
		s.ids[id]++
	}
	s.refs = append(s.refs, strings.Fields(attributes["aria-labelledby"])...)
	s.style(attributes["style"])
	switch n.Data {
	case "html":
		s.lang = attributes["lang"]
	case "iframe", "object", "embed", "base", "form":
		s.complain("element %s", n.Data)
	case "script":
		if n.FirstChild == nil || n.FirstChild.Data != script {
			s.complain("element %s", n.Data)
		}
	case "a":
		_, download := attributes["download"]
		s.link(attributes["href"], download)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		s.heading(int(n.Data[1] - '0'))
	case "th":
		if attributes["scope"] == "" {
			s.complain("th without scope")
		}
	case "svg":
		group := attributes["role"] == "group" && strings.HasPrefix(attributes["class"], "graph")
		if attributes["role"] != "img" && !group || (attributes["aria-labelledby"] == "" && !hasTitle(n)) {
			s.complain("svg without text alternative")
		}
	}
	for _, name := range []string{"src", "srcset", "data", "poster", "xlink:href", "action"} {
		if v, ok := attributes[name]; ok && !strings.HasPrefix(v, "data:") {
			s.complain("%s loads %s", n.Data, v)
		}
	}
	if n.Data != "a" && attributes["href"] != "" && !strings.HasPrefix(attributes["href"], "data:") {
		s.complain("%s loads %s", n.Data, attributes["href"])
	}
}

var pageLink = regexp.MustCompile(`^(\.\./\.\./index|(\.\.|claims)/[a-z0-9_-]+/[a-z0-9_-]+)\.html(#\S+)?$`)

func (s *scan) link(href string, download bool) {
	target, ok := strings.CutPrefix(href, "#")
	switch {
	case ok:
		s.refs = append(s.refs, target)
	case download && (strings.HasPrefix(href, "data:image/svg+xml;") || strings.HasPrefix(href, "data:text/csv;")):
	case pageLink.MatchString(href):
		s.pages = append(s.pages, href)
	case href != source.Experiment("beta/large") && !strings.HasPrefix(href, "https://arxiv.org/"):
		s.complain("link to %q", href)
	}
}

func (s *scan) heading(level int) {
	if level == 1 {
		s.h1++
	}
	if level > s.level+1 {
		s.complain("h%d after h%d", level, s.level)
	}
	s.level = level
}

func (s *scan) style(css string) {
	for _, bad := range []string{"url(", "@import", "expression("} {
		if strings.Contains(strings.ToLower(css), bad) {
			s.complain("style with %s", bad)
		}
	}
}

func hasTitle(svg *html.Node) bool {
	return svg.FirstChild != nil && svg.FirstChild.Data == "title" && svg.FirstChild.FirstChild != nil
}

func page(t testing.TB, s Site) []byte {
	b, err := HTML(s)
	require.NoError(t, err)
	return b
}

func TestStructure(t *testing.T) {
	for _, s := range []Site{sample(), green(), {Results: sample().Results},
		{Results: &results.Results{}, Statements: sample().Statements}, {Results: &results.Results{}}} {
		require.Empty(t, structure(page(t, s)))
		linked(t, s)
	}
}

// linked asks that every page of a report is sound and that its links lead to places that exist on its pages.
func linked(t *testing.T, s Site) {
	t.Helper()
	files, err := Pages(s)
	require.NoError(t, err)
	require.Len(t, files, 1+len(s.entries()))
	scans := map[string]*scan{}
	for _, f := range files {
		root, err := html.Parse(bytes.NewReader(f.Content))
		require.NoError(t, err)
		scans[f.Name] = examined(root)
		require.Empty(t, scans[f.Name].complaints, f.Name)
	}
	for name, found := range scans {
		for _, link := range found.pages {
			target, place, _ := strings.Cut(link, "#")
			at := scans[path.Join(path.Dir(name), target)]
			require.NotNil(t, at, "%s: %s", name, link)
			require.True(t, place == "" || at.ids[place] == 1, "%s: %s", name, link)
		}
	}
	for name := range scans {
		require.True(t, name == "index.html" || slices.Contains(scans["index.html"].pages, name), "%s has no link", name)
	}
}

// TestStructureCanFail checks that every complaint is made when there is reason for it.
func TestStructureCanFail(t *testing.T) {
	good := string(page(t, green()))
	for defect, want := range map[string]string{
		`<script></script>`:                          "element script",
		`<script>other()</script>`:                   "element script",
		`<a href="other/page.html">x</a>`:            `link to "other/page.html"`,
		`<a href="data:text/csv;,x">x</a>`:           `link to "data:text/csv;,x"`,
		`<p id="claims"></p>`:                        `id "claims" occurs 2 times`,
		`<p>A resolution in rel.. It is</p>`:         `two full stops in "A resolution in rel.. It is"`,
		`<a href="#none">x</a>`:                      `nothing has the id "none"`,
		`<a href="javascript:x">x</a>`:               `link to "javascript:x"`,
		`<h1>x</h1>`:                                 "2 h1",
		`<h6>x</h6>`:                                 "h6 after h2",
		`<table><tr><th>x</th></tr></table>`:         "th without scope",
		`<svg></svg>`:                                "svg without text alternative",
		`<svg role="img"></svg>`:                     "svg without text alternative",
		`<svg role="img" aria-labelledby="x"></svg>`: `nothing has the id "x"`,
		`<img src="x.png">`:                          "img loads x.png",
		`<link href="x.css">`:                        "link loads x.css",
		`<p onclick="x">`:                            "attribute onclick",
		`<p style="background:URL(x)">`:              "style with url(",
		`<style>@import "x"</style>`:                 "style with @import",
	} {
		require.Contains(t, structure([]byte(strings.Replace(good, "</h2>", "</h2>"+defect, 1))), want, defect)
	}
	require.Contains(t, structure([]byte(strings.Replace(good, `lang="en"`, "", 1))), "no language")
}

const hostile = "</title></pre></style></svg><script>window.pwned=1</script><img src=x " +
	"onerror=pwned()>\"'`{{.}}&lt;\x00]]>"

// poison appends hostile text to every free text below a value. Names with a meaning, and slugs, are of other types or
// are kept.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Slug", "ID", "Figure", "Assumption", "Kind", "Standing", "RestsOn", "Schema":
			default:
				poison(v.Field(i))
			}
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(v.String() + hostile)
		}
	}
}

// TestHostileText puts markup into every text of results and statements and asks that it stays text everywhere.
func TestHostileText(t *testing.T) {
	s := sample()
	poison(reflect.ValueOf(s.Results))
	s.Results.Run.Shard = "1/1"
	for _, st := range s.Statements {
		poison(reflect.ValueOf(st))
	}
	s.Command += hostile
	p := page(t, s)
	require.Empty(t, structure(p))
	linked(t, s)
	require.Equal(t, 1, strings.Count(string(p), "<script"))
	require.Greater(t, strings.Count(string(p), "&lt;script"), 50)
	require.NoError(t, wellFormedXML(must(JUnit(s))))
	markdown := string(must(Markdown(s)))
	outside, _, _ := cutFences(markdown)
	require.NotContains(t, outside, "<script")
	require.NotContains(t, outside, "<img")
}

// TestPage asks that a page contains everything it must.
func TestPage(t *testing.T) {
	p := string(page(t, sample()))
	for _, want := range []string{
		`id="alpha/residual"`, `href="#alpha/residual"`,
		"2 of 5 claims hold, 1 is refuted, 1 is incomplete, 1 is in error; 0 of 2 findings were observed again, 1 is",
		`</a> <b>0</b> <span class="quiet">and 1 finding</span>`,
		"go run ./cmd/thm check beta/spectrum --seed 1 --effort standard", "go run ./cmd/thm check --seed 1<",
		"arXiv:2310.07891", "Theorem 2",
		"<math",
		"refuted again",
		"not settled",
		"Tried: gradient transposed.", "Not tried: the layer&#39;s input gradient would not exist.",
		" 1 of 2 conditions: bound chosen after a look at the data.",
		`<br><span class="chosen">bound chosen after a look at the data</span>`,
		"This run has no result for this claim.",
		`href="` + source.Experiment("beta/large") + `">beta/large</a>: At n = 9 it is not so.`,
		"rejected on 80\u202f% of replicates", "[5.7, 5.96]", "Student interval, n = 30",
		"bound: cell 3: index out of range",
		"slope: 12 of 40 cases ran",
	} {
		require.True(t, strings.Contains(p, want), "%s is not on the page", want)
	}
	require.True(t, strings.Contains(string(page(t, green())), "2 claims hold."), "%s is not on the page",
		"2 claims hold.")
	require.False(t, strings.Contains(string(page(t, green())), "not verified"))
	s := green()
	s.Results.Run.Interrupted = true
	require.True(t, strings.Contains(string(page(t, s)), "This run was stopped before its end."),
		"%s is not on the page",
		"This run was stopped before its end.")
	s.Statements[0].TeX = `\undefined{x}`
	require.True(t, strings.Contains(string(page(t, s)), `<code>\undefined{x}</code>`), "%s is not on the page",
		`<code>\undefined{x}</code>`)
}

// TestPageIsDeterministic asks that the same results give the same bytes.
func TestPageIsDeterministic(t *testing.T) {
	require.Equal(t, string(page(t, sample())), string(page(t, sample())))
}

// TestEveryResultIsShown asks that everything a reader must not miss is on the page, whatever the order of the
// catalogue.
func TestEveryResultIsShown(t *testing.T) {
	s := sample()
	slices.Reverse(s.Statements)
	s.Statements = append(s.Statements[:1:1], &theory.Statement{Slug: "gamma/new", Title: "New"})
	p := string(page(t, s))
	for _, c := range s.Results.Claims {
		require.True(t, strings.Contains(p, `id="`+c.ID+`"`), "%s is not on the page", `id="`+c.ID+`"`)
	}
	require.True(t, strings.Contains(p, `id="gamma/new"`), "%s is not on the page", `id="gamma/new"`)
	require.Empty(t, structure([]byte(p)))
}

// cutFences separates the text of Markdown from its code blocks.
func cutFences(markdown string) (text, blocks string, err error) {
	fence := ""
	for line := range strings.Lines(markdown) {
		trimmed := strings.TrimRight(line, "\n")
		switch {
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		case fence != "" && trimmed == fence:
			fence = ""
		case fence != "":
			blocks += line
		default:
			text += line
		}
	}
	if fence != "" {
		err = errors.New("a code block is not closed")
	}
	return text, blocks, err
}
