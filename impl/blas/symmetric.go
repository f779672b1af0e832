package blas

import gblas "gonum.org/v1/gonum/blas"

// Dsymm computes C = alpha·A·B + beta·C (Left) or alpha·B·A + beta·C (Right) for symmetric A, of which one triangle is
// read, and m×n B and C. The result has the bits of Dgemm with the full A. Cost 2m²n or 2mn² flops.
func (Implementation) Dsymm(s gblas.Side, ul gblas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	checkSide(s)
	checkUplo(ul)
	checkM(m)
	checkN(n)
	order := n
	if s == gblas.Left {
		order = m
	}
	checkLdA(lda, order)
	checkLdB(ldb, n)
	checkLdC(ldc, n)
	if m == 0 || n == 0 {
		return
	}
	checkA(len(a), order, order, lda)
	checkB(len(b), m, n, ldb)
	checkC(len(c), m, n, ldc)

	g := product{m: m, n: n, alpha: alpha, beta: beta, c: c, ldc: ldc}
	if alpha == 0 {
		multiply(g)
		return
	}
	kern := current()
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	for p := 0; p < order; p += kc {
		g.k = min(kc, order-p)
		w.full = grow(w.full, order*g.k)
		unfoldRows(kern, w.full, ul, a, lda, order, p, g.k)
		rows := view{w.full, order, 1} // rows p … p+k of A; by symmetry the columns too
		if s == gblas.Left {
			g.a, g.b = rows.t(), view{b[p*ldb:], ldb, 1}
		} else {
			g.a, g.b = view{b[p:], ldb, 1}, rows
		}
		multiply(g)
		g.beta = 1
	}
}

// unfoldRows writes rows p … p+k of the symmetric matrix.
func unfoldRows(kern *kernel, dst []float64, ul gblas.Uplo, a []float64, lda, order, p, k int) {
	for r := range k {
		i := p + r
		if ul == gblas.Upper {
			copy(dst[r*order+i:(r+1)*order], a[i*lda+i:])
		} else {
			copy(dst[r*order:r*order+i+1], a[i*lda:])
		}
	}
	// The other part is a transposed block outside rows p … p+k, and a small transposed triangle inside.
	inside := func(r, j int) { dst[r*order+p+j] = a[(p+j)*lda+p+r] }
	if ul == gblas.Upper {
		transpose(kern, dst, order, a[p:], lda, p, k)
		for r := range k {
			for j := range r {
				inside(r, j)
			}
		}
		return
	}
	if rest := order - p - k; rest > 0 {
		transpose(kern, dst[p+k:], order, a[(p+k)*lda+p:], lda, rest, k)
	}
	for r := range k {
		for j := r + 1; j < k; j++ {
			inside(r, j)
		}
	}
}

// Dsyrk computes one triangle of C = alpha·A·Aᵀ + beta·C (NoTrans, A is n×k) or alpha·Aᵀ·A + beta·C (Trans, A is k×n).
// The triangle has the bits of Dgemm, the other one is not touched. Cost n²k flops.
func (Implementation) Dsyrk(ul gblas.Uplo, tA gblas.Transpose, n, k int, alpha float64, a []float64, lda int,
	beta float64, c []float64, ldc int) {
	checkUplo(ul)
	checkTranspose(tA)
	checkN(n)
	checkK(k)
	rows, cols := shape(tA, n, k)
	checkLdA(lda, cols)
	checkLdC(ldc, n)
	if n == 0 {
		return
	}
	checkA(len(a), rows, cols, lda)
	checkC(len(c), n, n, ldc)
	v := newView(tA, a, lda)
	multiply(product{m: n, n: n, k: k, alpha: alpha, a: v, b: v.t(), beta: beta, c: c, ldc: ldc, part: partOf(ul)})
}

// Dsyr2k computes one triangle of C = alpha·A·Bᵀ + alpha·B·Aᵀ + beta·C (NoTrans, A and B are n×k) or alpha·Aᵀ·B +
// alpha·Bᵀ·A + beta·C (Trans, k×n): one product of sums of 2k terms, those of the first product before those of the
// second, if 2k ≤ 384, so that C is read and written once; else two products one after the other. Each is as Dgemm.
// Cost 2n²k flops.
func (Implementation) Dsyr2k(ul gblas.Uplo, tA gblas.Transpose, n, k int, alpha float64, a []float64, lda int,
	b []float64, ldb int, beta float64, c []float64, ldc int) {
	checkUplo(ul)
	checkTranspose(tA)
	checkN(n)
	checkK(k)
	rows, cols := shape(tA, n, k)
	checkLdA(lda, cols)
	checkLdB(ldb, cols)
	checkLdC(ldc, n)
	if n == 0 {
		return
	}
	checkA(len(a), rows, cols, lda)
	checkB(len(b), rows, cols, ldb)
	checkC(len(c), n, n, ldc)
	va, vb := newView(tA, a, lda), newView(tA, b, ldb)
	g := product{m: n, n: n, k: k, alpha: alpha, a: va, b: vb.t(), beta: beta, c: c, ldc: ldc, part: partOf(ul)}
	if alpha != 0 && 2*k <= kc {
		w := workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		w.full = grow(w.full, 4*n*k)
		g.k = 2 * k
		g.a = beside(w.full[:2*n*k], tA, n, k, va, vb)
		g.b = beside(w.full[2*n*k:], tA, n, k, vb, va).t()
		multiply(g)
		return
	}
	multiply(g)
	g.a, g.b, g.beta = vb, va.t(), 1
	multiply(g)
}

// beside writes the n×2k matrix of the n×k matrices x and y to dst, which has the storage of both.
func beside(dst []float64, t gblas.Transpose, n, k int, x, y view) view {
	if t == gblas.NoTrans {
		for i := range n {
			copy(dst[2*i*k:], x.data[i*x.rs:][:k])
			copy(dst[(2*i+1)*k:], y.data[i*y.rs:][:k])
		}
		return view{dst, 2 * k, 1}
	}
	for p := range k {
		copy(dst[p*n:], x.data[p*x.cs:][:n])
		copy(dst[(k+p)*n:], y.data[p*y.cs:][:n])
	}
	return view{dst, 1, n}
}

// shape is the shape in which an n×k op(A) is stored.
func shape(t gblas.Transpose, n, k int) (rows, cols int) {
	if t == gblas.NoTrans {
		return n, k
	}
	return k, n
}

func partOf(ul gblas.Uplo) part {
	if ul == gblas.Upper {
		return upper
	}
	return lower
}
