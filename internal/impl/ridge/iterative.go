package ridge

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Stop says when to stop: after so many iterations, or when ‖Kα − y‖ ≤ Tolerance·‖y‖ before them.
type Stop struct {
	Iterations int
	Tolerance  float64
}

// Result is where an iteration stopped. Each iteration takes one product with the matrix, 2n² flops.
type Result struct {
	Alpha      []float64
	Residual   []float64 // y − Kα, as the iteration knows it
	Iterations int
	Converged  bool
}

// system is K with room for the iterations.
type system struct {
	k blas64.Symmetric
	y []float64
}

func newSystem(k mat.Symmetric, y []float64) system {
	if k.SymmetricDim() != len(y) {
		panic("iterative: the right-hand side does not fit the matrix")
	}
	s, ok := k.(mat.RawSymmetricer)
	if !ok {
		var own mat.SymDense
		own.CopySym(k)
		s = &own
	}
	return system{s.RawSymmetric(), y}
}

// residual overwrites r with y − Kα.
func (s system) residual(r, alpha []float64) {
	copy(r, s.y)
	s.multiply(-1, alpha, 1, r)
}

func (s system) multiply(scale float64, x []float64, beta float64, y []float64) {
	blas64.Implementation().Dsymv(blas.Upper, s.k.N, scale, s.k.Data, s.k.Stride, x, 1, beta, y, 1)
}

// Richardson iterates α ← α − step·(Kα − y) from α = 0, n numbers each.
func Richardson(k mat.Symmetric, y []float64, step float64, stop Stop) Result {
	return newSystem(k, y).richardson(step, stop, func([]float64) {})
}

// richardson adds step times the residual, to which a preconditioner is applied first.
func (s system) richardson(step float64, stop Stop, precondition func(residual []float64)) Result {
	n := len(s.y)
	result := Result{Alpha: make([]float64, n), Residual: make([]float64, n)}
	direction, target := make([]float64, n), stop.Tolerance*floats.Norm(s.y, 2)
	for s.residual(result.Residual, result.Alpha); ; s.residual(result.Residual, result.Alpha) {
		if floats.Norm(result.Residual, 2) <= target {
			result.Converged = true
			return result
		}
		if result.Iterations == stop.Iterations {
			return result
		}
		copy(direction, result.Residual)
		precondition(direction)
		floats.AddScaled(result.Alpha, step, direction)
		result.Iterations++
	}
}

// EigenPro is Richardson's iteration with the step 1/λ_{q+1} on the residual to which I − Σ_{i≤q}(1−λ_{q+1}/λᵢ)eᵢeᵢᵀ
// has been applied, for the leading eigenpairs λᵢ, eᵢ of k; q < n. An iteration takes 4nq flops more than one of
// [Richardson], and the eigenpairs 14/3·n³ once, since they are exact.
//
// Source: Ma, Belkin, Diving into the shallows, NIPS 2017, without their safety factors.
func EigenPro(k mat.Symmetric, y []float64, q int, stop Stop) (Result, error) {
	if q < 0 || q >= len(y) {
		panic("iterative: as many eigenvectors as the matrix has are too many")
	}
	values, vectors, err := linalg.LargestEigen(k, q+1)
	if err != nil {
		return Result{}, fmt.Errorf("iterative: %w", err)
	}
	return EigenProWith(k, y, values, vectors, stop)
}

// EigenProWith is [EigenPro] with q+1 eigenvalues, descending, and at least q of their vectors as columns, that the
// caller has: to few digits they are found in far less than n³ flops. Their errors slow the iteration down, and let it
// diverge where they are as large as the eigenvalue that the step divides by.
func EigenProWith(k mat.Symmetric, y, values []float64, vectors *mat.Dense, stop Stop) (Result, error) {
	s, q := newSystem(k, y), len(values)-1
	if rows, cols := vectors.Dims(); q < 0 || rows != len(y) || cols < q {
		panic("iterative: the eigenpairs do not fit the matrix")
	}
	tail := values[q]
	if !(tail > 0) {
		return Result{}, errors.New("iterative: an eigenvalue that the step divides by is not positive")
	}
	leading := vectors.Slice(0, len(y), 0, max(1, q)).(*mat.Dense)
	inner := mat.NewVecDense(max(1, q), nil)
	return s.richardson(1/tail, stop, func(residual []float64) {
		if q == 0 {
			return
		}
		r := mat.NewVecDense(len(residual), residual)
		inner.MulVec(leading.T(), r)
		for i := range q {
			inner.SetVec(i, -inner.AtVec(i)*(1-tail/values[i]))
		}
		raw := leading.RawMatrix()
		blas64.Gemv(blas.NoTrans, 1, raw, inner.RawVector(), 1, r.RawVector())
	}), nil
}

// ConjugateGradients solves Kα = y from α = 0 (Hestenes, Stiefel 1952).
func ConjugateGradients(k mat.Symmetric, y []float64, stop Stop) Result {
	s := newSystem(k, y)
	n := len(y)
	result := Result{Alpha: make([]float64, n), Residual: append([]float64{}, y...)}
	direction, image := append([]float64{}, y...), make([]float64, n)
	square, target := floats.Dot(y, y), stop.Tolerance*floats.Norm(y, 2)
	for {
		if floats.Norm(result.Residual, 2) <= target {
			result.Converged = true
			return result
		}
		if result.Iterations == stop.Iterations {
			return result
		}
		s.multiply(1, direction, 0, image)
		step := square / floats.Dot(direction, image)
		floats.AddScaled(result.Alpha, step, direction)
		floats.AddScaled(result.Residual, -step, image)
		next := floats.Dot(result.Residual, result.Residual)
		floats.Scale(next/square, direction)
		floats.Add(direction, result.Residual)
		square = next
		result.Iterations++
	}
}
