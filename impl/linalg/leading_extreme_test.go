package linalg_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// TestLeadingScales: a power of two changes nothing but the exponents of values and residuals, into the subnormal
// numbers and up to the largest ones. Entries are small integers, so that no digit is lost on the way.
func TestLeadingScales(t *testing.T) {
	r := stream()
	a := mat.NewDense(30, 20, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return float64(r.IntN(17) - 8) }, a)
	top, err := linalg.Leading(linalg.Matrix(a), 3, 1e-8, stream())
	require.NoError(t, err)
	for _, e := range []int{1017, 1000, 500, -500, -900, -1000, -1030, -1070, -1074} {
		scaled := mat.NewDense(30, 20, nil)
		scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, a)
		operator := linalg.Matrix(scaled)
		sameBut(t, e, top, func() (*linalg.Triplets, error) { return linalg.Leading(operator, 3, 1e-8, stream()) })
	}
}

// sameBut requires the triplets of before with values and residuals times 2ᵉ.
func sameBut(t *testing.T, e int, before *linalg.Triplets, make func() (*linalg.Triplets, error)) {
	t.Helper()
	got, err := make()
	require.NoError(t, err, "%d", e)
	for i, v := range before.Values {
		require.Equal(t, math.Ldexp(v, e), got.Values[i], "%d", e)
		require.Equal(t, math.Ldexp(before.Residuals[i], e), got.Residuals[i], "%d", e)
	}
	require.Equal(t, before.Left, got.Left, "%d", e)
	require.Equal(t, before.Right, got.Right, "%d", e)
}

// coarse is the 4×4 matrix with a one in its corner, whose products round all below 10⁻¹⁰ to zero.
type coarse struct{}

func (coarse) Dims() (rows, cols int)         { return 4, 4 }
func (c coarse) MulVecTrans(dst, x []float64) { c.MulVec(dst, x) }
func (coarse) MulVec(dst, x []float64) {
	clear(dst)
	if math.Abs(x[0]) > 1e-10 {
		dst[0] = x[0]
	}
}

// TestOnlyTheFirstProductChoosesTheUnit: later ones may be zero, and mean it. Each value is right to the 10⁻¹⁰ by which
// products are off.
func TestOnlyTheFirstProductChoosesTheUnit(t *testing.T) {
	got, err := linalg.Leading(coarse{}, 2, 1e-8, stream())
	require.NoError(t, err)
	below(t, "coarse", "largest value − 1", math.Abs(got.Values[0]-1), 1e-10)
	below(t, "coarse", "second value", got.Values[1], 1e-10)
}

// TestTheLargestNumbers: entries from 2¹⁰²³ on, whose power of two above is no number.
func TestTheLargestNumbers(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{4, 2, 1, -4})
	huge := mat.NewDense(2, 2, nil)
	huge.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, 1021) }, a)
	f, err := linalg.QR(a)
	require.NoError(t, err)
	g, err := linalg.QR(huge)
	require.NoError(t, err)
	require.True(t, mat.Equal(f.Q(), g.Q()))
	want := f.R()
	want.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, 1021) }, want)
	require.True(t, mat.Equal(want, g.R()))
	p, err := linalg.Polar(mat.NewDense(1, 1, []float64{math.MaxFloat64}), linalg.PolarOptions{})
	require.NoError(t, err)
	require.Equal(t, math.MaxFloat64, p.Norm) // an upper bound that the next call takes

	// The one singular value is 3.4e308. That is no number.
	long := mat.NewDense(4, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.7e308})
	_, err = linalg.Leading(linalg.Matrix(long), 1, 1e-8, stream())
	require.EqualError(t, err, "linalg: a singular value overflows")
}
