package spectra

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// secular is S + θuvᵀ with an n×m diagonal S, n ≤ m: its singular values equal those of any X + θuvᵀ whose vectors have
// these components along the singular vectors of X.
type secular struct {
	s, u, v []float64 // v along the n right vectors that have singular values
	rest    float64   // what is left of ‖v‖² = 1
	theta   float64
}

// uniformSecular draws u and v uniformly on the spheres in n and m dimensions.
func uniformSecular(r *rand.Rand, s []float64, m int, theta float64) secular {
	out := secular{s: s, u: make([]float64, len(s)), v: make([]float64, len(s)), theta: theta}
	for i := range s {
		out.u[i], out.v[i] = r.NormFloat64(), r.NormFloat64()
	}
	more := chi(r, m-len(s))
	floats.Scale(1/floats.Norm(out.u, 2), out.u)
	length := math.Hypot(floats.Norm(out.v, 2), more)
	floats.Scale(1/length, out.v)
	out.rest = more * more / (length * length)
	return out
}

// secularSums are φ_u, φ_v and χ at z, and their slopes.
type secularSums struct{ left, right, across, leftSlope, rightSlope, acrossSlope float64 }

// sums returns the sums of the first of the terms at z = sₙ + over. The distance from sₙ has all its digits: in one
// draw of a million z is so close to sₙ that their difference has none.
func (m secular) sums(over float64, terms int) (out secularSums) {
	z := m.last() + over
	out.right = m.rest / z
	out.rightSlope = -out.right / z
	for i, s := range m.s[:terms] {
		gap := 1 / ((over + (m.last() - s)) * (z + s))
		u, v, by := m.u[i], m.v[i], -(z*z+s*s)*gap*gap
		out.left, out.right, out.across = out.left+u*u*z*gap, out.right+v*v*z*gap, out.across+u*v*s*gap
		out.leftSlope, out.rightSlope = out.leftSlope+u*u*by, out.rightSlope+v*v*by
		out.acrossSlope -= 2 * u * v * s * z * gap * gap
	}
	return out
}

func (m secular) last() float64 { return m.s[len(m.s)-1] }

// largest returns the distance of the largest singular value z from sₙ and the squared cosines of its vectors with u
// and v. It is where φ_uφ_v = (1/θ − χ)².
func (m secular) largest() (over, left, right float64) {
	if near := 1e-6 * m.last(); m.below(near) {
		below := m.last()
		if len(m.s) > 1 {
			below -= m.s[len(m.s)-2]
		}
		over = m.near(-below, near)
	} else {
		over = m.beyond()
	}
	product, ratio := m.cosines(over)
	return over, product * ratio, product / ratio
}

// cosines returns, at a singular value, the product of the cosines of its vectors with u and v, dz/dθ, and their
// ratio φ_u/(1/θ − χ). Both come from (φ_uφ_v − (1/θ − χ)²)(z² − sₙ²), in which the poles at sₙ cancel each other.
func (m secular) cosines(over float64) (product, ratio float64) {
	last := len(m.s) - 1
	s, u, v := m.s[last], m.u[last], m.v[last]
	z, o := s+over, m.sums(over, last) // the others
	squares, apart := over*(z+s), 1/m.theta-o.across
	slope := u*u*(o.right+z*o.rightSlope) + v*v*(o.left+z*o.leftSlope) - 2*u*v*s*o.acrossSlope +
		2*z*(o.left*o.right-apart*apart) +
		squares*(o.leftSlope*o.right+o.left*o.rightSlope+2*apart*o.acrossSlope)
	byInverse := 2*u*v*s - 2*squares*apart // the derivative in 1/θ
	return byInverse / (slope * m.theta * m.theta), (u*u*z + squares*o.left) / (squares*apart - u*v*s)
}

// below reports whether all singular values lie below sₙ + over, which lies beyond all sᵢ or between the two largest.
// By inertia they do where (φ_u, χ − 1/θ; χ − 1/θ, φ_v) is indefinite with χ < 1/θ beyond all sᵢ, and where it is
// negative definite between the two largest, which a change may have lowered.
func (m secular) below(over float64) bool {
	last := len(m.s) - 1
	s, u, v := m.s[last], m.u[last], m.v[last]
	z, o := s+over, m.sums(over, last)
	squares, apart := over*(z+s), 1/m.theta-o.across // all is multiplied by squares, so that the poles at sₙ cancel
	if over < 0 && o.left+u*u*z/squares >= 0 || over > 0 && apart-u*v*s/squares <= 0 {
		return false
	}
	return u*u*v*v+z*(u*u*o.right+v*v*o.left)+2*u*v*s*apart+squares*(o.left*o.right-apart*apart) < 0
}

// gradients returns the squared lengths of the gradients along the spheres, in u and in v, of a z beyond all sᵢ. There
// √(φ_uφ_v) + χ = 1/θ, which u and v enter to the first power: across the sphere a derivative of that is 1/θ.
func (m secular) gradients(over float64) (inU, inV float64) {
	all := m.sums(over, len(m.s))
	z, k := m.last()+over, math.Sqrt(all.right/all.left)
	slope := all.acrossSlope + (all.leftSlope*k+all.rightSlope/k)/2
	inU, inV = -1/(m.theta*m.theta), m.rest/(z*z*k*k)-1/(m.theta*m.theta)
	for i, s := range m.s {
		gap := 1 / ((over + (m.last() - s)) * (z + s))
		inU += math.Pow((m.u[i]*z*k+m.v[i]*s)*gap, 2)
		inV += math.Pow((m.v[i]*z/k+m.u[i]*s)*gap, 2)
	}
	return inU / (slope * slope), inV / (slope * slope)
}

// beyond finds the distance beyond sₙ at which √(φ_uφ_v) + χ falls to 1/θ, by steps of Newton inside of a bisection.
func (m secular) beyond() float64 {
	lo, hi, over := 0.0, m.theta, m.theta/2
	for range 80 {
		all := m.sums(over, len(m.s))
		root := math.Sqrt(all.left * all.right)
		f := root + all.across - 1/m.theta
		if f > 0 {
			lo = over
		} else {
			hi = over
		}
		next := over - f/(all.acrossSlope+(all.leftSlope*all.right+all.left*all.rightSlope)/(2*root))
		if math.Abs(next-over) <= 1e-10*(m.last()+over) {
			return next // steps square the error
		}
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		over = next
	}
	return over
}

// near finds the distance of the largest singular value by bisection, where it is at most about that of sₙ.
func (m secular) near(lo, hi float64) float64 {
	for range 60 {
		mid := (lo + hi) / 2
		if mid == 0 { // of which there is no telling
			mid = lo / 4
		}
		if m.below(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}
