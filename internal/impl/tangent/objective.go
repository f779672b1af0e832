package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/optim"
)

// Eliminated is the training objective as a function of M alone (p² entries, row by row), with the shortest
// interpolating θ in place of θ:
//
//	Σⱼ penalty(σⱼ(M)−1) + yᵀK_M⁻¹y.
//
// It is infinite where the kernel matrix is singular. Only the entries of M for which free is true may move, all of
// them when free is nil; the gradient of the others is zero.
func (a Model) Eliminated(free func(i, j int) bool) optim.Objective {
	_, p := a.Features.Dims()
	return func(grad, x []float64) float64 {
		m, g := mat.NewDense(p, p, x), mat.NewDense(p, p, grad)
		g.Zero()
		weights, _, err := a.dual(m)
		if err != nil {
			return math.Inf(1)
		}
		// The gradient of yᵀK⁻¹y is −2qqᵀM with q = ΦᵀK⁻¹y.
		var q, qm mat.VecDense
		q.MulVec(a.Features.T(), weights)
		qm.MulVec(m.T(), &q)
		g.Outer(-2, &q, &qm)
		value := mat.Dot(&qm, &qm) + a.penalty(g, m) // yᵀK⁻¹y = ‖Mᵀq‖²
		if free != nil {
			g.Apply(func(i, j int, d float64) float64 {
				if free(i, j) {
					return d
				}
				return 0
			}, g)
		}
		return value
	}
}

// Joint is the training objective in θ and M together (p entries of θ, then p² of N), free of constraints: N stands for
// the nearest matrix that interpolates with θ,
//
//	M = N + Φ⁺(y − ΦNθ)θᵀ/‖θ‖².
//
// It fails with an error when the features have not rank n.
func (a Model) Joint() (Joint, error) {
	n, p := a.Features.Dims()
	eye := Identity(p)
	fixed := Model{Features: a.Features, Labels: a.Labels}
	beta, err := fixed.Parameters(eye)
	if err != nil {
		return Joint{}, err
	}
	var pinv, projector mat.Dense
	if err := pinv.Solve(a.Features, Identity(n)); err != nil { // minimum-norm solution of Φ·X = I
		return Joint{}, err
	}
	projector.Mul(&pinv, a.Features)
	return Joint{a, &projector, mat.NewVecDense(p, beta)}, nil
}

// Joint is the parametrisation of all interpolating pairs that [Model.Joint] describes.
type Joint struct {
	model     Model
	projector *mat.Dense    // P = Φ⁺Φ, p×p
	beta      *mat.VecDense // Φ⁺y
}

// Pair returns θ and M at a point of the parametrisation. θ shares the point's memory.
func (j Joint) Pair(x []float64) (theta []float64, m *mat.Dense) {
	p := j.beta.Len()
	m = mat.NewDense(p, p, nil)
	m.Copy(mat.NewDense(p, p, x[p:]))
	step, t := j.step(x)
	m.RankOne(m, 1/mat.Dot(t, t), step, t)
	return x[:p], m
}

// step returns b = Φ⁺(y − ΦNθ) and θ.
func (j Joint) step(x []float64) (b, theta *mat.VecDense) {
	p := j.beta.Len()
	theta, b = mat.NewVecDense(p, x[:p]), mat.NewVecDense(p, nil)
	b.MulVec(mat.NewDense(p, p, x[p:]), theta)
	b.MulVec(j.projector, b)
	b.SubVec(j.beta, b)
	return b, theta
}

// Objective returns the cost of the pair and writes its gradient. With G the gradient in M, τ = ‖θ‖² and
// M = N + bθᵀ/τ, b = β − PNθ, the chain rule gives
//
//	∂N = G − PGθθᵀ/τ
//	∂θ = 2θ − (PN)ᵀGθ/τ + Gᵀb/τ − 2θ(bᵀGθ)/τ².
//
// It is infinite at θ = 0.
func (j Joint) Objective(grad, x []float64) float64 {
	p := j.beta.Len()
	tau := floats.Dot(x[:p], x[:p])
	if !(tau > 0) {
		return math.Inf(1)
	}
	theta, m := j.Pair(x)
	g := mat.NewDense(p, p, nil)
	value := tau + j.model.penalty(g, m)

	b, t := j.step(x)
	var gt, pgt, gb, npgt mat.VecDense
	gt.MulVec(g, t)
	pgt.MulVec(j.projector, &gt)
	gb.MulVec(g.T(), b)
	npgt.MulVec(mat.NewDense(p, p, x[p:]).T(), &pgt) // (PN)ᵀGθ, since P is symmetric
	radial := mat.Dot(b, &gt) / tau
	for i := range p {
		grad[i] = 2*theta[i] + (gb.AtVec(i)-npgt.AtVec(i)-2*theta[i]*radial)/tau
	}
	gn := mat.NewDense(p, p, grad[p:])
	gn.RankOne(g, -1/tau, &pgt, t)
	return value
}
