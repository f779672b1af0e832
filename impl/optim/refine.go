package optim

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Refine improves a minimum that [LBFGS] found, where the objective is twice differentiable. A line search compares
// values, which are known to a rounding, and so ends at a gradient of about the root of that; Refine compares
// gradients, and ends when Newton's steps no longer halve their norm. Minima may form a continuum: along it, the
// gradient has no component.
//
// The Hessian H is made of forward differences, len(x)+1 gradients, and made again where the last one no longer
// divides the norm of the gradient by ten; its errors slow convergence down. Steps are −(H + λI)⁻¹g with λ = 10‖g‖ +
// 10⁻⁸‖H‖, which keeps them small along a continuum. There an error of H as large as λ can make H + λI singular: a λ a
// hundred times and ten thousand times as large is tried before a fresh Hessian is given up.
//
// Source: Li, Fukushima, Qi and Yamashita, Regularized Newton methods for convex minimization problems with singular
// solutions, Comput. Optim. Appl. 28 (2004) 131.
func Refine(f Objective, m Minimum) Minimum {
	m.X = slices.Clone(m.X)
	grad := make([]float64, len(m.X))
	m.Value = f(grad, m.X)
	m.Gradient = floats.Norm(grad, 2)
	var hessian *mat.Dense
	for fresh := false; m.Gradient > 0; {
		if hessian == nil {
			hessian, fresh = differences(f, m.X, grad), true
		}
		next, moved, ok := newton(f, hessian, m, grad, 1)
		enough := m.Gradient / 10
		if fresh {
			enough = m.Gradient / 2
		}
		slow := !ok || next.Gradient > enough
		for boost := 100.; slow && fresh && boost <= 1e4; boost *= 100 {
			if n, g, better := newton(f, hessian, m, grad, boost); better && n.Gradient <= enough {
				next, moved, ok, slow = n, g, true, false
			}
		}
		if ok {
			m, grad = next, moved
		}
		if slow && fresh {
			return m
		}
		if fresh = false; slow {
			hessian = nil
		}
	}
	return m
}

// differences is the Hessian at x by forward differences of the gradient.
func differences(f Objective, x, grad []float64) *mat.Dense {
	const step = 1e-6
	n := len(x)
	hessian, moved := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		at := x[i]
		x[i] += step
		f(moved, x)
		width := x[i] - at
		x[i] = at
		for j := range n {
			hessian.Set(j, i, (moved[j]-grad[j])/width) // a gradient that is masked has rows of zeros
		}
	}
	return hessian
}

// newton takes one step, with boost times the usual λ, and says whether it is finite and lowers the norm of the
// gradient.
func newton(f Objective, hessian *mat.Dense, m Minimum, grad []float64, boost float64) (
	next Minimum, moved []float64, ok bool,
) {
	n := len(grad)
	shifted, shift := mat.DenseCopyOf(hessian), boost*(10*m.Gradient+1e-8*mat.Norm(hessian, 2))
	for i := range n {
		shifted.Set(i, i, shifted.At(i, i)+shift)
	}
	var direction mat.VecDense
	if err := direction.SolveVec(shifted, mat.NewVecDense(n, grad)); err != nil {
		return m, grad, false
	}
	next, moved = m, make([]float64, n)
	next.X = slices.Clone(m.X)
	floats.Sub(next.X, direction.RawVector().Data)
	next.Value = f(moved, next.X)
	next.Gradient = floats.Norm(moved, 2)
	return next, moved, finite(next.Value) && next.Gradient < m.Gradient
}
