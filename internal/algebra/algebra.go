// Package algebra computes sums, products and blocks of matrices as expressions. Results are new matrices, computed by
// gonum.
package algebra

import "gonum.org/v1/gonum/mat"

// Product is the product of matrices.
func Product(factors ...mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Product(factors...)
	return &out
}

// Image is Ax.
func Image(a mat.Matrix, x mat.Vector) *mat.VecDense {
	var out mat.VecDense
	out.MulVec(a, x)
	return &out
}

// Sum is A + B.
func Sum(a, b mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Add(a, b)
	return &out
}

// Difference is A − B.
func Difference(a, b mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Sub(a, b)
	return &out
}

// Distance is ‖A − B‖_F.
func Distance(a, b mat.Matrix) float64 { return mat.Norm(Difference(a, b), 2) }

// Beside puts matrices side by side.
func Beside(all ...*mat.Dense) *mat.Dense { return joined((*mat.Dense).Augment, all) }

// Stacked puts matrices one below another.
func Stacked(all ...*mat.Dense) *mat.Dense { return joined((*mat.Dense).Stack, all) }

func joined(join func(out *mat.Dense, a, b mat.Matrix), all []*mat.Dense) *mat.Dense {
	so := mat.DenseCopyOf(all[0])
	for _, next := range all[1:] {
		var out mat.Dense
		join(&out, so, next)
		so = &out
	}
	return so
}

// Scaled is a number times A.
func Scaled(by float64, a mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Scale(by, a)
	return &out
}
