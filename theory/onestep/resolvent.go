package onestep

import (
	"errors"
	"math"
)

// Resolvent holds the two traces of the resolvent (F₀F₀ᵀ + λn)⁻¹ of random features F₀ = σ(XW₀ᵀ) that determine the
// errors of ridge regression, with their derivatives in λ > 0:
//
//	m₁ = lim tr(F₀F₀ᵀ + λn)⁻¹,   m₂ = lim tr(Xᵀ(F₀F₀ᵀ + λn)⁻¹X)/d,   e = c₁²m₂ + c²_{>1}m₁,
//
// the positive solution of (i) λm₁ + (φ/ψ) e/(1+e) = 1 and (ii) (m₁ − m₂)(1+e) = c₁²m₁m₂/ψ.
type Resolvent struct {
	All, Linear, Leak    float64 // m₁, m₂, e
	DAll, DLinear, DLeak float64 // their derivatives in λ
	Residual             float64 // the larger one of (i) and of (ii) over m₁(1+e), both of which should be zero
	DResidual            float64 // the same for the derivatives of (i) and (ii), over the largest of their terms
}

// Resolvent solves the equations at λ > 0. It returns an error when the parameters do not describe a spectrum, or when
// Newton's method leaves a residual above 10⁻¹⁰, which can happen at extreme parameters.
func (b Bulk) Resolvent(lambda float64) (Resolvent, error) {
	if !b.valid() {
		return Resolvent{}, errors.New("onestep: φ and ψ must be positive, and the activation not constant")
	}
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		return Resolvent{}, errors.New("onestep: the ridge penalty λ must be positive and finite")
	}
	all, linear := b.start(lambda)
	for range 8 { // the start is good to many digits, Newton's method doubles them
		f1, f2, j := b.equations(lambda, all, linear)
		d1, d2 := j.solve(-f1, -f2)
		all, linear = all+d1, linear+d2
	}
	r := Resolvent{All: all, Linear: linear, Leak: b.leak(all, linear)}
	f1, f2, j := b.equations(lambda, all, linear)
	r.Residual = max(math.Abs(f1), math.Abs(f2))
	r.DAll, r.DLinear = j.solve(-all, 0)
	r.DLeak = b.leak(r.DAll, r.DLinear)
	r.DResidual = max(math.Abs(j.a*r.DAll+j.b*r.DLinear+all)/all,
		math.Abs(j.c*r.DAll+j.d*r.DLinear)/(math.Abs(j.c*r.DAll)+math.Abs(j.d*r.DLinear)))
	if !(r.Residual <= 1e-10 && r.DResidual <= 1e-10) || !(all > 0 && linear > 0) {
		return r, errors.New("onestep: the equations of the resolvent could not be solved at these parameters")
	}
	return r, nil
}

// leak returns e for given m₁ and m₂. It is linear, so given their derivatives it returns the derivative of e.
func (b Bulk) leak(all, linear float64) float64 { return b.Linear*b.Linear*linear + b.Nonlinear*all }

// start brackets e, of which m₁ and m₂ are functions by (i) and (ii): c₁²m₂ + c²_{>1}m₁ − e is positive at 0 and
// negative where e is so large that m₁ = 0, or above all that m₁ ≤ 1/λ allows.
func (b Bulk) start(lambda float64) (all, linear float64) {
	at := func(e float64) (all, linear float64) {
		all = max(0, (1-b.Phi/b.Psi*e/(1+e))/lambda)
		return all, all / (1 + b.Linear*b.Linear*all/(b.Psi*(1+e)))
	}
	top := math.Log(2 * b.leak(1, 1) / lambda)
	lo, hi := top-60-math.Log(1+b.Phi+1/b.Psi+1/lambda), top
	for range 70 {
		mid := (lo + hi) / 2
		if b.leak(at(math.Exp(mid))) > math.Exp(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return at(math.Exp(lo))
}

// jacobian is the matrix (a b; c d).
type jacobian struct{ a, b, c, d float64 }

func (j jacobian) solve(x, y float64) (float64, float64) {
	det := j.a*j.d - j.b*j.c
	return (x*j.d - y*j.b) / det, (y*j.a - x*j.c) / det
}

// equations returns the residuals of (i) and of (ii) over m₁(1+e) at m₁ and m₂, and their derivatives in m₁ and m₂; at
// a solution the derivatives of (ii) are exact.
func (b Bulk) equations(lambda, all, linear float64) (f1, f2 float64, j jacobian) {
	c, k, ratio := b.Linear*b.Linear, b.Nonlinear, b.Phi/b.Psi
	e := b.leak(all, linear)
	size, slope := all*(1+e), ratio/((1+e)*(1+e))
	f1 = lambda*all + ratio*e/(1+e) - 1
	f2 = ((all-linear)*(1+e) - c*all*linear/b.Psi) / size
	return f1, f2, jacobian{
		a: lambda + slope*k, b: slope * c,
		c: (1 + e + (all-linear)*k - c*linear/b.Psi) / size, d: (-(1 + e) + (all-linear)*c - c*all/b.Psi) / size,
	}
}

// Bias returns B = −m₂′/m₁², the contribution of a linear teacher of energy one to the test error of random features.
func (r Resolvent) Bias() float64 { return -r.DLinear / (r.All * r.All) }

// Noise returns 1 + V = −m₁′/m₁², the contribution of noise of variance one to the test error, its own variance
// included.
func (r Resolvent) Noise() float64 { return -r.DAll / (r.All * r.All) }

// Spread returns −e′/m₁² = c₁²B + c²_{>1}(1+V), which takes the place of 1+e in the test error.
func (r Resolvent) Spread() float64 { return -r.DLeak / (r.All * r.All) }
