//go:build arm64 && !noasm && !purego && !race

package blas

// The routines on vectors. They have the contracts of the portable ones in lanes.go, rotations.go and secular.go.

func (id isa) dot(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	if id == isaPortable {
		return dotPortable(x, y)
	}
	return dotNEON(len(x), &x[0], &y[0])
}

// dotRows is y_i = fma(alpha, dot(row i of a, x), y_i), for x that is not empty.
func (id isa) dotRows(alpha float64, a []float64, lda int, x, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = a[(len(y)-1)*lda+len(x)-1]
	if id == isaPortable {
		dotRowsPortable(alpha, a, lda, x, y)
		return
	}
	dotRowsNEON(len(y), len(x), alpha, &a[0], lda, &x[0], &y[0])
}

func (id isa) asum(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	if id == isaPortable {
		return asumPortable(x)
	}
	return asumNEON(len(x), &x[0])
}

func (id isa) axpy(alpha float64, x, y []float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	if id == isaPortable {
		axpyPortable(alpha, x, y)
		return
	}
	axpyNEON(len(x), alpha, &x[0], &y[0])
}

// axpy4 adds four rows of x, ldx apart, to y, the first row first.
func (id isa) axpy4(alpha *[4]float64, x []float64, ldx int, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = x[3*ldx+len(y)-1]
	if id == isaPortable {
		axpy4Portable(alpha, x, ldx, y)
		return
	}
	axpy4NEON(len(y), alpha, &x[0], ldx, &y[0])
}

// outer is y = fma(alpha, fma(a, x, +0), y) where keep is set, else + 0.
func (id isa) outer(alpha, a float64, x, y []float64, keep bool) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch {
	case id == isaPortable:
		outerPortable(alpha, a, x, y, keep)
	case keep:
		outerAddNEON(len(x), alpha, a, &x[0], &y[0])
	default:
		outerNEON(len(x), alpha, a, &x[0], &y[0])
	}
}

func (id isa) scal(alpha float64, x []float64) {
	if len(x) == 0 {
		return
	}
	if id == isaPortable {
		scalPortable(alpha, x)
		return
	}
	scalNEON(len(x), alpha, &x[0])
}

func (id isa) rot(x, y []float64, c, s float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	if id == isaPortable {
		rotPortable(x, y, c, s)
		return
	}
	rotNEON(len(x), &x[0], &y[0], c, s)
}

// sweepWidth is the number of columns that sweep works on.
func (isa) sweepWidth() int { return portableSweepWidth }

// sweep applies four sweeps at once to a panel of steps+4 rows of sweepWidth columns, see rotations.go.
func (id isa) sweep(steps int, panel, coefficients []float64) {
	const width = portableSweepWidth
	_, _ = panel[(steps+4)*width-1], coefficients[8*steps-1]
	if id == isaPortable {
		sweepPortable(steps, panel, coefficients)
		return
	}
	sweepNEON(steps, &panel[0], width, &coefficients[0])
}

// secularSums takes at least one element.
func (id isa) secularSums(z, delta []float64, shift float64) (sum, slope float64) {
	if id == isaPortable {
		return secularSumsPortable(z, delta, shift)
	}
	return secularSumsNEON(len(z), &z[0], &delta[0], shift)
}

// quotients takes a multiple of 8 elements, as gapRatios does.
func (id isa) quotients(x, z, delta []float64) {
	if len(x) == 0 {
		return
	}
	if id == isaPortable {
		quotientsPortable(x, z, delta)
		return
	}
	quotientsNEON(len(x), &z[0], &delta[0], &x[0])
}

func (id isa) gapRatios(squared bool, x, d, delta []float64, pole float64) {
	if len(x) == 0 {
		return
	}
	switch {
	case id == isaPortable:
		gapRatiosPortable(squared, x, d, delta, pole)
	case squared:
		squareGapRatiosNEON(len(x), &d[0], &delta[0], &x[0], pole)
	default:
		gapRatiosNEON(len(x), &d[0], &delta[0], &x[0], pole)
	}
}
