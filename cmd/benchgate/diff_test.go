//go:build system && !windows

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
)

// A planted slowdown of 30 % is found, an improvement is told, and what did not change is not accused.
func TestDiff(t *testing.T) {
	dir := pretender(t)
	measured := []string{"diff", "HEAD", "--pkg", "./sum", "--benchtime", "1x", "--bench", "Read|Sum/n=20",
		"--units", "sec/op,allocs/op", "--pilot", "0", "--format", "text", "--meter", "time"}

	code, out, said := benchgate(t, dir, measured...)
	require.Equal(t, cli.Green, code, said)
	require.Contains(t, out, "nothing to measure")

	code, out, said = benchgate(t, dir, append(measured, "--all", "--pilot", "5", "--samples", "all.txt", "--report",
		"json=all.json")...)
	require.Equal(t, cli.Green, code, out+said)
	require.Contains(t, said, "benchgate: 10 rounds find, in noise like this and with probability 0.8 each, a change "+
		"for the "+
		"worse of ")
	require.Contains(t, out, "\nestimated before, from 5 rounds of unchanged code: 10 rounds find, in noise like this "+
		"and with probability 0.8 each, ")
	result, err := os.ReadFile(filepath.Join(dir, "all.json"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(result), `"detects": 0.`)) // of the times
	require.NoError(t, os.Remove(filepath.Join(dir, "all.json")))
	require.Equal(t, 4, strings.Count(out, "  same\n"), out)
	record, err := measure.ReadFile(filepath.Join(dir, "all.txt"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(record.Samples), 60+30) // the rounds and the pilot
	require.Len(t, record.Run.Arms, 2)
	require.NoError(t, os.Remove(filepath.Join(dir, "all.txt")))

	change(t, dir, "Factor = 1.0", "Factor = 1.3")
	code, out, said = benchgate(t, dir, measured...)
	require.Equal(t, cli.Refuted, code, out+said)
	require.Equal(t, 2, strings.Count(out, "  slower\n"), out)
	require.Contains(t, lastLine(said), "benchgate: regression: 2 rows are worse, of 4; the samples are in "+
		filepath.Join(os.Getenv("XDG_CACHE_HOME"), "benchgate", "diff-"))

	git(t, dir, "commit", "--quiet", "-am", "slower")
	code, out, said = benchgate(t, dir, append([]string{"diff", "HEAD", "HEAD~1"}, measured[2:]...)...)
	require.Equal(t, cli.Green, code, out+said)
	require.Equal(t, 2, strings.Count(out, "  faster\n"), out)

	// with too few rounds nothing is decided, and the table says how many would do
	code, out, said = benchgate(t, dir, append([]string{"diff", "HEAD~1"},
		append(measured[2:], "-n", "3", "--confirm", "0", "--pilot", "2")...)...)
	require.Equal(t, cli.Unsettled, code, out+said)
	require.Contains(t, out, "needs n=")
	require.Contains(t, said, "benchgate: the 3 rounds of the first look are too few to decide anything at the level "+
		"of 2 "+
		"rows: it takes ")
	require.Contains(t, lastLine(said), "benchgate: undecided: 2 rows are undecided, of 4; n=")

	// an allocation more is worse as soon as chance can hardly have brought it about
	change(t, dir, "Allocations = 3", "Allocations = 4")
	code, out, _ = benchgate(t, dir, append([]string{"diff", "HEAD", "--units", "allocs/op", "-n", "8"},
		append(measured[2:8:8], "--meter", "time")...)...)
	require.Equal(t, cli.Refuted, code, out)
	code, out, _ = benchgate(t, dir, append([]string{"diff", "HEAD", "--units", "allocs/op", "-n", "1", "--confirm",
		"0"}, append(measured[2:8:8], "--meter", "time")...)...)
	require.Equal(t, cli.Unsettled, code, out)
	spotless(t, dir)
}

func lastLine(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return lines[max(0, len(lines)-2)]
}

// Benchmarks that only one version has are said, and those that are gone keep the gate from passing.
func TestDiffOfOtherBenchmarks(t *testing.T) {
	dir := pretender(t)
	change(t, dir, "BenchmarkRead", "BenchmarkScan")
	measured := []string{"diff", "HEAD", "--pkg", "./sum", "--benchtime", "1x", "--units", "sec/op", "--bench",
		"Read|Scan|Sum/n=20", "--pilot", "0", "--meter", "time"}
	code, out, said := benchgate(t, dir, measured...)
	require.Equal(t, cli.Unsettled, code, out+said)
	require.Contains(t, out, "Read")
	require.Contains(t, out, "missing")
	require.Contains(t, out, "added")
	require.Contains(t, lastLine(said), "benchgate: undecided: 1 row is missing from the new results")
	code, out, _ = benchgate(t, dir, append(measured, "--missing", "allowed")...)
	require.Equal(t, cli.Green, code, out)
	code, out, said = benchgate(t, dir, append(measured, "--bench", "Read|Scan")...)
	require.Equal(t, cli.Usage, code, out)
	require.Contains(t, lastLine(said), "nothing was compared")
	require.NotContains(t, out, os.TempDir())

	// a benchmark that fails in the new code is no result
	change(t, dir, `testdata/input.txt`, `testdata/gone.txt`)
	code, out, said = benchgate(t, dir, append(measured, "--missing", "allowed")...)
	require.Equal(t, cli.Usage, code, out+said)
	require.Contains(t, out, "gone.txt")
	spotless(t, dir)
}

func TestDiffRefuses(t *testing.T) {
	dir := pretender(t)
	for words, want := range map[string]string{
		"nowhere":                   `git does not know the revision "nowhere"`,
		"HEAD nowhere":              `git does not know the revision "nowhere"`,
		"HEAD --pkg ./none":         "none",
		"HEAD --bench (":            `--bench "("`,
		"HEAD --bench Nothing":      `matches "Nothing"`,
		"HEAD --confirm -1":         "--confirm -1",
		"HEAD --alpha 2":            "alpha must be",
		"HEAD --samples go.mod":     "go.mod is already there",
		"HEAD -n 0":                 "--count 0",
		"HEAD --benchtime soon":     `--benchtime "soon"`,
		"HEAD -C nowhere":           "-C nowhere",
		"HEAD --filter ((":          "filter",
		"":                          "wants a revision REF",
		"HEAD HEAD HEAD":            "wants a revision REF",
		"HEAD --format sonnet":      "a format is one of",
		"HEAD --samples no/dir.txt": "no such file or directory",
	} {
		code, out, said := benchgate(t, dir, append([]string{"diff", "--all", "--benchtime", "1x", "--meter", "time"},
			strings.Fields(words)...)...)
		require.Equal(t, cli.Usage, code, words+said)
		require.Contains(t, lastLine(said), want)
		require.Empty(t, out)
	}
	change(t, dir, "package sum", "package 1")
	code, _, said := benchgate(t, dir, "diff", "HEAD", "--pkg", "./sum")
	require.Equal(t, cli.Usage, code, said)
	require.Contains(t, said, "working tree: ")
	spotless(t, dir)
}

// Ctrl-C, whatever the command is at, leaves nothing behind.
func TestDiffInterrupted(t *testing.T) {
	dir := pretender(t)
	change(t, dir, "Factor = 1.0", "Factor = 1.3")
	words := []string{"diff", "HEAD", "--pkg", "./sum", "--benchtime", "1x", "--bench", "Read", "--units",
		"sec/op", "-n", "40", "--samples", "kept.txt", "--resume", "--meter", "time"}
	file := filepath.Join(dir, "kept.txt")
	for _, signal := range []os.Signal{os.Kill, os.Interrupt} {
		had := 0
		if record, err := measure.ReadFile(file); err == nil {
			had = len(record.Samples)
		}
		cmd := exec.Command("benchgate", words...)
		cmd.Dir = dir
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			record, err := measure.ReadFile(file)
			return err == nil && len(record.Samples) > had+2
		}, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Signal(signal))
		_ = cmd.Wait()
	}
	exit, out, said := benchgate(t, dir, words...)
	require.Equal(t, cli.Refuted, exit, out+said)
	record, err := measure.ReadFile(file)
	require.NoError(t, err)
	require.Len(t, measure.Taken(record.Samples), len(record.Samples), "a sample was taken twice")
	require.Len(t, record.Samples, 15+120)
	exit, _, said = benchgate(t, dir, append(words, "--seed", "2")...)
	require.Equal(t, cli.Usage, exit)
	require.Contains(t, said, "kept.txt was begun by another command")
	spotless(t, dir) // the run after the kill has removed what was left

	had := 0
	for _, moment := range []time.Duration{0, 300 * time.Millisecond, 1500 * time.Millisecond} {
		cmd := exec.Command("benchgate", "diff", "HEAD", "--pkg", "./sum", "--benchtime", "1x", "-n", "100000",
			"--meter", "time", "--budget", "0")
		cmd.Dir = dir
		var said strings.Builder
		cmd.Stderr = &said
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { // it has begun
			begun, err := os.ReadDir(os.TempDir())
			return err == nil && len(begun) > 0
		}, time.Minute, time.Millisecond)
		time.Sleep(moment) // only chooses where the interruption falls
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.Equal(t, cli.Unsettled, exitCode(t, cmd), said.String())
		require.Contains(t, said.String(), "benchgate: interrupted")
		kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "benchgate", "*"))
		require.NoError(t, err)
		require.Equal(t, len(kept) > had, strings.Contains(lastLine(said.String()), " --resume"), said.String())
		had = len(kept)
		spotless(t, dir)
	}
}

