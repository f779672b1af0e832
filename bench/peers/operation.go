package peers

import (
	"slices"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/bench/testmatrix"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
)

// operation is one thing to compute, for square matrices of a size.
type operation struct {
	name string
	make func(im kernel.Kernel, n int) task
}

// task is an operation on a given input.
type task struct {
	a, b  *mat.Dense                             // the operands; b only for products
	ours  func() ([]*mat.Dense, error)           // one computation; the results are in the peer's order and shapes
	timed func() error                           // one computation, without what ours does for the comparison
	ratio func(results []*mat.Dense) props.Ratio // how wrong a result is; it holds at most 1
}

// operations lists what can be compared; add here, and in peer.py.
var operations = []operation{
	{"matmul", matmul},
	{"svd-thin", func(im kernel.Kernel, n int) task { return svd(im, n, mat.SVDThin) }},
	{"svd-values", func(im kernel.Kernel, n int) task { return svd(im, n, mat.SVDNone) }},
	{"eigh", eigh},
}

// Operations lists the names of what can be compared.
func Operations() []string {
	var names []string
	for _, o := range operations {
		names = append(names, o.name)
	}
	return names
}

// matmul is C = A·B into memory that is there already.
func matmul(im kernel.Kernel, n int) task {
	a, b, c := testmatrix.Uniform("left", n, n), testmatrix.Uniform("right", n, n), mat.NewDense(n, n, nil)
	t := task{a: a, b: b}
	t.timed = func() error {
		x, y, z := a.RawMatrix(), b.RawMatrix(), c.RawMatrix()
		im.BLAS.Dgemm(gblas.NoTrans, gblas.NoTrans, n, n, n, 1, x.Data, x.Stride, y.Data, y.Stride, 0, z.Data, z.Stride)
		return nil
	}
	t.ours = func() ([]*mat.Dense, error) { return []*mat.Dense{c}, t.timed() }
	t.ratio = func(results []*mat.Dense) props.Ratio {
		if len(results) != 1 {
			return props.Condition(false)
		}
		return kernels.MatMulRatio(results[0], a, b)
	}
	return t
}

// svd is the thin decomposition, returned as U, a row of values and Vᵀ, or the values alone.
func svd(im kernel.Kernel, n int, kind mat.SVDKind) task {
	spectrum := testmatrix.Geometric(n)
	a := testmatrix.WithSingularValues(n, n, spectrum)
	t := task{a: a}
	t.timed = func() error {
		_, err := kernels.SVD(im, a, kind)
		return err
	}
	t.ours = func() ([]*mat.Dense, error) {
		f, err := kernels.SVD(im, a, kind)
		if err != nil {
			return nil, err
		}
		values := mat.NewDense(1, len(f.Values), f.Values)
		if kind == mat.SVDNone {
			return []*mat.Dense{values}, nil
		}
		return []*mat.Dense{f.U, values, mat.DenseCopyOf(f.V.T())}, nil
	}
	t.ratio = func(results []*mat.Dense) props.Ratio {
		var f kernels.SVDFactors
		switch {
		case kind == mat.SVDNone && len(results) == 1:
			f.Values = row(results[0])
		case kind != mat.SVDNone && len(results) == 3:
			f = kernels.SVDFactors{Values: row(results[1]), U: results[0], V: mat.DenseCopyOf(results[2].T())}
		}
		return kernels.SVDRatio(a, spectrum, kind, f)
	}
	return t
}

// eigh is a row of eigenvalues and the vectors of a symmetric matrix.
func eigh(im kernel.Kernel, n int) task {
	spectrum := testmatrix.Linear(n)
	a := testmatrix.WithEigenvalues(spectrum)
	t := task{a: mat.DenseCopyOf(a)}
	t.timed = func() error {
		_, err := kernels.SymEigen(im, a, true)
		return err
	}
	t.ours = func() ([]*mat.Dense, error) {
		f, err := kernels.SymEigen(im, a, true)
		if err != nil {
			return nil, err
		}
		return []*mat.Dense{mat.NewDense(1, len(f.Values), f.Values), f.V}, nil
	}
	t.ratio = func(results []*mat.Dense) props.Ratio {
		var f kernels.EigenFactors
		if len(results) == 2 {
			f = kernels.EigenFactors{Values: row(results[0]), V: results[1]}
		}
		return kernels.EigenRatio(a, spectrum, true, f)
	}
	return t
}

// row is the entries of a matrix with one row.
func row(a *mat.Dense) []float64 {
	if rows, _ := a.Dims(); rows != 1 {
		return nil
	}
	return slices.Clone(a.RawRowView(0))
}
