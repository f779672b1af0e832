package procrustes

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// A source of blocks returns the next one, as rows, when the space has grown from the given size.
type source func(old int) (*mat.Dense, error)

// powers multiplies what was new in the space by WWᵀ.
func powers(r *rotation) source {
	return func(old int) (*mat.Dense, error) {
		return dense.Mul(r.t.Slice(old, r.space.size, 0, r.n()).(*mat.Dense), r.w.T()), nil
	}
}

// decades is the range of the shifts below the largest eigenvalue of WWᵀ, as a power of ten.
const decades = 6

// inverses returns (WWᵀ + σI)⁻¹ times the vectors of start for one shift σ after the other: 10^(−6v) times the largest
// eigenvalue for v = ½, ¼, ¾, ⅛, …, the van der Corput sequence.
func inverses(w, start *mat.Dense) source {
	gram := dense.Gram(w)
	m, _ := gram.Dims()
	count, _ := start.Dims()
	top, used, l := largest(gram), 0, mat.NewDense(m, m, nil)
	return func(int) (*mat.Dense, error) {
		used++
		l.Copy(gram)
		for i := range m {
			l.Set(i, i, l.At(i, i)+top*math.Pow(10, -decades*corput(used)))
		}
		raw, x := l.RawMatrix(), mat.DenseCopyOf(start)
		if err := linalg.CholeskyInPlace(m, raw.Data, m); err != nil {
			return nil, err
		}
		rows := x.RawMatrix()
		for _, t := range []gblas.Transpose{gblas.Trans, gblas.NoTrans} { // of the transposed problem, X·L·Lᵀ
			kernels.Dtrsm(gblas.Right, gblas.Lower, t, gblas.NonUnit, count, m, 1, raw.Data, m, rows.Data, rows.Stride)
		}
		return x, nil
	}
}

// corput returns the binary digits of i ≥ 1 mirrored at the point.
func corput(i int) (v float64) {
	for f := 0.5; i > 0; i, f = i/2, f/2 {
		v += f * float64(i%2)
	}
	return v
}

// largest estimates the largest eigenvalue of a positive semidefinite matrix by ten steps of the power method. The
// shifts need no more than its magnitude. A zero matrix gives 1.
func largest(a *mat.Dense) float64 {
	n, _ := a.Dims()
	raw := a.RawMatrix()
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		_, x[i] = math.Modf(float64(i+1) * math.Phi) // without pattern, and the same every time
	}
	value := 0.0
	for range 10 {
		kernels.Dgemv('N', n, n, 1, raw.Data, raw.Stride, x, 1, 0, y, 1)
		if value = kernels.Dnrm2(n, y, 1); !(value > 0) {
			return 1
		}
		kernels.Dscal(n, 1/value, y, 1)
		x, y = y, x
	}
	return value
}