// A command that is killed, whatever it is at, cannot tidy up; the next one does, also one in another repository.
func TestDiffKilled(t *testing.T) {
	dir, other := pretender(t), t.TempDir()
	require.NoError(t, os.CopyFS(other, os.DirFS(dir)))
	change(t, dir, "Factor = 1.0", "Factor = 1.3")
	for _, moment := range []string{"checkout-*/tree", "checkout-*/tree/sum/sum.go", "old/0.test", "copy-0/0.test"} {
		cmd := exec.Command("benchgate", "diff", "HEAD", "--pkg", "./sum", "--benchtime", "1x", "-n", "100000",
			"--meter", "time", "--budget", "0")
		cmd.Dir = dir
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			found, err := filepath.Glob(filepath.Join(os.TempDir(), "thm-bench-*", moment))
			return err == nil && len(found) > 0
		}, time.Minute, time.Millisecond, moment)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		code, _, said := benchgate(t, other, "run", "Read", "--pkg", "./sum", "--benchtime", "1x", "-n", "1", "--out",
			filepath.Base(filepath.Dir(moment))+".txt")
		require.Equal(t, cli.Green, code, said)
		require.Contains(t, said, "benchgate: removed what a command that was killed had left: "+
			filepath.Join(os.TempDir(), "thm-bench-"), moment)
		spotless(t, dir)
	}
}

