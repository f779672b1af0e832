package dlblas

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// lapackRoutines are factorisations of LAPACK in one precision with Fortran's calling convention: all arguments by
// address, matrices by columns, the lengths of strings last.
type lapackRoutines[F float32 | float64] struct {
	letter string // of the precision, in names
	file   string // where they are

	gesdd func(job *byte, m, n *int32, a *F, lda *int32, s, u *F, ldu *int32, vt *F, ldvt *int32, work *F, lwork, iwork,
		info *int32, lenJob uintptr)
	gesvd func(jobU, jobVT *byte, m, n *int32, a *F, lda *int32, s, u *F, ldu *int32, vt *F, ldvt *int32, work *F, lwork,
		info *int32, lenU, lenVT uintptr)
	syevd func(job, ul *byte, n *int32, a *F, lda *int32, w, work *F, lwork, iwork, liwork, info *int32, lenJob,
		lenUl uintptr)
	syevr func(job, choice, ul *byte, n *int32, a *F, lda *int32, vl, vu *F, il, iu *int32, abstol *F, m *int32, w, z *F,
		ldz, isuppz *int32, work *F, lwork, iwork, liwork, info *int32, lenJob, lenChoice, lenUl uintptr)
	geqrf func(m, n *int32, a *F, lda *int32, tau, work *F, lwork, info *int32)
	orgqr func(m, n, k *int32, a *F, lda *int32, tau, work *F, lwork, info *int32)
	potrf func(ul *byte, n *int32, a *F, lda, info *int32, lenUl uintptr)
}

func (r *lapackRoutines[F]) bind(h handle, letter, file string) {
	r.letter, r.file = letter, file
	for name, fn := range map[string]any{"gesdd": &r.gesdd, "gesvd": &r.gesvd, "syevd": &r.syevd, "syevr": &r.syevr,
		"geqrf": &r.geqrf, "orgqr": &r.orgqr, "potrf": &r.potrf} {
		h.bind(fn, letter+name+"_")
	}
}

// HasLAPACK reports whether SVD and SymEigen are there.
func (l *Library) HasLAPACK() bool { return l.lapack.gesdd != nil && l.lapack.syevd != nil }

// errNoLAPACK is the error of a library without LAPACK.
var errNoLAPACK = errors.New("dlblas: the library has no LAPACK")

// room is memory for n numbers that tells whether a routine has written behind it.
type room[T int32 | float32 | float64] struct{ all []T }

const behind, mark = 64, 77

func newRoom[T int32 | float32 | float64](n int) room[T] {
	r := room[T]{make([]T, max(1, n)+behind)}
	for i := range behind {
		r.all[len(r.all)-1-i] = mark
	}
	return r
}

func (r room[T]) first() *T { return &r.all[0] }
func (r room[T]) intact() bool {
	return !slices.ContainsFunc(r.all[len(r.all)-behind:], func(x T) bool { return x != mark })
}

// holding is such memory with numbers in it.
func holding[F float32 | float64](numbers []float64) room[F] {
	r := newRoom[F](len(numbers))
	for i, x := range numbers {
		r.all[i] = F(x)
	}
	return r
}

// wide are the first n numbers in double precision.
func (r room[T]) wide(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(r.all[i])
	}
	return out
}

// twice asks a routine for the size of its workspaces and then calls it with these.
func (r *lapackRoutines[F]) twice(routine string, call func(work *F, lwork *int32, iwork, liwork, info *int32),
	others ...interface{ intact() bool }) error {
	var info int32
	work, iwork, lwork, liwork := newRoom[F](1), newRoom[int32](1), int32(-1), int32(-1)
	if call(work.first(), &lwork, iwork.first(), &liwork, &info); info == 0 {
		lwork, liwork = int32(work.all[0]), iwork.all[0]
		work, iwork = newRoom[F](int(lwork)), newRoom[int32](int(liwork))
		call(work.first(), &lwork, iwork.first(), &liwork, &info)
	}
	return r.outcome(routine, info, append(others, work, iwork)...)
}

// outcome translates info.
func (r *lapackRoutines[F]) outcome(routine string, info int32, used ...interface{ intact() bool }) error {
	routine = r.letter + routine
	for _, memory := range used {
		if !memory.intact() {
			return fmt.Errorf("dlblas: %s writes behind a workspace or a result of the size that it asks for", routine)
		}
	}
	switch {
	case info < 0:
		return fmt.Errorf("dlblas: %s refused argument %d", routine, -info)
	case info > 0 && routine[1:] == "potrf":
		return fmt.Errorf("dlblas: the matrix is not positive definite (%s: info = %d)", routine, info)
	case info > 0:
		return fmt.Errorf("dlblas: %s did not converge (info = %d)", routine, info)
	}
	return nil
}

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
	return l.lapack.svd(false)(a, kind)
}

