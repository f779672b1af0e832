// Package rkhs holds positive definite kernels and their Gram matrices. Points are rows.
package rkhs

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// Kernel is a positive definite function of two points. It depends on their inner product, on their lengths and the
// cosine of the angle between them, or on their distance. Cosines are inner products of unit vectors. Distances are
// formed from the differences of the coordinates, because a difference of squares would cancel digits for points close
// together. Exactly one of the functions is set.
type Kernel struct {
	Name     string
	products func(row []float64)                                                 // overwrites ⟨x,zⱼ⟩
	cosines  func(row []float64, length float64, lengths []float64, one float64) // overwrites cosines, for ‖x‖ and ‖zⱼ‖
	distance func(square float64) float64                                        // of ‖x−z‖²
}

// NeuralTangent is the tangent kernel of an infinitely wide two-layer ReLU network without bias, with both layers
// trained: ‖x‖‖z‖(sin θ + 2(π−θ)cos θ)/π for the angle θ between x and z, and 2‖x‖² for x = z. Points with a constant
// coordinate give the network a bias; see [WithConstant].
//
// Source: Jacot, Gabriel, Hongler, NeurIPS 2018; the closed form from Cho, Saul, NeurIPS 2009.
func NeuralTangent() Kernel {
	return arccosine("neural tangent", 2)
}

// RandomFeatures is the kernel of ReLU features with random weights, 2E σ(w·x)σ(w·z) for w ~ N(0, I):
// ‖x‖‖z‖(sin θ + (π−θ)cos θ)/π.
//
// Source: Cho, Saul, NeurIPS 2009, degree 1.
func RandomFeatures() Kernel {
	return arccosine("random features", 1)
}

// arccosine is ‖x‖‖z‖(sin θ + slopes·(π−θ)cos θ)/π.
func arccosine(name string, slopes float64) Kernel {
	return Kernel{Name: name, cosines: func(row []float64, length float64, lengths []float64, one float64) {
		arccosines(row, length, lengths, slopes, one)
	}}
}

// Polynomial is (1 + ⟨x,z⟩/scale)^degree.
func Polynomial(degree int, scale float64) Kernel {
	return Kernel{Name: "polynomial", products: func(row []float64) {
		for j, p := range row {
			base, power := 1+p/scale, 1.0
			for range degree {
				power *= base
			}
			row[j] = power
		}
	}}
}

// Gaussian is exp(−‖x−z‖²/(2s²)).
func Gaussian(s float64) Kernel {
	return Kernel{Name: "Gaussian", distance: func(square float64) float64 { return math.Exp(-square / (2 * s * s)) }}
}

// Laplace is exp(−‖x−z‖/s).
func Laplace(s float64) Kernel {
	return Kernel{Name: "Laplace", distance: func(square float64) float64 { return math.Exp(-math.Sqrt(square) / s) }}
}

// Of returns k(x, z).
func (k Kernel) Of(x, z []float64) float64 {
	if len(x) != len(z) {
		panic("rkhs: points of different dimensions")
	}
	if k.distance != nil {
		return k.distance(squaredDistance(x, z))
	}
	d := len(x)
	return k.Cross(mat.NewDense(1, d, x), mat.NewDense(1, d, z)).At(0, 0)
}

func squaredDistance(x, z []float64) float64 {
	sum := 0.0
	for i, xi := range x {
		sum += (xi - z[i]) * (xi - z[i])
	}
	return sum
}

// Gram returns the matrix k(xᵢ, xⱼ), n×n, for the rows of x (n×d): n²d flops in one symmetric product where the kernel
// does not take distances, and n²/2 evaluations.
func (k Kernel) Gram(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	gram := mat.NewSymDense(n, nil)
	y, lengths := k.points(x)
	if k.distance == nil {
		gram.SymOuterK(1, y)
	}
	raw := gram.RawSymmetric()
	for i := range n {
		k.overwrite(raw.Data[i*raw.Stride+i:i*raw.Stride+n], y, y, lengths, lengths, i, i)
	}
	return gram
}

// Cross returns the matrix k(xᵢ, zⱼ), n×m, for the rows of x (n×d) and z (m×d).
func (k Kernel) Cross(x, z *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	m, dz := z.Dims()
	if d != dz {
		panic("rkhs: points of different dimensions")
	}
	out := mat.NewDense(n, m, nil)
	x, lengths := k.points(x)
	z, others := k.points(z)
	if k.distance == nil {
		out.Mul(x, z.T())
	}
	for i := range n {
		k.overwrite(out.RawRowView(i), x, z, lengths, others, i, 0)
	}
	return out
}

// points returns the vectors whose inner products the kernel needs. For a kernel of cosines they are the unit vectors
// along the rows, with zeros left as zeros, and the lengths of the rows are returned too.
func (k Kernel) points(x *mat.Dense) (points *mat.Dense, lengths []float64) {
	if k.cosines == nil {
		return x, nil
	}
	n, _ := x.Dims()
	points, lengths = mat.DenseCopyOf(x), make([]float64, n)
	for i := range n {
		row := points.RawRowView(i)
		square := floats.Dot(row, row)
		if square > 0x1p-900 && square < 0x1p900 { // neither under- nor overflow has touched it
			lengths[i] = math.Sqrt(square)
			floats.Scale(1/lengths[i], row)
		} else if lengths[i] = floats.Norm(row, 2); lengths[i] > 0 {
			for j := range row { // the inverse of a subnormal length is infinite
				row[j] /= lengths[i]
			}
		}
	}
	return points, lengths
}

// overwrite replaces the inner products in row by the kernel of point i of x with the points of z, starting at point
// from.
func (k Kernel) overwrite(row []float64, x, z *mat.Dense, lengths, others []float64, i, from int) {
	switch {
	case k.products != nil:
		k.products(row)
	case k.cosines != nil:
		_, d := x.Dims()
		one := 1 - float64(d+8)*roundoff.Unit // up to the rounding of inner products of unit vectors
		k.cosines(row, lengths[i], others[from:], one)
	default:
		for j := range row {
			row[j] = k.distance(squaredDistance(x.RawRowView(i), z.RawRowView(from+j)))
		}
	}
}

// WithConstant appends a coordinate with the given value to every row of x.
func WithConstant(x *mat.Dense, value float64) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(out.RawRowView(i), x.RawRowView(i))
		out.Set(i, d, value)
	}
	return out
}
