//go:build system && !windows

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// snippet is a job as the documents show it for one of the two services.
type snippet struct {
	Jobs map[string]struct {
		Steps []struct{ Run string }
	}
	Claims struct{ Script []string }
}

// shellOf are the shell lines of the snippets, as the service joins them.
func shellOf(t *testing.T) (github, gitlab string) {
	t.Helper()
	text, err := os.ReadFile("../../doc/commands.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "## A gate in CI")
	require.True(t, found)
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(section, 2) {
		var s snippet
		require.NoError(t, yaml.Unmarshal([]byte(block[1]), &s))
		for _, step := range s.Jobs["claims"].Steps {
			github += step.Run
		}
		gitlab += strings.Join(s.Claims.Script, "\n")
	}
	require.NotEmpty(t, github)
	require.NotEmpty(t, gitlab)
	return strings.ReplaceAll(github, "${{ github.event.pull_request.base.sha }}", "$BASE"), gitlab
}

// TestSnippetsOfCI runs the shell lines of the documents on a module of its own: a commit that leaves the claim as it
// is passes, and one that breaks it does not.
func TestSnippetsOfCI(t *testing.T) {
	github, gitlab := shellOf(t)
	dir := filepath.Join(t.TempDir(), "mine")
	run := anotherModule(t, dir, "cmd/thm/main.go")
	run("git", "init", "-q")
	commit := func() string {
		run("git", "add", "-A", ".")
		run("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "change", "--allow-empty")
		return strings.TrimSpace(run("git", "rev-parse", "HEAD"))
	}
	gate := func(shell, base string) (string, error) {
		defer func() {
			run("git", "worktree", "remove", "--force", "../old")
			run("git", "clean", "-fdxq")
		}()
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", shell)
		cmd.Dir = dir
		cmd.Env = append(moduleEnvironment(), "BASE="+base, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	base := commit()
	for name, shell := range map[string]string{"GitHub": github, "GitLab": gitlab} {
		said, err := gate(shell, base)
		require.NoError(t, err, "%s: %s", name, said)
	}
	claims := filepath.Join(dir, "claims", "claims.go")
	broken := strings.Replace(mineClaims, "return x * x }", "return x*x + 1 }", 1)
	require.NotEqual(t, mineClaims, broken)
	require.NoError(t, os.WriteFile(claims, []byte(broken), 0o644))
	commit()
	for name, shell := range map[string]string{"GitHub": github, "GitLab": gitlab} {
		said, err := gate(shell, base)
		require.ErrorContains(t, err, "exit status 1", "%s: %s", name, said)
		require.Contains(t, said, "mine/square", name)
	}
}
