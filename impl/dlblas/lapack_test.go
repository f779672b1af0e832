package dlblas

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// eachLAPACK runs a test on every library with LAPACK.
func eachLAPACK(t *testing.T, test func(*testing.T, *Library)) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		if !l.HasLAPACK() {
			t.Skipf("%s comes without LAPACK", l.Name)
		}
		test(t, l)
	})
}

// wave is an m×n matrix of full rank with entries of size one.
func wave(m, n int) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	a.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + i*n + j*j)) }, a)
	return a
}

// near asks for ‖a − b‖_F ≤ 100·k·u, a hundred times the error that k = 32 well-scaled additions leave. These tests are
// after wrong layouts and wrong arguments, which are off by about 1.
func near(t *testing.T, a, b mat.Matrix) {
	t.Helper()
	var d mat.Dense
	d.Sub(a, b)
	err := mat.Norm(&d, 2)
	require.True(t, err <= 100*32*roundoff.Unit, "off by %v", err)
}

func TestSVD(t *testing.T) {
	eachLAPACK(t, func(t *testing.T, l *Library) {
		for _, shape := range [][2]int{{1, 1}, {1, 5}, {5, 1}, {7, 7}, {9, 4}, {4, 9}, {31, 20}} {
			m, n := shape[0], shape[1]
			r := min(m, n)
			a := wave(m, n)
			original := mat.DenseCopyOf(a)
			var oracle mat.SVD
			require.True(t, oracle.Factorize(a, mat.SVDNone))
			for kind, cols := range map[mat.SVDKind][2]int{mat.SVDNone: {}, mat.SVDThin: {r, r}, mat.SVDFull: {m, n}} {
				u, s, v, err := l.SVD(a, kind)
				require.NoError(t, err)
				near(t, mat.NewVecDense(r, oracle.Values(nil)), mat.NewVecDense(r, s))
				require.True(t, mat.Equal(a, original), "the argument has changed")
				if kind == mat.SVDNone {
					require.Nil(t, u)
					require.Nil(t, v)
					continue
				}
				rows, c := u.Dims()
				require.Equal(t, []int{m, cols[0]}, []int{rows, c})
				rows, c = v.Dims()
				require.Equal(t, []int{n, cols[1]}, []int{rows, c})
				var product, gramU, gramV mat.Dense
				product.Product(u.Slice(0, m, 0, r), mat.NewDiagDense(r, s), v.Slice(0, n, 0, r).T())
				near(t, a, &product)
				gramU.Mul(u.T(), u)
				near(t, identity(cols[0]), &gramU)
				gramV.Mul(v.T(), v)
				near(t, identity(cols[1]), &gramV)
			}
		}
	})
}

func TestSymEigen(t *testing.T) {
	eachLAPACK(t, func(t *testing.T, l *Library) {
		for _, n := range []int{1, 2, 7, 30} {
			a := mat.NewSymDense(n, nil)
			for i := range n {
				for j := i; j < n; j++ {
					a.SetSym(i, j, math.Cos(float64(i*n+3*j)))
				}
			}
			w, v, err := l.SymEigen(a, true)
			require.NoError(t, err)
			var product, gram mat.Dense
			product.Product(v, mat.NewDiagDense(n, w), v.T())
			near(t, a, &product)
			gram.Mul(v.T(), v)
			near(t, identity(n), &gram)
			alone, none, err := l.SymEigen(a, false)
			require.NoError(t, err)
			require.Nil(t, none)
			near(t, mat.NewVecDense(n, w), mat.NewVecDense(n, alone))
		}
	})
}

func identity(n int) mat.Matrix {
	d := mat.NewDiagDense(n, nil)
	for i := range n {
		d.SetDiag(i, 1)
	}
	return d
}

func TestFactorisationsOfTheImpossible(t *testing.T) {
	eachLAPACK(t, func(t *testing.T, l *Library) {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			a := wave(3, 4)
			a.Set(1, 2, bad)
			_, _, _, err := l.SVD(a, mat.SVDThin)
			require.ErrorContains(t, err, "entry (1, 2) is")
			s := mat.NewSymDense(2, []float64{1, bad, bad, 1})
			_, _, err = l.SymEigen(s, true)
			require.ErrorContains(t, err, "entry (0, 1) is")
		}
		u, s, v, err := l.SVD(&mat.Dense{}, mat.SVDFull)
		require.NoError(t, err)
		require.True(t, u == nil && len(s) == 0 && v == nil)
		w, v, err := l.SymEigen(&mat.SymDense{}, true)
		require.NoError(t, err)
		require.True(t, len(w) == 0 && v == nil)
		require.Panics(t, func() { _, _, _, _ = l.SVD(wave(2, 2), mat.SVDThinU) })
	})
	_, _, _, err := new(Library).SVD(wave(2, 2), mat.SVDThin)
	require.ErrorIs(t, err, errNoLAPACK)
	_, _, err = new(Library).SymEigen(mat.NewSymDense(1, nil), true)
	require.ErrorIs(t, err, errNoLAPACK)
	r := &lapackRoutines[float64]{letter: "d"}
	require.ErrorContains(t, r.outcome("gesdd", 3), "did not converge")
	require.ErrorContains(t, r.outcome("gesdd", -4), "refused argument 4")
}

// TestDlasr applies every kind of sweep and compares with one Drot after the other.
func TestDlasr(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		if !l.HasRotations() {
			t.Skipf("%s has no dlasr", l.Name)
		}
		const m, n, lda = 5, 4, 6
		for _, side := range []blas.Side{blas.Left, blas.Right} {
			for _, pivot := range []lapack.Pivot{lapack.Variable, lapack.Top, lapack.Bottom} {
				for _, direct := range []lapack.Direct{lapack.Forward, lapack.Backward} {
					a := wave(m, lda).RawMatrix().Data
					want := slices.Clone(a)
					z := n
					if side == blas.Left {
						z = m
					}
					c, s := make([]float64, z-1), make([]float64, z-1)
					for k := range c {
						s[k], c[k] = math.Sincos(float64(k + 1))
					}
					l.Dlasr(side, pivot, direct, m, n, c, s, a, lda)
					for i := range z - 1 {
						k := i
						if direct == lapack.Backward {
							k = z - 2 - i
						}
						p, q := k, k+1
						switch pivot {
						case lapack.Top:
							p = 0
						case lapack.Bottom:
							q = z - 1
						}
						if side == blas.Left {
							gonums.Drot(n, want[p*lda:], 1, want[q*lda:], 1, c[k], s[k])
						} else {
							gonums.Drot(m, want[p:], lda, want[q:], lda, c[k], s[k])
						}
					}
					near(t, mat.NewDense(m, lda, want), mat.NewDense(m, lda, a))
				}
			}
		}
	})
}
