package linalg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// SymEigen factorises the symmetric n×n matrix a = v·diag(w)·vᵀ and leaves a unchanged; w is ascending. v is nil unless
// vectors is set. An entry that is not finite gives an error that wraps [ErrNotFinite] and names the entry; an
// eigenvalue beyond the largest number is an error too. For n = 0 all results are nil.
//
// Method: scaling by a power of two, tridiagonalisation, by panels where the matrix does not stay in cache, divide and
// conquer, blocked back-transformation; values alone by the QR iteration without square roots of Pal, Walker and Kahan.
// Cost about 14/3·n³ flops with vectors, 4/3·n³ without.
func SymEigen(a mat.Symmetric, vectors bool) (w []float64, v *mat.Dense, err error) {
	n := a.SymmetricDim()
	if vectors {
		return symEigen(a, n)
	}
	w, _, err = symEigen(a, 0)
	return w, nil, err
}

// LargestEigen returns the k largest eigenvalues of the symmetric matrix a, descending, and their vectors as the
// columns of v (n×k). It panics unless 0 ≤ k ≤ n; errors are as for [SymEigen]. Only the transformation of the vectors
// profits from a small k; for a few values of a large matrix see [Leading].
func LargestEigen(a mat.Symmetric, k int) (w []float64, v *mat.Dense, err error) {
	n := a.SymmetricDim()
	if k < 0 || k > n {
		panic("linalg: number of eigenvalues out of range")
	}
	if k == 0 {
		return nil, nil, nil
	}
	all, ascending, err := symEigen(a, k)
	if err != nil {
		return nil, nil, err
	}
	w = slices.Clone(all[n-k:])
	slices.Reverse(w)
	v = mat.NewDense(n, k, nil)
	for i := range n {
		row := v.RawRowView(i)
		copy(row, ascending.RawRowView(i))
		slices.Reverse(row)
	}
	return w, v, nil
}

// symEigen returns all eigenvalues, ascending, and the vectors of the largest count of them.
func symEigen(a mat.Symmetric, count int) ([]float64, *mat.Dense, error) {
	n := a.SymmetricDim()
	if n == 0 {
		return nil, nil, nil
	}
	d := make([]float64, n)
	var v *mat.Dense
	var raw blas64.General
	if count > 0 {
		v = mat.NewDense(n, count, nil)
		raw = v.RawMatrix()
	}
	w := borrow()
	defer w.giveBack()
	work, scale, err := w.scaledSymmetric(a)
	if err == nil {
		err = w.symEigen(work, scale, d, raw)
	}
	if err != nil {
		return nil, nil, err
	}
	return d, v, nil
}

// symEigen is the eigenproblem of work/scale, into results that are there: v has as many columns as there are to be
// vectors.
func (w *workspace) symEigen(work blas64.General, scale float64, d []float64, v blas64.General) error {
	n := len(d)
	defer gather(n * n)()
	e := w.zeros(n)
	r := w.tridiagonalise(work, d, e)
	if v.Cols == 0 {
		if err := tridiagonalValues(d, e[:n-1]); err != nil {
			return err
		}
	} else {
		q, err := w.divideTridiagonal(d, e)
		if err != nil {
			return err
		}
		chosen := w.general(v.Cols, n)
		for i, from := range w.ordered(d)[n-v.Cols:] {
			copy(rowOf(chosen, i), rowOf(q, from))
		}
		w.applyBackward(r, chosen)
		w.refine(chosen)
		transposeInto(v, chosen)
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
