package kernels

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// PolarRatio is the worst of the ratios of an orthogonal polar factor u of a (m×n, m ≥ n), whose singular values are
// known to be spectrum up to the rounding of [WithSingularValues], none of them zero:
//
//   - the departure from orthonormal columns;
//   - the distance ‖u − Q₁Q₂‖_F from the true factor, the matrix with the same singular vectors and all singular
//     values 1. A backward error ΔA moves it by at most ‖ΔA‖_F/σ_min to first order (R.-C. Li, New perturbation bounds
//     for the unitary polar factor, SIAM J. Matrix Anal. Appl. 16 (1995)); making a and the true factor are two more
//     backward errors, and half as much is allowed for each as in [SVDRatio].
func PolarRatio(a *mat.Dense, spectrum []float64, u *mat.Dense) props.Ratio {
	m, n := a.Dims()
	if len(spectrum) != n || !probe.Shaped(u, m, n) {
		return probe.Wrong
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	var d mat.Dense
	d.Sub(u, testmatrix.WithSingularValues(m, n, ones))
	allowed := probe.StableError(m, n, mat.Norm(a, 2)) / spectrum[n-1]
	return props.Worst(orthogonality(u), props.Within(mat.Norm(&d, 2), 2*allowed))
}

// A sweeps is a number of sweeps of plane rotations for matrices with z rows (or columns): rotation j of sweep q has
// cosine C[q·(z−1)+j] and sine S[q·(z−1)+j].
type sweeps struct {
	Side  gblas.Side
	Count int
	C, S  []float64
}

// randomSweeps draws rotations by uniform angles for m×n matrices.
func randomSweeps(side gblas.Side, m, n, count int) sweeps {
	z := n
	if side == gblas.Left {
		z = m
	}
	rng := testmatrix.Stream("sweeps", z, count)
	r := sweeps{side, count, make([]float64, count*(z-1)), make([]float64, count*(z-1))}
	for i := range r.C {
		r.S[i], r.C[i] = math.Sincos(2 * math.Pi * rng.Float64())
	}
	return r
}

// apply turns a vector of z entries.
func (r sweeps) apply(x []doubledouble.Sum) []doubledouble.Sum {
	for q := range r.Count {
		for j := range len(x) - 1 {
			c, s := r.C[q*(len(x)-1)+j], r.S[q*(len(x)-1)+j]
			old, next := x[j], x[j+1]
			x[j], x[j+1] = combined(c, old, s, next), combined(c, next, -s, old)
		}
	}
	return x
}

// combined is a·x + b·y.
func combined(a float64, x doubledouble.Sum, b float64, y doubledouble.Sum) (sum doubledouble.Sum) {
	sum.AddMultiple(a, x)
	sum.AddMultiple(b, y)
	return sum
}

// rotationsRatio is the error of rotated, the result of sweeps on a (m×n), by random probes in twice the working
// precision.
//
// A rotation computes each of its two entries with two roundings of the size of the pair, so it adds an error of at
// most 2√2·u of the pair's norm, and one of half that in the mean square. An entry meets two rotations a sweep. As
// independent errors they add up to √(2·sweeps)·√2·u·‖A‖_F = 2√sweeps·u·‖A‖_F, and twice that is allowed. (The factors
// are not quite orthogonal, by u each, in the same count.)
func rotationsRatio(rotated, a *mat.Dense, r sweeps) props.Ratio {
	m, n := a.Dims()
	if !probe.Shaped(rotated, m, n) {
		return probe.Wrong
	}
	var err float64
	if r.Side == gblas.Left {
		err = probe.Frobenius(n, "rotations", func(x []doubledouble.Sum) []doubledouble.Sum {
			return probe.Difference(probe.Times(rotated, x), r.apply(probe.Times(a, x)))
		})
	} else {
		err = probe.Frobenius(m, "rotations", func(x []doubledouble.Sum) []doubledouble.Sum {
			return probe.Difference(probe.TransposeTimes(rotated, x), r.apply(probe.TransposeTimes(a, x)))
		})
	}
	return props.Within(err, 4*math.Sqrt(float64(r.Count))*roundoff.Unit*mat.Norm(a, 2))
}
