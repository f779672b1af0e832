package peers

import (
	"slices"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
)

// operation is one thing to compute. A square matrix has the order n, a tall one is 8n×n, a wide one n×8n, a stack
// holds stackCount of order n.
type operation struct {
	name    string
	make    func(im kernel.Kernel, n int) task
	largest int  // the largest n; 0 for any
	own     bool // of this module, whatever the kernel: no [kernel.Kernel] has it
}

// aspect is the ratio of the sides of tall and wide matrices.
const aspect = 8

// task is an operation on a given input.
type task struct {
	a, b  *mat.Dense                             // the operands; b only for products
	ours  func() ([]*mat.Dense, error)           // one computation; the results are in the peer's order and shapes
	timed func() error                           // one computation, without what ours does for the comparison
	ratio func(results []*mat.Dense) props.Ratio // how wrong a result is; it holds at most 1
}

// of judges results of which there must be so many.
func of(count int, judge func(results []*mat.Dense) props.Ratio) func(results []*mat.Dense) props.Ratio {
	return func(results []*mat.Dense) props.Ratio {
		if len(results) != count {
			return props.Condition(false)
		}
		return judge(results)
	}
}

// operations lists what can be compared; add here, and in peer.py.
var operations = []operation{
	{"matmul", matmul, 0, false},
	{"svd-thin", svdOf(1, 1, mat.SVDThin), 0, false},
	{"svd-values", svdOf(1, 1, mat.SVDNone), 0, false},
	{"eigh", eigh, 0, false},
	{"eigvalsh", eigvalsh, 0, false},
	{"qr", qrOf(1), 0, true},
	{"cholesky", cholesky, 0, true},
	{"polar", polarOf(1), 0, false},
	{"svd-thin-tall", svdOf(aspect, 1, mat.SVDThin), largestTall, false},
	{"svd-thin-wide", svdOf(1, aspect, mat.SVDThin), largestTall, false},
	{"svd-values-tall", svdOf(aspect, 1, mat.SVDNone), largestTall, false},
	{"qr-tall", qrOf(aspect), largestTall, true},
	{"polar-tall", polarOf(aspect), largestTall, false},
	{"matmul-stack", matmulStack, largestOfStack, true},
	{"svd-thin-stack", svdStack, largestOfStack, true},
	{"tangent-gram", tangentGram, 0, true},
	{"ridge-path", ridgePath, 0, true},
	{"algorithm-1", algorithm1, 0, true},
}

// largestTall keeps a tall matrix within maxEntries.
const largestTall = 1448

// Square lists the operations on square matrices, one at a time.
func Square() []string { return Operations()[:8] }

// Operations lists the names of what can be compared.
func Operations() []string {
	return list.Map(operations, func(o operation) string { return o.name })
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
	t.ratio = of(1, func(results []*mat.Dense) props.Ratio { return kernels.MatMulRatio(results[0], a, b) })
	return t
}

// svdOf is the decomposition of a rows·n×cols·n matrix.
func svdOf(rows, cols int, kind mat.SVDKind) func(im kernel.Kernel, n int) task {
	return func(im kernel.Kernel, n int) task { return svd(im, rows*n, cols*n, kind) }
}

// svd is the thin decomposition, returned as U, a row of values and Vᵀ, or the values alone.
func svd(im kernel.Kernel, m, n int, kind mat.SVDKind) task {
	spectrum := testmatrix.Geometric(min(m, n))
	a := testmatrix.WithSingularValues(m, n, spectrum)
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

// eigh is a row of eigenvalues and the vectors of a symmetric matrix, eigvalsh the values alone.
func eigh(im kernel.Kernel, n int) task     { return symmetric(im, n, true) }
func eigvalsh(im kernel.Kernel, n int) task { return symmetric(im, n, false) }

func symmetric(im kernel.Kernel, n int, vectors bool) task {
	spectrum := testmatrix.Linear(n)
	a := testmatrix.WithEigenvalues(spectrum)
	t := task{a: mat.DenseCopyOf(a)}
	t.timed = func() error {
		_, err := kernels.SymEigen(im, a, vectors)
		return err
	}
	t.ours = func() ([]*mat.Dense, error) {
		f, err := kernels.SymEigen(im, a, vectors)
		if err != nil {
			return nil, err
		}
		results := []*mat.Dense{mat.NewDense(1, len(f.Values), f.Values)}
		if vectors {
			results = append(results, f.V)
		}
		return results, nil
	}
	t.ratio = func(results []*mat.Dense) props.Ratio {
		var f kernels.EigenFactors
		switch {
		case vectors && len(results) == 2:
			f = kernels.EigenFactors{Values: row(results[0]), V: results[1]}
		case !vectors && len(results) == 1:
			f.Values = row(results[0])
		}
		return kernels.EigenRatio(a, spectrum, vectors, f)
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
