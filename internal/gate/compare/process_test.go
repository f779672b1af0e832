package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// hashing writes the output of go test -count n, run as often as there are processes: each process has a hash seed of
// its own, by which its maps grow more or less and its code is faster or slower; samples within it hardly differ.
func hashing(t *testing.T, rng *rand.Rand, dir, name string, processes, n int, headed bool) string {
	t.Helper()
	var text strings.Builder
	for range processes {
		if headed {
			text.WriteString(head)
		}
		for _, row := range []string{"Hash", "Map"} {
			seed, level := rng.IntN(12), 0.1*rng.NormFloat64()
			for range n {
				fmt.Fprintf(&text, "Benchmark%s-2 1000 %.1f ns/op %d B/op %d allocs/op\n", row,
					1000*math.Exp(level+0.01*rng.NormFloat64()), 4096+48*seed, 100+seed)
			}
		}
		if headed {
			text.WriteString("PASS\nok  \texample.org/m\t1.0s\n")
		}
	}
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o644))
	return path
}

// TestSamplesOfOneProcessAreOne: of 400 pairs of files of identical code, each of one process, none accuses. With nine
// processes a side at α = 0.2, of 100 tables 20 may, and more than 20 + 4·√(100·0.2·0.8) = 36 do so with probability
// below 1e-4; one that is slower by half and allocates twice as often is found.
func TestSamplesOfOneProcessAreOne(t *testing.T) {
	rng, dir := streams.New(8, "compare", "processes"), t.TempDir()
	accused := func(pairs, processes int, alpha float64) (tables int) {
		for i := range pairs {
			p := DefaultPolicy()
			p.Alpha = alpha
			old := hashing(t, rng, dir, "old", processes, 6, i%2 == 0)
			new := hashing(t, rng, dir, "new", processes, 6, i%2 == 0)
			table, err := Files([]string{"old=" + old, "new=" + new}, Options{}, p)
			require.NoError(t, err)
			require.Contains(t, table.Problems[0].Text, "samples of one process")
			require.False(t, table.Problems[0].Fatal)
			if table.Count(Slower)+table.Count(Faster)+table.Count(Changed) > 0 {
				tables++
			}
		}
		return tables
	}
	require.Zero(t, accused(400, 1, 0.5))
	require.LessOrEqual(t, accused(100, 9, 0.2), 36)

	old := hashing(t, rng, dir, "old", 9, 6, true)
	text, err := os.ReadFile(hashing(t, rng, dir, "new", 9, 6, true))
	require.NoError(t, err)
	slow := filepath.Join(t.TempDir(), "slow")
	text = []byte(strings.ReplaceAll(strings.ReplaceAll(string(text), " ns/op", "0 ns/op"), " 1", " 2"))
	require.NoError(t, os.WriteFile(slow, text, 0o644))
	table, err := Files([]string{"old=" + old, "new=" + slow}, Options{}, DefaultPolicy())
	require.NoError(t, err)
	require.Equal(t, Regression, table.Outcome().Code)
}

// A single process decides nothing, and says how many would.
func TestOneProcessIsUndecided(t *testing.T) {
	rng, dir := streams.New(9, "compare", "processes"), t.TempDir()
	old, new := hashing(t, rng, dir, "old", 1, 10, true), hashing(t, rng, dir, "new", 1, 10, true)
	table, err := Files([]string{old, new}, Options{}, DefaultPolicy())
	require.NoError(t, err)
	require.Equal(t, NotDecided, table.Outcome().Code)
	for _, r := range table.Rows {
		require.Equal(t, Undecided, r.Verdict)
		require.GreaterOrEqual(t, r.Needs, 7)
		require.Equal(t, 10, r.Old.N, "the numbers of benchstat are of all samples")
	}
}

// Bytes that are none in one sample of a process, and some in the median of all, are no broken measurement.
func TestZeroWithinAProcess(t *testing.T) {
	file := func(name string, bytes ...int) string {
		var text strings.Builder
		for i, b := range bytes {
			if i%2 == 0 {
				text.WriteString(head)
			}
			fmt.Fprintf(&text, "BenchmarkPool-2 1000 100 ns/op %d B/op 0 allocs/op\n", b)
			if i%2 == 1 {
				text.WriteString("PASS\nok  \texample.org/m\t1.0s\n")
			}
		}
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o644))
		return path
	}
	table, err := Files([]string{file("old", 0, 9, 1, 2, 14, 13), file("new", 20, 13, 17, 4, 2, 0)}, Options{},
		DefaultPolicy())
	require.NoError(t, err)
	require.Equal(t, NotDecided, table.Outcome().Code, table.Outcome().Reason) // the time, of three processes
	for _, r := range table.Rows {
		require.Equal(t, r.Unit != "sec/op", r.Verdict == Same, r.Unit)
	}
}
