package blas

import "sync"

// Blocking, in the manner of Goto and van de Geijn and of BLIS, with A and B changing places because the matrices are
// row-major: a strip of B, kc×nc, stays in the second-level cache; slivers of A, a tile high and kc long, pass through
// the first-level cache, each against all of the block; the tiles of C stay in registers for kc steps.
//
// kc is part of the definition of the result (see doc.go) and the same for every kernel. The other sizes are not.
const (
	kc = 384  // 12 rows of A: 36 KiB
	nc = 96   // kc×nc: 288 KiB, about half of the smallest second-level cache; a multiple of every tile
	mc = 1536 // rows of A packed at a time: 4.5 MiB, read at so low a rate that any cache will do
)

// strip is the width of a strip of B at most. A passes through the caches once for every strip: where the third level
// alone has room for it, fewer strips are better, if the second level holds them, as those do that go with AVX-512.
func (g *product) strip(kern *kernel) int {
	if kern.id == isaAVX512 && g.m >= 384 {
		return 176 // kc×176: 528 KiB, half of the smallest of those caches; a multiple of the tile
	}
	return nc
}

// panel is the product for k ≤ kc. keep says whether C is added to or overwritten.
func (g *product) panel(kern *kernel, keep bool) {
	switch {
	case g.k == 1 && g.n >= outerColumns:
		g.outer(kern, keep)
		return
	case g.n == 1 && g.m > 1 && g.a.rs == 1 && g.part == whole:
		g.row(kern, keep)
		return
	case g.n <= chainsColumns:
		if rows := g.chains(kern, keep); rows == g.m {
			return
		} else if rows > 0 {
			rest := g.block(rows, 0, g.m-rows, g.n)
			rest.blocks(kern, keep)
			return
		}
	}
	g.blocks(kern, keep)
}

// outerColumns is the width from which a call per row of C costs less than tiles with one step.
const outerColumns = 24

// packs says which operands are copied: those that are used often enough, or whose storage wants the same places of a
// cache.
func (g *product) packs(kern *kernel) (packA, packB bool) {
	meets := g.n // the columns that a row of A meets
	if g.part != whole {
		meets /= 2
	}
	packA = meets > g.packColumns(kern) || g.n > kern.cols() && g.cacheAliased(g.a)
	packB = g.b.cs != 1 || g.k > thin && (g.m >= packRows || g.m >= packRowsFar && g.k*g.n > packFar) ||
		g.m > kern.rows() && g.cacheAliased(g.b)
	return packA, packB
}

// blocks is the panel by blocks and tiles.
func (g *product) blocks(kern *kernel, keep bool) {
	copyA, copyB := g.packs(kern)
	width := g.n
	if strip := g.strip(kern); (copyB || g.k > thin) && g.n > strip {
		width = evenly(g.n, strip, kern.cols())
	}
	var w *workspace
	if copyA || copyB {
		w = workspaces.Get().(*workspace)
		defer workspaces.Put(w)
	}
	for i := 0; i < g.m; i += mc {
		m := min(mc, g.m-i)
		var a packedA
		if copyA {
			w.a = growLarge(w.a, ceil(m, kern.rows())*kern.rows()*g.k)
			a = packedFor(kern, w.a, g.a, g.k)
			a.fill(kern, g.a.at(i, 0), m, g.k)
		}
		for j := 0; j < g.n; j += width {
			n := min(width, g.n-j)
			var b []float64
			if copyB {
				w.b = growLarge(w.b, ceil(n, kern.cols())*kern.cols()*g.k)
				b = w.b
				packB(kern, b, g.b.at(0, j), g.k, n)
			}
			g.tiles(kern, keep, j, n, i, m, a, b)
		}
	}
}

// packColumns is the number of columns from which the packing of A pays. A tile of few rows reads rows as they lie in
// few pages.
func (g *product) packColumns(kern *kernel) int {
	if g.a.cs == 1 && kern.rows() <= 4 {
		return 768
	}
	return 192
}

// thin is the summation length up to which the time goes into reading and writing C, and B stays in cache as it lies:
// it is not packed, and the tiles pass along whole rows of C.
const thin = 32

// Packing B costs about as much as a few slivers of A times B. It pays from packRows rows of A on; where B, as it lies,
// does not fit next to the rest in the second-level cache (more than packFar entries), from packRowsFar on.
const (
	packRows    = 132
	packRowsFar = 48
	packFar     = 32768
)

