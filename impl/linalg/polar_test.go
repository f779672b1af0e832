package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// departure is ‖I − UᵀU‖_F, or that of UUᵀ where U has more columns than rows.
func departure(u *mat.Dense) float64 {
	m, n := u.Dims()
	var g mat.Dense
	if m >= n {
		g.Mul(u.T(), u)
	} else {
		g.Mul(u, u.T())
	}
	for i := range min(m, n) {
		g.Set(i, i, g.At(i, i)-1)
	}
	return mat.Norm(&g, 2)
}

// checkPolar holds a factor to the definition:
//   - ‖I − UᵀU‖_F ≤ 10√k·u, k = min(m, n), plus √k·√m·u for the dots of length m that the test takes: the last step
//     rounds every entry of U a few times, errors that are independent and of the size u/√m each. From the SVD route it
//     is LAPACK's m·ulp, per column.
//   - ‖A − UH‖₁ ≤ max(m, n)·ulp·‖A‖₁, LAPACK's ratio of a residual below one, or 5√k·ulp·‖A‖₁ if that is more: (I −
//     UUᵀ)·A is a part of the residual, and the first condition lets it be 10√k·u = 5√k·ulp times ‖A‖.
//   - H is symmetric by construction, and λmin(H) ≥ −max(m, n)·ulp·‖H‖: the size of the residual, in which H could be
//     off.
func checkPolar(t *testing.T, name string, a *mat.Dense, p linalg.PolarFactor) {
	t.Helper()
	m, n := a.Dims()
	k := min(m, n)
	allowed := (10*math.Sqrt(float64(k)) + math.Sqrt(float64(m*n))) * roundoff.Unit
	if p.Method == "svd" {
		allowed = math.Sqrt(float64(k)) * float64(max(m, n)) * roundoff.Ulp
	}
	below(t, name, "distance from orthogonality", departure(p.U), allowed)
	h := p.H(a)
	var product mat.Dense
	if m >= n {
		product.Mul(p.U, h)
	} else {
		product.Mul(h, p.U)
	}
	below(t, name, "residual", excess(max(m, n), &product, a), max(1, 5*math.Sqrt(float64(k))/float64(max(m, n))))
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(h, false), name)
	w := eigen.Values(nil)
	below(t, name, "−λmin(H)", -w[0], float64(max(m, n))*roundoff.Ulp*math.Abs(w[k-1]))
}

func TestPolar(t *testing.T) {
	for _, x := range examples() {
		if x.name == "scaled" { // see TestPolarScales
			continue
		}
		before := mat.DenseCopyOf(x.a)
		p, err := linalg.Polar(x.a, linalg.PolarOptions{})
		require.NoError(t, err, x.name)
		require.True(t, mat.Equal(before, x.a), x.name)
		m, n := x.a.Dims()
		checkPolar(t, fmt.Sprint(x.name, " ", m, "×", n), x.a, p)
	}
}

// TestPolarAgreesWithTheSVD: the factors differ by at most the condition of the problem, ‖ΔU‖ ≤ 2‖ΔA‖/(σ_n + σ_{n−1}) ≤
// κ·‖ΔA‖/‖A‖ (Higham, Functions of Matrices, theorem 8.9), where each of the two routes has a ΔA of at most n·ulp·‖A‖.
func TestPolarAgreesWithTheSVD(t *testing.T) {
	for _, s := range [][2]int{{60, 60}, {200, 60}, {60, 100}} {
		for _, condition := range []float64{1, 3, 10, 1e3, 1e6, 1e9, 1e12} {
			a := withValues(stream(), s[0], s[1], geometric(60, condition))
			p, err := linalg.Polar(a, linalg.PolarOptions{})
			require.NoError(t, err)
			require.Equal(t, "qdwh", p.Method)
			below(t, fmt.Sprint(s, condition), "estimate of the condition, over it", p.LowerBound*condition, 1.1)
			below(t, fmt.Sprint(s, condition), "it, over the estimate", 1/(p.LowerBound*condition), 4)
			want, err := linalg.PolarSVD(a)
			require.NoError(t, err)
			want.Sub(want, p.U)
			below(t, fmt.Sprint(s, condition), "difference", mat.Norm(want, 2),
				math.Sqrt(60)*2*float64(max(s[0], s[1]))*roundoff.Ulp*condition)
		}
	}
}

