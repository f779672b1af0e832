//go:build amd64 && !noasm && !purego && !race

package blas

import "golang.org/x/sys/cpu"

//go:generate go run gen/main.go gen/gemm.go gen/pack.go gen/secular.go gen/thin.go gen/trapezoid.go gen/vector.go

// missing says why a set of kernels cannot run here, or nothing.
func missing(id isa) string {
	switch {
	case id == isaAVX2 && !(cpu.X86.HasAVX2 && cpu.X86.HasFMA):
		return "the processor lacks AVX2 or FMA"
	case id == isaAVX512 && !(cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasFMA):
		return "the processor lacks AVX-512 F, BW, DQ or VL"
	}
	return ""
}

// gemm runs the tile. It may change t.b, t.c and t.cols.
func (id isa) gemm(t *tile) {
	switch id {
	case isaAVX512:
		gemmAVX512(t)
	case isaAVX2:
		if rest := t.cols % 4; rest != 0 && t.cols > 4 { // the AVX2 tiles mask only when they are one vector wide
			t.cols -= rest
			gemmAVX2(t)
			t.b, t.c, t.cols = t.b[t.cols:], t.c[t.cols:], rest
		}
		gemmAVX2(t)
	default:
		gemmPortable(t)
	}
}

// solve and apply run the trapezoid, whose rows and columns are numbers that trapezoidRows and trapezoidCols return.
func (id isa) solve(t *trapezoid) {
	switch id {
	case isaAVX512:
		solveAVX512(t)
	case isaAVX2:
		solveAVX2(t)
	default:
		solvePortable(t)
	}
}

func (id isa) apply(t *trapezoid) {
	switch id {
	case isaAVX512:
		applyAVX512(t)
	case isaAVX2:
		applyAVX2(t)
	default:
		applyPortable(t)
	}
}

// trapezoidRows is how many of n rows one trapezoid can have, trapezoidCols how many of n columns.
func (id isa) trapezoidRows(n int) int {
	limit := 8
	if id == isaAVX2 {
		limit = 4
	}
	for limit > n {
		limit /= 2
	}
	return limit
}

func (id isa) trapezoidCols(n int) int {
	switch {
	case id == isaAVX512:
		return min(n, 24)
	case id == isaAVX2 && n < 12:
		return min(n, 4)
	case id == isaAVX2:
		return 12
	}
	return n
}

func (id isa) dot(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		return dotAVX512(len(x), &x[0], &y[0])
	case isaAVX2:
		return dotAVX2(len(x), &x[0], &y[0])
	}
	return dotPortable(x, y)
}

// dotRows is y_i = fma(alpha, dot(row i of a, x), y_i), for x that is not empty.
func (id isa) dotRows(alpha float64, a []float64, lda int, x, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = a[(len(y)-1)*lda+len(x)-1]
	switch id {
	case isaAVX512:
		dotRowsAVX512(len(y), len(x), alpha, &a[0], lda, &x[0], &y[0])
	case isaAVX2:
		dotRowsAVX2(len(y), len(x), alpha, &a[0], lda, &x[0], &y[0])
	default:
		dotRowsPortable(alpha, a, lda, x, y)
	}
}

func (id isa) asum(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	switch id {
	case isaAVX512:
		return asumAVX512(len(x), &x[0])
	case isaAVX2:
		return asumAVX2(len(x), &x[0])
	}
	return asumPortable(x)
}

func (id isa) axpy(alpha float64, x, y []float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		axpyAVX512(len(x), alpha, &x[0], &y[0])
	case isaAVX2:
		axpyAVX2(len(x), alpha, &x[0], &y[0])
	default:
		axpyPortable(alpha, x, y)
	}
}

// axpy4 adds four rows of x, ldx apart, to y, the first row first.
func (id isa) axpy4(alpha *[4]float64, x []float64, ldx int, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = x[3*ldx+len(y)-1]
	switch id {
	case isaAVX512:
		axpy4AVX512(len(y), alpha, &x[0], ldx, &y[0])
	case isaAVX2:
		axpy4AVX2(len(y), alpha, &x[0], ldx, &y[0])
	default:
		axpy4Portable(alpha, x, ldx, y)
	}
}

// shortRows is y = fma(alpha·x_i, row i of a, y), one row after the other, if there is a routine for so few columns; else it does nothing and
// returns false.
func (id isa) shortRows(alpha float64, x, a []float64, lda int, y []float64) bool {
	if len(x) == 0 || len(y) == 0 || len(y) > 16 || id == isaPortable {
		return false
	}
	_ = a[(len(x)-1)*lda+len(y)-1]
	if id == isaAVX512 {
		shortRowsAVX512(len(x), len(y), alpha, &x[0], &a[0], lda, &y[0])
	} else {
		shortRowsAVX2(len(x), len(y), alpha, &x[0], &a[0], lda, &y[0])
	}
	return true
}

