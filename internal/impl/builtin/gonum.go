package builtin

import (
	"errors"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/kernel"
)

// Gonum is gonum all through: its factorisations run on its own BLAS. Nothing is added: what gonum does not look at,
// such as NaN or emptiness, is not looked at here.
func Gonum() kernel.Kernel {
	own := blasgonum.Implementation{}
	return on(kernel.Kernel{Name: "gonum", BLAS: own, Rotations: gonum.Implementation{}, SVD: gonumSVD,
		SymEigen: gonumSymEigen}, own)
}

// GonumSingle is gonum's BLAS in single precision.
func GonumSingle() kernel.Kernel {
	return kernel.Kernel{Name: "gonum-single", BLAS32: blasgonum.Implementation{}}
}

// GonumOnThm returns gonum's factorisations on the kernels of this module, as [blas.Use] sets them up.
func GonumOnThm() kernel.Kernel {
	return on(kernel.Kernel{Name: "gonum-thm", SVD: gonumSVD, SymEigen: gonumSymEigen, SetThreads: blas.SetThreads},
		blas.Implementation{})
}

// on registers a BLAS with blas64 for the time in which the kernel runs. gonum's factorisations take theirs from there,
// so that no result depends on what ran before.
func on(k kernel.Kernel, registered gblas.Float64) kernel.Kernel {
	k.Prepare = func() (restore func(), err error) {
		before := blas64.Implementation()
		blas64.Use(registered)
		return func() { blas64.Use(before) }, nil
	}
	return k
}

var errNoConvergence = errors.New("builtin: gonum's iteration did not converge")

// gonumSVD is [mat.SVD], LAPACK's dgesvd.
func gonumSVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	var f mat.SVD
	if !f.Factorize(a, kind) {
		return nil, nil, nil, errNoConvergence
	}
	s = f.Values(nil)
	if kind != mat.SVDNone {
		u, v = new(mat.Dense), new(mat.Dense)
		f.UTo(u)
		f.VTo(v)
	}
	return u, s, v, nil
}

// gonumSymEigen is [mat.EigenSym], LAPACK's dsyev.
func gonumSymEigen(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error) {
	var f mat.EigenSym
	if !f.Factorize(a, vectors) {
		return nil, nil, errNoConvergence
	}
	if vectors {
		v = new(mat.Dense)
		f.VectorsTo(v)
	}
	return f.Values(nil), v, nil
}
