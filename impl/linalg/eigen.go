package linalg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// SymEigen factorises the symmetric n×n matrix a = v·diag(values)·vᵀ and leaves a unchanged; the values are ascending. v
// is nil unless vectors is set. An entry that is not finite gives an error that wraps [ErrNotFinite] and names the
// entry; an eigenvalue beyond the largest number is an error too. For n = 0 all results are nil.
//
// Method: scaling by a power of two, blocked tridiagonalisation, divide and conquer, blocked back-transformation; values alone by the QR
// iteration without square roots of Pal, Walker and Kahan. Cost about 14/3·n³ flops with vectors, 4/3·n³ without.
func SymEigen(a mat.Symmetric, vectors bool) (values []float64, v *mat.Dense, err error) {
	n := a.SymmetricDim()
	if n == 0 {
		return nil, nil, nil
	}
	values = make([]float64, n)
	var raw blas64.General
	if vectors {
		v = mat.NewDense(n, n, nil)
		raw = v.RawMatrix()
	}
	space := borrow()
	defer space.giveBack()
	work, scale, err := space.scaledSymmetric(a)
	if err == nil {
		err = space.symEigen(work, scale, values, raw)
	}
	if err != nil {
		return nil, nil, err
	}
	return values, v, nil
}

// symEigen is the eigenproblem of work/scale, into results that are there: v has n columns, or none where no vectors are
// wanted.
func (w *workspace) symEigen(work blas64.General, scale float64, d []float64, v blas64.General) error {
	n := len(d)
	e := w.zeros(n)
	r := w.tridiagonalise(work, d, e)
	if v.Cols == 0 {
		if !(gonum.Implementation{}).Dsterf(n, d, e[:n-1]) {
			return errors.New("linalg: QR iteration for eigenvalues did not converge")
		}
	} else {
		q, err := w.divideTridiagonal(d, e)
		if err != nil {
			return err
		}
		ascending := w.general(n, n)
		for i, from := range w.ordered(d) {
			copy(rowOf(ascending, i), rowOf(q, from))
		}
		w.applyBackward(r, ascending)
		w.polish(ascending)
		transposeInto(v, ascending)
		slices.Sort(d)
	}
	for i := range d {
		if d[i] /= scale; math.IsInf(d[i], 0) {
			return errors.New("linalg: an eigenvalue overflows")
		}
	}
	return nil
}

// scaledSymmetric copies the upper triangle of a, times a power of two that brings its largest entry near 1.
func (w *workspace) scaledSymmetric(a mat.Symmetric) (blas64.General, float64, error) {
	n := a.SymmetricDim()
	work := w.blank(n, n)
	raw, direct := a.(*mat.SymDense)
	size := 0.0
	for i := range n {
		row := rowOf(work, i)
		if direct {
			s := raw.RawSymmetric()
			copy(row[i:], s.Data[i*s.Stride+i:i*s.Stride+n])
		} else {
			for j := i; j < n; j++ {
				row[j] = a.At(i, j)
			}
		}
		top := largest(row[i:])
		if !(top <= math.MaxFloat64) {
			j := i + notFinite(row[i:])
			return work, 0, errNotFinite(i, j, row[j])
		}
		size = max(size, top)
	}
	scale := normaliser(size)
	for i := range n {
		kernels.Dscal(n-i, scale, rowOf(work, i)[i:], 1)
	}
	return work, scale, nil
}

// largest is the largest modulus, NaN if there is one. As integers the moduli have the same order, with NaN at the top.
func largest(x []float64) float64 {
	var top uint64
	for _, v := range x {
		top = max(top, math.Float64bits(v)&^(1<<63))
	}
	return math.Float64frombits(top)
}

// notFinite is the first index of an entry that is NaN or infinite, or -1.
func notFinite(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

func errNotFinite(i, j int, v float64) error {
	return fmt.Errorf("%w: entry (%d, %d) is %v", ErrNotFinite, i, j, v)
}
