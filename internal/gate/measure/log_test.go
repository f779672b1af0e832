package measure

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

var exampleRun = Run{Seed: 1, Benchtime: "1x", Arms: []Arm{{}}}

// sampled is a log with some samples in it, and its path.
func sampled(t *testing.T, rounds int) (string, []Sample) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new.txt")
	log, err := Create(path, exampleRun, [][2]string{{"cpus", "2"}, {"goversion", "go1 with\nbreak"}, {"empty", ""}})
	require.NoError(t, err)
	bin := fake(t, "bad")
	bin.Env = []string{"FAKE_DRY=no"}
	s := Session{Log: log, Binaries: []Binary{bin}, Seed: 1, Benchtime: "1x"}
	samples, err := s.Take(t.Context(), []Benchmark{{"fake/bad", "Fine"}, {"fake/bad", "Later"}}, 0, rounds)
	require.NoError(t, err)
	require.NoError(t, log.Close())
	return path, samples
}

func TestLogKeepsSamples(t *testing.T) {
	path, samples := sampled(t, 3)
	require.Len(t, samples, 6)
	record, err := ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, exampleRun, record.Run)
	require.Len(t, record.Samples, 6)
	for i, s := range record.Samples {
		require.Equal(t, samples[i].Benchmark, s.Benchmark)
		require.Equal(t, samples[i].Fail, s.Fail)
		require.Equal(t, s.Name == "Later", s.Fail != "")
		if s.Result != nil {
			require.Equal(t, samples[i].Result.Values, s.Result.Values)
		}
	}
	require.Len(t, Taken(record.Samples), 6)

	// benchstat's own reader sees one result per sample that did not fail, and one configuration
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	reader := benchfmt.NewReader(bytes.NewReader(text), "new.txt")
	results := 0
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		require.True(t, ok, "%v", reader.Result())
		require.Equal(t, "2", r.GetConfig("cpus"))
		require.Equal(t, "go1 with break", r.GetConfig("goversion"))
		require.Equal(t, "fake/bad", r.GetConfig("pkg"))
		results++
	}
	require.Equal(t, 3, results)
}

func TestCreateNeverReplaces(t *testing.T) {
	path, _ := sampled(t, 1)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = Create(path, exampleRun, nil)
	require.ErrorContains(t, err, "is already there")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	_, err = Create(filepath.Join(path, "below"), exampleRun, nil)
	require.Error(t, err)
}

// A file cut off at any place after its first line can be read and resumed, and in the end holds every slot once.
func TestResumeAfterAnyCut(t *testing.T) {
	path, _ := sampled(t, 2)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	first := bytes.IndexByte(whole, '\n') + 1
	for cut := 0; cut < len(whole); cut += 7 {
		torn := filepath.Join(t.TempDir(), "torn.txt")
		require.NoError(t, os.WriteFile(torn, whole[:cut], 0o644))
		log, record, err := Resume(torn, nil)
		if cut < first {
			require.ErrorContains(t, err, "line 1", "cut at %d", cut)
			continue
		}
		require.NoError(t, err, "cut at %d", cut)
		missing := 4 - len(record.Samples)
		for range missing {
			require.NoError(t, log.Add(Sample{Benchmark: Benchmark{"fake/bad", "Later"}, Fail: "again"}))
		}
		require.NoError(t, log.Close())
		again, err := ReadFile(torn)
		require.NoError(t, err, "cut at %d", cut)
		require.Len(t, again.Samples, 4)
		require.Equal(t, append([]Sample{}, record.Samples...), again.Samples[:len(record.Samples)])
	}
}

func TestReadRefuses(t *testing.T) {
	const head = `# thm.bench/v1 {"seed":1,"benchtime":"1x","arms":[{}],"started":"2026-01-01T00:00:00Z"}` + "\n"
	const good = "BenchmarkX 1 5 ns/op\n" + `# sample {"pkg":"p","name":"X","round":0,"at":"2026-01-01T00:00:00Z"}` +
		"\n"
	_, err := Read(strings.NewReader(head + good))
	require.NoError(t, err)
	for name, c := range map[string]struct{ text, want string }{
		"nothing":       {"", "line 1: this is not a file of samples"},
		"plain output":  {good, "line 1: this is not a file of samples"},
		"broken head":   {"# thm.bench/v1 {\n", "line 1: unexpected EOF"},
		"unknown field": {strings.Replace(head, "seed", "seeds", 1), `line 1: json: unknown field "seeds"`},
		"two values":    {strings.Replace(head, "}\n", "} {}\n", 1), "line 1: something follows"},
		"no result":     {head + good[strings.Index(good, "#"):], "line 2: sample of X has 0 results"},
		"two results":   {head + "BenchmarkX 1 5 ns/op\n" + good, "line 4: sample of X has 2 results"},
		"another result": {head + strings.Replace(good, "BenchmarkX", "BenchmarkY", 1),
			"line 3: sample of X has a result of Y"},
		"NaN":         {head + strings.Replace(good, "5 ns", "NaN ns", 1), "line 3: sample of X: sec/op is NaN"},
		"infinite":    {head + strings.Replace(good, "5 ns", "Inf ns", 1), "line 3: sample of X: ns/op is +Inf"},
		"negative":    {head + strings.Replace(good, "5 ns", "-5 ns", 1), "line 3: sample of X: sec/op is -5e-09"},
		"no unit":     {head + strings.Replace(good, "5 ns/op", "5", 1), "line 3: output:1"},
		"round":       {head + strings.Replace(good, `"round":0`, `"round":-1`, 1), "line 3: a sample has a name"},
		"broken mark": {head + "# sample {\n", "line 2: unexpected EOF"},
		"failed, and not": {head + strings.Replace(good, `"round"`, `"fail":"x","round"`, 1),
			"line 3: failed sample of X has a result"},
	} {
		_, err := Read(strings.NewReader(c.text))
		require.ErrorContains(t, err, c.want, name)
	}
}

// FuzzRead: what can be read can be resumed, and reads the same again.
func FuzzRead(f *testing.F) {
	const head = `# thm.bench/v1 {"seed":1,"benchtime":"1x","arms":[{}],"started":"2026-01-01T00:00:00Z"}` + "\n"
	f.Add([]byte(""))
	f.Add([]byte(head))
	f.Add([]byte(head + "goos: linux\nBenchmarkX-2 1 5 ns/op\n# sample " +
		"{\"pkg\":\"p\",\"name\":\"X\",\"round\":0}\nBenchmarkY"))
	f.Add([]byte(head + "# sample {\"pkg\":\"p\",\"name\":\"X\",\"round\":0,\"fail\":\"no\"}\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		require.LessOrEqual(t, r.whole, int64(len(text)))
		again, err := Read(bytes.NewReader(text[:r.whole]))
		require.NoError(t, err)
		require.Equal(t, len(r.Samples), len(again.Samples))
		require.Equal(t, r.whole, again.whole)
		for _, s := range r.Samples {
			require.Equal(t, s.Fail == "", s.Result != nil)
		}
	})
}
