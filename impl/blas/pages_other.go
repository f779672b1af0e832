//go:build !linux

package blas

// adviseLargePages does nothing where there is no such hint.
func adviseLargePages([]float64) {}
