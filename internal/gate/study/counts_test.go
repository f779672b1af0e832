package study

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	slots := slotsOf(12)
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
	_, err := JudgeCounts(plan, countings(slotsOf(9), none), 5)
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
	var slowed []twinComparison
	for _, c := range twinComparisons() {
		if c.arms[2].twin == slow {
			slowed = append(slowed, c)
		}
	}
	require.Len(t, slowed, 1)
	require.Equal(t, unrelated, slowed[0].kind)
	all := countings(slotsOf(12, slowed...), more)
	early, err := JudgeCounts(CountPlan{Seed: 1}, countings(slotsOf(11), more), 1)
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

// slotsOf are the samples of so many rounds: every benchmark at every place, the variants in two groups of rounds, the
// copies in the next two, and the further rounds of the comparisons that are open.
func slotsOf(rounds int, open ...twinComparison) (all []countSlot) {
	seen := map[countSlot]bool{}
	add := func(s countSlot) {
		if !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	for round := range rounds {
		for _, name := range planted {
			for place := range Slowdowns {
				add(countSlot{Name: name, Round: round, Place: place})
			}
		}
	}
	for _, c := range twinComparisons() {
		for round := c.round; round < min(rounds, c.round+firstLook); round++ {
			for _, a := range c.arms {
				add(a.slot(c.name, round))
			}
		}
	}
	for _, c := range open {
		for round := furtherRound; round < furtherRound+lookRounds()-firstLook; round++ {
			for _, a := range c.arms {
				add(a.slot(c.name, round))
			}
		}
	}
	return all
}

// There are as many comparisons of each kind as the study says, each kind on all benchmarks equally often. Those of
// identical code share no more than one sample of a round, and all are of samples that the schedule has.
func TestTwinComparisons(t *testing.T) {
	kinds, benchmarks, pairs := map[string]int{}, map[string]int{}, map[string]bool{}
	scheduled := bySlot(countings(slotsOf(12), none))
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

func TestReadCounts(t *testing.T) {
	var text strings.Builder
	lines := json.NewEncoder(&text)
	require.NoError(t, lines.Encode(CountPlan{Format: countFormat, Seed: 3}))
	all := countings(slotsOf(1), none)
	for _, c := range all {
		require.NoError(t, lines.Encode(c))
	}
	plan, read, err := ReadCounts([]byte(text.String()))
	require.NoError(t, err)
	require.EqualValues(t, 3, plan.Seed)
	require.Equal(t, all, read)
	for _, bad := range []string{"", "{}", `{"format":"` + countFormat + `"}` + "\n{}\n",
		text.String() + `{"name":"x"}` + "\n"} {
		_, _, err := ReadCounts([]byte(bad))
		require.ErrorContains(t, err, "line ", bad)
	}
}
