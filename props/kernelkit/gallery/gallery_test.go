package gallery_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/gallery"
)

// shapes are the sizes at which annotations are tried; those that do not fit a matrix are left out.
var shapes = [][2]int{{1, 1}, {2, 2}, {3, 3}, {5, 5}, {8, 8}, {13, 13}, {1, 4}, {6, 1}, {4, 7}, {9, 5}}

// each runs a test on all instances of the matrices with a property.
func each(t *testing.T, p gallery.Property, test func(t *testing.T, x gallery.Instance)) {
	t.Helper()
	for _, m := range gallery.Select(p) {
		for _, s := range shapes {
			if !m.Fits(s[0], s[1]) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%dx%d", m.Name, s[0], s[1]), func(t *testing.T) {
				test(t, m.Make(rand.New(rand.NewPCG(1, 2)), s[0], s[1]))
			})
		}
	}
}

func holds(t *testing.T, got, allowed float64) {
	t.Helper()
	if ok := got <= allowed; !ok {
		t.Errorf("%g, allowed %g", got, allowed)
	}
}

// everywhere reports whether all entries meet a condition.
func everywhere(a *mat.Dense, ok func(i, j int, v float64) bool) bool {
	m, n := a.Dims()
	for i := range m {
		for j := range n {
			if !ok(i, j, a.At(i, j)) {
				return false
			}
		}
	}
	return true
}

func isSymmetric(a *mat.Dense) bool {
	return everywhere(a, func(i, j int, v float64) bool { return v == a.At(j, i) })
}

func TestNamesAreUniqueAndEntriesFinite(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range gallery.All() {
		assert.False(t, seen[m.Name], m.Name)
		assert.NotEmpty(t, m.Doc, m.Name)
		seen[m.Name] = true
	}
	each(t, 0, func(t *testing.T, x gallery.Instance) {
		assert.True(t, everywhere(x.A, func(_, _ int, v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }))
		assert.Equal(t, x.Properties.Has(gallery.KnownSingularValues), x.Singular != nil)
		m, n := x.A.Dims()
		assert.Equal(t, x.Properties.Has(gallery.KnownEigenvalues) && m == n, x.Eigen != nil)
	})
}

// TestSymmetric is about both directions: what is not annotated is not symmetric at size 5 and 8.
func TestSymmetric(t *testing.T) {
	for _, m := range gallery.All() {
		symmetric := true
		for _, n := range []int{5, 8} {
			symmetric = symmetric && isSymmetric(m.Make(rand.New(rand.NewPCG(1, 2)), n, n).A)
		}
		assert.Equal(t, m.Properties.Has(gallery.Symmetric), symmetric, m.Name)
	}
}

func TestStructure(t *testing.T) {
	each(t, gallery.Toeplitz, func(t *testing.T, x gallery.Instance) {
		if m, n := x.A.Dims(); m == n {
			assert.True(t, everywhere(x.A, func(i, j int, v float64) bool {
				return i == 0 || j == 0 || v == x.A.At(i-1, j-1)
			}))
		}
	})
	each(t, gallery.Tridiagonal, func(t *testing.T, x gallery.Instance) {
		assert.True(t, everywhere(x.A, func(i, j int, v float64) bool { return v == 0 || i-j <= 1 && j-i <= 1 }))
	})
	each(t, gallery.Bidiagonal, func(t *testing.T, x gallery.Instance) {
		assert.True(t, everywhere(x.A, func(i, j int, v float64) bool { return v == 0 || i == j || i+1 == j }))
	})
	each(t, gallery.Integer, func(t *testing.T, x gallery.Instance) {
		assert.True(t, everywhere(x.A, func(_, _ int, v float64) bool {
			return v == math.Trunc(v) && math.Abs(v) <= 0x1p53
		}))
	})
}

