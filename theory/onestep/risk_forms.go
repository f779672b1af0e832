package onestep

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Forms holds the scalar products on which the errors of a regression depend in addition to the traces: those of the
// labels, which come first, and of the k left vectors of the terms that are added to random features. Each vector is
// the sum of Xv and a rest that is not linear in the samples. With the population's scalar products the result equals
// [Risk.Errors].
type Forms struct {
	Linear  *mat.SymDense // of the parts Xv over n, of order k+1; v·v′ in the limit
	Rest    *mat.SymDense // of the rests over n, of order k+1
	Penalty *mat.Dense    // of order k: inverse of the Gram matrix of the right vectors, [Penalty]
}

// Errors returns λ min_κ y(κ) and the other errors, which follow from it as in [Risk.Errors], for y(κ) = m₂|v|² +
// m₁|rest|²/n + (1+e) κᵀPenalty κ with the linear part v and the rest of labels − Σ κᵢ left vectorᵢ.
func (f Forms) Errors(lambda float64, t Resolvent) (Errors, error) {
	whole := f.weighed(t.Linear, t.All, 1+t.Leak)
	kappa, err := minimiser(whole)
	if err != nil {
		return Errors{}, err
	}
	test := mat.Inner(kappa, f.weighed(t.Bias(), t.Noise(), t.Spread()), kappa)
	return Errors{Objective: lambda * mat.Inner(kappa, whole, kappa), Train: math.Pow(lambda*t.All, 2) * test, Test: test,
		Resolvent: t}, nil
}

// weighed returns the matrix of the quadratic form in (1, −κ).
func (f Forms) weighed(linear, all, leak float64) *mat.SymDense {
	k := f.Linear.SymmetricDim()
	out := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			sum := linear*f.Linear.At(i, j) + all*f.Rest.At(i, j)
			if j > 0 {
				sum += leak * f.Penalty.At(i-1, j-1)
			}
			out.SetSym(i, j, sum)
		}
	}
	return out
}

// Penalty returns the inverse of the Gram matrix of the right vectors of the first columns, bordered with zeros for the
// rest of the k columns, which have no penalty. Right may be nil; k = 0 gives nil.
func Penalty(right *mat.SymDense, k int) (*mat.Dense, error) {
	if k == 0 {
		return nil, nil
	}
	out := mat.NewDense(k, k, nil)
	if right == nil {
		return out, nil
	}
	n := right.SymmetricDim()
	unit, inverse := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	scale := func(i, j int) float64 { return 1 / math.Sqrt(right.At(i, i)*right.At(j, j)) }
	unit.Apply(func(i, j int, _ float64) float64 { return right.At(i, j) * scale(i, j) }, unit)
	if err := inverse.Inverse(unit); err != nil {
		return nil, errors.New("onestep: the right vectors of the spikes are too close to dependent")
	}
	for i := range n {
		for j := range n {
			out.Set(i, j, inverse.At(i, j)*scale(i, j))
		}
	}
	return out, nil
}

// minimiser returns (1, −κ) at the minimum of a quadratic form, from equations scaled to a unit diagonal.
func minimiser(whole *mat.SymDense) (*mat.VecDense, error) {
	k := whole.SymmetricDim() - 1
	out := mat.NewVecDense(k+1, nil)
	out.SetVec(0, 1)
	if k == 0 {
		return out, nil
	}
	system, right, scale := mat.NewDense(k, k, nil), mat.NewDense(k, 1, nil), make([]float64, k)
	for i := range k {
		scale[i] = 1 / math.Sqrt(whole.At(i+1, i+1))
		right.Set(i, 0, scale[i]*whole.At(0, i+1))
		for j := range i + 1 {
			value := scale[i] * scale[j] * whole.At(i+1, j+1)
			system.Set(i, j, value)
			system.Set(j, i, value)
		}
	}
	pivots := make([]int, k)
	if !lapack64.Getrf(system.RawMatrix(), pivots) {
		return nil, errors.New("onestep: the left vectors of the spikes are dependent")
	}
	lapack64.Getrs(blas.NoTrans, system.RawMatrix(), right.RawMatrix(), pivots)
	for i := range k {
		out.SetVec(i+1, -scale[i]*right.At(i, 0))
	}
	return out, nil
}
