package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The worked case: one step beats ridge regression with the best penalty on as many samples, and not on twice as many.
func TestOneStepAgainstLinearRegression(t *testing.T) {
	near(t, "tuned ridge", TunedRidge(0.5, 1, 1), 1.4142, 5e-5)
	near(t, "on twice the samples", TunedRidge(0.25, 1, 1), 1.2361, 5e-5)
	require.True(t, math.IsNaN(TunedRidge(0, 1, 1)))
	r := Risk{Phi: 0.5, Psi: 0.2, Lambda: 1.5, Activation: Activation("tanh"), Teacher: setting1, Terms: 1, Eta: 8,
		Width: 1}
	e, err := r.Errors()
	require.NoError(t, err)
	near(t, "one step", e.Test, 1.31384, 5e-6)
	// The best λ at each step size.
	for eta, want := range map[float64]float64{1: 1.44111, 2: 1.40553, 4: 1.34935, 8: 1.31347, infinite: 1.30251} {
		best := math.Inf(1)
		for lambda := 0.05; lambda < 20; lambda *= 1.01 {
			r.Eta, r.Lambda = eta, lambda
			e, err := r.Errors()
			require.NoError(t, err)
			best = min(best, e.Test)
		}
		near(t, "best λ", best, want, 2e-5)
	}
}
