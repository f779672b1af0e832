package blas

import gblas "gonum.org/v1/gonum/blas"

// Dtrmm computes B = alpha·op(A)·B (Left) or alpha·B·op(A) (Right) for triangular A and m×n B, in place. Only the
// triangle of A is read, and of a unit triangle not the diagonal. Cost m²n or mn² flops.
func (Implementation) Dtrmm(s gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	triangularCall(false, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrsm solves op(A)·X = alpha·B (Left) or X·op(A) = alpha·B (Right) for triangular A and m×n B, which X replaces.
// Every entry of X is divided by the diagonal entry, not multiplied by its reciprocal. A zero on the diagonal gives
// infinities or NaN. Cost as Dtrmm.
func (Implementation) Dtrsm(s gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	triangularCall(true, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// triangle is a triangular operand in the position op(A) from the left: the right-hand problems are transposed into it.
type triangle struct {
	view
	upper, unit bool
	solve       bool // apply the inverse
}

func (a triangle) at(i int) triangle {
	a.view = a.view.at(i, i)
	return a
}

func triangularCall(solve bool, s gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int) {
	checkSide(s)
	checkUplo(ul)
	checkTranspose(tA)
	checkDiag(d)
	checkM(m)
	checkN(n)
	order, others := m, n
	if s == gblas.Right {
		order, others = n, m
	}
	checkLdA(lda, order)
	checkLdB(ldb, n)
	if m == 0 || n == 0 {
		return
	}
	checkA(len(a), order, order, lda)
	checkB(len(b), m, n, ldb)

	t := triangle{newView(tA, a, lda), (ul == gblas.Upper) == (tA == gblas.NoTrans), d == gblas.Unit, solve}
	if s == gblas.Right {
		t.view, t.upper = t.view.t(), !t.upper
	}
	kern := current()
	if threads := threadsFor(float64(order) * float64(order) * float64(others)); threads > 1 {
		t.share(kern, threads, s, order, others, alpha, b, ldb)
		return
	}
	t.run(kern, s, order, others, alpha, b, ldb)
}

// share is run on several threads, each with some columns (Left) or rows (Right) of b, in multiples of the strips of
// every kernel.
func (a triangle) share(kern *kernel, threads int, s gblas.Side, order, others int, alpha float64, b []float64,
	ldb int) {
	const strip = 96
	step := piece(others, strip)
	Share(threads, ceil(others, step), func(task int) {
		at := task * step
		size := min(step, others-at)
		if s == gblas.Right {
			at *= ldb
		}
		a.run(kern, s, order, size, alpha, b[at:], ldb)
	})
}

// run applies the triangle to alpha·b on this goroutine.
func (a triangle) run(kern *kernel, s gblas.Side, order, others int, alpha float64, b []float64, ldb int) {
	m, n, apply := order, others, triangle.left
	if s == gblas.Right {
		m, n, apply = others, order, triangle.right
	}
	scaled := product{m: m, n: n, beta: alpha, c: b, ldc: ldb}
	scaled.scale(kern)
	if alpha != 0 {
		apply(a, kern, order, others, b, ldb)
	}
}

// The recursion halves the triangle: A = [A₁₁ A₁₂; 0 A₂₂] or its mirror image, two triangles of half the order and one
// product between. A triangle of order leafOrder or less is done in strips of a few columns, see trapezoid.go; the
// problem is transposed for it if it is right-hand. The order is part of the definition of the result.
const leafOrder = 128

// first is the order of the first half: the largest power of two times the order of a leaf that is below n.
func first(n, leaf int) int {
	h := leaf
	for 2*h < n {
		h *= 2
	}
	return h
}

// forward reports that the first half comes first: a lower solve, an upper product.
func (a triangle) forward() bool { return a.solve != a.upper }

// factor returns the factor of the product between the halves.
func (a triangle) factor() float64 {
	if a.solve {
		return -1
	}
	return 1
}

// left applies the triangle of order n to b, n×cols.
func (a triangle) left(kern *kernel, n, cols int, b []float64, ldb int) {
	if n <= leafOrder {
		a.leaf(kern, n, cols, b, ldb)
		return
	}
	h := first(n, leafOrder)
	between := product{n: cols, alpha: a.factor(), beta: 1, ldc: ldb}
	low := b[h*ldb:]
	if a.upper { // the first half takes from the second
		between.m, between.k, between.a, between.b, between.c = h, n-h, a.view.at(0, h), view{low, ldb, 1}, b
	} else {
		between.m, between.k, between.a, between.b, between.c = n-h, h, a.view.at(h, 0), view{b, ldb, 1}, low
	}
	if a.forward() {
		a.left(kern, h, cols, b, ldb)
		between.run(kern)
		a.at(h).left(kern, n-h, cols, low, ldb)
	} else {
		a.at(h).left(kern, n-h, cols, low, ldb)
		between.run(kern)
		a.left(kern, h, cols, b, ldb)
	}
}

// right applies the triangle, which has been transposed, to the rows of b, rows×n: b = (a·bᵀ)ᵀ. The products between
// the halves work on b as it lies; a triangle of order leafOrder or less works on a transposed copy of some rows.
func (a triangle) right(kern *kernel, n, rows int, b []float64, ldb int) {
	if n <= leafOrder {
		a.rightSlab(kern, n, rows, b, ldb)
		return
	}
	h := first(n, leafOrder) // leafOrder or more
	between := product{m: rows, alpha: a.factor(), beta: 1, ldc: ldb}
	if a.upper {
		between.n, between.k, between.a, between.b, between.c = h, n-h, view{b[h:], ldb, 1}, a.view.at(0, h).t(), b
	} else {
		between.n, between.k, between.a, between.b, between.c = n-h, h, view{b, ldb, 1}, a.view.at(h, 0).t(), b[h:]
	}
	if a.forward() {
		a.right(kern, h, rows, b, ldb)
		between.run(kern)
		a.at(h).right(kern, n-h, rows, b[h:], ldb)
	} else {
		a.at(h).right(kern, n-h, rows, b[h:], ldb)
		between.run(kern)
		a.right(kern, h, rows, b, ldb)
	}
}

func (a triangle) rightSlab(kern *kernel, n, rows int, b []float64, ldb int) {
	const chunk = 48 // with leafOrder rows it about fills the first-level cache
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.slab = grow(w.slab, leafOrder*chunk)
	for i := 0; i < rows; i += chunk {
		size := min(chunk, rows-i)
		transpose(kern, w.slab, chunk, b[i*ldb:], ldb, size, n)
		a.leaf(kern, n, size, w.slab, chunk)
		transpose(kern, b[i*ldb:], ldb, w.slab, chunk, n, size)
	}
}
