package blas

import "math"

// Interleaved is the number of vectors that lie interleaved: number i of vector l is x[Interleaved·i+l]. Factorisations
// of stacks of small matrices take that many at a time, one in each lane of the registers, since a small matrix by
// itself has no vectors as long as a register. A lane never looks at another.
const Interleaved = 8

// InterleavedDot is sum_l = Σ_i x_il·y_il for n elements in each lane: those with even i are added by fma in ascending
// order, those with odd i likewise, and then both sums.
func InterleavedDot(n int, x, y []float64, sum *[Interleaved]float64) {
	checkInterleaved(n, x, y)
	if n == 0 {
		*sum = [Interleaved]float64{}
		return
	}
	current().id.interleavedDot(n, x, y, sum)
}

// InterleavedAxpy is y_il = fma(alpha_l, x_il, y_il) for n elements in each lane.
func InterleavedAxpy(n int, alpha *[Interleaved]float64, x, y []float64) {
	checkInterleaved(n, x, y)
	if n > 0 {
		current().id.interleavedAxpy(n, alpha, x, y)
	}
}

// InterleavedRot is Drot with the rotation (c_l, s_l) for n elements in each lane.
func InterleavedRot(n int, x, y []float64, c, s *[Interleaved]float64) {
	checkInterleaved(n, x, y)
	if n > 0 {
		current().id.interleavedRot(n, x, y, c, s)
	}
}

func checkInterleaved(n int, x, y []float64) {
	checkN(n)
	if !holds(len(x), n, Interleaved, Interleaved) {
		panic("blas: insufficient length of x")
	}
	if !holds(len(y), n, Interleaved, Interleaved) {
		panic("blas: insufficient length of y")
	}
}

func interleavedDotPortable(n int, x, y []float64, sum *[Interleaved]float64) {
	for l := range sum {
		var sums [2]float64
		for i := range n {
			sums[i%2] = math.FMA(x[Interleaved*i+l], y[Interleaved*i+l], sums[i%2])
		}
		sum[l] = sums[0] + sums[1]
	}
}

func interleavedAxpyPortable(n int, alpha *[Interleaved]float64, x, y []float64) {
	for i := range n {
		for l, a := range alpha {
			at := Interleaved*i + l
			y[at] = math.FMA(a, x[at], y[at])
		}
	}
}

func interleavedRotPortable(n int, x, y []float64, c, s *[Interleaved]float64) {
	for i := range n {
		for l, c := range c {
			at := Interleaved*i + l
			u, v, s := x[at], y[at], s[l]
			x[at], y[at] = math.FMA(c, u, float64(s*v)), math.FMA(c, v, -float64(s*u))
		}
	}
}
