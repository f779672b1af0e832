// Package kit holds what the kits for BLAS and for factorisations share: the type of a check, and calls of kernels that
// may panic or run at the same time. Users see it through package kernelkit.
package kit

import (
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
)

// Suite keys the random streams. It does not name the kernel, so that all kernels get the same instances.
const Suite = "kernelkit"

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

// OfferedBy reports whether the kernel has the part.
func (p Part) OfferedBy(k kernel.Kernel) bool {
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

// Check is one property that a kernel must have.
type Check struct {
	Name string // routine/property, unique
	Doc  string // what is compared with what, and where the tolerance comes from
	Part Part
	Make func(kernel.Kernel) props.Check // its name is Name
}
