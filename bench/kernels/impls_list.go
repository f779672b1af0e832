package kernels

import (
	"errors"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/dlblas"
	"github.com/thm-suite/thm/impl/linalg"
)

// Thm is what this module computes with.
func Thm() Impl {
	return Impl{
		Name: "thm",
		BLAS: blas.Implementation{},
		SVD:  FromSVD(linalg.SVD),
		SymEigen: func(a *mat.SymDense, vectors bool) (EigenFactors, error) {
			w, v, err := linalg.SymEigen(a, vectors)
			return EigenFactors{w, v}, err
		},
		Polar: func(a *mat.Dense) (*mat.Dense, error) {
			p, err := linalg.Polar(a, linalg.PolarOptions{})
			return p.U, err
		},
		Rotations: func(side gblas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int) {
			blas.ApplyRotations(side, false, m, n, sweeps, c, s, ldr, a, lda)
		},
		SetThreads: blas.SetThreads,
	}
}

// Gonum is gonum on its own kernels.
func Gonum() Impl {
	svd, eigen := on(gonum.Implementation{})
	return Impl{Name: "gonum", BLAS: gonum.Implementation{}, SVD: svd, SymEigen: eigen, Polar: polarBySVD(svd, gonum.Implementation{}),
		Rotations: sweepBySweep(lapackgonum.Implementation{})}
}

// gonumOnThm is what blas.Use makes of gonum: its factorisations on the kernels of this module.
func gonumOnThm() Impl {
	svd, eigen := on(blas.Implementation{})
	return Impl{Name: "gonum-thm", SVD: svd, SymEigen: eigen, SetThreads: blas.SetThreads}
}

// libraryImpl is a library of the system.
func libraryImpl(l *dlblas.Library) Impl {
	im := Impl{Name: l.Name, BLAS: l, SetThreads: func(n int) { l.SetThreads(n) }}
	if l.HasLAPACK() {
		im.SVD, im.SymEigen = FromSVD(l.SVD), FromSymEigen(l.SymEigen)
		im.Polar = polarBySVD(im.SVD, l)
	}
	if l.HasRotations() {
		im.Rotations = sweepBySweep(l)
	}
	return im
}

// on returns gonum's factorisations on given kernels. gonum keeps its kernels in a global variable; it is set before and
// put back after each call, so that no result depends on what ran before. The calls must not run at the same time as other
// uses of gonum's mat.
func on(kernels gblas.Float64) (SVD, SymEigen) {
	svd := func(a *mat.Dense, kind mat.SVDKind) (f SVDFactors, err error) {
		defer blas64.Use(blas64.Implementation())
		blas64.Use(kernels)
		var svd mat.SVD
		if !svd.Factorize(a, kind) {
			return f, errors.New("bench: gonum's SVD did not converge")
		}
		f.Values = svd.Values(nil)
		if kind != mat.SVDNone {
			f.U, f.V = new(mat.Dense), new(mat.Dense)
			svd.UTo(f.U)
			svd.VTo(f.V)
		}
		return f, nil
	}
	eigen := func(a *mat.SymDense, vectors bool) (f EigenFactors, err error) {
		defer blas64.Use(blas64.Implementation())
		blas64.Use(kernels)
		var eigen mat.EigenSym
		if !eigen.Factorize(a, vectors) {
			return f, errors.New("bench: gonum's symmetric eigenvalue iteration did not converge")
		}
		f.Values = eigen.Values(nil)
		if vectors {
			f.V = new(mat.Dense)
			eigen.VectorsTo(f.V)
		}
		return f, nil
	}
	return svd, eigen
}

// polarBySVD is the polar factor U·Vᵀ from the factors of the SVD, for who has no other way.
func polarBySVD(svd SVD, kernels gblas.Float64) Polar {
	return func(a *mat.Dense) (*mat.Dense, error) {
		f, err := svd(a, mat.SVDThin)
		if err != nil {
			return nil, err
		}
		m, n := a.Dims()
		u := mat.NewDense(m, n, nil)
		gemm(kernels, gblas.Trans, u, f.U, f.V)
		return u, nil
	}
}

// gemm sets dst to a·b or, with gblas.Trans, to a·bᵀ.
func gemm(kernels gblas.Float64, tB gblas.Transpose, dst, a, b *mat.Dense) {
	x, y, z := a.RawMatrix(), b.RawMatrix(), dst.RawMatrix()
	kernels.Dgemm(gblas.NoTrans, tB, z.Rows, z.Cols, x.Cols, 1, x.Data, x.Stride, y.Data, y.Stride, 0, z.Data, z.Stride)
}

// sweepBySweep applies rotations by LAPACK's dlasr, one sweep after the other.
func sweepBySweep(dlasr interface {
	Dlasr(side gblas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int)
}) Rotations {
	return func(side gblas.Side, m, n, sweeps int, c, s []float64, ldr int, a []float64, lda int) {
		for q := range sweeps {
			dlasr.Dlasr(side, lapack.Variable, lapack.Forward, m, n, c[q*ldr:(q+1)*ldr], s[q*ldr:(q+1)*ldr], a, lda)
		}
	}
}

// FromSVD turns a decomposition that returns its factors one by one into one of this package.
func FromSVD(svd func(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error)) SVD {
	return func(a *mat.Dense, kind mat.SVDKind) (SVDFactors, error) {
		u, s, v, err := svd(a, kind)
		return SVDFactors{s, u, v}, err
	}
}

// FromSymEigen does the same for symmetric eigenvalues.
func FromSymEigen(eigen func(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error)) SymEigen {
	return func(a *mat.SymDense, vectors bool) (EigenFactors, error) {
		w, v, err := eigen(a, vectors)
		return EigenFactors{w, v}, err
	}
}
