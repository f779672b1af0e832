package reports

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/experiment/all"
	"github.com/thm-suite/thm/internal/bench/experiment/vcl"
	"github.com/thm-suite/thm/props"
)

// publishedExperiments is where the published results of experiments lie.
var publishedExperiments = filepath.Join("..", "..", "reports", "published", "experiments")

// The published verdicts follow from the runs, and the pages from both.
func TestPublishedExperiments(t *testing.T) {
	const stale = "%s of %s is stale; go test ./internal/reports -run PublishedExperiments -update"
	for _, e := range all.Experiments() {
		r, err := e.Read(publishedExperiments)
		require.NoError(t, err)
		if r == nil {
			require.NoDirExists(t, e.Dir(publishedExperiments))
			continue
		}
		if *update {
			require.NoError(t, WriteExperiment(publishedExperiments, e, r))
		}
		files, err := ExperimentFiles(e, r)
		require.NoError(t, err)
		total := 0
		for _, f := range files {
			got, err := os.ReadFile(filepath.Join(e.Dir(publishedExperiments), f.Name))
			require.NoError(t, err)
			require.True(t, string(f.Content) == string(got), stale, f.Name, e.Name)
			total += len(got)
		}
		require.Less(t, total, 1_500_000)
	}
	if *update {
		require.NoError(t, WriteExperimentIndex(publishedExperiments, all.Experiments()))
	}
	want, err := ExperimentIndex(publishedExperiments, all.Experiments())
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(publishedExperiments, "README.md"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), stale, "README.md", "all")
}

var covariance = vcl.Experiments[0]

// synthetic is the built-in data set, which takes longer to draw than a quick run does.
var synthetic = sync.OnceValue(func() experiment.Set { return experiment.SyntheticSet(1) })

// quickRun returns the quick result of one experiment on a data set with a hostile name.
func quickRun(t *testing.T, name string) *experiment.Result {
	r, err := covariance.Run(t.Context(), experiment.Options{Sets: []experiment.Set{{Name: name,
		Data: synthetic().Data}}, Effort: props.Quick, Seed: 1, Jobs: 2,
		Skipped: []string{"<i>skipped</i>"}})
	require.NoError(t, err)
	return r
}

func TestExperimentRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := quickRun(t, `<script>"x"&`)
	require.NoError(t, WriteExperiment(dir, covariance, r))
	again, err := covariance.Read(dir)
	require.NoError(t, err)
	encoded, err := again.Encode()
	require.NoError(t, err)
	stored, err := os.ReadFile(filepath.Join(covariance.Dir(dir), "results.json"))
	require.NoError(t, err)
	require.Equal(t, string(stored), string(encoded))
	page, err := os.ReadFile(filepath.Join(covariance.Dir(dir), "index.html"))
	require.NoError(t, err)
	require.NotContains(t, string(page), `<script>"x`)
	require.NotContains(t, string(page), "<i>skipped")
	for _, panel := range []string{"WᵀW", "increment", "covariance", "AGOP"} {
		require.Regexp(t, `<text[^>]*class="name"[^>]*>`+panel, string(page))
	}
	index, err := ExperimentIndex(dir, vcl.Experiments)
	require.NoError(t, err)
	require.Contains(t, string(index), "[vcl/covariance](vcl/covariance/report.md)")
	require.NotContains(t, string(index), "vcl/training")
}

func TestDecodeRefusesResultsOfExperiments(t *testing.T) {
	whole, err := quickRun(t, "x").Encode()
	require.NoError(t, err)
	replaced := func(old, now string) string {
		require.Contains(t, string(whole), old)
		return strings.Replace(string(whole), old, now, 1)
	}
	for want, text := range map[string]string{
		"not JSON":                  "<html>",
		"after top-level value":     string(whole) + "{}",
		"this program reads":        replaced("thm.experiment/v2", "thm.experiment/v1"),
		"not of \"vcl/covariance\"": replaced("vcl/covariance", "vcl/training"),
		"unknown field":             replaced(`"side":`, `"sides":`),
		"do not follow":             replaced(`"verdict":"`, `"verdict":"maybe`),
	} {
		_, err := covariance.Decode([]byte(text))
		require.ErrorContains(t, err, want)
	}
}

// A run that was stopped before its first cell has a page, and so has a run of one cell.
func TestPagesOfStoppedExperiments(t *testing.T) {
	for _, e := range all.Experiments() {
		ctx, stop := context.WithCancel(t.Context())
		o := experiment.Options{Effort: props.Quick, Seed: 1}
		if len(e.Data) > 0 {
			o.Sets = []experiment.Set{synthetic()}
		}
		o.Progress = func(int, int, time.Duration, string) { stop() }
		r, err := e.Run(ctx, o)
		require.NoError(t, err)
		require.Equal(t, 1, r.Run.Cells.Run)
		files, err := ExperimentFiles(e, r)
		require.NoError(t, err, e.Name)
		require.Contains(t, string(files[1].Content), "Not all planned runs are here.", e.Name)
		stop()
		r, err = e.Run(ctx, o)
		require.NoError(t, err)
		_, err = ExperimentFiles(e, r)
		require.NoError(t, err, e.Name)
	}
}
