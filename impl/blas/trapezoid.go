package blas

// A trapezoid is the work order of the inner routines of the triangular routines: some rows of a lower triangle, and
// the same rows of X. To solve is, where the k rows before are known,
//
//	X[k+i,j] = (X[k+i,j] - Σ_p A[i,p]·X[p,j]) / D[i]     0 ≤ i < rows, 0 ≤ j < cols, 0 ≤ p < k+i
//
// one row after the other, where the difference is one chain of fused multiply-adds from X[k+i,j], p ascending. To
// apply is
//
//	X[k+i,j] = D[i]·X[k+i,j] + Σ_p A[i,p]·X[p,j]
//
// where the first product is rounded, the sum is such a chain from there, and all X on the right are those that came
// in. The strides may be negative: an upper triangle is a lower one whose rows and columns are counted from the end.
type trapezoid struct {
	a        []float64 // A[i,p] = a[a0 + i·rsa + p·csa]
	a0       int
	rsa, csa int
	d        []float64 // D[i] = d[d0 + i·rsd]
	d0, rsd  int
	x        []float64 // X[p,j] = x[x0 + p·rsx + j]
	x0, rsx  int
	k        int
	rows     int
	cols     int
}

// row is row i of X.
func (t *trapezoid) row(i int) []float64 {
	at := t.x0 + i*t.rsx
	return t.x[at : at+t.cols]
}

// solvePortable and applyPortable are the reference.
func solvePortable(t *trapezoid) {
	for i := range t.rows {
		row := t.row(t.k + i)
		for p := range t.k + i {
			axpyPortable(-t.a[t.a0+i*t.rsa+p*t.csa], t.row(p), row)
		}
		divPortable(t.d[t.d0+i*t.rsd], row)
	}
}

func applyPortable(t *trapezoid) {
	for i := t.rows - 1; i >= 0; i-- {
		row := t.row(t.k + i)
		scalPortable(t.d[t.d0+i*t.rsd], row)
		for p := range t.k + i {
			axpyPortable(t.a[t.a0+i*t.rsa+p*t.csa], t.row(p), row)
		}
	}
}

// ones is the diagonal of a unit triangle: neither dividing nor multiplying by it changes anything.
var ones = []float64{1}

// leaf applies a triangle of order n ≤ leaf to b, n×cols: strips of columns that stay in the first-level cache, in each
// the trapezoids from the top for a solution, from below for a product.
func (a triangle) leaf(kern *kernel, n, cols int, b []float64, ldb int) {
	t := trapezoid{a: a.data, rsa: a.rs, csa: a.cs, x: b, rsx: ldb}
	corner, first := 0, 0
	if a.upper {
		corner, first = (n-1)*(a.rs+a.cs), (n-1)*ldb
		t.rsa, t.csa, t.rsx = -a.rs, -a.cs, -ldb
	}
	t.d, t.rsd = a.data, t.rsa+t.csa
	if a.unit {
		t.d, t.rsd = ones, 0
	}
	run := func() {
		t.a0 = corner + t.k*t.rsa
		if !a.unit {
			t.d0 = corner + t.k*t.rsd
		}
		if a.solve {
			kern.id.solve(&t)
		} else {
			kern.id.apply(&t)
		}
	}
	for j := 0; j < cols; j += t.cols {
		t.x0, t.cols = first+j, kern.id.trapezoidCols(cols-j)
		if a.solve {
			for t.k = 0; t.k < n; t.k += t.rows {
				t.rows = kern.id.trapezoidRows(n - t.k)
				run()
			}
			continue
		}
		for t.k = n; t.k > 0; {
			t.rows = kern.id.trapezoidRows(t.k)
			t.k -= t.rows
			run()
		}
	}
}
