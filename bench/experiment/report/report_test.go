package report

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// published is where the published results lie.
var published = filepath.Join("..", "..", "..", "reports", "published", "experiments", "vcl")

var update = flag.Bool("update", false, "render the published results again")

// TestPublished holds the published files together: verdicts follow from the runs in results.json, and the page and the
// summary from results.json.
func TestPublished(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(published, "results.json"))
	require.NoError(t, err)
	r, err := Decode(b)
	require.NoError(t, err)
	stored, err := json.Marshal([]any{r.Findings, r.Headlines})
	require.NoError(t, err)
	r.Judge()
	judged, err := json.Marshal([]any{r.Findings, r.Headlines})
	require.NoError(t, err)
	require.JSONEq(t, string(stored), string(judged))
	if *update {
		require.NoError(t, Write(published, r))
	}
	total := len(b)
	for name, render := range map[string]func(*experiment.Result) ([]byte, error){"index.html": HTML,
		"report.md": Markdown} {
		want, err := render(r)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(published, name))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s is stale; go test ./bench/experiment/report -update", name)
		total += len(got)
	}
	require.Less(t, total, 1_500_000)
}

// small is a quick result of one experiment on a data set with a hostile name.
func small(t *testing.T, name string) *experiment.Result {
	set := experiment.SyntheticSet(1)
	r, err := experiment.Run(context.Background(),
		experiment.Options{Names: []string{experiment.Covariance, experiment.NewtonSchulz},
			Sets: []experiment.Set{{Name: name, Data: set.Data}}, Effort: props.Quick, Seed: 1, Jobs: 2,
			Skipped: []string{"<i>skipped</i>"}})
	require.NoError(t, err)
	return r
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := small(t, `<script>"x"&`)
	require.NoError(t, Write(dir, r))
	b, err := os.ReadFile(filepath.Join(dir, "results.json"))
	require.NoError(t, err)
	again, err := Decode(b)
	require.NoError(t, err)
	encoded, err := Encode(again)
	require.NoError(t, err)
	require.Equal(t, string(b), string(encoded))
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.NotContains(t, string(page), "<script>")
	require.NotContains(t, string(page), "<i>skipped")
	require.Equal(t, 4, strings.Count(string(page), "data:image/png;base64,"))
}

func TestDecodeRefuses(t *testing.T) {
	whole, err := Encode(small(t, "x"))
	require.NoError(t, err)
	replaced := func(old, now string) string {
		require.Contains(t, string(whole), old)
		return strings.Replace(string(whole), old, now, 1)
	}
	for want, text := range map[string]string{
		"not JSON":                 "<html>",
		"after top-level value":    string(whole) + "{}",
		"this program reads":       replaced("thm.experiment/v1", "thm.experiment/v2"),
		"unknown field":            replaced(`"side":`, `"sides":`),
		"verdict \"maybe":          replaced(`"verdict":"`, `"verdict":"maybe`),
		"claim \"better\"":         replaced(`"claim":"diagonals"`, `"claim":"better"`),
		"picture of 49 pixels":     replaced(`"side":7`, `"side":8`),
		"runs of different length": replaced(`"exact":[{`, `"exact":[],"ten":[{`),
	} {
		_, err := Decode([]byte(text))
		require.ErrorContains(t, err, want)
	}
}
