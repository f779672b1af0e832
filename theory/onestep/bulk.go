package onestep

import (
	"math"
	"math/cmplx"
)

// Bulk is the limiting spectrum of the random features F₀/√n = σ(XW₀ᵀ)/√n for a centred activation, which is that of
// c₁XW₀ᵀ/√n plus independent noise of variance c²_{>1}/n (Pennington and Worah 2017; Hu and Lu, arXiv 2009.07669).
//
// With m₁(λ) = lim tr(F₀F₀ᵀ + λn)⁻¹, m₂(λ) = lim tr(Xᵀ(F₀F₀ᵀ + λn)⁻¹X)/d and e = c₁²m₂ + c²_{>1}m₁,
//
//	λm₁ + (φ/ψ) e/(1+e) = 1,   (m₁ − m₂)(1+e) = c₁²m₁m₂/ψ.
type Bulk struct {
	Phi, Psi  float64 // d/n, d/N
	Linear    float64 // c₁
	Nonlinear float64 // c²_{>1} = E σ² − c₁²
}

// valid reports whether the parameters describe a spectrum.
func (b Bulk) valid() bool {
	return b.Phi > 0 && b.Psi > 0 && b.Nonlinear >= 0 && b.Linear*b.Linear+b.Nonlinear > 0 && !math.IsInf(b.Phi/b.Psi, 0)
}

// Edge returns the largest singular value of the bulk. Outside the spectrum, at λ = −x with x above the squared edge,
// the solution is real with e in (−1, 0); x as a function of e falls from infinity to the squared edge and rises again.
func (b Bulk) Edge() float64 {
	if !b.valid() {
		return math.NaN()
	}
	const steps = 4096
	best := 1
	for i := 1; i < steps; i++ {
		if b.outside(-float64(i)/steps) < b.outside(-float64(best)/steps) {
			best = i
		} else if i > best+1 {
			break // past the minimum
		}
	}
	lo, hi := -float64(best+1)/steps, -float64(best-1)/steps
	for range 100 { // golden section would save half of it; thirds are plainer
		third := (hi - lo) / 3
		if b.outside(lo+third) < b.outside(hi-third) {
			hi -= third
		} else {
			lo += third
		}
	}
	return math.Sqrt(b.outside((lo + hi) / 2))
}

// outside returns x(e) = −λ on the branch outside the spectrum, +Inf where there is no solution. Eliminating m₂ leaves
// c²_{>1} q m² + (c₁² + c²_{>1} − e q) m − e = 0 for m = m₁, with q = c₁²/(ψ(1+e)); the root that vanishes with e.
func (b Bulk) outside(e float64) float64 {
	c := b.Linear * b.Linear
	q := c / (b.Psi * (1 + e))
	linear := c + b.Nonlinear - e*q
	discriminant := linear*linear + 4*b.Nonlinear*q*e
	if !(e > -1 && e < 0 && discriminant >= 0) {
		return math.Inf(1)
	}
	m := 2 * e / (linear + math.Sqrt(discriminant))
	return -(1 - b.Phi/b.Psi*e/(1+e)) / m
}

// Density returns the density of the singular values of F₀/√n at x > 0, as a fraction of n. For n > N a fraction
// 1 − N/n lies at zero and is not part of it.
func (b Bulk) Density(x float64) float64 {
	if !b.valid() || !(x > 0) {
		return math.NaN()
	}
	// Just above the real axis at λ = −(x² + iε), m₁ is the Stieltjes transform of the squares; Im m₁/π their density.
	return 2 * x * max(0, imag(b.stieltjes(x*x))) / math.Pi
}

// stieltjes returns the Stieltjes transform of the squares without those at zero. It follows the solution from far above the point to 10⁻⁹ above it. There, with g = 1+e, the equations are a
// quartic in g, and far above e = −(c₁²+c²_{>1})/z up to terms of order 1/z².
func (b Bulk) stieltjes(square float64) complex128 {
	energy := b.Linear*b.Linear + b.Nonlinear
	scale := square + energy*(1+b.Phi/b.Psi)
	height := 1e4 * scale
	g := 1 - complex(energy, 0)/complex(square, height)
	for {
		lambda := -complex(square, height)
		for range 50 {
			f, slope := b.quartic(g, lambda)
			step := f / slope
			g -= step
			if cmplx.Abs(step) <= 1e-14*cmplx.Abs(g) {
				break
			}
		}
		if height <= 1e-9*scale {
			atom := complex(max(0, 1-b.Phi/b.Psi), 0) // at zero, where 1/λ is its transform
			return (b.numerator(g)/g - atom) / lambda
		}
		height *= 0.8
	}
}

// numerator is P in m₁ = P/(λg), P = g − (φ/ψ)(g − 1).
func (b Bulk) numerator(g complex128) complex128 { return g - complex(b.Phi/b.Psi, 0)*(g-1) }

// quartic returns the polynomial in g whose root solves the fixed point, and its derivative: with A = ψλg² and
// B = A + c₁²P, e(1 + q m₁) = c₁²m₁ + c²_{>1}m₁(1 + q m₁) becomes g(g−1)λB = c₁²PA + c²_{>1}PB.
func (b Bulk) quartic(g, lambda complex128) (f, slope complex128) {
	c, rest := complex(b.Linear*b.Linear, 0), complex(b.Nonlinear, 0)
	p, dp := b.numerator(g), complex(1-b.Phi/b.Psi, 0)
	a, da := complex(b.Psi, 0)*lambda*g*g, 2*complex(b.Psi, 0)*lambda*g
	s, ds := a+c*p, da+c*dp
	f = g*(g-1)*lambda*s - c*p*a - rest*p*s
	slope = (2*g-1)*lambda*s + g*(g-1)*lambda*ds - c*(dp*a+p*da) - rest*(dp*s+p*ds)
	return f, slope
}
