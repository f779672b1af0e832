package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// newtonSchulz is the distance ‖I − XXᵀ‖_F from which one Newton-Schulz step, which turns δ into ¾δ², leaves less than rounding does: 2·10⁻¹⁵.
const newtonSchulz = 5e-8

// halley is an iteration for the polar factor under way. It works on a matrix with no more rows than columns, because that puts the triangles of its
// solutions on the left, where they are faster.
type halley struct {
	x, y blas64.General // m×n, m ≤ n, without gaps between the rows: the iterate and workspace
	g    blas64.General // m×m, XXᵀ, of which the lower triangle is kept
	z    blas64.General // m×m, workspace
}

func newHalley(x blas64.General) *halley {
	square := func() blas64.General {
		return blas64.General{Rows: x.Rows, Cols: x.Rows, Stride: x.Rows, Data: make([]float64, x.Rows*x.Rows)}
	}
	h := &halley{x: x, y: x, g: square(), z: square()}
	h.y.Stride, h.y.Data = x.Cols, make([]float64, x.Rows*x.Cols)
	h.gram()
	return h
}

// gram refreshes XXᵀ.
func (h *halley) gram() {
	kernels.Dsyrk(blas.Lower, blas.NoTrans, h.x.Rows, h.x.Cols, 1, h.x.Data, h.x.Stride, 0, h.g.Data, h.g.Stride)
}

// departure is ‖I − XXᵀ‖_F.
func (h *halley) departure() float64 {
	n, sum := h.g.Rows, 0.0
	for i := range n {
		row := h.g.Data[i*n : i*n+i]
		sum += 2 * kernels.Ddot(i, row, 1, row, 1)
		d := 1 - h.g.Data[i*n+i]
		sum += d * d
	}
	return math.Sqrt(sum)
}

// polish is the step X ← (3I − XXᵀ)·X/2.
func (h *halley) polish() {
	m, n := h.x.Rows, h.x.Cols
	copyInto(h.y, h.x)
	kernels.Dsymm(blas.Left, blas.Lower, m, n, -0.5, h.g.Data, m, h.x.Data, h.x.Stride, 1.5, h.y.Data, h.y.Stride)
	h.x, h.y = h.y, h.x
}

// weights are those of the Halley step for singular values in [l, 1]: a = √(1+d) + ½√(8 − 4d + 8(2−l²)/(l²√(1+d))) with d = (4(1−l²)/l⁴)^⅓,
// b = (a−1)²/4, c = a+b−1. They maximise the lower bound after the step, l(a+bl²)/(1+cl²), under an upper bound of one.
func weights(l float64) (a, b, c float64) {
	s := l * l
	d := math.Cbrt(4 * (1 - s) / s / s)
	root := math.Sqrt(1 + d)
	a = root + math.Sqrt(max(0, 8-4*d+8*(2-s)/(s*root)))/2
	b = (a - 1) * (a - 1) / 4
	return a, b, a + b - 1
}

// leastBound is the l for which c is 101: the weights are never those of a smaller one.
//
// The step inverts I + cXXᵀ, of condition 1+c, and its backward error grows like c·u/100. The literature therefore takes a step with c > 100 from a
// QR factorisation of (√c·X, I)ᵀ (Nakatsukasa and Higham, SIAM J. Matrix Anal. Appl. 33 (2012) 2150), at 9n³ flops instead of 10n³/3. A step with
// c = 100 multiplies small singular values by 19, so three of them do what one with c = 10⁷ does, for the same flops and all of them in fast
// routines. Measured at n = 200, one thread, κ = 10², 10⁶, 10¹⁰: with QR 4.0, 6.2, 6.5 ms and a residual ‖A−UH‖/‖A‖ of 0.9, 1.1, 1.2 ·10⁻¹⁵, with
// the bound 2.4, 4.5, 5.7 ms and 1.7, 4.5, 6.3 ·10⁻¹⁵, against n·u = 22·10⁻¹⁵. So there is no step with QR here.
const leastBound = 0.04

