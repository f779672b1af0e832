package catalog_test

import (
	"fmt"
	"go/parser"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// layers is the import rule: a package imports its own folder and those before it.
var layers = []string{"internal", "theory", "impl", "props", "bench", "reports", "cmd"}

// ground are public packages that know nothing of claims: they count as parts of internal.
var ground = []string{"props/stat", "props/figure"}

// apart are folders that stand by themselves: besides their own packages they import no others of the module than
// those of internal, and the ground. Who installs cmd/benchgate gets no theorem suite.
var apart = []string{"bench/gate", "cmd/benchgate"}

// outsiders are sources that are written as another module would write them: they import no package of ours that it
// could not import.
var outsiders = []string{"spectra", "linear", "width"}

// upwardImports reads the Go sources of a module, tests included, and lists the imports that break the rule: in the
// order internal, theory, impl, props, bench, reports, cmd a package imports its own folder and earlier ones, and
// theory and impl never import each other; internal/props, say, counts as props. The benchmark gate imports only itself
// and internal; cmd/benchgate imports the gate as well. A package outside these folders is listed too.
func upwardImports(module fs.FS, modulePath string) ([]string, error) {
	var out []string
	err := fs.WalkDir(module, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != "." && hidden(entry.Name()) {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Ext(file) != ".go" {
			return nil
		}
		tree, err := parse(module, file, parser.ImportsOnly)
		if err != nil {
			return err
		}
		own := layerOf(file)
		if !slices.Contains(layers, own) {
			out = append(out, fmt.Sprintf("%s lies outside of %s", file, strings.Join(layers, ", ")))
			return nil
		}
		for _, spec := range tree.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if imported == modulePath {
				imported += "/"
			}
			if inside, ok := strings.CutPrefix(imported, modulePath+"/"); ok &&
				!(allowed(own, inside) && within(file, inside) && fromOutside(file, inside)) {
				out = append(out, fmt.Sprintf("%s imports %s", file, inside))
			}
		}
		return nil
	})
	return out, err
}

// allowed reports whether a package in the folder own may import a package of the module.
func allowed(own, imported string) bool {
	folder := layerOf(imported)
	from, to := slices.Index(layers, own), slices.Index(layers, folder)
	return to >= 0 && to <= from && !(own == "impl" && folder == "theory")
}

// layerOf is the layer of a file or a package. What a layer keeps to itself may be in a folder of its name in internal.
func layerOf(path string) string {
	for _, folder := range ground {
		if below(path, folder) {
			return "internal"
		}
	}
	folder, rest, _ := strings.Cut(path, "/")
	if inner, _, _ := strings.Cut(rest, "/"); folder == "internal" && slices.Contains(layers, inner) {
		return inner
	}
	return folder
}

// within reports whether a file of a folder that stands apart, or of none, may import a package of the module.
func within(file, imported string) bool {
	for _, folder := range apart {
		if strings.HasPrefix(file, folder+"/") {
			return layerOf(imported) == "internal" || below(imported, folder) || folder == "cmd/benchgate" &&
				below(imported, "bench/gate")
		}
	}
	return true
}

// fromOutside reports whether a file of an outsider, tests aside, may import a package of the module.
func fromOutside(file, imported string) bool {
	for _, source := range outsiders {
		if (below(file, "theory/"+source) || below(file, "props/"+source)) && !strings.HasSuffix(file, "_test.go") {
			return !slices.Contains(strings.Split(imported, "/"), "internal")
		}
	}
	return true
}

func below(imported, folder string) bool {
	return imported == folder || strings.HasPrefix(imported, folder+"/")
}

// hidden reports whether go build passes over a folder of this name.
func hidden(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
