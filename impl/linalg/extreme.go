package linalg

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// Smallest returns the k smallest singular triplets of a (m×n, any shape), smallest value first, and leaves a
// unchanged. Both A·Right[i] − Values[i]·Left[i] and Aᵀ·Left[i] − Values[i]·Right[i] are small, and Residuals[i],
// measured with a itself, is the norm of the two together divided by √2: an interval of that radius about Values[i]
// contains a singular value (Parlett, The Symmetric Eigenvalue Problem, theorem 4.5.1, for the matrix [0 A; Aᵀ 0]). tol
// and r are those of [Leading], whose error conditions apply; the residual of value i is about
// tol·Values[i]²/Values[0], or rounding.
//
// Method: [Leading] for the inverse of the triangle of a QR factorisation, a diagonal below 2⁻⁶⁰ times the largest
// entry counting as that. The values are therefore exact up to about max(m, n)·2⁻⁵² times the largest singular value,
// as those of an SVD are, and a singular matrix gives values of that size. Cost: QR, and 2n² flops for each of the
// Products. It panics unless 1 ≤ k ≤ min(m, n) and tol > 0.
//
// Where the inverse is of no use it is an [SVD], with its cost and no Products: the inverse of a triangle can overflow
// although no entry of the diagonal is small, and where σmin is nothing but rounding the inverse knows nothing of the
// second triplet.
func Smallest(a *mat.Dense, k int, tol float64, r *rand.Rand) (*Triplets, error) {
	m, n := a.Dims()
	if k < 1 || k > min(m, n) {
		panic("linalg: number of triplets out of range")
	}
	work, scale, err := scaledCopy(a)
	if err != nil {
		return nil, err
	}
	if m < n {
		work = transposedCopy(work)
	}
	t, err := smallestOfTall(dense64(work), k, tol, r)
	if err != nil {
		return nil, err
	}
	if m < n {
		t.Left, t.Right = t.Right, t.Left
	}
	return t.times(scale)
}

// smallestOfTall is [Smallest] for no fewer rows than columns and entries near one.
func smallestOfTall(a *mat.Dense, k int, tol float64, r *rand.Rand) (*Triplets, error) {
	m, n := a.Dims()
	f, err := QR(a)
	if err != nil {
		return nil, err
	}
	largest := liftDiagonal(f.r.RawMatrix())
	inverse := inverseTriangle{f.r.RawMatrix()}
	if largest == 0 {
		inverse.t = identity(n)
	}
	var u, v *mat.Dense
	var theta []float64
	t, err := Leading(inverse, k, tol, r)
	if err == nil {
		u, v, theta, err = inverse.refine(t.Left)
	}
	if unbounded := errors.Is(err, ErrNotFinite) || errors.Is(err, errOverflow); unbounded {
		return smallestBySVD(a, k)
	} else if err != nil {
		return nil, err
	}
	if k > 1 && largest > 0 && !(1/theta[0] > float64(m)*roundoff.Ulp*largest) {
		return smallestBySVD(a, k)
	}
	left := mat.NewDense(m, k, nil)
	copyInto(left.RawMatrix(), u.RawMatrix())
	f.Apply(left, false)
	for i := range k {
		if t.Values[i] = 1 / theta[i]; largest == 0 {
			t.Values[i] = 0
		}
		t.Left[i], t.Right[i] = mat.Col(nil, i, left), mat.Col(nil, i, v)
		t.Residuals[i] = tripletResidual(Matrix(a), t.Values[i], t.Left[i], t.Right[i])
	}
	return t, nil
}

// smallestBySVD is [smallestOfTall] at the cost of a decomposition.
func smallestBySVD(a *mat.Dense, k int) (*Triplets, error) {
	u, s, v, err := SVD(a, mat.SVDThin)
	if err != nil {
		return nil, err
	}
	t := new(Triplets)
	for i := range k {
		at := len(s) - 1 - i
		left, right := mat.Col(nil, at, u), mat.Col(nil, at, v)
		t.Values, t.Left, t.Right = append(t.Values, s[at]), append(t.Left, left), append(t.Right, right)
		t.Residuals = append(t.Residuals, tripletResidual(Matrix(a), s[at], left, right))
	}
	return t, nil
}

// refine takes approximate left singular vectors of R⁻¹, which are right ones of R, through one step of inverse
// iteration: a component along the singular value σ, which spoils the residual of the value σ₁ by σ, shrinks to (σ₁/σ)²
// of itself. With orthonormal U from R⁻ᵀ·vectors and the QR factorisation R⁻¹·U = V·S, S = X·Θ·Yᵀ, it returns the left
// vectors U·Y, the right ones V·X, and Θ, the inverses of the singular values.
func (o inverseTriangle) refine(vectors [][]float64) (left, right *mat.Dense, theta []float64, err error) {
	n, k := o.t.Rows, len(vectors)
	w := mat.NewDense(n, k, nil)
	for j, x := range vectors {
		w.SetCol(j, x)
	}
	half := func(op blas.Transpose) (q, r *mat.Dense) {
		kernels.Dtrsm(blas.Left, blas.Upper, op, blas.NonUnit, n, k, 1, o.t.Data, o.t.Stride, w.RawMatrix().Data, k)
		var f *QRFactor
		if f, err = QR(w); err != nil {
			return w, w
		}
		return f.Q(), f.r
	}
	u, _ := half(blas.Trans)
	w = mat.DenseCopyOf(u)
	v, s := half(blas.NoTrans)
	if err != nil {
		return nil, nil, nil, err
	}
	x, theta, y, err := SVD(s, mat.SVDFull)
	if err != nil {
		return nil, nil, nil, err
	}
	left, right = new(mat.Dense), new(mat.Dense)
	left.Mul(u, y)
	right.Mul(v, x)
	return left, right, theta, nil
}

