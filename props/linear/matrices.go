package linear

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

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

// endToEnd multiplies layers, of which the first acts first.
func endToEnd(layers []*mat.Dense) *mat.Dense {
	w := layers[0]
	for _, above := range layers[1:] {
		w = product(above, w)
	}
	return w
}

// identity returns the n×n identity.
func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return one
}

// spectral returns U diag(s) Vᵀ for as many singular vectors as there are values.
func spectral(u *mat.Dense, s []float64, v *mat.Dense) *mat.Dense {
	middle := mat.NewDense(u.RawMatrix().Cols, v.RawMatrix().Cols, nil)
	for i, x := range s {
		middle.Set(i, i, x)
	}
	return product(u, middle, v.T())
}

// signedPermutation is a random one of size n.
func signedPermutation(r *rand.Rand, n int) *mat.Dense {
	p := mat.NewDense(n, n, nil)
	for i, j := range r.Perm(n) {
		p.Set(i, j, float64(1-2*r.IntN(2)))
	}
	return p
}

// mapped returns f of every number.
func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = f(x[i])
	}
	return out
}
