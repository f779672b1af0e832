package blas

import "math"

// UpdateGemv updates the m×n matrix A by two products of vectors and multiplies its transpose with a third, in one pass:
//
//	a_ij = fma(-u_i, y_j, fma(-x_i, v_j, a_ij))
//	z_j = z_j + t, t = w_i·a_ij, rounded, and fma(w_i, a_ij, t) for the next three i; for ascending groups of four
//	z_j = fma(w_i, a_ij, z_j) for the up to three i that remain
//
// Reductions to condensed form do nothing else. Cost 6mn flops, and every number is read and written once. x, u and w
// have m elements, v, y and z n; none may overlap A or z.
func UpdateGemv(m, n int, a []float64, lda int, x, v, u, y, w, z []float64) {
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	if m == 0 || n == 0 {
		return
	}
	checkA(len(a), m, n, lda)
	if min(len(x), len(u), len(w)) < m || min(len(v), len(y), len(z)) < n {
		panic("blas: insufficient length of a vector")
	}
	current().id.updateGemv(a, lda, x[:m], v[:n], u[:m], y[:n], w[:m], z[:n])
}

// updateGemvPortable is UpdateGemv for m = len(w) and n = len(z).
func updateGemvPortable(a []float64, lda int, x, v, u, y, w, z []float64) {
	for i := range w {
		row := a[i*lda : i*lda+len(z)]
		for j, old := range row {
			row[j] = math.FMA(-u[i], y[j], math.FMA(-x[i], v[j], old))
		}
	}
	i := 0
	for ; i+4 <= len(w); i += 4 {
		for j := range z {
			t := float64(w[i] * a[i*lda+j])
			for p := i + 1; p < i+4; p++ {
				t = math.FMA(w[p], a[p*lda+j], t)
			}
			z[j] += t
		}
	}
	for ; i < len(w); i++ {
		axpyPortable(w[i], a[i*lda:i*lda+len(z)], z)
	}
}
