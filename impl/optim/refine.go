package optim

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Refine improves a minimum that [LBFGS] found, where the objective is twice differentiable. A line search compares
// values, which are known to a rounding, and so ends at a gradient of about the root of that; Polish compares
// gradients, and ends when Newton's steps no longer halve their norm. Minima may form a continuum: along it, the
// gradient has no component.
//
// The Hessian H is made of forward differences, len(x)+1 gradients per step; its errors slow convergence down and do
// not limit it. Steps are −(H + λI)⁻¹g with λ = 10‖g‖ + 10⁻⁸‖H‖, which keeps them small along a continuum.
//
// Source: Li, Fukushima, Qi and Yamashita, Regularized Newton methods for convex minimization problems with singular
// solutions, Comput. Optim. Appl. 28 (2004) 131.
func Refine(f Objective, m Minimum) Minimum {
	n := len(m.X)
	grad, moved := make([]float64, n), make([]float64, n)
	m.X = slices.Clone(m.X)
	m.Value = f(grad, m.X)
	m.Gradient = floats.Norm(grad, 2)
	for m.Gradient > 0 {
		hessian := mat.NewDense(n, n, nil)
		for i := range n {
			const step = 1e-6
			at := m.X[i]
			m.X[i] += step
			f(moved, m.X)
			width := m.X[i] - at
			m.X[i] = at
			for j := range n {
				hessian.Set(j, i, (moved[j]-grad[j])/width) // a gradient that is masked has rows of zeros
			}
		}
		shift := 10*m.Gradient + 1e-8*mat.Norm(hessian, 2)
		for i := range n {
			hessian.Set(i, i, hessian.At(i, i)+shift)
		}
		var direction mat.VecDense
		if err := direction.SolveVec(hessian, mat.NewVecDense(n, grad)); err != nil {
			return m
		}
		x := slices.Clone(m.X)
		floats.Sub(x, direction.RawVector().Data)
		value := f(moved, x)
		norm := floats.Norm(moved, 2)
		if !finite(value) || !(norm < m.Gradient) {
			return m
		}
		slow := norm > m.Gradient/2
		m.X, m.Value, m.Gradient = x, value, norm
		copy(grad, moved)
		if slow {
			return m
		}
	}
	return m
}
