package blas

// SolveMore computes further rows of the solution of UᵀX = B, where U is an upper triangle and the first k rows of X
// are known:
//
//	X[i,j] = (X[i,j] − Σ_{p<i} U[p,i]·X[p,j]) / U[i,i]     k ≤ i < k+rows, 0 ≤ j < cols
//
// with the bits of Dtrsm for a triangle of order 128 or less. u holds U from its first row on, x all k+rows rows of X.
// Factorisations make the triangle as they go along. Cost (2k+rows)·rows·cols flops.
func SolveMore(k, rows, cols int, u []float64, ldu int, x []float64, ldx int) {
	checkK(k)
	checkM(rows)
	checkN(cols)
	checkLdA(ldu, k+rows)
	checkLdB(ldx, cols)
	if rows == 0 || cols == 0 {
		return
	}
	checkA(len(u), k+rows, k+rows, ldu)
	checkB(len(x), k+rows, cols, ldx)
	kern := current()
	t := trapezoid{a: u, rsa: 1, csa: ldu, d: u, rsd: ldu + 1, x: x, rsx: ldx}
	for t.x0 < cols {
		t.cols = kern.id.trapezoidCols(cols - t.x0)
		for t.k = k; t.k < k+rows; t.k += t.rows {
			t.rows = kern.id.trapezoidRows(k + rows - t.k)
			t.a0, t.d0 = t.k, t.k*(ldu+1)
			kern.id.solve(&t)
		}
		t.x0 += t.cols
	}
}
