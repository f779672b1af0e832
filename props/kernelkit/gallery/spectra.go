package gallery

import (
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/roundoff"
)

// spectrum is a distribution of k = 1, …, count values from 1 down to about ulp (dlatms, modes 1 to 5).
type spectrum struct {
	name  string
	ill   Property
	value func(r *rand.Rand, k, count int) float64
}

var distributions = []spectrum{
	{"one large value", IllConditioned, func(_ *rand.Rand, k, _ int) float64 {
		return truth(k == 1) + roundoff.Ulp*truth(k > 1)
	}},
	{"one small value", IllConditioned, func(_ *rand.Rand, k, count int) float64 {
		return truth(k < count) + roundoff.Ulp*truth(k == count)
	}},
	{"geometric", IllConditioned, func(_ *rand.Rand, k, count int) float64 {
		return math.Pow(roundoff.Ulp, fraction(k, count))
	}},
	{"arithmetic", IllConditioned,
		func(_ *rand.Rand, k, count int) float64 { return 1 - fraction(k, count)*(1-roundoff.Ulp) }},
	{"log-uniform", 0, func(r *rand.Rand, _, _ int) float64 { return math.Pow(roundoff.Ulp, r.Float64()) }},
	{"repeated", 0, func(_ *rand.Rand, k, _ int) float64 { return []float64{1, 1, 1, 0.25, 0.25}[(k-1)%5] }},
}

// fraction runs from 0 to 1.
func fraction(k, count int) float64 {
	if count == 1 {
		return 0
	}
	return float64(k-1) / float64(count-1)
}

// scales are powers of two by which the spectra are multiplied, near overflow and near underflow. Between them and the
// end of the range there is room for norms, and none for squares.
var scales = []struct {
	name     string
	exponent int // in units of Far
	property Property
}{{"", 0, 0}, {", near overflow", 1, Extreme}, {", near underflow", -1, Extreme}}

// spectra are random matrices of known singular values, and symmetric ones of known eigenvalues with random signs.
func spectra(p roundoff.Precision) []Matrix {
	var list []Matrix
	for _, s := range scales {
		for _, d := range distributions {
			list = append(list,
				Matrix{d.name + s.name, "random matrix with these singular values",
					AnyShape | Random | KnownSingularValues | d.ill | s.property,
					func(r *rand.Rand, m, n int) Instance {
						return withSpectrum(r, m, n,
							func(k, count int) float64 { return d.value(r, k, count) }).times(s.exponent * p.Far())
					}},
				Matrix{d.name + ", symmetric" + s.name,
					"random symmetric matrix with these eigenvalues, and random signs",
					Symmetric | Random | KnownSingularValues | KnownEigenvalues | d.ill | s.property,
					func(r *rand.Rand, _, n int) Instance {
						return withEigen(r, n, func(k, count int) float64 {
							return float64(1-2*r.IntN(2)) * d.value(r, k, count)
						}).times(s.exponent * p.Far())
					}})
		}
	}
	return list
}

// times multiplies an instance by a power of two. What falls among the subnormal numbers is rounded to their spacing.
func (x Instance) times(exponent int) Instance {
	if exponent == 0 {
		return x
	}
	scale := func(values []float64) {
		for i, v := range values {
			values[i] = math.Ldexp(v, exponent)
		}
	}
	scale(x.A.RawMatrix().Data)
	scale(x.Singular)
	scale(x.Eigen)
	m, n := x.A.Dims()
	x.Error = math.Ldexp(x.Error, exponent) + float64(max(m, n)+1)*math.SmallestNonzeroFloat64
	return x
}
