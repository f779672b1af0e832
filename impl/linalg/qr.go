package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// qrLeaf is where the recursion inside a panel ends.
const qrLeaf = 8

// qrBlock is the number of reflectors that are applied together to a matrix of so many numbers: enough for products at
// full speed, few enough for the work on the triangles of the panels to stay small, and one where a loop takes less
// than the call of a kernel.
func qrBlock(numbers int) int {
	switch {
	case numbers <= smallSize:
		return 1
	case numbers <= secondLevel/2:
		return 16
	case numbers <= 2*secondLevel:
		return 32
	}
	return 64
}

// QRFactor is a factorisation a = q·r of an m×n matrix into orthonormal q and upper triangular r, with k = min(m, n).
type QRFactor struct {
	m, n, k int
	block   int       // reflectors of a panel
	v       []float64 // k×m; row j is reflector j: zero before j, one at j
	t       []float64 // k×block; rows p… hold the triangle T of the panel that begins at p
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
	f := &QRFactor{m: m, n: n, k: min(m, n), block: qrBlock(m * n)}
	if f.k == 0 {
		f.r = new(mat.Dense)
		return f, nil
	}
	work, scale, err := scaledCopy(a)
	if err != nil {
		return nil, err
	}
	f.t = make([]float64, f.k*f.block)
	if f.block == 1 {
		f.reflectSmall(work)
	} else {
		f.reflectPanels(work)
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

// reflectPanels replaces work by R and fills v and t.
func (f *QRFactor) reflectPanels(work blas64.General) {
	w := borrow()
	defer w.giveBack()
	f.v = make([]float64, f.k*f.m)
	s := w.take(f.block * max(f.n, f.block))
	for p := 0; p < f.k; p += f.block {
		width := min(f.block, f.k-p)
		f.panel(work, p, width, s)
		if rest := f.n - p - width; rest > 0 {
			f.applyPanel(p, blas.Trans, work.Data[p*f.n+p+width:], f.n, rest, s)
		}
	}
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
	w := borrow()
	defer w.giveBack()
	data, s := q.RawMatrix().Data, w.take(f.block*f.k)
	for i := range f.k {
		data[i*f.k+i] = 1
	}
	for p := (f.k - 1) / f.block * f.block; p >= 0; p -= f.block { // columns before p are still those of the identity
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
	w := borrow()
	defer w.giveBack()
	raw, s := c.RawMatrix(), w.take(f.block*q)
	panels := (f.k + f.block - 1) / f.block
	for i := range panels {
		if trans {
			f.applyPanel(i*f.block, blas.Trans, raw.Data[i*f.block*raw.Stride:], raw.Stride, q, s)
		} else {
			p := (panels - 1 - i) * f.block
			f.applyPanel(p, blas.NoTrans, raw.Data[p*raw.Stride:], raw.Stride, q, s)
		}
	}
}

// applyPanel multiplies rows p… of a matrix, given from row p on, by I − Vᵀ·op(T)·V of the panel at p. s is workspace
// for block rows.
func (f *QRFactor) applyPanel(p int, op blas.Transpose, c []float64, ldc, cols int, s []float64) {
	width, rows := min(f.block, f.k-p), f.m-p
	v := f.v[p*f.m+p:]
	if f.block == 1 {
		reflectRows(f.t[p], v[:rows], c, ldc, s[:cols])
		return
	}
	kernels.Dgemm(blas.NoTrans, blas.NoTrans, width, cols, rows, 1, v, f.m, c, ldc, 0, s, cols)
	kernels.Dtrmm(blas.Left, blas.Upper, op, blas.NonUnit, width, cols, 1, f.t[p*f.block:], f.block, s, cols)
	kernels.Dgemm(blas.Trans, blas.NoTrans, rows, cols, width, -1, v, f.m, s, cols, 1, c, ldc)
}
