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

	"github.com/thm-suite/thm/bench/gate/compare"
	"github.com/thm-suite/thm/internal/cli"
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

// shim installs a go command that installs thm without the network, and is go otherwise.
func shim(t *testing.T) (path string) {
	t.Helper()
	bin := t.TempDir()
	real, err := exec.LookPath("go")
	require.NoError(t, err)
	ours, err := exec.LookPath("thm")
	require.NoError(t, err)
	script := "#!/bin/sh\nif [ \"$1\" = install ]; then\n  [ \"$2\" = github.com/thm-suite/thm/cmd/thm@latest ] && exec " +
		"ln -s '" + ours + "' '" + bin + "/thm'\n  exit 9\nfi\nexec '" + real + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755))
	var rest []string // where no thm is
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir != filepath.Dir(ours) {
			rest = append(rest, dir)
		}
	}
	return "PATH=" + bin + ":" + strings.Join(rest, ":")
}

// The job for GitLab in the guide, line by line as it stands there: it passes what did not change, fails what got
// slower, and leaves its artifacts in both cases. The pretended times need short samples; nothing else is added.
func TestGuideForGitLab(t *testing.T) {
	dir := pretender(t)
	text := fenced(t, "yaml", "CI_MERGE_REQUEST_DIFF_BASE_SHA")
	_, script, found := strings.Cut(text, "  script:\n")
	require.True(t, found)
	var lines []string
	for line := range strings.Lines(script) {
		command, listed := strings.CutPrefix(line, "    - ")
		if !listed {
			break
		}
		lines = append(lines, command)
	}
	require.Len(t, lines, 2)
	var artifacts []string
	for _, name := range strings.Split(regexp.MustCompile(`paths: \[(.*)\]`).FindStringSubmatch(text)[1], ",") {
		artifacts = append(artifacts, strings.TrimSpace(name))
	}
	for _, c := range []struct {
		change string
		code   int
	}{{"Factor = 1.0 // as before", cli.Green}, {"Factor = 1.5", cli.Refuted}} {
		change(t, dir, "Factor = 1.0", c.change)
		pretended := strings.Replace(strings.Join(lines, ""), "--report",
			"--pkg ./sum --bench 'Read|Sum/n=20' --benchtime 1x --units sec/op,allocs/op --report", 1)
		code, said := job(t, dir, pretended, shim(t), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+
			strings.TrimSpace(git(t, dir, "rev-parse", "HEAD")))
		require.Equal(t, c.code, code, said)
		for _, file := range artifacts {
			info, err := os.Stat(filepath.Join(dir, file))
			require.NoError(t, err)
			require.Positive(t, info.Size())
			require.NoError(t, os.Remove(filepath.Join(dir, file)))
		}
		spotless(t, dir)
	}
}

// action is the text of the composite action.
func action(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.github/actions/bench-gate/action.yml")
	require.NoError(t, err)
	return string(text)
}

// block is the part of a YAML text that is indented below a key.
func block(text, key string) string {
	_, rest, _ := strings.Cut("\n"+text, "\n"+key+":")
	_, rest, _ = strings.Cut(rest, "\n")
	indent := strings.Repeat(" ", len(key)-len(strings.TrimLeft(key, " "))+1)
	var out strings.Builder
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, indent) {
			break
		}
		out.WriteString(line)
	}
	return out.String()
}

// The workflow in the guide uses the action as it is: by its path, with inputs that it has, and with the whole history.
func TestGuideForGitHub(t *testing.T) {
	text := fenced(t, "yaml", "uses: thm-suite/thm/")
	path := regexp.MustCompile(`uses: thm-suite/thm/(\S+)@main`).FindStringSubmatch(text)[1]
	require.FileExists(t, filepath.Join("../..", path, "action.yml"))
	require.Contains(t, text, "fetch-depth: 0")
	inputs := block(action(t), "inputs")
	_, with, _ := strings.Cut(text, "bench-gate@main\n        with:\n")
	used := regexp.MustCompile(`(?m)^          ([\w-]+):`).FindAllStringSubmatch(with, -1)
	require.Len(t, used, 3)
	for _, input := range used {
		require.Contains(t, "\n"+inputs, "\n  "+input[1]+":\n")
	}
	require.Contains(t, guide(t), "(../.github/actions/bench-gate/action.yml)")
}

