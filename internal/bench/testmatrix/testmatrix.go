// Package testmatrix makes matrices with known spectra for benchmarks; the same name and shape always give the same
// matrix.
package testmatrix

import (
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
)

// Stream is the random stream that belongs to a purpose and a shape.
func Stream(name string, m, n int) *rand.Rand {
	return streams.New(1, "bench", name, strconv.Itoa(m), strconv.Itoa(n))
}

// Uniform is an m×n matrix of independent entries, uniform on [0, 1). Sums of such products keep growing, so that
// rounding errors come close to what a product allows; entries of either sign would leave it a factor √k of slack.
func Uniform(name string, m, n int) *mat.Dense {
	rng := Stream(name, m, n)
	a := mat.NewDense(m, n, nil)
	for i := range m {
		for j := range n {
			a.Set(i, j, rng.Float64())
		}
	}
	return a
}

// WithSingularValues is a random m×n matrix with the given singular values, min(m, n) of them: Q₁·diag(values)·Q₂ with
// orthogonal Q₁, Q₂ from the Haar measure.
func WithSingularValues(m, n int, values []float64) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	for i, v := range values {
		a.Set(i, i, v)
	}
	left := Stream("left", m, n)
	rotate(a, left)
	at := mat.DenseCopyOf(a.T())
	rotate(at, left)
	return mat.DenseCopyOf(at.T())
}

// WithEigenvalues is a random symmetric n×n matrix with the given eigenvalues: Q·diag(values)·Qᵀ with orthogonal Q
// from the Haar measure.
func WithEigenvalues(values []float64) *mat.SymDense {
	n := len(values)
	a := mat.NewDense(n, n, nil)
	for i, v := range values {
		a.Set(i, i, v)
	}
	rotate(a, Stream("eigen", n, n))
	at := mat.DenseCopyOf(a.T())
	rotate(at, Stream("eigen", n, n)) // the same Q again: Q(QΛ)ᵀ = QΛQᵀ
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, at.At(i, j))
		}
	}
	return s
}

// Geometric is n values that fall from 1 to 10⁻³ by a constant factor.
func Geometric(n int) []float64 {
	return list.Fill(n, func(i int) float64 { return math.Pow(10, -3*float64(i)/float64(max(1, n-1))) })
}

// Linear is n evenly spaced values from −1 to 1, ascending.
func Linear(n int) []float64 {
	return list.Fill(n, func(i int) float64 { return -1 + 2*float64(i)/float64(max(1, n-1)) })
}

// rotate multiplies a from the left by an orthogonal matrix from the Haar measure, as a product of Householder
// reflections of lengths 2 to m, each of which takes a unit vector to the direction of a Gaussian vector: G. W.
// Stewart, The efficient generation of random orthogonal matrices, SIAM J. Numer. Anal. 17 (1980). (The random signs
// that complete the Haar measure change no singular value and are left out.) Cost: 2m²n flops.
func rotate(a *mat.Dense, rng *rand.Rand) {
	m, _ := a.Dims()
	for top := m - 2; top >= 0; top-- {
		v := list.Fill(m-top, func(int) float64 { return rng.NormFloat64() })
		v[0] += math.Copysign(floats.Norm(v, 2), v[0])
		reflect(a, top, v)
	}
}

// reflect multiplies the rows of a from top on by I − 2vvᵀ/‖v‖².
func reflect(a *mat.Dense, top int, v []float64) {
	_, n := a.Dims()
	w := make([]float64, n) // vᵀa
	for i, vi := range v {
		for j, aij := range a.RawRowView(top + i) {
			w[j] += vi * aij
		}
	}
	norm := floats.Norm(v, 2)
	for i, vi := range v {
		row, scale := a.RawRowView(top+i), 2*vi/(norm*norm)
		for j := range row {
			row[j] -= scale * w[j]
		}
	}
}
