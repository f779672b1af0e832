package props

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRegimeOf asks for the last regime whose condition holds, the first one if none does, and a panic where conditions
// and regimes do not fit together.
func TestRegimeOf(t *testing.T) {
	r := &Record{regimes: []string{"any", "odd", "large"}}
	for want, conditions := range map[string][2]bool{"any": {}, "odd": {true, false}, "large": {true, true}} {
		r.RegimeOf(conditions[0], conditions[1])
		require.Equal(t, want, r.regime)
	}
	require.PanicsWithValue(t, "props: 1 conditions of 3 regimes; the first has none", func() { r.RegimeOf(true) })
}
