package spectra

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
)

// Where nothing is claimed about cosines, none are measured.
func TestTryDeformedBelowTheThreshold(t *testing.T) {
	for _, bulk := range []string{"atoms", "semicircle", "vanishing"} {
		at := map[string]string{"bulk": bulk, "theta": "0.3"}
		_, err := deformed.Simulate(t.Context(), at, props.SimulationOptions{Reps: 1})
		require.NoError(t, err, bulk)
	}
}
