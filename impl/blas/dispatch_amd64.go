//go:build amd64 && !noasm && !purego && !race

package blas

import "golang.org/x/sys/cpu"

// missing says why a set of kernels cannot run here, or nothing.
func missing(id isa) string {
	switch {
	case id == isaAVX2 && !(cpu.X86.HasAVX2 && cpu.X86.HasFMA):
		return "the processor lacks AVX2 or FMA"
	case id == isaAVX512 && !(cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
		cpu.X86.HasFMA):
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

// gemmRun runs the tile count > 0 times, each time with operands so many numbers further on.
func (id isa) gemmRun(t *tile, count, stepA, stepB, stepC int) {
	switch {
	case id == isaAVX512:
		gemmRunAVX512(t, count, stepA, stepB, stepC)
	case id == isaAVX2 && (t.cols%4 == 0 || t.cols < 4):
		gemmRunAVX2(t, count, stepA, stepB, stepC)
	default:
		id.gemmEach(t, count, stepA, stepB, stepC)
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

// chainsColumns is the number of columns above which tiles are as good.
const chainsColumns = 4

// chains is s[j·rows+i] = Σ_p a[i·lda+p]·b[p·n+j] for n ≤ chainsColumns, every sum one chain of fused multiply-adds
// from +0, for as many rows as there is a routine for, at most `atMost` and 64/n. It returns their number.
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

// transposeStrip writes 4 or 8 rows of src as columns of dst, for the leading columns that come in fours, and returns
// their number.
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

// fmaLoop runs 24·n independent fused multiply-adds in the widest registers and returns the number of floating-point
// operations.
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
