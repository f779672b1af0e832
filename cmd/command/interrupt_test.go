//go:build !windows

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/results"
)

// begin starts a command in a directory and returns once the command has written a given text to stderr.
func begin(t *testing.T, dir, something string, words ...string) (*exec.Cmd, *log) {
	t.Helper()
	cmd, said := exec.Command(words[0], words[1:]...), &log{}
	cmd.Dir, cmd.Stderr = dir, said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	said.await(t, something)
	return cmd, said
}

// log collects the output of a command.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *log) await(t *testing.T, something string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(l.String(), something) }, time.Minute, time.Millisecond)
}

// code waits for a command and returns its exit code.
func code(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// longRun checks two claims, one that is soon done and one that would take much longer.
var longRun = []string{"fixture", "check", "green/holds", "sleeper", "--effort", "quick", "--jobs", "1", "--out", "out"}

func TestInterruptLeavesAPartialReport(t *testing.T) {
	for name, signal := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM,
		"SIGHUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd, out := begin(t, dir, "holds       green/holds", longRun...)
			require.NoError(t, cmd.Process.Signal(signal))
			require.Equal(t, cli.Unsettled, code(t, cmd), out.String())
			require.Contains(t, out.String(), "thm: stopping within a second; Ctrl-C again quits at once")

			r, err := reports.Read(filepath.Join(dir, "out", "results.json"))
			require.NoError(t, err)
			require.True(t, r.Run.Interrupted)
			require.Equal(t, results.Holds, runs.Row(r, "green/holds").Verdict)
			row := runs.Row(r, "slow/sleeper")
			require.Equal(t, results.Incomplete, row.Verdict)
			require.Less(t, row.Cases.Run, row.Cases.Planned)
			for _, file := range []string{"index.html", "report.md", "junit.xml"} {
				require.FileExists(t, filepath.Join(dir, "out", file))
			}
		})
	}
}

// Interrupts the real command at an effort that takes hours: on a machine that is too busy to end in time, only the
// journal remains.
func TestInterruptOfTheRealCatalogue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, out := begin(t, dir, "verifying", "thm", "check", "vcl/residual", "--effort", "deep", "--out", "out")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Equal(t, cli.Unsettled, code(t, cmd), out.String())
	require.FileExists(t, filepath.Join(dir, "out", runs.JournalName))
	if strings.Contains(out.String(), "stopped in the middle") {
		require.NoFileExists(t, filepath.Join(dir, "out", "results.json"))
		return
	}
	r, err := reports.Read(filepath.Join(dir, "out", "results.json"))
	require.NoError(t, err)
	require.True(t, r.Run.Interrupted)
	require.Equal(t, results.Incomplete, runs.Row(r, "vcl/residual").Verdict)
}

// One signal abandons a check that does not end, and the results known so far are written.
func TestInterruptOfWhatIsStuck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, out := begin(t, dir, "asleep", "fixture", "check", "stuck", "--effort", "quick", "--out", "out")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Equal(t, cli.Unsettled, code(t, cmd), out.String())
	r, err := reports.Read(filepath.Join(dir, "out", "results.json"))
	require.NoError(t, err)
	require.Equal(t, results.Incomplete, runs.Row(r, "slow/stuck").Verdict)
}

func TestInterruptOfASimulation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, out := begin(t, dir, "asleep", "fixture", "try", "holds", "nap=3600", "--out", "out")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, cli.Unsettled, code(t, cmd), out.String())
	require.Contains(t, out.String(), "thm: interrupted: nothing was written\n")
	files, _ := os.ReadDir(filepath.Join(dir, "out"))
	require.Empty(t, files)
}

func TestSecondInterruptQuitsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, out := begin(t, dir, "asleep", "fixture", "check", "stuck", "--effort", "quick", "--out", "out")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, cli.Killed, code(t, cmd), out.String())
	require.NoFileExists(t, filepath.Join(dir, "out", "results.json"))
}
