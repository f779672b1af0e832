package lapack_test

import (
	"math"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	glapack "gonum.org/v1/gonum/lapack"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/lapack"
)

// lasrOneByOne applies the rotations by their definition, entry by entry.
func lasrOneByOne(side gblas.Side, pivot glapack.Pivot, direct glapack.Direct, c, s []float64, a stored) {
	z, others := a.cols, a.rows
	if side == gblas.Left {
		z, others = a.rows, a.cols
	}
	entry := func(i, j int) []float64 {
		if side == gblas.Left {
			return a.data[i*a.ld+j : i*a.ld+j+1]
		}
		return a.data[j*a.ld+i : j*a.ld+i+1]
	}
	for i := range z - 1 {
		k := i
		if direct == glapack.Backward {
			k = z - 2 - i
		}
		p, q := k, k+1
		switch pivot {
		case glapack.Top:
			p = 0
		case glapack.Bottom:
			q = z - 1
		}
		for j := range others {
			blas.Implementation{}.Drot(1, entry(p, j), 1, entry(q, j), 1, c[k], s[k])
		}
	}
}

// TestLasr: all twelve modes have the bits of one rotation at a time, inside poisoned padding.
func TestLasr(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 1))
		for _, shape := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 5}, {4, 7}, {9, 9}, {17, 33}, {33, 17}} {
			m, n := shape[0], shape[1]
			for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
				for _, pivot := range []glapack.Pivot{glapack.Variable, glapack.Top, glapack.Bottom} {
					for _, direct := range []glapack.Direct{glapack.Forward, glapack.Backward} {
						a := newStored(rng, m, n, 3)
						cs := newStored(rng, 2, max(m, n), 0)
						c, s := cs.data[:cs.ld], cs.data[cs.ld:]
						want := a.clone()
						lasrOneByOne(side, pivot, direct, c, s, want)
						lapack.Implementation{}.Dlasr(side, pivot, direct, m, n, c, s, a.data, a.ld)
						sameBits(t, want.data, a.data, m, n, side, pivot, direct)
					}
				}
			}
		}
	})
}

// TestLasrPanics: a slice that is one element short, and distances that wrap around, are refused.
func TestLasrPanics(t *testing.T) {
	const n, lacks = 5, "lapack: insufficient length of "
	dlasr := func(c, s, a, lda int) func() {
		return func() {
			lapack.Implementation{}.Dlasr('R', 'V', 'F', n, n, make([]float64, c), make([]float64, s), make([]float64, a), lda)
		}
	}
	require.NotPanics(t, dlasr(n-1, n-1, n*n, n))
	require.PanicsWithValue(t, lacks+"c", dlasr(n-2, n-1, n*n, n))
	require.PanicsWithValue(t, lacks+"s", dlasr(n-1, n-2, n*n, n))
	require.PanicsWithValue(t, lacks+"a", dlasr(n-1, n-1, n*n-1, n))
	require.PanicsWithValue(t, "lapack: bad leading dimension of A", dlasr(n-1, n-1, n*n, n-1))
	for _, lda := range []int{math.MaxInt, math.MaxInt - 7, math.MaxInt/2 + 1, math.MaxInt/4 + 2, math.MaxInt / 8} {
		require.PanicsWithValue(t, lacks+"a", dlasr(n-1, n-1, n*n, lda))
	}
}
