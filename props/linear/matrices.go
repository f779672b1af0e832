package linear

import "gonum.org/v1/gonum/mat"

// product returns a·b·c⋯.
func product(a, b mat.Matrix, more ...mat.Matrix) *mat.Dense {
	var p mat.Dense
	p.Mul(a, b)
	for _, c := range more {
		var next mat.Dense
		next.Mul(&p, c)
		p = next
	}
	return &p
}

// plus returns a + scale·b.
func plus(a mat.Matrix, scale float64, b mat.Matrix) *mat.Dense {
	var sum mat.Dense
	sum.Scale(scale, b)
	sum.Add(a, &sum)
	return &sum
}
