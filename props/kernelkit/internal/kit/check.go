// Package kit holds the parts that the kits for BLAS and for factorisations share: the type of a check, and calls of
// kernels that may panic or run concurrently. Users access it through package kernelkit.
package kit

import (
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// Suite keys the random streams. It does not name the kernel, so that all kernels get the same instances.
const Suite = "kernelkit"

// Reproducer is the name under which a check shows, after all else, a program that makes the failing call.
const Reproducer = "reproducer"

// Part is the part of a kernel that a check exercises.
type Part string

// The parts of a kernel.
const (
	BLASPart      Part = "blas"
	ThreadsPart   Part = "threads" // a BLAS whose number of threads can be chosen
	RotationsPart Part = "rotations"
	SVDPart       Part = "svd"
	SymEigenPart  Part = "symeigen"
	PolarPart     Part = "polar"
	QRPart        Part = "qr"
	CholeskyPart  Part = "cholesky"
)

// OfferedBy reports whether the kernel has the part.
func (p Part) OfferedBy(k kernel.Kernel) bool {
	switch p {
	case BLASPart:
		return k.BLAS != nil || k.BLAS32 != nil
	case ThreadsPart:
		return BLASPart.OfferedBy(k) && k.SetThreads != nil
	case RotationsPart:
		return k.Rotations != nil
	case SVDPart:
		return k.SVD != nil
	case SymEigenPart:
		return k.SymEigen != nil
	case PolarPart:
		return k.Polar != nil
	case QRPart:
		return k.QR != nil
	case CholeskyPart:
		return k.Cholesky != nil
	}
	panic("kernelkit: unknown part")
}

// Check is one property that a kernel must have.
type Check struct {
	Name string // routine/property, unique
	Doc  string // what is compared with what, and where the tolerance comes from
	Part Part
	Make func(kernel.Kernel) props.Check // its name is Name

	Needs []string // the routines of a BLAS that it calls, without the letter of their precision
}

// OfferedBy reports whether the kernel has what the check exercises. A BLAS may lack routines, and say so by a method
// Delegated, which lists them by gonum's names.
func (c Check) OfferedBy(k kernel.Kernel) bool {
	var b any = k.BLAS
	if k.BLAS32 != nil {
		b = k.BLAS32
	}
	partial, ok := b.(interface{ Delegated() []string })
	return c.Part.OfferedBy(k) && (!ok || !slices.ContainsFunc(partial.Delegated(), func(name string) bool {
		return slices.Contains(c.Needs, strings.ToLower(strings.TrimPrefix(name, "I"))[1:])
	}))
}

// PrecisionOf is the precision of a kernel's numbers.
func PrecisionOf(k kernel.Kernel) roundoff.Precision {
	if k.Single || k.BLAS32 != nil {
		return roundoff.Single
	}
	return roundoff.Double
}