// TestPositiveDefinite looks at sizes at which even the worst conditioned has eigenvalues above its rounding.
func TestPositiveDefinite(t *testing.T) {
	each(t, gallery.PositiveDefinite, func(t *testing.T, x gallery.Instance) {
		assert.True(t, x.Properties.Has(gallery.Symmetric))
		m, n := x.A.Dims()
		if m != n || n > 8 || x.Properties.Has(gallery.Extreme) {
			return
		}
		var c mat.Cholesky
		assert.True(t, c.Factorize(mat.NewSymDense(n, x.A.RawMatrix().Data)))
	})
}

func TestOrthogonal(t *testing.T) {
	each(t, gallery.Orthogonal, func(t *testing.T, x gallery.Instance) {
		m, n := x.A.Dims()
		a := mat.Matrix(x.A)
		if m < n {
			a = x.A.T()
		}
		var g mat.Dense
		g.Mul(a.T(), a)
		for i := range min(m, n) {
			g.Set(i, i, g.At(i, i)-1)
		}
		holds(t, mat.Norm(&g, 2), 8*float64(max(m, n))*roundoff.Ulp)
	})
}

// normalised scales an instance by a power of two to entries near 1: gonum's eigenvalues panic on tiny matrices.
func normalised(x gallery.Instance) gallery.Instance {
	_, e := math.Frexp(mat.Norm(x.A, math.Inf(1)))
	scale := func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			out[i] = math.Ldexp(v, -e)
		}
		return out
	}
	m, n := x.A.Dims()
	x.A = mat.NewDense(m, n, scale(x.A.RawMatrix().Data))
	x.Singular, x.Eigen, x.Error = scale(x.Singular), scale(x.Eigen), math.Ldexp(x.Error, -e)
	return x
}

// TestKnownValues compares the closed forms with gonum's factorisations, whose error is a small multiple of ulp·‖A‖.
func TestKnownValues(t *testing.T) {
	each(t, gallery.KnownSingularValues, func(t *testing.T, x gallery.Instance) {
		x = normalised(x)
		m, n := x.A.Dims()
		var f mat.SVD
		assert.True(t, f.Factorize(x.A, mat.SVDNone))
		holds(t, floats.Distance(f.Values(nil), x.Singular, math.Inf(1)),
			x.Error+4*float64(max(m, n))*roundoff.Ulp*x.Singular[0])
	})
	each(t, gallery.KnownEigenvalues, func(t *testing.T, x gallery.Instance) {
		n := len(x.Eigen)
		if n == 0 {
			return
		}
		assert.NotNil(t, x.Singular)
		x = normalised(x)
		var f mat.EigenSym
		assert.True(t, f.Factorize(mat.NewSymDense(n, x.A.RawMatrix().Data), false))
		size := max(math.Abs(x.Eigen[0]), math.Abs(x.Eigen[n-1]))
		holds(t, floats.Distance(f.Values(nil), x.Eigen, math.Inf(1)), x.Error+4*float64(n)*roundoff.Ulp*size)
	})
}

// TestRank counts singular values where rank is exact: integers, away from the limits of rounding.
func TestRank(t *testing.T) {
	each(t, gallery.Integer, func(t *testing.T, x gallery.Instance) {
		if x.Rank < 0 || x.Properties.Has(gallery.IllConditioned) && !x.Properties.Has(gallery.RankDeficient) {
			return
		}
		m, n := x.A.Dims()
		var f mat.SVD
		assert.True(t, f.Factorize(x.A, mat.SVDNone))
		s, rank := f.Values(nil), 0
		for _, v := range s {
			if v > 4*float64(max(m, n))*roundoff.Ulp*s[0] {
				rank++
			}
		}
		assert.Equal(t, x.Rank, rank)
	})
	each(t, gallery.RankDeficient, func(t *testing.T, x gallery.Instance) {
		assert.GreaterOrEqual(t, x.Rank, 0)
	})
	for _, m := range gallery.All() {
		deficient := false
		for _, s := range shapes {
			if m.Fits(s[0], s[1]) && min(s[0], s[1]) > 1 {
				x := m.Make(rand.New(rand.NewPCG(1, 2)), s[0], s[1])
				deficient = deficient || x.Rank >= 0 && x.Rank < min(s[0], s[1])
			}
		}
		assert.Equal(t, m.Properties.Has(gallery.RankDeficient), deficient, m.Name)
	}
}

