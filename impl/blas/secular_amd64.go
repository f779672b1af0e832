//go:build amd64 && !noasm && !purego && !race

package blas

//go:noescape
func secularSumsAVX512(n int, z, delta *float64, shift float64) (sum, slope float64)

//go:noescape
func secularSumsAVX2(n int, z, delta *float64, shift float64) (sum, slope float64)

//go:noescape
func quotientsAVX512(n int, z, delta, x *float64)

//go:noescape
func quotientsAVX2(n int, z, delta, x *float64)

//go:noescape
func gapRatiosAVX512(n int, d, delta, x *float64, pole float64)

//go:noescape
func gapRatiosAVX2(n int, d, delta, x *float64, pole float64)

//go:noescape
func squareGapRatiosAVX512(n int, d, delta, x *float64, pole float64)

//go:noescape
func squareGapRatiosAVX2(n int, d, delta, x *float64, pole float64)

func (id isa) secularSums(z, delta []float64, shift float64) (sum, slope float64) {
	switch id {
	case isaAVX512:
		return secularSumsAVX512(len(z), &z[0], &delta[0], shift)
	case isaAVX2:
		return secularSumsAVX2(len(z), &z[0], &delta[0], shift)
	}
	return secularSumsPortable(z, delta, shift)
}

// quotients takes a multiple of 8 elements, as gapRatios does.
func (id isa) quotients(x, z, delta []float64) {
	if len(x) == 0 {
		return
	}
	switch id {
	case isaAVX512:
		quotientsAVX512(len(x), &z[0], &delta[0], &x[0])
	case isaAVX2:
		quotientsAVX2(len(x), &z[0], &delta[0], &x[0])
	default:
		quotientsPortable(x, z, delta)
	}
}

func (id isa) gapRatios(squared bool, x, d, delta []float64, pole float64) {
	if len(x) == 0 {
		return
	}
	switch {
	case id == isaAVX512 && squared:
		squareGapRatiosAVX512(len(x), &d[0], &delta[0], &x[0], pole)
	case id == isaAVX512:
		gapRatiosAVX512(len(x), &d[0], &delta[0], &x[0], pole)
	case id == isaAVX2 && squared:
		squareGapRatiosAVX2(len(x), &d[0], &delta[0], &x[0], pole)
	case id == isaAVX2:
		gapRatiosAVX2(len(x), &d[0], &delta[0], &x[0], pole)
	default:
		gapRatiosPortable(squared, x, d, delta, pole)
	}
}