// outer is y = fma(alpha, fma(a, x, +0), y) where keep is set, else + 0.
func (id isa) outer(alpha, a float64, x, y []float64, keep bool) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch {
	case id == isaAVX512 && keep:
		outerAddAVX512(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX512:
		outerAVX512(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX2 && keep:
		outerAddAVX2(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX2:
		outerAVX2(len(x), alpha, a, &x[0], &y[0])
	default:
		outerPortable(alpha, a, x, y, keep)
	}
}

// chainsColumns is the number of columns above which tiles are as good.
const chainsColumns = 4

// chains is s[j·rows+i] = Σ_p a[i·lda+p]·b[p·n+j] for n ≤ chainsColumns, every sum one chain of fused multiply-adds from +0, for as many rows as there
// is a routine for, at most `atMost` and 64/n. It returns their number.
func (id isa) chains(atMost, n int, a []float64, lda int, b []float64, s *[64]float64) (rows int) {
	if id == isaPortable {
		return 0
	}
	k := len(b) / n
	for _, rows = range [...]int{32, 16, 8} {
		if rows > atMost {
			continue
		}
		_ = a[(rows-1)*lda+k-1]
		switch wide := id == isaAVX512; {
		case wide && rows == 32 && n == 1:
			chains32x1(k, &a[0], lda, &b[0], &s[0])
		case wide && rows == 32 && n == 2:
			chains32x2(k, &a[0], lda, &b[0], &s[0])
		case wide && rows == 16 && n == 3:
			chains16x3(k, &a[0], lda, &b[0], &s[0])
		case wide && rows == 16 && n == 4:
			chains16x4(k, &a[0], lda, &b[0], &s[0])
		case rows == 16 && n == 1:
			chains16x1(k, &a[0], lda, &b[0], &s[0])
		case !wide && rows == 8 && n == 2:
			chains8x2(k, &a[0], lda, &b[0], &s[0])
		case !wide && rows == 8 && n == 3:
			chains8x3(k, &a[0], lda, &b[0], &s[0])
		case !wide && rows == 8 && n == 4:
			chains8x4(k, &a[0], lda, &b[0], &s[0])
		default:
			continue
		}
		return rows
	}
	return 0
}

func (id isa) scal(alpha float64, x []float64) {
	if len(x) == 0 {
		return
	}
	switch id {
	case isaAVX512:
		scalAVX512(len(x), alpha, &x[0])
	case isaAVX2:
		scalAVX2(len(x), alpha, &x[0])
	default:
		scalPortable(alpha, x)
	}
}

// div is x = x/alpha.
func (id isa) div(alpha float64, x []float64) {
	if len(x) == 0 {
		return
	}
	switch id {
	case isaAVX512:
		divAVX512(len(x), alpha, &x[0])
	case isaAVX2:
		divAVX2(len(x), alpha, &x[0])
	default:
		divPortable(alpha, x)
	}
}

func (id isa) rot(x, y []float64, c, s float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		rotAVX512(len(x), &x[0], &y[0], c, s)
	case isaAVX2:
		rotAVX2(len(x), &x[0], &y[0], c, s)
	default:
		rotPortable(x, y, c, s)
	}
}

// sweepWidth is the number of columns that sweep works on.
func (id isa) sweepWidth() int {
	switch id {
	case isaAVX512:
		return 24
	case isaAVX2:
		return 8
	}
	return portableSweepWidth
}

// sweep applies four sweeps at once to a panel of steps+4 rows of sweepWidth columns, see rotations.go.
func (id isa) sweep(steps int, panel, coefficients []float64) {
	width := id.sweepWidth()
	_, _ = panel[(steps+4)*width-1], coefficients[8*steps-1]
	switch id {
	case isaAVX512:
		sweepAVX512(steps, &panel[0], width, &coefficients[0])
	case isaAVX2:
		sweepAVX2(steps, &panel[0], width, &coefficients[0])
	default:
		sweepPortable(steps, panel, coefficients)
	}
}

// transposeStrip writes 4 or 8 rows of src as columns of dst, for the leading columns that come in fours, and returns their number.
func (id isa) transposeStrip(rows, n int, src []float64, lds int, dst []float64, ldd int) int {
	n &^= 3
	if id == isaPortable || n == 0 {
		return 0
	}
	_, _ = src[(rows-1)*lds+n-1], dst[(n-1)*ldd+rows-1]
	if rows == 8 {
		transpose8(n, &src[0], lds, &dst[0], ldd)
	} else {
		transpose4(n, &src[0], lds, &dst[0], ldd)
	}
	return n
}

// packStrip copies rows of src of the given width to dst, one after the other; false means that it did nothing.
func (id isa) packStrip(width, rows int, src []float64, lds int, dst []float64) bool {
	if id == isaPortable || rows == 0 {
		return false
	}
	_, _ = src[(rows-1)*lds+width-1], dst[rows*width-1]
	switch width { // what occurs as the height or width of a main tile
	case 4:
		packStrip4(rows, &src[0], lds, &dst[0])
	case 12:
		packStrip12(rows, &src[0], lds, &dst[0])
	case 16:
		packStrip16(rows, &src[0], lds, &dst[0])
	default:
		return false
	}
	return true
}

// fmaLoop runs 24·n independent fused multiply-adds in the widest registers and returns the number of floating-point operations.
func (id isa) fmaLoop(n int) float64 {
	switch id {
	case isaAVX512:
		fmaLoopAVX512(n)
		return 24 * 8 * 2 * float64(n)
	case isaAVX2:
		fmaLoopAVX2(n)
		return 12 * 4 * 2 * float64(n)
	}
	return fmaLoopPortable(n)
}
