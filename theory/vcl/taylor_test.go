package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// f = h² at 1 and 3: eᵢₖ = (hᵢ − hₖ)² sums to 8. Σf = 10, Σh = 4, Σf′ = 8: 2·2·10 − 32 = 8.
func TestHomogeneousSumByHand(t *testing.T) {
	require.Equal(t, 8., vcl.HomogeneousSum{Samples: 2, Degree: 2, Output: 10, Cross: 32}.Errors())
	require.True(t, math.IsNaN(vcl.HomogeneousSum{}.Errors()))
}
