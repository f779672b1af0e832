package kernels

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// sweepsOf are sweeps in one call where the kernel has that, else one after the other; nil without rotations.
func sweepsOf(k kernel.Kernel) kernel.Sweeps {
	if k.Sweeps == nil && k.Rotations != nil {
		return kernel.SweepBySweep(k.Rotations)
	}
	return k.Sweeps
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
