package blas

import "math"

// UpdateGemv updates the m×n matrix A by two products of vectors and multiplies its transpose with a third, in one
// pass:
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
	addColumnsPortable(a, lda, w, z)
}

// addColumnsPortable is z = z + Aᵀ·w by groups of four rows, as in UpdateGemv.
func addColumnsPortable(a []float64, lda int, w, z []float64) {
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

// TimesRows is y = A·x for m×n A in a pass over four rows at a time: for rows that are too short for the 32 lanes of
// Dgemv. Element j of a row belongs to lane j mod 8, where it is added by fma; an incomplete last block is filled with
// zeros. Lane l+4 is added to lane l, then lanes 1 to 0 and 3 to 2, then both sums. Cost 2mn flops.
func TimesRows(m, n int, a []float64, lda int, x, y []float64) {
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	if m == 0 || n == 0 {
		clear(y[:m])
		return
	}
	checkA(len(a), m, n, lda)
	if len(x) < n || len(y) < m {
		panic("blas: insufficient length of a vector")
	}
	current().id.timesRows(a, lda, x[:n], y[:m])
}

// timesRowsPortable is TimesRows for n = len(x) and m = len(y).
func timesRowsPortable(a []float64, lda int, x, y []float64) {
	for i := range y {
		var s [8]float64
		for j, v := range a[i*lda : i*lda+len(x)] {
			s[j%8] = math.FMA(v, x[j], s[j%8])
		}
		if len(x)%8 != 0 {
			for l := len(x) % 8; l < 8; l++ {
				s[l] += 0 // the padding turns a lane of -0 into +0
			}
		}
		for l := range 4 {
			s[l] += s[l+4]
		}
		y[i] = (s[0] + s[1]) + (s[2] + s[3])
	}
}

// TimesBoth is y = A·x, as TimesRows has it, and z = z + Aᵀ·w, as UpdateGemv has it, for m×n A in one pass: a symmetric
// matrix, of which one triangle is read, times a vector does nothing else. Cost 4mn flops, and every number of A is
// read once. w and y have m elements, x and z n; neither y nor z may overlap anything else.
func TimesBoth(m, n int, a []float64, lda int, x, w, y, z []float64) {
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	if m == 0 || n == 0 {
		clear(y[:m])
		return
	}
	checkA(len(a), m, n, lda)
	if min(len(w), len(y)) < m || min(len(x), len(z)) < n {
		panic("blas: insufficient length of a vector")
	}
	current().id.timesBoth(a, lda, x[:n], w[:m], y[:m], z[:n])
}

func timesBothPortable(a []float64, lda int, x, w, y, z []float64) {
	timesRowsPortable(a, lda, x, y)
	addColumnsPortable(a, lda, w, z)
}
