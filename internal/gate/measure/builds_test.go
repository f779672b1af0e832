//go:build system

package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The same source gives the same binary wherever it lies; another constant gives another.
func TestBuildsCanBeCompared(t *testing.T) {
	sum := fake(t, "sum").Path
	for _, factor := range []string{"1.0", "1.5"} {
		dir := filepath.Join(t.TempDir(), "somewhere", "else")
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/fake")))
		source := filepath.Join(dir, "sum", "sum.go")
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(source, []byte(strings.ReplaceAll(string(text), "Factor = 1.0", "Factor = "+
			factor)), 0o644))
		other := filepath.Join(dir, "other.test")
		require.NoError(t, Build(t.Context(), Package{"fake/sum", filepath.Join(dir, "sum")}, other))
		a, err := Sum(sum)
		require.NoError(t, err)
		b, err := Sum(other)
		require.NoError(t, err)
		require.Equal(t, factor == "1.0", a == b)
	}
	config, err := BuildConfig(sum)
	require.NoError(t, err)
	require.Equal(t, "goversion", config[0][0])
	require.Regexp(t, `^go1\.`, config[0][1])
	_, err = BuildConfig("doc.go")
	require.Error(t, err)
	require.Error(t, Build(t.Context(), Package{"fake/plain", "testdata/fake/plain"},
		filepath.Join(t.TempDir(), "plain.test")))
}
