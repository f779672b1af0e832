package kernels

import (
	"sync"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dlblas"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/impl/builtin"
)

// Impls lists what is measured: the implementations of this module, gonum's, gonum's factorisations on the kernels of
// this module, and the libraries that are found on the machine. Add here.
var Impls = sync.OnceValue(func() []kernel.Kernel {
	list := []kernel.Kernel{builtin.Thm(), Gonum(), builtin.GonumOnThm()}
	for _, name := range []string{"openblas", "blis"} {
		if l, err := dlblas.Find(name); err == nil {
			list = append(list, withPolar(l.Kernel()))
		}
	}
	return list
})

// Gonum is gonum on its own kernels.
func Gonum() kernel.Kernel {
	return withPolar(builtin.Gonum())
}

// withPolar adds a polar factor to a kernel that has none of its own: U·Vᵀ from the factors of its SVD.
func withPolar(k kernel.Kernel) kernel.Kernel {
	if k.Polar == nil && k.SVD != nil {
		k.Polar = polarBySVD(k.SVD, k.BLAS)
	}
	return k
}

func polarBySVD(svd kernel.SVD, multiply gblas.Float64) kernel.Polar {
	return func(a *mat.Dense) (*mat.Dense, error) {
		u, _, v, err := svd(a, mat.SVDThin)
		if err != nil {
			return nil, err
		}
		m, n := a.Dims()
		p := mat.NewDense(m, n, nil)
		gemm(multiply, gblas.Trans, p, u, v)
		return p, nil
	}
}

// gemm sets dst to a·b or, with gblas.Trans, to a·bᵀ.
func gemm(kernels gblas.Float64, tB gblas.Transpose, dst, a, b *mat.Dense) {
	x, y, z := a.RawMatrix(), b.RawMatrix(), dst.RawMatrix()
	kernels.Dgemm(gblas.NoTrans, tB, z.Rows, z.Cols, x.Cols, 1, x.Data, x.Stride, y.Data, y.Stride, 0, z.Data, z.Stride)
}

// SVDFactors are the factors of A = U·diag(Values)·Vᵀ for an m×n matrix A, with r = min(m, n).
type SVDFactors struct {
	Values []float64  // r, descending, not negative
	U      *mat.Dense // m×r for a thin decomposition, m×m for a full one, nil for values alone
	V      *mat.Dense // n×r for a thin decomposition, n×n for a full one, nil for values alone
}

// SVD calls the kernel's.
func SVD(k kernel.Kernel, a *mat.Dense, kind mat.SVDKind) (f SVDFactors, err error) {
	f.U, f.Values, f.V, err = k.SVD(a, kind)
	return f, err
}

// EigenFactors are the factors of A = V·diag(Values)·Vᵀ for a symmetric n×n matrix A.
type EigenFactors struct {
	Values []float64  // n, ascending
	V      *mat.Dense // n×n, orthogonal; nil for values alone
}

// SymEigen calls the kernel's.
func SymEigen(k kernel.Kernel, a *mat.SymDense, vectors bool) (f EigenFactors, err error) {
	f.Values, f.V, err = k.SymEigen(a, vectors)
	return f, err
}