// actionJob runs the step of the action that measures, with the environment that the action gives it.
func actionJob(t *testing.T, dir string, inputs map[string]string) (code int, said, outputs, summary string) {
	t.Helper()
	text, temp := action(t), t.TempDir()
	path, err := filepath.Abs("../../.github/actions/bench-gate")
	require.NoError(t, err)
	ours, err := exec.LookPath("thm")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(ours, filepath.Join(temp, "thm"))) // what the step before builds
	env := []string{"GITHUB_WORKSPACE=" + dir, "GITHUB_ACTION_PATH=" + path, "RUNNER_TEMP=" + temp,
		"GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary")}
	declared := block(text, "inputs")
	passed := regexp.MustCompile(`(?m)^ {8}([A-Z]+): \$\{\{ inputs\.([a-z-]+) \}\}$`).FindAllStringSubmatch(text, -1)
	// all but the directory
	require.Len(t, passed, len(regexp.MustCompile(`(?m)^  [a-z-]+:$`).FindAllString(declared, -1))-1)
	for _, p := range passed {
		standard := regexp.MustCompile(`(?m)^    default: '?(.*?)'?$`).FindStringSubmatch(block(declared, "  "+p[2]))
		require.Len(t, standard, 2, p[2])
		given, ok := inputs[p[2]]
		if !ok {
			given = standard[1]
		}
		env = append(env, p[1]+"="+given)
	}
	runs := regexp.MustCompile(`(?m)^      run: (.*)$`).FindAllStringSubmatch(text, -1)
	require.Len(t, runs, 2)
	require.Contains(t, runs[0][1], `-o "$RUNNER_TEMP/thm" ./cmd/thm`)
	require.Contains(t, text, "\n        GOTOOLCHAIN: auto\n") // setup-go forbids other versions than the module's
	code, said = job(t, dir, runs[1][1], env...)
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

// The composite action passes, fails and breaks off as it says, with all that GitHub shows.
func TestBenchGateAction(t *testing.T) {
	dir := pretender(t)
	base := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
	inputs := map[string]string{"base": base, "packages": "./sum", "bench": "Read|Sum/n=20", "benchtime": "1x",
		"args": "--units sec/op,allocs/op\n--quiet"}

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
	require.Equal(t, 1, strings.Count(said, "thm: regression: "))

	inputs["args"] += "\n--zone -1" // flags on later lines count as well
	code, said, outputs, _ = actionJob(t, dir, inputs)
	require.Equal(t, cli.Usage, code, said)
	require.Equal(t, "outcome=\n", outputs)
	require.Contains(t, said, "::error title=benchmark gate::thm bench diff ended with exit code 2 and no result; see "+
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
	shown := regexp.MustCompile("(?m)^ {4}(thm bench .*)$|`(thm bench [^`]*)`").FindAllStringSubmatch(guide(t), -1)
	require.Greater(t, len(shown), 8)
	for _, match := range shown {
		for _, command := range strings.Split(match[1]+match[2], "&&") {
			command, _, _ = strings.Cut(command, "   ") // what it is for
			words := strings.Fields(command)
			code, out, said := thm(t, ".", append(words[1:], "--help")...)
			require.Equal(t, cli.Green, code, command+said)
			require.Contains(t, out, "Usage:\n  "+strings.Join(words[:3], " "))
		}
	}
}

// The policy in the guide is one.
func TestGuidePolicy(t *testing.T) {
	p, err := compare.ReadPolicy(strings.NewReader(fenced(t, "json", `"alpha"`)))
	require.NoError(t, err)
	require.Equal(t, compare.DefaultPolicy().Alpha, p.Alpha)
	require.Equal(t, map[string]float64{"ratio": 0.5}, p.Zones)
}
