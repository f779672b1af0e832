package network

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	theory "github.com/thm-suite/thm/theory/onestep"
)

// Outliers are those of F₀/√n plus spikes with these left and right vectors, u being Xβ.
func Outliers(bulk theory.Bulk, u []float64, left, right [][]float64) []theory.Outlier {
	k := len(left)
	linear, rest, gram := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			along := floats.Dot(left[i], u) * floats.Dot(left[j], u) / floats.Dot(u, u)
			linear.Set(i, j, along)
			rest.Set(i, j, floats.Dot(left[i], left[j])-along)
			gram.Set(i, j, floats.Dot(right[i], right[j]))
		}
	}
	return bulk.Triplets(linear, rest, gram)
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
