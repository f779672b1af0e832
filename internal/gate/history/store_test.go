package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fixture is a run as thm bench run would have written it.
type fixture struct {
	day       int
	cpu       string
	benchtime string
	fail      string
	lines     []string // results without "Benchmark"
}

func (f fixture) text() string {
	if f.cpu == "" {
		f.cpu = "Example"
	}
	if f.benchtime == "" {
		f.benchtime = "1s"
	}
	var out strings.Builder
	started := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, f.day)
	fmt.Fprintf(&out, `# thm.bench/v1 `+
		`{"seed":1,"benchtime":%q,"arms":[{"commit":"%012x%028d"}],"started":%q,"host":"h","builds":{}}`+"\n",
		f.benchtime, f.day+0xabc, 0, started.Format(time.RFC3339))
	fmt.Fprintf(&out, "Unit ratio better=lower\nUnit ratio assume=exact\ngoos: linux\ngoarch: amd64\npkg: "+
		"example.org/m\ncpu: %s\ncpus: 2\ngoversion: go1.26\n\n", f.cpu)
	for i, line := range f.lines {
		name := strings.Fields(line)[0]
		fmt.Fprintf(&out, "Benchmark%s\n"+`# sample {"pkg":"example.org/m","name":%q,"round":%d,"at":%q,"load":0.5}`+
			"\n", line, name, i, started.Format(time.RFC3339))
	}
	if f.fail != "" {
		fmt.Fprintf(&out, "--- FAIL: Benchmark%s\n"+
			`# sample {"pkg":"example.org/m","name":%q,"round":0,"at":%q,"fail":"panic"}`+"\n", f.fail, f.fail,
			started.Format(time.RFC3339))
	}
	return out.String()
}

// add puts a fixture on record.
func (f fixture) add(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.txt")
	require.NoError(t, os.WriteFile(file, []byte(f.text()), 0o644))
	at, err := Add(dir, file, "")
	require.NoError(t, err)
	return at
}

func TestAddAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "record")
	second := fixture{day: 2, lines: []string{"A 1 5 ns/op"}}.add(t, dir)
	first := fixture{day: 1, lines: []string{"A 1 6 ns/op", "A 1 7 ns/op"}, fail: "B"}.add(t, dir)
	require.Regexp(t, `/2026-01-02-120000-[0-9a-f]{8}-[0-9a-f]{12}$`, first)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755)) // passed over
	h, err := Load(dir)
	require.NoError(t, err)
	require.Len(t, h.Runs, 2)
	m := h.Runs[0].Manifest
	require.Equal(t, filepath.Base(first), m.Name)
	require.Equal(t, filepath.Base(second), h.Runs[1].Name)
	require.Equal(t, map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "Example", "cpus": "2",
		"goversion": "go1.26"}, m.Config)
	require.Equal(t, []int{2, 1}, []int{m.Samples, m.Failed})
	require.Equal(t, []float64{0.5, 0.5}, m.Load)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3) // nothing left over
}

func TestRecordsAreNeverWrittenAgain(t *testing.T) {
	dir, f := t.TempDir(), fixture{lines: []string{"A 1 5 ns/op"}}
	at := f.add(t, dir)
	file := filepath.Join(t.TempDir(), "run.txt")
	again := func(text, label, want string) {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := Add(dir, file, label)
		require.ErrorContains(t, err, want)
	}
	again(f.text(), "", "is on record as "+at)
	again(f.text(), "other", "is on record as "+at) // the same data under another name
	f.lines = []string{"A 1 4 ns/op"}
	again(f.text(), "", "is on record as "+at) // other data of the same second, machine and commit
	again(f.text(), "Big Machine", "is not of lower-case letters")
	_, err := install(dir, filepath.Base(at), map[string][]byte{"x": nil})
	require.Error(t, err) // even in a race
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	_, err = Load(dir)
	require.NoError(t, err)
}

