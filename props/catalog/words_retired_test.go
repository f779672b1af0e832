package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLimit is the number of characters that a line of Go may have, a tab counting as one.
const lineLimit = 120

// retiredWords may not be part of a declared identifier; next to each stands the standard word.
var retiredWords = map[string]string{
	"dose": "perturbation", "doses": "perturbations", "zone": "margin", "zones": "margins", "ladder": "size sweep",
	"ladders": "size sweeps", "rung": "size", "rungs": "sizes", "climbed": "size sweep", "summit": "largest size",
	"noted": "measured value", "awkward": "degenerate", "spoil": "degrade", "spoilt": "degraded",
	"nearness": "stability", "corotated": "factored", "twofold": "double-double", "crowded": "cache aliased",
	"workshop": "builds", "foreign": "dynamically loaded", "conduct": "contract", "polish": "refine",
	"promise": "power estimate", "meter": "progress",
}

// retiredNames may not be identifiers; as a part of longer ones they are plain English.
var retiredNames = map[string]string{
	"least": "min", "most": "max", "some": "batch", "met": "result", "turns": "interleaved", "misses": "disjoint",
	"wants": "argRange", "troubles": "failures", "blend": "mergeMeta", "pick": "selectRow", "bar": "target",
	"book": "log", "lab": "runner", "shot": "run",
}

// retiredPhrases may stand in no comment, string or document. The stem, in lower case, is part of whatever the form
// finds: most texts have none and need not be searched.
var retiredPhrases = []struct {
	stem     string
	form     *regexp.Regexp
	standard string
}{
	// The field "dose" and the benchmarks "Spin/dose=" of the published power study keep their names.
	{"dos", regexp.MustCompile(`(?i)\bdos(?:es|ed|ing)\b|\bdose(?:[^="A-Za-z]|$)|[^"/A-Za-z]dose"`), "perturbation"},
	{"rung", regexp.MustCompile(`(?i)\brungs?\b`), "size"},
	{"climbed", regexp.MustCompile(`(?i)\bclimbed\b`), "largest size"},
	{"summit", regexp.MustCompile(`(?i)\bsummits?\b`), "largest size"},
	{"awkward", regexp.MustCompile(`(?i)\bawkward(ly|ness)?\b`), "degenerate"},
	{"nearness", regexp.MustCompile(`(?i)\bnearness\b`), "stability"},
	{"rotated", regexp.MustCompile(`(?i)\bco-?rotated\b`), "factored"},
	{"twofold", regexp.MustCompile(`(?i)\btwofold\b`), "double-double"},
	{"entitled", regexp.MustCompile(`(?i)\bentitled to\b`), "rounding error bound"},
	{"against", regexp.MustCompile(`(?i)\bheld against\b`), "compared with"},
	{"which see", regexp.MustCompile(`(?i)\bwhich see\b`), "see"},
	{"for who", regexp.MustCompile(`(?i)\bfor who\b`), "a sentence that names whom it is for"},
	{"indifference", regexp.MustCompile(`(?i)\bindifference zones?\b`), "equivalence margin"},
	// The flag --zone and the field "zone" of the gate's policy keep their names.
	{"zone", regexp.MustCompile("(?i)(?:^|[^-\"`=A-Za-z])(?:time )?zones?\\b(?:[^=:\"A-Za-z]|$)"), "margin"},
}

// permitted are retired words that are terms of somebody else: a word, and what the paths begin with where it may
// stand.
var permitted = map[string][]string{
	"ladder":  {"theory/tangent/", "internal/impl/tangent/", "props/tangent/"}, // the eigenvector ladder is the paper's own term
	"ladders": {"theory/tangent/", "internal/impl/tangent/", "props/tangent/"},
}

// timeZone is the one zone that is no margin.
const timeZone = "time zone"

