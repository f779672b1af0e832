package documents

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// layers lists the layers of the module: a package may import only from those before its own.
var layers = []struct{ name, text string }{
	{"internal", "packages that all layers may use and other modules cannot; gate does not depend on the rest"},
	{"theory", "the claims: statements and closed forms, a file per claim; does not depend on any implementation"},
	{"impl", "the objects of the claims, with the kernels and networks that others can use; does not depend on any " +
		"theorem"},
	{"props", "the checks, with controls and resolutions, a file per claim"},
	{"bench", "benchmarks of the kernels and of peers, published experiments, and the guide of the benchmark gate"},
	{"reports", "results as HTML, Markdown, JSON, JUnit and on a terminal; published holds the results of published " +
		"runs, written by programs"},
	{"cmd", "command: thm for any catalogue, a file per subcommand; thm: the same with our catalogue; benchgate: the " +
		"gate alone"},
}

// folder is a package of the module.
type folder struct {
	dir, layer, synopsis string
}

// layerOf returns the layer of a folder; a folder of internal with the name of a layer belongs to that layer.
func layerOf(dir string) string {
	first, rest, _ := strings.Cut(dir, "/")
	second, _, _ := strings.Cut(rest, "/")
	for _, l := range layers {
		if first == "internal" && l.name == second {
			return second
		}
	}
	return first
}

// folders reads the packages of a module, tests and testdata apart. Every one has a comment.
func folders(module fs.FS) ([]folder, error) {
	found := map[string]*folder{}
	err := fs.WalkDir(module, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && file != "." &&
			(name == "testdata" || strings.HasPrefix(name, ".") || file == "reports/published") {
			return fs.SkipDir
		}
		if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		return readFile(module, file, found)
	})
	if err != nil {
		return nil, err
	}
	var out []folder
	for _, f := range found {
		if f.synopsis == "" {
			return nil, fmt.Errorf("%s: no package comment", f.dir)
		}
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b folder) int { return cmp.Compare(a.dir, b.dir) })
	return out, nil
}

// readFile adds a file's package comment and imports.
func readFile(module fs.FS, file string, found map[string]*folder) error {
	source, err := fs.ReadFile(module, file)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	dir := path.Dir(file)
	f := found[dir]
	if f == nil {
		f = &folder{dir: dir, layer: layerOf(dir)}
		found[dir] = f
	}
	if parsed.Doc != nil {
		f.synopsis = synopsis(parsed)
	}
	return nil
}

// synopsis returns the first sentence of a package comment, without the name.
func synopsis(f *ast.File) string {
	text := new(doc.Package).Synopsis(f.Doc.Text())
	for _, start := range []string{"Package ", "Command "} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			_, text, _ = strings.Cut(rest, " ")
		}
	}
	return strings.NewReplacer("[", "", "]", "").Replace(strings.TrimSuffix(text, "."))
}

// layout lists the folders of the module by layer.
func layout(root string) (string, error) {
	all, err := folders(os.DirFS(root))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, l := range layers {
		fmt.Fprintf(&out, "\n## %s\n\n%s.\n\n| folder | what it does |\n| --- | --- |\n", l.name,
			strings.ToUpper(l.text[:1])+l.text[1:])
		for _, f := range all {
			if f.layer == l.name {
				fmt.Fprintf(&out, "| `%s` | %s |\n", f.dir, strings.ReplaceAll(f.synopsis, "|", `\|`))
			}
		}
	}
	return out.String() + "\n", nil
}
