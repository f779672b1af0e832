package expansion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// head is a network before the step, with the sample that the features are taken on, and what all step sizes share.
type head struct {
	network.Sample
	fresh *mat.Dense // X, n×d
	z     *mat.Dense // XW₀ᵀ, n×N
	u     []float64  // Xβ, n
}

// draw draws a network with β, and a sample for the features. The displayed weights need no more of the step's own
// batch.
func draw(t *props.Trial, s network.Setup, size int) head {
	n, d, width := s.Shape(size)
	w, a := s.Rows(t.Rand, width, d), network.Outputs(t.Rand, width)
	return on(network.Sample{W: w, A: a, Beta: s.Learned(t.Rand, size)}, features.Gaussian(t.Rand, n, d))
}

// on takes the features on samples x.
func on(s network.Sample, x *mat.Dense) head {
	return head{Sample: s, fresh: x, z: features.PreActivations(x, s.W), u: network.Times(x, s.Beta)}
}

// mirrored is the network with −W₀ in place of W₀.
func (h head) mirrored() head {
	h.W = mat.DenseCopyOf(h.W)
	h.W.Scale(-1, h.W)
	if h.z != nil {
		h.z = mat.DenseCopyOf(h.z)
		h.z.Scale(-1, h.z)
	}
	return h
}

// gain returns F − F₀ for the displayed weights W₀ + ηc₁aβᵀ.
func (h head) gain(act network.Activation, eta float64) *mat.Dense {
	return h.gainFrom(features.Apply(act.Run, h.z), act, eta)
}

// gainFrom is the same where F₀ is known.
func (h head) gainFrom(initial *mat.Dense, act network.Activation, eta float64) *mat.Dense {
	var z mat.Dense
	z.RankOne(h.z, eta*act.Closed.Coefficient(1), mat.NewVecDense(len(h.u), h.u), mat.NewVecDense(len(h.A), h.A))
	f := features.Apply(act.Run, &z)
	f.Sub(f, initial)
	return f
}

// left is P_k(u).
func (h head) left(f theory.Features, k int) []float64 {
	return network.Left(f, h.u, k)
}

// remove subtracts the k-th term, ηᵏP_k(u)(a^∘k)ᵀ.
func (h head) remove(gain *mat.Dense, f theory.Features, k int) {
	left, right := mat.NewVecDense(len(h.u), h.left(f, k)), mat.NewVecDense(len(h.A), network.Power(h.A, k))
	gain.RankOne(gain, -math.Pow(f.Eta, float64(k)), left, right)
}

// termNorm is the norm of the k-th term in this sample.
func (h head) termNorm(f theory.Features, k int) float64 {
	return math.Pow(f.Eta, float64(k)) * floats.Norm(h.left(f, k), 2) * floats.Norm(network.Power(h.A, k), 2)
}

// bilinear returns the least-squares coefficients of u^i(a^∘j)ᵀ, 0 ≤ i, j ≤ degree, in an n×N matrix. Powers are
// those of u and a over their root mean square, whose Gram matrices have a condition number below 10⁶ up to the fifth
// power.
func (h head) bilinear(m *mat.Dense, degree int) *mat.Dense {
	us, as := math.Sqrt(network.MeanSquare(h.u)), math.Sqrt(network.MeanSquare(h.A))
	left, right := vandermonde(h.u, us, degree), vandermonde(h.A, as, degree)
	var rows, transposed mat.Dense
	must.Do(rows.Solve(algebra.Product(left.T(), left), algebra.Product(algebra.Product(left.T(), m), right)))
	must.Do(transposed.Solve(algebra.Product(right.T(), right), rows.T()))
	coefficients := mat.DenseCopyOf(transposed.T())
	coefficients.Apply(func(i, j int, c float64) float64 {
		return c / (math.Pow(us, float64(i)) * math.Pow(as, float64(j)))
	}, coefficients)
	return coefficients
}

// vandermonde returns the powers 0 … degree of x/scale, one to a column.
func vandermonde(x []float64, scale float64, degree int) *mat.Dense {
	m := mat.NewDense(len(x), degree+1, nil)
	m.Apply(func(i, j int, _ float64) float64 { return math.Pow(x[i]/scale, float64(j)) }, m)
	return m
}
