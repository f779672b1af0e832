package dlblas

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// lapackRoutines are functions of LAPACK with Fortran's calling convention: all arguments by address, matrices by
// columns, the lengths of strings last.
type lapackRoutines struct {
	dgesdd func(job *byte, m, n *int32, a *float64, lda *int32, s, u *float64, ldu *int32, vt *float64, ldvt *int32,
		work *float64, lwork, iwork, info *int32, lenJob uintptr)
	dsyevd func(job, ul *byte, n *int32, a *float64, lda *int32, w, work *float64, lwork, iwork, liwork, info *int32,
		lenJob, lenUl uintptr)
	dlasr func(side, pivot, direct *byte, m, n *int32, c, s, a *float64, lda *int32, lenSide, lenPivot,
		lenDirect uintptr)
}

func (r *lapackRoutines) bind(h handle) {
	h.bind(&r.dgesdd, "dgesdd_")
	h.bind(&r.dsyevd, "dsyevd_")
	h.bind(&r.dlasr, "dlasr_")
}

// HasLAPACK reports whether SVD and SymEigen are there.
func (l *Library) HasLAPACK() bool { return l.lapack.dgesdd != nil && l.lapack.dsyevd != nil }

// errNoLAPACK is what a library without LAPACK answers.
var errNoLAPACK = errors.New("dlblas: the library has no LAPACK")

// SVD factorises a (m×n), leaving it unchanged, by dgesdd (divide and conquer): a = u·diag(s)·vᵀ, s descending, of
// length r = min(m, n). u and v are nil for mat.SVDNone, m×r and n×r for mat.SVDThin, m×m and n×n for mat.SVDFull. The
// time includes copying a and transposing v, because LAPACK stores by columns. An empty matrix has no factors and no
// error.
//
// Entries that are not finite are an error before the library sees them: on some its error handler ends the process.
func (l *Library) SVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	if kind != mat.SVDNone && kind != mat.SVDThin && kind != mat.SVDFull {
		panic("dlblas: SVD computes no vectors, thin or full ones")
	}
	if !l.HasLAPACK() {
		return nil, nil, nil, errNoLAPACK
	}
	m, n := a.Dims()
	r := min(m, n)
	if r == 0 {
		return nil, nil, nil, nil
	}
	work := entries(a)
	if err := finite(work, n); err != nil {
		return nil, nil, nil, err
	}
	job, colsU, colsV := byte('N'), 0, 0
	switch kind {
	case mat.SVDThin:
		job, colsU, colsV = 'S', r, r
	case mat.SVDFull:
		job, colsU, colsV = 'A', m, n
	}
	// By columns, the memory of a is aᵀ = v·diag(s)·uᵀ: LAPACK's first factor is v (n×colsV by columns, that is vᵀ by
	// rows), and its second, uᵀ, is by columns what u is by rows.
	s = make([]float64, r)
	first, second := make([]float64, max(1, n*colsV)), make([]float64, max(1, m*colsU))
	if err := l.gesdd(job, n, m, work, s, first, second, max(1, colsU)); err != nil {
		return nil, nil, nil, err
	}
	if kind == mat.SVDNone {
		return nil, s, nil, nil
	}
	v = mat.NewDense(n, colsV, nil)
	v.Copy(mat.NewDense(colsV, n, first).T())
	return mat.NewDense(m, colsU, second), s, v, nil
}

// gesdd factorises an m×n matrix by columns, which it destroys.
func (l *Library) gesdd(job byte, m, n int, a, s, u, vt []float64, ldvt int) error {
	rows, cols, ldv := small(m), small(n), small(ldvt)
	iwork := make([]int32, 8*min(m, n))
	var info int32
	call := func(work []float64, lwork int32) {
		l.lapack.dgesdd(&job, &rows, &cols, &a[0], &rows, &s[0], &u[0], &rows, &vt[0], &ldv, &work[0], &lwork,
			&iwork[0], &info, 1)
	}
	size := make([]float64, 1)
	if call(size, -1); info == 0 {
		call(make([]float64, int(size[0])), int32(size[0]))
	}
	return outcome("dgesdd", info)
}

// SymEigen factorises the symmetric matrix a (n×n), leaving it unchanged, by dsyevd (divide and conquer):
// a = v·diag(w)·vᵀ, w ascending; v is nil unless vectors is set. Entries that are not finite are an error.
func (l *Library) SymEigen(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error) {
	if !l.HasLAPACK() {
		return nil, nil, errNoLAPACK
	}
	n := a.SymmetricDim()
	if n == 0 {
		return nil, nil, nil
	}
	factor := entries(a)
	if err := finite(factor, n); err != nil {
		return nil, nil, err
	}
	job := byte('N')
	if vectors {
		job = 'V'
	}
	w = make([]float64, n)
	if err := l.syevd(job, n, factor, w); err != nil {
		return nil, nil, err
	}
	if !vectors {
		return w, nil, nil
	}
	v = mat.NewDense(n, n, nil)
	v.Copy(mat.NewDense(n, n, factor).T()) // the vectors are columns of LAPACK's matrix, rows of ours
	return w, v, nil
}

// syevd replaces a symmetric matrix by its vectors, by columns.
func (l *Library) syevd(job byte, n int, a, w []float64) error {
	size32, lower := small(n), byte('L')
	var info int32
	call := func(work []float64, lwork int32, iwork []int32, liwork int32) {
		l.lapack.dsyevd(&job, &lower, &size32, &a[0], &size32, &w[0], &work[0], &lwork, &iwork[0], &liwork, &info, 1, 1)
	}
	size, isize := make([]float64, 1), make([]int32, 1)
	if call(size, -1, isize, -1); info == 0 {
		call(make([]float64, int(size[0])), int32(size[0]), make([]int32, isize[0]), isize[0])
	}
	return outcome("dsyevd", info)
}

// outcome translates info.
func outcome(routine string, info int32) error {
	switch {
	case info < 0:
		return fmt.Errorf("dlblas: %s refused argument %d", routine, -info)
	case info > 0:
		return fmt.Errorf("dlblas: %s did not converge (info = %d)", routine, info)
	}
	return nil
}

// finite names the first entry, of a matrix by rows, that is not finite.
func finite(a []float64, cols int) error {
	for i, x := range a {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("dlblas: entry (%d, %d) is %v", i/cols, i%cols, x)
		}
	}
	return nil
}

// entries copies the entries of a by rows, without gaps.
func entries(a mat.Matrix) []float64 { return mat.DenseCopyOf(a).RawMatrix().Data }
