package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// panel factorises columns p … p+width of work from row p on: their transposes become reflectors p … in f.v, with their
// T in f.t, and the entries of R go back to work.
func (f *QRFactor) panel(work blas64.General, p, width int, s []float64) {
	columns := blas64.General{Rows: f.m - p, Cols: width, Stride: work.Stride, Data: work.Data[p*work.Stride+p:]}
	transposeInto(blas64.General{Rows: width, Cols: f.m - p, Stride: f.m, Data: f.v[p*f.m+p:]}, columns)
	f.reflect(work, p, p, width, s)
}

// reflect makes reflectors j … j+width of the panel at p, to which all earlier ones of the panel have been applied. s
// is workspace.
func (f *QRFactor) reflect(work blas64.General, p, j, width int, s []float64) {
	if width <= qrLeaf {
		for i := range width {
			f.reflector(work, p, j+i, width-i-1)
		}
		return
	}
	h := (width/2 + qrLeaf - 1) / qrLeaf * qrLeaf
	f.reflect(work, p, j, h, s)
	left, right := f.v[j*f.m+j:], f.v[(j+h)*f.m+j:]
	rest, length := width-h, f.m-j
	kernels.Dgemm(blas.NoTrans, blas.Trans, h, rest, length, 1, left, f.m, right, f.m, 0, s, rest)
	kernels.Dtrmm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, h, rest, 1, f.triangle(p, j, j), f.block, s, rest)
	kernels.Dgemm(blas.Trans, blas.NoTrans, rest, length, h, -1, s, rest, left, f.m, 1, right, f.m)
	f.reflect(work, p, j+h, rest, s)
	f.join(p, j, j+h, rest)
}

// triangle is T of the panel at p from entry (i, j) on, where i and j count from the first reflector of all.
func (f *QRFactor) triangle(p, i, j int) []float64 { return f.t[i*f.block+j-p:] }

// join sets the block of T above the diagonal that belongs to reflectors i … j of the left and j … j+width of the
// right: T₁₂ = −T₁₁·(V₁·V₂ᵀ)·T₂₂.
func (f *QRFactor) join(p, i, j, width int) {
	block := f.triangle(p, i, j)
	kernels.Dgemm(blas.NoTrans, blas.Trans, j-i, width, f.m-j, -1, f.v[i*f.m+j:], f.m, f.v[j*f.m+j:], f.m, 0, block,
		f.block)
	kernels.Dtrmm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, j-i, width, 1, f.triangle(p, i, i), f.block, block,
		f.block)
	kernels.Dtrmm(blas.Right, blas.Upper, blas.NoTrans, blas.NonUnit, j-i, width, 1, f.triangle(p, j, j), f.block, block,
		f.block)
}

// reflector turns row j of f.v, a column of the matrix, into a reflector, applies it to the next `others` rows, and
// joins it to the T of its leaf.
func (f *QRFactor) reflector(work blas64.General, p, j, others int) {
	row := f.v[j*f.m : (j+1)*f.m]
	for i := p; i < j; i++ {
		work.Data[i*work.Stride+j] = row[i]
		row[i] = 0
	}
	beta, tau := householder(row[j:])
	work.Data[j*work.Stride+j] = beta
	f.triangle(p, j, j)[0] = tau
	if others > 0 && tau != 0 {
		var w [qrLeaf]float64
		next := f.v[(j+1)*f.m+j:]
		kernels.Dgemv(blas.NoTrans, others, f.m-j, 1, next, f.m, row[j:], 1, 0, w[:], 1)
		kernels.Dger(others, f.m-j, -tau, w[:], 1, row[j:], 1, next, f.m)
	}
	begin := p + (j-p)/qrLeaf*qrLeaf
	if earlier := j - begin; earlier > 0 { // as join does, for one column
		column := f.triangle(p, begin, j)
		kernels.Dgemv(blas.NoTrans, earlier, f.m-j, -tau, f.v[begin*f.m+j:], f.m, row[j:], 1, 0, column, f.block)
		kernels.Dtrmv(blas.Upper, blas.NoTrans, blas.NonUnit, earlier, f.triangle(p, begin, begin), f.block, column, f.block)
	}
}

// reflectSmall is reflectPanels for a small matrix, one reflector after the other in plain loops.
func (f *QRFactor) reflectSmall(work blas64.General) {
	m, n := f.m, f.n
	f.v = make([]float64, n*m) // the columns; those that become reflectors come first
	transposeInto(blas64.General{Rows: n, Cols: m, Stride: m, Data: f.v}, work)
	for j := range n {
		column := f.v[j*m : (j+1)*m]
		if j < f.k {
			v := column[j:]
			work.Data[j*n+j], f.t[j] = smallReflector(v)
			for i := j + 1; i < n; i++ {
				other := f.v[i*m+j : (i+1)*m]
				axpy(-f.t[j]*dot(v, other), v, other)
			}
		}
		for i := range min(j, f.k) {
			work.Data[i*n+j] = column[i]
			column[i] = 0
		}
	}
	f.v = f.v[:f.k*m]
}

// reflectRows multiplies the rows of c, as many as v is long and as wide as s, by I − tau·v·vᵀ. s is workspace.
func reflectRows(tau float64, v, c []float64, ldc int, s []float64) {
	clear(s)
	for i, x := range v {
		axpy(x, c[i*ldc:][:len(s)], s)
	}
	for i, x := range v {
		axpy(-tau*x, s, c[i*ldc:])
	}
}

// householder overwrites x by v with v₀ = 1 and returns beta and tau with (I − tau·v·vᵀ)·x = (beta, 0, …, 0).
func householder(x []float64) (beta, tau float64) {
	alpha := x[0]
	norm := kernels.Dnrm2(len(x)-1, x[1:], 1)
	if norm == 0 {
		x[0] = 1
		return alpha, 0
	}
	back := 1.0
	if beta = math.Hypot(alpha, norm); beta < 0x1p-900 { // near the subnormal numbers beta would lose its digits
		const up = 0x1p900
		kernels.Dscal(len(x), up, x, 1)
		alpha, back = x[0], 1/up
		beta = math.Hypot(alpha, norm*up)
	}
	beta = -math.Copysign(beta, alpha)
	kernels.Dscal(len(x)-1, 1/(alpha-beta), x[1:], 1)
	x[0] = 1
	// 2/vᵀv is (beta−alpha)/beta up to rounding, and makes the reflector orthogonal for the v that there is.
	return beta * back, 2 / kernels.Ddot(len(x), x, 1, x, 1)
}
