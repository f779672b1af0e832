package peers

import (
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/props"
)

// Stacks are of matrices as small as property tests use. A stack is sent as one matrix, its matrices one below the
// other. Every judged-th of them is verified like a matrix by itself, which takes a thousand times as long as the
// computation, the others in plain arithmetic.
const (
	stackCount     = 10000
	largestOfStack = 32
	judged         = 500
)

// newStack is a stack of square matrices of order n, and the same numbers as one matrix.
func newStack(n int) (blas.Stack, *mat.Dense) {
	s := blas.NewStack(stackCount, n, n, nil)
	return s, mat.NewDense(stackCount*n, n, s.Data)
}

// entry is matrix i of a stack of square ones.
func entry(a *mat.Dense, i int) *mat.Dense {
	_, n := a.Dims()
	return mat.NewDense(n, n, a.RawMatrix().Data[i*n*n:(i+1)*n*n])
}

// worstOf is the worst ratio in a stack.
func worstOf(ratio, plain func(i int) props.Ratio) props.Ratio {
	all := make([]props.Ratio, stackCount)
	for i := range all {
		if i%judged == 0 {
			all[i] = ratio(i)
		} else {
			all[i] = plain(i)
		}
	}
	return props.Worst(all...)
}

// recomposed is the difference of a and the product left·diag(values)·right, in the Frobenius norm, divided by what a
// stable algorithm may be off by and as much again for this product. Without values they are ones.
func recomposed(a, left, right *mat.Dense, values []float64) props.Ratio {
	m, k := left.Dims()
	_, n := right.Dims()
	scaled := mat.DenseCopyOf(left)
	for j, x := range values {
		for i := range m {
			scaled.Set(i, j, x*left.At(i, j))
		}
	}
	var d mat.Dense
	d.Mul(scaled, right)
	d.Sub(&d, a)
	return props.Within(mat.Norm(&d, 2), 2*probe.StableError(m, max(n, k), mat.Norm(scaled, 2)*mat.Norm(right, 2)))
}

// matmulStack is a product for every matrix of a stack, into memory that is there already.
func matmulStack(_ kernel.Kernel, n int) task {
	x, a := newStack(n)
	y, b := newStack(n)
	z, c := newStack(n)
	a.Copy(testmatrix.Uniform("left", stackCount*n, n))
	b.Copy(testmatrix.Uniform("right", stackCount*n, n))
	t := task{a: a, b: b}
	t.timed = func() error {
		blas.GemmStack(gblas.NoTrans, gblas.NoTrans, 1, x, y, 0, z)
		return nil
	}
	t.ours = func() ([]*mat.Dense, error) { return []*mat.Dense{c}, t.timed() }
	t.ratio = func(results []*mat.Dense) props.Ratio {
		if len(results) != 1 || !shaped(results[0], stackCount*n, n) {
			return props.Condition(false)
		}
		return worstOf(func(i int) props.Ratio {
			return kernels.MatMulRatio(entry(results[0], i), entry(a, i), entry(b, i))
		}, func(i int) props.Ratio { return recomposed(entry(results[0], i), entry(a, i), entry(b, i), nil) })
	}
	return t
}

// svdStack is the thin SVD of every matrix of a stack: all U, the values in rows, all Vᵀ.
func svdStack(_ kernel.Kernel, n int) task {
	spectrum := testmatrix.Geometric(n)
	x, a := newStack(n)
	s := mat.NewDense(stackCount, n, nil)
	q := testmatrix.WithSingularValues(n, n, spectrum)
	for i := range stackCount { // columns in turns: other matrices with the same values
		for row := range n {
			for col := range n {
				a.Set(i*n+(row+i/n)%n, (col+i)%n, q.At(row, col))
			}
		}
	}
	y, u := newStack(n)
	z, v := newStack(n)
	t := task{a: a}
	t.timed = func() error { return linalg.SVDStack(x, s.RawMatrix().Data, y, z) }
	t.ours = func() ([]*mat.Dense, error) {
		vt := mat.NewDense(stackCount*n, n, nil)
		err := t.timed()
		for i := range stackCount {
			entry(vt, i).Copy(entry(v, i).T())
		}
		return []*mat.Dense{u, s, vt}, err
	}
	t.ratio = func(results []*mat.Dense) props.Ratio {
		if len(results) != 3 || !shaped(results[0], stackCount*n, n) || !shaped(results[1], stackCount, n) ||
			!shaped(results[2], stackCount*n, n) {
			return props.Condition(false)
		}
		return worstOf(func(i int) props.Ratio {
			return kernels.SVDRatio(entry(a, i), spectrum, mat.SVDThin, kernels.SVDFactors{
				U: entry(results[0], i), Values: results[1].RawRowView(i), V: mat.DenseCopyOf(entry(results[2], i).T())})
		}, func(i int) props.Ratio {
			return recomposed(entry(a, i), entry(results[0], i), entry(results[2], i), results[1].RawRowView(i))
		})
	}
	return t
}

func shaped(a *mat.Dense, rows, cols int) bool {
	r, c := a.Dims()
	return r == rows && c == cols
}
