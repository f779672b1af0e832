package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
)

// TestTrapezoid: the routines of every kernel have the bits of the definition, on all heights and widths of their
// tiles, and write nowhere else.
func TestTrapezoid(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(23, 1))
		for n := 1; n <= 19; n++ {
			for cols := 1; cols <= 29; cols++ {
				leafCase(t, rng, n, cols, n%2 == 0, cols%3 == 0, cols%4 < 2)
				leafCase(t, rng, n, cols, n%2 != 0, cols%3 == 1, cols%2 == 0)
			}
		}
	})
}

func leafCase(t *testing.T, rng *rand.Rand, n, cols int, isUpper, isUnit, solve bool) {
	t.Helper()
	ul, d := gblas.Lower, gblas.NonUnit
	if isUpper {
		ul = gblas.Upper
	}
	if isUnit {
		d = gblas.Unit
	}
	tri, b := newTriangle(rng, ul, d, n, 1), newStored(rng, n, cols, 2)
	a := triangle{view{tri.data, tri.ld, 1}, isUpper, isUnit, solve}
	want := b.clone()
	a.definition(n, want)
	a.leaf(current(), n, cols, b.data, b.ld)
	if err := sameBits(b.data, want.data); err != nil {
		t.Fatal(fmt.Sprintf("n=%d, %d columns, upper %v, unit %v, solve %v:", n, cols, isUpper, isUnit, solve), err)
	}
}

// definition applies a small triangle to b in the order of operations that doc.go defines.
func (a triangle) definition(n int, b stored) {
	index := func(r int) int { // of row r of the equivalent lower triangle
		if a.upper {
			return n - 1 - r
		}
		return r
	}
	at := func(r, p int) float64 { return a.data[index(r)*a.rs+index(p)*a.cs] }
	for i := range n {
		r := i
		if !a.solve {
			r = n - 1 - i
		}
		row := b.data[index(r)*b.ld:][:b.cols]
		if !a.solve && !a.unit {
			scalPortable(at(r, r), row)
		}
		for p := range r {
			axpyPortable(a.factor()*at(r, p), b.data[index(p)*b.ld:][:b.cols], row)
		}
		if a.solve && !a.unit {
			divPortable(at(r, r), row)
		}
	}
}
