package command

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
)

//go:embed templates/new/*.tmpl
var newTemplates embed.FS

// newKinds lists the kinds of claims that have a template.
var newKinds = []string{"identity", "limit", "finding"}

func (p *program) newCommand() *cobra.Command {
	f := newFlags{}
	cmd := &cobra.Command{
		Use:   "new SOURCE/NAME",
		Short: "Write the files of a new claim that holds",
		Long: `Write the files of a new claim: its statement with a closed form, and a check with its
controls. The claim that they contain holds, its test is green, and its evidence is
pinned, so that you can begin by changing the formula.

In this repository that is theory/SOURCE/NAME.go with a test, props/SOURCE/NAME.go, and
a line in props/SOURCE/claims.go. In another module, or an empty folder, everything goes
into claims/, with the list of claims and their test; main.go and go.mod are added if
there are none. If Go cannot fetch github.com/thm-suite/thm, name a folder that holds it
with --replace.

Kinds: an identity draws instances and compares them to the last bit; a limit compares
the median of many values with their limit; a finding bounds a share.`,
		Example: `  thm new mine/square --kind identity
  thm new mine/spread --kind limit --dir ../mine --replace .`,
		Args: cli.Args(1, 1, "the slug of the claim, SOURCE/NAME"),
		RunE: func(_ *cobra.Command, words []string) error { return p.newClaim(words[0], f) },
	}
	flags := cmd.Flags()
	f.kind = newKinds[0]
	choice(cmd, &f.kind, newKinds, "kind", "KIND", "a kind", "kind of the claim")
	flags.StringVar(&f.dir, "dir", ".", "folder of the module")
	flags.StringVar(&f.replace, "replace", "", "folder to take "+ownPath()+" from")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.MarkFlagDirname("replace")
	return cmd
}

type newFlags struct{ kind, dir, replace string }

// newFile is a file to be written, with the template that it is made of.
type newFile struct{ path, template string }

// newData holds the values that fill the templates of a claim.
type newData struct {
	Slug, Source, Module            string
	Var, Exported                   string // names in the package of the checks
	StatementPackage, ChecksPackage string
	Statement, Closed               string // names of the statement, and of its closed form
	Theory, TheoryImport            string // the import of the statement in the checks
	Year                            int
}

var slugForm = regexp.MustCompile(`^([a-z][a-z0-9]*)/([a-z][a-z0-9]*)$`)

var errNoModule = errors.New("there is no go.mod")

// newClaim writes the files of a claim, all of them or none, tries them and pins their evidence.
func (p *program) newClaim(slug string, f newFlags) error {
	parts := slugForm.FindStringSubmatch(slug)
	if parts == nil {
		return fmt.Errorf("%q is not SOURCE/NAME in lower-case letters and digits", slug)
	}
	source, name := parts[1], parts[2]
	if token.IsKeyword(name) || predeclared(name) {
		return fmt.Errorf("%q is a word of Go; give the claim another name", name)
	}
	module, err := moduleOf(f.dir)
	if err != nil && !errors.Is(err, errNoModule) {
		return err
	}
	d := newData{Slug: slug, Source: source, Var: name, Exported: strings.ToUpper(name[:1]) + name[1:],
		Year: time.Now().Year()}
	d.Closed = d.Exported + "Value"
	var files []newFile
	var list, tested string
	if module == ownPath() {
		list, tested = "props/"+source+"/claims.go", "./props/"+source
		if _, err := os.Stat(filepath.Join(f.dir, list)); err != nil {
			return fmt.Errorf("there is no source %q here: %w; write %s first", source, err, list)
		}
		d.Module, d.StatementPackage, d.ChecksPackage, d.Statement = module, source, source, d.Exported
		d.Theory, d.TheoryImport = "theory.", fmt.Sprintf("\n\ttheory %q", module+"/theory/"+source)
		files = []newFile{{"theory/" + slug + ".go", "statement"}, {"theory/" + slug + "_test.go", "test"},
			{"props/" + slug + ".go", "checks"}}
	} else {
		list, tested = "claims/claims.go", "./claims"
		d.Module = cmp.Or(module, "example.org/"+source)
		d.StatementPackage, d.ChecksPackage, d.Statement = "claims", "claims", d.Var+"Statement"
		files = []newFile{{"claims/" + name + "_statement.go", "statement"},
			{"claims/" + name + "_statement_test.go", "test"}, {"claims/" + name + ".go", "checks"}}
		for _, once := range []newFile{{list, "list"}, {"claims/claims_test.go", "listtest"}, {"main.go", "main"}} {
			if _, err := os.Stat(filepath.Join(f.dir, once.path)); errors.Is(err, fs.ErrNotExist) {
				files = append(files, once)
			}
		}
	}
	written, err := writeNew(f, d, files, list)
	if err != nil {
		return err
	}
	if module == "" {
		if err := startModule(f, d.Module); err != nil {
			return err
		}
	}
	if err := p.Print("wrote " + strings.Join(written, ", ") + "\n"); err != nil {
		return err
	}
	return p.pinNew(f.dir, tested, slug, files[0].path)
}