// TestRange tells the extreme matrices from the others by their largest and smallest entries.
func TestRange(t *testing.T) {
	for _, m := range gallery.All() {
		x := m.Make(rand.New(rand.NewPCG(1, 2)), 8, 8)
		lo, hi := math.Inf(1), 0.0
		everywhere(x.A, func(_, _ int, v float64) bool {
			if v != 0 {
				lo, hi = min(lo, math.Abs(v)), max(hi, math.Abs(v))
			}
			return true
		})
		assert.Equal(t, m.Properties.Has(gallery.Extreme), hi > 1e200 || lo < 1e-200, m.Name)
		if m.Properties.Has(gallery.Graded) {
			assert.Greater(t, hi/lo, 1e20, m.Name)
		}
	}
}

// TestIllConditioned looks for a condition number beyond 1e5 at size 39 (odd, for the Clement matrix).
func TestIllConditioned(t *testing.T) {
	for _, m := range gallery.Select(gallery.IllConditioned) {
		x := m.Make(rand.New(rand.NewPCG(1, 2)), 39, 39)
		var f mat.SVD
		assert.True(t, f.Factorize(x.A, mat.SVDNone))
		s := f.Values(nil)
		if ok := s[38] <= 1e-5*s[0]; !ok {
			t.Error(m.Name, s[0], s[38])
		}
	}
}

// TestRandom: the same stream gives the same matrix, another stream another one, and matrices without randomness do not
// look at the stream.
func TestRandom(t *testing.T) {
	for _, m := range gallery.All() {
		if !m.Properties.Has(gallery.Random) {
			assert.NotPanics(t, func() { m.Make(nil, 6, 6) }, m.Name)
			continue
		}
		make := func(seed uint64) *mat.Dense { return m.Make(rand.New(rand.NewPCG(seed, 0)), 6, 6).A }
		assert.True(t, mat.Equal(make(1), make(1)), m.Name)
		assert.False(t, mat.Equal(make(1), make(2)), m.Name)
	}
}

// TestWorkedNumbers: condition of the Hilbert matrix of order 5 and determinants of Moler and Frank (Higham, chapter
// 28), the largest eigenvalue of W21+ (Wilkinson, The Algebraic Eigenvalue Problem, p. 309: 10.7461942).
func TestWorkedNumbers(t *testing.T) {
	find := func(name string, n int) *mat.Dense {
		for _, m := range gallery.All() {
			if m.Name == name {
				return m.Make(nil, n, n).A
			}
		}
		t.Fatal(name)
		return nil
	}
	holds(t, math.Abs(mat.Cond(find("Hilbert", 5), 2)/4.7661e5-1), 1e-4)
	holds(t, math.Abs(mat.Det(find("Moler", 6))-1), 1e-9)
	holds(t, math.Abs(mat.Det(find("Frank", 6))-1), 1e-9)
	var f mat.EigenSym
	assert.True(t, f.Factorize(mat.NewSymDense(21, find("Wilkinson", 21).RawMatrix().Data), false))
	w := f.Values(nil)
	holds(t, math.Abs(w[20]-10.7461942), 5e-8)
	holds(t, w[20]-w[19], 1e-13) // the famous pair
}

func TestSelect(t *testing.T) {
	for _, m := range gallery.Select(gallery.Symmetric, gallery.KnownEigenvalues) {
		assert.True(t, m.Properties.Has(gallery.Symmetric|gallery.KnownEigenvalues), m.Name)
	}
	assert.NotEmpty(t, gallery.Select(gallery.AnyShape, gallery.KnownSingularValues, gallery.Extreme))
	assert.Len(t, gallery.Select(), len(gallery.All()))
	assert.Equal(t, "symmetric, integer", (gallery.Symmetric | gallery.Integer).String())
	assert.Panics(t, func() { gallery.Select(gallery.PositiveDefinite)[1].Make(nil, 2, 3) })
}
