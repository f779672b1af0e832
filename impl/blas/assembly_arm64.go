//go:build arm64 && !noasm && !purego && !race

package blas

// The routines in assembly. They check nothing: dispatch_arm64.go does.

//go:noescape
func gemmNEON(t *tile)

//go:noescape
func solveNEON(t *trapezoid)

//go:noescape
func applyNEON(t *trapezoid)

//go:noescape
func dotNEON(n int, x, y *float64) float64

//go:noescape
func dotRowsNEON(rows, n int, alpha float64, a *float64, lda int, x, y *float64)

//go:noescape
func asumNEON(n int, x *float64) float64

//go:noescape
func axpyNEON(n int, alpha float64, x, y *float64)

//go:noescape
func axpy4NEON(n int, alpha *[4]float64, x *float64, ldx int, y *float64)

//go:noescape
func outerNEON(n int, alpha, a float64, x, y *float64)

//go:noescape
func outerAddNEON(n int, alpha, a float64, x, y *float64)

//go:noescape
func scalNEON(n int, alpha float64, x *float64)

//go:noescape
func rotNEON(n int, x, y *float64, c, s float64)

//go:noescape
func sweepNEON(steps int, a *float64, ld int, cs *float64)

//go:noescape
func secularSumsNEON(n int, z, delta *float64, shift float64) (sum, slope float64)

//go:noescape
func quotientsNEON(n int, z, delta, x *float64)

//go:noescape
func gapRatiosNEON(n int, d, delta, x *float64, pole float64)

//go:noescape
func squareGapRatiosNEON(n int, d, delta, x *float64, pole float64)

//go:noescape
func transpose8NEON(n int, src *float64, lds int, dst *float64, ldd int)

//go:noescape
func transpose4NEON(n int, src *float64, lds int, dst *float64, ldd int)

//go:noescape
func fmaLoopNEON(n int)
