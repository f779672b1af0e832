//go:build arm64 && !noasm && !purego && !race

package blas

// missing says why a set of kernels cannot run here: every arm64 has NEON.
func missing(isa) string { return "" }

// gemm runs the tile. It may change t.b, t.c and t.cols.
func (id isa) gemm(t *tile) {
	if id == isaPortable {
		gemmPortable(t)
		return
	}
	if t.cols%2 != 0 && t.cols > 1 { // tiles are whole vectors or one column
		t.cols--
		gemmNEON(t)
		t.b, t.c, t.cols = t.b[t.cols:], t.c[t.cols:], 1
	}
	gemmNEON(t)
}

func (id isa) gemmRun(t *tile, n, a, b, c int) { id.gemmEach(t, n, a, b, c) }

// solve and apply run the trapezoid, whose rows and columns are numbers that trapezoidRows and trapezoidCols return.
func (id isa) solve(t *trapezoid) {
	if id == isaPortable {
		solvePortable(t)
		return
	}
	solveNEON(t)
}

func (id isa) apply(t *trapezoid) {
	if id == isaPortable {
		applyPortable(t)
		return
	}
	applyNEON(t)
}

// There are no routines for products of few columns, and none for rows of few elements: the others take these shapes.
const chainsColumns = 0

func (isa) chains(int, int, []float64, int, []float64, *[64]float64) int { return 0 }

func (isa) shortRows(float64, []float64, []float64, int, []float64) bool { return false }

// transposeStrip writes 4 or 8 rows of src as columns of dst, for the leading columns that come in pairs, and returns
// their number.
func (id isa) transposeStrip(rows, n int, src []float64, lds int, dst []float64, ldd int) int {
	n &^= 1
	if id == isaPortable || n == 0 {
		return 0
	}
	_, _ = src[(rows-1)*lds+n-1], dst[(n-1)*ldd+rows-1]
	if rows == 8 {
		transpose8NEON(n, &src[0], lds, &dst[0], ldd)
	} else {
		transpose4NEON(n, &src[0], lds, &dst[0], ldd)
	}
	return n
}

// packStrip does nothing: it would save 3 % of the instructions of a product of order 512, and none of order 128.
func (isa) packStrip(int, int, []float64, int, []float64) bool { return false }

// fmaLoop runs 24·n independent fused multiply-adds in the widest registers and returns the number of floating-point
// operations.
func (id isa) fmaLoop(n int) float64 {
	if id == isaPortable {
		return fmaLoopPortable(n)
	}
	fmaLoopNEON(n)
	return 24 * 2 * 2 * float64(n)
}
