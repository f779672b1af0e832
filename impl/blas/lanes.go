package blas

import "math"

// lanes is the number of partial sums of every reduction. Element i belongs to lane i mod 32; the last block is padded
// with zeros.
const lanes = 32

// reduce adds the lanes pairwise: l and l+16, then l and l+8, and so on.
func reduce(s *[lanes]float64) float64 {
	for half := lanes / 2; half >= 1; half /= 2 {
		for l := range half {
			s[l] += s[l+half]
		}
	}
	return s[0]
}

// dotPortable is Σ x_i·y_i, every lane a chain of fused multiply-adds.
func dotPortable(x, y []float64) float64 {
	var s [lanes]float64
	for ; len(x) >= lanes; x, y = x[lanes:], y[lanes:] {
		for l, v := range x[:lanes] {
			s[l] = math.FMA(v, y[l], s[l])
		}
	}
	for l := range s {
		if l < len(x) {
			s[l] = math.FMA(x[l], y[l], s[l])
		} else if len(x) > 0 {
			s[l] += 0 // the padding turns a lane of -0 into +0
		}
	}
	return reduce(&s)
}

// dotRowsPortable is y_i = fma(alpha, dot(row i of a, x), y_i).
func dotRowsPortable(alpha float64, a []float64, lda int, x, y []float64) {
	for i := range y {
		y[i] = math.FMA(alpha, dotPortable(a[i*lda:i*lda+len(x)], x), y[i])
	}
}

// asumPortable is Σ |x_i|.
func asumPortable(x []float64) float64 {
	var s [lanes]float64
	for i, v := range x {
		s[i%lanes] += math.Abs(v)
	}
	return reduce(&s)
}

func axpyPortable(alpha float64, x, y []float64) {
	for i, v := range x {
		y[i] = math.FMA(alpha, v, y[i])
	}
}

func axpy4Portable(alpha *[4]float64, x []float64, ldx int, y []float64) {
	for r, v := range alpha {
		axpyPortable(v, x[r*ldx:r*ldx+len(y)], y)
	}
}

// outerPortable is y = fma(alpha, fma(a, x, +0), y) where keep is set, else + 0.
func outerPortable(alpha, a float64, x, y []float64, keep bool) {
	for i, v := range x {
		old := 0.0
		if keep {
			old = y[i]
		}
		y[i] = math.FMA(alpha, math.FMA(a, v, 0), old)
	}
}

func scalPortable(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}

func divPortable(alpha float64, x []float64) {
	for i := range x {
		x[i] /= alpha
	}
}

// rotPortable is x, y = c·x + s·y, c·y - s·x with the first product of each fused and the second rounded.
func rotPortable(x, y []float64, c, s float64) {
	for i, v := range x {
		w := y[i]
		x[i] = math.FMA(c, v, float64(s*w))
		y[i] = math.FMA(c, w, -float64(s*v))
	}
}

// fmaLoopPortable is the measure of the portable kernel: four independent chains.
func fmaLoopPortable(n int) float64 {
	s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
	for range n {
		s0, s1 = math.FMA(0.5, 0.5, s0), math.FMA(0.5, 0.25, s1)
		s2, s3 = math.FMA(0.25, 0.5, s2), math.FMA(0.25, 0.25, s3)
	}
	if s0+s1+s2+s3 < 0 {
		panic("blas: negative sum of positive numbers")
	}
	return 8 * float64(n)
}