// retired reads the Go sources and the Markdown of a module and lists, by file and line, the words that were retired
// for standard ones: in declared identifiers, in comments, in strings and in documents. It lists the lines of Go that
// are longer than 120 characters too. Generated files and the folders of published results are left out, and so are the
// paths that begin with one of those given.
func retired(module fs.FS, unclean []string) ([]string, error) {
	var out []string
	err := fs.WalkDir(module, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if file != "." && (hidden(entry.Name()) || file == "reports/published") {
				return fs.SkipDir
			}
			return nil
		}
		if exempt(file, unclean) {
			return nil
		}
		found, err := retiredIn(module, file)
		out = append(out, found...)
		return err
	})
	return out, err
}

// exempt reports whether a file is not to be read: this list of words itself is one.
func exempt(file string, unclean []string) bool {
	for _, prefix := range append([]string{"props/catalog/words"}, unclean...) {
		if strings.HasPrefix(file, prefix) {
			return true
		}
	}
	return false
}

func retiredIn(module fs.FS, file string) ([]string, error) {
	if ext := path.Ext(file); ext != ".go" && ext != ".md" {
		return nil, nil
	}
	source, err := fs.ReadFile(module, file)
	if err != nil {
		return nil, err
	}
	if path.Ext(file) == ".md" {
		return phrasesIn(file, 1, string(source)), nil
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	out := longLines(file, string(source))
	text := func(n ast.Node, text string) {
		out = append(out, phrasesIn(file, files.Position(n.Pos()).Line, text)...)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		for _, name := range declared(n) {
			out = append(out, retiredIdentifier(file, files.Position(name.Pos()).Line, name.Name)...)
		}
		if n, ok := n.(*ast.BasicLit); ok && n.Kind == token.STRING {
			text(n, n.Value)
		}
		return true
	})
	for _, group := range tree.Comments {
		for _, c := range group.List {
			text(c, c.Text)
		}
	}
	return out, nil
}

func longLines(file, source string) []string {
	var out []string
	for i, line := range strings.Split(source, "\n") {
		if n := utf8.RuneCountInString(line); n > lineLimit {
			out = append(out, fmt.Sprintf("%s:%d: %d characters, more than %d", file, i+1, n, lineLimit))
		}
	}
	return out
}

// declared lists the identifiers that a node declares.
func declared(n ast.Node) []*ast.Ident {
	var out []*ast.Ident
	names := func(left ...ast.Expr) {
		for _, e := range left {
			if name, ok := e.(*ast.Ident); ok {
				out = append(out, name)
			}
		}
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		names(n.Name)
	case *ast.TypeSpec:
		names(n.Name)
	case *ast.ValueSpec:
		out = append(out, n.Names...)
	case *ast.Field:
		out = append(out, n.Names...)
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			names(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			names(n.Key, n.Value)
		}
	case *ast.LabeledStmt:
		names(n.Label)
	}
	return out
}

func retiredIdentifier(file string, line int, name string) []string {
	var out []string
	complain := func(word, standard string) {
		out = append(out, fmt.Sprintf("%s:%d: %s has the retired word %q; use %q", file, line, name, word, standard))
	}
	if standard, ok := retiredNames[strings.ToLower(name)]; ok {
		complain(strings.ToLower(name), standard)
	}
	for _, word := range camelWords(name) {
		if standard, ok := retiredWords[word]; ok && !exempt(file, permitted[word]) {
			complain(word, standard)
		}
	}
	return out
}

// camelWords splits an identifier where a capital follows something else, and at underscores: largestSize is largest
// and size.
func camelWords(name string) []string {
	var out []string
	word := []rune{}
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for _, r := range name {
		if r == '_' || unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]) {
			flush()
		}
		if r != '_' {
			word = append(word, r)
		}
	}
	flush()
	return out
}

// phrasesIn looks through a text that begins at a line of a file.
func phrasesIn(file string, line int, text string) []string {
	var out []string
	lower := strings.ToLower(text)
	for _, p := range retiredPhrases {
		if !strings.Contains(lower, p.stem) {
			continue
		}
		for i, content := range strings.Split(text, "\n") {
			for _, found := range p.form.FindAllString(content, -1) {
				if !strings.Contains(strings.ToLower(found), timeZone) {
					out = append(out, fmt.Sprintf("%s:%d: %q is retired; use %q", file, line+i, strings.Trim(found, " `\"'.,;:()"),
						p.standard))
				}
			}
		}
	}
	return out
}
