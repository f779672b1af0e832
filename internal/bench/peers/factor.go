package peers

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/props"
)

// qrOf is the reduced QR factorisation of an aspect·n×n matrix.
func qrOf(aspect int) func(im kernel.Kernel, n int) task {
	return func(_ kernel.Kernel, n int) task {
		a := testmatrix.WithSingularValues(aspect*n, n, testmatrix.Geometric(n))
		t := task{a: a}
		t.ours = func() ([]*mat.Dense, error) {
			f, err := linalg.QR(a)
			if err != nil {
				return nil, err
			}
			return []*mat.Dense{f.Q(), f.R()}, nil
		}
		t.timed = func() error { _, err := t.ours(); return err }
		t.ratio = of(2, func(results []*mat.Dense) props.Ratio { return kernels.QRRatio(a, results[0], results[1]) })
		return t
	}
}

// cholesky is the lower factor of a symmetric positive definite matrix.
func cholesky(_ kernel.Kernel, n int) task {
	a := testmatrix.WithEigenvalues(testmatrix.Geometric(n))
	t := task{a: mat.DenseCopyOf(a)}
	t.timed = func() error { _, err := linalg.Cholesky(a); return err }
	t.ours = func() ([]*mat.Dense, error) {
		l, err := linalg.Cholesky(a)
		if err != nil {
			return nil, err
		}
		return []*mat.Dense{mat.DenseCopyOf(l)}, nil
	}
	t.ratio = of(1, func(results []*mat.Dense) props.Ratio { return kernels.CholeskyRatio(a, results[0]) })
	return t
}

// polarOf is the orthogonal polar factor of an aspect·n×n matrix, which NumPy makes from an SVD.
func polarOf(aspect int) func(im kernel.Kernel, n int) task {
	return func(im kernel.Kernel, n int) task {
		spectrum := testmatrix.Geometric(n)
		a := testmatrix.WithSingularValues(aspect*n, n, spectrum)
		t := task{a: a}
		t.ours = func() ([]*mat.Dense, error) {
			u, err := im.Polar(a)
			return []*mat.Dense{u}, err
		}
		t.timed = func() error { _, err := im.Polar(a); return err }
		t.ratio = of(1, func(results []*mat.Dense) props.Ratio {
			return kernels.PolarRatio(a, spectrum, results[0])
		})
		return t
	}
}
