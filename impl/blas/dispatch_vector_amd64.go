//go:build amd64 && !noasm && !purego && !race

package blas

// The routines on vectors. They have the contracts of the portable ones in lanes.go and rotations.go.

func (id isa) dot(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		return dotAVX512(len(x), &x[0], &y[0])
	case isaAVX2:
		return dotAVX2(len(x), &x[0], &y[0])
	}
	return dotPortable(x, y)
}

// dotRows is y_i = fma(alpha, dot(row i of a, x), y_i), for x that is not empty.
func (id isa) dotRows(alpha float64, a []float64, lda int, x, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = a[(len(y)-1)*lda+len(x)-1]
	switch id {
	case isaAVX512:
		dotRowsAVX512(len(y), len(x), alpha, &a[0], lda, &x[0], &y[0])
	case isaAVX2:
		dotRowsAVX2(len(y), len(x), alpha, &a[0], lda, &x[0], &y[0])
	default:
		dotRowsPortable(alpha, a, lda, x, y)
	}
}

func (id isa) asum(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	switch id {
	case isaAVX512:
		return asumAVX512(len(x), &x[0])
	case isaAVX2:
		return asumAVX2(len(x), &x[0])
	}
	return asumPortable(x)
}

func (id isa) axpy(alpha float64, x, y []float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		axpyAVX512(len(x), alpha, &x[0], &y[0])
	case isaAVX2:
		axpyAVX2(len(x), alpha, &x[0], &y[0])
	default:
		axpyPortable(alpha, x, y)
	}
}

// axpy4 adds four rows of x, ldx apart, to y, the first row first.
func (id isa) axpy4(alpha *[4]float64, x []float64, ldx int, y []float64) {
	if len(y) == 0 {
		return
	}
	_ = x[3*ldx+len(y)-1]
	switch id {
	case isaAVX512:
		axpy4AVX512(len(y), alpha, &x[0], ldx, &y[0])
	case isaAVX2:
		axpy4AVX2(len(y), alpha, &x[0], ldx, &y[0])
	default:
		axpy4Portable(alpha, x, ldx, y)
	}
}

// shortRows is y = fma(alpha·x_i, row i of a, y), one row after the other, if there is a routine for so few columns;
// else it does nothing and returns false.
func (id isa) shortRows(alpha float64, x, a []float64, lda int, y []float64) bool {
	if len(x) == 0 || len(y) == 0 || len(y) > 16 || id == isaPortable {
		return false
	}
	_ = a[(len(x)-1)*lda+len(y)-1]
	if id == isaAVX512 {
		shortRowsAVX512(len(x), len(y), alpha, &x[0], &a[0], lda, &y[0])
	} else {
		shortRowsAVX2(len(x), len(y), alpha, &x[0], &a[0], lda, &y[0])
	}
	return true
}

// outer is y = fma(alpha, fma(a, x, +0), y) where keep is set, else + 0.
func (id isa) outer(alpha, a float64, x, y []float64, keep bool) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch {
	case id == isaAVX512 && keep:
		outerAddAVX512(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX512:
		outerAVX512(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX2 && keep:
		outerAddAVX2(len(x), alpha, a, &x[0], &y[0])
	case id == isaAVX2:
		outerAVX2(len(x), alpha, a, &x[0], &y[0])
	default:
		outerPortable(alpha, a, x, y, keep)
	}
}

func (id isa) scal(alpha float64, x []float64) {
	if len(x) == 0 {
		return
	}
	switch id {
	case isaAVX512:
		scalAVX512(len(x), alpha, &x[0])
	case isaAVX2:
		scalAVX2(len(x), alpha, &x[0])
	default:
		scalPortable(alpha, x)
	}
}

func (id isa) rot(x, y []float64, c, s float64) {
	if len(x) == 0 {
		return
	}
	y = y[:len(x)]
	switch id {
	case isaAVX512:
		rotAVX512(len(x), &x[0], &y[0], c, s)
	case isaAVX2:
		rotAVX2(len(x), &x[0], &y[0], c, s)
	default:
		rotPortable(x, y, c, s)
	}
}

// sweepWidth is the number of columns that sweep works on.
func (id isa) sweepWidth() int {
	switch id {
	case isaAVX512:
		return 24
	case isaAVX2:
		return 8
	}
	return portableSweepWidth
}

// sweep applies four sweeps at once to a panel of steps+4 rows of sweepWidth columns, see rotations.go.
func (id isa) sweep(steps int, panel, coefficients []float64) {
	width := id.sweepWidth()
	_, _ = panel[(steps+4)*width-1], coefficients[8*steps-1]
	switch id {
	case isaAVX512:
		sweepAVX512(steps, &panel[0], width, &coefficients[0])
	case isaAVX2:
		sweepAVX2(steps, &panel[0], width, &coefficients[0])
	default:
		sweepPortable(steps, panel, coefficients)
	}
}
