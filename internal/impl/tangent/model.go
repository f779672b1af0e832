// Package tangent holds the adaptive linear model: features transformed by a matrix that is learnt together with the
// parameters. Its features may be the tangent features of a network.
//
// The model is x ↦ φ(x)ᵀMθ with features φ(x) ∈ Rᵖ, parameters θ ∈ Rᵖ and a p×p matrix M. Its training minimises
// ‖θ‖² + Σⱼ penalty(σⱼ(M)−1) under ΦMθ = y.
package tangent

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Model is an adaptive linear model and the data that it interpolates.
type Model struct {
	Features *mat.Dense // Φ, n×p, n ≤ p
	Labels   []float64  // y, n
	Penalty  Penalty    // on each singular value of M, less 1
}

// penalty returns Σⱼ penalty(σⱼ−1), and adds its gradient in M, U·diag(penalty'(σⱼ−1))·Vᵀ, to grad when grad is not
// nil. NaN when the decomposition fails.
func (a Model) penalty(grad, m *mat.Dense) float64 {
	vectors := mat.SVDThin
	if grad == nil {
		vectors = mat.SVDNone
	}
	u, values, v, err := linalg.SVD(m, vectors)
	if err != nil {
		return math.NaN()
	}
	sum := 0.0
	for j, sigma := range values {
		value, slope := a.Penalty.at(sigma - 1)
		sum += value
		for i := 0; grad != nil && i < len(values); i++ {
			u.Set(i, j, slope*u.At(i, j))
		}
	}
	if grad != nil {
		dense.Gemm(grad, 1, u, v.T(), 1)
	}
	return sum
}

// Cost returns ‖θ‖² + Σⱼ penalty(σⱼ(M)−1). It does not ask whether the pair interpolates. NaN when the singular values
// of M (p×p) cannot be computed.
func (a Model) Cost(theta []float64, m *mat.Dense) float64 {
	return floats.Dot(theta, theta) + a.penalty(nil, m)
}

// Kernel returns K(x, z) = x·MMᵀ·zᵀ for the k rows of x and the l rows of z (k×l).
func Kernel(x, z, m *mat.Dense) *mat.Dense {
	var xm, zm, k mat.Dense
	xm.Mul(x, m)
	zm.Mul(z, m)
	k.Mul(&xm, zm.T())
	return &k
}

// dual returns a = K⁻¹y for the kernel of M on the training points, by Cholesky's factorisation, and the condition
// number of K.
func (a Model) dual(m *mat.Dense) (weights *mat.VecDense, condition float64, err error) {
	n, _ := a.Features.Dims()
	if len(a.Labels) != n {
		panic("tangent: need one label per row of the features")
	}
	k := dense.Gram(dense.Mul(a.Features, m))
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, k.RawMatrix().Data)) {
		return nil, math.Inf(1), errors.New("tangent: the kernel matrix is not positive definite")
	}
	weights = mat.NewVecDense(n, nil)
	if err := chol.SolveVecTo(weights, mat.NewVecDense(n, a.Labels)); err != nil {
		return nil, chol.Cond(), fmt.Errorf("tangent: kernel matrix: %w", err)
	}
	return weights, chol.Cond(), nil
}

// Condition returns the condition number of the kernel matrix on the training points in the 1-norm; +Inf when the
// matrix is not positive definite.
func (a Model) Condition(m *mat.Dense) float64 {
	_, condition, _ := a.dual(m)
	return condition
}

// Parameters returns the shortest θ with ΦMθ = y, which is (ΦM)ᵀK⁻¹y.
func (a Model) Parameters(m *mat.Dense) ([]float64, error) {
	weights, _, err := a.dual(m)
	if err != nil {
		return nil, err
	}
	var q, theta mat.VecDense
	q.MulVec(a.Features.T(), weights)
	theta.MulVec(m.T(), &q)
	return theta.RawVector().Data, nil
}

// Predict returns the interpolant of the training points with the kernel of M, K(x, X)·K⁻¹y, at the k rows of x (k×p).
func (a Model) Predict(x, m *mat.Dense) ([]float64, error) {
	weights, _, err := a.dual(m)
	if err != nil {
		return nil, err
	}
	var f mat.VecDense
	f.MulVec(Kernel(x, a.Features, m), weights)
	return f.RawVector().Data, nil
}

// Residual returns ‖ΦMθ − y‖, by how much a pair misses the labels.
func (a Model) Residual(theta []float64, m *mat.Dense) float64 {
	var beta, f mat.VecDense
	beta.MulVec(m, mat.NewVecDense(len(theta), theta))
	f.MulVec(a.Features, &beta)
	return floats.Distance(f.RawVector().Data, a.Labels, 2)
}

// Alignment returns ⟨K, yyᵀ⟩/(‖K‖_F·‖yyᵀ‖_F).
func Alignment(k *mat.Dense, labels []float64) float64 {
	y := mat.NewVecDense(len(labels), labels)
	return mat.Inner(y, k, y) / (mat.Norm(k, 2) * mat.Dot(y, y))
}

// Identity is the p×p matrix that leaves the features alone.
func Identity(p int) *mat.Dense { return dense.Identity(p) }
