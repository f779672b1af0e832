package bench

import (
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// stream is the random stream that belongs to a purpose and a shape.
func stream(name string, m, n int) *rand.Rand {
	return props.Stream(seed, "bench", name, strconv.Itoa(m), strconv.Itoa(n))
}

// Uniform is an m×n matrix of independent entries, uniform on [0, 1). Sums of such products keep growing, so that
// rounding errors come close to what [MatMulRatio] allows; entries of either sign would leave it a factor √k of slack.
func Uniform(name string, m, n int) *mat.Dense {
	rng := stream(name, m, n)
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
	left := stream("left", m, n)
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
	rotate(a, stream("eigen", n, n))
	at := mat.DenseCopyOf(a.T())
	rotate(at, stream("eigen", n, n)) // the same Q again: Q(QΛ)ᵀ = QΛQᵀ
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
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Pow(10, -3*float64(i)/float64(max(1, n-1)))
	}
	return values
}

// Linear is n evenly spaced values from −1 to 1, ascending.
func Linear(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = -1 + 2*float64(i)/float64(max(1, n-1))
	}
	return values
}

// rotate multiplies a from the left by an orthogonal matrix from the Haar measure, as a product of Householder
// reflections along Gaussian vectors of lengths 2 to m: G. W. Stewart, The efficient generation of random orthogonal
// matrices, SIAM J. Numer. Anal. 17 (1980). (The random signs that complete the Haar measure change no singular value
// and are left out.) Cost: 2m²n flops.
func rotate(a *mat.Dense, rng *rand.Rand) {
	m, n := a.Dims()
	v, w := make([]float64, m), make([]float64, n)
	for top := m - 2; top >= 0; top-- {
		var norm2 float64
		clear(w)
		for i := top; i < m; i++ {
			v[i] = rng.NormFloat64()
			norm2 += v[i] * v[i]
			for j, aij := range a.RawRowView(i) {
				w[j] += v[i] * aij
			}
		}
		for i := top; i < m; i++ {
			row, scale := a.RawRowView(i), 2*v[i]/norm2
			for j := range row {
				row[j] -= scale * w[j]
			}
		}
	}
}
