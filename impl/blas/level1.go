package blas

import "math"

// Ddot returns Σ x_i·y_i in 32 lanes (see doc.go).
func (Implementation) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if incX == 1 && incY == 1 && 0 < n && n <= min(len(x), len(y)) { // what follows costs as much as 16 elements
		return current().id.dot(x[:n], y[:n])
	}
	checkIncX(incX)
	checkIncY(incY)
	if n <= 0 {
		checkN(n)
		return 0
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	xs, ys := gather(n, x, incX), gather(n, y, incY)
	defer xs.free()
	defer ys.free()
	return current().id.dot(xs.data, ys.data)
}

// Dnrm2 returns the Euclidean norm, without overflow or underflow on the way, and NaN if an x_i is NaN. A negative
// increment gives 0.
func (Implementation) Dnrm2(n int, x []float64, incX int) float64 {
	if !checkForward(n, x, incX) {
		return 0
	}
	xs := gather(n, x, incX)
	defer xs.free()
	id := current().id
	// Most vectors need no scaling: no square overflows, and what underflows is lost in the sum. n·2^-1074, the loss,
	// stays below the unit roundoff of any sum above 2^-960.
	if sum := id.dot(xs.data, xs.data); sum > 0x1p-960 && sum <= math.MaxFloat64 || math.IsNaN(sum) {
		return math.Sqrt(sum)
	}
	largest := 0.0
	for _, v := range xs.data {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 1) {
		return largest
	}
	// Multiplying by a power of two is exact, save for entries too small to count.
	_, e := math.Frexp(largest)
	scaled := workspaceVector(n)
	defer scaled.free()
	for i, v := range xs.data {
		scaled.data[i] = math.Ldexp(v, -e)
	}
	return math.Ldexp(math.Sqrt(id.dot(scaled.data, scaled.data)), e)
}

// Dasum returns Σ |x_i| in 32 lanes. A negative increment gives 0.
func (Implementation) Dasum(n int, x []float64, incX int) float64 {
	checkN(n)
	if !checkForward(n, x, incX) {
		return 0
	}
	xs := gather(n, x, incX)
	defer xs.free()
	return current().id.asum(xs.data)
}

// checkForward checks the arguments of the routines that know no negative increments, and reports whether there is
// anything to do.
func checkForward(n int, x []float64, incX int) bool {
	checkIncX(incX)
	if n < 1 || incX < 0 {
		if incX > 0 {
			checkN(n)
		}
		return false
	}
	checkX(len(x), n, incX)
	return true
}

// Daxpy computes y = fma(alpha, x, y). With alpha = 0 it does nothing.
func (Implementation) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	checkIncX(incX)
	checkIncY(incY)
	if n <= 0 {
		checkN(n)
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	if alpha == 0 {
		return
	}
	if incX == 1 && incY == 1 {
		current().id.axpy(alpha, x[:n], y[:n])
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		y[iy] = math.FMA(alpha, x[ix], y[iy])
		ix, iy = ix+incX, iy+incY
	}
}

// Dscal computes x = alpha·x; alpha = 0 overwrites what x held. A negative increment does nothing.
func (Implementation) Dscal(n int, alpha float64, x []float64, incX int) {
	if !checkForward(n, x, incX) {
		return
	}
	switch {
	case alpha == 0:
		for i := 0; i < n*incX; i += incX {
			x[i] = 0
		}
	case incX == 1:
		current().id.scal(alpha, x[:n])
	default:
		for i := 0; i < n*incX; i += incX {
			x[i] *= alpha
		}
	}
}

// Drot applies a plane rotation: x, y = fma(c, x, s·y), fma(c, y, -(s·x)).
func (Implementation) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	checkIncX(incX)
	checkIncY(incY)
	if n <= 0 {
		checkN(n)
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	if incX == 1 && incY == 1 {
		current().id.rot(x[:n], y[:n], c, s)
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		rotPortable(x[ix:ix+1], y[iy:iy+1], c, s)
		ix, iy = ix+incX, iy+incY
	}
}

// Dcopy copies x into y.
func (Implementation) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	checkIncX(incX)
	checkIncY(incY)
	if n <= 0 {
		checkN(n)
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	if incX == 1 && incY == 1 {
		copy(y[:n], x[:n])
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		y[iy] = x[ix]
		ix, iy = ix+incX, iy+incY
	}
}

// Dswap exchanges x and y.
func (Implementation) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	checkIncX(incX)
	checkIncY(incY)
	if n <= 0 {
		checkN(n)
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	if incX == 1 && incY == 1 {
		y = y[:n]
		for i, v := range x[:n] {
			x[i], y[i] = y[i], v
		}
		return
	}
	ix, iy := start(n, incX), start(n, incY)
	for range n {
		x[ix], y[iy] = y[iy], x[ix]
		ix, iy = ix+incX, iy+incY
	}
}