// TestPolarKnowsH: for A = Q·S with known orthogonal Q and S positive definite, U is Q and H is S. Here both are
// integers over powers of two.
func TestPolarKnowsH(t *testing.T) {
	half := []float64{ // a Hadamard matrix over 2
		.5, .5, .5, .5,
		.5, -.5, .5, -.5,
		.5, .5, -.5, -.5,
		.5, -.5, -.5, .5}
	q := mat.NewDense(4, 4, half)
	s := mat.NewSymDense(4, []float64{4, 1, 0, 0, 1, 3, 1, 0, 0, 1, 5, 2, 0, 0, 2, 6})
	var a mat.Dense
	a.Mul(q, s)
	p, err := linalg.Polar(&a, linalg.PolarOptions{})
	require.NoError(t, err)
	below(t, "known", "U", excess(4, p.U, q), 4) // κ(S) is below 4
	below(t, "known", "H", excess(4, p.H(&a), s), 4)
}

// TestPolarConverges: two steps where κ = 12, and a wrong bound costs steps and nothing else.
func TestPolarConverges(t *testing.T) {
	a := withValues(stream(), 50, 50, geometric(50, 12))
	p, err := linalg.Polar(a, linalg.PolarOptions{})
	require.NoError(t, err)
	require.LessOrEqual(t, p.Iterations, 2)
	for _, bound := range []float64{1e-12, 1e-3, 0.08, 0.5, 1} {
		q, err := linalg.Polar(a, linalg.PolarOptions{LowerBound: bound})
		require.NoError(t, err)
		checkPolar(t, fmt.Sprint("bound ", bound), a, q)
		var d mat.Dense
		d.Sub(q.U, p.U)
		below(t, fmt.Sprint("bound ", bound), "difference", mat.Norm(&d, 2), 2*math.Sqrt(50)*50*roundoff.Ulp*12)
	}
	for _, wrong := range []float64{1e-3, 0.3, 0.8, 1, 3, 1e3} {
		q, err := linalg.Polar(a, linalg.PolarOptions{LowerBound: p.LowerBound, Norm: wrong * p.Norm})
		require.NoError(t, err)
		require.Equal(t, wrong*p.Norm, q.Norm)
		if wrong == 1 {
			require.True(t, mat.Equal(p.U, q.U) && p.Iterations == q.Iterations)
		}
		checkPolar(t, fmt.Sprint("norm off by ", wrong), a, q)
	}
	_, err = linalg.Polar(withValues(stream(), 9, 9, []float64{1, 1, 1}), linalg.PolarOptions{LowerBound: 0.5})
	if err != nil { // rounding may have given it full rank
		require.ErrorContains(t, err, "iterations")
	}
	_, err = linalg.Polar(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 0}), linalg.PolarOptions{LowerBound: 0.5})
	require.ErrorContains(t, err, "30 polar iterations")
	require.Panics(t, func() { _, _ = linalg.Polar(a, linalg.PolarOptions{LowerBound: math.NaN()}) })
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		require.Panics(t, func() { _, _ = linalg.Polar(a, linalg.PolarOptions{Norm: bad}) })
	}
}

// TestPolarCloses: whatever norm of I − XXᵀ the iteration ends with, and so of every degree of the polynomial. Orders
// differ in how far the Frobenius norm is from the largest eigenvalue.
func TestPolarCloses(t *testing.T) {
	for _, n := range []int{4, 12, 40} {
		for i := range 60 {
			condition := math.Pow(30, float64(i)/59)
			a := withValues(stream(), n, n, geometric(n, condition))
			p, err := linalg.Polar(a, linalg.PolarOptions{})
			require.NoError(t, err)
			checkPolar(t, fmt.Sprintf("n=%d, κ=%.3g", n, condition), a, p)
		}
	}
}

