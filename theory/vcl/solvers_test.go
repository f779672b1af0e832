package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// The paper's layer on CIFAR: 9·3072³ = 2.61e11 dominates the full route; the polar route has 4·256²·3072 + 14·256³ +
// 2·256·3072·64.
func TestRoutesByHand(t *testing.T) {
	r := vcl.Routes{Outputs: 256, Inputs: 3072, Batch: 64, Blocks: 4}
	require.Equal(t, 9.*3072*3072*3072+24.*256*256*256+2.*3072*3072*64+4.*256*256*3072, r.Full())
	require.Equal(t, 4.*256*256*3072+14.*256*256*256+2.*256*3072*64, r.Polar())
	require.Equal(t, 16.*256*256*256+8.*256*256*64+3072.*64*64+2.*256*64*64+2.*256*3072*64, r.Factored())
	require.Equal(t, 16.*27+6*9*4+9*4+2*3*4*4, vcl.Routes{Outputs: 3, Inputs: 4, Batch: 4, Blocks: 1}.Factored(),
		"FFᵀ is computed")
	require.Equal(t, 2.*256*3072*64, r.Descent())
	require.Equal(t, 9.*320*320*320+24.*256*256*256+2.*3072*320*320+4.*256*3072*320, r.Reduced())
	r.Batch = 8
	require.Equal(t, 6.*256*3072*64+20.*64*64*64+2.*256*3072*8, r.Krylov())
	tall := vcl.Routes{Outputs: 9, Inputs: 4, Batch: 2, Blocks: 1}
	require.Equal(t, tall.Full(), tall.Reduced())
	require.True(t, math.IsNaN(vcl.Routes{}.Full()) && math.IsNaN(vcl.Routes{Outputs: 1}.Krylov()))
}
