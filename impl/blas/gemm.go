package blas

import gblas "gonum.org/v1/gonum/blas"

// Dgemm computes C = alpha·op(A)·op(B) + beta·C for op(A) m×k, op(B) k×n and C m×n, all row-major with leading
// dimensions lda, ldb, ldc. op is the identity or the transpose. Cost 2mnk flops.
func (Implementation) Dgemm(tA, tB gblas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	checkTranspose(tA)
	checkTranspose(tB)
	checkM(m)
	checkN(n)
	checkK(k)
	rowsA, colsA := m, k
	if tA != gblas.NoTrans {
		rowsA, colsA = k, m
	}
	rowsB, colsB := k, n
	if tB != gblas.NoTrans {
		rowsB, colsB = n, k
	}
	checkLdA(lda, colsA)
	checkLdB(ldb, colsB)
	checkLdC(ldc, n)
	if m == 0 || n == 0 {
		return
	}
	checkA(len(a), rowsA, colsA, lda)
	checkB(len(b), rowsB, colsB, ldb)
	checkC(len(c), m, n, ldc)
	multiply(product{m: m, n: n, k: k, alpha: alpha, a: newView(tA, a, lda), b: newView(tB, b, ldb), beta: beta, c: c,
		ldc: ldc})
}

// view is a matrix with any strides: entry (i, j) is data[i·rs + j·cs].
type view struct {
	data   []float64
	rs, cs int
}

// newView is op of the row-major matrix.
func newView(t gblas.Transpose, data []float64, ld int) view {
	if t == gblas.NoTrans {
		return view{data, ld, 1}
	}
	return view{data, 1, ld}
}

// at is the part of v that begins at (i, j).
func (v view) at(i, j int) view { return view{v.data[i*v.rs+j*v.cs:], v.rs, v.cs} }

func (v view) t() view { return view{v.data, v.cs, v.rs} }

// part says which part of C a product may touch.
type part uint8

const (
	whole part = iota
	upper
	lower
)

// product is C = alpha·A·B + beta·C, restricted to a part of C. Entry (i, j) of c lies on the diagonal of the whole C
// if i == j+shift.
type product struct {
	m, n, k int
	alpha   float64
	a, b    view // m×k, k×n
	beta    float64
	c       []float64
	ldc     int
	part    part
	shift   int
}

// multiply is the product with as many threads as pay.
func multiply(g product) {
	kern := current()
	if g.tiny(kern) {
		return
	}
	if threads := threadsFor(2 * float64(g.m) * float64(g.n) * float64(g.k)); threads > 1 {
		share(g, kern, threads)
		return
	}
	g.run(kern)
}

// tiny is multiply where one tile of a few rows does it and nothing need be packed: for such products the way to the
// tile would take longer than the tile. It reports whether it did.
func (g *product) tiny(kern *kernel) bool {
	const rows = 4 // which every kernel has
	if g.m < 1 || g.m > rows || g.n < 2 || g.n > kern.widest[g.m-1] || g.k < 2 || g.k > kc || g.part != whole ||
		g.b.cs != 1 || g.beta != 0 && g.beta != 1 || g.alpha == 0 {
		return false
	}
	kern.id.gemm(&tile{a: g.a.data, b: g.b.data, c: g.c, rsa: g.a.rs, csa: g.a.cs, rsb: g.b.rs, rsc: g.ldc,
		k: g.k, rows: g.m, cols: g.n, keep: int(g.beta), alpha: g.alpha})
	return true
}

// share is multiply on several threads, where nothing is packed by blocks of C, each a product by itself.
func share(g product, kern *kernel, threads int) {
	if packA, packB := g.packs(kern); packA && packB && g.k > thin && g.alpha != 0 {
		sharePacked(g, kern, threads)
		return
	}
	blocks := 2 * float64(g.m) * float64(g.n) * float64(g.k) / (awakeFlops / 2)
	rows, cols := grid(g.m, g.n, int(min(blocks, mostPieces)))
	if rows := piece(g.m, 48); g.k <= thin && g.m >= 8*rows { // tiles pass along whole rows
		cols = g.n
	}
	nrows, ncols := ceil(g.m, rows), ceil(g.n, cols)
	Share(threads, nrows*ncols, func(task int) {
		i, j := task/ncols*rows, task%ncols*cols
		block := g.block(i, j, min(rows, g.m-i), min(cols, g.n-j))
		block.run(kern)
	})
}

