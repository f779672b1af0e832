package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// noisy draws n times around a center with a relative spread; skewed as times are, if asked to be.
func noisy(r *rand.Rand, n int, center, spread float64, skewed bool) []float64 {
	out := make([]float64, n)
	for i := range out {
		x := r.NormFloat64()
		if skewed {
			x = 2 * r.ExpFloat64()
		}
		out[i] = center * math.Exp(spread*x)
	}
	return out
}

// TestIntervalsCover: at the level of 90 % an interval may miss in one trial of ten; of 1000 trials 100, and more than
// 100 + 4·√(1000·0.1·0.9) = 138 with probability below 1e-4.
func TestIntervalsCover(t *testing.T) {
	const trials, highest = 1000, 138
	spec := Spec{Alpha: 0.1, Margin: 0.05, Better: -1}
	for _, c := range []struct {
		m, n   int
		ratio  float64
		skewed bool
	}{{10, 10, 1, false}, {10, 10, 1.3, false}, {6, 15, 0.7, true}, {8, 8, 1, true}, {60, 55, 1.1, true}} {
		r := streams.New(1, "compare", "coverage")
		missed := 0
		for range trials {
			j := Judge(noisy(r, c.m, 1e-6, 0.1, c.skewed), noisy(r, c.n, 1e-6*c.ratio, 0.1, c.skewed), spec)
			if ok := float64(j.Change.Lo) <= c.ratio && c.ratio <= float64(j.Change.Hi); !ok {
				missed++
			}
		}
		require.LessOrEqual(t, missed, highest, "%+v", c)
		require.Greater(t, missed, 30, "%+v: the interval is far too wide", c)
	}
}

// TestWholeTableFalseAlarms: tables of 20 rows of identical code at α = 0.2. Of 500 tables 100 may hold a wrong
// verdict, and more than 100 + 4·√(500·0.2·0.8) = 135 do so with probability below 1e-4. Margin 0 is the hardest.
func TestWholeTableFalseAlarms(t *testing.T) {
	const tables, rows, highest = 500, 20, 135
	p := Policy{Alpha: 0.2, Missing: MissingUndecided}
	r := streams.New(3, "compare", "family")
	wrong := 0
	for range tables {
		for range rows {
			j := Judge(noisy(r, 10, 1, 0.05, true), noisy(r, 10, 1, 0.05, true), Spec{Alpha: p.Share(rows), Better: -1})
			if j.Verdict != Undecided {
				wrong++
				break
			}
		}
	}
	require.LessOrEqual(t, wrong, highest)
	require.Positive(t, wrong, "the test would not notice a wrong level")
}

// TestNeedsComesTrue: with the estimated number of samples an undecided row is decided with probability 0.8, if
// ratio and spread are what they looked like; here they look like what they are. Of 200 trials it must then be decided
// in 0.8·200 − 4·√(200·0.8·0.2) = 137, and with six tenths of the samples not in 160: the estimate is not idle.
func TestNeedsComesTrue(t *testing.T) {
	r := streams.New(4, "compare", "needs")
	spec := Spec{Alpha: 0.01, Margin: 0.05, Better: -1}
	const n, spread = 12, 0.06
	for _, ratio := range []float64{1, 1.12, 1.02, 0.91} {
		old, new := make([]float64, n), make([]float64, n)
		for i := range old {
			old[i] = math.Exp(-spread * normalQuantile2((float64(i)+0.5)/n))
			new[i] = ratio * old[i]
		}
		j := Judge(old, new, spec)
		require.Equal(t, Undecided, j.Verdict, "ratio %v", ratio)
		decided := func(n int) int {
			count := 0
			for range 200 {
				if Judge(noisy(r, n, 1, spread, false), noisy(r, n, ratio, spread, false), spec).Verdict != Undecided {
					count++
				}
			}
			return count
		}
		require.GreaterOrEqual(t, decided(j.Needs), 137, "ratio %v, n=%d", ratio, j.Needs)
		require.Less(t, decided(j.Needs*6/10), 160, "ratio %v, n=%d", ratio, j.Needs)
	}
}

