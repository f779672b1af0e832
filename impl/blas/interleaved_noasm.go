//go:build !amd64 || noasm || purego || race

package blas

func (isa) interleavedDot(n int, x, y []float64, sum *[Interleaved]float64) {
	interleavedDotPortable(n, x, y, sum)
}

func (isa) interleavedAxpy(n int, alpha *[Interleaved]float64, x, y []float64) {
	interleavedAxpyPortable(n, alpha, x, y)
}

func (isa) interleavedRot(n int, x, y []float64, c, s *[Interleaved]float64) {
	interleavedRotPortable(n, x, y, c, s)
}
