package props

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

var (
	nan      = math.NaN()
	infinity = math.Inf(1)
	tiny     = math.SmallestNonzeroFloat64
)

// loses fails the test unless a ratio is red, alone and among good ones: refuted, or an error where it is no ratio.
func loses(t *testing.T, r Ratio, what string, args ...any) {
	t.Helper()
	args = append([]any{what}, args...)
	want := results.Refuted
	if !r.Valid() {
		want = results.Error
	}
	require.Equal(t, want, r.Verdict(), args...)
	require.Equal(t, want, Worst(r, Ratio{}).Verdict(), args...)
	require.Equal(t, want, Worst(Ratio{}, Ratio{Value: 0.5, Lower: 0.5}, r).Verdict(), args...)
}

func TestPoisonedWithin(t *testing.T) {
	require.Equal(t, results.Holds, Within(0, 1).Verdict())
	require.Equal(t, results.Holds, Within(-1, 1).Verdict())
	require.Equal(t, results.Holds, Within(0, tiny).Verdict())
	for _, d := range []float64{nan, infinity, -infinity} {
		loses(t, Within(d, 1), "discrepancy %v", d)
		loses(t, Within(d, math.MaxFloat64), "discrepancy %v", d)
	}
	for _, allowed := range []float64{nan, infinity, -infinity, 0, math.Copysign(0, -1), -1} {
		for _, d := range []float64{0, 1, -1, nan, infinity, -infinity} {
			loses(t, Within(d, allowed), "%v within %v", d, allowed)
		}
	}
}

func TestPoisonedExactly(t *testing.T) {
	require.Equal(t, results.Holds, Exactly(0).Verdict())
	require.Equal(t, results.Holds, Exactly(math.Copysign(0, -1)).Verdict())
	for _, d := range []float64{nan, infinity, -infinity, tiny, -tiny, 1} {
		loses(t, Exactly(d), "%v", d)
	}
}

func TestPoisonedAtMost(t *testing.T) {
	require.Equal(t, results.Holds, atMost(1, 2, 0.1).Verdict())
	require.Equal(t, results.Holds, atMost(2.05, 2, 0.1).Verdict())
	require.Equal(t, results.Holds, atMost(-5, 0, 0.1).Verdict())
	require.Equal(t, results.Refuted, atMost(2.2, 2, 0.1).Verdict())
	for _, poison := range []float64{nan, infinity, -infinity} {
		loses(t, atMost(poison, 2, 0.1), "left side %v", poison)
		loses(t, atMost(1, poison, 0.1), "right side %v", poison)
		loses(t, atMost(poison, poison, 0.1), "both sides %v", poison)
	}
	for _, slack := range []float64{nan, infinity, -infinity, 0, -1} {
		loses(t, atMost(1, 2, slack), "slack %v", slack)
	}
	loses(t, atMost(math.MaxFloat64, -math.MaxFloat64, 1), "an excess that overflows")
}

// interval95 is an interval with a level and with these ends.
func interval95(estimate, lo, hi float64) stat.Interval {
	iv := stat.Known(0, 1, 0.05)
	iv.Estimate, iv.Lo, iv.Hi = estimate, lo, hi
	return iv
}

func TestPoisonedEquivalent(t *testing.T) {
	good := interval95(1, 0.9, 1.1)
	require.Equal(t, results.Holds, equivalent(good, 1, 0.2).Verdict())
	for _, poison := range []float64{nan, infinity, -infinity} {
		for i := range 3 {
			iv := good
			*[]*float64{&iv.Estimate, &iv.Lo, &iv.Hi}[i] = poison
			loses(t, equivalent(iv, 1, 0.2), "field %d is %v", i, poison)
		}
		loses(t, equivalent(good, poison, 0.2), "claimed %v", poison)
	}
	for _, margin := range []float64{nan, infinity, -infinity, 0, -1} {
		loses(t, equivalent(good, 1, margin), "margin %v", margin)
	}
	loses(t, equivalent(interval95(1, 1.1, 0.9), 1, 0.2), "ends in the wrong order")
	loses(t, equivalent(interval95(2, 0.9, 1.1), 1, 0.2), "estimate outside")
	loses(t, equivalent(stat.Mean(nil, 0.05), 0, 1), "an interval made of nothing")
	loses(t, equivalent(stat.Interval{Estimate: 1, Lo: 0.9, Hi: 1.1}, 1, 0.2), "an interval without a level")
}

func TestPoisonedNotAbove(t *testing.T) {
	good := interval95(1, 0.9, 1.1)
	require.Equal(t, results.Holds, notAbove(good, 1, 0.2).Verdict())
	require.Equal(t, results.Holds, notAbove(good, 50, 0.2).Verdict())
	for _, poison := range []float64{nan, infinity, -infinity} {
		for i := range 3 {
			iv := good
			*[]*float64{&iv.Estimate, &iv.Lo, &iv.Hi}[i] = poison
			loses(t, notAbove(iv, 1, 0.2), "field %d is %v", i, poison)
		}
		loses(t, notAbove(good, poison, 0.2), "bound %v", poison)
	}
	for _, margin := range []float64{nan, infinity, -infinity, 0, -1} {
		loses(t, notAbove(good, 1, margin), "margin %v", margin)
	}
	loses(t, notAbove(interval95(1, 1.1, 0.9), 5, 0.2), "ends in the wrong order")
	loses(t, notAbove(interval95(math.MaxFloat64, math.MaxFloat64, math.MaxFloat64),
		-math.MaxFloat64, 1), "an excess that overflows")
}