// normalQuantile2 is the quantile on both sides of one half.
func normalQuantile2(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

func TestVerdicts(t *testing.T) {
	between := func(lo, hi float64) Interval { return Interval{1, Number(lo), Number(hi), 0.99} }
	s := Spec{Alpha: 0.01, Margin: 0.05, Better: -1}
	floored, more, nobody := s, s, s
	floored.Floor, more.Better, nobody.Better = 0.2, 1, 0
	reaching := s
	reaching.Reaching = true
	risen := reaching
	risen.Floor = 0.02
	nan := math.NaN()
	for _, c := range []struct {
		spec   Spec
		lo, hi float64
		want   Decision
	}{
		{s, 1.06, 1.1, Slower}, {s, 0.8, 0.9, Faster}, {s, 0.96, 1.05, Same}, {s, 0.99, 1.06, Undecided},
		{s, 1.05, 1.1, Undecided}, {s, 0.9, 1.1, Undecided}, {s, 1, 1, Same}, {s, 0.94, 1, Undecided},
		{floored, 1.06, 1.1, Undecided}, {floored, 1.21, 1.3, Slower}, {floored, 0.99, 1.01, Undecided},
		{floored, 0.5, 0.8, Faster},
		{s, 0.951, 1, Undecided}, {s, 0.953, 1, Same}, // the margin begins at 1/1.05 and not at 1 − 0.05
		{floored, 0.8, 0.9, Undecided}, {floored, 0.8, 0.84, Undecided}, {floored, 0.8, 0.833, Faster}, // 1/1.2
		{more, 1.06, 1.1, Faster}, {more, 0.8, 0.9, Slower}, {nobody, 1.06, 1.1, Changed}, {nobody, 0.8, 0.9, Changed},
		{s, nan, nan, Undecided}, {s, 1.2, nan, Slower}, {s, nan, 1, Undecided}, {s, 0, math.Inf(1), Undecided},
		{reaching, 1.001, 1.051, Slower}, {reaching, 1.001, 1.05, Same}, {reaching, 1, 1.051, Undecided},
		{reaching, 0.95, 0.999, Faster}, {reaching, 0.953, 0.999, Same}, {reaching, 0.95, 1, Undecided},
		{reaching, 1.06, 1.1, Slower}, {reaching, 0.8, 0.9, Faster}, {reaching, nan, nan, Undecided},
		{reaching, 1.2, nan, Undecided}, {reaching, 0, math.Inf(1), Undecided},
		{risen, 1.01, 1.06, Undecided}, {risen, 1.021, 1.06, Slower}, {risen, 1.01, 1.04, Same},
	} {
		require.Equal(t, c.want, c.spec.Verdict(between(c.lo, c.hi)), "%+v", c)
	}
}

// TestReaching: whatever interval covers a ratio, no change is never called a change, a change of the margin never the
// same; and an interval narrower than the margin is decided.
func TestReaching(t *testing.T) {
	r := streams.New(1, "compare", "reaching")
	s := Spec{Margin: 0.01, Better: -1, Reaching: true}
	seen := map[Decision]int{}
	for range 3000 {
		ratio := []float64{1, 1 + s.Margin, 1 / (1 + s.Margin), 1 + 0.02*r.Float64(), 1 - 0.02*r.Float64()}[r.IntN(5)]
		lo, hi := ratio-0.02*r.Float64(), ratio+0.02*r.Float64()
		v := s.Verdict(Interval{Number(ratio), Number(lo), Number(hi), 1})
		seen[v]++
		size := max(ratio, 1/ratio) - 1
		require.False(t, ratio == 1 && (v == Slower || v == Faster), "%v … %v", lo, hi)
		require.False(t, size >= s.Margin*(1+1e-9) && v == Same, "%v in %v … %v", ratio, lo, hi)
		require.False(t, ratio > 1 && v == Faster || ratio < 1 && v == Slower, "%v in %v … %v", ratio, lo, hi)
		require.False(t, hi/lo < 1+s.Margin && v == Undecided, "%v … %v", lo, hi)
	}
	require.Len(t, seen, 4, "%v", seen)
}

// TestJudgeIsBlindToScaleAndOrder, and turns over with the sides.
func TestJudgeIsBlindToScaleAndOrder(t *testing.T) {
	r := streams.New(5, "compare", "symmetry")
	spec := Spec{Alpha: 0.05, Margin: 0.05, Better: -1}
	for range 50 {
		a, b := noisy(r, 9, 1, 0.1, true), noisy(r, 12, 1.2, 0.1, true)
		j := Judge(a, b, spec)
		turned := Judge(b, a, spec)
		near(t, 1/float64(j.Change.Lo), turned.Change.Hi)
		near(t, 1/float64(j.Change.Hi), turned.Change.Lo)
		scaled, shuffled := slices.Clone(a), slices.Clone(b)
		r.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
		for i := range scaled {
			scaled[i] *= 0x1p30
		}
		for i := range shuffled {
			shuffled[i] *= 0x1p30
		}
		require.Equal(t, j, Judge(scaled, shuffled, spec))
	}
}

func TestPoison(t *testing.T) {
	good := []float64{1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07}
	for _, poison := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1} {
		for i := range good {
			bad := slices.Clone(good)
			bad[i] = poison
			require.Equal(t, Unusable, Judge(bad, good, Spec{Alpha: 0.5, Better: -1}).Verdict, "%v", poison)
			require.Equal(t, Unusable, Judge(good, bad, Spec{Alpha: 0.5, Better: -1}).Verdict, "%v", poison)
			if poison != 0 && poison != -1 {
				require.Equal(t, Unusable, judgeExact(bad, good, 0, 8, -1).Verdict, "%v", poison)
				require.Equal(t, Unusable, judgeExact(good, bad, 0, 8, -1).Verdict, "%v", poison)
			}
			require.Zero(t, drift(bad))
		}
	}
	many := slices.Repeat([]float64{1}, maxSamples+1)
	require.Equal(t, Undecided, Judge(many, good, Spec{Alpha: 0.5}).Verdict)
	require.Equal(t, Unusable, Judge(nil, good, Spec{Alpha: 0.5}).Verdict)
	require.Equal(t, Unusable, Judge(good, nil, Spec{Alpha: 0.5}).Verdict)
	for _, spec := range []Spec{{Alpha: math.NaN()}, {Alpha: 0}, {Alpha: 0.5, Margin: math.NaN()},
		{Alpha: 0.5, Floor: math.NaN()}} {
		require.Equal(t, Undecided, Judge(good, []float64{2, 2, 2, 2, 2, 2, 2, 2}, spec).Verdict, "%+v", spec)
	}
}

