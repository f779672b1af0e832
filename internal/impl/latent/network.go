// Package latent learns with one gradient step on the first layer of a two-layer ReLU network and a ridge regression on
// its features: it holds the steps of the algorithm, and test errors by quadrature. Samples are rows.
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

// Features returns max(0, XWᵀ + b), n×m, in 2nmd flops, or nmd where neurons come in pairs of opposite weights.
func (n Network) Features(x *mat.Dense) *mat.Dense {
	rows, _ := x.Dims()
	phi := mat.NewDense(rows, len(n.A), nil)
	n.rows().featuresTo(phi, x)
	return phi
}

// neurons are a network with the rows of W that its features need: the first half where the second is its negative, as
// it is after a step from symmetric pairs.
type neurons struct {
	Network
	needed   *mat.Dense
	opposite bool
}

func (n Network) rows() neurons {
	m, d := n.W.Dims()
	half := m / 2
	if m == 0 || m%2 != 0 {
		return neurons{n, n.W, false}
	}
	for j := range half {
		other := n.W.RawRowView(half + j)
		for k, w := range n.W.RawRowView(j) {
			if w != -other[k] {
				return neurons{n, n.W, false}
			}
		}
	}
	return neurons{n, n.W.Slice(0, half, 0, d).(*mat.Dense), true}
}

func (n neurons) featuresTo(phi, x *mat.Dense) {
	rows, _ := phi.Dims()
	m, _ := n.needed.Dims()
	phi.Slice(0, rows, 0, m).(*mat.Dense).Mul(x, n.needed.T())
	for i := range rows {
		row := phi.RawRowView(i)
		half := row[:m]
		if n.opposite {
			rectify(row[m:2*m], half, n.B[m:], -1)
		}
		rectify(half, half, n.B, 1)
	}
}

// Output returns f at the rows of x.
func (n Network) Output(x *mat.Dense) []float64 {
	rows, _ := x.Dims()
	out := mat.NewDense(rows, 1, nil)
	n.outputs(out, x, mat.NewDense(len(n.A), 1, n.A))
	return out.RawMatrix().Data
}

// outputs overwrites out (n×k) with the outputs at the rows of x for output weights in the k columns of a.
func (n Network) outputs(out, x, a *mat.Dense) {
	samples, _ := x.Dims()
	_, k := a.Dims()
	room, neurons := mat.NewDense(min(samples, batch), len(n.A), nil), n.rows()
	batches(x, func(from, to int, rows *mat.Dense) {
		phi := room.Slice(0, to-from, 0, len(n.A)).(*mat.Dense)
		neurons.featuresTo(phi, rows)
		out.Slice(from, to, 0, k).(*mat.Dense).Mul(phi, a)
	})
}

// moments returns ΦᵀΦ and Φᵀy for the features Φ of the rows of x, in nm² flops and without room for Φ.
func (n Network) moments(x *mat.Dense, y []float64) (*mat.SymDense, []float64) {
	samples, _ := x.Dims()
	m := len(n.A)
	second, first := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
	room, neurons := mat.NewDense(min(samples, batch), m, nil), n.rows()
	batches(x, func(from, to int, rows *mat.Dense) {
		phi := room.Slice(0, to-from, 0, m).(*mat.Dense)
		neurons.featuresTo(phi, rows)
		blas64.Syrk(blas.Trans, 1, phi.RawMatrix(), 1, second.RawSymmetric())
		blas64.Gemv(blas.Trans, 1, phi.RawMatrix(), mat.NewVecDense(to-from, y[from:to]).RawVector(), 1, first.RawVector())
	})
	return second, first.RawVector().Data
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

// batch is the number of samples that are worked on at a time: what they need stays in the cache.
const batch = 256

// batches calls work with the rows from..to of x, at most [batch] of them at a time.
func batches(x *mat.Dense, work func(from, to int, rows *mat.Dense)) {
	n, d := x.Dims()
	for from := 0; from < n; from += batch {
		to := min(n, from+batch)
		work(from, to, x.Slice(from, to, 0, d).(*mat.Dense))
	}
}

// FirstGradient is [Network.Gradient] for a network in symmetric pairs, whose output is zero: the second half of the
// rows is the negative of the first. It costs half as much.
func (n Network) FirstGradient(x *mat.Dense, y []float64) *mat.Dense {
	return n.FirstGradients(x, y)[0]
}

// FirstGradients is [Network.FirstGradient] for several labellings of the same rows of x, which share the
// preactivations and what is made of them: nmd flops, and nmd for each.
func (n Network) FirstGradients(x *mat.Dense, labels ...[]float64) []*mat.Dense {
	samples, d := x.Dims()
	half, count := len(n.A)/2, len(labels)
	out := make([]*mat.Dense, count)
	for k := range out {
		out[k] = mat.NewDense(2*half, d, nil)
	}
	if half == 0 || count == 0 {
		return out
	}
	// The sums over active samples of −2y/n·x, those of all labellings next to each other.
	sums, weights := mat.NewDense(half, count*d, nil), n.W.Slice(0, half, 0, d).(*mat.Dense)
	rows := min(samples, batch)
	room, weighed := mat.NewDense(rows, half, nil), mat.NewDense(rows, count*d, nil)
	batches(x, func(from, to int, rows *mat.Dense) {
		active := room.Slice(0, to-from, 0, half).(*mat.Dense)
		active.Mul(rows, weights.T())
		for i := range to - from {
			indicate(active.RawRowView(i), n.B)
			for k, y := range labels {
				floats.ScaleTo(weighed.RawRowView(i)[k*d:(k+1)*d], -2*y[from+i]/float64(samples), rows.RawRowView(i))
			}
		}
		times := weighed.Slice(0, to-from, 0, count*d).(*mat.Dense)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, active.RawMatrix(), times.RawMatrix(), 1, sums.RawMatrix())
	})
	for k, gradient := range out {
		for j := range half {
			sum := sums.RawRowView(j)[k*d : (k+1)*d]
			floats.ScaleTo(gradient.RawRowView(j), n.A[j], sum)
			floats.ScaleTo(gradient.RawRowView(half+j), -n.A[j], sum)
		}
	}
	return out
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

// Normalise scales W such that its rows have this root mean square length, and returns the factor. A W of zeros, as a
// step on samples at which no neuron is active leaves it, stays as it is: the factor is then 1.
func (n Network) Normalise(length float64) float64 {
	m, _ := n.W.Dims()
	size := mat.Norm(n.W, 2)
	if size == 0 {
		return 1
	}
	factor := length * math.Sqrt(float64(m)) / size
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
