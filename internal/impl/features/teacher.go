package features

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Teacher labels a sample x with link(directionᵀx) + noise·ε, ε standard normal.
type Teacher struct {
	Direction []float64 // unit vector, d long
	Link      func(float64) float64
	Noise     float64
}

// UnitVector returns a uniformly distributed unit vector of length d.
func UnitVector(r *rand.Rand, d int) []float64 { return UnitRows(r, 1, d).RawRowView(0) }

// Gaussian returns n samples from N(0, I), n×d.
func Gaussian(r *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	data := x.RawMatrix().Data
	for i := range data {
		data[i] = r.NormFloat64()
	}
	return x
}

// Labels labels the rows of x.
func (t Teacher) Labels(r *rand.Rand, x *mat.Dense) []float64 {
	n, d := x.Dims()
	if len(t.Direction) != d {
		panic("features: the teacher's direction does not fit the samples")
	}
	y := make([]float64, n)
	for i := range y {
		y[i] = t.Link(floats.Dot(t.Direction, x.RawRowView(i))) + t.Noise*r.NormFloat64()
	}
	return y
}