func TestExact(t *testing.T) {
	for _, c := range []struct {
		old, new []float64
		margin   float64
		better   int
		want     Decision
	}{
		{[]float64{2}, []float64{2}, 0, -1, Same},
		{[]float64{0}, []float64{0}, 0, -1, Same},
		{[]float64{0}, []float64{1}, 0, -1, Slower},
		{[]float64{1}, []float64{0}, 0, -1, Faster},
		{[]float64{1}, []float64{0}, 0.5, -1, Faster},
		{[]float64{0}, []float64{1}, 0.5, -1, Slower},
		{[]float64{2, 2}, []float64{3, 3, 3}, 0, -1, Slower},
		{[]float64{2, 2}, []float64{3, 3, 3}, 0, 1, Faster},
		{[]float64{2, 2}, []float64{3, 3, 3}, 0, 0, Changed},
		{[]float64{1}, []float64{math.Nextafter(1, 2)}, 0, -1, Slower},
		{[]float64{0.1}, []float64{0.14}, 0.5, -1, Same},
		{[]float64{0.1}, []float64{0.16}, 0.5, -1, Slower},
		{[]float64{0.16}, []float64{0.1}, 0.5, -1, Faster},
		{[]float64{1, 2}, []float64{2, 1}, 0, -1, Same},
		{[]float64{1, 2}, []float64{2, 3}, 0, -1, Undecided},
		{[]float64{1, 2}, []float64{1.5}, 0, -1, Undecided},
		{[]float64{1, 2}, []float64{3, 4}, 0, -1, Slower},
		{[]float64{3, 4}, []float64{1, 2}, 0, -1, Faster},
		{[]float64{-1}, []float64{-2}, 0.1, -1, Faster},
		{[]float64{-2}, []float64{-1}, 0.1, -1, Slower},
		{[]float64{-3, 0}, []float64{-2, 5}, 0, -1, Undecided},  // ranges that overlap, below zero too
		{[]float64{100}, []float64{80, 95}, 0.1, -1, Undecided}, // in part within the margin
		{[]float64{80, 95}, []float64{100}, 0.1, -1, Undecided},
		{[]float64{100}, []float64{80, 90}, 0.1, -1, Faster},
		{[]float64{80, 90}, []float64{100}, 0.1, -1, Slower},
	} {
		require.Equal(t, c.want, judgeExact(c.old, c.new, c.margin, 0, c.better).Verdict, "%+v", c)
	}
	change := judgeExact([]float64{2, 1}, []float64{6, 3}, 0, 0, -1).Change // all ratios lie between 3/2 and 6/1
	require.Equal(t, []Number{1.5, 6}, []Number{change.Lo, change.Hi})
}

