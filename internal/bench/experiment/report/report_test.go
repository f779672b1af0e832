package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/experiment/vcl"
	"github.com/thm-suite/thm/props"
)

var covariance = vcl.Experiments[0]

// small is a quick result of one experiment on a data set with a hostile name.
func small(t *testing.T, name string) *experiment.Result {
	r, err := covariance.Run(t.Context(), experiment.Options{Sets: []experiment.Set{{Name: name,
		Data: experiment.SyntheticSet(1).Data}}, Effort: props.Quick, Seed: 1, Jobs: 2,
		Skipped: []string{"<i>skipped</i>"}})
	require.NoError(t, err)
	return r
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := small(t, `<script>"x"&`)
	require.NoError(t, Write(dir, covariance, r))
	again, err := Read(dir, covariance)
	require.NoError(t, err)
	encoded, err := again.Encode()
	require.NoError(t, err)
	stored, err := os.ReadFile(filepath.Join(Dir(dir, covariance), "results.json"))
	require.NoError(t, err)
	require.Equal(t, string(stored), string(encoded))
	page, err := os.ReadFile(filepath.Join(Dir(dir, covariance), "index.html"))
	require.NoError(t, err)
	require.NotContains(t, string(page), "<script>")
	require.NotContains(t, string(page), "<i>skipped")
	require.Equal(t, 4, strings.Count(string(page), "data:image/png;base64,"))
	index, err := Index(dir, vcl.Experiments)
	require.NoError(t, err)
	require.Contains(t, string(index), "[vcl/covariance](vcl/covariance/report.md)")
	require.NotContains(t, string(index), "vcl/training")
}

func TestDecodeRefuses(t *testing.T) {
	whole, err := small(t, "x").Encode()
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

func TestChoose(t *testing.T) {
	names := func(patterns ...string) string {
		chosen, err := Choose(vcl.Experiments, patterns)
		require.NoError(t, err)
		var out []string
		for _, e := range chosen {
			out = append(out, e.Name)
		}
		return strings.Join(out, " ")
	}
	require.Equal(t, "vcl/covariance vcl/newton-schulz vcl/training", names())
	require.Equal(t, names(), names("vcl"))
	require.Equal(t, "vcl/covariance vcl/training", names("training", "vcl/c*"))
	_, err := Choose(vcl.Experiments, []string{"trainig"})
	require.ErrorContains(t, err, `no experiment "trainig"; there are vcl/covariance, vcl/newton-schulz, vcl/training`)
}
