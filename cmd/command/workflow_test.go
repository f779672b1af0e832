//go:build !windows

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// stepsOf returns the shell lines of a workflow's only job, by the names of the steps.
func stepsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var w struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &w))
	require.Len(t, w.Jobs, 1)
	out := map[string]string{}
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" {
				out[step.Name] = strings.ReplaceAll(step.Run, "${{ github.sha }}", "$GITHUB_SHA")
			}
		}
	}
	return out
}

// TestExampleWorkflow runs the shell lines of the workflow that publishes the example in a clone, with a stand-in for
// the Go command that publishes a report of one line: a new report is committed and pushed, and one that is the same
// is not.
func TestExampleWorkflow(t *testing.T) {
	steps := stepsOf(t, "../../.github/workflows/example.yml")
	publish, commit := steps["Verify all claims of this commit"], steps["Commit the run"]
	require.NotEmpty(t, publish)
	require.NotEmpty(t, commit)
	dir := t.TempDir()
	clone := filepath.Join(dir, "clone")
	const standIn = `#!/bin/sh
case "$*" in
"run ./cmd/thm publish"*)
  mkdir -p reports/published/example && echo "$REPORT" >reports/published/example/results.json ;;
"run ./cmd/thm docs") mkdir -p doc && echo "$REPORT" >doc/claims.md && echo "$REPORT" >README.md ;;
*) echo "the stand-in for go does not know: $*" >&2; exit 2 ;;
esac
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(standIn), 0o755))
	shell := func(at, report, script string) string {
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
		cmd.Dir = at
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "REPORT="+report, "GITHUB_SHA=0123abc",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", script, out)
		return strings.TrimSpace(string(out))
	}
	shell(dir, "", `git init -q --bare -b main origin.git && git clone -q origin.git clone 2>/dev/null && cd clone &&
		git checkout -qb main && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first &&
		git push -qu origin main`)
	pushed := func() string { return shell(dir, "", "git -C origin.git log --format=%s:%an main") }
	for range 2 {
		shell(clone, "old", publish+"\n"+commit)
		require.Equal(t, "Published run of 0123abc:github-actions[bot]\nfirst:t", pushed())
	}
	shell(clone, "new", publish+"\n"+commit)
	require.Equal(t, 3, strings.Count(pushed(), "\n")+1)
	require.Equal(t, "new", shell(dir, "", "git -C origin.git show main:reports/published/example/results.json"))
	require.Empty(t, shell(clone, "", "git status --porcelain"))
}
