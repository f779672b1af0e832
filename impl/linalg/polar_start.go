package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
)

// overscale is the factor by which σmax is overestimated, so that no singular value of X exceeds one.
const overscale = 1.1

// start scales X by 1/norm so that its largest singular value is at most about one, and returns a lower bound on the
// smallest: the given one on their ratio, or an estimate. A norm of zero is replaced by an estimate. It leaves I − XXᵀ
// in e. The norm of a matrix that seems to be zero is zero.
//
// The estimates come from a few steps of the power method on XXᵀ and on its inverse, from a fixed start: from below for
// σmax, from above for σmin, each widened by a tenth. XXᵀ knows σmin down to about √u·σmax; below that, the triangle of
// a QR factorisation takes its place.
func (h *halley) start(given float64, norm *float64) (bound float64, err error) {
	n, gram := h.e.Rows, h.e.Data
	kernels.Dsyrk(blas.Lower, blas.NoTrans, n, h.x.Cols, 1, h.x.Data, h.x.Stride, 0, gram, n)
	if *norm == 0 {
		if *norm = overscale * math.Sqrt(h.largestValue()); *norm == 0 {
			return 0, nil
		}
	}
	kernels.Dscal(len(h.x.Data), 1 / *norm, h.x.Data, 1)
	kernels.Dscal(n*n, 1 / *norm / *norm, gram, 1)
	if given == 0 {
		copyInto(h.z, h.e)
	}
	for i := range n {
		row := gram[i*n : i*n+i+1]
		kernels.Dscal(i+1, -1, row, 1)
		row[i]++
	}
	if given > 0 {
		return given / overscale, nil // now σmax ≥ 1/overscale
	}
	return h.leastValue()
}

// largestValue estimates the largest eigenvalue of the matrix in e from below.
func (h *halley) largestValue() (largest float64) {
	n := h.e.Rows
	v, w := startVector(n), make([]float64, n)
	for range 10 {
		kernels.Dsymv(blas.Lower, n, 1, h.e.Data, n, v, 1, 0, w, 1)
		if largest = kernels.Dnrm2(n, w, 1); largest == 0 {
			return 0
		}
		kernels.Dscal(n, 1/largest, w, 1)
		v, w = w, v
	}
	return largest
}

// leastValue estimates the smallest singular value of X, whose XXᵀ is in z, from below.
func (h *halley) leastValue() (bound float64, err error) {
	n := h.z.Rows
	if CholeskyInPlace(n, h.z.Data, n) == nil {
		if bound = smallestOf(h.z.Data, n, blas.Lower) / overscale; bound > 1e-5 {
			return bound, nil
		}
	}
	f, err := QR(dense64(transposedCopy(h.x)))
	if err != nil {
		return 0, err
	}
	r := f.r.RawMatrix().Data
	for i := range n {
		if r[i*n+i] == 0 {
			return 0, nil
		}
	}
	return smallestOf(r, n, blas.Upper) / overscale, nil
}

// smallestOf estimates, from above, the smallest singular value of a triangle T by inverse iteration on Tᵀ·T.
func smallestOf(t []float64, n int, ul blas.Uplo) float64 {
	v, norm := startVector(n), 0.0
	for range 6 {
		kernels.Dtrsv(ul, blas.Trans, blas.NonUnit, n, t, n, v, 1)
		kernels.Dtrsv(ul, blas.NoTrans, blas.NonUnit, n, t, n, v, 1)
		norm = kernels.Dnrm2(n, v, 1)
		if !(norm > 0 && norm <= math.MaxFloat64) {
			return 0
		}
		kernels.Dscal(n, 1/norm, v, 1)
	}
	return 1 / math.Sqrt(norm)
}

// startVector is a unit vector without pattern, the same in every run: the fractional parts of multiples of the golden
// section.
func startVector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		_, frac := math.Modf(float64(i+1) * math.Phi)
		v[i] = frac - 0.5
	}
	kernels.Dscal(n, 1/kernels.Dnrm2(n, v, 1), v, 1)
	return v
}
