//go:build !amd64 || noasm || purego || race

package blas

func (isa) updateGemv(a []float64, lda int, x, v, u, y, w, z []float64) {
	updateGemvPortable(a, lda, x, v, u, y, w, z)
}

func (isa) timesRows(a []float64, lda int, x, y []float64) { timesRowsPortable(a, lda, x, y) }

func (isa) timesBoth(a []float64, lda int, x, w, y, z []float64) {
	timesBothPortable(a, lda, x, w, y, z)
}

func (id isa) rotateRows(n int, c, s, a []float64, lda int) { id.rotateOneByOne(n, c, s, a, lda) }
