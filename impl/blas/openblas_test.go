//go:build linux && amd64

package blas

import (
	"os"
	"sync"

	"github.com/ebitengine/purego"
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// openBLAS is the peer of the benchmarks: gonum's interface in front of the cblas routines measured there; gonum does the others. Set
// OPENBLAS_NUM_THREADS and OPENBLAS_CORETYPE in the environment of the test: it reads them when it is loaded.
type openBLAS struct{ gonum.Implementation }

var cblas struct {
	dgemm func(order, tA, tB int32, m, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32, beta float64, c *float64, ldc int32)
	dtrsm func(order, side, ul, tA, d int32, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32)
	dtrmm func(order, side, ul, tA, d int32, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32)
	dsyrk func(order, ul, tA int32, n, k int32, alpha float64, a *float64, lda int32, beta float64, c *float64, ldc int32)
	dgemv func(order, tA int32, m, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64, y *float64, incY int32)
	ddot  func(n int32, x *float64, incX int32, y *float64, incY int32) float64
}

// loadOpenBLAS finds the library, or returns nil.
var loadOpenBLAS = sync.OnceValue(func() gblas.Float64 {
	for _, name := range []string{os.Getenv("THM_OPENBLAS"), "libopenblas.so.0", "libopenblas.so"} {
		if name == "" {
			continue
		}
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			continue
		}
		purego.RegisterLibFunc(&cblas.dgemm, lib, "cblas_dgemm")
		purego.RegisterLibFunc(&cblas.dtrsm, lib, "cblas_dtrsm")
		purego.RegisterLibFunc(&cblas.dtrmm, lib, "cblas_dtrmm")
		purego.RegisterLibFunc(&cblas.dsyrk, lib, "cblas_dsyrk")
		purego.RegisterLibFunc(&cblas.dgemv, lib, "cblas_dgemv")
		purego.RegisterLibFunc(&cblas.ddot, lib, "cblas_ddot")
		return openBLAS{}
	}
	return nil
})

const rowMajor = 101

// code translates gonum's letters to the numbers of cblas.
func code[T ~byte](c T) int32 {
	return map[byte]int32{'N': 111, 'T': 112, 'C': 113, 'U': 121, 'L': 122}[byte(c)]
}

func codeDiag(d gblas.Diag) int32 {
	return map[gblas.Diag]int32{gblas.NonUnit: 131, gblas.Unit: 132}[d]
}
func codeSide(s gblas.Side) int32 { return map[gblas.Side]int32{gblas.Left: 141, gblas.Right: 142}[s] }

func (openBLAS) Dgemm(tA, tB gblas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	cblas.dgemm(rowMajor, code(tA), code(tB), int32(m), int32(n), int32(k), alpha, &a[0], int32(lda), &b[0], int32(ldb), beta, &c[0], int32(ldc))
}

func (openBLAS) Dtrsm(s gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	cblas.dtrsm(rowMajor, codeSide(s), code(ul), code(tA), codeDiag(d), int32(m), int32(n), alpha, &a[0], int32(lda), &b[0], int32(ldb))
}

func (openBLAS) Dtrmm(s gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	cblas.dtrmm(rowMajor, codeSide(s), code(ul), code(tA), codeDiag(d), int32(m), int32(n), alpha, &a[0], int32(lda), &b[0], int32(ldb))
}

func (openBLAS) Dsyrk(ul gblas.Uplo, tA gblas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	cblas.dsyrk(rowMajor, code(ul), code(tA), int32(n), int32(k), alpha, &a[0], int32(lda), beta, &c[0], int32(ldc))
}

func (openBLAS) Dgemv(tA gblas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	cblas.dgemv(rowMajor, code(tA), int32(m), int32(n), alpha, &a[0], int32(lda), &x[0], int32(incX), beta, &y[0], int32(incY))
}

func (openBLAS) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return cblas.ddot(int32(n), &x[0], int32(incX), &y[0], int32(incY))
}
