// Package kernel describes a kernel of numerical linear algebra in one type, which the conformance kit checks, the
// benchmarks time and the command lists. It contains only interfaces and links no implementation.
package kernel

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"
)

// Kernel is a set of routines under one name. A routine that is nil is not offered: the kit lists its checks as such
// and counts them neither as passed nor as planned, and the benchmarks leave it out.
type Kernel struct {
	Name      string
	BLAS      blas.Float64
	BLAS32    blas.Float32 // in place of BLAS: a kernel has one precision
	Rotations Rotations
	SVD       SVD
	SymEigen  SymEigen
	Polar     Polar
	QR        QR
	Cholesky  Cholesky

	// Sweeps applies many sequences of rotations in one call. It is for benchmarks alone: no check looks at it. Where
	// it is nil they call Rotations once for each sequence.
	Sweeps Sweeps

	// Single says that the factorisations compute in single precision: the matrices that they are given and return hold
	// numbers of float32. A kernel with BLAS32 is single as well.
	Single bool

	// TestRatio bounds the errors of the factorisations by TestRatio·max(m,n)·ulp·‖A‖, as LAPACK's testers measure
	// them. 0 stands for 50, the threshold of those testers.
	TestRatio float64

	// SetThreads makes the kernel use n threads, 0 as many as it would without being told; nil where that cannot be
	// chosen, and then no check asks whether the results depend on it.
	SetThreads func(n int)

	// C says how a routine is called in C, for programs that reproduce a failure: the symbol of a method of gonum's, such
	// as Dgemm, and where it is one of Fortran's for a BLAS, the arguments in its order. File is the library. C is nil for
	// kernels in Go.
	C    func(method string) (symbol, arrangement string)
	File string

	// Prepare sets process-wide state that the kernel needs, such as the choice among instruction sets, for the time of
	// one run, and returns what undoes it; nil where there is none. Kernels with Prepare must not run at the same time.
	Prepare func() (restore func(), err error)
}

// Begin calls Prepare where there is one.
func (k Kernel) Begin() (restore func(), err error) {
	if k.Prepare == nil {
		return func() {}, nil
	}
	return k.Prepare()
}

// Rotations applies a sequence of plane rotations to an m×n row-major matrix, as LAPACK's dlasr and gonum's Dlasr.
type Rotations interface {
	Dlasr(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int)
}

// SVD factorises a (m×n) = u·diag(s)·vᵀ and leaves it unchanged. s is descending and not negative, of length r = min(m,
// n). u and v are nil for mat.SVDNone, m×r and n×r for mat.SVDThin, m×m and n×n for mat.SVDFull. A matrix with NaN or
// infinite entries is an error.
type SVD func(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error)

// SymEigen factorises a (n×n) = v·diag(w)·vᵀ and leaves it unchanged. w is ascending; v is nil unless vectors is set. A
// matrix with NaN or infinite entries is an error.
type SymEigen func(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error)

// Polar returns the factor u (m×n, m ≥ n, orthonormal columns) of a = u·h with h symmetric and positive semidefinite,
// and leaves a unchanged. A matrix with NaN or infinite entries is an error.
type Polar func(a *mat.Dense) (u *mat.Dense, err error)

// QR factorises a (m×n) = q·r and leaves it unchanged. q is m×k with orthonormal columns and r k×n and upper
// triangular, with k = min(m, n). A matrix with NaN or infinite entries is an error.
type QR func(a *mat.Dense) (q, r *mat.Dense, err error)

// Cholesky factorises a (n×n) = l·lᵀ, with l lower triangular, and leaves it unchanged. A matrix that is not positive
// definite, or has NaN or infinite entries, is an error.
type Cholesky func(a *mat.SymDense) (l *mat.TriDense, err error)

// Sweeps applies sweeps of plane rotations to the m×n matrix a with leading dimension lda, in place: rotation j of
// sweep q, with cosine c[q·ldr+j] and sine s[q·ldr+j], turns rows (Left) or columns (Right) j and j+1, in ascending
// order.
type Sweeps func(side blas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int)

// SweepBySweep applies each sweep by a call of Dlasr.
func SweepBySweep(r Rotations) Sweeps {
	return func(side blas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int) {
		for q := range sweeps {
			r.Dlasr(side, lapack.Variable, lapack.Forward, m, n, c[q*ldr:(q+1)*ldr], s[q*ldr:(q+1)*ldr], a, lda)
		}
	}
}
