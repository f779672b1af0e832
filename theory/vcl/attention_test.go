package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// A single token attends to itself whatever its query: nothing moves W_Q and W_K.
func TestAttentionShape(t *testing.T) {
	s := vcl.AttentionShape{Tokens: 4, Sequences: 1, Width: 16, Head: 8, Out: 16}
	require.Equal(t, 3., s.GradientRank("queries"))
	require.Equal(t, 6., s.ResidualRank("keys"))
	require.Equal(t, 4., s.GradientRank("values"))
	require.Equal(t, 8., s.ResidualRank("output"))
	s.Tokens = 1
	require.Equal(t, 0., s.GradientRank("queries"))
	require.Equal(t, 2., s.ResidualRank("values"))
	s.Out = 0
	require.Error(t, s.Valid())
	require.True(t, math.IsNaN(s.GradientRank("values")))
	require.True(t, math.IsNaN(s.ResidualRank("values")))
}
