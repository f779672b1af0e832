package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// jordan is one Jordan block, or part of one: d on the diagonal and ones above it.
func jordan(m, n int, d float64) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	for i := range min(m, n) {
		a.Set(i, i, d)
		if i+1 < n {
			a.Set(i, i+1, 1)
		}
	}
	return a
}

// treacherous are finite matrices whose triangles have an inverse that overflows, or one so large that it hides all
// triplets but one: nilpotent ones, and Jordan blocks with an eigenvalue below the weight of their coupling.
func treacherous() []example {
	list := []example{{"shift", jordan(22, 18, 0)}, {"shift", jordan(18, 22, 0)}}
	for n := 1; n <= 25; n++ {
		list = append(list, example{"shift", jordan(n, n, 0)})
	}
	for _, n := range []int{10, 26, 63, 64, 65, 100} {
		for _, d := range []float64{0.1, 1e-2, 1e-5, 1e-7} {
			list = append(list, example{fmt.Sprint("Jordan ", d), jordan(n, n, d)})
		}
		strict := gaussian(stream(), n, n)
		strict.Apply(func(i, j int, v float64) float64 {
			if i >= j {
				return 0
			}
			return v
		}, strict)
		list = append(list, example{"strictly upper", strict})
	}
	return list
}

// TestSmallestOfTreacherousMatrices: an answer for each of them, to the residual or to the rounding error bound of an
// SVD, max(m, n)·ulp·σmax, once for this and once for the SVD it is compared with. Where σmin is nothing but rounding
// no residual is more than that either.
func TestSmallestOfTreacherousMatrices(t *testing.T) {
	const tol = 1e-8
	for _, x := range treacherous() {
		m, n := x.a.Dims()
		s := gonumValues(t, x.a)
		rounding := float64(max(m, n)) * roundoff.Ulp * s[0]
		for k := 1; k <= min(3, len(s)); k++ {
			name := fmt.Sprint(x.name, " ", m, "×", n, ", ", k, " triplets")
			got, err := linalg.Smallest(x.a, k, tol, stream())
			require.NoError(t, err, name)
			require.Len(t, got.Values, k, name)
			for i, value := range got.Values {
				at, allowed := len(s)-1-i, 2*rounding
				if s[len(s)-1] > 2*rounding { // the residual may be large, and some value within it is all that is said
					allowed += tol * value * value / got.Values[0]
					at = floats.NearestIdx(s, value)
				}
				below(t, name, "value", math.Abs(value-s[at]), max(got.Residuals[i], rounding)+rounding)
				below(t, name, "residual", got.Residuals[i], allowed)
				for _, v := range [][]float64{got.Left[i], got.Right[i]} { // as in TestSmallest
					below(t, name, "length of a vector", math.Abs(floats.Norm(v, 2)-1),
						60*roundoff.Ulp*float64(max(m, n)))
				}
			}
		}
		condition, relative, err := linalg.Condition(x.a, tol, stream())
		require.NoError(t, err)
		want := s[0] / s[len(s)-1]
		switch name := fmt.Sprint(x.name, " ", m, "×", n); {
		case s[len(s)-1] > 2*rounding: // both σmin are off by rounding at most
			below(t, name, "condition", math.Abs(condition/want-1), relative+2*rounding/s[len(s)-1])
		case s[len(s)-1] < rounding/2:
			require.Equal(t, math.Inf(1), condition, name)
		}
	}
}

