package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// A 3×3 convolution of a padded 28×28 image has 784 patches; without padding 26² = 676; with stride 2, 13² = 169.
func TestConvShape(t *testing.T) {
	c := vcl.ConvShape{Size: 3, Side: 28, Padding: 1, Stride: 1, In: 3, Out: 16}
	require.Equal(t, 784., c.Sites())
	require.Equal(t, 27., c.Patch())
	require.Equal(t, 27., c.Rank())
	require.Equal(t, 9., c.Overlap())
	c.Padding = 0
	require.Equal(t, 676., c.Sites())
	c.Stride = 2
	require.Equal(t, 169., c.Sites())
	require.Equal(t, 4., c.Overlap())
	c.Out = 4
	require.Equal(t, 8., c.Rank())
}

func TestConvShapeOutsideItsDomain(t *testing.T) {
	for _, c := range []vcl.ConvShape{{}, {Size: 5, Side: 2, Padding: 1, Stride: 1, In: 1, Out: 1}} {
		require.Error(t, c.Valid())
		require.True(t, math.IsNaN(c.Sites()) && math.IsNaN(c.Patch()) && math.IsNaN(c.Rank()) &&
			math.IsNaN(c.Overlap()))
	}
}
