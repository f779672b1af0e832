package network

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	theory "github.com/thm-suite/thm/theory/onestep"
)

// Outliers returns the outliers of F₀/√n plus spikes with these left and right vectors, u being Xβ.
func Outliers(bulk theory.Bulk, u []float64, left, right [][]float64) []theory.Outlier {
	k := len(left)
	linear, rest := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			along := floats.Dot(left[i], u) * floats.Dot(left[j], u) / floats.Dot(u, u)
			linear.Set(i, j, along)
			rest.Set(i, j, floats.Dot(left[i], left[j])-along)
		}
	}
	return bulk.Triplets(linear, rest, Gram(right))
}

// Left is P_k(u), the left vector of the k-th term of the expansion without its ηᵏ. The right one is the k-th [Power]
// of the output weights.
func Left(f theory.Features, u []float64, k int) []float64 {
	p := f.Left(k)
	return Map(u, func(u float64) float64 {
		sum := 0.0
		for j := k; j >= 0; j-- {
			sum = sum*u + p[j]
		}
		return sum
	})
}

// Power returns the k-th powers of the entries.
func Power(x []float64, k int) []float64 {
	return Map(x, func(v float64) float64 { return math.Pow(v, float64(k)) })
}

// Gram is the Gram matrix of one vector or more, and empty of none.
func Gram(vectors [][]float64) *mat.Dense {
	if len(vectors) == 0 {
		return &mat.Dense{}
	}
	out := mat.NewDense(len(vectors), len(vectors), nil)
	out.Apply(func(i, j int, _ float64) float64 { return floats.Dot(vectors[i], vectors[j]) }, out)
	return out
}

// Within is the squared length of the projection of a vector onto the span of others, from an orthonormal basis.
func Within(vector []float64, span [][]float64) float64 {
	sum, basis := 0.0, make([][]float64, 0, len(span))
	for _, s := range span {
		next := append([]float64{}, s...)
		for range 2 { // the second time takes away what roundings leave
			for _, b := range basis {
				floats.AddScaled(next, -floats.Dot(next, b), b)
			}
			floats.Scale(1/floats.Norm(next, 2), next)
		}
		basis = append(basis, next)
		sum += math.Pow(floats.Dot(vector, next), 2)
	}
	return sum
}
