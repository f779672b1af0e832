package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/roundoff"
)

// maxSecularSteps is far above the five or so that a root takes; bisection alone, by ratio, would need about 120.
const maxSecularSteps = 300

var errSecular = errors.New("linalg: a root of the secular equation was not found")

// secular is the equation f(λ) = 1/ρ + Σ z_i²/(p_i - λ) = 0 with ascending poles p: its roots are the eigenvalues of
// diag(p) + ρ·z·zᵀ, one above every pole. For a symmetric matrix p = d. For the matrix with first row z and diagonal
// (0, d_1, …), whose singular values are the square roots of the roots, p = d², and squared is set.
//
// Only differences of poles occur, and a root is a pole plus a shift, so that p_i - λ is known to almost full relative
// precision however close they are. That, and vectors from a z that fits the computed roots exactly, makes them
// orthogonal (Gu, Eisenstat, SIAM J. Matrix Anal. Appl. 16 (1995) 172, for symmetric matrices; 16 (1995) 79, for
// singular values).
type secular struct {
	d, z        []float64
	rho         float64
	squared     bool
	roots, work []float64 // room for the solution
}

// gap is p_i - p_j.
func (q *secular) gap(i, j int) float64 {
	if q.squared {
		return (q.d[i] - q.d[j]) * (q.d[i] + q.d[j])
	}
	return q.d[i] - q.d[j]
}

// sums are the terms of f from the poles below and above the root, and their slopes.
type sums struct{ below, above, slopeBelow, slopeAbove float64 }

// evaluate sums the terms with delta_i = p_i - λ; poles 0 to j are below.
func (q *secular) evaluate(delta []float64, shift float64, j int) (s sums) {
	s.below, s.slopeBelow = kernel.SecularSums(q.z[:j+1], delta[:j+1], shift)
	s.above, s.slopeAbove = kernel.SecularSums(q.z[j+1:], delta[j+1:], shift)
	return s
}

// root finds root j, in (p_j, p_{j+1}), as the pole origin plus shift, and fills delta with p_i - λ.
//
// Method: the rational interpolation of Li's "middle way" (LAPACK Working Note 89, 1993), which fits f and its slopes
// on either side of the root with the two poles next to it, inside a bracket that the sign of f keeps true. A step that
// leaves the bracket, or that comes after two which did not halve |f|, is a bisection.
func (q *secular) root(j int, delta []float64) (origin int, shift float64, err error) {
	if len(q.d) == 1 {
		shift = q.rho * q.z[0] * q.z[0]
		delta[0] = -shift
		return 0, shift, nil
	}
	origin, lo, hi, shift := q.start(j, delta)
	last, slow := math.Inf(1), 0
	for range maxSecularSteps {
		s := q.evaluate(delta, shift, j)
		f := 1/q.rho + s.below + s.above
		if f < 0 {
			lo = shift
		} else {
			hi = shift
		}
		next := shift + q.step(j, delta, shift, f, s)
		inside := next > lo && next < hi
		// Done when f is no larger than a few rounding errors of each of its terms, or when the step is. The last step is
		// taken all the same: it costs nothing, and leaves only the error of f itself, which refit makes good for.
		done := math.Abs(f) <= 8*roundoff.Ulp*(1/q.rho-s.below+s.above)
		if math.Abs(f) > last/2 {
			slow++
		}
		if !done && (!inside || slow >= 2) {
			next, slow = middle(lo, hi), 0
			inside = next > lo && next < hi
			done = !inside // there is no number between lo and hi
		}
		done = done || math.Abs(next-shift) <= roundoff.Unit*math.Abs(shift)
		last = math.Abs(f)
		if inside {
			shift = next
		}
		if done {
			for i := range delta {
				delta[i] -= shift
			}
			return origin, shift, nil
		}
	}
	return origin, shift, errSecular
}

// middle bisects, by ratio where both ends are on the same side of zero and far apart, since a shift may be much
// smaller than its bracket.
func middle(lo, hi float64) float64 {
	if lo == 0 {
		return hi / 1024
	} else if hi == 0 {
		return lo / 1024
	}
	if ratio := lo / hi; ratio > 0 && (ratio < 0.1 || ratio > 10) {
		return math.Copysign(math.Sqrt(math.Abs(lo))*math.Sqrt(math.Abs(hi)), lo)
	}
	return lo + (hi-lo)/2
}

