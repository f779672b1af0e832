package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// SVDStack factorises every matrix of a, m×n, into results that are there, as [SVD] does one by one: the r = min(m, n)
// values of matrix i in s[i·r:(i+1)·r], the vectors in u (m×r or m×m) and v (n×r or n×n), or none on a side whose stack
// is empty. It panics when the shapes do not fit. The first error that SVD would return, wrapped with the number of the
// matrix, ends the work; the results are then of no use. On one thread it allocates nothing once its memory has grown
// to the size of a matrix.
//
// What a matrix gives depends on nothing but its entries, not on the other matrices, its place, or the number of
// threads. Thin vectors of matrices of up to 32 rows and columns come from eight matrices at a time, each in a lane of
// the vector registers, by reduction and QR iteration; they equal those of SVD up to rounding, and signs. All else has
// the bits of SVD.
func SVDStack(a kernel.Stack, s []float64, u, v kernel.Stack) error {
	r := min(a.Rows, a.Cols)
	a.Check()
	checkVectors(a, u, a.Rows, r)
	checkVectors(a, v, a.Cols, r)
	if len(s) < a.Count*r {
		panic("linalg: no room for the values of a stack")
	}
	if a.Count == 0 || r == 0 {
		return nil
	}
	job := svdStack{a, u, v, s}
	// A thread costs as much as the decomposition of a matrix of order 8 or so.
	if threads := min(kernel.Threads(), a.Count*a.Rows*a.Cols*r/stackWork); threads > 1 {
		return shareSVD(job, threads)
	}
	return job.run(0, a.Count)
}

// stackWork is the product of the sizes of what a thread takes at least.
const stackWork = 16 * 8 * 8 * 8

// checkVectors panics unless x is empty or has room for r or size vectors of that size for every matrix of a.
func checkVectors(a, x kernel.Stack, size, r int) {
	if x.Count == 0 {
		return
	}
	x.Check()
	if x.Count != a.Count || x.Rows != size || x.Cols != r && x.Cols != size {
		panic("linalg: the stacks of vectors do not fit")
	}
	if x.Count > 1 && x.Step < (x.Rows-1)*x.Ld+x.Cols {
		panic("linalg: matrices of vectors overlap")
	}
}

// svdStack is the work of one call.
type svdStack struct {
	a, u, v kernel.Stack
	s       []float64
}

// interleaved reports that the matrices are factorised some at a time.
func (j *svdStack) interleaved() bool {
	r := min(j.a.Rows, j.a.Cols)
	return max(j.a.Rows, j.a.Cols) <= interleavedOrder && j.u.Count+j.v.Count > 0 && j.u.Cols <= r && j.v.Cols <= r
}

// run factorises the matrices first to last-1.
func (j *svdStack) run(first, last int) error {
	if j.interleaved() {
		t := interleavedSVDs.Get().(*interleavedSVD)
		defer interleavedSVDs.Put(t)
		for i := first; i < last; i += lanes {
			if failed, err := t.factorise(j, i, min(last, i+lanes)); err != nil {
				return fmt.Errorf("matrix %d: %w", failed, err)
			}
		}
		return nil
	}
	w := borrow()
	defer w.giveBack()
	r := min(j.a.Rows, j.a.Cols)
	for i := first; i < last; i++ {
		w.rewind()
		if err := w.svd(entry(j.a, i), j.s[i*r:(i+1)*r], entry(j.u, i), entry(j.v, i)); err != nil {
			return fmt.Errorf("matrix %d: %w", i, err)
		}
	}
	return nil
}

// entry is matrix i of a stack, or an empty one if there is none.
func entry(s kernel.Stack, i int) blas64.General {
	if s.Count == 0 {
		return blas64.General{}
	}
	return blas64.General{Rows: s.Rows, Cols: s.Cols, Stride: s.Ld, Data: s.At(i)}
}

// shareSVD is run on several threads. The error is the first one in the order of the matrices.
func shareSVD(j svdStack, threads int) error {
	pieces := min(j.a.Count, 128)
	return parallel(threads, pieces, func(i int) error { return j.run(i*j.a.Count/pieces, (i+1)*j.a.Count/pieces) })
}