// counted is the module with the benchmarks whose instructions are counted, and the file that they are in, where this
// machine can count.
func counted(t *testing.T) (dir, file, source string) {
	t.Helper()
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skipf("this machine counts nothing: %v", err)
	}
	dir = pretender(t)
	file = filepath.Join(dir, "timed", "timed_test.go")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return dir, file, string(text)
}

// replaced plants a change, which the source has to have a place for.
func replaced(t *testing.T, source, old, with string) string {
	t.Helper()
	require.Contains(t, source, old)
	return strings.ReplaceAll(source, old, with)
}

// The commit that added instructions is found by their count, and its function named; one that does not build is passed
// over. Ends that do not differ are refused.
func TestBisect(t *testing.T) {
	dir, file, source := counted(t)
	for commit := range 5 {
		text := replaced(t, source, "40000 * times", []string{"40000 * times", "41200 * times"}[commit/3])
		if commit == 1 {
			text += "broken"
		}
		require.NoError(t, os.WriteFile(file, []byte(text+strings.Repeat("\n// more", commit)+"\n"), 0o644))
		git(t, dir, "commit", "--quiet", "-am", fmt.Sprint("commit ", commit))
	}
	code, out, said := benchgate(t, dir, "bisect", "HEAD~5", "HEAD", "Loop/n=1", "--pkg", "./timed", "--quiet")
	require.Equal(t, cli.Green, code, out+said)
	require.Regexp(t, `first commit after the change: [0-9a-f]{10} commit 3\n`, out)
	require.Contains(t, out, "instructions by function: fake/timed.work +")
	code, out, said = benchgate(t, dir, "bisect", "HEAD~1", "HEAD", "BenchmarkLoop/n=1", "--pkg", "./timed")
	require.Equal(t, cli.Usage, code, out+said)
	require.Contains(t, lastLine(said), "the counts do not distinguish the ends")
	code, _, said = benchgate(t, dir, "bisect", "HEAD~1", "HEAD", "Nothing", "--pkg", "./timed")
	require.Equal(t, cli.Usage, code, said)
	require.Contains(t, lastLine(said), "no benchmark of ./timed is named Nothing")
	code, _, said = benchgate(t, dir, "bisect", "HEAD", "HEAD", "Loop/n=1")
	require.Equal(t, cli.Usage, code, said)
	require.Contains(t, lastLine(said), "there is no commit after HEAD up to HEAD")
	spotless(t, dir)
}

