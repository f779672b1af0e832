package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/internal/roundoff"
)

// The polar factor of a nearly orthogonal X is (I − E)^(−½)·X with E = I − XXᵀ, and
//
//	(I − E)^(−½) = I + E/2 + 3E²/8 + 5E³/16 + 35E⁴/128 + 63E⁵/256 + …
//
// so that a polynomial ends the iteration: at the same rounding error, in products alone, and for fewer flops than one
// more step of Halley and the step of Newton and Schulz after it, which is the polynomial of degree one.
//
// What it leaves out moves XXᵀ by ¾‖E‖², ⅝‖E³‖ ≤ ⅝‖E²‖^(3/2) or 63/128·‖E⁵‖ ≤ 63/128·‖E²‖^(5/2), Frobenius norms all.
// It has to stay below u·√m, a part of what rounding does: m·u/2 or more, measured. E² is computed when it may be small
// enough for degree four: ‖E²‖ ≥ ‖E‖²/√m.

// nearby is a norm of E above which no polynomial can do, whatever the order of the matrix.
const nearby = 0.1

// The polynomial of degree four takes two squares and no other product: with F = E + βE², E/2 + bE² + cF² has the
// coefficients of E³ and E⁴ for 2βc = 5/16 and β²c = 35/128, and that of E² for b + c = 3/8.
const (
	closeBeta = 7. / 4
	closeC    = 5. / 56
	closeB    = 3./8 - closeC
)

// close ends the iteration by a polynomial in E, if one is good enough. off is the Frobenius norm of E. Cost 2m²n
// flops, m³ for E², and m³ more for degree four.
func (h *halley) close(off float64) bool {
	m, root := h.x.Rows, math.Sqrt(float64(h.x.Rows))
	slight := roundoff.Unit * root
	switch {
	case off <= slight*root/2:
		return true // there is nothing to be gained
	case 0.75*off*off <= slight:
		kernels.Dscal(m*m, 0.5, h.e.Data, 1)
		h.plus()
		return true
	case off <= nearby:
		h.centre()
	default:
		return false
	}
	fifth := func(square float64) float64 { return 63. / 128 * math.Pow(square, 2.5) }
	off = norm(h.e)
	if worth := fifth(off*off/root) <= slight; !worth {
		return false
	}
	fill(h.e)
	e, z := h.e.Data, h.z.Data // what is above the diagonal does not matter
	kernels.Dsyrk(blas.Lower, blas.NoTrans, m, m, 1, e, m, 0, z, m)
	switch square := norm(h.z); {
	case 0.625*math.Pow(square, 1.5) <= slight:
		kernels.Dscal(m*m, 0.5, e, 1)
		kernels.Daxpy(m*m, 0.375, z, 1, e, 1)
	case fifth(square) <= slight:
		kernels.Dscal(m*m, 0.5, e, 1)
		kernels.Daxpy(m*m, closeB, z, 1, e, 1)
		kernels.Dscal(m*m, closeBeta-2*closeB, z, 1) // F = 2(E/2 + bE²) + (β−2b)E²
		kernels.Daxpy(m*m, 2, e, 1, z, 1)
		fill(h.z)
		kernels.Dsyrk(blas.Lower, blas.NoTrans, m, m, closeC, z, m, 1, e, m)
	default:
		return false
	}
	h.plus()
	return true
}

// centre scales X so that the trace of E is zero: a step of Halley leaves singular values in [1−δ, 1], and polynomials
// in E are the better the smaller E is to both sides. The next step, if there is one, does not mind a norm a little
// above one.
func (h *halley) centre() {
	m, trace := h.e.Rows, 0.0
	for i := range m {
		trace += h.e.Data[i*m+i]
	}
	mean := trace / float64(m)
	kernels.Dscal(len(h.x.Data), 1/math.Sqrt(1-mean), h.x.Data, 1)
	for i := range m {
		h.e.Data[i*m+i] -= mean
		kernels.Dscal(i+1, 1/(1-mean), h.e.Data[i*m:], 1)
	}
}

// plus is X ← X + PX for the symmetric P in the lower triangle of e.
func (h *halley) plus() {
	m, n := h.x.Rows, h.x.Cols
	copyInto(h.y, h.x)
	kernels.Dsymm(blas.Left, blas.Lower, m, n, 1, h.e.Data, m, h.x.Data, h.x.Stride, 1, h.y.Data, h.y.Stride)
	h.x, h.y = h.y, h.x
}

// fill copies the lower triangle of a square matrix to the upper one, in blocks that stay in the cache.
func fill(a blas64.General) {
	const block = 8 // rows of a length that is a power of two want the same lines of the cache
	n := a.Rows
	for top := 0; top < n; top += block {
		for left := 0; left <= top; left += block {
			for j := left; j < min(left+block, n); j++ {
				for i := max(top, j+1); i < min(top+block, n); i++ {
					a.Data[j*a.Stride+i] = a.Data[i*a.Stride+j]
				}
			}
		}
	}
}