// predeclared reports whether a name means something to Go without being declared.
func predeclared(name string) bool {
	return slices.Contains([]string{"any", "append", "bool", "byte", "cap", "clear", "close", "complex", "copy", "delete",
		"error", "false", "float32", "float64", "imag", "init", "int", "iota", "len", "main", "make", "max", "min", "new",
		"nil", "panic", "print", "real", "recover", "rune", "string", "true", "uint", "props", "theory", "rapid", "math",
		"stat", "claims"}, name)
}

// listForm is a list of claims, one on each line.
var listForm = regexp.MustCompile(`(?m)^var \w+ = \[\]props\.Claim\{\n(\t.*\n)*\}\n`)

// writeNew renders all files, looks whether there is room for them, and writes them.
func writeNew(f newFlags, d newData, files []newFile, list string) ([]string, error) {
	templates := template.Must(template.New("").Delims("«", "»").ParseFS(newTemplates, "templates/new/module.tmpl",
		"templates/new/"+f.kind+".tmpl"))
	contents := map[string][]byte{}
	var order []string
	for _, file := range files {
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, file.template, d); err != nil {
			return nil, err
		}
		text, err := format.Source(out.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.path, err)
		}
		if _, err := os.Stat(filepath.Join(f.dir, file.path)); err == nil {
			return nil, fmt.Errorf("%s already exists; give the claim another name", file.path)
		}
		contents[file.path] = text
		order = append(order, file.path)
	}
	if contents[list] == nil {
		listed, err := os.ReadFile(filepath.Join(f.dir, list))
		if err != nil {
			return nil, err
		}
		at := listForm.FindIndex(listed)
		if at == nil {
			return nil, fmt.Errorf("%s has no list \"var All = []props.Claim{\", in which the claim would stand", list)
		}
		end := at[1] - len("}\n")
		contents[list] = slices.Concat(listed[:end], []byte("\t"+d.Var+",\n"), listed[end:])
		order = append(order, list)
	}
	for _, path := range order {
		whole := filepath.Join(f.dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(whole), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(whole, contents[path], 0o644); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// moduleOf reads the path of the module of a folder.
func moduleOf(dir string) (string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is no folder; make it, or choose another with --dir", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNoModule
	}
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.TrimSpace(path), nil
		}
	}
	return "", fmt.Errorf("%s names no module", filepath.Join(dir, "go.mod"))
}

// startModule makes a folder a module that requires this one. If this module is in a folder, its own requirements are
// copied, and nothing is fetched.
func startModule(f newFlags, module string) error {
	if f.replace != "" {
		return startFrom(f, module)
	}
	for _, step := range [][]string{{"mod", "init", module}, {"mod", "tidy"}} {
		if out, err := goCommand(f.dir, step...); err != nil {
			return fmt.Errorf("go %s: %w: %s", strings.Join(step, " "), err, lastLine(out))
		}
	}
	return nil
}

func startFrom(f newFlags, module string) error {
	from, err := filepath.Abs(f.replace)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(from, "go.sum"))
	if err != nil {
		return err
	}
	text := strings.Replace(string(mod), "module "+ownPath(), "module "+module, 1) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", ownPath(), ownPath(), from)
	return errors.Join(os.WriteFile(filepath.Join(f.dir, "go.mod"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(f.dir, "go.sum"), sum, 0o644))
}

// pinNew runs the test of a claim, pins its evidence, and prints the next steps.
func (p *program) pinNew(dir, tested, slug, statement string) error {
	out, err := goCommand(dir, "test", tested, "-run", "^TestClaims$/^"+strings.ReplaceAll(slug, "/", "$/^")+"$",
		"-update")
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("the files are written, and their test fails: %s", out)}
	}
	return p.Print(lastLine(out) + "\nits evidence is pinned; now edit the formula in " + statement +
		", and run go test ./... to see it refuted\n")
}

func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