// start chooses the pole next to root j as the origin, fills delta with the poles' distances from it, and returns a
// bracket and a first guess: the sign of f at the middle between the poles tells the half, and its value there fixes
// what the far poles add to the two near ones.
func (q *secular) start(j int, delta []float64) (origin int, lo, hi, shift float64) {
	n := len(q.d)
	for i := range delta {
		delta[i] = q.gap(i, j)
	}
	if j == n-1 { // the last root is within ρ‖z‖² of the last pole
		norm := 0.0
		for _, z := range q.z {
			norm = math.FMA(z, z, norm)
		}
		width := q.rho * norm * (1 + 64*roundoff.Ulp)
		return j, 0, width, width / 2
	}
	half := delta[j+1] / 2
	s := q.evaluate(delta, half, j)
	f := 1/q.rho + s.below + s.above
	z2, y2 := q.z[j]*q.z[j], q.z[j+1]*q.z[j+1]
	rest := f + z2/half - y2/half
	origin, lo, hi = j, 0, half
	if f < 0 {
		origin, lo, hi = j+1, -half, 0
		for i := range delta {
			delta[i] = q.gap(i, j+1)
		}
	}
	// rest + z²/(δ_j - x) + y²/(δ_{j+1} - x) = 0
	a := rest*(delta[j]+delta[j+1]) + z2 + y2
	b := rest*delta[j]*delta[j+1] + z2*delta[j+1] + y2*delta[j]
	shift = betweenPoles(rest, a, b)
	if !(shift > lo && shift < hi) {
		shift = middle(lo, hi)
	}
	return origin, lo, hi, shift
}

// step is the step from shift to the root of the interpolant c + s/(δ_j - x) + t/(δ_{j+1} - x).
func (q *secular) step(j int, delta []float64, shift, f float64, s sums) float64 {
	if j+1 < len(q.d) {
		x, y := delta[j]-shift, delta[j+1]-shift
		return betweenPoles(f-x*s.slopeBelow-y*s.slopeAbove, (x+y)*f-x*y*(s.slopeBelow+s.slopeAbove), x*y*f)
	}
	// The last root has both poles below. The last of them is fitted by itself, the others together, and the root is the
	// other one.
	x, y := delta[j-1]-shift, delta[j]-shift
	term := q.z[j] / y
	c := f - x*math.Max(0, s.slopeBelow-term*term) - y*term*term
	return -betweenPoles(c, x*y*s.slopeBelow-(x+y)*f, x*y*f)
}

// betweenPoles is the root between the poles of c + s/(x_0 - x) + t/(x_1 - x), s and t positive, as a root of c·x² -
// a·x + b = 0: the one with the minus sign before the square root, whatever the sign of c.
func betweenPoles(c, a, b float64) float64 {
	root := math.Sqrt(math.Max(0, a*a-4*b*c))
	if a <= 0 {
		return (a - root) / (2 * c)
	}
	return 2 * b / (a + root)
}

// solve finds all roots: λ, or √λ where the poles are squared. Row j of m becomes p_i - λ_j.
func (q *secular) solve(m blas64.General) error {
	if threads := threadsFrom(secularOrder, len(q.roots)); threads > 1 {
		return shareSecular(threads, *q, m, (*secular).solveRange)
	}
	return q.solveRange(m, 0, len(q.roots))
}

// solveRange finds the roots from one on to another.
func (q *secular) solveRange(m blas64.General, from, to int) error {
	for j := from; j < to; j++ {
		origin, shift, err := q.root(j, rowOf(m, j))
		if err != nil {
			return err
		}
		if at := q.d[origin]; q.squared {
			q.roots[j] = math.Sqrt(math.FMA(at, at, shift))
		} else {
			q.roots[j] = at + shift
		}
	}
	return nil
}

// refit replaces z by the vector for which the computed roots are exact, by Löwner's formula (up to ρ, which vectors do
// not need):
//
//	z_i² = ∏_j (λ_j - p_i) / ∏_{j≠i} (p_j - p_i)
func (q *secular) refit(m blas64.General) {
	if threads := threadsFrom(secularOrder, len(q.work)); threads > 1 {
		_ = shareSecular(threads, *q, m, (*secular).refitRange)
		return
	}
	_ = q.refitRange(m, 0, len(q.work))
}

// refitRange replaces the components of z from one on to another.
func (q *secular) refitRange(m blas64.General, from, to int) error {
	square := q.work[from:to]
	for i := range square {
		square[i] = 1
	}
	for j := range q.work {
		row, at := rowOf(m, j), min(max(from, j), to)
		kernel.SecularRatios(q.squared, q.work[from:at], q.d[from:], row[from:], q.d[j])
		if j >= from && j < to {
			q.work[j] *= -row[j]
			at++
		}
		kernel.SecularRatios(q.squared, q.work[at:to], q.d[at:], row[at:], q.d[j])
	}
	for i, s := range square {
		q.z[from+i] = math.Copysign(math.Sqrt(s), q.z[from+i])
	}
	return nil
}
