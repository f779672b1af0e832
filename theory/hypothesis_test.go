package theory_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory"
)

func TestHypotheses(t *testing.T) {
	require.Equal(t, 2.0, theory.When(true, 2))
	require.True(t, math.IsNaN(theory.When(false, 2)))
	require.NoError(t, theory.Require(true, "the penalty must be positive"))
	require.EqualError(t, theory.Require(false, "the penalty must be positive"), "the penalty must be positive")
}
