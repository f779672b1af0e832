package linalg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

func stream() *rand.Rand { return rand.New(rand.NewPCG(7, 11)) }

func gaussian(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
	return m
}

// withValues returns U diag(s) Vᵀ for random orthonormal U (rows×len(s)) and V (cols×len(s)).
func withValues(r *rand.Rand, rows, cols int, s []float64) *mat.Dense {
	orthonormal := func(n int) *mat.Dense {
		var qr mat.QR
		qr.Factorize(gaussian(r, n, len(s)))
		var q mat.Dense
		qr.QTo(&q)
		return mat.DenseCopyOf(q.Slice(0, n, 0, len(s)))
	}
	var us, m mat.Dense
	us.Mul(orthonormal(rows), mat.NewDiagDense(len(s), s))
	m.Mul(&us, orthonormal(cols).T())
	return &m
}

// check holds the triplets against the definition and against gonum's SVD. Full reorthogonalisation keeps every
// relation to a few roundings per product: p products of length n give p·n·u·‖A‖, of which 10 n u ‖A‖ is ample here.
func check(t *testing.T, name string, m *mat.Dense, k int, tol float64) *linalg.Triplets {
	t.Helper()
	got, err := linalg.Leading(linalg.Matrix(m), k, tol, stream())
	require.NoError(t, err, name)
	require.Len(t, got.Values, k, name)
	want, err := linalg.SingularValues(m)
	require.NoError(t, err, name)
	rows, cols := m.Dims()
	rounding := 10 * float64(max(rows, cols)) * roundoff.Ulp * (want[0] + math.SmallestNonzeroFloat64)
	near := func(what string, discrepancy, allowed float64) {
		t.Helper()
		if !(math.Abs(discrepancy) <= allowed) {
			t.Errorf("%s: %s is off by %.3g, allowed %.3g", name, what, discrepancy, allowed)
		}
	}
	for i, value := range got.Values {
		near("value", value-want[i], tol*want[0]+rounding)
		near("residual", got.Residuals[i], tol*want[0])
		forward, backward := make([]float64, rows), make([]float64, cols)
		linalg.Matrix(m).MulVec(forward, got.Right[i])
		floats.AddScaled(forward, -value, got.Left[i])
		near("A v − σu", floats.Norm(forward, 2), rounding)
		linalg.Matrix(m).MulVecTrans(backward, got.Left[i])
		floats.AddScaled(backward, -value, got.Right[i])
		near("stated residual", floats.Norm(backward, 2)-got.Residuals[i], rounding)
		for j := range k {
			delta := 0.0
			if i == j {
				delta = 1
			}
			near("orthonormality of left vectors", floats.Dot(got.Left[i], got.Left[j])-delta, 1e-13)
			near("orthonormality of right vectors", floats.Dot(got.Right[i], got.Right[j])-delta, 1e-13)
		}
	}
	return got
}

func TestLeadingAgreesWithTheFullDecomposition(t *testing.T) {
	r := stream()
	check(t, "tall", gaussian(r, 90, 40), 3, 1e-8)
	check(t, "wide", gaussian(r, 40, 90), 3, 1e-8)
	check(t, "square", gaussian(r, 60, 60), 5, 1e-10)
	check(t, "one by one", mat.NewDense(1, 1, []float64{-3}), 1, 1e-12)
	check(t, "row", gaussian(r, 1, 17), 1, 1e-12)
	check(t, "all of them", gaussian(r, 7, 5), 5, 1e-12)
	check(t, "graded", withValues(r, 50, 30, []float64{1e8, 1, 1e-8}), 2, 1e-12)
	check(t, "integers", mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), 2, 1e-12)
}

func TestLeadingOnDegenerateMatrices(t *testing.T) {
	r := stream()
	check(t, "zero", mat.NewDense(9, 6, nil), 3, 1e-10)
	check(t, "rank one", withValues(r, 40, 30, []float64{5}), 3, 1e-10)
	check(t, "identity", mat.DenseCopyOf(mat.NewDiagDense(12, floats.Span(make([]float64, 12), 1, 1))), 4, 1e-10)
	check(t, "repeated", withValues(r, 60, 40, []float64{3, 3, 3, 2, 2, 1, .9, .8, .7, .6, .5}), 4, 1e-10)
	check(t, "nearly repeated", withValues(r, 60, 40, []float64{3, 3 - 1e-9, 2, 1}), 2, 1e-12)
	check(t, "tiny", withValues(r, 20, 20, []float64{3e-200, 1e-200}), 2, 1e-10)
}

func TestASpikeNeedsFewProducts(t *testing.T) {
	r := stream()
	m := gaussian(r, 300, 200)
	u, v := make([]float64, 300), make([]float64, 200)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	for i := range v {
		v[i] = r.NormFloat64()
	}
	spiked := linalg.Updated(linalg.Matrix(m), 1, u, v)
	got, err := linalg.Leading(spiked, 1, 1e-6, stream())
	require.NoError(t, err)
	require.LessOrEqual(t, got.Products, 12) // the spike is 245, the bulk 32: (32/245)² per product

	var formed mat.Dense
	formed.RankOne(m, 1, mat.NewVecDense(300, u), mat.NewVecDense(200, v))
	want := check(t, "formed", &formed, 1, 1e-6)
	if d := got.Values[0] - want.Values[0]; !(math.Abs(d) <= 1e-10) {
		t.Errorf("the update without forming it differs by %v", d)
	}
}

func TestWhatIsNotFiniteIsAnError(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		m := gaussian(stream(), 6, 4)
		m.Set(2, 3, bad)
		_, err := linalg.Leading(linalg.Matrix(m), 1, 1e-8, stream())
		require.ErrorIs(t, err, linalg.ErrNotFinite)
		_, err = linalg.SingularValues(m)
		require.ErrorIs(t, err, linalg.ErrNotFinite)
	}
}

func TestNoConvergenceIsAnErrorWithTheResidual(t *testing.T) {
	_, err := linalg.Leading(linalg.Matrix(gaussian(stream(), 500, 450)), 1, 1e-300, stream())
	require.ErrorContains(t, err, "residual")
}

func TestArgumentsStayAndShapesPanic(t *testing.T) {
	m := gaussian(stream(), 8, 5)
	before := mat.DenseCopyOf(m)
	_, err := linalg.Leading(linalg.Matrix(m), 2, 1e-8, stream())
	require.NoError(t, err)
	_, err = linalg.SingularValues(m)
	require.NoError(t, err)
	require.True(t, mat.Equal(before, m))
	require.PanicsWithValue(t, "linalg: number of triplets out of range",
		func() { _, _ = linalg.Leading(linalg.Matrix(m), 6, 1e-8, stream()) })
	require.PanicsWithValue(t, "linalg: tolerance is not positive",
		func() { _, _ = linalg.Leading(linalg.Matrix(m), 1, math.NaN(), stream()) })
	require.PanicsWithValue(t, "linalg: lengths of the update do not fit the operator",
		func() { linalg.Updated(linalg.Matrix(m), 1, make([]float64, 5), make([]float64, 8)) })
}
