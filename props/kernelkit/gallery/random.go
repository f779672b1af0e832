package gallery

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

func normal(r *rand.Rand, m, n int) *mat.Dense {
	return entries(m, n, func(int, int) float64 { return r.NormFloat64() })
}

func integers(r *rand.Rand, m, n int) *mat.Dense {
	return entries(m, n, func(int, int) float64 { return float64(r.IntN(19) - 9) })
}

// mirrored copies the upper triangle of a square matrix to the lower one, in place.
func mirrored(a *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	for i := range n {
		for j := range i {
			a.Set(i, j, a.At(j, i))
		}
	}
	return a
}

// dominant makes the leading square block of an integer matrix diagonally dominant, so that it has full rank.
func dominant(a *mat.Dense) *mat.Dense {
	m, n := a.Dims()
	for i := range min(m, n) {
		a.Set(i, i, float64(10*max(m, n)))
	}
	return a
}

func integerProduct(r *rand.Rand, m, n int) Instance {
	rank := max(1, min(m, n)/2)
	var a mat.Dense
	a.Mul(dominant(integers(r, m, rank)), dominant(integers(r, rank, n)))
	return full(&a).rank(rank)
}

func integerGram(r *rand.Rand, _, n int) Instance {
	rank := max(1, n/2)
	b := dominant(integers(r, n, rank))
	var a mat.Dense
	a.Mul(b, b.T())
	return full(mirrored(&a)).rank(rank)
}

// withSpectrum is a random m×n matrix with the singular values value(k, r), k = 1, …, r = min(m, n): a diagonal between
// products of reflectors (Stewart, SIAM J. Numer. Anal. 17 (1980) 403). Each of the fewer than m+n reflectors rounds
// with a relative error of about √(length)·u, of the Frobenius norm; roundings do not conspire.
func withSpectrum(r *rand.Rand, m, n int, value func(k, count int) float64) Instance {
	x := full(entries(m, n, func(int, int) float64 { return 0 })).rank(min(m, n))
	for k := range min(m, n) {
		v := value(k+1, min(m, n))
		x.A.Set(k, k, v)
		x.Singular = append(x.Singular, math.Abs(v))
	}
	for length := 2; length <= m; length++ {
		reflectRows(reflector(r, m, length), x.A)
	}
	for length := 2; length <= n; length++ {
		reflectColumns(reflector(r, n, length), x.A)
	}
	x.Error = float64(m+n) * math.Sqrt(float64(max(m, n)+2)) * roundoff.Unit * floats.Norm(x.Singular, 2)
	return x
}

// withEigen is a random symmetric matrix with the eigenvalues value(k, n).
func withEigen(r *rand.Rand, n int, value func(k, count int) float64) Instance {
	x := full(entries(n, n, func(int, int) float64 { return 0 })).rank(n)
	for k := range n {
		x.Eigen = append(x.Eigen, value(k+1, n))
		x.A.Set(k, k, x.Eigen[k])
	}
	for length := 2; length <= n; length++ {
		v := reflector(r, n, length)
		reflectRows(v, x.A)
		reflectColumns(v, x.A)
	}
	mirrored(x.A)
	// 2n reflectors, and mirroring doubles
	x.Error = 4 * float64(n) * math.Sqrt(float64(n+2)) * roundoff.Unit * floats.Norm(x.Eigen, 2)
	return x
}

// reflector is a random unit vector of which only the last entries are not zero.
func reflector(r *rand.Rand, size, length int) []float64 {
	v := make([]float64, size)
	for i := size - length; i < size; i++ {
		v[i] = r.NormFloat64()
	}
	floats.Scale(1/floats.Norm(v, 2), v)
	return v
}

// reflectRows is a ← (I - 2vvᵀ)a for a unit vector v.
func reflectRows(v []float64, a *mat.Dense) {
	_, n := a.Dims()
	sums := make([]float64, n)
	for i, c := range v {
		floats.AddScaled(sums, c, a.RawRowView(i))
	}
	for i, c := range v {
		floats.AddScaled(a.RawRowView(i), -2*c, sums)
	}
}

// reflectColumns is a ← a(I - 2vvᵀ).
func reflectColumns(v []float64, a *mat.Dense) {
	m, _ := a.Dims()
	for i := range m {
		row := a.RawRowView(i)
		floats.AddScaled(row, -2*floats.Dot(row, v), v)
	}
}
