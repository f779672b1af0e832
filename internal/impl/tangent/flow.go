package tangent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/dense"
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

// Flow integrates gradient flow over a time by so many steps of the classical Runge-Kutta method, whose error is of
// fourth order. The loss is known by its gradient in B (m×k), which may be returned in the same memory every time.
func (a Adaptive) Flow(gradient func(b *mat.Dense) *mat.Dense, time float64, steps int) Adaptive {
	m, k := a.Theta.Dims()
	now, at, velocity := newFactors(m, k), newFactors(m, k), newFactors(m, k)
	now.A.Copy(a.A)
	now.Theta.Copy(a.Theta)
	now.C.Copy(a.C)
	field := velocityField{a, gradient, mat.NewDense(m, k, nil), mat.NewDense(m, k, nil)}
	h, next := time/float64(steps), make([]float64, len(now.all))
	for range steps {
		copy(next, now.all)
		copy(at.all, now.all)
		for _, stage := range []struct{ weight, reach float64 }{{h / 6, h / 2}, {h / 3, h / 2}, {h / 3, h}, {h / 6, 0}} {
			field.set(velocity, at.Sided)
			floats.AddScaled(next, stage.weight, velocity.all)
			floats.AddScaledTo(at.all, now.all, stage.reach, velocity.all)
		}
		copy(now.all, next)
	}
	a.Sided = now.Sided
	return a
}

// factors are the factors of a layer as matrices on the memory of one vector.
type factors struct {
	Sided
	all []float64
}

func newFactors(m, k int) factors {
	all := make([]float64, m*m+m*k+k*k)
	a, theta, c := all[:m*m], all[m*m:m*m+m*k], all[m*m+m*k:]
	return factors{Sided{mat.NewDense(m, m, a), mat.NewDense(m, k, theta), mat.NewDense(k, k, c)}, all}
}

// velocityField is −∂loss/∂(A, Θ, C).
type velocityField struct {
	Adaptive
	gradient func(b *mat.Dense) *mat.Dense
	b, part  *mat.Dense // m×k
}

// set sets the velocity to that of the factors: with G the gradient in B, −G(ΘC)ᵀ, −AᵀGCᵀ and −(AΘ)ᵀG.
func (f velocityField) set(velocity factors, at Sided) {
	dense.Gemm(f.part, 1, at.Theta, at.C, 0)
	g, rate := f.gradient(dense.Gemm(f.b, 1, at.A, f.part, 0)), -1.0
	if f.SlowA {
		rate = -0.5
	}
	dense.Gemm(velocity.A, rate, g, f.part.T(), 0)
	dense.Gemm(f.part, 1, at.A.T(), g, 0)
	dense.Gemm(velocity.Theta, -1, f.part, at.C.T(), 0)
	if f.FixedC {
		velocity.C.Zero()
		return
	}
	dense.Gemm(f.part, 1, at.A, at.Theta, 0)
	dense.Gemm(velocity.C, -1, f.part.T(), g, 0)
}
