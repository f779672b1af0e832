// Package rkhs holds positive definite kernels and their Gram matrices. Points are rows.
package rkhs

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Kernel is a positive definite function of two points. It sees them by their inner products, or by their distance,
// which is then formed from the differences of the coordinates: the difference of squares would lose the digits that
// points close together have in common.
type Kernel struct {
	Name     string
	product  func(p, xx, zz float64) float64 // of ⟨x,z⟩, ‖x‖² and ‖z‖²
	distance func(square float64) float64    // of ‖x−z‖²; nil where product is set
}

// NeuralTangent is the kernel of the gradient of a two-layer ReLU network without bias, of infinite width, with
// weights of both layers trained: ‖x‖‖z‖(sin θ + 2(π−θ)cos θ)/π for the angle θ between x and z, and 2‖x‖² for x = z.
// Points with a constant coordinate give the network a bias, see [WithConstant].
//
// Source: Jacot, Gabriel, Hongler, NeurIPS 2018; the closed form from Cho, Saul, NeurIPS 2009.
func NeuralTangent() Kernel {
	return Kernel{Name: "neural tangent", product: func(p, xx, zz float64) float64 {
		size := math.Sqrt(xx * zz)
		cos, sin, angle := between(p, size)
		return size * (sin + 2*(math.Pi-angle)*cos) / math.Pi
	}}
}

// RandomFeatures is the kernel of ReLU features with random weights, 2E σ(w·x)σ(w·z) for w ~ N(0, I):
// ‖x‖‖z‖(sin θ + (π−θ)cos θ)/π.
//
// Source: Cho, Saul, NeurIPS 2009, degree 1.
func RandomFeatures() Kernel {
	return Kernel{Name: "random features", product: func(p, xx, zz float64) float64 {
		size := math.Sqrt(xx * zz)
		cos, sin, angle := between(p, size)
		return size * (sin + (math.Pi-angle)*cos) / math.Pi
	}}
}

// between is the angle between vectors with inner product p and product of lengths size, with cosine and sine.
func between(p, size float64) (cos, sin, angle float64) {
	if size == 0 {
		return 1, 0, 0
	}
	cos = min(1, max(-1, p/size))
	return cos, math.Sqrt((1 - cos) * (1 + cos)), arccos(cos)
}

// Polynomial is (1 + ⟨x,z⟩/scale)^degree.
func Polynomial(degree int, scale float64) Kernel {
	return Kernel{Name: "polynomial", product: func(p, _, _ float64) float64 {
		base, power := 1+p/scale, 1.0
		for range degree {
			power *= base
		}
		return power
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
	return k.product(floats.Dot(x, z), floats.Dot(x, x), floats.Dot(z, z))
}

func squaredDistance(x, z []float64) float64 {
	sum := 0.0
	for i, xi := range x {
		sum += (xi - z[i]) * (xi - z[i])
	}
	return sum
}

// Gram returns the matrix k(xᵢ, xⱼ), n×n, for the rows of x (n×d): n²d flops in one symmetric product where the kernel
// takes inner products, and n²/2 evaluations.
func (k Kernel) Gram(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	gram := mat.NewSymDense(n, nil)
	if k.distance == nil {
		gram.SymOuterK(1, x)
	}
	squares := make([]float64, n)
	raw := gram.RawSymmetric()
	for i := range n {
		squares[i] = raw.Data[i*raw.Stride+i]
	}
	for i := range n {
		row, xi := raw.Data[i*raw.Stride:i*raw.Stride+n], x.RawRowView(i)
		for j := i; j < n; j++ {
			if k.distance != nil {
				row[j] = k.distance(squaredDistance(xi, x.RawRowView(j)))
			} else {
				row[j] = k.product(row[j], squares[i], squares[j])
			}
		}
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
	if k.distance == nil {
		out.Mul(x, z.T())
	}
	squares := make([]float64, m)
	for j := range squares {
		squares[j] = floats.Dot(z.RawRowView(j), z.RawRowView(j))
	}
	for i := range n {
		row, xi := out.RawRowView(i), x.RawRowView(i)
		square := floats.Dot(xi, xi)
		for j := range row {
			if k.distance != nil {
				row[j] = k.distance(squaredDistance(xi, z.RawRowView(j)))
			} else {
				row[j] = k.product(row[j], square, squares[j])
			}
		}
	}
	return out
}

// WithConstant appends a coordinate of this value to every row of x.
func WithConstant(x *mat.Dense, value float64) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(out.RawRowView(i), x.RawRowView(i))
		out.Set(i, d, value)
	}
	return out
}
