package linalg

import (
	"errors"
	"math"
	"slices"
)

// rootFree finds the eigenvalues of a symmetric tridiagonal matrix of size 1 from its diagonal d and the squares e of
// its off-diagonal.
//
// Method: the QR iteration without square roots of Pal, Walker and Kahan with Wilkinson's shift (Parlett, The Symmetric
// Eigenvalue Problem, 1998, section 8.15).
type rootFree struct{ d, e []float64 }

var errEigenvalues = errors.New("linalg: QR iteration for eigenvalues did not converge")

// tridiagonalValues overwrites d with the eigenvalues of the symmetric tridiagonal matrix (d, e), ascending; e is lost,
// len(e) = len(d) - 1.
func tridiagonalValues(d, e []float64) error {
	scale := normaliser(max(largest(d), largest(e)))
	scaleLeaf(scale, d, e)
	for i, x := range e {
		e[i] = x * x
	}
	if err := (rootFree{d, e}).solve(); err != nil {
		return err
	}
	slices.Sort(d)
	for i := range d {
		d[i] /= scale
	}
	return nil
}

// solve finds one or two values at a time at the end of what is left.
func (t rootFree) solve() error {
	first, small := 0, 0.0 // the row from which those up to last are coupled, and no e between them but the last is less
	sweeps, tol := 0, negligible
	for last := len(t.d) - 1; last > 0; {
		if small <= tol*tol {
			first = t.coupled(last, tol)
			t.turn(first, last)
		}
		switch {
		case first == last:
			last, small, sweeps, tol = last-1, 0, 0, negligible
			continue
		case t.e[last-1] <= tol*tol:
			last, sweeps, tol = last-1, 0, negligible
			continue
		case first == last-1:
			t.d[first], t.d[last] = symmetricPair(t.d[first], t.d[last], t.e[first])
			last, small, sweeps, tol = last-2, 0, 0, negligible
			continue
		}
		d, e := t.d[first:last+1], t.e[first:last]
		small = sweepRootFree(d, e, wilkinson(d, e))
		if sweeps++; sweeps%patience == 0 {
			tol *= 2
		}
		if sweeps > maxSweeps {
			return errEigenvalues
		}
	}
	return nil
}

// coupled is the row from which those up to last are coupled.
func (t rootFree) coupled(last int, tol float64) int {
	for i := last; i > 0; i-- {
		if t.e[i-1] <= tol*tol {
			return i
		}
	}
	return 0
}

// turn puts the smaller end of a graded block last, where values are found first.
func (t rootFree) turn(first, last int) {
	if math.Abs(t.d[first]) < math.Abs(t.d[last]) {
		slices.Reverse(t.d[first : last+1])
		slices.Reverse(t.e[first:last])
	}
}

// wilkinson is the eigenvalue of the last two rows that is nearer to the last entry.
func wilkinson(d, e []float64) float64 {
	n := len(e)
	half, off := (d[n-1]-d[n])/2, e[n-1]
	return d[n] - off/(half+math.Copysign(math.Sqrt(half*half+off), half))
}

// symmetricPair is the eigenvalues of a block of two whose off-diagonal has that square.
func symmetricPair(x, y, off float64) (float64, float64) {
	half := (y - x) / 2
	t := off / (half + math.Copysign(math.Sqrt(half*half+off), half))
	return x - t, y + t
}

// sweepRootFree is a QR step, and returns the least e but the last. In the terms of Parlett, gamma is γ and p is π =
// γ²/cos², with cos² = p/sum and sin² = b/sum. The pivots are one chain, of a product, a subtraction, a square and a
// division: π' = t²/(sum·π) for γ' = t/sum, so that the division which makes γ' is not waited for.
func sweepRootFree(d, e []float64, shift float64) (small float64) {
	const tiny = 0x1p-400 // a p of which the square root can be squared again
	n := len(e)
	d = d[:n+1]
	gamma := d[0] - shift
	p, r, sine := gamma*gamma, 1.0, 0.0
	before := r // p of the row before
	small = 1
	for i, b := range e {
		sum := p + b
		if i > 0 {
			e[i-1] = sine * sum
			small = min(small, e[i-1])
		}
		next, old := d[i+1], gamma
		if p > tiny {
			t := p*(next-shift) - b*old
			gamma, sine = t/sum, b/sum
			before, p = p, t*t/(sum*p)
		} else {
			cosine := p / sum
			gamma, sine = cosine*(next-shift)-b/sum*old, b/sum
			if before, p = p, before/r*b; cosine != 0 {
				p = gamma * gamma / cosine
			}
		}
		r = sum
		d[i] = old + (next - gamma)
	}
	e[n-1] = sine * p
	d[n] = shift + gamma
	return small
}
