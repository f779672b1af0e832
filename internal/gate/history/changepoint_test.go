package history

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// permutations calls f with every order of r.
func permutations(r []int, f func([]int)) {
	var rec func(k int)
	r = slices.Clone(r)
	rec = func(k int) {
		if k == len(r) {
			f(r)
			return
		}
		for i := k; i < len(r); i++ {
			r[k], r[i] = r[i], r[k]
			rec(k + 1)
			r[k], r[i] = r[i], r[k]
		}
	}
	rec(0)
}

func ascending(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

// TestPValueAgainstAllOrders compares the random orders with all of them, with ties and without. The standard error of
// a p-value that was found from 100 exceedances is 10 % of it; five of them are allowed.
func TestPValueAgainstAllOrders(t *testing.T) {
	for _, x := range [][]float64{ascending(8), {1, 1, 2, 2, 2, 7, 9}, {3, 1, 4, 1, 5, 9, 2, 6}, {0, 0, 0, 0, 0, 1}} {
		r := scores(x)
		s := widest(r)
		as, all := 0, 0
		permutations(r, func(o []int) {
			all++
			if widest(o).value >= s.value {
				as++
			}
		})
		exact := float64(as) / float64(all)
		p := (&Calibration{Seed: 7}).pvalue(r, s.value, 1e-4)
		require.True(t, math.Abs(p-exact) <= 0.5*exact, "%v: %v, by all orders %v", x, p, exact)
	}
}

// TestOrderly compares the smallest p-value with all orders.
func TestOrderly(t *testing.T) {
	require.True(t, orderly(1) == 1 && orderly(2) == 1)
	for n := 3; n <= 9; n++ {
		r := scores(ascending(n))
		highest, as, all := 0.0, 0, 0
		permutations(r, func(o []int) {
			all++
			switch v := widest(o).value; {
			case v > highest:
				highest, as = v, 1
			case v == highest:
				as++
			}
		})
		require.True(t, math.Abs(orderly(n)-float64(as)/float64(all)) <= 1e-12, "%d: %v, by all orders %v", n,
			orderly(n), float64(as)/float64(all))
	}
	for n := 3; n < 300; n++ {
		require.LessOrEqual(t, orderly(n+2), orderly(n))
	}
	require.Equal(t, []int{8, 12, 18}, []int{minRuns(0.05), minRuns(0.005), minRuns(1e-4)})
}

// TestScores asks for the mean 0, for order, and that ties share; and compares with the quantiles themselves.
func TestScores(t *testing.T) {
	for _, x := range [][]float64{{5}, {2, 1}, {1, 1, 1}, {3, 1, 2, 2, 9, -4}, ascending(101)} {
		r, sum := scores(x), 0
		for i := range x {
			sum += r[i]
			for k := range x {
				require.Equal(t, x[i] < x[k], r[i] < r[k])
			}
		}
		require.Zero(t, sum)
	}
	require.Equal(t, []int{-2763 * 3, 0, 2763 * 3}, scores([]float64{1, 2, 3})) // Φ⁻¹(3/4)·4096 = 2762.7
	require.Zero(t, widest(scores([]float64{4, 4, 4, 4})).value)
}

// TestFindsPlantedChanges plants changes in noise and asks for their places.
func TestFindsPlantedChanges(t *testing.T) {
	c := &Calibration{Seed: 1}
	x := autoregressive(streams.New(3, "planted"), 90, 0)
	require.Empty(t, c.Find(x, 0.01))
	for i := range x {
		if i >= 30 && i < 60 {
			x[i] += 10
		}
		if i >= 60 {
			x[i] -= 10
		}
	}
	var at []int
	for _, f := range c.Find(x, 0.01) {
		at = append(at, f.At)
		require.True(t, f.P > 0 && f.P <= 0.01)
	}
	require.Equal(t, []int{30, 60}, at)
	require.Empty(t, c.Find(x, 1e-6)) // beyond what random orders resolve
	require.Empty(t, c.Find(make([]float64, 50), 0.5))
	require.Empty(t, c.Find(nil, 0.5))
	require.Empty(t, c.Find(ascending(1), 0.5))
	require.Equal(t, c.Find(x, 0.01), (&Calibration{Seed: 1}).Find(x, 0.01)) // whatever was drawn before
}

// TestDelay asks that a change that is as old as the delay is found, and a younger one is not.
func TestDelay(t *testing.T) {
	c := &Calibration{Seed: 1}
	for _, n := range []int{20, 40} {
		const level = 0.001
		d := c.delay(n, level)
		require.Positive(t, d)
		for r := 1; r <= d; r++ {
			x := autoregressive(streams.New(5, "delay"), n, 0)
			x = scatter(x)
			for i := n - r; i < n; i++ {
				x[i] += 1000
			}
			require.Equal(t, r == d, len(c.Find(x, level)) > 0, "%d runs, %d of them new", n, r)
		}
	}
	require.Zero(t, c.delay(10, 0.001))
}

// scatter orders a series so that no part of it differs from another: up and down in turn.
func scatter(x []float64) []float64 {
	y := slices.Sorted(slices.Values(x))
	out := make([]float64, 0, len(x))
	for i, k := 0, len(y)-1; i <= k; i, k = i+1, k-1 {
		out = append(out, y[i])
		if i < k {
			out = append(out, y[k])
		}
	}
	return out
}

// TestFalseAlarms is the study at a small size: where runs are exchangeable the rate is at most the level, up to an
// interval that misses with probability 1 % over all; and the shortcut, the wrong version, is shown to be above it.
func TestFalseAlarms(t *testing.T) {
	s := Study{Series: 300, Seed: 2}
	wrong := 0
	for _, r := range s.NullRates([]int{20, 50}, func() {}) {
		free := slices.ContainsFunc(processes, func(p process) bool { return p.exchangeable && p.name == r.Process })
		if free {
			require.True(t, r.Ours.Lo <= r.Level, "%+v", r)
		}
		if r.Shortcut.Lo > r.Level {
			wrong++
		}
		if r.Process == "autocorrelated 0.6" { // said honestly: no calibration, and blocks are better
			require.True(t, r.Ours.Lo > r.Level && r.Blocks.Events*r.Ours.Trials < r.Ours.Events*r.Blocks.Trials, "%+v",
				r)
		}
	}
	require.Equal(t, 20, wrong)
}

// TestPower asks that what is estimated to be easy is found.
func TestPower(t *testing.T) {
	for _, r := range (Study{Series: 2000, Seed: 2}).PowerRates([]int{50}, 0.0025, func() {}) {
		if r.Size >= 5 {
			require.True(t, r.Found.Lo > 0.85 && r.More.Hi < 0.2, "%+v", r)
		}
		if r.Size == 1 && r.Since == 5 {
			require.True(t, r.Found.Hi < 0.5, "%+v", r) // not everything is found
		}
	}
}

// TestPublishedStudy makes a part of the published study again.
func TestPublishedStudy(t *testing.T) {
	text, err := os.ReadFile("study.md")
	require.NoError(t, err)
	for _, r := range Published().null(processes[0], 20) {
		require.Contains(t, string(text), "\n"+r.line())
	}
	require.Contains(t, string(text), "Made by `"+StudyCommand+"`")
}

// TestShuffled: the statistic on single runs is the widest split of the order that a shuffle gives, to the last bit.
func TestShuffled(t *testing.T) {
	for n := 2; n < 60; n++ {
		x := ascending(n)
		x[n-1] = x[0] // a tie
		d := (&Calibration{Seed: uint64(n)}).nullOf(scores(x))
		order, rng := slices.Clone(d.scores), streams.New(uint64(n), "history", "orders", fmt.Sprint(d.scores))
		for range 20 {
			d.draw(1)
			rng.Shuffle(n, func(i, k int) { order[i], order[k] = order[k], order[i] })
			require.Equal(t, widest(order).value, d.values[len(d.values)-1])
			require.Equal(t, order, d.scores)
		}
	}
}
