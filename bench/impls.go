package bench

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// MatMul multiplies dense matrices.
type MatMul interface {
	// Mul sets dst (m×n) to a (m×k) times b (k×n). It leaves a and b unchanged; dst shares no memory with them.
	Mul(dst, a, b *mat.Dense)
}

// SVD computes singular value decompositions.
type SVD interface {
	// SVD factorises a (m×n) and leaves it unchanged. It returns an error when the iteration does not converge.
	SVD(a *mat.Dense, kind mat.SVDKind) (SVDFactors, error)
}

// SVDFactors are the factors of A = U·diag(Values)·Vᵀ for an m×n matrix A, with r = min(m, n).
type SVDFactors struct {
	Values []float64  // r, descending, not negative
	U      *mat.Dense // m×r for a thin decomposition, m×m for a full one, nil for values alone
	V      *mat.Dense // n×r for a thin decomposition, n×n for a full one, nil for values alone
}

// SymEigen computes eigenvalues of symmetric matrices.
type SymEigen interface {
	// SymEigen factorises a (n×n) and leaves it unchanged, with eigenvectors if vectors is set. It returns an error
	// when the iteration does not converge.
	SymEigen(a *mat.SymDense, vectors bool) (EigenFactors, error)
}

// EigenFactors are the factors of A = V·diag(Values)·Vᵀ for a symmetric n×n matrix A.
type EigenFactors struct {
	Values []float64  // n, ascending
	V      *mat.Dense // n×n, orthogonal; nil for values alone
}

// Impl is a set of implementations under one name. An operation that it does not offer is nil.
type Impl struct {
	Name     string
	MatMul   MatMul
	SVD      SVD
	SymEigen SymEigen
}

// Impls lists what is measured. Add here.
var Impls = []Impl{
	{Name: "gonum", MatMul: gonum{}, SVD: gonum{}, SymEigen: gonum{}},
}

// gonum is gonum's mat package on gonum's own kernels.
type gonum struct{}

func (gonum) Mul(dst, a, b *mat.Dense) { dst.Mul(a, b) }

func (gonum) SVD(a *mat.Dense, kind mat.SVDKind) (SVDFactors, error) {
	var svd mat.SVD
	if !svd.Factorize(a, kind) {
		return SVDFactors{}, errors.New("bench: gonum's SVD did not converge")
	}
	f := SVDFactors{Values: svd.Values(nil)}
	if kind != mat.SVDNone {
		f.U, f.V = new(mat.Dense), new(mat.Dense)
		svd.UTo(f.U)
		svd.VTo(f.V)
	}
	return f, nil
}

func (gonum) SymEigen(a *mat.SymDense, vectors bool) (EigenFactors, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, vectors) {
		return EigenFactors{}, errors.New("bench: gonum's symmetric eigenvalue iteration did not converge")
	}
	f := EigenFactors{Values: eigen.Values(nil)}
	if vectors {
		f.V = new(mat.Dense)
		eigen.VectorsTo(f.V)
	}
	return f, nil
}
