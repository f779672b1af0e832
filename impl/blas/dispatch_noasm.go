//go:build (!amd64 && !arm64) || noasm || purego || race

package blas

// Without assembly (other architectures, the tags noasm and purego, and the race detector, which cannot see into
// assembly) the portable kernels do all the work.

func missing(id isa) string {
	if id != isaPortable {
		return "no assembly in this build"
	}
	return ""
}

func (isa) gemm(t *tile)                       { gemmPortable(t) }
func (id isa) gemmRun(t *tile, n, a, b, c int) { id.gemmEach(t, n, a, b, c) }
func (isa) solve(t *trapezoid)                 { solvePortable(t) }
func (isa) apply(t *trapezoid)                 { applyPortable(t) }
func (isa) dot(x, y []float64) float64         { return dotPortable(x, y[:len(x)]) }
func (isa) asum(x []float64) float64           { return asumPortable(x) }
func (isa) axpy(alpha float64, x, y []float64) { axpyPortable(alpha, x, y[:len(x)]) }
func (isa) scal(alpha float64, x []float64)    { scalPortable(alpha, x) }
func (isa) rot(x, y []float64, c, s float64)   { rotPortable(x, y[:len(x)], c, s) }
func (isa) sweepWidth() int                    { return portableSweepWidth }
func (isa) fmaLoop(n int) float64              { return fmaLoopPortable(n) }

func (isa) outer(alpha, a float64, x, y []float64, keep bool) {
	outerPortable(alpha, a, x, y[:len(x)], keep)
}

func (isa) shortRows(float64, []float64, []float64, int, []float64) bool { return false }

const chainsColumns = 0

func (isa) chains(int, int, []float64, int, []float64, *[64]float64) int { return 0 }

func (isa) axpy4(alpha *[4]float64, x []float64, ldx int, y []float64) {
	axpy4Portable(alpha, x, ldx, y)
}

func (isa) sweep(steps int, panel, coefficients []float64) {
	sweepPortable(steps, panel, coefficients)
}

func (isa) transposeStrip(int, int, []float64, int, []float64, int) int { return 0 }

func (isa) packStrip(int, int, []float64, int, []float64) bool { return false }

func (isa) dotRows(alpha float64, a []float64, lda int, x, y []float64) {
	dotRowsPortable(alpha, a, lda, x, y)
}
