package compare

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDriftIsShared: where one sample in ten drifts by a seventh, no row can be called slower by ten percent; where one
// in forty does, the others can.
func TestDriftIsShared(t *testing.T) {
	verdict := func(rows, drifting int) Decision {
		old, new := []string{lines("Slow", 10, 1000)}, []string{lines("Slow", 10, 1100)}
		for i := range rows {
			name := "Row" + string(rune('A'+i))
			old = append(old, lines(name, 10, 1000))
			if i < drifting {
				new = append(new, lines(name, 5, 1000)+lines(name, 5, 1150))
			} else {
				new = append(new, lines(name, 10, 1001))
			}
		}
		table, err := gateOf(t, head+mixed(old...), head+mixed(new...))
		require.NoError(t, err)
		require.Empty(t, table.Problems)
		return table.Rows[0].Verdict
	}
	require.Equal(t, Slower, verdict(19, 0))
	require.Equal(t, Slower, verdict(19, 1))
	require.Equal(t, Undecided, verdict(19, 5))
	require.Equal(t, Undecided, verdict(2, 1))
}

// TestRowsAreControls: of rows measured one at a time, one that stands out is slower; one among many that all moved is
// not known to be. Rows measured in rounds are judged by themselves.
func TestRowsAreControls(t *testing.T) {
	verdict := func(step float64, rounds bool) Decision {
		old, new := head, head
		block := func(n int) {
			for i := range 12 {
				name, ns := "Row"+string(rune('A'+i)), 1000.0
				old += lines(name, n, ns)
				switch {
				case i == 0:
					ns *= 1.2
				case i%2 == 0:
					ns *= 1 + step
				default:
					ns /= 1 + step
				}
				new += lines(name, n, ns)
			}
		}
		if rounds {
			for range 10 {
				block(1)
			}
		} else {
			block(10)
		}
		table, err := gateOf(t, old, new)
		require.NoError(t, err)
		return table.Rows[0].Verdict
	}
	require.Equal(t, Slower, verdict(0.01, false))
	require.Equal(t, Undecided, verdict(0.1, false))
	require.Equal(t, Slower, verdict(0.1, true))
}
