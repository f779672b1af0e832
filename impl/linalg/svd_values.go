package linalg

import (
	"errors"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/roundoff"
)

var errQD = errors.New("linalg: dqds iteration for singular values did not converge")

// qd finds the eigenvalues of BᵀB for a bidiagonal B: its array holds the squares q of the diagonal and e of the
// superdiagonal of a B for which BᵀB + shift has them.
//
// Method: the differential quotient-difference algorithm with shifts of Fernando and Parlett (Numer. Math. 67 (1994)
// 191), with the shifts of LAPACK's DLASQ4 for the case that the least pivot is the last, and a fraction of the least
// pivot otherwise. A step takes two divisions a value, one of which waits for the value before; a value takes about
// four steps, the whole about 2·n² of them.
type qd struct {
	q, e, nextQ, nextE []float64
	values             []float64
	steps, since       int     // that are left; since a value was found
	slack              float64 // by how much what is negligible has grown
}

// qdBlock is the part lo to hi of the array, whose shift is high + low.
type qdBlock struct {
	lo, hi    int
	high, low float64
}

// pivots holds the findings of a step: the least pivot, the least without the last one, the least without the last two,
// and the least e.
type pivots struct{ all, butLast, butTwo, e float64 }

// qdNegligible is the square of a quarter rounding, for a matrix of size 1: B changes by so little if an e below is
// put to zero.
const qdNegligible = roundoff.Ulp / 4 * roundoff.Ulp / 4

// singularValues finds the singular values of the bidiagonal matrix (d, e), descending, in s. It overwrites d and e;
// len(e) = len(d) - 1.
func (w *workspace) singularValues(d, e, s []float64) error {
	n := len(d)
	scale := normaliser(max(largest(d), largest(e)))
	scaleLeaf(scale, d, e)
	for i, x := range d {
		d[i] = x * x
	}
	for i, x := range e {
		e[i] = x * x
	}
	t := qd{q: d, e: e, nextQ: w.take(n), nextE: w.take(n), values: s, steps: 40 * n, slack: 1}
	if err := t.solve(qdBlock{lo: 0, hi: n - 1}); err != nil {
		return err
	}
	slices.Sort(s)
	slices.Reverse(s)
	for i, x := range s {
		s[i] = math.Sqrt(max(0, x)) / scale
	}
	return nil
}

// solve finds the values of a block.
func (t *qd) solve(b qdBlock) error {
	p, fraction := pivots{}, 0.25
	fresh := true // nothing is known of the pivots
	for b.hi >= b.lo {
		if done := t.deflate(&b); done > 0 {
			t.since, t.slack = 0, 1
			p.all, fresh = p.butLast, fresh || done > 1
			continue
		}
		if i := t.split(&b, p.e, fresh); i >= 0 {
			t.since, t.slack = 0, 1
			if err := t.solve(qdBlock{b.lo, i, b.high, b.low}); err != nil {
				return err
			}
			b.lo, fresh = i+1, true
			continue
		}
		tau := 0.0
		if fresh {
			t.turn(b)
		} else {
			tau = t.shift(b, p, &fraction)
		}
		var err error
		if p, err = t.step(&b, tau); err != nil {
			return err
		}
		fresh = false
	}
	return nil
}

// negligible reports that e_i couples the rows next to it by less than a rounding of what they are, with the shift or
// by themselves.
func (t *qd) negligible(b *qdBlock, i int) bool {
	e, small := t.e[i], t.slack*roundoff.Ulp/8*b.high
	return e <= t.slack*t.slack*qdNegligible || e <= small && e*t.q[i] <= small*small && e*t.q[i+1] <= small*small
}

// deflate takes one or two values off the end of the block, and returns how many.
func (t *qd) deflate(b *qdBlock) int {
	switch n := b.hi - b.lo; {
	case n == 0 || t.negligible(b, b.hi-1):
		t.values[b.hi] = t.q[b.hi] + b.low + b.high
		b.hi--
		return 1
	case n == 1 || t.negligible(b, b.hi-2):
		x, y := qdPair(t.q[b.hi-1], t.e[b.hi-1], t.q[b.hi])
		t.values[b.hi-1], t.values[b.hi] = x+b.low+b.high, y+b.low+b.high
		b.hi -= 2
		return 2
	}
	return 0
}

// qdPair is the larger and the smaller eigenvalue of a block of two.
func qdPair(q, e, r float64) (x, y float64) {
	if r > q {
		q, r = r, q
	}
	if t := (q - r + e) / 2; e > r*(roundoff.Ulp*roundoff.Ulp) && t != 0 {
		s := r * (e / t)
		if s <= t {
			s = r * (e / (t * (1 + math.Sqrt(1+s/t))))
		} else {
			s = r * (e / (t + math.Sqrt(t)*math.Sqrt(t+s)))
		}
		t = q + (s + e)
		return t, r * (q / t)
	}
	return q + e, r * (q / (q + e))
}

