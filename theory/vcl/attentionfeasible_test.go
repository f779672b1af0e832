package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

func TestNegativeEigenvaluesOfAHead(t *testing.T) {
	s := vcl.AttentionShape{Tokens: 4, Sequences: 1, Width: 16, Head: 8, Out: 2}
	require.Equal(t, 3., s.Negative("queries"))
	require.Equal(t, 2., s.Negative("values"))
	s.Head = 15
	require.Equal(t, 1., s.Negative("keys"))
	s.Head = 16
	require.Equal(t, 0., s.Negative("keys"))
	s.Head = 0
	require.True(t, math.IsNaN(s.Negative("keys")))
	require.Equal(t, 3., vcl.StackBound(2, 1, 0.5))
	require.True(t, math.IsNaN(vcl.StackBound(-1, 1, 1)))
}