func TestPoisonedRatio(t *testing.T) {
	for _, poison := range []float64{nan, -infinity, -1, -tiny} {
		loses(t, Ratio{Value: poison, Lower: poison}, "both %v", poison)
		loses(t, Ratio{Value: poison, Lower: 0}, "value %v", poison)
		loses(t, Ratio{Value: 0.5, Lower: poison}, "lower %v", poison)
		loses(t, Ratio{Value: 2, Lower: poison}, "lower %v", poison)
	}
	loses(t, Ratio{Value: infinity, Lower: infinity}, "infinite")
	loses(t, Ratio{Value: 0.5, Lower: infinity}, "infinite lower")
	loses(t, Ratio{Value: 0.5, Lower: 0.6}, "lower above value")
	require.Equal(t, results.Undecided, Ratio{Value: infinity, Lower: 0}.Verdict(),
		"an interval without end decides nothing")
	require.Equal(t, results.Refuted, Worst().Verdict(), "no condition at all")
	loses(t, Condition(false), "false")
	require.Equal(t, results.Holds, Condition(true).Verdict())
}

func TestWorstVerdict(t *testing.T) {
	order := []results.Verdict{results.Holds, results.Unproven, results.Undecided, results.Incomplete, results.Refuted,
		results.Error}
	for i, a := range order {
		for j, b := range order {
			require.Equal(t, order[max(i, j)], results.Worst(a, b))
		}
	}
	require.ElementsMatch(t, order, results.Verdicts)
}

func TestVerdictBoundaries(t *testing.T) {
	above := math.Nextafter(1, 2)
	for _, c := range []struct {
		ratio Ratio
		want  results.Verdict
	}{
		{Ratio{}, results.Holds},
		{Ratio{Value: 1, Lower: 1}, results.Holds},
		{Ratio{Value: 1, Lower: 0}, results.Holds},
		{Ratio{Value: above, Lower: above}, results.Refuted},
		{Ratio{Value: above, Lower: 1}, results.Undecided},
		{Ratio{Value: above, Lower: 0}, results.Undecided},
		{Ratio{Value: infinity, Lower: above}, results.Refuted},
		{Within(1, 1), results.Holds},
		{Within(above, 1), results.Refuted},
	} {
		require.Equal(t, c.want, c.ratio.Verdict(), "%v", c.ratio)
	}
	interval := func(lo, hi float64) stat.Interval { return interval95((lo+hi)/2, lo, hi) }
	for _, c := range []struct {
		lo, hi float64
		want   results.Verdict
	}{ // claimed 4 with margin 1
		{3, 5, results.Holds},
		{3.5, 4, results.Holds},
		{3, 5.25, results.Undecided},
		{2.75, 5, results.Undecided},
		{5, 6, results.Undecided}, // touches the margin
		{2, 3, results.Undecided},
		{5.25, 6, results.Refuted},
		{2, 2.75, results.Refuted},
		{0, 8, results.Undecided},
	} {
		require.Equal(t, c.want, equivalent(interval(c.lo, c.hi), 4, 1).Verdict(), "[%v, %v]", c.lo, c.hi)
	}
	for _, c := range []struct {
		lo, hi float64
		want   results.Verdict
	}{ // at most 4 with margin 1
		{-9, 5, results.Holds},
		{5, 5, results.Holds},
		{-9, 5.25, results.Undecided},
		{5, 6, results.Undecided}, // touches the margin
		{5.25, 6, results.Refuted},
	} {
		require.Equal(t, c.want, notAbove(interval(c.lo, c.hi), 4, 1).Verdict(), "[%v, %v]", c.lo, c.hi)
		mirrored, r := interval(-c.hi, -c.lo), &Record{}
		r.EstimateAtLeast("mirrored", mirrored, -4, 1)
		require.Equal(t, c.want, r.ratio().Verdict(), "at least: [%v, %v]", -c.hi, -c.lo)
	}
}

func TestOneSidedPerturbation(t *testing.T) {
	r := &Record{detailed: true}
	r.EstimateAtMost("bound", interval95(2, 1.5, 2.5), 4, 1)
	got := r.findings[0]
	require.InDelta(t, (4-1.5+1)/4, got.Epsilon, 1e-15, "then the bound and its margin lie below the interval")
	require.InDelta(t, nearRatio, got.Near, 1e-12)
	require.Equal(t, 2.0, got.Detects)
	r.EstimateAtMost("zero", interval95(-2, -3, -1), 0, 1)
	require.True(t, math.IsInf(r.findings[1].Epsilon, 1), "zero has no relative error")
}

