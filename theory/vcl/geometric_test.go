package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// A = diag(4, 1), G = [[3.25, −0.625], [−0.625, 0.5625]]: W₊ = diag(2, 1)·T, computed to 20 digits.
func TestTransport(t *testing.T) {
	two := vcl.TwoColumns{A1: 4, A2: 1, G1: 3.25, G2: 0.5625, Cosine: -0.625 / math.Sqrt(3.25*0.5625)}
	t1, t12, t2 := two.Transport()
	require.InDelta(t, 1.796864545508709866/2, t1, 1e-15)
	require.InDelta(t, -0.14586913687883921521, t12, 1e-15)
	require.InDelta(t, 0.69093326712851934936, t2, 1e-15)
	general := vcl.TransportMap(mat.NewSymDense(2, []float64{4, 0, 0, 1}),
		mat.NewSymDense(2, []float64{3.25, -0.625, -0.625, 0.5625}))
	for i, want := range []float64{t1, t12, t12, t2} {
		require.InDelta(t, want, general.RawMatrix().Data[i], 1e-14)
	}
	bad := vcl.TwoColumns{A1: 1, A2: 1, G1: 1, G2: 1, Cosine: 1}
	require.Error(t, bad.Valid())
	t1, _, _ = bad.Transport()
	require.True(t, math.IsNaN(t1))
	require.True(t, math.IsNaN(vcl.TransportMap(mat.NewSymDense(1, []float64{math.NaN()}),
		mat.NewSymDense(1, []float64{1})).At(0, 0)))
}