// TestPolarSharesMemory: a workspace changes no bit, whatever is left in it.
func TestPolarSharesMemory(t *testing.T) {
	var w linalg.PolarWorkspace
	for _, s := range [][2]int{{30, 30}, {9, 30}, {70, 20}, {20, 25}, {30, 30}} {
		a := gaussian(stream(), s[0], s[1])
		want, err := linalg.Polar(a, linalg.PolarOptions{})
		require.NoError(t, err)
		got, err := linalg.Polar(a, linalg.PolarOptions{Work: &w})
		require.NoError(t, err)
		require.True(t, mat.Equal(want.U, got.U), s)
		a.Set(0, 0, math.NaN())
		_, err = linalg.Polar(a, linalg.PolarOptions{Work: &w})
		require.ErrorIs(t, err, linalg.ErrNotFinite)
	}
}

// TestPolarScales: U does not depend on a power of two, however near to overflow or underflow.
func TestPolarScales(t *testing.T) {
	a := gaussian(stream(), 30, 20)
	want, err := linalg.Polar(a, linalg.PolarOptions{})
	require.NoError(t, err)
	for _, e := range []int{1000, -1000} {
		scaled := mat.NewDense(30, 20, nil)
		scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, a)
		got, err := linalg.Polar(scaled, linalg.PolarOptions{})
		require.NoError(t, err)
		// κ is below 20, and the norms of X are not powers of two
		below(t, "scaled", "difference", excess(30, got.U, want.U), 20)
	}
}

// TestPolarOfTheLargestSingularMatrix: of finite entries, with a singular value of 3.4e308, which is no number. U is an
// isometry all the same, by the allowance of checkPolar for a matrix without full rank.
func TestPolarOfTheLargestSingularMatrix(t *testing.T) {
	const x = 1.7e308
	p, err := linalg.Polar(mat.NewDense(2, 2, []float64{x, x, x, x}), linalg.PolarOptions{})
	require.NoError(t, err)
	require.Equal(t, "svd", p.Method)
	below(t, "2×2", "distance from orthogonality", departure(p.U), 2*math.Sqrt2*roundoff.Ulp)
	for i := range 2 { // U takes (1, 1) to itself
		below(t, "2×2", "U·(1, 1) − (1, 1)", math.Abs(p.U.At(i, 0)+p.U.At(i, 1)-1), 2*math.Sqrt2*roundoff.Ulp)
	}
}

func TestPolarOfNothingAndOfNaN(t *testing.T) {
	p, err := linalg.Polar(new(mat.Dense), linalg.PolarOptions{})
	require.NoError(t, err)
	require.True(t, p.U.IsEmpty())
	require.True(t, p.H(new(mat.Dense)).IsEmpty())
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, s := range [][2]int{{4, 4}, {9, 3}, {3, 9}} {
			a := gaussian(stream(), s[0], s[1])
			a.Set(2, 1, bad)
			_, err := linalg.Polar(a, linalg.PolarOptions{})
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			_, err = linalg.PolarSVD(a)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
		}
	}
}

// TestTheSameBits: whatever the number of threads and the kernels.
func TestTheSameBits(t *testing.T) {
	defer blas.SetThreads(0)
	a := gaussian(stream(), 190, 150)
	run := func() []*mat.Dense {
		p, err := linalg.Polar(a, linalg.PolarOptions{})
		require.NoError(t, err)
		f, err := linalg.QR(a)
		require.NoError(t, err)
		l, err := linalg.Cholesky(definite(150, 1))
		require.NoError(t, err)
		return []*mat.Dense{p.U, f.Q(), f.R(), mat.DenseCopyOf(l)}
	}
	want := run()
	for _, k := range blas.Kernels() {
		if k.Chosen {
			defer func() { require.NoError(t, blas.SetKernel(k.Name)) }()
		}
	}
	for _, k := range blas.Kernels() {
		if !k.Available {
			continue
		}
		require.NoError(t, blas.SetKernel(k.Name))
		for _, threads := range []int{1, 2, 5} {
			blas.SetThreads(threads)
			for i, got := range run() {
				require.True(t, mat.Equal(want[i], got), "%s, %d threads, result %d", k.Name, threads, i)
			}
		}
	}
}
