// Package factorkit checks rotations, singular value decompositions, symmetric eigenvalue decompositions and polar
// factors: by LAPACK's test ratios, by oracles in double-double, and by comparing factorisations of matrices whose
// factors are related.
package factorkit

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// Checks are the checks of rotations and factorisations; add here.
func Checks() []kit.Check {
	return slices.Concat(rotationChecks(), svdChecks(), eigenChecks(), polarChecks(), triangleChecks())
}

// subject is the kernel that a check calls.
type subject struct{ kernel.Kernel }

func (k subject) precision() roundoff.Precision { return kit.PrecisionOf(k.Kernel) }

// round makes all entries of a numbers of the kernel's precision.
func (k subject) round(a *mat.Dense) *mat.Dense {
	a.Apply(func(_, _ int, v float64) float64 { return k.precision().Round(v) }, a)
	return a
}
