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

	"github.com/thm-suite/thm/internal/cli"
)

// snippet is a job as the documents show it for one of the two services.
type snippet struct {
	Jobs map[string]struct {
		Steps []struct{ Run string }
	}
	Claims struct{ Script []string }
}

// shellOf returns the shell lines of the snippets, joined as the service joins them.
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
	return github, gitlab
}

// repositoryOfMine makes a repository with a module of its own, and returns functions that run a command in it and
// commit.
func repositoryOfMine(t *testing.T) (dir string, run func(words ...string) string, commit func() string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "mine")
	run = anotherModule(t, dir, "cmd/thm/main.go")
	run("git", "init", "-q")
	return dir, run, func() string {
		run("git", "add", "-A", ".")
		run("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "change", "--allow-empty")
		return strings.TrimSpace(run("git", "rev-parse", "HEAD"))
	}
}

// breakMine makes the only claim of the module false.
func breakMine(t *testing.T, dir string) {
	t.Helper()
	broken := strings.Replace(mineClaims, "return x * x }", "return x*x + 1 }", 1)
	require.NotEqual(t, mineClaims, broken)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "claims", "claims.go"), []byte(broken), 0o644))
}

// TestSnippetsOfCI runs the shell lines of the documents on a module of its own: a commit that leaves the claim as it
// is passes, and one that breaks it does not.
func TestSnippetsOfCI(t *testing.T) {
	github, gitlab := shellOf(t)
	dir, run, commit := repositoryOfMine(t)
	gate := func(shell, base string) (string, error) {
		defer func() {
			run("git", "worktree", "remove", "--force", "../old")
			run("git", "clean", "-fdxq")
		}()
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", shell)
		cmd.Dir = dir
		cmd.Env = append(moduleEnvironment(), "BASE="+base, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base,
			"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "..", "summary.md"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	base := commit()
	for name, shell := range map[string]string{"GitHub": github, "GitLab": gitlab} {
		said, err := gate(shell, base)
		require.NoError(t, err, "%s: %s", name, said)
	}
	breakMine(t, dir)
	commit()
	for name, shell := range map[string]string{"GitHub": github, "GitLab": gitlab} {
		said, err := gate(shell, base)
		require.ErrorContains(t, err, "exit status 1", "%s: %s", name, said)
		require.Contains(t, said, "mine/square", name)
	}
	summary, err := os.ReadFile(filepath.Join(dir, "..", "summary.md"))
	require.NoError(t, err)
	require.Contains(t, string(summary), "### Claims: 0 losses, 0 moved, 1 did not")
	require.Contains(t, string(summary), "| ✗ | mine/square | verdict | holds → refuted |")
}

// TestClaimsAction runs the step of the action for GitHub that verifies: a commit that leaves the claim as it is
// passes, one that breaks it is a loss, and a claim that was broken before is no loss but does not hold.
func TestClaimsAction(t *testing.T) {
	folder, err := filepath.Abs("../../.github/actions/claims")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(folder, "action.yml"))
	require.NoError(t, err)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &action))
	verify := action.Runs.Steps[1]
	require.Len(t, verify.Env, len(action.Inputs)-1, "all but the directory")
	dir, _, commit := repositoryOfMine(t)
	temp := t.TempDir()
	job := func(inputs map[string]string) (code int, said, outputs, summary string) {
		output, sum := filepath.Join(temp, "output"), filepath.Join(temp, "summary")
		for _, file := range []string{output, sum} {
			require.NoError(t, os.WriteFile(file, nil, 0o644))
		}
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", verify.Run)
		cmd.Dir = dir
		cmd.Env = append(moduleEnvironment(), "GITHUB_ACTION_PATH="+folder, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output,
			"GITHUB_STEP_SUMMARY="+sum)
		for name, from := range verify.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(from, "${{ inputs."), " }}")
			require.Contains(t, action.Inputs, input)
			value, given := inputs[input]
			if !given {
				value = action.Inputs[input].Default
			}
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, _ := cmd.CombinedOutput()
		o, err := os.ReadFile(output)
		require.NoError(t, err)
		s, err := os.ReadFile(sum)
		require.NoError(t, err)
		return cmd.ProcessState.ExitCode(), string(out), strings.ReplaceAll(string(o), temp, "TEMP"), string(s)
	}
	base := commit()
	code, said, outputs, summary := job(map[string]string{"base": base})
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "report=TEMP/claims/new\noutcome=pass\n", outputs)
	require.Contains(t, summary, "### Claims, compared with "+base[:12])
	require.Contains(t, summary, "1 claim holds")

	breakMine(t, dir)
	broken := commit()
	code, said, outputs, summary = job(map[string]string{"base": base}) // whose results are known
	require.Equal(t, cli.Refuted, code, said)
	require.Contains(t, outputs, "outcome=loss\n")
	require.Contains(t, said, "::error title=claims::a claim, a control or a resolution was lost")
	require.Contains(t, summary, "mine/square")

	require.NoError(t, os.RemoveAll(filepath.Join(temp, "claims", "old")))
	for absolute, want := range map[string]string{"true": "failing", "false": "pass"} {
		code, said, outputs, _ = job(map[string]string{"base": broken, "absolute": absolute})
		require.Equal(t, absolute == "true", code == cli.Refuted, said)
		require.Contains(t, outputs, "outcome="+want+"\n", said)
	}
	code, said, outputs, _ = job(map[string]string{"base": ""})
	require.Equal(t, cli.Refuted, code, said)
	require.Contains(t, outputs, "outcome=failing\n")
	code, said, outputs, _ = job(map[string]string{"base": "absent"})
	require.Equal(t, cli.Usage, code, said)
	require.Equal(t, "outcome=unusable\n", outputs)
	code, said, outputs, _ = job(map[string]string{"base": "", "effort": "huge"})
	require.Equal(t, cli.Usage, code, said)
	require.Equal(t, "outcome=unusable\n", outputs)
}
