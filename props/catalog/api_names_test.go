package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// exportedNames lists the exported names of the packages of a module that others can import, a line for each, sorted: a
// new name is a line in a review. The counts are the number of packages, and the number of names that are not methods.
func exportedNames(module fs.FS) (lines []string, packages, names int, err error) {
	seen := map[string]bool{}
	err = fs.WalkDir(module, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if file != "." && (hidden(entry.Name()) || entry.Name() == "internal") {
				return fs.SkipDir
			}
			return nil
		case path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		tree, err := parse(module, file, parser.SkipObjectResolution)
		if err != nil || tree.Name.Name == "main" {
			return err
		}
		if folder := path.Dir(file); !seen[folder] {
			seen[folder] = true
			packages++
		}
		for _, declaration := range tree.Decls {
			for _, line := range exported(declaration) {
				lines = append(lines, fmt.Sprintf("pkg %s, %s", path.Dir(file), line))
				if !strings.HasPrefix(line, "method ") {
					names++
				}
			}
		}
		return nil
	})
	slices.Sort(lines)
	return slices.Compact(lines), packages, names, err // a name of several systems is one line
}

// exported names what a declaration exports.
func exported(declaration ast.Decl) (out []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		switch {
		case !d.Name.IsExported():
		case d.Recv == nil:
			out = append(out, "func "+d.Name.Name)
		default:
			if of := receiver(d.Recv.List[0].Type); ast.IsExported(of) {
				out = append(out, fmt.Sprintf("method (%s) %s", of, d.Name.Name))
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					out = append(out, "type "+s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						out = append(out, fmt.Sprintf("%v %s", d.Tok, name.Name))
					}
				}
			}
		}
	}
	return out
}

// receiver names the type of a method.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