// iterate runs from singular values in [l, 1] to convergence and returns the number of steps.
//
// The last step needs no XXᵀ and no polish where probes find nothing but rounding left. They are asked when l is near enough to one; what it says
// is not relied on.
func (h *halley) iterate(l float64) (steps int, err error) {
	for {
		if steps > 0 {
			if l >= 1-1e-11 && h.probed() <= rounded*math.Sqrt(float64(h.x.Rows)) {
				return steps, nil
			}
			h.gram()
		}
		off := h.departure()
		if off <= newtonSchulz {
			h.polish()
			return steps, nil
		}
		if ok := steps < 30 && off <= math.MaxFloat64; !ok {
			return steps, fmt.Errorf("linalg: after %d polar iterations ‖I − XXᵀ‖ is %.3g", steps, off)
		}
		a, b, c := weights(max(l, leastBound))
		if err := h.step(a, b, c); err != nil {
			return steps, err
		}
		l = min(1, l*(a+b*l*l)/(1+c*l*l))
		steps++
	}
}

// step is X ← (b/c)·X + (a − b/c)·(I + cXXᵀ)⁻¹·X, which maps every singular value σ to σ(a+bσ²)/(1+cσ²).
func (h *halley) step(a, b, c float64) error {
	m, n := h.x.Rows, h.x.Cols
	for i := range m {
		for j, v := range h.g.Data[i*m : i*m+i+1] {
			h.z.Data[i*m+j] = c * v
		}
		h.z.Data[i*m+i]++
	}
	if err := CholeskyInPlace(m, h.z.Data, m); err != nil {
		return err
	}
	copyInto(h.y, h.x)
	kernels.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, m, n, a-b/c, h.z.Data, m, h.y.Data, n)
	kernels.Dtrsm(blas.Left, blas.Lower, blas.Trans, blas.NonUnit, m, n, 1, h.z.Data, m, h.y.Data, n)
	kernels.Daxpy(m*n, b/c, h.x.Data, 1, h.y.Data, 1)
	h.x, h.y = h.y, h.x
	return nil
}

// rounded is what the rounding of a last step may leave in each row of I − XXᵀ. Measured at n = 256, κ from 1.5 to 1000: a little less than half.
const rounded = 0x1p-49

// probes is the number of random vectors that stand for all in [halley.probed].
const probes = 8

// probed estimates ‖I − XXᵀ‖_F as the root mean square of ‖v − X(Xᵀv)‖ over vectors of random signs, whose expectation it is
// squared (M. F. Hutchinson, Commun. Stat. Simul. 18 (1989) 1059). A single singular value that is off counts with a tenth of its part or more,
// but for a probability of 10⁻⁷: that of χ² with eight degrees of freedom below 8/100, 0.04⁴/4!.
func (h *halley) probed() float64 {
	m, n := h.x.Rows, h.x.Cols
	v, w, t := make([]float64, probes*m), make([]float64, probes*m), make([]float64, probes*n)
	signs(v)
	copy(w, v)
	kernels.Dgemm(blas.NoTrans, blas.NoTrans, probes, n, m, 1, v, m, h.x.Data, h.x.Stride, 0, t, n)
	kernels.Dgemm(blas.NoTrans, blas.Trans, probes, m, n, -1, t, n, h.x.Data, h.x.Stride, 1, w, m)
	return kernels.Dnrm2(probes*m, w, 1) / math.Sqrt(probes)
}

// signs fills v with ±1 without pattern, the same in every run: the bits of a linear congruential generator (D. E. Knuth, MMIX).
func signs(v []float64) {
	state := uint64(1)
	for i := range v {
		state = state*6364136223846793005 + 1442695040888963407
		v[i] = 1 - 2*float64(state>>63)
	}
}

// copyInto copies src into the leading part of dst.
func copyInto(dst, src blas64.General) {
	for i := range src.Rows {
		copy(dst.Data[i*dst.Stride:i*dst.Stride+src.Cols], src.Data[i*src.Stride:])
	}
}