func TestOnlyRunsAreRecorded(t *testing.T) {
	good := fixture{lines: []string{"A 1 5 ns/op", "A 1 5 ns/op"}}.text()
	for want, text := range map[string]string{
		"this is not a file of samples": "BenchmarkA 1 5 ns/op\n",
		"there are no results":          fixture{fail: "A"}.text(),
		"compares versions":             strings.Replace(good, `"arms":[{`, `"arms":[{"name":"old"},{`, 1),
		"is no commit":                  strings.Replace(good, `"commit":"0`, `"commit":"g`, 1),
		"began in the year 1":           strings.Replace(good, `"2026-`, `"0001-`, 1),
		"samples of several machines":   strings.Replace(good, "}\nBenchmarkA", "}\ncpu: Other\n\nBenchmarkA", 1),
		"is +Inf":                       strings.Replace(good, "1 5 ns/op", "1 +Inf ns/op", 1),
		"no such file":                  "",
		"is not a results file":         "dir",
		"something follows":             strings.Replace(good, "}\nBenchmarkA", "}{}\nBenchmarkA", 1),
		"sample of B has a result of ":  strings.Replace(good, `"name":"A"`, `"name":"B"`, 1),
	} {
		dir, file := t.TempDir(), filepath.Join(t.TempDir(), "run.txt")
		switch text {
		case "":
		case "dir":
			require.NoError(t, os.Mkdir(file, 0o755))
		default:
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		_, err := Add(dir, file, "")
		require.ErrorContains(t, err, want)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func TestTamperingIsDetected(t *testing.T) {
	replace := func(file, old, new string) func(string) error {
		return func(at string) error {
			path := filepath.Join(at, file)
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), old) {
				return fmt.Errorf("nothing to tamper with: %w", err)
			}
			return os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o644)
		}
	}
	for want, tamper := range map[string]func(string) error{
		"results.txt was changed":            replace(dataFile, "1 5 ns/op", "1 4 ns/op"),
		"does not follow from the data":      replace(manifestFile, `"samples": 1`, `"samples": 2`),
		"manifest.json: json: unknown field": replace(manifestFile, `"samples"`, `"count"`),
		"manifest.json: empty: there is no JSON value": func(at string) error {
			return os.WriteFile(filepath.Join(at, manifestFile), []byte(" "), 0o644)
		},
		"something follows the JSON value":    replace(manifestFile, "\n}\n", "\n}{}\n"),
		`the schema is "thm.bench.record/v2"`: replace(manifestFile, "record/v1", "record/v2"),
		"the folder was renamed from 2026-01-01-": func(at string) error {
			return os.Rename(at, strings.Replace(at, "2026", "2025", 1))
		},
		"no such file or directory": func(at string) error {
			return os.Remove(filepath.Join(at, dataFile))
		},
		"manifest.json: no such file": func(at string) error {
			return os.Remove(filepath.Join(at, manifestFile))
		},
	} {
		dir := t.TempDir()
		at := fixture{lines: []string{"A 1 5 ns/op"}}.add(t, dir)
		_, err := Load(dir)
		require.NoError(t, err)
		require.NoError(t, tamper(at))
		_, err = Load(dir)
		require.ErrorContains(t, err, want)
	}
}

// FuzzManifest asks that no manifest passes that does not follow from the data.
func FuzzManifest(f *testing.F) {
	data := []byte(fixture{lines: []string{"A 1 5 ns/op"}}.text())
	m, _, err := describe(data, "")
	require.NoError(f, err)
	good, err := m.encode()
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(`{"schema":"thm.bench.record/v1","data":"","config":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := verify(m.Name, text, data)
		if err == nil && string(text) != string(good) {
			t.Fatalf("%q passed, as %v", text, r.Manifest)
		}
	})
}

// FuzzData asks that data that are described can be verified, and analysed without a panic.
func FuzzData(f *testing.F) {
	f.Add(fixture{lines: []string{"A/n=1 1 5 ns/op", "A/n=2 1 5 ns/op 0 B/op 3 ratio"}, fail: "B"}.text(), "")
	f.Add(fixture{lines: []string{"SVD/m=2/n=2-2 1 5 ns/op", "SVD/m=64/n=64-2 1 5 ns/op", "SVD/m=65/n=65-2 1 7 ns/op",
		"SVD/m=66/n=66-2 1 5 ns/op"}}.text(), "x")
	f.Add("# thm.bench/v1 {}\n", "")
	f.Fuzz(func(t *testing.T, text, name string) {
		m, _, err := describe([]byte(text), name)
		if err != nil {
			return
		}
		manifest, err := m.encode()
		require.NoError(t, err)
		r, err := verify(m.Name, manifest, []byte(text))
		require.NoError(t, err)
		require.Regexp(t, folder, m.Name)
		h := &History{[]Run{r, r}}
		_, err = h.Analyse(DefaultPolicy()).JSON()
		require.NoError(t, err)
		_ = h.Check(DefaultPolicy(), Allowances{})
	})
}