// svd is an SVD by divide and conquer, or by QR iteration.
func (r *lapackRoutines[F]) svd(iteration bool) func(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64,
	v *mat.Dense, err error) {
	return func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
		m, n := a.Dims()
		short := min(m, n)
		if short == 0 {
			return nil, nil, nil, nil
		}
		numbers := entries(a)
		if err := finite(numbers, n); err != nil {
			return nil, nil, nil, err
		}
		job, colsU, colsV := byte('N'), 0, 0
		switch kind {
		case mat.SVDThin:
			job, colsU, colsV = 'S', short, short
		case mat.SVDFull:
			job, colsU, colsV = 'A', m, n
		}
		// By columns, the memory of a is aᵀ = v·diag(s)·uᵀ: LAPACK's first factor is v (n×colsV by columns, that is vᵀ
		// by rows), and its second, uᵀ, is by columns what u is by rows.
		work, s := holding[F](numbers), newRoom[F](short)
		first, second := newRoom[F](n*colsV), newRoom[F](m*colsU)
		rows, cols, ldv := small(n), small(m), small(max(1, colsU))
		var err error
		if iteration {
			err = r.twice("gesvd", func(space *F, lwork, _, liwork, info *int32) {
				*liwork = 1
				r.gesvd(&job, &job, &rows, &cols, work.first(), &rows, s.first(), first.first(), &rows, second.first(), &ldv,
					space, lwork, info, 1, 1)
			}, work, s, first, second)
		} else {
			integers := newRoom[int32](8 * short)
			err = r.twice("gesdd", func(space *F, lwork, _, liwork, info *int32) {
				*liwork = 1
				r.gesdd(&job, &rows, &cols, work.first(), &rows, s.first(), first.first(), &rows, second.first(), &ldv,
					space, lwork, integers.first(), info, 1)
			}, work, s, first, second, integers)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if kind == mat.SVDNone {
			return nil, s.wide(short), nil, nil
		}
		v := mat.NewDense(n, colsV, nil)
		v.Copy(mat.NewDense(colsV, n, first.wide(n*colsV)).T())
		return mat.NewDense(m, colsU, second.wide(m*colsU)), s.wide(short), v, nil
	}
}

// SymEigen factorises the symmetric matrix a (n×n), leaving it unchanged, by dsyevd (divide and conquer):
// a = v·diag(w)·vᵀ, w ascending; v is nil unless vectors is set. Entries that are not finite are an error.
func (l *Library) SymEigen(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error) {
	if !l.HasLAPACK() {
		return nil, nil, errNoLAPACK
	}
	return l.lapack.symEigen(false)(a, vectors)
}

// symEigen is a decomposition by divide and conquer, or by relatively robust representations.
func (r *lapackRoutines[F]) symEigen(robust bool) func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
	return func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
		n := a.SymmetricDim()
		if n == 0 {
			return nil, nil, nil
		}
		numbers := entries(a)
		if err := finite(numbers, n); err != nil {
			return nil, nil, err
		}
		job, lower, size := byte('N'), byte('L'), small(n)
		if vectors {
			job = 'V'
		}
		work, w := holding[F](numbers), newRoom[F](n)
		found := work // syevd leaves the vectors in the place of the matrix
		var err error
		if robust {
			all, z, support, none, index := byte('A'), newRoom[F](n*n), newRoom[int32](2*n), F(0), int32(0)
			err = r.twice("syevr", func(space *F, lwork, iwork, liwork, info *int32) {
				r.syevr(&job, &all, &lower, &size, work.first(), &size, &none, &none, &index, &index, &none, &index, w.first(),
					z.first(), &size, support.first(), space, lwork, iwork, liwork, info, 1, 1, 1)
			}, work, w, z, support)
			found = z
		} else {
			err = r.twice("syevd", func(space *F, lwork, iwork, liwork, info *int32) {
				r.syevd(&job, &lower, &size, work.first(), &size, w.first(), space, lwork, iwork, liwork, info, 1, 1)
			}, work, w)
		}
		if err != nil || !vectors {
			return w.wide(n), nil, err
		}
		v := mat.NewDense(n, n, nil)
		v.Copy(mat.NewDense(n, n, found.wide(n*n)).T()) // the vectors are columns of LAPACK's matrix, rows of ours
		return w.wide(n), v, nil
	}
}

// qr factorises a (m×n) by geqrf and orgqr.
func (r *lapackRoutines[F]) qr(a *mat.Dense) (q, upper *mat.Dense, err error) {
	m, n := a.Dims()
	k := min(m, n)
	if k == 0 {
		return new(mat.Dense), new(mat.Dense), nil
	}
	numbers := entries(a.T()) // by columns
	if err := finite(numbers, m); err != nil {
		return nil, nil, err
	}
	rows, cols, short := small(m), small(n), small(k)
	work, tau := holding[F](numbers), newRoom[F](k)
	err = r.twice("geqrf", func(space *F, lwork, _, liwork, info *int32) {
		*liwork = 1
		r.geqrf(&rows, &cols, work.first(), &rows, tau.first(), space, lwork, info)
	}, work, tau)
	if err != nil {
		return nil, nil, err
	}
	upper = mat.NewDense(k, n, nil)
	for i := range k {
		for j := i; j < n; j++ {
			upper.Set(i, j, float64(work.all[j*m+i]))
		}
	}
	err = r.twice("orgqr", func(space *F, lwork, _, liwork, info *int32) {
		*liwork = 1
		r.orgqr(&rows, &short, &short, work.first(), &rows, tau.first(), space, lwork, info)
	}, work, tau)
	q = mat.NewDense(m, k, nil)
	q.Copy(mat.NewDense(k, m, work.wide(k*m)).T())
	return q, upper, err
}

// cholesky factorises a symmetric positive definite matrix by potrf. By columns, an upper triangle is a lower one by
// rows.
func (r *lapackRoutines[F]) cholesky(a *mat.SymDense) (*mat.TriDense, error) {
	n := a.SymmetricDim()
	if n == 0 {
		return new(mat.TriDense), nil
	}
	numbers := entries(a)
	if err := finite(numbers, n); err != nil {
		return nil, err
	}
	upper, size, info, work := byte('U'), small(n), int32(0), holding[F](numbers)
	r.potrf(&upper, &size, work.first(), &size, &info, 1)
	if err := r.outcome("potrf", info, work); err != nil {
		return nil, err
	}
	l := mat.NewTriDense(n, mat.Lower, nil)
	for i := range n {
		for j := range i + 1 {
			l.SetTri(i, j, float64(work.all[i*n+j]))
		}
	}
	return l, nil
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
