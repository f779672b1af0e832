package kernelkit

// blasChecks are the checks of a BLAS; add here.
func blasChecks() []Check { return nil }
