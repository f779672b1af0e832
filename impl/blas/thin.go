package blas

import "math"

// The shapes below have their own loops, because a tile would leave most of its lanes empty. The bits are the same as
// of the tiles.

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

// chains is the panel of a product with few columns. It takes as many rows as come in whole groups, and returns their
// number.
func (g *product) chains(kern *kernel, keep bool) (rows int) {
	if g.a.cs != 1 || g.part != whole || g.m < 8 || g.n > 1 && g.k <= thin { // tiles are as good where C costs the most
		return 0
	}
	b := vector{data: g.b.data}
	if g.b.rs != g.n || g.n > 1 && g.b.cs != 1 { // rows with gaps
		b = workspaceVector(g.k * g.n)
		defer b.free()
		for p := range g.k {
			for j := range g.n {
				b.data[p*g.n+j] = g.b.data[p*g.b.rs+j*g.b.cs]
			}
		}
	}
	var s [64]float64
	for {
		group := kern.id.chains(g.m-rows, g.n, g.a.data[min(rows, g.m-1)*g.a.rs:], g.a.rs, b.data[:g.k*g.n], &s)
		if group == 0 {
			return rows
		}
		for i := range group {
			c := g.c[(rows+i)*g.ldc:][:g.n]
			for j, old := range c {
				if !keep {
					old = 0
				}
				c[j] = math.FMA(g.alpha, s[j*group+i], old)
			}
		}
		rows += group
	}
}

// row is the panel of a product with a single column whose A lies by columns: the transposed product, a row, which is
// contiguous.
func (g *product) row(kern *kernel, keep bool) {
	c := gather(g.m, g.c, g.ldc)
	defer c.free()
	h := *g
	h.m, h.n, h.a, h.b, h.c, h.ldc = 1, g.m, g.b.t(), g.a.t(), c.data, g.m
	h.panel(kern, keep)
	c.scatter(g.c, g.ldc)
}
