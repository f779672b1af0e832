package command

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
)

// writtenForms lists the commands whose output is JSON, by the name of the form. RUN stands for the folder of a run of
// one claim.
var writtenForms = map[string][][]string{
	"thm.results/v5":  nil, // written by that run, with its progress
	"thm.progress/v1": nil,
	"thm.plan/v1":     {{"check", "--dry-run", "--json"}},
	"thm.list/v1":     {{"list", "--json"}, {"list", "--json", "--results", "RUN"}},
	"thm.show/v1": {{"show", "vcl/lipschitz", "--json"},
		{"show", "vcl/similarity", "--json", "--results", "RUN"}},
	"thm.predict/v1":     {{"predict", "vcl/residual", "--json"}, {"predict", "vcl/feasibility", "--json"}},
	"thm.try/v1":         {{"try", "tangent/kernel", "--reps", "1", "--quiet", "--json"}},
	"thm.certificate/v1": {{"certify", "vcl/equation", "testdata/torch/equation.npz", "--json"}},
	"thm.certificate.run/v1": {{"certify", "testdata/recorded/right", "--json", "--out", "OUT"},
		{"certify", "testdata/recorded/uphill", "--json", "--out", "OUT"}},
	"thm.observe/v2":       {{"observe", "testdata/recorded/right", "--json", "--out", "OUT"}},
	"thm.recording/v1":     nil, // see TestCertifyRun
	"thm.diff/v1":          {{"diff", "RUN", "RUN", "--json"}},
	"thm.soak/v1":          {{"soak", "vcl/residual", "--seeds", "2", "--quiet", "--json", "--out", "OUT"}},
	"thm.track.claims/v1":  {{"bench", "track", "claims", "RUN", "RUN", "--json"}},
	"thm.kernels.list/v1":  {{"kernels", "--list", "--json"}},
	"thm.version/v1":       {{"version", "--json"}},
	"thm.kernels/v1":       {{"kernels", "gonum", "--check", "gemm/alpha*", "--no-speed", "--quiet", "--json"}},
	"thm.experiment/v2":    nil, // as published
	"thm.bench.compare/v2": nil, // those of bench are tested in internal/bench/record
	"thm.bench.track/v2":   nil,
	"thm.bench.record/v1":  nil,
	"thm.peers/v1":         nil,
	"thm.record/v1":        nil,
	"thm.vclspeed/v3":      nil,
}

// schemaNamed returns a schema as thm schema prints it, ready to validate with.
func schemaNamed(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	code, text, said := promptly(t, []string{"schema", name})
	require.Equal(t, cli.Green, code, said)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err, name)
	return resolved
}

// The output of a command fits the schema that is printed under its name, and does not fit with a field too many or of
// another type.
func TestJSONFitsItsSchema(t *testing.T) {
	run := t.TempDir()
	_, results, progress := promptly(t, []string{"check", "vcl/similarity", "--effort", "quick", "--json", "--progress",
		"json", "--out", run})
	fits(t, schemaNamed(t, "thm.results/v5"), "thm.results/v5", []byte(results))
	require.Regexp(t, `"binary": "[0-9a-f]{64}"`, results)
	first, _, _ := strings.Cut(progress, "\n")
	fits(t, schemaNamed(t, "thm.progress/v1"), "thm.progress/v1", []byte(first))
	for _, f := range jsonForms() {
		commands, known := writtenForms[f.name]
		require.True(t, known, "%s is not in the test", f.name)
		s := schemaNamed(t, f.name)
		for _, words := range commands {
			words = slices.Clone(words)
			for i, word := range words {
				switch word {
				case "RUN":
					words[i] = filepath.Join(run, "results.json")
				case "OUT":
					words[i] = t.TempDir()
				}
			}
			_, out, _ := promptly(t, words)
			fits(t, s, f.name, []byte(out))
		}
	}
	text, err := os.ReadFile("../../reports/published/experiments/tangent/pictures/results.json")
	require.NoError(t, err)
	fits(t, schemaNamed(t, "thm.experiment/v2"), "thm.experiment/v2", text)
}

func fits(t *testing.T, s *jsonschema.Resolved, name string, text []byte) {
	t.Helper()
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document), "%s: %s", name, text)
	require.NoError(t, s.Validate(document), name)
	document["schema"] = "thm.another/v1"
	require.Error(t, s.Validate(document), "%s: another name", name)
	document["schema"], document["another"] = name, 1.0
	require.Error(t, s.Validate(document), "%s: a field too many", name)
	delete(document, "another")
	for field, was := range document {
		document[field] = func() any { // of another type
			if _, is := was.([]any); is {
				return "text"
			}
			return []any{[]any{}}
		}()
		require.Error(t, s.Validate(document), "%s: %s of another type", name, field)
		document[field] = was
	}
}

// lineForms names the forms that consist of lines and not of one document. They have no schema.
var lineForms = []string{"thm.journal/v5", "thm.soak.journal/v2", "thm.bench/v1",
	"thm.study.null/v1", "thm.study.power/v1", "thm.study.pairs/v1", "thm.study.trial/v1",
	"thm.study.instructions/v1", "thm.kernelkit/v1"} // the last is the part of thm.kernels/v1 that is one kernel's

// Every form whose name occurs in the source has a schema.
func TestEveryFormHasASchema(t *testing.T) {
	named := regexp.MustCompile(`"(thm\.[a-z.]+/v[0-9]+)"`)
	found := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			_, known := writtenForms[m[1]]
			require.True(t, known || slices.Contains(lineForms, m[1]), "%s: %s has no schema", path, m[1])
		}
		return err
	}))
	require.Greater(t, found, len(writtenForms))
	code, _, said := promptly(t, []string{"schema", "thm.results/v1"})
	require.Equal(t, cli.Usage, code)
	require.Equal(t, "thm: no document is called \"thm.results/v1\"; thm schema lists the names\n", said)
}
