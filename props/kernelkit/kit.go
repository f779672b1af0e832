// Package kernelkit is a conformance kit for the kernels of numerical linear algebra. It takes a BLAS with gonum's
// interface, a singular value decomposition or a symmetric eigenvalue decomposition, and returns the checks that were
// planned and run, the worst ratio of error to the rounding error bound, and for each failure the simplest
// counterexample that it could find.
//
//	result, err := kernelkit.Run(ctx, kernelkit.Kernel{Name: "mine", BLAS: mine.BLAS{}}, kernelkit.Options{})
//
// In a test of another module:
//
//	func TestKernel(t *testing.T) { kernelkit.Test(t, kernelkit.Kernel{Name: "mine", BLAS: mine.BLAS{}}) }
//
// A check is named routine/property, as in gemm/rounding bound. Package blaskit describes the routines of the BLAS
// once, by their arguments and by their results as sums of products of matrices, and each property once for all
// routines. Package factorkit goes through the matrices of the gallery. Instances are drawn with [rapid], so that they
// shrink, and are the same for every kernel.
//
// Package faulty has kernels that each check must reject; nothing here links it. A kernel that panics on valid
// arguments fails the check. A [Waiver] accepts a known failure, with a reason and an expiry date.
//
// [rapid]: https://pkg.go.dev/pgregory.net/rapid
package kernelkit

import (
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/internal/factorkit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// The types that describe a kernel; see package kernel for their contracts.
type (
	Kernel    = kernel.Kernel
	Rotations = kernel.Rotations
	SVD       = kernel.SVD
	SymEigen  = kernel.SymEigen
	Polar     = kernel.Polar
	QR        = kernel.QR
	Cholesky  = kernel.Cholesky
)

// Check is one property that a kernel must have.
type Check = kit.Check

// Part is the part of a kernel that a check exercises.
type Part = kit.Part

// BuiltIn are the kernels that come with the module: "thm" on the set of inner routines that is in use, the same on
// each set that runs here ("thm-avx512"), "gonum", and "gonum-single".
func BuiltIn() []Kernel { return builtin.Kernels() }

// Checks are all checks of the kit.
func Checks() []Check {
	return append(blaskit.Checks(), factorkit.Checks()...)
}

// Waiver accepts that a kernel fails a check. The check still runs: a waiver that is not needed, or that has expired,
// is a failure itself.
type Waiver struct {
	Kernel  string `json:"kernel"`
	Check   string `json:"check"`
	Reason  string `json:"reason"`
	Expires string `json:"expires"` // the last day on which it holds, as 2027-06-30

	Inherited bool `json:"inherited,omitempty"` // a known defect of gonum's, in a routine that the kernel has from gonum
}
