package onestep

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReuseReference(t *testing.T) {
	for _, row := range []struct {
		r          Risk
		own, fresh float64
	}{
		{example("R1", setting1, 1), 0.2388, 0.3096},
		{Risk{Phi: 0.8, Psi: 0.4, Lambda: 0.05, Activation: Activation("tanh"), Terms: 1, Eta: infinite,
			Teacher: Teacher{Coefficients: []float64{0, 1}, Noise: 0.25}}, 0.0744, 0.0933},
	} {
		own, err := row.r.Reused()
		require.NoError(t, err)
		fresh, err := row.r.Errors()
		require.NoError(t, err)
		near(t, "own samples", own, row.own, 6e-5)
		near(t, "fresh samples", fresh.Objective, row.fresh, 6e-5)
	}
	_, err := example("R1", setting1, 2).Reused()
	require.ErrorContains(t, err, "one strong term")
}
