package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/history"
	"github.com/thm-suite/thm/internal/streams"
)

// parsed is the schema of a document.
func parsed(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(SchemaOf(name), &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

// written are real documents, by name.
func written(t *testing.T) map[string][][]byte {
	out := map[string][][]byte{}
	add := func(name string, text []byte) { out[name] = append(out[name], text) }
	file := func(name string, path ...string) {
		text, err := os.ReadFile(filepath.Join(path...))
		require.NoError(t, err)
		add(name, text)
	}
	file("thm.bench.compare/v2", "../../gate/compare/testdata/every.json")
	zeros := filepath.Join(t.TempDir(), "zeros.txt") // have no geometric mean
	require.NoError(t, os.WriteFile(zeros, []byte("BenchmarkA 1 5 ns/op 0 B/op\nBenchmarkB 1 5 ns/op 0 B/op\n"), 0o644))
	for _, words := range [][]string{{zeros}, {"../../gate/compare/testdata/kernels-old.txt",
		"../../gate/compare/testdata/kernels-new.txt"},
		{"../../gate/compare/testdata/kernels-old.txt"}, {os.DevNull, "../../gate/compare/testdata/kernels-new.txt"},
		{os.DevNull, os.DevNull}} {
		policy := compare.DefaultPolicy()
		policy.Undecided, policy.GateOn = compare.UndecidedAllowed, compare.GateOnTime
		policy.Better = map[string]string{"ratio": "lower"}
		table, err := compare.Files(words, compare.Options{}, policy)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, table.Render(&b, "json"))
		add("thm.bench.compare/v2", b.Bytes())
	}
	for _, dir := range []string{"../../../reports/published/history", past(t)} {
		h, err := history.Load(dir)
		require.NoError(t, err)
		text, err := h.Analyse(history.DefaultPolicy()).JSON()
		require.NoError(t, err)
		add("thm.bench.track/v2", text)
		file("thm.bench.record/v1", dir, h.Runs[0].Name, "manifest.json")
	}
	text, err := (&history.History{}).Analyse(history.DefaultPolicy()).JSON()
	require.NoError(t, err)
	add("thm.bench.track/v2", text)
	file("thm.record/v1", "../../../reports/published/kernels.json")
	file("thm.record/v1", "../../../reports/published/kernels-xeon.json") // on two threads as well
	file("thm.vclspeed/v3", "../../../reports/published/vcl.json")
	r, err := Read("../../../reports/published/kernels.json")
	require.NoError(t, err)
	r.Peers.Threads = 2 // as of a run on several threads
	r.Two = r.Peers
	text, err = json.Marshal(r.Peers)
	require.NoError(t, err)
	add("thm.peers/v1", text)
	text, err = json.Marshal(r)
	require.NoError(t, err)
	add("thm.record/v1", text)
	return out
}

// past is a history in which something changed, with all that a manifest can hold.
func past(t *testing.T) string {
	t.Helper()
	dir, rng := t.TempDir(), rand.New(streams.New(1, "schema", "past"))
	for run := range 24 {
		text := fmt.Sprintf(`# thm.bench/v1 `+
			`{"seed":1,"benchtime":"1s","arms":[{"commit":"%040x","dirty":true}],`+
			`"started":"2026-01-%02dT00:00:00Z","host":"h","builds":{}}`+"\n", run, run+1) +
			"goos: linux\npkg: example.org/m\ncpu: Example\n\n"
		factor := 1.0
		if run >= 12 {
			factor = 1.5
		}
		for sample := range 3 {
			for _, n := range []int{64, 128, 256} {
				text += fmt.Sprintf("BenchmarkSVD/m=%d/n=%d 1 %.3f ns/op %d allocs/op\n"+
					`# sample {"pkg":"example.org/m","name":"SVD/m=%d/n=%d","round":%d,"at":"2026-01-01T00:00:00Z","load":0.1}`+"\n",
					n, n, factor*float64(n*n*n)*(1+rng.NormFloat64()/100), int(2*factor), n, n, sample)
			}
		}
		text += `# sample {"pkg":"example.org/m","name":"Bad","round":0,"at":"2026-01-01T00:00:00Z","fail":"no"}` + "\n"
		file := filepath.Join(t.TempDir(), "run.txt")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := history.Add(dir, file, "lab-1")
		require.NoError(t, err)
	}
	return dir
}

// TestRealDocumentsFit: what is written fits its schema, and every field that the schema has is written by some.
func TestRealDocumentsFit(t *testing.T) {
	documents := written(t)
	for _, name := range SchemaNames {
		s := parsed(t, name)
		require.NotEmpty(t, documents[name], name)
		used := map[string]bool{}
		for i, text := range documents[name] {
			var document any
			require.NoError(t, json.Unmarshal(text, &document))
			require.NoError(t, s.Validate(document), "%s, document %d", name, i)
			paths(document, "", used)
		}
		for field := range fields(t, name) {
			require.True(t, used[field] || unseen[name+" "+field], "%s: no document has the field %s", name, field)
		}
	}
}

// unseen are the fields that no document of this test has.
var unseen = map[string]bool{
	"thm.bench.compare/v2 .policy.units":                  true,
	"thm.bench.compare/v2 .policy.different_machine":      true,
	"thm.bench.track/v2 .policy.units":                    true,
	"thm.bench.track/v2 .rows[].series[].changes[].drift": true,
}

// paths collects the fields of a document.
func paths(value any, at string, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			into[at+"."+name] = true
			paths(inner, at+"."+name, into)
		}
	case []any:
		for _, inner := range v {
			paths(inner, at+"[]", into)
		}
	}
}

