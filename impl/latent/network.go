// Package latent is learning with one gradient step on the first layer of a two-layer ReLU network, and a ridge
// regression on its features: the algorithm in pieces, and test errors by quadrature. Samples are rows.
package latent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Network is f(x) = Σⱼ aⱼ max(0, wⱼ·x + bⱼ).
type Network struct {
	W    *mat.Dense // m×d
	A, B []float64  // m
}

// Symmetric returns a network of even width m whose output is zero: neurons j and j + m/2 have the same weights
// N(0, I/d) and opposite signs, aⱼ = ±1, and no biases.
func Symmetric(r *rand.Rand, m, d int) Network {
	if m%2 != 0 {
		panic("latent: a network in pairs has even width")
	}
	n := Independent(r, m, d)
	half := m / 2
	for j := range half {
		copy(n.W.RawRowView(half+j), n.W.RawRowView(j))
		n.A[half+j] = -n.A[j]
	}
	return n
}

// Independent returns a network without pairs.
func Independent(r *rand.Rand, m, d int) Network {
	n := Network{mat.NewDense(m, d, nil), make([]float64, m), make([]float64, m)}
	data, scale := n.W.RawMatrix().Data, 1/math.Sqrt(float64(d))
	for i := range data {
		data[i] = scale * r.NormFloat64()
	}
	for j := range n.A {
		n.A[j] = float64(2*r.IntN(2) - 1)
	}
	return n
}

// Features returns max(0, XWᵀ + b), n×m, in 2nmd flops.
func (n Network) Features(x *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Mul(x, n.W.T())
	rows, _ := z.Dims()
	for i := range rows {
		row := z.RawRowView(i)
		for j, b := range n.B {
			row[j] = max(0, row[j]+b)
		}
	}
	return &z
}

// Output returns f at the rows of x.
func (n Network) Output(x *mat.Dense) []float64 {
	rows, _ := x.Dims()
	out := mat.NewVecDense(rows, nil)
	out.MulVec(n.Features(x), mat.NewVecDense(len(n.A), n.A))
	return out.RawVector().Data
}

// Loss returns (1/n)Σᵢ(f(xᵢ) − yᵢ)², without ½.
func (n Network) Loss(x *mat.Dense, y []float64) float64 {
	out := n.Output(x)
	floats.Sub(out, y)
	return floats.Dot(out, out) / float64(len(y))
}

// Gradient returns the gradient of [Network.Loss] in W, m×d, in 4nmd flops. At a kink the slope is 1.
func (n Network) Gradient(x *mat.Dense, y []float64) *mat.Dense {
	rows, _ := x.Dims()
	var z mat.Dense
	z.Mul(x, n.W.T())
	residual := make([]float64, rows)
	for i := range rows {
		row, f := z.RawRowView(i), 0.0
		for j, b := range n.B {
			active := 0.0
			if p := row[j] + b; p >= 0 {
				f += n.A[j] * p
				active = 1
			}
			row[j] = active
		}
		residual[i] = 2 * (f - y[i]) / float64(rows)
	}
	for i := range rows {
		row := z.RawRowView(i)
		for j, a := range n.A {
			row[j] *= a * residual[i]
		}
	}
	var gradient mat.Dense
	gradient.Mul(z.T(), x)
	return &gradient
}

// FirstGradient is [Network.Gradient] for a network in symmetric pairs, whose output is zero: the second half of the
// rows is the negative of the first. It costs half as much.
func (n Network) FirstGradient(x *mat.Dense, y []float64) *mat.Dense {
	rows, d := x.Dims()
	half := len(n.A) / 2
	var z mat.Dense
	z.Mul(x, n.W.Slice(0, half, 0, d).T())
	for i := range rows {
		row, weight := z.RawRowView(i), -2*y[i]/float64(rows)
		for j, a := range n.A[:half] {
			// A mask by the sign bit: a branch on random signs is mispredicted half of the time. Adding 0 makes −0 a +0.
			negative := uint64(int64(math.Float64bits(row[j]+n.B[j]+0)) >> 63)
			row[j] = math.Float64frombits(math.Float64bits(a*weight) &^ negative)
		}
	}
	gradient := mat.NewDense(2*half, d, nil)
	top := gradient.Slice(0, half, 0, d).(*mat.Dense).RawMatrix()
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, z.RawMatrix(), x.RawMatrix(), 0, top)
	for j := range half {
		floats.AddScaled(gradient.RawRowView(half+j), -1, gradient.RawRowView(j))
	}
	return gradient
}

// Step returns the network with W − η(G + λW) for the gradient G of its weights.
func (n Network) Step(gradient *mat.Dense, eta, lambda float64) Network {
	var w mat.Dense
	w.Scale(lambda, n.W)
	w.Add(gradient, &w)
	w.Scale(-eta, &w)
	w.Add(n.W, &w)
	return Network{&w, n.A, n.B}
}

// Normalise scales W such that its rows have this root mean square length, and returns the factor.
func (n Network) Normalise(length float64) float64 {
	m, _ := n.W.Dims()
	factor := length * math.Sqrt(float64(m)) / mat.Norm(n.W, 2)
	n.W.Scale(factor, n.W)
	return factor
}

// Redraw returns the network with new biases, independent N(0, 1) for every neuron.
func (n Network) Redraw(r *rand.Rand) Network {
	n.B = make([]float64, len(n.A))
	for j := range n.B {
		n.B[j] = r.NormFloat64()
	}
	return n
}

// DescendHead takes steps of gradient descent with weight decay λ on the output weights, a ← a − η(∇L + λa), and
// returns the output weights. Its limit for small η is that of ridge.Features(Φ, y).Solve(nλ/2).
func (n Network) DescendHead(x *mat.Dense, y []float64, eta, lambda float64, steps int) []float64 {
	phi, rows := n.Features(x), float64(len(y))
	var moment mat.SymDense
	moment.SymOuterK(2/rows, phi.T())
	m := len(n.A)
	right, a, slope := mat.NewVecDense(m, nil), mat.NewVecDense(m, append([]float64{}, n.A...)), mat.NewVecDense(m, nil)
	right.MulVec(phi.T(), mat.NewVecDense(len(y), y))
	right.ScaleVec(2/rows, right)
	for range steps {
		slope.MulVec(&moment, a)
		slope.SubVec(slope, right)
		slope.AddScaledVec(slope, lambda, a)
		a.AddScaledVec(a, -eta, slope)
	}
	return a.RawVector().Data
}
