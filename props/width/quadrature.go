package width

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// rule is a quadrature rule on an interval.
type rule struct{ nodes, weights []float64 }

// legendre is the Gauss-Legendre rule. In gonum 0.17 that of 26 nodes has weight 0 at both ends: not to be used.
func legendre(n int, from, to float64) rule {
	r := rule{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(r.nodes, r.weights, from, to)
	return r
}

// trapezoid is the rule of step h for integrals against the standard normal density, which is 10⁻²⁰ at its ends. Where
// f(x + iy) grows no faster than exp(gy²) it errs by exp(−(π/h)²/(½ + g)): below rounding for g ≤ 25 and h = 1/10, and
// for polynomials and h = ½.
func trapezoid(h float64) (r rule) {
	for z := -9.5; z <= 9.5+h/2; z += h {
		r.nodes = append(r.nodes, z)
		r.weights = append(r.weights, h*density(z))
	}
	return r
}

func density(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }

func (r rule) integrate(f func(float64) float64) (sum float64) {
	for i, x := range r.nodes {
		sum += r.weights[i] * f(x)
	}
	return sum
}

var (
	radii  = radial()
	normal = trapezoid(0.1)
	coarse = trapezoid(0.5)

	half = legendre(144, 0, 12) // a half-line
	upTo = legendre(64, 0, 1)   // what lies before a kink
)

// radial is the rule for integrals against r exp(−r²/2).
func radial() rule {
	r := legendre(96, 0, 16)
	for i, x := range r.nodes {
		r.weights[i] *= x * math.Exp(-x*x/2)
	}
	return r
}

// onWedge is E f(u, v) for standard normal u and v whose directions enclose an angle of π − p and an f that vanishes
// unless both are positive: u = r sin a and v = r sin(p − a) with 0 < a < p.
func onWedge(p float64, f func(u, v float64) float64) float64 {
	return legendre(64, 0, p).integrate(func(a float64) float64 {
		u, v := math.Sin(a), math.Sin(p-a)
		return radii.integrate(func(r float64) float64 { return f(r*u, r*v) })
	}) / (2 * math.Pi)
}

// onPlane is E f(z₁, z₂) for independent standard normal z and a smooth f.
func onPlane(f func(a, b float64) float64) float64 {
	return normal.integrate(func(a float64) float64 {
		return normal.integrate(func(b float64) float64 { return f(a, b) })
	})
}

// onActive lists the nodes and weights of E f(a, u) for standard normal a and u and an f that vanishes unless a ReLU
// neuron is active, u > 0, and has a kink where a step ε switches it off, at u = −εa. It is exact to rounding up to
// |ε| = 4.
func onActive(epsilon float64, add func(a, u, weight float64)) {
	for i := range 2 * len(half.nodes) {
		a, weight := half.nodes[i/2]*float64(1-2*(i%2)), half.weights[i/2]*density(half.nodes[i/2])
		kink := min(12, max(0, -epsilon*a))
		for j, x := range upTo.nodes {
			add(a, kink*x, weight*kink*upTo.weights[j]*density(kink*x))
		}
		for j, x := range half.nodes {
			add(a, kink+x, weight*half.weights[j]*density(kink+x))
		}
	}
}
