// Package builtin lists the kernels that come with the module: its own, on each set of inner routines, and gonum's.
package builtin

import (
	"runtime"

	"gonum.org/v1/gonum/mat"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/lapack"
)

// Kernels are "thm" on the set of inner routines that is in use, the same on each set that runs here ("thm-avx512"),
// "gonum", and "gonum-single".
func Kernels() []kernel.Kernel {
	list := []kernel.Kernel{Thm()}
	for _, inner := range blas.Kernels() {
		if inner.Available {
			k := Thm()
			k.Name += "-" + inner.Name
			list = append(list, OnInner(k, inner.Name))
		}
	}
	return append(list, Gonum(), GonumSingle())
}

// Thm returns the kernel that this module computes with.
func Thm() kernel.Kernel {
	return kernel.Kernel{
		Name:      "thm",
		BLAS:      blas.Implementation{},
		Rotations: lapack.Implementation{},
		SVD:       linalg.SVD,
		SymEigen: func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
			return linalg.SymEigen(a, vectors)
		},
		Polar: func(a *mat.Dense) (*mat.Dense, error) {
			p, err := linalg.Polar(a, linalg.PolarOptions{})
			return p.U, err
		},
		QR: func(a *mat.Dense) (q, r *mat.Dense, err error) {
			f, err := linalg.QR(a)
			if err != nil {
				return nil, nil, err
			}
			return f.Q(), f.R(), nil
		},
		Cholesky: func(a *mat.SymDense) (*mat.TriDense, error) { return linalg.Cholesky(a) },
		Sweeps: func(side gblas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int) {
			blas.ApplyRotations(side, false, m, n, sweeps, c, s, ldr, a, lda)
		},
		SetThreads: blas.SetThreads,
	}
}

// OnInner makes a kernel run on one set of this module's inner routines.
func OnInner(k kernel.Kernel, inner string) kernel.Kernel {
	k.Prepare = func() (restore func(), err error) {
		before := InUse()
		if err := blas.SetKernel(inner); err != nil {
			return nil, err
		}
		return func() { _ = blas.SetKernel(before) }, nil
	}
	return k
}

// InUse is the name of the set of inner routines in use.
func InUse() string {
	for _, inner := range blas.Kernels() {
		if inner.Chosen {
			return inner.Name
		}
	}
	panic("builtin: no set of inner routines is in use")
}

// Limit keeps this process to some threads, the collector's work included, until the function that it returns is
// called.
func Limit(number int) (undo func()) {
	threads, procs := blas.Threads(), runtime.GOMAXPROCS(number)
	blas.SetThreads(number)
	return func() {
		blas.SetThreads(threads)
		runtime.GOMAXPROCS(procs)
	}
}