// fields lists those that a schema has.
func fields(t *testing.T, name string) map[string]bool {
	var root jsonschema.Schema
	require.NoError(t, json.Unmarshal(SchemaOf(name), &root))
	out := map[string]bool{}
	var walk func(s *jsonschema.Schema, at string)
	walk = func(s *jsonschema.Schema, at string) {
		for name, inner := range s.Properties {
			out[at+"."+name] = true
			walk(inner, at+"."+name)
		}
		if s.Items != nil {
			walk(s.Items, at+"[]")
		}
	}
	walk(&root, "")
	return out
}

// TestMutationsAreRefused spoils real documents in one place at a time: a field that is missing, one too many, a value
// of another type, a word that is not among those allowed, a negative count.
func TestMutationsAreRefused(t *testing.T) {
	for name, documents := range written(t) {
		s := parsed(t, name)
		var root jsonschema.Schema
		require.NoError(t, json.Unmarshal(SchemaOf(name), &root))
		refused := 0
		for _, text := range documents[:1] {
			var document any
			require.NoError(t, json.Unmarshal(text, &document))
			document = short(document)
			mutate(&root, document, func(what string, must bool) {
				err := s.Validate(document)
				require.Equal(t, must, err != nil, "%s: %s", name, what)
				if err != nil {
					refused++
				}
			})
			require.NoError(t, s.Validate(document), "the mutations were not undone")
		}
		require.Greater(t, refused, 30, name)
	}
}

// short leaves one element in each list of a document; the others have no other fields.
func short(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = short(inner)
		}
	case []any:
		if len(v) > 1 {
			v = v[:1]
		}
		for i, inner := range v {
			v[i] = short(inner)
		}
		return v
	}
	return value
}

// mutate changes a value in place, in one way at a time, and undoes it again. Try is told whether the change must be
// refused.
func mutate(s *jsonschema.Schema, value any, try func(what string, must bool)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			was, inner := v[name], s.Properties[name]
			if inner == nil {
				inner = s.AdditionalProperties // a map
			}
			delete(v, name)
			try("without "+name, slices.Contains(s.Required, name))
			for _, wrong := range spoiled(inner, was) {
				v[name] = wrong
				try(fmt.Sprintf("%s is %v", name, wrong), true)
			}
			v[name] = was
			mutate(inner, was, try)
		}
		if s.Properties != nil {
			v["another"] = 1.0
			try("one field too many", true)
			delete(v, "another")
		}
	case []any:
		for i, inner := range v {
			for _, wrong := range spoiled(s.Items, inner) {
				v[i] = wrong
				try(fmt.Sprintf("an element is %v", wrong), true)
			}
			v[i] = inner
			mutate(s.Items, inner, try)
		}
	}
}

// spoiled are values that do not belong where one stands.
func spoiled(s *jsonschema.Schema, was any) []any {
	out := []any{map[string]any{"x": 1.0}, []any{[]any{}}}
	switch was.(type) {
	case string:
		out = append(out, nil)
		if s.Pattern == "" { // not a number that JSON has no word for
			out = append(out, 7.0)
		} else {
			out = append(out, "another word")
		}
		if s.Enum != nil || s.Const != nil {
			out = append(out, "another word")
		}
	case float64:
		out = append(out, "7", true)
		if s.Type == "integer" {
			out = append(out, 1.5)
		}
		if s.Minimum != nil {
			out = append(out, -1.0)
		}
	case bool:
		out = append(out, "true", 1.0)
	case nil:
		out = append(out, "null", false)
	default:
		out = append(out, nil, "text")
	}
	return slices.DeleteFunc(out, func(x any) bool {
		return x != nil && was != nil && reflect.TypeOf(x) == reflect.TypeOf(was) &&
			strings.HasPrefix(fmt.Sprintf("%T", was), "map")
	})
}
