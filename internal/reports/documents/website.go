package documents

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/internal/stylesheet"
)

// published is the folder of the reports, which are on the site as they are.
const published = "reports/published"

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// places lists the links of every page: names, and files of the repository.
var places = [][2]string{{"thm", "README.md"}, {"Claims", "doc/claims.md"}, {"Commands", "doc/commands.md"},
	{"Report", published + "/example/index.html"}, {"Experiments", published + "/experiments/README.md"},
	{"Deep run", published + "/deep/index.html"}, {"Soak", published + "/soak/index.html"}, {"Kernels", "doc/kernels.md"},
	{"Benchmark gate", "bench/gate/README.md"}, {"Contributing", "CONTRIBUTING.md"}}

// site holds the state of the site while it is made from a repository.
type site struct {
	repository fs.FS
	files      []reports.File
	waiting    []string // files of the repository that pages lead to
	known      map[string]bool
}

// SiteFiles makes the site: README.md, every document that it links to, the files that these show, and the published
// reports. A dead link within the site is an error.
func SiteFiles(repository fs.FS) ([]reports.File, error) {
	s := &site{repository: repository, known: map[string]bool{}}
	for _, p := range places {
		s.want(p[1])
	}
	err := fs.WalkDir(repository, published, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && path.Ext(file) != ".md" && path.Ext(file) != ".mod" {
			s.want(file)
		}
		return err
	})
	for err == nil && len(s.waiting) > 0 {
		file := s.waiting[0]
		s.waiting = s.waiting[1:]
		err = s.add(file)
	}
	if err != nil {
		return nil, err
	}
	return s.files, dead(s.files)
}

// want puts a file on the site.
func (s *site) want(file string) {
	if !s.known[file] {
		s.known[file] = true
		s.waiting = append(s.waiting, file)
	}
}

// add makes the page of a document, and copies any other file.
func (s *site) add(file string) error {
	content, err := fs.ReadFile(s.repository, file)
	if err == nil && path.Ext(file) == ".md" {
		content, err = s.page(file, content)
	}
	s.files = append(s.files, reports.File{Name: address(file), Content: content})
	return err
}

// address returns the place of a file of the repository on the site.
func address(file string) string {
	dir, name := path.Split(file)
	if name == "README.md" {
		return dir + "index.html"
	}
	if stem, document := strings.CutSuffix(file, ".md"); document {
		return stem + ".html"
	}
	return file
}

// relative returns the address of one file relative to another one's page.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + address(to)
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// page renders a document.
func (s *site) page(file string, content []byte) ([]byte, error) {
	document := markdown.Parser().Parse(text.NewReader(content))
	title := ""
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var err error
		switch n := n.(type) {
		case *ast.Heading:
			if entering && title == "" {
				title = string(n.Lines().Value(content))
			}
		case *ast.Link:
			if entering {
				n.Destination, err = s.destination(file, string(n.Destination))
			}
		case *ast.Image:
			if entering {
				n.Destination, err = s.destination(file, string(n.Destination))
			}
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return nil, err
	}
	var body, out bytes.Buffer
	if err := markdown.Renderer().Render(&body, content, document); err != nil {
		return nil, err
	}
	view := struct {
		Title  string
		CSS    template.CSS
		Places [][2]string
		Body   template.HTML
	}{Title: title, CSS: template.CSS(stylesheet.CSS()), Body: template.HTML(body.String())}
	for _, p := range places {
		view.Places = append(view.Places, [2]string{p[0], relative(file, p[1])})
	}
	err = page.Execute(&out, view)
	return out.Bytes(), err
}

// destination returns the place on the site to which a link of a document leads: a page or a file there, or else the
// source on the web.
func (s *site) destination(from, link string) ([]byte, error) {
	target, place, _ := strings.Cut(link, "#")
	if target == "" || strings.Contains(target, ":") {
		return []byte(link), nil
	}
	file := path.Join(path.Dir(from), target)
	info, err := fs.Stat(s.repository, file)
	if err != nil {
		return nil, fmt.Errorf("%s: a link leads to %s, which is not there", from, link)
	}
	if info.IsDir() {
		for _, name := range []string{"README.md", "index.html"} {
			if _, err := fs.Stat(s.repository, path.Join(file, name)); err == nil {
				file = path.Join(file, name)
				break
			}
		}
	}
	switch path.Ext(file) {
	case ".md", ".svg", ".png", ".html", ".json":
		s.want(file)
		if place != "" {
			place = "#" + place
		}
		return []byte(relative(from, file) + place), nil
	}
	return []byte(source.OnWeb(file)), nil
}
