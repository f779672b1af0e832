// Package factorkit checks rotations, singular value decompositions, symmetric eigenvalue decompositions and polar
// factors: against LAPACK's test ratios, against oracles in double-double, and against themselves on matrices whose
// factors are related.
package factorkit

import (
	"slices"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// Checks are the checks of rotations and factorisations; add here.
func Checks() []kit.Check {
	return slices.Concat(rotationChecks(), svdChecks(), eigenChecks(), polarChecks())
}

// subject is the kernel that a check calls.
type subject struct{ kernel.Kernel }
