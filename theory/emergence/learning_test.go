package emergence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// Theorem 1's hypotheses at the sizes of the source's experiment: D = 100, m = 300, k = 5, γ = 1/4, δ = 0.05.
func TestHypothesesOutOfReach(t *testing.T) {
	got, err := emergence.Learning.Evaluate(map[string]string{"D": "100", "m": "300", "k": "5", "epsilon": "0.9999999"})
	require.NoError(t, err)
	within(t, "log²", got[0].Value, 216, 0.5)
	require.Greater(t, got[1].Value, 2.4e8)
	_, err = emergence.Learning.Evaluate(map[string]string{"k": "4"})
	require.ErrorContains(t, err, "k is odd")
}
