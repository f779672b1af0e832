package counter

import (
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files that package testing gets. Their names end in .txt so that they are no part of this package.
//
//go:embed hooks/*.txt
var hooks embed.FS

// edit holds the code that is added to a method of testing.B: before everything else, and at its end.
type edit struct{ method, before, after string }

// The attempt that counts is the last one, since each begins by resetting the timer.
var edits = []edit{
	{"StartTimer", "", "\tthmBegin()\n"},
	{"StopTimer", "\tthmEnd(true)\n", ""},
	{"ResetTimer", "\tthmEnd(false)\n", "\tthmZero(b.timerOn)\n"},
	{"RunParallel", "\tthmParallel()\n", ""},
}

// Overlay writes the files to a directory, and returns the file for the flag -overlay of the go command whose root is
// given. The directory need not exist.
func Overlay(dir, goroot string) (string, error) {
	src := filepath.Join(goroot, "src", "testing")
	name := filepath.Join(src, "benchmark.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	edited, err := amend(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	put := func(base string, content []byte) error {
		replace[filepath.Join(src, base)] = filepath.Join(dir, base)
		return os.WriteFile(filepath.Join(dir, base), content, 0o644)
	}
	if err := put("benchmark.go", edited); err != nil {
		return "", err
	}
	files, err := hooks.ReadDir("hooks")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		content, err := hooks.ReadFile("hooks/" + f.Name())
		if err != nil {
			return "", err
		}
		if err := put(strings.TrimSuffix(f.Name(), ".txt"), content); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o644)
}

// amend edits the source of the benchmarks of package testing. Where a method is missing or has another shape, nothing
// is counted rather than something else.
func amend(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "benchmark.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	for _, e := range edits {
		found := method(file, e.method)
		if found == nil {
			return nil, fmt.Errorf("testing.B has no method %s with the receiver b", e.method)
		}
		begin, end := files.Position(found.Body.Lbrace).Offset+1, files.Position(found.Body.Rbrace).Offset
		all = append(all, insertion{begin, "\n" + e.before}, insertion{end, e.after})
	}
	slices.SortFunc(all, func(a, b insertion) int { return b.at - a.at })
	for _, i := range all {
		source = slices.Concat(source[:i.at], []byte(i.text), source[i.at:])
	}
	return source, nil
}

// method finds a method of *B whose receiver is named b and which does not return in its middle.
func method(file *ast.File, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name != name || f.Body == nil || len(f.Recv.List[0].Names) != 1 ||
			f.Recv.List[0].Names[0].Name != "b" {
			continue
		}
		star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if of, ok := star.X.(*ast.Ident); !ok || of.Name != "B" {
			continue
		}
		returns := false
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if _, is := n.(*ast.ReturnStmt); is {
				returns = true
			}
			_, literal := n.(*ast.FuncLit)
			return !literal
		})
		if name == "RunParallel" || !returns {
			return f
		}
	}
	return nil
}

// Supported reports whether there are hooks for a system and processor.
func Supported(goos, goarch string) bool {
	return goos == "linux" && (goarch == "amd64" || goarch == "arm64")
}
