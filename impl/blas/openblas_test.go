package blas

import (
	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/dlblas"
)

// loadOpenBLAS finds the peer of the speed tests, or returns nil. OPENBLAS_NUM_THREADS and OPENBLAS_CORETYPE must be in the environment of
// the test: the library reads them when it is loaded.
func loadOpenBLAS() gblas.Float64 {
	l, err := dlblas.Find("openblas")
	if err != nil {
		return nil
	}
	return l
}
