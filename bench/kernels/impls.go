package kernels

import (
	"sync"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dlblas"
)

// Impl is a set of implementations under one name. An operation that it does not offer is nil.
type Impl struct {
	Name      string
	BLAS      gblas.Float64
	SVD       SVD
	SymEigen  SymEigen
	Polar     Polar
	Rotations Rotations

	// SetThreads bounds the number of threads of all operations; nil where it cannot be chosen.
	SetThreads func(n int)
}

// SVD factorises a (m×n) and leaves it unchanged. It returns an error when the iteration does not converge.
type SVD func(a *mat.Dense, kind mat.SVDKind) (SVDFactors, error)

// SVDFactors are the factors of A = U·diag(Values)·Vᵀ for an m×n matrix A, with r = min(m, n).
type SVDFactors struct {
	Values []float64  // r, descending, not negative
	U      *mat.Dense // m×r for a thin decomposition, m×m for a full one, nil for values alone
	V      *mat.Dense // n×r for a thin decomposition, n×n for a full one, nil for values alone
}

// SymEigen factorises a (n×n) and leaves it unchanged, with eigenvectors if vectors is set. It returns an error when the
// iteration does not converge.
type SymEigen func(a *mat.SymDense, vectors bool) (EigenFactors, error)

// EigenFactors are the factors of A = V·diag(Values)·Vᵀ for a symmetric n×n matrix A.
type EigenFactors struct {
	Values []float64  // n, ascending
	V      *mat.Dense // n×n, orthogonal; nil for values alone
}

// Polar returns the factor U (m×n, m ≥ n) with orthonormal columns of A = U·H, H symmetric and positive semidefinite, and
// leaves a unchanged.
type Polar func(a *mat.Dense) (*mat.Dense, error)

// Rotations applies sweeps of plane rotations to the m×n matrix a with leading dimension lda, in place: rotation j of sweep
// q, with cosine c[q·ldr+j] and sine s[q·ldr+j], turns rows (Left) or columns (Right) j and j+1, in ascending order.
type Rotations func(side gblas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int)

// Impls lists what is measured: the implementations of this module, gonum's, gonum's factorisations on the kernels of this
// module, and the libraries that are found on the machine. Add here.
var Impls = sync.OnceValue(func() []Impl {
	list := []Impl{Thm(), Gonum(), gonumOnThm()}
	for _, name := range []string{"openblas", "blis"} {
		if l, err := dlblas.Find(name); err == nil {
			list = append(list, libraryImpl(l))
		}
	}
	return list
})
