package blas

import (
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Implementation implements gonum's blas.Float64. The zero value is ready, and any number of goroutines may use it at
// once.
type Implementation struct{}

var _ gblas.Float64 = Implementation{}

// String names the kernel that is in use, as in "thm avx2".
func (Implementation) String() string {
	for _, k := range Kernels() {
		if k.Chosen {
			return "thm " + k.Name
		}
	}
	return "thm"
}

// Use makes gonum's blas64, and with it mat and lapack64, call this package. It returns the implementation that was in
// use before, so that a caller can put it back. Like blas64.Use it must not run at the same time as other calls of
// blas64.
func Use() (previous gblas.Float64) {
	previous = blas64.Implementation()
	blas64.Use(Implementation{})
	return previous
}
