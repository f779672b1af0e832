//go:build system && !windows

package main

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
	"github.com/thm-suite/thm/internal/gate/compare"
)

// guide is the text of bench/gate/README.md.
func guide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../bench/gate/README.md")
	require.NoError(t, err)
	return string(text)
}

// fenced is the block of the guide, in the language given, that holds a text.
func fenced(t *testing.T, language, holds string) string {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(guide(t), -1) {
		if strings.Contains(block[1], holds) {
			return block[1]
		}
	}
	t.Fatalf("the guide has no %s with %q", language, holds)
	return ""
}

// job runs a shell script as a build server does in the directory of a repository, and returns its exit code and what
// it printed.
func job(t *testing.T, dir, script string, env ...string) (code int, said string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// shim installs a go command that installs benchgate without the network, and is go otherwise.
func shim(t *testing.T) (path string) {
	t.Helper()
	bin := t.TempDir()
	real, err := exec.LookPath("go")
	require.NoError(t, err)
	ours, err := exec.LookPath("benchgate")
	require.NoError(t, err)
	script := "#!/bin/sh\nif [ \"$1\" = install ]; then\n  [ \"$2\" = github.com/thm-suite/thm/cmd/benchgate@latest " +
		"] " +
		"&& exec " +
		"ln -s '" + ours + "' '" + bin + "/benchgate'\n  exit 9\nfi\nexec '" + real + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755))
	var rest []string // where no benchgate is
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir != filepath.Dir(ours) {
			rest = append(rest, dir)
		}
	}
	return "PATH=" + bin + ":" + strings.Join(rest, ":")
}

// The job for GitLab in the guide, command by command as they stand there: it passes what did not change, fails what
// got slower, and leaves its artifacts in both cases. The pretended times need short samples; nothing else is added.
func TestGuideForGitLab(t *testing.T) {
	dir := pretender(t)
	var jobs struct {
		Bench struct {
			Script  []string
			Allowed struct {
				Codes []int `yaml:"exit_codes"`
			} `yaml:"allow_failure"`
			Artifacts struct{ Paths []string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(fenced(t, "yaml", "CI_MERGE_REQUEST_DIFF_BASE_SHA")), &jobs))
	require.Len(t, jobs.Bench.Script, 2)
	require.Equal(t, []int{cli.Unsettled}, jobs.Bench.Allowed.Codes)
	require.Len(t, jobs.Bench.Artifacts.Paths, 2)
	script := strings.Replace(strings.Join(jobs.Bench.Script, "\n"), "--report",
		"--pkg ./sum --meter time --bench 'Read|Sum/n=20' --benchtime 1x --units sec/op,allocs/op --report", 1)
	for _, c := range []struct {
		change string
		code   int
	}{{"Factor = 1.0 // as before", cli.Green}, {"Factor = 1.5", cli.Refuted}} {
		change(t, dir, "Factor = 1.0", c.change)
		base := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
		code, said := job(t, dir, script, shim(t), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base)
		require.Equal(t, c.code, code, said)
		for _, file := range jobs.Bench.Artifacts.Paths {
			info, err := os.Stat(filepath.Join(dir, file))
			require.NoError(t, err)
			require.Positive(t, info.Size())
			require.NoError(t, os.Remove(filepath.Join(dir, file)))
		}
		spotless(t, dir)
	}
}

// step is a step of a workflow or of a composite action.
type step struct {
	Uses string
	With map[string]string
	Env  map[string]string
	Run  string
}

// action reads the declarations of the composite action.
func action(t *testing.T) (a struct {
	Inputs map[string]struct{ Default *string }
	Runs   struct{ Steps []step }
}) {
	t.Helper()
	text, err := os.ReadFile("../../.github/actions/bench-gate/action.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &a))
	require.Len(t, a.Runs.Steps, 3)
	return a
}

// The workflow in the guide uses the action as it is: by its path, with inputs that it has, and with the whole history.
func TestGuideForGitHub(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	require.NoError(t, yaml.Unmarshal([]byte(fenced(t, "yaml", "uses: thm-suite/thm/")), &workflow))
	steps := workflow.Jobs["gate"].Steps
	require.Len(t, steps, 3)
	require.Equal(t, "0", steps[0].With["fetch-depth"])
	path, ours := strings.CutPrefix(steps[2].Uses, "thm-suite/thm/")
	require.True(t, ours, steps[2].Uses)
	require.FileExists(t, filepath.Join("../..", strings.TrimSuffix(path, "@main"), "action.yml"))
	require.Len(t, steps[2].With, 3)
	for input := range steps[2].With {
		require.Contains(t, action(t).Inputs, input)
	}
}

// actionJob runs the step of the action that measures, with the environment that the action gives it.
func actionJob(t *testing.T, dir string, inputs map[string]string) (code int, said, outputs, summary string) {
	t.Helper()
	a, temp := action(t), t.TempDir()
	path, err := filepath.Abs("../../.github/actions/bench-gate")
	require.NoError(t, err)
	ours, err := exec.LookPath("benchgate")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(ours, filepath.Join(temp, "benchgate"))) // what the step before builds
	require.NoError(t, os.WriteFile(filepath.Join(temp, "gh"), []byte(pretendedGitHub), 0o755))
	env := []string{"PATH=" + temp + ":" + os.Getenv("PATH"), "GITHUB_REPOSITORY=our/module",
		"GITHUB_WORKFLOW=a \"b\" -->",
		"GITHUB_JOB=gate", "GITHUB_ACTION=run1", "GITHUB_WORKSPACE=" + dir, "GITHUB_ACTION_PATH=" + path,
		"RUNNER_TEMP=" + temp,
		"GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary")}
	build, measure := a.Runs.Steps[0], a.Runs.Steps[len(a.Runs.Steps)-1]
	require.Contains(t, build.Run, `-o "$RUNNER_TEMP/benchgate" ./cmd/benchgate`)
	require.Equal(t, "auto", build.Env["GOTOOLCHAIN"]) // setup-go forbids other versions than the module's
	require.Len(t, measure.Env, len(a.Inputs)-1)       // all but the directory
	for name, from := range measure.Env {
		input := strings.TrimSuffix(strings.TrimPrefix(from, "${{ inputs."), " }}")
		require.Contains(t, a.Inputs, input)
		given, ok := inputs[input]
		if !ok {
			require.NotNil(t, a.Inputs[input].Default, input)
			if given = *a.Inputs[input].Default; strings.HasPrefix(given, "${{") {
				given = ""
			}
		}
		env = append(env, name+"="+given)
	}
	code, said = job(t, dir, measure.Run, env...)
	out, err := os.ReadFile(filepath.Join(temp, "output"))
	if err == nil {
		outputs = strings.ReplaceAll(string(out), temp, "TEMP")
	}
	sum, err := os.ReadFile(filepath.Join(temp, "summary"))
	if err == nil {
		summary = string(sum)
	}
	return code, said, outputs, summary
}

