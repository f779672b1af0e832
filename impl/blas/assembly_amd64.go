//go:build amd64 && !noasm && !purego && !race

package blas

// The routines in assembly. They check nothing: dispatch_amd64.go does.

//go:noescape
func gemmAVX512(t *tile)

//go:noescape
func gemmAVX2(t *tile)

//go:noescape
func gemmRunAVX512(t *tile, count, stepA, stepB, stepC int)

//go:noescape
func gemmRunAVX2(t *tile, count, stepA, stepB, stepC int)

//go:noescape
func solveAVX512(t *trapezoid)

//go:noescape
func solveAVX2(t *trapezoid)

//go:noescape
func applyAVX512(t *trapezoid)

//go:noescape
func applyAVX2(t *trapezoid)

//go:noescape
func dotAVX512(n int, x, y *float64) float64

//go:noescape
func dotAVX2(n int, x, y *float64) float64

//go:noescape
func dotRowsAVX512(rows, n int, alpha float64, a *float64, lda int, x, y *float64)

//go:noescape
func dotRowsAVX2(rows, n int, alpha float64, a *float64, lda int, x, y *float64)

//go:noescape
func asumAVX512(n int, x *float64) float64

//go:noescape
func asumAVX2(n int, x *float64) float64

//go:noescape
func axpyAVX512(n int, alpha float64, x, y *float64)

//go:noescape
func axpyAVX2(n int, alpha float64, x, y *float64)

//go:noescape
func axpy4AVX512(n int, alpha *[4]float64, x *float64, ldx int, y *float64)

//go:noescape
func axpy4AVX2(n int, alpha *[4]float64, x *float64, ldx int, y *float64)

//go:noescape
func shortRowsAVX512(rows, n int, alpha float64, x, a *float64, lda int, y *float64)

//go:noescape
func shortRowsAVX2(rows, n int, alpha float64, x, a *float64, lda int, y *float64)

//go:noescape
func outerAVX512(n int, alpha, a float64, x, y *float64)

//go:noescape
func outerAVX2(n int, alpha, a float64, x, y *float64)

//go:noescape
func outerAddAVX512(n int, alpha, a float64, x, y *float64)

//go:noescape
func outerAddAVX2(n int, alpha, a float64, x, y *float64)

//go:noescape
func chains32x1(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains32x2(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains16x3(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains16x4(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains16x1(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains8x2(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains8x3(k int, a *float64, lda int, b, s *float64)

//go:noescape
func chains8x4(k int, a *float64, lda int, b, s *float64)

//go:noescape
func scalAVX512(n int, alpha float64, x *float64)

//go:noescape
func scalAVX2(n int, alpha float64, x *float64)

//go:noescape
func rotAVX512(n int, x, y *float64, c, s float64)

//go:noescape
func rotAVX2(n int, x, y *float64, c, s float64)

//go:noescape
func sweepAVX512(steps int, a *float64, ld int, cs *float64)

//go:noescape
func sweepAVX2(steps int, a *float64, ld int, cs *float64)

//go:noescape
func transpose8(n int, src *float64, lds int, dst *float64, ldd int)

//go:noescape
func transpose4(n int, src *float64, lds int, dst *float64, ldd int)

//go:noescape
func packStrip4(rows int, src *float64, lds int, dst *float64)

//go:noescape
func packStrip12(rows int, src *float64, lds int, dst *float64)

//go:noescape
func packStrip16(rows int, src *float64, lds int, dst *float64)

//go:noescape
func fmaLoopAVX512(n int)

//go:noescape
func fmaLoopAVX2(n int)