// diff counts instructions as well as time by itself, finds two per cent more instructions, and names the function they
// are in. The work before the timer begins does not count, however much there is.
func TestDiffCounts(t *testing.T) {
	dir, file, source := counted(t)
	words := []string{"diff", "HEAD", "--pkg", "./timed", "--bench", "^BenchmarkReset$", "--benchtime", "1x",
		"--budget", "0", "--confirm", "0", "--quiet", "--gate-on", "instructions", "--functions", "functions.txt",
		"--units", "instructions/op"}
	for _, c := range []struct {
		from, to string
		rounds   string // that the level needs of one row
		code     int
	}{{"reset(b, 1)", "reset(b, 3)", "3", cli.Green}, {"40000 * times", "40800 * times", "6", cli.Refuted}} {
		require.NoError(t, os.WriteFile(file, []byte(replaced(t, source, c.from, c.to)), 0o644))
		code, out, said := benchgate(t, dir, append(words, "-n", c.rounds)...)
		require.Equal(t, c.code, code, out+said)
		require.Equal(t, c.code == cli.Refuted, strings.Contains(out, "instructions by function: fake/timed.work +"), out)
		stacks, err := os.ReadFile(filepath.Join(dir, "functions.txt"))
		require.NoError(t, err)
		require.Regexp(t, `(?m)^fake/timed;BenchmarkReset;fake/timed.work \d+ \d+$`, string(stacks))
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "functions.txt")))
	spotless(t, dir)
}

// A study is judged again from its published data, and gives the published page.
func TestStudy(t *testing.T) {
	const published = "../../reports/published/study"
	out := t.TempDir()
	data, err := os.ReadFile(filepath.Join(published, "null.jsonl.gz"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(out, "null.jsonl.gz"), data, 0o644))
	code, text, said := benchgate(t, ".", "study", "null", "--out", out)
	require.Equal(t, cli.Green, code, said)
	for _, suffix := range []string{".json", ".md", ".svg"} {
		want, err := os.ReadFile(filepath.Join(published, "null"+suffix))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(out, "null"+suffix))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		require.True(t, suffix != ".md" || text == string(want))
	}
	code, _, said = benchgate(t, ".", "study", "power", "--out", out)
	require.Equal(t, cli.Usage, code)
	require.Contains(t, said, "power.jsonl.gz")
}

// exitCode waits for a command and returns its exit code; -1 says that it did not end within a minute.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}
