package study

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/streams"
)

// countings are samples whose instructions vary by a part in a thousand and whose time by a tenth.
func countings(slots []countSlot, slowdown func(countSlot) float64) (all []Counting) {
	rng := streams.New(1, "study", "countings")
	for _, s := range slots {
		factor := 1 + slowdown(s)
		all = append(all, Counting{s, 1e6 * factor * math.Exp(0.001*rng.NormFloat64()),
			1e5 * factor * math.Exp(0.1*rng.NormFloat64()), 8})
	}
	return all
}

func planned(s countSlot) float64 { return Slowdowns[s.Place] }

func none(countSlot) float64 { return 0 }

// Unchanged code is not accused, and 1 % is found in counts at a margin of 1 %, but not in time. Where the slow code
// is none nothing is found: what is found is in the samples.
func TestJudgeCounts(t *testing.T) {
	plan := CountPlan{Format: countFormat, Seed: 1}
	slots := countSchedule(1, 12)
	const drawn = 4
	for _, slowed := range []bool{true, false} {
		all := countings(slots, none)
		if slowed {
			all = countings(slots, planned)
		}
		r, err := JudgeCounts(plan, all, drawn)
		require.NoError(t, err)
		require.Equal(t, 12, r.Rounds)
		for i, kind := range r.Twins {
			require.Equal(t, TwinKinds[i], kind.Kind)
			require.Equal(t, []int{200, 25, 25}[i], kind.Alarms.Trials)
			require.Zero(t, kind.Alarms.Events)
			require.Less(t, kind.Largest, 0.01)
			require.Zero(t, kind.Missing)
		}
		for _, n := range r.Null[:2] {
			require.Zero(t, n.Alarms.Events, n.Rule)
		}
		require.Greater(t, r.Null[0].Same.Events, r.Null[0].Same.Trials/2)
		for _, p := range r.Power {
			want := -1
			switch {
			case !slowed && !strings.Contains(p.Rule, "benchstat"), p.Rule == countRules[2].name && p.Slowdown < 0.05:
				want = 0
			case p.Rule == countRules[0].name:
				want = drawn
			}
			if want >= 0 {
				require.Equal(t, want, p.Found.Events, "%+v", p)
			}
			if slowed {
				require.InDelta(t, 1+p.Slowdown, p.Ratio, 0.2)
			}
		}
		require.Contains(t, r.Markdown(), "| Plant/sort | 1 % |")
	}
	_, err := JudgeCounts(plan, countings(countSchedule(1, 9), none), 5)
	require.ErrorContains(t, err, "too few")
}

// A twin that does more is found, after the further rounds that its first look asks for: the study can fail.
func TestTwinsThatDoMore(t *testing.T) {
	const slow = copies + 2 // differs in a function
	more := func(s countSlot) float64 {
		if s.Twin == slow {
			return 0.03
		}
		return 0
	}
	all := countings(countSchedule(1, 12), more)
	open := openTwins(all)
	require.Len(t, open, 1)
	require.Equal(t, unrelated, open[0].kind)
	further := furtherSchedule(1, open)
	require.Len(t, further, 3*(lookRounds()-firstLook)) // old, old again and the twin
	all = append(all, countings(further, more)...)
	require.Equal(t, open, openTwins(all), "those that had further rounds keep them")
	early, err := JudgeCounts(CountPlan{Seed: 1}, countings(countSchedule(1, 11), more), 1)
	require.NoError(t, err)
	require.Equal(t, 1, early.Twins[2].Waiting)
	require.Equal(t, 100, early.Twins[0].Missing)
	require.Contains(t, early.Markdown(), "1 comparisons wait for their second look, and 100 were not measured yet")
	r, err := JudgeCounts(CountPlan{Seed: 1}, all, 1)
	require.NoError(t, err)
	require.NotContains(t, r.Markdown(), "Published before its end")
	require.Equal(t, 1, r.Twins[2].Alarms.Events)
	require.Equal(t, 1, r.Twins[2].Further)
	require.Zero(t, r.Twins[0].Alarms.Events+r.Twins[1].Alarms.Events)
}

