//go:build !amd64 || noasm || purego || race

package blas

func (isa) updateGemv(a []float64, lda int, x, v, u, y, w, z []float64) {
	updateGemvPortable(a, lda, x, v, u, y, w, z)
}