// TestExtremesScale: a power of two changes nothing but the exponents of values and residuals, into the subnormal
// numbers and up to the largest ones. Entries are small integers, so that no digit is lost on the way.
func TestExtremesScale(t *testing.T) {
	r := stream()
	a := mat.NewDense(30, 20, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return float64(r.IntN(17) - 8) }, a)
	top, err := linalg.Leading(linalg.Matrix(a), 3, 1e-8, stream())
	require.NoError(t, err)
	bottom, err := linalg.Smallest(a, 2, 1e-8, stream())
	require.NoError(t, err)
	condition, _, err := linalg.Condition(a, 1e-8, stream())
	require.NoError(t, err)
	for _, e := range []int{1017, 1000, 500, -500, -900, -1000, -1030, -1070, -1074} {
		scaled := mat.NewDense(30, 20, nil)
		scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, a)
		operator := linalg.Matrix(scaled)
		sameBut(t, e, top, func() (*linalg.Triplets, error) { return linalg.Leading(operator, 3, 1e-8, stream()) })
		sameBut(t, e, bottom, func() (*linalg.Triplets, error) { return linalg.Smallest(scaled, 2, 1e-8, stream()) })
		got, _, err := linalg.Condition(scaled, 1e-8, stream())
		require.NoError(t, err, "%d", e)
		require.Equal(t, condition, got, "%d", e)
		norm, err := linalg.Norm(operator, 1e-8, stream())
		require.NoError(t, err, "%d", e)
		// Both are off by the tolerance, and where the value is subnormal by half the least number: 2⁻¹⁰⁷⁵⁻ᵉ ≤ ½ here.
		below(t, fmt.Sprint(e), "σ₁ above the norm", top.Values[0]*(1-1e-8), math.Ldexp(norm, -e)+0.5)
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
	lower, upper, err := linalg.SmallestBounds(a)
	require.NoError(t, err)
	low, up, err := linalg.SmallestBounds(huge)
	require.NoError(t, err)
	require.Equal(t, []float64{math.Ldexp(lower, 1021), math.Ldexp(upper, 1021)}, []float64{low, up})
	_, _, err = linalg.Condition(huge, 1e-8, stream())
	require.NoError(t, err)
	p, err := linalg.Polar(mat.NewDense(1, 1, []float64{math.MaxFloat64}), linalg.PolarOptions{})
	require.NoError(t, err)
	require.Equal(t, math.MaxFloat64, p.Norm) // an upper bound that the next call takes

	// The one singular value is 3.4e308. That is no number, but the matrix is finite, and its condition is 1.
	long := mat.NewDense(4, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.7e308})
	_, err = linalg.Norm(linalg.Matrix(long), 1e-8, stream())
	require.EqualError(t, err, "linalg: a singular value overflows")
	_, err = linalg.Smallest(long, 1, 1e-8, stream())
	require.EqualError(t, err, "linalg: a singular value overflows")
	condition, _, err := linalg.Condition(long, 1e-8, stream())
	require.NoError(t, err)
	// two norms of four entries, at most eight roundings each
	below(t, "a column", "condition − 1", math.Abs(condition-1), 8*roundoff.Ulp)
}

// TestExtremesSurfaceTheirErrors: values so dense at one end, and a tolerance so small, that 400 products do not do.
// The other end is a value apart, which converges.
func TestExtremesSurfaceTheirErrors(t *testing.T) {
	const n, tol = 600, 1e-14
	dense := make([]float64, n)
	for i := range dense {
		dense[i] = 1 + math.Pow(float64(i)/n, 2)
	}
	dense[n-1] = 1e3
	hard := mat.DenseCopyOf(mat.NewDiagDense(n, dense))
	wide := mat.NewDense(n, n+1, nil)
	wide.Slice(0, n, 0, n).(*mat.Dense).Copy(hard)
	_, err := linalg.Norm(linalg.Matrix(hard), tol, stream())
	require.NoError(t, err)
	condition, relative, err := linalg.Condition(wide, tol, stream())
	require.ErrorContains(t, err, "residual")
	require.True(t, math.IsNaN(condition) && math.IsNaN(relative))
	for i, v := range dense {
		hard.Set(i, i, 1/v)
	}
	condition, relative, err = linalg.Condition(hard, tol, stream())
	require.ErrorContains(t, err, "residual")
	require.True(t, math.IsNaN(condition) && math.IsNaN(relative))
}
