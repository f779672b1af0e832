package blas

import "math"

// The shapes below have their own loops, because a tile would leave most of its lanes empty. The bits are those of the tiles.

// outer is the panel of a product over a single index: every row of C is a multiple of the row of B.
func (g *product) outer(kern *kernel, keep bool) {
	row := vector{data: g.b.data[:g.n:g.n]}
	if g.b.cs != 1 {
		row = gather(g.n, g.b.data, g.b.cs)
		defer row.free()
	}
	for i := range g.m {
		if lo, hi := g.columns(i); lo < hi {
			kern.id.outer(g.alpha, g.a.data[i*g.a.rs], row.data[lo:hi], g.c[i*g.ldc+lo:], keep)
		}
	}
}

// columns is the range of columns of row i that lie in the part.
func (g *product) columns(i int) (lo, hi int) {
	lo, hi = 0, g.n
	switch g.part {
	case upper:
		lo = min(max(0, i-g.shift), g.n)
	case lower:
		hi = max(0, min(g.n, i-g.shift+1))
	}
	return lo, hi
}

// column is the panel of a product with a single column. It takes as many rows as come in whole groups, and returns their number.
func (g *product) column(kern *kernel, keep bool) (rows int) {
	if g.a.cs != 1 || g.part != whole {
		return 0
	}
	b := gather(g.k, g.b.data, g.b.rs)
	defer b.free()
	var s [32]float64
	for {
		group := kern.id.chains(g.m-rows, g.a.data[min(rows, g.m-1)*g.a.rs:], g.a.rs, b.data, s[:])
		if group == 0 {
			return rows
		}
		for i, v := range s[:group] {
			c := &g.c[(rows+i)*g.ldc]
			old := 0.0
			if keep {
				old = *c
			}
			*c = math.FMA(g.alpha, v, old)
		}
		rows += group
	}
}

// row is the panel of a product with a single column whose A lies by columns: the transposed product, a row, which is contiguous.
func (g *product) row(kern *kernel, keep bool) {
	c := gather(g.m, g.c, g.ldc)
	defer c.free()
	h := *g
	h.m, h.n, h.a, h.b, h.c, h.ldc = 1, g.m, g.b.t(), g.a.t(), c.data, g.m
	h.panel(kern, keep)
	c.scatter(g.c, g.ldc)
}
