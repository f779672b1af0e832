//go:build amd64 && !noasm && !purego && !race

package blas

//go:noescape
func interleavedDotAVX2(n int, x, y, sum *float64)

//go:noescape
func interleavedAxpyAVX2(n int, alpha, x, y *float64)

//go:noescape
func interleavedRotAVX2(n int, x, y, c, s *float64)

// The routines for AVX2 serve both sets: a processor with AVX-512 has it.

func (id isa) interleavedDot(n int, x, y []float64, sum *[Interleaved]float64) {
	if id == isaPortable {
		interleavedDotPortable(n, x, y, sum)
		return
	}
	interleavedDotAVX2(n, &x[0], &y[0], &sum[0])
}

func (id isa) interleavedAxpy(n int, alpha *[Interleaved]float64, x, y []float64) {
	if id == isaPortable {
		interleavedAxpyPortable(n, alpha, x, y)
		return
	}
	interleavedAxpyAVX2(n, &alpha[0], &x[0], &y[0])
}

func (id isa) interleavedRot(n int, x, y []float64, c, s *[Interleaved]float64) {
	if id == isaPortable {
		interleavedRotPortable(n, x, y, c, s)
		return
	}
	interleavedRotAVX2(n, &x[0], &y[0], &c[0], &s[0])
}
