package blas

import "math"

// A tile is the work order of the inner routine of the matrix product:
//
//	C[i,j] = fma(alpha, Σ_p A[i,p]·B[p,j], C[i,j])     0 ≤ i < rows, 0 ≤ j < cols, 0 ≤ p < k
//
// where the sum is one chain of fused multiply-adds from +0, p ascending, and C[i,j] counts as +0 (and is not read) if
// keep is 0. A has any strides; the rows of B and C are contiguous. This is the whole contract between the framework
// and a kernel.
type tile struct {
	a, b, c    []float64
	rsa, csa   int // A[i,p] = a[i·rsa + p·csa]
	rsb        int // B[p,j] = b[p·rsb + j]
	rsc        int // C[i,j] = c[i·rsc + j]
	k          int
	rows, cols int
	keep       int // 1: add to C, 0: overwrite it
	alpha      float64
}

// gemmPortable is the reference kernel.
func gemmPortable(t *tile) {
	if t.rows == 4 && t.cols == 4 {
		gemmPortable4x4(t)
		return
	}
	for i := range t.rows {
		c := t.c[i*t.rsc : i*t.rsc+t.cols]
		for j := range c {
			sum := 0.0
			for p := range t.k {
				sum = math.FMA(t.a[i*t.rsa+p*t.csa], t.b[p*t.rsb+j], sum)
			}
			c[j] = math.FMA(t.alpha, sum, t.old(c[j]))
		}
	}
}

// old returns the value of an entry of C that the tile adds to, zero where the old one is not kept.
func (t *tile) old(c float64) float64 {
	if t.keep == 0 {
		return 0
	}
	return c
}

// gemmPortable4x4 is the same with the sums of a row of four in registers.
func gemmPortable4x4(t *tile) {
	for i := range 4 {
		var s0, s1, s2, s3 float64
		at := i * t.rsa
		for p := range t.k {
			a, b := t.a[at], t.b[p*t.rsb:p*t.rsb+4]
			s0, s1 = math.FMA(a, b[0], s0), math.FMA(a, b[1], s1)
			s2, s3 = math.FMA(a, b[2], s2), math.FMA(a, b[3], s3)
			at += t.csa
		}
		c := t.c[i*t.rsc : i*t.rsc+4]
		c[0], c[1] = math.FMA(t.alpha, s0, t.old(c[0])), math.FMA(t.alpha, s1, t.old(c[1]))
		c[2], c[3] = math.FMA(t.alpha, s2, t.old(c[2])), math.FMA(t.alpha, s3, t.old(c[3]))
	}
}
