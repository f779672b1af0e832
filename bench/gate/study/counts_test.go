package study

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// countings are samples whose instructions vary by a part in a thousand and whose time by a tenth.
func countings(rounds int, slowdown func(place int) float64) (all []Counting) {
	rng := streams.New(1, "study", "countings")
	for _, s := range countSchedule(1, rounds) {
		factor := 1 + slowdown(s.place)
		all = append(all, Counting{planted[s.benchmark].name, s.round, s.place,
			1e6 * factor * math.Exp(0.001*rng.NormFloat64()), 1e5 * factor * math.Exp(0.1*rng.NormFloat64()), 8})
	}
	return all
}

// Unchanged code is not accused, 2 % are found in counts at a margin of 1 %, 1 % is found at one of 0.5 %, and neither
// in time. Where the slow code is none nothing is found: what is found is in the samples.
func TestJudgeCounts(t *testing.T) {
	plan := CountPlan{Format: countFormat, Seed: 1}
	for _, real := range []bool{true, false} {
		all := countings(9, func(place int) float64 {
			if real {
				return Slowdowns[place]
			}
			return 0
		})
		r, err := JudgeCounts(plan, all, 20)
		require.NoError(t, err)
		require.Equal(t, 9, r.Rounds)
		for _, n := range r.Null[:2] {
			require.Zero(t, n.Alarms.Events, n.Rule)
			require.Greater(t, n.Same.Events, n.Same.Trials/2, n.Rule)
		}
		for _, p := range r.Power {
			want := -1
			switch {
			case !real && !strings.Contains(p.Rule, "benchstat"):
				want = 0
			case p.Rule == countRules[0].name && p.Slowdown >= 0.02, p.Rule == countRules[1].name:
				want = 20
			case p.Rule == countRules[0].name, p.Rule == countRules[2].name && p.Slowdown < 0.05:
				want = 0
			}
			if want >= 0 {
				require.Equal(t, want, p.Found.Events, "%+v", p)
			}
			if real {
				require.InDelta(t, 1+p.Slowdown, p.Ratio, 0.2)
			}
		}
		require.Contains(t, r.Markdown(), "| Plant/sort | 1 % |")
	}
	_, err := JudgeCounts(plan, countings(3, func(int) float64 { return 0 }), 5)
	require.ErrorContains(t, err, "too few")
}

func TestReadCounts(t *testing.T) {
	var text strings.Builder
	lines := json.NewEncoder(&text)
	require.NoError(t, lines.Encode(CountPlan{Format: countFormat, Seed: 3}))
	all := countings(1, func(int) float64 { return 0 })
	for _, c := range all {
		require.NoError(t, lines.Encode(c))
	}
	plan, read, err := ReadCounts([]byte(text.String()))
	require.NoError(t, err)
	require.EqualValues(t, 3, plan.Seed)
	require.Equal(t, all, read)
	for _, bad := range []string{"", "{}", `{"format":"` + countFormat + `"}` + "\n{}", text.String() + `{"name":"x"`} {
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
	require.Len(t, seen, 4*len(planted)*len(Slowdowns))
	require.NotEqual(t, countSchedule(1, 1), countSchedule(2, 1))
}
