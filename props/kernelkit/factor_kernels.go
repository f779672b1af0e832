package kernelkit

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
)

// withThmFactors adds our rotations and factorisations to a kernel.
func withThmFactors(k Kernel) Kernel {
	k.Rotations = blas.Implementation{}
	k.SVD = linalg.SVD
	k.SymEigen = func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) { return linalg.SymEigen(a, vectors) }
	k.Polar = func(a *mat.Dense) (*mat.Dense, error) {
		p, err := linalg.Polar(a, linalg.PolarOptions{})
		return p.U, err
	}
	return k
}

// withGonumFactors adds gonum's.
func withGonumFactors(k Kernel) Kernel {
	k.Rotations, k.SVD, k.SymEigen = gonumRotations, gonumSVD, gonumSymEigen
	return k
}