// An effect is seen from both sides alike. One of 3 in 2 … 4 leaves room for one of 2 where at least 1 is claimed.
func TestEffect(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   results.Verdict
	}{{2, 4, results.Holds}, {1, 9, results.Holds}, {0.5, 4, results.Undecided}, {0.5, 1, results.Undecided},
		{0.5, 0.75, results.Refuted}, {-4, -2, results.Refuted}} {
		r := &Record{detailed: true}
		r.Effect("rise", interval95(10+(c.lo+c.hi)/2, 10+c.lo, 10+c.hi), 10, 11)
		require.Equal(t, c.want, r.ratio().Verdict(), "%v", c)
		r.Effect("fall", interval95(10-(c.lo+c.hi)/2, 10-c.hi, 10-c.lo), 10, 9)
		up, down := r.findings[0], r.findings[1]
		require.Equal(t, []any{up.Ratio, up.Epsilon, up.Allowed}, []any{down.Ratio, down.Epsilon, down.Allowed})
	}
	r := &Record{detailed: true}
	r.Effect("rise", interval95(13, 12, 14), 10, 11)
	got := r.findings[0]
	require.Equal(t, results.Share, got.Unit)
	require.InDelta(t, 2./3, got.Epsilon, 1e-15)
	require.InDelta(t, nearRatio, got.Near, 1e-15)
	require.InDelta(t, 2./3, got.Allowed, 1e-15)
	r.Effect("none", interval95(9, 8, 10), 10, 11)
	require.True(t, math.IsInf(r.findings[1].Epsilon, 1), "nothing was seen")
	for _, poison := range []float64{nan, infinity, -infinity} {
		r := &Record{}
		r.Effect("none", interval95(13, 12, 14), poison, 11)
		r.Effect("least", interval95(13, 12, 14), 10, poison)
		r.Effect("interval", interval95(13, 12, poison), 10, 11)
		r.Effect("no least effect", interval95(13, 12, 14), 10, 10)
		for _, f := range r.findings {
			loses(t, f.Ratio, "%s is %v", f.Name, poison)
		}
	}
}

// Small dyadic numbers, on which the arithmetic of a ratio is exact.
func dyadic(t *rapid.T, label string) float64 {
	return float64(rapid.IntRange(-64, 64).Draw(t, label)) / 8
}

func TestRatiosMeanWhatTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, lo, hi := dyadic(t, "a"), dyadic(t, "b"), dyadic(t, "lo"), dyadic(t, "hi")
		allowed := math.Abs(dyadic(t, "allowed")) + 0.125
		want := map[bool]results.Verdict{true: results.Holds, false: results.Refuted}
		require.Equal(t, want[math.Abs(a) <= allowed], Within(a, allowed).Verdict())
		require.Equal(t, want[a <= b+allowed], atMost(a, b, allowed).Verdict())
		require.Equal(t, want[a == 0], Exactly(a).Verdict())

		lo, hi = min(lo, hi), max(lo, hi)
		inside, outside := a-allowed <= lo && hi <= a+allowed, hi < a-allowed || a+allowed < lo
		verdict := results.Undecided
		if inside {
			verdict = results.Holds
		} else if outside {
			verdict = results.Refuted
		}
		iv := interval95((lo+hi)/2, lo, hi)
		require.Equal(t, verdict, equivalent(iv, a, allowed).Verdict())
	})
}

func TestWorstIsTheWorst(t *testing.T) {
	ratio := rapid.Custom(func(t *rapid.T) Ratio {
		floor := math.Abs(dyadic(t, "floor"))
		return Ratio{Value: floor + math.Abs(dyadic(t, "gap")), Lower: floor}
	})
	rapid.Check(t, func(t *rapid.T) {
		ratios := rapid.SliceOfN(ratio, 1, 6).Draw(t, "ratios")
		w := Worst(ratios...)
		verdict := results.Holds
		for _, r := range ratios {
			verdict = results.Worst(verdict, r.Verdict())
			require.True(t, w.Value >= r.Value && w.Lower >= r.Lower)
		}
		require.Equal(t, verdict, w.Verdict())
		slices.Reverse(ratios)
		require.Equal(t, w, Worst(ratios...))
	})
}

// A count holds where its interval is the claimed number alone, is refuted without it, and notices the next number.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   results.Verdict
	}{{2, 2, results.Holds}, {2, 3, results.Undecided}, {1, 2, results.Undecided}, {3, 3, results.Refuted},
		{0, 1, results.Refuted}, {nan, nan, results.Error}} {
		r := &Record{detailed: true}
		r.EqualsCount("outliers", interval95((c.lo+c.hi)/2, c.lo, c.hi), 2)
		require.Equal(t, c.want, r.ratio().Verdict(), "%v", c)
		require.Equal(t, results.Whole, r.findings[0].Unit)
		if c.want == results.Holds {
			require.Less(t, r.findings[0].Epsilon, 1.0)
			require.Greater(t, r.findings[0].Near, 1.0)
		}
	}
}