// pretendedGitHub is a command gh that knows the comments of pull request 7, keeps what is written, and refuses 8.
const pretendedGitHub = `#!/bin/bash
set -e

[ "$1" = api ] && [ "$GH_TOKEN" = secret ] || exit 9
echo "${@:2:3}" >>"$COMMENTS/calls"
case "$2 $3 $4" in
*issues/8/*) echo "HTTP 403: Resource not accessible by integration" >&2; exit 1 ;;
"--paginate repos/our/module/issues/7/comments --jq")
  [ ! -e "$COMMENTS/body" ] || { grep -q "startswith(\"$(head -n 1 "$COMMENTS/body")\")" <<<"$5" && echo 99; } ;;
*) [ "$5" = -F ] && cp "${6#body=@}" "$COMMENTS/body" ;;
esac
`

// The action leaves its result on the pull request: one comment, which later runs update. Where it may not, it says so,
// and nothing else changes.
func TestActionComments(t *testing.T) {
	dir, comments := pretender(t), t.TempDir()
	t.Setenv("COMMENTS", comments)
	base := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
	inputs := map[string]string{"base": base, "packages": "./sum", "bench": "Sum/n=20", "benchtime": "1x", "meter": "time",
		"args": "--quiet", "comment": "7", "token": "secret"}
	const mark = "<!-- benchgate a -b- ---/gate/run1 -->\n"
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(comments, name))
		require.NoError(t, err)
		return string(text)
	}
	code, said, _, _ := actionJob(t, dir, inputs)
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, mark+"Benchmarks: nothing to measure, every package is the same in both revisions.\n", read("body"))

	change(t, dir, "Factor = 1.0", "Factor = 1.5")
	inputs["args"] += " --units sec/op"
	code, said, _, summary := actionJob(t, dir, inputs)
	require.Equal(t, cli.Refuted, code, said)
	require.Equal(t, mark+summary, read("body"))
	const all, list = "repos/our/module/issues/", "--paginate repos/our/module/issues/7/comments --jq\n"
	require.Equal(t, list+"--method POST "+all+"7/comments\n"+list+"--method PATCH "+all+"comments/99\n", read("calls"))
	require.NotContains(t, said, "no comment")

	inputs["comment"] = "8"
	code, said, _, _ = actionJob(t, dir, inputs)
	require.Equal(t, cli.Refuted, code, said)
	require.Contains(t, said, "::notice title=benchmark gate::no comment on the pull request")
}