// cacheAliased reports that the rows of an operand, or of its transpose, are a multiple of 4 KiB apart, so that more
// than a few of them do not fit into the places of the first-level cache that they all want. Then packing pays as soon
// as an operand is used twice: at 128×128×128 inside a matrix of 512 columns it turns 32 % of the peak into 83.
func (g *product) cacheAliased(v view) bool { return g.k > 8 && max(v.rs, v.cs)%512 == 0 }

// tiles covers the block of C at (i0, j0) of m×n with tiles. A and B come from their packed copies where there are
// some.
func (g *product) tiles(kern *kernel, keep bool, j0, n, i0, m int, pa packedA, pb []float64) {
	t := tile{k: g.k, rsc: g.ldc, alpha: g.alpha}
	if keep {
		t.keep = 1
	}
	t.rsa, t.csa, t.rsb = g.a.rs, g.a.cs, g.b.rs
	if pa.data != nil {
		t.rsa, t.csa = pa.rs, pa.cs
	}
	height := kern.rows()
	if pa.data == nil { // equal heights instead of a low remainder
		slivers := (m + height - 1) / height
		height = (m + slivers - 1) / slivers
	}
	for i := 0; i < m; i += height {
		t.rows = min(height, m-i)
		width := kern.widest[t.rows-1]
		if pb != nil {
			width = kern.cols()
			t.rsb = width
		}
		a := pa.data
		if a != nil {
			a = a[i*g.k:]
		} else {
			a = g.a.data[(i0+i)*g.a.rs:]
		}
		for j := 0; j < n; j += width {
			t.a, t.cols = a, min(width, n-j)
			if pb != nil {
				t.b = pb[j*g.k:]
			} else {
				t.b = g.b.data[j0+j:]
			}
			g.tile(kern, &t, i0+i, j0+j)
		}
	}
}

// tile runs one tile of C, on the edge of the part of C what belongs to the part.
func (g *product) tile(kern *kernel, t *tile, i, j int) {
	switch {
	case g.part == whole || g.covers(i, j, t.rows, t.cols):
		t.c = g.c[i*g.ldc+j:]
		kern.id.gemm(t)
	case !g.disjoint(i, j, t.rows, t.cols):
		edge := *t
		g.edge(kern, &edge, i, j)
	}
}

// edge runs a tile across the edge of the part: the rows and columns that have something in the part, in a copy of C.
func (g *product) edge(kern *kernel, t *tile, i, j int) {
	d := i - j - g.shift // the diagonal is at column d of row 0
	if g.part == upper {
		t.rows = min(t.rows, t.cols-d)
		left := max(0, d)
		t.b, t.cols, j, d = t.b[left:], t.cols-left, j+left, d-left
	} else {
		t.cols = min(t.cols, t.rows+d)
		top := max(0, -d)
		t.a, t.rows, i, d = t.a[top*t.rsa:], t.rows-top, i+top, d+top
	}
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	rows, cols := t.rows, t.cols
	each := func(do func(c, copied []float64)) {
		for r := range rows {
			lo, hi := 0, min(d+r+1, cols)
			if g.part == upper {
				lo, hi = max(d+r, 0), cols
			}
			at := (i+r)*g.ldc + j
			do(g.c[at+lo:at+hi], w.edge[r*maxCols+lo:r*maxCols+hi])
		}
	}
	if t.keep == 1 {
		each(func(c, copied []float64) { copy(copied, c) })
	}
	t.c, t.rsc = w.edge[:], maxCols
	kern.id.gemm(t)
	each(func(c, copied []float64) { copy(c, copied) })
}

const (
	maxRows = 12 // of a tile of any kernel
	maxCols = 64
)

// workspace holds the packed copies of one goroutine's product.
type workspace struct {
	a, b []float64 // of a product
	slab []float64 // of a triangular routine, see triangular.go
	full []float64 // of a symmetric matrix
	edge [maxRows * maxCols]float64
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// growLarge is grow for what is packed: in large pages, whose memory has its places in the second-level cache side by
// side. Small pages have them at random, and some places overflow.
func growLarge(s []float64, n int) []float64 {
	const page = 1 << 18 // 2 MiB
	if cap(s) >= n || n < page/16 {
		return grow(s, n)
	}
	pages := ceil(n, page)
	return adviseAligned(make([]float64, (pages+1)*page), page)[:n]
}

// grow returns a slice of length n that reuses s when it is long enough. The contents are arbitrary.
func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n+n/8)[:n]
	}
	return s[:n]
}
