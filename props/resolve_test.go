package props

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// resolution is that of a claim with one resolution.
func resolution(t *testing.T, r Resolution) (float64, ClaimResult) {
	t.Helper()
	row, _ := verify(t, Claim{Statement: statement("resolution of " + r.Of), Verify: []LegacyCheck{r.Check(0)}, Resolve: []Resolution{r}})
	require.Equal(t, Holds, row.Verdict)
	require.Len(t, row.Resolutions, 1)
	require.Equal(t, row.Resolution, row.Resolutions[0].Value)
	return float64(row.Resolutions[0].Value), row
}

func TestResolutionFindsAKnownThreshold(t *testing.T) {
	for _, threshold := range []float64{3e-16, 1e-9, 0.02, 0.7, 9} {
		got, row := resolution(t, Resolution{Of: fmt.Sprint(threshold), Unit: Relative, Check: within(threshold)})
		// The search stops when it knows the exponent of ten to 0.05, from above: a factor of 10^0.05 < 1.1221.
		if ok := threshold < got && got <= threshold*1.1221; !ok {
			t.Errorf("resolution %g, the check rejects from %g on", got, threshold)
		}
		require.Empty(t, row.complaints())
	}
}

func TestResolutionOfAnExactCheck(t *testing.T) {
	exact := func(dose float64) LegacyCheck { return always("exact", Exactly(1+dose-1)) }
	got, row := resolution(t, Resolution{Of: "exact", Unit: Exact, Check: exact})
	require.Zero(t, got)
	require.Empty(t, row.complaints())

	got, row = resolution(t, Resolution{Of: "not exact", Unit: Exact, Check: within(1e-12)})
	require.True(t, math.IsInf(got, 1), "a tolerance of 1e-12 does not notice the last bit")
	require.NotEmpty(t, row.complaints())
}

func TestResolutionOfACheckThatNoticesNothing(t *testing.T) {
	got, row := resolution(t, Resolution{Of: "nothing", Unit: Relative, Check: func(float64) LegacyCheck { return below(1001) }})
	require.True(t, math.IsInf(got, 1))
	require.True(t, strings.Contains(strings.Join(row.complaints(), "\n"), "ever noticed"))
}

// A dose at which the check breaks is not one at which it rejects.
func TestResolutionDoesNotCountErrors(t *testing.T) {
	got, _ := resolution(t, Resolution{Of: "broken", Unit: Relative, Check: func(dose float64) LegacyCheck {
		return property("broken", func(*T, int) Ratio {
			if dose > 0.1 {
				panic("cannot")
			}
			return Ratio{}
		})
	}})
	require.True(t, math.IsInf(got, 1))
}

func TestCoarsestResolutionCounts(t *testing.T) {
	row, _ := verify(t, Claim{Statement: statement("two"), Verify: []LegacyCheck{within(1)(0)}, Resolve: []Resolution{
		{Of: "fine", Unit: Relative, Check: within(1e-9)}, {Of: "coarse", Unit: Relative, Check: within(1e-2)},
		{Of: "middling", Unit: Relative, Check: within(1e-4)},
	}})
	require.Equal(t, row.Resolutions[1].Value, row.Resolution)
}

// The resolution of a statistical check is where it begins to reject, and twice that is noticed on fresh streams.
func TestResolutionIsHonest(t *testing.T) {
	c := statistical()
	row, _ := verify(t, c)
	require.Empty(t, row.complaints())
	require.NoError(t, freshSession(t.Context(), c, Options{Effort: Quick, Seed: 1}).honest(c.Resolve[0], row.Resolutions[0]))

	boast := row.Resolutions[0]
	boast.Value /= 4 // 2/4 of the resolution lies inside the zone
	require.Error(t, freshSession(t.Context(), c, Options{Effort: Quick, Seed: 1}).honest(c.Resolve[0], boast))
}
