package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Y = (1, 3), M = 2: P = [[2, 4], [4, 6]], PPᵀ = [[20, 32], [32, 52]], tr = 72, S = 20 + 192 + 468 = 680; over N = 2.
func TestPairSumByHand(t *testing.T) {
	p := vcl.PairSum{Factor: 2, Squares: 10, Sum: 4, Samples: 2}
	require.Equal(t, []float64{36, 340, 2}, []float64{p.Trace(), p.Similarity(), p.Phi()})
	bad := vcl.PairSum{Factor: 2, Squares: 1, Sum: 4, Samples: 2}
	require.True(t, math.IsNaN(bad.Trace()) && math.IsNaN(bad.Similarity()))
}
