package counter

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The package testing of the go command that runs this test can be amended, once.
func TestAmend(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	root := strings.TrimSpace(string(out))
	source, err := os.ReadFile(filepath.Join(root, "src", "testing", "benchmark.go"))
	require.NoError(t, err)
	edited, err := amend(source)
	require.NoError(t, err)
	for _, e := range edits {
		for _, text := range []string{e.before, e.after} {
			require.True(t, text == "" || strings.Count(string(edited), text) == 1, e.method)
		}
	}
	overlay, err := Overlay(filepath.Join(t.TempDir(), "new"), root)
	require.NoError(t, err)
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	for _, name := range []string{"benchmark.go", "thm_count.go", "thm_count_amd64.s", "thm_count_arm64.s"} {
		require.Contains(t, string(text), name)
	}
	require.True(t, Supported("linux", "amd64") && !Supported("darwin", "arm64") && !Supported("linux", "386"))
}

// Another shape is refused by name.
func TestAmendRefuses(t *testing.T) {
	const good = "package testing\nfunc (b *B) StartTimer() {}\nfunc (b *B) StopTimer() {}\n" +
		"func (b *B) ResetTimer() {}\nfunc (b *B) RunParallel() { return }\n"
	_, err := amend([]byte(good))
	require.NoError(t, err)
	for _, c := range []string{"StartTimer", "StopTimer", "ResetTimer", "RunParallel"} {
		for from, to := range map[string]string{"b *B) " + c: "b B) " + c, "B) " + c: "B) The" + c,
			"(b *B) " + c: "(x *B) " + c} {
			_, err := amend([]byte(strings.Replace(good, from, to, 1)))
			require.ErrorContains(t, err, "no method "+c)
		}
	}
	_, err = amend([]byte(strings.Replace(good, "ResetTimer() {", "ResetTimer() { return ", 1)))
	require.ErrorContains(t, err, "no method ResetTimer")
	_, err = amend([]byte("no Go"))
	require.Error(t, err)
	_, err = Overlay(t.TempDir(), t.TempDir())
	require.Error(t, err)
}
