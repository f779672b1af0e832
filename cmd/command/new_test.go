//go:build system

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A claim that thm new wrote is green at once, with its evidence pinned, in an empty folder as well as in this
// repository, and its first edit is the formula.
func TestNewClaims(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	thm := filepath.Join(t.TempDir(), "thm")
	at := func(dir string, words ...string) (string, error) {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	run := func(dir string, words ...string) string {
		out, err := at(dir, words...)
		require.NoError(t, err, "%v: %s", words, out)
		return out
	}
	run(root, "go", "build", "-o", thm, "./cmd/thm")

	outside, inside := t.TempDir(), t.TempDir()
	for file := range strings.Lines(run(root, "git", "ls-files", "*.go", "*.s", "go.mod", "go.sum", "*.tmpl", "*.html",
		"*.js", "*.css", "*.json", "*.py")) {
		file = strings.TrimSpace(file)
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(inside, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(inside, file), text, 0o644))
	}
	for _, kind := range newKinds {
		require.Contains(t, run(outside, thm, "new", "mine/my"+kind, "--kind", kind, "--replace", root), "pinned")
		require.Contains(t, run(inside, thm, "new", "tangent/my"+kind, "--kind", kind), "pinned")
	}
	for dir, packages := range map[string][]string{outside: {"./..."}, inside: {"./theory/tangent", "./props/tangent"}} {
		run(dir, append([]string{"go", "vet"}, packages...)...)
		require.Empty(t, run(dir, "gofmt", "-l", "."))
		run(dir, append([]string{"go", "test", "-run", "My|TestClaims/(mine|tangent)/my"}, packages...)...)
	}
	require.Contains(t, run(outside, "go", "run", ".", "check", "--quiet", "--effort", "quick"),
		"2 claims hold; 1 finding was observed again.")
	for _, file := range []string{"claims/myidentity_statement.go", "claims/mylimit_statement.go"} {
		path := filepath.Join(outside, file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		wrong := strings.NewReplacer("return float64(n * n)", "return float64(n*n + n)", "return 1 / float64(d)",
			"return 1.2 / float64(d)").Replace(string(text))
		require.NotEqual(t, string(text), wrong)
		require.NoError(t, os.WriteFile(path, []byte(wrong), 0o644))
	}
	out, err := at(outside, "go", "test", "./claims", "-run", "TestClaims")
	require.Error(t, err)
	require.Equal(t, 2, strings.Count(out, "verdict refuted"), out)
}
