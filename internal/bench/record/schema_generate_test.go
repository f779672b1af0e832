package record

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/history"
	"github.com/thm-suite/thm/internal/number"
)

var update = flag.Bool("update", false, "write the schemas")

// comparison is the document of package compare.
type comparison struct {
	Schema  string          `json:"schema"`
	Outcome compare.Outcome `json:"outcome"`
	compare.Table
}

// documents are the types that are written under each name.
var documents = map[string]reflect.Type{
	"thm.bench.compare/v2": reflect.TypeFor[comparison](),
	"thm.bench.track/v2":   reflect.TypeFor[history.Analysis](),
	"thm.bench.record/v1":  reflect.TypeFor[history.Manifest](),
	"thm.peers/v1":         reflect.TypeFor[peers.Report](),
	"thm.record/v1":        reflect.TypeFor[Record](),
	"thm.vclspeed/v3":      reflect.TypeFor[VCL](),
}

// words are the fields that hold one of a few texts, by type and name.
var words = map[string][]string{
	"Outcome.name": {"pass", "regression", "unusable", "undecided"},
	"Judgement.verdict": append(func() (out []string) {
		for _, v := range compare.Verdicts {
			out = append(out, string(v))
		}
		return out
	}(), ""), // none where there is nothing to compare with
	"Policy.missing": {compare.MissingUndecided, compare.MissingUnusable, compare.MissingAllowed},
	"Fit.verdict":    {history.Consistent, history.Inconsistent, history.Unsettled, history.Undeclared},
}

// counts are the fields that hold no negative number.
var counts = []string{"Outcome.code", "Summary.n", "Judgement.floor", "Judgement.needs", "Policy.alpha", "Policy.zone",
	"Policy.block",
	"PowerEstimate.pilot", "PowerEstimate.rounds", "PowerEstimate.least", "PowerEstimate.power",
	"EstimatedRow.floor", "Point.n", "Point.run", "Change.run", "Manifest.samples",
	"Manifest.failed", "Row.samples", "Row.n", "Facts.cpus"}

// generator makes schemas from types, with the comments of their fields as descriptions.
type generator struct {
	comments map[string]string // by package, type and name
}

func (g generator) schema(t *testing.T, goType reflect.Type) *jsonschema.Schema {
	t.Helper()
	switch {
	case goType == reflect.TypeFor[number.Number]():
		return &jsonschema.Schema{Types: []string{"number", "string"}, Pattern: "^(NaN|-?Infinity)$"}
	case goType == reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	}
	switch goType.Kind() {
	case reflect.Pointer:
		return g.schema(t, goType.Elem())
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: g.schema(t, goType.Elem())}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: g.schema(t, goType.Elem())}
	case reflect.Struct:
		s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
		g.fields(t, goType, s)
		return s
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Int, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer"}
	}
	t.Fatalf("no schema for %v", goType)
	return nil
}

// fields adds those of a struct; fields of embedded structs as JSON has them, beside the others.
func (g generator) fields(t *testing.T, goType reflect.Type, into *jsonschema.Schema) {
	for i := range goType.NumField() {
		f := goType.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			g.fields(t, f.Type, into)
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		require.NotEmpty(t, name, "%v.%s", goType, f.Name)
		key := goType.Name() + "." + name
		s := g.schema(t, f.Type)
		s.Description = g.comments[path.Base(goType.PkgPath())+"."+goType.Name()+"."+f.Name]
		for _, word := range words[key] {
			s.Enum = append(s.Enum, word)
		}
		if slices.Contains(counts, key) {
			s.Minimum = new(float64)
		}
		into.Properties[name] = s
		into.PropertyOrder = append(into.PropertyOrder, name)
		if !strings.Contains(options, "omitempty") {
			into.Required = append(into.Required, name)
		}
	}
}

// read collects the comments of the fields of all structs in a directory.
func (g generator) read(t *testing.T, pkg, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					text := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
					for _, name := range f.Names {
						g.comments[pkg+"."+spec.Name.Name+"."+name.Name] = text
					}
				}
			}
			return true
		})
	}
}

// TestSchemasFollowFromTypes: the files are what the types say; -update writes them.
func TestSchemasFollowFromTypes(t *testing.T) {
	require.Len(t, documents, len(SchemaNames))
	g := generator{map[string]string{}}
	for _, dir := range []string{"../../gate/compare", "../../gate/history", "../record", "../peers"} {
		g.read(t, filepath.Base(dir), filepath.FromSlash(dir))
	}
	for _, name := range SchemaNames {
		s := g.schema(t, documents[name])
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
		s.ID = "https://github.com/thm-suite/thm/bench/schema/" + schemaFile(name)
		s.Title = name
		s.Properties["schema"].Const = jsonschema.Ptr(any(name))
		if peers := s.Properties["peers"]; peers != nil && name == "thm.record/v1" {
			peers.Properties["schema"].Const = jsonschema.Ptr(any("thm.peers/v1"))
		}
		text, err := json.MarshalIndent(s, "", "  ")
		require.NoError(t, err)
		text = append(text, '\n')
		if *update {
			require.NoError(t, os.WriteFile(schemaFile(name), text, 0o644))
		}
		have, err := os.ReadFile(schemaFile(name))
		require.NoError(t, err)
		require.Equal(t, string(text), string(have),
			"%s is not what the types say; go test ./internal/bench/record -update if they are right", schemaFile(name))
	}
	require.Nil(t, SchemaOf("thm.bench.compare/v3"))
}
