// Package kernelkit is a conformance kit for the kernels of numerical linear algebra. Hand it a BLAS behind gonum's
// interface, a singular value decomposition, a symmetric eigenvalue decomposition, and get back which checks were
// planned and run, the worst ratio of error to what rounding is entitled to, and for each failure the simplest
// counterexample that could be found.
//
//	result, err := kernelkit.Run(ctx, kernelkit.Kernel{Name: "mine", BLAS: mine.BLAS{}}, kernelkit.Options{})
//
// In a test of another module:
//
//	func TestKernel(t *testing.T) { kernelkit.Test(t, kernelkit.Kernel{Name: "mine", BLAS: mine.BLAS{}}) }
//
// A check is named routine/property, as in gemm/rounding bound. The routines of the BLAS are described once, by their
// arguments and by what they compute as a sum of products of matrices; the properties are written once and hold for all
// routines. Instances are drawn with [rapid], so that they shrink, and are the same for every kernel.
//
// Every check comes with faulty kernels that it must reject; [Kills] runs them. A kernel that panics on valid arguments
// fails the check. What is known to be wrong is accepted by a [Waiver], with a reason and until a day.
//
// [rapid]: https://pkg.go.dev/pgregory.net/rapid
package kernelkit

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// Kernel is what the kit is handed. A part that is nil is not offered: its checks are listed as such and count neither as
// passed nor as planned.
type Kernel struct {
	Name      string
	BLAS      blas.Float64
	Rotations Rotations
	SVD       SVD
	SymEigen  SymEigen
	Polar     Polar

	// TestRatio is what the factorisations promise: errors of at most TestRatio·max(m,n)·ulp·‖A‖, as LAPACK's testers
	// measure them. 0 stands for 50, the threshold of those testers.
	TestRatio float64

	// SetThreads makes the kernel use n threads, 0 as many as it would without being told; nil where that cannot be
	// chosen, and then no check asks whether the results depend on it.
	SetThreads func(n int)

	// Prepare sets process-wide state that the kernel needs, such as the choice among instruction sets, for the time of
	// one run, and returns what undoes it; nil where there is none. Kernels with Prepare must not run at the same time.
	Prepare func() (restore func(), err error)
}

// Rotations applies a sequence of plane rotations to an m×n row-major matrix, as LAPACK's dlasr and gonum's Dlasr.
type Rotations interface {
	Dlasr(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int)
}

// SVD factorises a (m×n) = u·diag(s)·vᵀ and leaves it unchanged. s is descending and not negative, of length
// r = min(m, n). u and v are nil for mat.SVDNone, m×r and n×r for mat.SVDThin, m×m and n×n for mat.SVDFull. A matrix with
// NaN or infinite entries is an error.
type SVD func(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error)

// SymEigen factorises a (n×n) = v·diag(w)·vᵀ and leaves it unchanged. w is ascending; v is nil unless vectors is set. A
// matrix with NaN or infinite entries is an error.
type SymEigen func(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error)

// Polar returns the factor u (m×n, m ≥ n, orthonormal columns) of a = u·h with h symmetric and positive semidefinite,
// and leaves a unchanged. A matrix with NaN or infinite entries is an error.
type Polar func(a *mat.Dense) (u *mat.Dense, err error)

// Part is what of a kernel a check exercises.
type Part string

// The parts of a kernel.
const (
	BLASPart      Part = "blas"
	ThreadsPart   Part = "threads" // a BLAS whose number of threads can be chosen
	RotationsPart Part = "rotations"
	SVDPart       Part = "svd"
	SymEigenPart  Part = "symeigen"
	PolarPart     Part = "polar"
)

// offers reports whether the kernel has the part.
func (k Kernel) offers(p Part) bool {
	switch p {
	case BLASPart:
		return k.BLAS != nil
	case ThreadsPart:
		return k.BLAS != nil && k.SetThreads != nil
	case RotationsPart:
		return k.Rotations != nil
	case SVDPart:
		return k.SVD != nil
	case SymEigenPart:
		return k.SymEigen != nil
	case PolarPart:
		return k.Polar != nil
	}
	panic("kernelkit: unknown part")
}

// prepare runs Prepare where there is one.
func (k Kernel) prepare() (restore func(), err error) {
	if k.Prepare == nil {
		return func() {}, nil
	}
	return k.Prepare()
}

// Check is one property that a kernel must have, with kernels that do not have it.
type Check struct {
	Name   string // routine/property, unique
	Doc    string // what is compared with what, and where the tolerance comes from
	Part   Part
	Make   func(Kernel) props.Check // its name is Name
	Faults []Fault                  // each must be rejected
}

// Fault is a way of being wrong.
type Fault struct {
	Name  string
	Break func(Kernel) Kernel // returns the sound kernel it is given, with the fault built in
}

// Checks are all checks of the kit; add here.
func Checks() []Check {
	return append(blasChecks(), factorChecks()...)
}

// Waiver accepts that a kernel fails a check. The check still runs: a waiver that is not needed, or that has expired, is
// a failure itself.
type Waiver struct {
	Kernel  string `json:"kernel"`
	Check   string `json:"check"`
	Reason  string `json:"reason"`
	Expires string `json:"expires"` // the last day on which it holds, as 2027-06-30
}
