//go:build system && !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
)

// pretender is a git repository with a module whose benchmarks report times from a seeded distribution, so that no
// verdict in these tests depends on a clock. Temporary files go where nothing can be left unnoticed.
func pretender(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../internal/gate/measure/testdata/fake")))
	t.Setenv("FAKE_CALLS", t.TempDir()+"/")
	t.Setenv("TMPDIR", t.TempDir())
	builds, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE", strings.TrimSpace(string(builds))) // the samples of diff go elsewhere, and not what go built
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "first")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	who := []string{"-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}
	cmd := exec.Command("git", append(who, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// change replaces a text in the measured source.
func change(t *testing.T, dir, from, to string) {
	t.Helper()
	for _, name := range []string{"sum.go", "sum_test.go"} {
		file := filepath.Join(dir, "sum", name)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o644))
	}
}

// spotless fails the test unless working trees and temporary files are gone.
func spotless(t *testing.T, dir string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(git(t, dir, "worktree", "list"), "\n"))
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)
}

// benchgate runs a command in a directory.
func benchgate(t *testing.T, dir string, words ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "benchgate", words...)
	cmd.Dir = dir
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

func TestRun(t *testing.T) {
	dir := pretender(t)
	code, out, said := benchgate(t, dir, "run", "Sum|Read", "--pkg", "./sum", "-n", "3", "--benchtime", "1x", "--out",
		"new.txt", "--filter", "-.name:Read")
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "9 samples of 3 benchmarks in new.txt\n", out)
	record, err := measure.ReadFile(filepath.Join(dir, "new.txt"))
	require.NoError(t, err)
	require.Len(t, record.Samples, 9)
	require.NotEmpty(t, record.Run.Arms[0].Commit)

	// more samples of the same code
	code, out, said = benchgate(t, dir, "run", "--resume", "new.txt", "-n", "5")
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "15 samples of 3 benchmarks in new.txt\n", out)

	// the tables of the other commands can read it, benchstat's reader sees one configuration
	code, out, said = benchgate(t, dir, "compare", "new.txt")
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, 1, strings.Count(out, "sec/op"), out)

	for words, want := range map[string]string{
		"--resume new.txt --seed 2":     "--seed is fixed by new.txt",
		"Sum --resume new.txt":          "PATTERN is fixed by new.txt",
		"--out new.txt":                 "new.txt is already there",
		"--resume absent.txt":           "absent.txt: no such file",
		"--resume go.mod":               "go.mod: line 1: this is not a file of samples",
		"Nothing --pkg ./sum":           `no benchmark of ./sum matches "Nothing"`,
		"--pkg ./plain":                 "no package with test files matches ./plain",
		"--pkg ./sum --filter .name:x":  "matches \".\" and the filter",
		"--pkg ./nowhere --out new2txt": "nowhere",
	} {
		code, out, said := benchgate(t, dir, append([]string{"run", "--benchtime", "1x"}, strings.Fields(words)...)...)
		if strings.Contains(words, "--resume") {
			code, out, said = benchgate(t, dir, append([]string{"run"}, strings.Fields(words)...)...)
		}
		require.Equal(t, cli.Usage, code, words+said)
		require.Contains(t, lastLine(said), want)
		require.Empty(t, out)
	}

	change(t, dir, "Factor = 1.0", "Factor = 1.1")
	code, _, said = benchgate(t, dir, "run", "--resume", "new.txt", "-n", "6")
	require.Equal(t, cli.Usage, code)
	require.Contains(t, said, "the code has changed since new.txt was begun")
	spotless(t, dir)
}

// A benchmark that fails is data, is named, and is not green; the others are measured.
func TestRunNamesWhatFails(t *testing.T) {
	dir := pretender(t)
	t.Setenv("FAKE_DRY", "no")
	code, out, said := benchgate(t, dir, "run", "--pkg", "./bad", "-n", "2", "--benchtime", "2x", "--out", "bad.txt")
	require.Equal(t, cli.Unsettled, code, said)
	require.Contains(t, out, "failed: fake/bad Fails: exit status 1: --- FAIL: BenchmarkFails bad_test.go:21: no luck "+
		"FAIL\n")
	require.Contains(t, out, "failed: fake/bad Panics: ")
	record, err := measure.ReadFile(filepath.Join(dir, "bad.txt"))
	require.NoError(t, err)
	failed := 0
	for _, s := range record.Samples {
		if s.Fail != "" {
			failed++
		}
	}
	require.Positive(t, failed)
	code, _, _ = benchgate(t, dir, "gate", "bad.txt", "bad.txt")
	require.Equal(t, cli.Usage, code, "the gate takes a failed benchmark for a result")
}

// A run is killed, interrupted, and resumed until it is complete: every sample is there once.
func TestRunGoesOnAfterAKill(t *testing.T) {
	dir := pretender(t)
	file := filepath.Join(dir, "new.txt")
	words := []string{"run", "--pkg", "./sum", "-n", "40", "--benchtime", "1x", "--out", "new.txt"}
	had := 0
	for _, signal := range []os.Signal{syscall.SIGKILL, os.Interrupt} {
		cmd := exec.Command("benchgate", words...)
		cmd.Dir = dir
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			record, err := measure.ReadFile(file)
			return err == nil && len(record.Samples) > had+3
		}, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Signal(signal))
		_ = cmd.Wait()
		if signal == os.Interrupt {
			require.Equal(t, cli.Unsettled, cmd.ProcessState.ExitCode())
		}
		record, err := measure.ReadFile(file)
		require.NoError(t, err)
		had = len(record.Samples)
		require.Less(t, had, 160)
		words = []string{"run", "--resume", "new.txt", "-n", "40"}
	}
	code, out, said := benchgate(t, dir, words...)
	require.Equal(t, cli.Green, code, said)
	require.Equal(t, "160 samples of 4 benchmarks in new.txt\n", out)
	record, err := measure.ReadFile(file)
	require.NoError(t, err)
	for run, n := range measure.Taken(record.Samples) {
		require.Equal(t, 1, n, "%v", run)
	}
}
