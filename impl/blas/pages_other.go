//go:build !linux

package blas

// adviseLargePages does nothing where there is no such hint.
func adviseLargePages([]float64) {}

func adviseAligned(x []float64, _ int) []float64 { return x }
