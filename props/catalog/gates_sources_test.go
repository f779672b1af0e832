package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/props"
)

// misplacedIn reads the Go sources of a module and lists the statements that no claim checks, the statements and
// claims that are not in the files of their slug, files in the folder of a claim that are not named after it, and
// statements whose slug it cannot read.
//
// A statement is a package-level variable in theory/<source>/*.go that is set to a composite literal
// theory.Statement or its address. The source is read, and not the list, because a statement that was forgotten in
// the list is exactly what this is to find.
func misplacedIn(module fs.FS, claims []props.Claim) ([]string, error) {
	stated, err := statementsIn(module)
	if err != nil {
		return nil, err
	}
	var out []string
	var listed []string
	for _, c := range claims {
		listed = append(listed, c.Statement.Slug)
	}
	declared := map[string]bool{}
	for _, s := range stated {
		declared[s.slug] = true
		if want := strings.TrimSuffix(strings.TrimPrefix(s.file, "theory/"), ".go"); s.slug != want {
			out = append(out, fmt.Sprintf("%s: %s has the slug %q; the file asks for %q", s.file, s.variable, s.slug, want))
		}
		if !slices.Contains(listed, s.slug) {
			out = append(out, fmt.Sprintf("%s: %s (%q) is stated, and no claim in the catalogue checks it", s.file, s.variable,
				s.slug))
		}
	}
	for _, slug := range listed {
		if !declared[slug] {
			out = append(out, fmt.Sprintf("%s: no statement with this slug in theory/*/*.go", slug))
		}
		if !exists(module, "theory/"+slug+".go") {
			out = append(out, fmt.Sprintf("%s: theory/%s.go does not exist", slug, slug))
		}
		file, folder := "props/"+slug+".go", folderOf(slug)+path.Base(slug)+".go"
		if !exists(module, file) && !exists(module, folder) {
			out = append(out, fmt.Sprintf("%s: neither %s nor %s exists", slug, file, folder))
		}
		out = append(out, strangers(module, slug)...)
	}
	return out, nil
}

// folderOf is the folder of a claim that has one.
func folderOf(slug string) string {
	return "props/" + path.Dir(slug) + "/internal/" + path.Base(slug) + "/"
}

// strangers lists the Go files in the folder of a claim whose names do not begin with that of the claim.
func strangers(module fs.FS, slug string) []string {
	var out []string
	files, _ := fs.Glob(module, folderOf(slug)+"*.go")
	for _, file := range files {
		if name := path.Base(slug); file != folderOf(slug)+name+".go" && !strings.HasPrefix(path.Base(file), name+"_") {
			out = append(out, fmt.Sprintf("%s: the names of the files of %s begin with %s_", file, slug, name))
		}
	}
	return out
}

func exists(module fs.FS, file string) bool {
	_, err := fs.Stat(module, file)
	return err == nil
}

// stated is one statement found in a source file.
type stated struct{ file, variable, slug string }

func statementsIn(module fs.FS) ([]stated, error) {
	files, err := fs.Glob(module, "theory/*/*.go")
	if err != nil {
		return nil, err
	}
	var out []stated
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parse(module, file, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range tree.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				out = append(out, statementsOf(file, spec.(*ast.ValueSpec))...)
			}
		}
	}
	return out, nil
}

// statementsOf returns the statements that one var line declares.
func statementsOf(file string, line *ast.ValueSpec) []stated {
	var out []stated
	for i, value := range line.Values {
		if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
			value = address.X
		}
		literal, ok := value.(*ast.CompositeLit)
		if !ok {
			continue
		}
		kind, ok := literal.Type.(*ast.SelectorExpr)
		if !ok || kind.Sel.Name != "Statement" {
			continue
		}
		out = append(out, stated{file, line.Names[i].Name, slugOf(literal)})
	}
	return out
}

// slugOf reads the field Slug of a literal; it is empty when the field is not a plain string.
func slugOf(literal *ast.CompositeLit) string {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := pair.Key.(*ast.Ident)
		text, isText := pair.Value.(*ast.BasicLit)
		if isName && isText && key.Name == "Slug" {
			slug, _ := strconv.Unquote(text.Value)
			return slug
		}
	}
	return ""
}

func parse(module fs.FS, file string, mode parser.Mode) (*ast.File, error) {
	text, err := fs.ReadFile(module, file)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(token.NewFileSet(), file, text, mode)
}
