//go:build system && linux

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/props/results"
)

// TestDiskFull lets the files of a report grow to 64 KiB only, a fraction of what this one needs. The verdict is
// printed all the same, the error says why, the exit code says that nothing is settled, and the earlier report stays
// whole.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	check := func(shell string) (string, int) {
		cmd := exec.Command("bash", "-c", shell+`; exec fixture check bulky --effort quick --quiet --out out`)
		cmd.Dir = dir
		said, _ := cmd.CombinedOutput()
		return string(said), cmd.ProcessState.ExitCode()
	}
	said, exit := check("true")
	require.Equal(t, cli.Green, exit, said)
	before, err := os.ReadFile(filepath.Join(dir, "out", "results.json"))
	require.NoError(t, err)
	require.Greater(t, len(before), 64<<10)

	said, exit = check("ulimit -f 64")
	require.Equal(t, cli.Unsettled, exit, said)
	require.Contains(t, said, "1 claim holds.")
	require.Regexp(t, `thm: writing the report: .*file too large`, said)
	after, err := os.ReadFile(filepath.Join(dir, "out", "results.json"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	whole(t, filepath.Join(dir, "out"))
	r, err := reports.Read(filepath.Join(dir, "out", "results.json"))
	require.NoError(t, err)
	require.Equal(t, results.Holds, r.Claims[0].Verdict)
	left, err := filepath.Glob(filepath.Join(dir, "out", ".*"))
	require.NoError(t, err)
	for _, name := range left {
		require.NotContains(t, name, "results", "half a file is left behind")
	}
}
