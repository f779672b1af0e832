//go:build system && !windows

package command

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/props/results"
)

// Twenty times the command is killed at a random moment while it, or another one at the same time, writes into the
// same directory. Whatever is there is whole at every moment, and can be read after every kill.
func TestKilledRunsLeaveReadableReports(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	run := func() *exec.Cmd {
		cmd, _ := begin(t, dir, "", "fixture", "check", "bulky", "--effort", "quick", "--quiet", "--out", "out")
		return cmd
	}
	started := time.Now()
	require.Equal(t, cli.Green, code(t, run()))
	duration := time.Since(started) // scales the moments of killing; nothing else depends on it
	random := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for range 10 {
		pair := []*exec.Cmd{run(), run()}
		for _, cmd := range pair {
			moment := time.Now().Add(time.Duration(random.Float64() * float64(duration)))
			for time.Now().Before(moment) {
				whole(t, out)
				time.Sleep(100 * time.Microsecond)
			}
			_ = cmd.Process.Kill() // an error says that it is already done
			if code(t, cmd) == -1 {
				killed++
			}
			whole(t, out)
			r, err := reports.Read(filepath.Join(out, "results.json"))
			require.NoError(t, err)
			require.Equal(t, results.Holds, r.Claims[0].Verdict)
		}
	}
	t.Logf("%d of 20 runs were killed before their end", killed)
	require.Positive(t, killed)
}

// whole fails the test unless every file of a report is there to its end.
func whole(t *testing.T, dir string) {
	t.Helper()
	for name, end := range map[string]string{"results.json": "\n}", "index.html": "</html>",
		"junit.xml": "</testsuites>",
		"report.md": ""} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if text := strings.TrimSpace(string(b)); err != nil || text == "" || !strings.HasSuffix(text, end) {
			t.Fatalf("%s is cut off after %d bytes: %v", name, len(b), err)
		}
	}
}
