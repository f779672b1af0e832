package history

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/streams"
)

// drifting is 30 runs that grow by a share from each to the next, and by a factor at run 12.
func drifting(seed int, growth, factor float64) []fixture {
	rng := streams.New(uint64(seed), "drifting")
	out := make([]fixture, 30)
	for i := range out {
		time := 100 * math.Pow(1+growth, float64(i)) * (1 + rng.NormFloat64()/200)
		if i >= 12 {
			time *= factor
		}
		out[i] = fixture{lines: []string{fmt.Sprintf("A 1 %.3f ns/op", time)}}
	}
	return out
}

// TestStepUnderDrift: a step of 30 % on top of a drift is found at its run and at its size, or nobody is blamed; a
// drift alone blames nobody.
func TestStepUnderDrift(t *testing.T) {
	placed := 0
	for seed := range 2 {
		for _, growth := range []float64{0.01, -0.01} {
			stepped := recorded(t, drifting(seed, growth, 1.3)...).Analyse(DefaultPolicy())
			for _, c := range stepped.Rows[0].Series[0].Changes {
				if !c.Worse && !c.Better {
					require.True(t, c.Drift)
					continue
				}
				placed++
				require.Equal(t, 12, c.Run, "growth %v: %+v", growth, c)
				require.InDelta(t, 1.3, float64(c.Ratio), 0.04, "growth %v", growth)
			}
			h := recorded(t, drifting(seed, growth, 1)...)
			for _, c := range h.Analyse(DefaultPolicy()).Rows[0].Series[0].Changes {
				require.True(t, c.Drift && !c.Worse && !c.Better, "growth %v: %+v", growth, c)
			}
			if seed == 0 {
				require.Equal(t, compare.NotDecided, h.Check(DefaultPolicy(), Allowances{}).Code)
			}
		}
	}
	require.Greater(t, placed, 2)
}

// TestWidestStep: by least squares with a line and a step, solved apart.
func TestWidestStep(t *testing.T) {
	y := make([]float64, 20)
	for i := range y {
		y[i] = 3 + 0.25*float64(i)
		if i >= 7 {
			y[i] += 0.5
		}
	}
	best, share := widestStep(withoutLine(y), stepNorms(len(y)))
	require.Equal(t, 7, best.at)
	require.InDelta(t, 0.5, best.size, 1e-12)
	require.InDelta(t, 1, share, 1e-12)
	require.True(t, drifts(y, 7))
	require.False(t, drifts([]float64{1, 2, 1, 2, 5, 6, 5, 6}, 4))
	_, p := beyondDrift(y[:5], 0.01, 1)
	require.EqualValues(t, 1, p)
}