// There are as many comparisons of each kind as the study says, each kind on all benchmarks equally often. Those of
// identical code share no more than one sample of a round, and all are of samples that the schedule has.
func TestTwinComparisons(t *testing.T) {
	kinds, benchmarks, pairs := map[string]int{}, map[string]int{}, map[string]bool{}
	scheduled := bySlot(countings(countSchedule(1, 12), none))
	for _, c := range twinComparisons() {
		kinds[c.kind]++
		benchmarks[c.kind+c.name]++
		for round := c.round; round < c.round+firstLook; round++ {
			require.True(t, c.sampled(scheduled, round), "%+v", c)
		}
		if c.kind != identical {
			continue
		}
		for i, a := range c.arms {
			for _, b := range c.arms[:i] {
				for _, pair := range []string{fmt.Sprint(c.name, c.round, a, b), fmt.Sprint(c.name, c.round, b, a)} {
					require.False(t, pairs[pair], pair)
					pairs[pair] = true
				}
			}
		}
	}
	require.Equal(t, map[string]int{identical: 200, comment: 25, unrelated: 25}, kinds)
	for at, n := range benchmarks {
		require.Contains(t, []int{5, 40}, n, at)
	}
	require.Len(t, benchmarks, len(TwinKinds)*len(planted))
}

// The binaries of twins that shall differ do, also from one another, and have the same benchmarks.
func TestBuildTwin(t *testing.T) {
	found, err := measure.Packages(t.Context(), "../../..", workload)
	require.NoError(t, err)
	dir := t.TempDir()
	bin := measure.Binary{Package: found[0], Path: filepath.Join(dir, "workload.test")}
	require.NoError(t, measure.Build(t.Context(), bin.Package, bin.Path))
	list, _, err := measure.Discover(t.Context(), bin, "^BenchmarkPlant$")
	require.NoError(t, err)
	sums := map[string]bool{}
	for _, i := range []int{0, copies + 1, copies + 2, copies + 3, copies + 4} {
		twin := bin
		if i > 0 {
			twin, err = buildTwin(t.Context(), bin, i, dir)
			require.NoError(t, err)
		}
		sum, err := measure.Sum(twin.Path)
		require.NoError(t, err)
		require.False(t, sums[sum], "twin %d", i)
		sums[sum] = true
		same, _, err := measure.Discover(t.Context(), twin, "^BenchmarkPlant$")
		require.NoError(t, err)
		require.Equal(t, list, same)
	}
	same, err := buildTwin(t.Context(), bin, 2, dir)
	require.NoError(t, err)
	require.Equal(t, bin, same)
}

func TestReadCounts(t *testing.T) {
	var text strings.Builder
	lines := json.NewEncoder(&text)
	require.NoError(t, lines.Encode(CountPlan{Format: countFormat, Seed: 3}))
	all := countings(countSchedule(1, 1), none)
	for _, c := range all {
		require.NoError(t, lines.Encode(c))
	}
	plan, read, err := ReadCounts([]byte(text.String()))
	require.NoError(t, err)
	require.EqualValues(t, 3, plan.Seed)
	require.Equal(t, all, read)
	_, read, err = ReadCounts([]byte(text.String() + `{"name":"Plant/so`))
	require.NoError(t, err)
	require.Equal(t, all, read, "a line without an end was torn")
	for _, bad := range []string{"", "{}", `{"format":"` + countFormat + `"}` + "\n{}\n",
		text.String() + `{"name":"x"}` + "\n"} {
		_, _, err := ReadCounts([]byte(bad))
		require.ErrorContains(t, err, "line ", bad)
	}
}

// A round has every benchmark at every place once, in an order of its own.
func TestCountSchedule(t *testing.T) {
	seen := map[countSlot]bool{}
	for _, s := range countSchedule(1, 4) {
		require.False(t, seen[s])
		seen[s] = true
	}
	require.Len(t, seen, 4*len(planted)*len(Slowdowns)+3*26+24) // the variants of two groups
	require.NotEqual(t, countSchedule(1, 1), countSchedule(2, 1))
}
