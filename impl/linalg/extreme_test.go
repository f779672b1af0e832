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

// gonumValues is gonum's, the oracle here.
func gonumValues(t *testing.T, a *mat.Dense) []float64 {
	t.Helper()
	var svd mat.SVD
	require.True(t, svd.Factorize(a, mat.SVDNone))
	return svd.Values(nil)
}

// TestSmallest: values to the residual or LAPACK's max(m, n)·ulp·σmax, whichever is larger; residuals of twice that,
// for the product as well, plus the tol·σᵢ²/σ₁ that is promised; orthonormal vectors, to p·n·u for a Krylov basis of p
// ≤ n vectors (60·ulp·n is ample).
func TestSmallest(t *testing.T) {
	for _, x := range examples() {
		if x.name == "scaled" || x.name == "graded columns" {
			continue
		}
		m, n := x.a.Dims()
		k := min(2, m, n)
		const tol = 1e-8
		before := mat.DenseCopyOf(x.a)
		got, err := linalg.Smallest(x.a, k, tol, stream())
		name := fmt.Sprint(x.name, " ", m, "×", n)
		require.NoError(t, err, name)
		require.True(t, mat.Equal(before, x.a), name)
		s := gonumValues(t, x.a)
		rounding := float64(max(m, n)) * roundoff.Ulp * s[0]
		for i, value := range got.Values {
			want := s[len(s)-1-i]
			if s[0] == 0 {
				require.Zero(t, value)
				got.Values[0] = 1
			}
			below(t, name, "value", math.Abs(value-want), max(got.Residuals[i], rounding)+rounding)
			below(t, name, "residual", got.Residuals[i], 2*rounding+promised(tol, value, got.Values[0]))
			for j := range k {
				delta := map[bool]float64{true: 1}[i == j]
				below(t, name, "orthonormality of left vectors", math.Abs(floats.Dot(got.Left[i], got.Left[j])-delta),
					60*roundoff.Ulp*float64(max(m, n)))
				below(t, name, "orthonormality of right vectors", math.Abs(floats.Dot(got.Right[i], got.Right[j])-delta),
					60*roundoff.Ulp*float64(max(m, n)))
			}
		}
	}
}

// promised is tol·σᵢ²/σ₁, where 0²/0 is 0.
func promised(tol, value, first float64) float64 {
	if value == 0 {
		return 0
	}
	return tol * value * value / first
}

func TestSmallestBounds(t *testing.T) {
	for _, x := range examples() {
		m, n := x.a.Dims()
		if x.name == "scaled" || x.name == "graded columns" {
			continue
		}
		name := fmt.Sprint(x.name, " ", m, "×", n)
		lower, upper, err := linalg.SmallestBounds(x.a)
		require.NoError(t, err, name)
		s := gonumValues(t, x.a)
		smallest, rounding := s[len(s)-1], float64(max(m, n))*roundoff.Ulp*s[0]*math.Sqrt(float64(min(m, n)))
		below(t, name, "lower bound", lower, smallest+rounding)
		below(t, name, "σmin", smallest, upper+rounding)
		below(t, name, "lower bound", lower, upper)
		if smallest > 2*rounding {
			below(t, name, "σmin over the lower bound", smallest/lower, 1.1*math.Sqrt(float64(min(m, n))))
			below(t, name, "upper bound over σmin", upper/smallest, 2)
		}
	}
	lower, upper, err := linalg.SmallestBounds(mat.NewDense(2, 2, []float64{3e300, 0, 0, 4e300}))
	require.NoError(t, err)
	below(t, "huge", "lower bound", lower, 3e300)
	below(t, "huge", "−upper bound", -upper, -3e300*(1-roundoff.Ulp))
}

func TestCondition(t *testing.T) {
	for _, want := range []float64{1, 10, 1e5, 1e10} {
		got, relative, err := linalg.Condition(withValues(stream(), 40, 30, geometric(30, want)), 1e-10, stream())
		require.NoError(t, err)
		// The matrix itself was made with a rounding of 40·ulp·σmax, which is 40·ulp·κ relative to σmin.
		below(t, fmt.Sprint(want), "error of the condition", math.Abs(got/want-1), relative+40*roundoff.Ulp*want)
		below(t, fmt.Sprint(want), "stated error", relative, 2e-10+40*roundoff.Ulp*want)
	}
	for _, singular := range []*mat.Dense{mat.NewDense(4, 3, nil), withValues(stream(), 20, 20, ones(7))} {
		got, relative, err := linalg.Condition(singular, 1e-10, stream())
		require.NoError(t, err)
		require.Equal(t, math.Inf(1), got)
		require.Zero(t, relative)
	}
	a := withValues(stream(), 40, 30, geometric(30, 1e5))
	r := stream()
	top, err := linalg.Leading(linalg.Matrix(a), 1, 1e-3, r)
	require.NoError(t, err)
	bottom, err := linalg.Smallest(a, 1, 1e-3, r)
	require.NoError(t, err)
	got, relative, err := linalg.Condition(a, 1e-3, stream())
	require.NoError(t, err)
	require.Equal(t, top.Values[0]/bottom.Values[0], got)
	require.Equal(t, top.Residuals[0]/top.Values[0]+bottom.Residuals[0]/bottom.Values[0], relative) // of both ends
	require.Positive(t, bottom.Residuals[0])
	require.Positive(t, top.Residuals[0])
}

func TestExtremesRefuseWhatIsNotFinite(t *testing.T) {
	a := gaussian(stream(), 6, 4)
	a.Set(2, 3, math.NaN())
	_, err := linalg.Smallest(a, 1, 1e-8, stream())
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	_, _, err = linalg.SmallestBounds(a)
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	_, _, err = linalg.Condition(a, 1e-8, stream())
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	require.PanicsWithValue(t, "linalg: number of triplets out of range",
		func() { _, _ = linalg.Smallest(a, 5, 1e-8, stream()) })
}
