package props

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// Sizes between standard and deep grow by a factor a step, keep what divides both, and begin and end where they should.
func TestSizesBetween(t *testing.T) {
	for _, s := range []Scale{{1, 216, 900}, {1, 1500, 50000}, {1, 96, 96}, {1, 54, 8}, {1, 0, 7}, {1, 11, 200}} {
		divisor := 1
		for d := 1; d <= min(s.Standard, s.Deep); d++ {
			if s.Standard%d == 0 && s.Deep%d == 0 {
				divisor = d
			}
		}
		require.Equal(t, s.Standard, s.At(between(0)))
		require.Equal(t, s.Deep, s.At(between(levels)))
		for level := 1; level <= levels; level++ {
			require.Equal(t, level, levelOf(between(level)))
			n, before := s.At(between(level)), s.At(between(level-1))
			require.GreaterOrEqual(t, (n-before)*(s.Deep-s.Standard), 0, "%v at %v", s, between(level))
			require.Zero(t, n%divisor, "%v at %v: %d", s, between(level), n)
		}
	}
	require.Equal(t, []int{1, 2}, Sizes{Standard: []int{1, 2}, Deep: []int{4}}.At(between(15)))
}

// A deep run spends its budget and no more, each check its share or all that it can use, and standard effort at least.
// What controls do on their own is not made larger.
func TestAfford(t *testing.T) {
	costly, cheap := growing(), estimated()
	claims := []Claim{costly.Claim(), cheap.Claim()}
	costs := map[string]Rate{}
	for _, c := range claims {
		for _, name := range c.CheckNames() {
			costs[CostKey(c.Statement.Slug, name)] = Rate{1, 1, 4}
		}
	}
	seconds := func(o Options) (sum float64) {
		for _, u := range Plan(claims, o, costs) {
			sum += u.Cost
		}
		return sum
	}
	high, low := seconds(Options{Effort: Deep}), seconds(Options{Effort: Standard})
	require.Greater(t, high, low)
	previous := 0.0
	for _, budget := range []float64{low / 2, low + (high-low)/8, low + (high-low)/2, high, 2 * high} {
		o := Options{Effort: Deep, Efforts: Afford(claims, budget, costs)}
		spent := seconds(o)
		require.LessOrEqual(t, spent, max(budget, low))
		require.GreaterOrEqual(t, spent, previous)
		previous = spent
		for _, u := range Plan(claims, o, costs) {
			require.Positive(t, u.Cost)
		}
	}
	require.InDelta(t, high, previous, 1e-9*high)
	for _, e := range Afford(claims, low, costs) {
		require.Equal(t, Standard, e)
	}
}

// A deep run comes to a verdict on all its cases, and looks closely at those of standard effort only.
func TestDeepLooksCloselyAtSome(t *testing.T) {
	o := Options{Effort: Deep, Seed: 1, Uncalibrated: true}
	row := Run(t.Context(), []Claim{growing().Claim()}, o).Claims[0]
	require.Equal(t, results.Holds, row.Verdict, row.Message)
	require.Equal(t, results.Count{Planned: 5000, Run: 5000}, row.Cases)
	k := growing().Claim().checks[0]
	s := newSession(&run{Options: o, ctx: t.Context(), pool: newPool(2)}, row.ID)
	for _, v := range append([]variant{{}}, variant{k.controls[0].done, k.controls[0].claimed}) {
		found := s.evaluate(k, v, 0).tally
		require.Equal(t, map[bool]int{true: 5000, false: 200}[v == variant{}], found.Cases)
		require.Len(t, found.Ratios, 200*count(v == variant{}))
	}
}

// growing has more cases at deep effort than at standard.
func growing() Spec {
	s := commuting(40)
	k := s.Checks[0].(typedInstances[pair])
	k.Cases = Scale{40, 200, 5000}
	s.Checks[0] = k
	return s
}
