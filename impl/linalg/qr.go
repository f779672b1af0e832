package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// qrPanel is the number of reflectors that are applied together: enough for products at full speed, few enough for the
// level-2 work inside a panel to stay small. qrLeaf is where the recursion inside a panel ends.
const (
	qrPanel = 64
	qrLeaf  = 8
)

// QRFactor is a factorisation a = q·r of an m×n matrix into orthonormal q and upper triangular r, with k = min(m, n).
type QRFactor struct {
	m, n, k int
	v       []float64 // k×m; row j is reflector j: zero before j, one at j
	t       []float64 // k×qrPanel; rows p… hold the triangle T of the panel that begins at p
	r       *mat.Dense
}

// QR factorises a (m×n, any shape) and leaves it unchanged. An entry that is not finite gives an error that wraps
// [ErrNotFinite] and names it; so does, without a name, an r that overflows. The diagonal of r has either sign. Cost
// 2k²(max(m,n) − k/3) flops for the reflectors.
//
// Method: Householder reflectors in the compact form I − V·T·Vᵀ (Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10
// (1989) 53), panels by recursion (Elmroth and Gustavson, IBM J. Res. Dev. 44 (2000) 605). The reflectors are stored as
// rows: in row-major storage that makes them contiguous. The error is small against each column of a, not just against
// the whole of it.
func QR(a *mat.Dense) (*QRFactor, error) {
	m, n := a.Dims()
	f := &QRFactor{m: m, n: n, k: min(m, n)}
	if f.k == 0 {
		f.r = new(mat.Dense)
		return f, nil
	}
	work, scale, err := scaledCopy(a)
	if err != nil {
		return nil, err
	}
	f.v, f.t = make([]float64, f.k*m), make([]float64, f.k*qrPanel)
	s := make([]float64, qrPanel*n)
	for p := 0; p < f.k; p += qrPanel {
		width := min(qrPanel, f.k-p)
		f.panel(work, p, width)
		if rest := n - p - width; rest > 0 {
			f.applyPanel(p, blas.Trans, work.Data[p*n+p+width:], n, rest, s)
		}
	}
	work.Rows = f.k
	work.Data = work.Data[:f.k*n]
	for i := range f.k {
		row := work.Data[i*n : (i+1)*n]
		clear(row[:i])
		if scale == 1 {
			continue
		}
		kernels.Dscal(n-i, scale, row[i:], 1)
		if notFinite(row) >= 0 {
			return nil, errors.Join(ErrNotFinite, errors.New("linalg: the triangular factor overflows"))
		}
	}
	f.r = new(mat.Dense)
	f.r.SetRawMatrix(work)
	return f, nil
}

// scaledCopy returns a/scale without gaps between the rows. Most matrices need no scaling; if the sum of the absolute
// values is beyond 2^±300, scale is the power of two that puts the largest entry between 1/2 and 1 (or 2, where that
// power is beyond the largest number), so that no norm overflows or underflows.
func scaledCopy(a *mat.Dense) (work blas64.General, scale float64, err error) {
	m, n := a.Dims()
	return scaledInto(make([]float64, m*n), a)
}

// scaledInto is scaledCopy in the memory of data.
func scaledInto(data []float64, a *mat.Dense) (work blas64.General, scale float64, err error) {
	m, n := a.Dims()
	work = blas64.General{Rows: m, Cols: n, Stride: n, Data: data}
	copyInto(work, a.RawMatrix())
	if sum := kernels.Dasum(m*n, work.Data, 1); 0x1p-300 < sum && sum < 0x1p300 {
		return work, 1, nil
	}
	largest := 0.0
	for i, x := range work.Data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return work, 0, errNotFinite(i/n, i%n, x)
		}
		largest = max(largest, math.Abs(x))
	}
	_, e := math.Frexp(largest)
	e = min(e, 1023)
	for i, x := range work.Data {
		work.Data[i] = math.Ldexp(x, -e)
	}
	return work, math.Ldexp(1, e), nil
}

// R returns the k×n upper triangular (trapezoidal, if m < n) factor.
func (f *QRFactor) R() *mat.Dense { return mat.DenseCopyOf(f.r) }

// Q returns the m×k orthonormal factor. Cost 4mk² − 4k³/3 … 2mk² flops, as for the factorisation.
func (f *QRFactor) Q() *mat.Dense {
	if f.k == 0 {
		return new(mat.Dense)
	}
	q := mat.NewDense(f.m, f.k, nil)
	data, s := q.RawMatrix().Data, make([]float64, qrPanel*f.k)
	for i := range f.k {
		data[i*f.k+i] = 1
	}
	for p := (f.k - 1) / qrPanel * qrPanel; p >= 0; p -= qrPanel { // columns before p are still those of the identity
		f.applyPanel(p, blas.NoTrans, data[p*f.k+p:], f.k, f.k-p, s)
	}
	return q
}

// Apply overwrites c (m×q) with Q·c or, if trans, Qᵀ·c for the full m×m orthogonal Q, of which [QRFactor.Q] returns the
// first k columns. Cost 4mkq − 2k²q flops.
func (f *QRFactor) Apply(c *mat.Dense, trans bool) {
	rows, q := c.Dims()
	if rows != f.m {
		panic("linalg: the operand does not fit the orthogonal factor")
	}
	if f.k == 0 || q == 0 {
		return
	}
	raw, s := c.RawMatrix(), make([]float64, qrPanel*q)
	panels := (f.k + qrPanel - 1) / qrPanel
	for i := range panels {
		if trans {
			f.applyPanel(i*qrPanel, blas.Trans, raw.Data[i*qrPanel*raw.Stride:], raw.Stride, q, s)
		} else {
			p := (panels - 1 - i) * qrPanel
			f.applyPanel(p, blas.NoTrans, raw.Data[p*raw.Stride:], raw.Stride, q, s)
		}
	}
}

// applyPanel multiplies rows p… of a matrix, given from row p on, by I − Vᵀ·op(T)·V of the panel at p. s is workspace
// for qrPanel rows.
func (f *QRFactor) applyPanel(p int, op blas.Transpose, c []float64, ldc, cols int, s []float64) {
	width, rows := min(qrPanel, f.k-p), f.m-p
	v := f.v[p*f.m+p:]
	kernels.Dgemm(blas.NoTrans, blas.NoTrans, width, cols, rows, 1, v, f.m, c, ldc, 0, s, cols)
	kernels.Dtrmm(blas.Left, blas.Upper, op, blas.NonUnit, width, cols, 1, f.t[p*qrPanel:], qrPanel, s, cols)
	kernels.Dgemm(blas.Trans, blas.NoTrans, rows, cols, width, -1, v, f.m, s, cols, 1, c, ldc)
}