// split returns where the block falls apart, or -1. least is the least e unless nothing is known.
func (t *qd) split(b *qdBlock, smallest float64, fresh bool) int {
	if !fresh && smallest > max(t.slack*t.slack*qdNegligible, t.slack*roundoff.Ulp/8*b.high) {
		return -1
	}
	for i := b.hi - 1; i >= b.lo; i-- {
		if t.negligible(b, i) {
			return i
		}
	}
	return -1
}

// turn puts the end of the block with the smaller values last, which are found first.
func (t *qd) turn(b qdBlock) {
	if 1.5*t.q[b.lo] < t.q[b.hi] {
		slices.Reverse(t.q[b.lo : b.hi+1])
		slices.Reverse(t.e[b.lo:b.hi])
	}
}

// shift is a lower bound, as far as can be told, on the eigenvalues of a block of more than two rows.
func (t *qd) shift(b qdBlock, p pivots, fraction *float64) float64 {
	last := t.q[b.hi]
	if last > p.all { // the least pivot is elsewhere: more of it as long as that goes well
		*fraction += (1 - *fraction) / 3
		return *fraction * p.all
	}
	*fraction = 0.25
	q, e := t.q[b.hi-1], t.e[b.hi-1]
	b1, b2, a := math.Sqrt(last)*math.Sqrt(e), math.Sqrt(q)*math.Sqrt(t.e[b.hi-2]), q+e
	gap := a - last - (b1 + b2)
	if far := 0.75*p.butTwo - a; far > b2 {
		gap = a - last - b2/far*b2
	}
	if gap > b1 {
		return max(last-b1/gap*b1, p.all/2)
	}
	s := max(0, last-b1)
	if a > b1+b2 {
		s = min(s, a-(b1+b2))
	}
	return max(s, p.all/3)
}

// step transforms the block with the shift, or with a smaller one if a pivot becomes negative.
func (t *qd) step(b *qdBlock, tau float64) (pivots, error) {
	lo, hi := b.lo, b.hi
	if tau < roundoff.Ulp/4*b.high {
		tau = 0 // it would not change the shift
	}
	for failed := 0; ; failed++ {
		if t.steps--; t.steps < 0 {
			return pivots{}, errQD
		}
		if t.since++; t.since%patience == 0 { // the rounding of the steps themselves is of the size of what they look for
			t.slack *= 2
		}
		p, last := qdTransform(t.q[lo:hi+1], t.e[lo:hi], t.nextQ[lo:hi+1], t.nextE[lo:hi], tau)
		// a value that is found: the last pivot is a rounding error
		hidden := last < 0 && p.butLast > 0 && -last <= roundoff.Ulp/8*b.high
		if hidden {
			p.all, t.nextQ[hi] = 0, 0
		}
		if p.all >= 0 {
			copy(t.q[lo:hi+1], t.nextQ[lo:hi+1])
			copy(t.e[lo:hi], t.nextE[lo:hi])
			b.add(tau)
			return p, nil
		}
		switch {
		case failed == 6:
			tau = 0
		case failed < 4 && p.butLast <= 0:
			// Of values that are nearly equal another one is the least, by about so much: or by more, as the first
			// pivot below zero may be so by little. Fourths of the shift alone would take forever in a cluster.
			tau = max(tau+math.Ldexp(4, 4*failed)*p.all, tau/4)
		case p.butLast > 0 && tau+p.all > 0: // only the last pivot: what is left of the shift is an excellent one
			tau = (tau + p.all) * (1 - 2*roundoff.Ulp)
		default:
			tau /= 4
		}
	}
}

// add adds tau to the shift, in twice the precision.
func (b *qdBlock) add(tau float64) {
	large, small := b.high, tau
	if small > large {
		large, small = small, large
	}
	sum := large + small
	b.low += small - (sum - large)
	b.high = sum
}

// qdTransform is a step. It stops at a negative pivot before the last one, with butLast negative, and returns the
// last pivot.
func qdTransform(q, e, nextQ, nextE []float64, tau float64) (p pivots, last float64) {
	n := len(e)
	q, nextQ, nextE = q[:n+1], nextQ[:n+1], nextE[:n]
	d := q[0] - tau
	p = pivots{d, math.Inf(1), math.Inf(1), math.Inf(1)}
	for i, x := range e {
		if d < 0 {
			p.all, p.butLast = d, d
			return p, 0
		}
		// The pivots are one chain: an addition, a division and a subtraction. Both products are ready before the sum is.
		sum, row := d+x, q[i+1]
		next := row * x / sum
		nextQ[i], nextE[i] = sum, next
		d = row*d/sum - tau
		p.butTwo, p.butLast = p.butLast, p.all
		p.all, p.e = min(p.all, d), min(p.e, next) // without branches, which would be mispredicted
	}
	nextQ[n] = d
	return p, d
}
