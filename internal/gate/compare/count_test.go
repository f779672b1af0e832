package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// counting writes a file of n samples of a benchmark for each of the draws.
func counting(t *testing.T, dir, name string, n int, draws ...func() (bytes, allocs int)) string {
	t.Helper()
	var text strings.Builder
	for range n {
		for k, draw := range draws {
			bytes, allocs := draw()
			fmt.Fprintf(&text, "BenchmarkCount/k=%d-2 1000 100 ns/op %d B/op %d allocs/op\n", k, bytes, allocs)
		}
	}
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o644))
	return path
}

func countTable(t *testing.T, old, new string, alpha float64) *Table {
	t.Helper()
	p := DefaultPolicy()
	p.Alpha, p.Units = alpha, []string{"B/op", "allocs/op"}
	table, err := Files([]string{"old=" + old, "new=" + new}, Options{}, p)
	require.NoError(t, err)
	return table
}

// TestCountsOfIdenticalCode: the same code allocates a little more in one process than in the next. Of 200 tables at
// α = 0.2 at most 40 may accuse, and more than 40 + 4·√(200·0.2·0.8) = 62 do so with probability below 1e-4. One sample
// a side has no spread, and accuses nobody.
func TestCountsOfIdenticalCode(t *testing.T) {
	const tables, alpha, highest = 200, 0.2, 62
	dir := t.TempDir()
	for _, n := range []int{1, 2, 3, 5} {
		rng := streams.New(7, "compare", "counts", fmt.Sprint(n))
		draw := func() (int, int) { k := rng.IntN(4); return 4096 + 48*k, 100 + k }
		accused := 0
		for range tables {
			table := countTable(t, counting(t, dir, "old", n, draw, draw),
				counting(t, dir, "new", n, draw, draw), alpha)
			if table.Count(Slower)+table.Count(Faster) > 0 {
				accused++
			}
		}
		require.LessOrEqual(t, accused, highest, "n=%d", n)
		if n < 3 { // 2/C(4, 2) = 1/3
			require.Zero(t, accused, "n=%d", n)
		}
	}
}

// TestCountsNeedSamples: a count that changed is undecided with few samples, the row says how many it takes, and with
// these it is decided. Constant counts take no part of α and are the same with one sample.
func TestCountsNeedSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	constant := func() (int, int) { return 64, 1 }
	more := func() (int, int) { return 80, 2 }
	vary := func() (int, int) { return 4096 + 16*rng.IntN(50), 1 }
	for n := 1; n <= 6; n++ {
		table := countTable(t, counting(t, t.TempDir(), "old", n, constant, constant, vary),
			counting(t, t.TempDir(), "new", n, constant, more, vary), 0.01)
		needed := 0
		for _, r := range table.Rows {
			switch {
			case !r.Gated:
			case strings.Contains(r.Name, "k=0"):
				require.Equal(t, Same, r.Verdict)
			case strings.Contains(r.Name, "k=1"):
				require.True(t, r.Exact)
				require.Less(t, r.Change.Level, 1.0)
				if r.Verdict == Undecided {
					needed = max(needed, r.Needs)
					require.Contains(t, r.Reason, "differ by chance")
				} else {
					require.Equal(t, Slower, r.Verdict)
				}
			}
		}
		require.Equal(t, n < 6, needed == 6, "n=%d needs %d", n, needed) // 2/C(12, 6) = 0.0022 ≤ 0.01/3 < 2/C(10, 5)
	}
}

// TestCountsThatTouchZero: bytes of the setup, divided by a number of operations that differs, make 0 and 10 B/op of
// code that allocates nothing. With few samples the row says how many it takes, with more it is the same; an allocation
// more is not.
func TestCountsThatTouchZero(t *testing.T) {
	for n := 2; n <= 12; n++ {
		k := 0
		rarely := func() (int, int) { k++; return 10 * ((k % 11) / 10), 0 }
		zero, one := func() (int, int) { return 0, 0 }, func() (int, int) { return 16, 1 }
		table := countTable(t, counting(t, t.TempDir(), "old", n, rarely, zero),
			counting(t, t.TempDir(), "new", n, rarely, one), 0.01)
		for _, r := range table.Rows {
			switch {
			case r.Unit == "sec/op":
			case strings.Contains(r.Name, "k=1"):
				require.Equal(t, n >= 6, r.Verdict == Slower, "n=%d %+v", n, r)
			case n >= 10 || r.Unit == "allocs/op":
				require.Equal(t, Same, r.Verdict, "n=%d %+v", n, r)
			case n < 6 && r.Verdict == Undecided:
				require.Positive(t, r.Needs)
			default:
				require.Contains(t, []Decision{Same, Undecided}, r.Verdict)
			}
		}
	}
}

// TestSeparation: against the count of all orders.
func TestSeparation(t *testing.T) {
	for m := 1; m <= 5; m++ {
		for n := 1; n <= 5; n++ {
			require.InDelta(t, 2*rankSumTail(m, n, 1), Separation(m, n), 1e-12, "%d %d", m, n)
		}
	}
}