// sharePacked is multiply on several threads where both operands are packed: once, for all of them, in pieces. Then the
// blocks of C are multiplied from what is packed.
func sharePacked(g product, kern *kernel, threads int) {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	width := g.strip(kern)
	if ceil(g.m, 48)*ceil(g.n, width) < mostPieces { // narrower strips, so that there is a piece for every thread
		width = nc
	}
	cols := evenly(g.n, width, kern.cols())
	across := ceil(g.n, cols)
	rows := evenly(g.m, max(48, ceil(g.m, ceil(mostPieces, across))), kern.rows())
	down := ceil(g.m, rows)
	w.a, w.b = growLarge(w.a, down*rows*min(kc, g.k)), growLarge(w.b, across*cols*min(kc, g.k))
	for p := 0; p < g.k; p += kc {
		h := g.panelAt(p)
		a := packedFor(kern, w.a, h.a, h.k)
		Share(threads, across+down, func(task int) {
			if j := task * cols; task < across {
				packB(kern, w.b[j*h.k:], h.b.at(0, j), h.k, min(cols, h.n-j))
			} else {
				i := (task - across) * rows
				a.at(i, h.k).fill(kern, h.a.at(i, 0), min(rows, h.m-i), h.k)
			}
		})
		Share(threads, across*down, func(task int) {
			i, j := task%down*rows, task/down*cols
			m, n := min(rows, h.m-i), min(cols, h.n-j)
			if h.disjoint(i, j, m, n) {
				return
			}
			if p == 0 && h.beta != 0 {
				block := h.block(i, j, m, n)
				block.scale(kern)
			}
			h.tiles(kern, p > 0 || h.beta != 0, j, n, i, m, a.at(i, h.k), w.b[j*h.k:])
		})
	}
}

// panelAt is the product over the summation indices of one panel.
func (g product) panelAt(p int) product {
	g.k, g.a, g.b = min(kc, g.k-p), g.a.at(0, p), g.b.at(p, 0)
	return g
}

// block is the product for a block of C.
func (g product) block(i, j, m, n int) product {
	g.m, g.n, g.shift = m, n, g.shift-i+j
	if g.k > 0 {
		g.a, g.b = g.a.at(i, 0), g.b.at(0, j)
	}
	g.c = g.c[i*g.ldc+j:]
	return g
}

// run computes the product on this goroutine: first beta, then one panel of kc summation indices after the other.
func (g *product) run(kern *kernel) {
	if g.disjoint(0, 0, g.m, g.n) {
		return
	}
	blank := g.beta == 0 // C counts as zero until it is written
	if g.alpha == 0 || g.k == 0 || g.beta != 0 {
		g.scale(kern)
		blank = false
	}
	if g.alpha == 0 {
		return
	}
	for p := 0; p < g.k; p += kc {
		h := g.panelAt(p)
		h.panel(kern, !blank)
		blank = false
	}
}

// scale is C = beta·C; beta = 0 overwrites whatever C held.
func (g *product) scale(kern *kernel) {
	if g.beta == 1 {
		return
	}
	for i := range g.m {
		lo, hi := g.columns(i)
		if lo >= hi {
			continue
		}
		if row := g.c[i*g.ldc+lo : i*g.ldc+hi]; g.beta == 0 {
			clear(row)
		} else {
			kern.id.scal(g.beta, row)
		}
	}
}

// disjoint reports that the block of C lies outside the part, covers that it lies wholly inside.
func (g *product) disjoint(i, j, m, n int) bool {
	d := i - j - g.shift // of the top left corner: row minus column in the whole C
	return m == 0 || n == 0 || g.part == upper && d-(n-1) > 0 || g.part == lower && d+m-1 < 0
}

func (g *product) covers(i, j, m, n int) bool {
	d := i - j - g.shift
	return g.part == whole || g.part == upper && d+m-1 <= 0 || g.part == lower && d-(n-1) >= 0
}
