package kernelkit

import "slices"

// factorChecks are the checks of rotations and factorisations; add here.
func factorChecks() []Check {
	return slices.Concat(rotationChecks(), svdChecks(), eigenChecks(), polarChecks())
}
