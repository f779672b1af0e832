package diff

import (
	"context"
	"errors"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever the first bad version, it is found in logarithmically many steps; among unknown ones it is bounded.
func TestFirstBad(t *testing.T) {
	for n := 1; n <= 20; n++ {
		for first := range n {
			steps := 0
			good, bad, err := FirstBad(t.Context(), n, func(_ context.Context, i int) (Side, error) {
				steps++
				if i >= first {
					return Bad, nil
				}
				return Good, nil
			})
			require.NoError(t, err)
			require.Equal(t, [2]int{first - 1, first}, [2]int{good, bad})
			require.LessOrEqual(t, steps, bits.Len(uint(n)))

			good, bad, err = FirstBad(t.Context(), n, func(_ context.Context, i int) (Side, error) {
				switch {
				case i%3 == 1:
					return Unknown, nil
				case i >= first:
					return Bad, nil
				}
				return Good, nil
			})
			require.NoError(t, err)
			require.True(t, good < first && first <= bad && bad-good <= 2, "%d %d %d", good, first, bad)
		}
	}
	broken := func(context.Context, int) (Side, error) { return Unknown, errors.New("no luck") }
	_, _, err := FirstBad(t.Context(), 5, broken)
	require.ErrorContains(t, err, "no luck")
}

func TestGap(t *testing.T) {
	g, err := NewGap([]float64{100, 100.1, 99.9}, []float64{110, 110.1, 110})
	require.NoError(t, err)
	for count, want := range map[float64]Side{99: Good, 104: Good, 106: Bad, 200: Bad} {
		require.Equal(t, want, g.Side(count), count)
	}
	for _, bad := range [][]float64{{100.9, 100.9, 100.9}, {102, 110, 102}} {
		_, err := NewGap([]float64{100, 100, 100}, bad)
		require.ErrorContains(t, err, "do not distinguish the ends")
	}
}
