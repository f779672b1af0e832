//go:build system

package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/measure/counter"
)

// The same source gives the same binary wherever it lies; another constant gives another.
func TestBuildsCanBeCompared(t *testing.T) {
	sum := fake(t, "sum").Path
	for _, factor := range []string{"1.0", "1.5"} {
		dir := filepath.Join(t.TempDir(), "somewhere", "else")
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/fake")))
		source := filepath.Join(dir, "sum", "sum.go")
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(source, []byte(strings.ReplaceAll(string(text), "Factor = 1.0", "Factor = "+
			factor)), 0o644))
		other := filepath.Join(dir, "other.test")
		require.NoError(t, Build(t.Context(), Package{"fake/sum", filepath.Join(dir, "sum")}, other))
		a, err := Sum(sum)
		require.NoError(t, err)
		b, err := Sum(other)
		require.NoError(t, err)
		require.Equal(t, factor == "1.0", a == b)
	}
	config, err := BuildConfig(sum)
	require.NoError(t, err)
	require.Equal(t, "goversion", config[0][0])
	require.Regexp(t, `^go1\.`, config[0][1])
	_, err = BuildConfig("doc.go")
	require.Error(t, err)
	require.Error(t, Build(t.Context(), Package{"fake/plain", "testdata/fake/plain"},
		filepath.Join(t.TempDir(), "plain.test")))
}

// The timer delimits what is counted, whichever counter this machine has: work before a reset or with a stopped timer
// is not, however much of it an operation needs. A parallel benchmark is counted with one worker, and says so.
func TestTheTimerDelimits(t *testing.T) {
	c, err := counter.Find(t.Context(), false)
	if err != nil {
		t.Skipf("this machine counts nothing: %v", err)
	}
	scratch, bin := t.TempDir(), fake(t, "timed")
	flag, err := Hooked(t.Context(), bin.Package.Dir, scratch)
	require.NoError(t, err)
	bin.Path = filepath.Join(scratch, "timed.test")
	require.NoError(t, Build(t.Context(), bin.Package, bin.Path, flag))
	n := &Instructions{Counter: c, Limit: 5 * time.Minute}
	counts := map[string]float64{}
	for _, name := range []string{"Plain", "Stopped", "StoppedMore", "Reset", "ResetMore", "Loop/n=1", "Parallel"} {
		s, err := Take(t.Context(), bin, Benchmark{"fake/timed", name}, 0, "20x")
		require.NoError(t, err)
		require.Empty(t, s.Fail)
		require.NoError(t, n.Add(t.Context(), bin, &s))
		require.Empty(t, s.Uncounted, name)
		require.Equal(t, name == "Parallel", strings.Contains(s.Note, "one worker"), name)
		counts[name], _ = s.Result.Value(InstructionUnit)
		if c.Caches() {
			require.InEpsilon(t, counts[name], s.Functions["fake/timed.work"], 0.05, name)
		}
	}
	for name, x := range counts {
		require.InEpsilon(t, counts["Plain"], x, 0.02, name)
	}
	require.InEpsilon(t, counts["Stopped"], counts["StoppedMore"], 0.005)
	require.InEpsilon(t, counts["Reset"], counts["ResetMore"], 0.005)

	waits, err := Take(t.Context(), bin, Benchmark{"fake/timed", "Idle"}, 0, "20x")
	require.NoError(t, err)
	require.NoError(t, n.Add(t.Context(), bin, &waits))
	require.Contains(t, waits.Uncounted, "it waits, or does too little")
}
