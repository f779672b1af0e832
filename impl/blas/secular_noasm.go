//go:build (!amd64 && !arm64) || noasm || purego || race

package blas

func (isa) secularSums(z, delta []float64, shift float64) (sum, slope float64) {
	return secularSumsPortable(z, delta, shift)
}

func (isa) quotients(x, z, delta []float64) { quotientsPortable(x, z, delta) }

func (isa) gapRatios(squared bool, x, d, delta []float64, pole float64) {
	gapRatiosPortable(squared, x, d, delta, pole)
}