// The composite action passes, fails and breaks off as it says, with all that GitHub shows.
func TestAction(t *testing.T) {
	dir := pretender(t)
	base := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
	inputs := map[string]string{"base": base, "packages": "./sum", "bench": "Read|Sum/n=20", "benchtime": "1x",
		"meter": "time", "args": "--units sec/op,allocs/op\n--quiet"}

	code, said, outputs, summary := actionJob(t, dir, inputs)
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "outcome=pass\n", outputs)
	require.Contains(t, summary, "nothing to measure")

	change(t, dir, "Factor = 1.0", "Factor = 1.0 // as before")
	code, said, outputs, summary = actionJob(t, dir, inputs)
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "result=TEMP/bench-gate.json\noutcome=pass\n", outputs)
	require.Contains(t, summary, "### Benchmarks: pass\n")
	require.Contains(t, said, "::notice title=benchmarks%3A pass::4 rows were compared, none worse\n")

	change(t, dir, "Factor = 1.0", "Factor = 1.5")
	code, said, outputs, summary = actionJob(t, dir, inputs)
	require.Equal(t, cli.Refuted, code, said)
	require.Equal(t, "result=TEMP/bench-gate.json\noutcome=regression\n", outputs)
	require.Contains(t, summary, "### Benchmarks: regression\n")
	require.Equal(t, 2, strings.Count(said, "::error title=slower%3A "))
	require.Equal(t, 1, strings.Count(said, "benchgate: regression: "))

	// what is undecided is a warning, as on GitLab, unless the input says otherwise
	few := map[string]string{"count": "2"}
	for name, value := range inputs {
		few[name] = value
	}
	few["args"] += " --confirm 0 --pilot 0"
	for undecided, want := range map[string]int{"warning": cli.Green, "failure": cli.Unsettled} {
		few["undecided"] = undecided
		code, said, outputs, _ = actionJob(t, dir, few)
		require.Equal(t, want, code, said)
		require.Contains(t, outputs, "outcome=undecided\n")
		require.Equal(t, want == cli.Green, strings.Contains(said, "::warning title=benchmark gate::undecided"))
	}

	inputs["args"] += "\n--zone -1" // flags on later lines count as well
	code, said, outputs, _ = actionJob(t, dir, inputs)
	require.Equal(t, cli.Usage, code, said)
	require.Equal(t, "outcome=\n", outputs)
	require.Contains(t, said, "::error title=benchmark gate::benchgate diff ended with exit code 2 and no result; see "+
		"the log\n")

	inputs["base"] = "0000000000000000000000000000000000000000" // what GitHub gives for the first push of a branch
	code, said, outputs, _ = actionJob(t, dir, inputs)
	require.Equal(t, cli.Usage, code, said)
	require.Empty(t, outputs)
	require.Contains(t, said, "is not in this checkout")
	spotless(t, dir)
}

// Every command in the guide has the flags it is shown with.
func TestGuideCommands(t *testing.T) {
	shown := regexp.MustCompile("(?m)^ {4}(benchgate .*)$|`(benchgate [^`]*)`").FindAllStringSubmatch(guide(t), -1)
	require.Greater(t, len(shown), 8)
	for _, match := range shown {
		for _, command := range strings.Split(match[1]+match[2], "&&") {
			command, _, _ = strings.Cut(command, "   ") // what it is for
			words := strings.Fields(command)
			code, out, said := benchgate(t, ".", append(words[1:], "--help")...)
			require.Equal(t, cli.Green, code, command+said)
			require.Contains(t, out, "Usage:\n  "+strings.Join(words[:2], " "))
		}
	}
}

// The policy in the guide is one.
func TestGuidePolicy(t *testing.T) {
	p, err := compare.ReadPolicy(strings.NewReader(fenced(t, "json", `"alpha"`)))
	require.NoError(t, err)
	require.Equal(t, compare.DefaultPolicy().Alpha, p.Alpha)
	require.Equal(t, map[string]float64{"ratio": 0.5}, p.Margins)
}