// tripletResidual is the norm of (A·v − σ·u, Aᵀ·u − σ·v)/√2.
func tripletResidual(a Operator, sigma float64, u, v []float64) float64 {
	forward, backward := make([]float64, len(u)), make([]float64, len(v))
	a.MulVec(forward, v)
	a.MulVecTrans(backward, u)
	kernels.Daxpy(len(u), -sigma, u, 1, forward, 1)
	kernels.Daxpy(len(v), -sigma, v, 1, backward, 1)
	return math.Hypot(kernels.Dnrm2(len(u), forward, 1), kernels.Dnrm2(len(v), backward, 1)) / math.Sqrt2
}

// liftDiagonal raises the diagonal of a triangle to 2⁻⁶⁰ times its largest entry, which it returns.
func liftDiagonal(t blas64.General) (largest float64) {
	for i := range t.Rows {
		for _, x := range t.Data[i*t.Stride : i*t.Stride+t.Cols] {
			largest = max(largest, math.Abs(x))
		}
	}
	for i := range t.Rows {
		if d := &t.Data[i*t.Stride+i]; math.Abs(*d) < largest*0x1p-60 {
			*d = math.Copysign(largest*0x1p-60, *d)
		}
	}
	return largest
}

// inverseTriangle is the inverse of an upper triangle, as an operator.
type inverseTriangle struct{ t blas64.General }

func (o inverseTriangle) Dims() (rows, cols int) { return o.t.Rows, o.t.Rows }

func (o inverseTriangle) MulVec(dst, x []float64) { o.solve(blas.NoTrans, dst, x) }

func (o inverseTriangle) MulVecTrans(dst, x []float64) { o.solve(blas.Trans, dst, x) }

func (o inverseTriangle) solve(op blas.Transpose, dst, x []float64) {
	copy(dst, x)
	kernels.Dtrsv(blas.Upper, op, blas.NonUnit, o.t.Rows, o.t.Data, o.t.Stride, dst, 1)
}

func identity(n int) blas64.General {
	t := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range n {
		t.Data[i*n+i] = 1
	}
	return t
}

// SmallestBounds returns bounds on the smallest singular value of a (m×n, any shape), which it leaves unchanged: lower
// = 1/‖R⁻¹‖_F for the triangle R of a QR factorisation, never more than σmin and never less than σmin/√min(m, n), and
// upper = the smaller of √min(m, n)·lower and what six steps of inverse iteration from a fixed start find, mostly σmin
// to a few digits. Both hold up to about max(m, n)·2⁻⁵²·‖a‖, the rounding of the factorisation. Where that is all that
// is left of σmin, lower is 0. Cost: QR and n³/3 flops. Without columns or rows both bounds are +Inf, as for a minimum
// over nothing.
func SmallestBounds(a *mat.Dense) (lower, upper float64, err error) {
	m, n := a.Dims()
	if m < n {
		return SmallestBounds(mat.DenseCopyOf(a.T()))
	}
	if n == 0 {
		return math.Inf(1), math.Inf(1), nil
	}
	x, scale, err := scaledCopy(a)
	if err != nil {
		return 0, 0, err
	}
	f, err := QR(dense64(x))
	if err != nil {
		return 0, 0, err
	}
	r, inverse := f.r.RawMatrix(), identity(n)
	rounding := float64(m) * roundoff.Ulp * kernels.Dnrm2(n*n, r.Data, 1)
	liftDiagonal(r)
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, n, n, 1, r.Data, n, inverse.Data, n)
	if lower = 1 / kernels.Dnrm2(n*n, inverse.Data, 1); !(lower > rounding) {
		return 0, scale * rounding * math.Sqrt(float64(n)), nil
	}
	upper = min(math.Sqrt(float64(n))*lower, smallestOf(r.Data, n, blas.Upper))
	return scale * lower, scale * max(upper, lower), nil
}

// Condition returns σmax/σmin of a (m×n, any shape) from [Leading] and [Smallest] with tolerance tol, and a bound on
// its relative error: the sum of the residuals of the two values, each over its value. Where a is singular to working
// precision, σmin being at most max(m, n)·2⁻⁵²·σmax, the condition is +Inf, and the bound 0.
func Condition(a *mat.Dense, tol float64, r *rand.Rand) (condition, relative float64, err error) {
	m, n := a.Dims()
	work, _, err := scaledCopy(a) // the condition does not depend on the scale, but rounding of the values does
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	a = dense64(work)
	top, err := Leading(Matrix(a), 1, tol, r)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	bottom, err := Smallest(a, 1, tol, r)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	large, small := top.Values[0], bottom.Values[0]
	if !(small > float64(max(m, n))*roundoff.Ulp*large) {
		return math.Inf(1), 0, nil
	}
	return large / small, top.Residuals[0]/large + bottom.Residuals[0]/small, nil
}
