package spectra

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// extrapolated takes out of two values what is four times as large in the first.
func extrapolated(small, large float64) float64 { return (4*large - small) / 3 }

// bidiagonal is an upper bidiagonal matrix, with one column more than rows where upper is as long as diagonal.
type bidiagonal struct{ diagonal, upper []float64 }

// gaussianBidiagonal has the law of what reflections make of an n×d matrix of independent standard normal numbers, with
// the first direction of ℝᵈ left alone: independent χ variables (Dumitriu and Edelman).
func gaussianBidiagonal(r *rand.Rand, n, d int) bidiagonal {
	var b bidiagonal
	for i := range min(n, d) {
		b.diagonal = append(b.diagonal, chi(r, n-i))
		if i+1 < d {
			b.upper = append(b.upper, chi(r, d-1-i))
		}
	}
	return b
}

// chi draws the length of k standard normal numbers.
func chi(r *rand.Rand, k int) float64 {
	if k == 0 {
		return 0
	}
	return math.Sqrt(distuv.ChiSquared{K: float64(k), Src: r}.Rand())
}

// gram is BᵀB.
func (b bidiagonal) gram() tridiagonal {
	var t tridiagonal
	above := 0.0
	for i, x := range b.diagonal {
		t.diagonal = append(t.diagonal, x*x+above*above)
		if i < len(b.upper) {
			above = b.upper[i]
			t.beside = append(t.beside, x*above)
		}
	}
	if len(b.upper) == len(b.diagonal) {
		t.diagonal = append(t.diagonal, above*above)
	}
	return t
}

// tridiagonal is a symmetric tridiagonal matrix.
type tridiagonal struct{ diagonal, beside []float64 }

// goe has the law of what reflections make of a GOE matrix, whose first direction they leave alone.
func goe(r *rand.Rand, n int) tridiagonal {
	var t tridiagonal
	scale := 1 / math.Sqrt(float64(n))
	for i := range n {
		t.diagonal = append(t.diagonal, math.Sqrt2*scale*r.NormFloat64())
		if i+1 < n {
			t.beside = append(t.beside, scale*chi(r, n-1-i))
		}
	}
	return t
}

// largest returns the largest eigenvalue, by bisection and a step of Newton, and its unit vector. x is beyond it if all
// pivots fᵢ of x − T are positive, which are formed from the end. With them vᵢ₊₁ = bᵢvᵢ/fᵢ₊₁.
func (t tridiagonal) largest() (x float64, v []float64) {
	lo, hi := math.Inf(-1), math.Inf(-1)
	for i, a := range t.diagonal {
		radius := 0.0
		if i > 0 {
			radius += math.Abs(t.beside[i-1])
		}
		if i < len(t.beside) {
			radius += math.Abs(t.beside[i])
		}
		lo, hi = max(lo, a), max(hi, a+radius)
	}
	for range 30 {
		if mid := (lo + hi) / 2; t.below(mid, nil) {
			hi = mid
		} else {
			lo = mid
		}
	}
	pivots := make([]float64, len(t.diagonal))
	t.below(hi, pivots)
	v, first, squares := pivots, pivots[0], 0.0
	for i := range v {
		if i == 0 {
			v[0] = 1
		} else {
			v[i] = t.beside[i-1] * v[i-1] / pivots[i]
		}
		squares += v[i] * v[i]
	}
	for i := range v {
		v[i] /= math.Sqrt(squares)
	}
	return hi - first*v[0]*v[0], v // the derivative of the first pivot is 1/v₀²
}

// below reports whether all eigenvalues are less than x, and keeps the pivots where there is room for them.
func (t tridiagonal) below(x float64, pivots []float64) bool {
	f := 0.0
	for i := len(t.diagonal) - 1; i >= 0; i-- {
		rest := x - t.diagonal[i]
		if i < len(t.beside) {
			rest -= t.beside[i] * t.beside[i] / f
		}
		if !(rest > 0) {
			return false
		}
		f = rest
		if pivots != nil {
			pivots[i] = f
		}
	}
	return true
}
