package compare

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// rankSumTail counts the arrangements of m+n ranks with a Mann-Whitney statistic below k, one by one.
func rankSumTail(m, n, k int) float64 {
	below, all := 0, 0
	for set := uint(0); set < 1<<(m+n); set++ {
		if bits.OnesCount(set) != m {
			continue
		}
		all++
		u, others := 0, 0
		for i := range m + n {
			if set>>i&1 == 1 {
				u += others
			} else {
				others++
			}
		}
		if u < k {
			below++
		}
	}
	return float64(below) / float64(all)
}

func TestRankSumOrderIsTheLargestOfItsLevel(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for n := 1; n <= 6; n++ {
			for _, alpha := range []float64{0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5} {
				k := rankSumOrder(m, n, alpha)
				require.LessOrEqual(t, rankSumTail(m, n, k), alpha/2*(1+slack), "m=%d n=%d α=%v k=%d", m, n, alpha, k)
				if k < m*n/2 {
					require.Greater(t, rankSumTail(m, n, k+1), alpha/2*(1+slack), "m=%d n=%d α=%v k=%d", m, n, alpha, k)
				}
			}
		}
	}
}

// TestMinSamples: one sample fewer has no finite interval.
func TestMinSamples(t *testing.T) {
	for _, alpha := range []float64{0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6} {
		n := rankSumMinimum(alpha)
		require.Positive(t, rankSumOrder(n, n, alpha), "α=%v n=%d", alpha, n)
		require.Zero(t, rankSumOrder(n-1, n-1, alpha), "α=%v n=%d", alpha, n)
	}
}

// TestNormalOrderIsNoNarrower: where the exact distributions end, the approximation must not estimate more than they
// do.
func TestNormalOrderIsNoNarrower(t *testing.T) {
	const n = exactTo
	for _, alpha := range []float64{0.05, 0.01, 1e-3, 1e-4, 1e-5} {
		x := float64(n)
		exact, approximate := rankSumOrder(n, n, alpha), normalOrder(x*x/2, math.Sqrt(x*x*(2*x+1)/12), alpha)
		require.LessOrEqual(t, approximate, exact, "rank sum, α=%v", alpha)
		require.Less(t, float64(exact-approximate), 0.03*x*x, "rank sum, α=%v", alpha)
	}
}

// TestOrderInterval on logarithms of whole numbers: the ends are the k-th from either side, closed.
func TestOrderInterval(t *testing.T) {
	logs := []float64{math.Log(5), math.Log(1), math.Log(3), math.Log(2), math.Log(4)}
	c := orderInterval(slices.Clone(logs), 2, 0.1)
	near(t, 3, c.Center)
	near(t, 2, c.Lo)
	near(t, 4, c.Hi)
	require.Equal(t, 0.9, c.Level)
	c = orderInterval(logs, 0, 0.1)
	near(t, 3, c.Center)
	require.Zero(t, c.Lo)
	require.True(t, math.IsInf(float64(c.Hi), 1))
}

// TestSmallest: what is selected is what sorting puts there, with ties, in any order, and again of what it left.
func TestSmallest(t *testing.T) {
	rng := streams.New(1, "compare", "smallest")
	for n := 1; n < 60; n++ {
		x := make([]float64, n)
		for i := range x {
			switch n % 4 {
			case 0:
				x[i] = rng.NormFloat64()
			case 1:
				x[i] = float64(rng.IntN(5))
			case 2:
				x[i] = float64(min(i, n-i))
			case 3:
				x[i] = math.Inf(rng.IntN(3) - 1)
			}
		}
		sorted := slices.Sorted(slices.Values(x))
		for _, k := range rng.Perm(n) {
			require.Equal(t, sorted[k], smallest(x, k))
		}
		require.ElementsMatch(t, sorted, x)
	}
}

// near compares after one logarithm and one exponential, each good to 1 ulp of a result below 10.
func near(t *testing.T, want float64, got Number) {
	t.Helper()
	if ok := math.Abs(float64(got)-want) <= 32*0x1p-53*want; !ok {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// TestBlocked: nine of ten samples that could follow one of the same row do. One row alone is never blocked.
func TestBlocked(t *testing.T) {
	g, err := newGrid(Options{})
	require.NoError(t, err)
	for rows, want := range map[string]bool{
		"AAAAAABBBBBB": true,  // 10 of 10
		"AAAAABBBBBBA": true,  // 9 of 10
		"AAAABABBBBBB": false, // 8 of 10
		"ABABABABABAB": false,
		"AAAAAAAAAAAA": false,
		"AB":           false,
	} {
		o := &order{rows: map[benchproc.Key]bool{}}
		for i, name := range rows {
			o.add(g.row.Project(&benchfmt.Result{Name: benchfmt.Name(string(name))}), i)
		}
		require.Equal(t, want, o.blocked(), rows)
	}
}