// TestWhatIsComparedExactly: counts that do not vary on either side, and those that have no ratio.
func TestWhatIsComparedExactly(t *testing.T) {
	for _, c := range []struct {
		unit     string
		old, new []float64
		want     bool
	}{
		{"sec/op", []float64{1, 1}, []float64{2, 2}, false},
		{"allocs/op", []float64{1, 1}, []float64{2, 2}, true},
		{"allocs/op", []float64{1, 2}, []float64{2, 2}, false}, {"allocs/op", []float64{2, 2}, []float64{1, 2}, false},
		{"allocs/op", []float64{0, 2}, []float64{2, 2}, true}, {"allocs/op", []float64{2, 2}, []float64{2, 0}, true},
		{"B/op", []float64{16, 23}, []float64{32, 39}, true}, // less than an allocation
		{"B/op", []float64{16, 24}, []float64{32, 32}, false}, {"B/op", []float64{16, 16}, []float64{32, 40}, false},
		{"B/op", []float64{0, 24}, []float64{32, 32}, true}, {"B/op", []float64{16, 16}, []float64{40, 0}, true},
	} {
		two := []int{1, 2}
		got := isCount(c.unit, pair{&cell{values: c.old, processes: two}, &cell{values: c.new, processes: two}})
		require.Equal(t, c.want, got, "%+v", c)
	}
}

// TestDrift: a trend through the file is a floor of the size that it reaches between two files; noise is mostly none.
func TestDrift(t *testing.T) {
	trend := make([]float64, 20)
	for i := range trend {
		// 10 % between the centers of the halves, 20 % between those of two files
		trend[i] = math.Exp(0.01 * float64(i))
	}
	if ok := math.Abs(math.Log1p(drift(trend))-0.2) <= 0.011; !ok { // one step of the trend
		t.Fatalf("floor %v", drift(trend))
	}
	require.Zero(t, drift([]float64{1, 1, 1, 1, 1, 1, 1, 1}))
	r := streams.New(6, "compare", "drift")
	seen := 0
	for range 200 {
		if drift(noisy(r, 20, 1, 0.05, true)) > 0 {
			seen++
		}
	}
	require.LessOrEqual(t, seen, 20+18) // 5 % and four standard deviations
}

// TestRowsShareAlpha: in a table of files each gated row has its part of α, whatever else is in the table.
func TestRowsShareAlpha(t *testing.T) {
	files := []string{"old=testdata/kernels-old.txt", "new=testdata/kernels-new.txt"}
	for filter, rows := range map[string]int{"*": 4, ".unit:(ns/op OR flop/s) /n:64": 2, ".unit:flop/s": 4} {
		table, err := Files(files, Options{Filter: filter}, DefaultPolicy())
		require.NoError(t, err)
		for _, r := range table.Rows {
			if !r.Exact {
				require.Equal(t, 1-0.01/float64(rows), r.Change.Level, "%s: %s %s", filter, r.Name, r.Unit)
			}
		}
	}
}

// TestOnlyGatedRowsAreCompared: a table whose gated rows are all missing has compared nothing, whatever the others say.
func TestOnlyGatedRowsAreCompared(t *testing.T) {
	both := Row{Old: Summary{N: 9}, New: Summary{N: 9}, Judgement: Judgement{Verdict: Same}}
	missing := Row{Gated: true, Old: Summary{N: 9}, Judgement: Judgement{Verdict: Missing}}
	table := &Table{Policy: Policy{Missing: MissingAllowed}, Rows: []Row{both, missing}}
	require.Equal(t, UnusableInput, table.Outcome().Code)
	both.Gated = true
	table.Rows = append(table.Rows, both)
	require.Equal(t, Pass, table.Outcome().Code)
}
