package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/testmatrix"
	"github.com/thm-suite/thm/impl/linalg"
)

func TestQRRatioRejectsWrongFactors(t *testing.T) {
	a := testmatrix.WithSingularValues(30, 20, testmatrix.Geometric(20))
	f, err := linalg.QR(a)
	require.NoError(t, err)
	holds(t, QRRatio(a, f.Q(), f.R()))
	for name, poison := range map[string]func(q, r *mat.Dense) (*mat.Dense, *mat.Dense){
		"one entry of Q off":    func(q, r *mat.Dense) (*mat.Dense, *mat.Dense) { q.Set(3, 3, q.At(3, 3)+1e-10); return q, r },
		"one entry of R off":    func(q, r *mat.Dense) (*mat.Dense, *mat.Dense) { r.Set(3, 5, r.At(3, 5)+1e-10); return q, r },
		"below the diagonal":    func(q, r *mat.Dense) (*mat.Dense, *mat.Dense) { r.Set(5, 3, 1e-30); return q, r },
		"NaN":                   func(q, r *mat.Dense) (*mat.Dense, *mat.Dense) { q.Set(1, 2, math.NaN()); return q, r },
		"columns of Q scaled":   func(q, r *mat.Dense) (*mat.Dense, *mat.Dense) { q.Scale(2, q); r.Scale(0.5, r); return q, r },
		"no Q":                  func(_, r *mat.Dense) (*mat.Dense, *mat.Dense) { return nil, r },
		"R with too many rows":  func(q, _ *mat.Dense) (*mat.Dense, *mat.Dense) { return q, mat.NewDense(30, 20, nil) },
		"Q with all columns":    func(_, r *mat.Dense) (*mat.Dense, *mat.Dense) { return mat.NewDense(30, 30, nil), r },
		"Q·R, but nothing else": func(_, _ *mat.Dense) (*mat.Dense, *mat.Dense) { return a, identityOf(20) },
	} {
		t.Run(name, func(t *testing.T) {
			q, r := poison(f.Q(), f.R())
			rejected(t, QRRatio(a, q, r))
		})
	}
}

func TestCholeskyRatioRejectsWrongFactors(t *testing.T) {
	a := testmatrix.WithEigenvalues(testmatrix.Geometric(20))
	l, err := linalg.Cholesky(a)
	require.NoError(t, err)
	holds(t, CholeskyRatio(a, mat.DenseCopyOf(l)))
	for name, poison := range map[string]func(l *mat.Dense) *mat.Dense{
		"one entry off":       func(l *mat.Dense) *mat.Dense { l.Set(7, 3, l.At(7, 3)+1e-10); return l },
		"above the diagonal":  func(l *mat.Dense) *mat.Dense { l.Set(3, 7, 1e-30); return l },
		"negative diagonal":   func(l *mat.Dense) *mat.Dense { l.Scale(-1, l); return l },
		"NaN on the diagonal": func(l *mat.Dense) *mat.Dense { l.Set(4, 4, math.NaN()); return l },
		"transposed":          func(l *mat.Dense) *mat.Dense { return mat.DenseCopyOf(l.T()) },
		"another matrix":      func(*mat.Dense) *mat.Dense { return identityOf(20) },
		"nothing":             func(*mat.Dense) *mat.Dense { return nil },
	} {
		t.Run(name, func(t *testing.T) { rejected(t, CholeskyRatio(a, poison(mat.DenseCopyOf(l)))) })
	}
}

func identityOf(n int) *mat.Dense {
	a := mat.NewDense(n, n, nil)
	for i := range n {
		a.Set(i, i, 1)
	}
	return a
}
