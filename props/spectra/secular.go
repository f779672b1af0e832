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

// sums returns φ_u, φ_v and χ at z, and for z beyond all sᵢ the slope of √(φ_uφ_v) + χ.
func (m secular) sums(z float64) (left, right, across, slope float64) {
	right = m.rest / z
	leftSlope, rightSlope := 0.0, -right/z
	for i, s := range m.s {
		gap := 1 / ((z - s) * (z + s))
		u, v := m.u[i], m.v[i]
		left, right, across = left+u*u*z*gap, right+v*v*z*gap, across+u*v*s*gap
		by := -(z*z + s*s) * gap * gap
		leftSlope, rightSlope, slope = leftSlope+u*u*by, rightSlope+v*v*by, slope-2*u*v*s*z*gap*gap
	}
	return left, right, across, slope + (leftSlope*right+left*rightSlope)/(2*math.Sqrt(left*right))
}

// largest returns the largest singular value z and the squared cosines of its vectors with u and v. It is where
// φ_uφ_v = (1/θ − χ)². The left vector is θ(z² − SSᵀ)⁻¹(z u a + S v b) with the cosines a of v and b = θφ_u a/(1 − θχ).
func (m secular) largest() (z, left, right float64) {
	last := len(m.s) - 1
	switch phi, other, across, _ := m.sums(m.s[last] * (1 + 1e-10)); {
	case math.Sqrt(phi*other)+across > 1/m.theta:
		z = m.beyond()
	case last == 0:
		z = m.between(0, m.s[0])
	default:
		z = m.between(m.s[last-1], m.s[last])
	}
	phi, _, across, _ := m.sums(z)
	ratio, squares := m.theta*phi/(1-m.theta*across), 0.0
	for i, s := range m.s {
		x := (z*m.u[i] + s*m.v[i]*ratio) / ((z - s) * (z + s))
		squares += x * x
	}
	right = 1 / (m.theta * m.theta * squares)
	return z, right * ratio * ratio, right
}

// gradients returns the squared lengths of the gradients along the spheres, in u and in v, of a z beyond all sᵢ. There
// √(φ_uφ_v) + χ = 1/θ, which u and v enter to the first power: across the sphere a derivative of that is 1/θ.
func (m secular) gradients(z float64) (inU, inV float64) {
	phi, other, _, slope := m.sums(z)
	k := math.Sqrt(other / phi)
	inU, inV = -1/(m.theta*m.theta), m.rest/(z*z*k*k)-1/(m.theta*m.theta)
	for i, s := range m.s {
		gap := 1 / ((z - s) * (z + s))
		inU += math.Pow((m.u[i]*z*k+m.v[i]*s)*gap, 2)
		inV += math.Pow((m.v[i]*z/k+m.u[i]*s)*gap, 2)
	}
	return inU / (slope * slope), inV / (slope * slope)
}

// beyond finds the z beyond all sᵢ at which √(φ_uφ_v) + χ falls to 1/θ, by steps of Newton inside of a bisection.
func (m secular) beyond() float64 {
	lo := m.s[len(m.s)-1]
	hi, z := lo+m.theta, lo+m.theta/2
	for range 80 {
		phi, other, across, slope := m.sums(z)
		f := math.Sqrt(phi*other) + across - 1/m.theta
		if f > 0 {
			lo = z
		} else {
			hi = z
		}
		next := z - f/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-z) <= 1e-10*z {
			return next // steps square the error
		}
		z = next
	}
	return z
}

// between finds z between the two largest sᵢ, where the change has lowered the largest. By inertia, all singular values
// lie below such a z exactly if (−φ_u, 1/θ − χ; 1/θ − χ, −φ_v) is positive definite.
func (m secular) between(lo, hi float64) float64 {
	for range 60 {
		mid := (lo + hi) / 2
		if phi, other, across, _ := m.sums(mid); phi < 0 && math.Sqrt(phi*other) > math.Abs(1/m.theta-across) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo
}
