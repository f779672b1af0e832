package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// PolarOptions tunes [Polar]; the zero value is right for most uses.
type PolarOptions struct {
	// LowerBound is a lower bound on σmin/σmax; 0 means that it is estimated. A wrong one costs iterations and changes the
	// result by rounding only.
	LowerBound float64
	// Norm is an upper bound on σmax; 0 means that it is estimated. One that is wrong costs iterations too.
	Norm float64
	// Work, if not nil, is memory to compute in. The U of the result may lie in it, until the next call that uses it.
	Work *PolarWorkspace
}

// PolarFactor is the result of [Polar].
type PolarFactor struct {
	U          *mat.Dense // m×n: orthonormal columns if m ≥ n, orthonormal rows if m ≤ n
	Iterations int        // of Halley, without the polynomial at the end
	LowerBound float64    // on σmin/σmax, which the iteration started from; may be handed to the next call, with Norm
	Norm       float64    // the upper bound on σmax
	Method     string     // "qdwh", or "svd" for a matrix without full rank
}

// Polar returns the orthogonal factor U of the polar decomposition a = U·H (m ≥ n, H = (aᵀa)^½) or a = H·U (m ≤ n, H =
// (aaᵀ)^½), the matrix with orthonormal columns or rows nearest to a. It leaves a unchanged. [PolarFactor.H] is the
// other factor.
//
// U is unique when a has full rank. Where σmin/σmax, as estimated, is below max(m, n)·2⁻⁵² it is not, to working
// precision, and the result equals the one of [PolarSVD]: U on the row space of a, completed by singular vectors of
// value zero to a full isometry, for a zero matrix too. An entry that is not finite is an error that wraps
// [ErrNotFinite]; failure to converge in 30 iterations, to be expected only when opt.LowerBound says that a singular
// matrix is not, is an error that states the distance from orthogonality.
//
// Method: the dynamically weighted Halley iteration (QDWH) of Nakatsukasa, Bai and Gygi, SIAM J. Matrix Anal. Appl. 31
// (2010) 2700, see [halley.step], and a polynomial of degree one, two or four in I − XXᵀ as soon as that is enough, see
// [halley.close]. A matrix with m ≥ 2n or n ≥ 2m is made square by QR first. Cost for n×n: 10n³/3 flops per iteration,
// and up to 5n³ at the end and 4n³/3 at the start. κ = 10 takes two iterations, 10² three, 10⁴ five, 10⁸ eight, 10¹³
// eleven.
func Polar(a *mat.Dense, opt PolarOptions) (PolarFactor, error) {
	m, n := a.Dims()
	if bound := opt.LowerBound; !(bound >= 0 && bound <= 1) {
		panic("linalg: the lower bound is not between 0 and 1")
	}
	if ok := opt.Norm >= 0 && opt.Norm <= math.MaxFloat64; !ok {
		panic("linalg: the norm is not finite or negative")
	}
	if m == 0 || n == 0 {
		return PolarFactor{U: new(mat.Dense), Method: "qdwh"}, nil
	}
	work := opt.Work
	if work == nil {
		work = new(PolarWorkspace)
	}
	x, scale, err := scaledInto(entries(&work.x, m*n), a)
	if err != nil {
		return PolarFactor{}, err
	}
	if m > n {
		x = transposedCopy(x)
	}
	var f *QRFactor
	if x.Cols >= 2*x.Rows {
		if f, err = QR(dense64(transposedCopy(x))); err != nil {
			return PolarFactor{}, err
		}
		x = f.r.RawMatrix()
	}
	h := newHalley(x, work)
	p := PolarFactor{Method: "qdwh"}
	norm := opt.Norm / scale
	bound, err := h.start(opt.LowerBound, &norm)
	if err != nil {
		return PolarFactor{}, err
	}
	p.LowerBound, p.Norm = overscale*bound, min(norm*scale, math.MaxFloat64)
	if full := bound > float64(max(m, n))*roundoff.Ulp; !full {
		p.Method = "svd"
		p.U, err = PolarSVD(a)
		return p, err
	}
	if p.Iterations, err = h.iterate(bound); err != nil {
		return PolarFactor{}, err
	}
	x = h.x
	tall := m > n && f == nil // whether x is the transpose of the result
	if f != nil {
		u := mat.NewDense(max(m, n), x.Rows, nil)
		copyInto(u.RawMatrix(), x)
		f.Apply(u, false)
		x, tall = u.RawMatrix(), m < n
	}
	if tall {
		x = transposedCopy(x)
	}
	p.U = dense64(x)
	return p, nil
}

// PolarSVD returns the factor U of [Polar] as V₁·V₂ᵀ from the singular vectors of a: slower, for any rank, and
// independent of Polar.
func PolarSVD(a *mat.Dense) (*mat.Dense, error) {
	m, n := a.Dims()
	if m == 0 || n == 0 {
		return new(mat.Dense), nil
	}
	x, _, err := scaledCopy(a) // U does not depend on the scale, and the singular values of a may overflow
	if err != nil {
		return new(mat.Dense), err
	}
	u, _, v, err := SVD(dense64(x), mat.SVDThin)
	if err != nil {
		return new(mat.Dense), err
	}
	p, k := mat.NewDense(m, n, nil), min(m, n)
	c, y, z := p.RawMatrix(), u.RawMatrix(), v.RawMatrix()
	kernels.Dgemm(blas.NoTrans, blas.Trans, m, n, k, 1, y.Data, y.Stride, z.Data, z.Stride, 0, c.Data, c.Stride)
	return p, nil
}

// H returns the symmetric positive semidefinite factor that belongs to p.U: the symmetric part of Uᵀa (n×n, a = U·H)
// for m ≥ n and of aUᵀ (m×m, a = H·U) for m < n. It panics if a has another shape than U. Cost 2mn·min(m, n) flops.
func (p PolarFactor) H(a *mat.Dense) *mat.SymDense {
	m, n := a.Dims()
	if um, un := p.U.Dims(); m != um || n != un {
		panic("linalg: the matrix does not fit its polar factor")
	}
	k := min(m, n)
	if k == 0 {
		return new(mat.SymDense)
	}
	product, x, u := make([]float64, k*k), a.RawMatrix(), p.U.RawMatrix()
	if m >= n {
		kernels.Dgemm(blas.Trans, blas.NoTrans, n, n, m, 1, u.Data, u.Stride, x.Data, x.Stride, 0, product, n)
	} else {
		kernels.Dgemm(blas.NoTrans, blas.Trans, m, m, n, 1, x.Data, x.Stride, u.Data, u.Stride, 0, product, m)
	}
	for i := range k {
		for j := range i {
			product[j*k+i] = product[j*k+i]/2 + product[i*k+j]/2
		}
	}
	return mat.NewSymDense(k, product)
}

func transposedCopy(x blas64.General) blas64.General {
	y := blas64.General{Rows: x.Cols, Cols: x.Rows, Stride: x.Rows, Data: make([]float64, x.Rows*x.Cols)}
	transposeInto(y, x)
	return y
}

func dense64(x blas64.General) *mat.Dense {
	d := new(mat.Dense)
	d.SetRawMatrix(x)
	return d
}
