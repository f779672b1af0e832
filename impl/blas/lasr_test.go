package blas

import (
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// lasrOneByOne applies the rotations by their definition, entry by entry.
func lasrOneByOne(side gblas.Side, pivot lapack.Pivot, direct lapack.Direct, c, s []float64, a stored) {
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
		for j := range others {
			rotPortable(entry(p, j), entry(q, j), c[k], s[k])
		}
	}
}

// TestLasr holds all twelve modes to the bits of one rotation at a time, inside poisoned padding.
func TestLasr(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 1))
		for _, shape := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 5}, {4, 7}, {9, 9}, {17, 33}, {33, 17}} {
			m, n := shape[0], shape[1]
			for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
				for _, pivot := range []lapack.Pivot{lapack.Variable, lapack.Top, lapack.Bottom} {
					for _, direct := range []lapack.Direct{lapack.Forward, lapack.Backward} {
						a := newStored(rng, m, n, 3)
						cs := newStored(rng, 2, max(m, n), 0)
						c, s := cs.data[:cs.ld], cs.data[cs.ld:]
						want := a.clone()
						lasrOneByOne(side, pivot, direct, c, s, want)
						Implementation{}.Dlasr(side, pivot, direct, m, n, c, s, a.data, a.ld)
						if err := sameBits(a.data, want.data); err != nil {
							t.Fatalf("%dx%d, side %c, pivot %c, direct %c: %v", m, n, side, pivot, direct, err)
						}
					}
				}
			}
		}
	})
}
