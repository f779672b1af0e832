package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
)

// Adaptive is the adaptive model without a penalty: factors that gradient descent moves together.
type Adaptive struct {
	Sided
	FixedC, SlowA bool // C does not move; A moves at half the rate
}

// NewAdaptive returns A = I, Θ = 0 (m×k) and C = I.
func NewAdaptive(m, k int) Adaptive {
	return Adaptive{Sided: Sided{A: Identity(m), Theta: mat.NewDense(m, k, nil), C: Identity(k)}}
}

// Velocity returns −∂loss/∂(A, Θ, C) for the gradient of the loss in B.
func (a Adaptive) Velocity(grad *mat.Dense) Sided {
	rate := -1.0
	if a.SlowA {
		rate = -0.5
	}
	va, vt, vc := dense.Mul(grad, dense.Mul(a.Theta, a.C).T()), dense.Mul(dense.Mul(a.A.T(), grad), a.C.T()),
		dense.Mul(dense.Mul(a.A, a.Theta).T(), grad)
	va.Scale(rate, va)
	vt.Scale(-1, vt)
	vc.Scale(-1, vc)
	if a.FixedC {
		vc.Zero()
	}
	return Sided{va, vt, vc}
}

// plus returns the factors moved by h times a velocity.
func (s Sided) plus(h float64, v Sided) Sided {
	add := func(x, y *mat.Dense) *mat.Dense {
		out := mat.DenseCopyOf(y)
		out.Scale(h, out)
		out.Add(out, x)
		return out
	}
	return Sided{add(s.A, v.A), add(s.Theta, v.Theta), add(s.C, v.C)}
}

// Flow integrates gradient flow over a time by so many steps of the classical Runge-Kutta method, whose error is of
// fourth order. The loss is known by its gradient in B.
func (a Adaptive) Flow(gradient func(b *mat.Dense) *mat.Dense, time float64, steps int) Adaptive {
	h := time / float64(steps)
	at := func(s Sided) Sided {
		moved := a
		moved.Sided = s
		return moved.Velocity(gradient(s.Product()))
	}
	for range steps {
		s := a.Sided
		k1 := at(s)
		k2 := at(s.plus(h/2, k1))
		k3 := at(s.plus(h/2, k2))
		k4 := at(s.plus(h, k3))
		a.Sided = s.plus(h/6, k1).plus(h/3, k2).plus(h/3, k3).plus(h/6, k4)
	}
	return a
}
