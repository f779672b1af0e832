package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
)

func TestQRRatioRejectsWrongFactors(t *testing.T) {
	a := testmatrix.WithSingularValues(30, 20, testmatrix.Geometric(20))
	f, err := linalg.QR(a)
	require.NoError(t, err)
	holds(t, QRRatio(a, f.Q(), f.R()))
	type factors struct{ q, r *mat.Dense }
	for name, poison := range map[string]func(f *factors){
		"one entry of Q off":    func(f *factors) { f.q.Set(3, 3, f.q.At(3, 3)+1e-10) },
		"one entry of R off":    func(f *factors) { f.r.Set(3, 5, f.r.At(3, 5)+1e-10) },
		"below the diagonal":    func(f *factors) { f.r.Set(5, 3, 1e-30) },
		"NaN":                   func(f *factors) { f.q.Set(1, 2, math.NaN()) },
		"columns of Q scaled":   func(f *factors) { f.q.Scale(2, f.q); f.r.Scale(0.5, f.r) },
		"no Q":                  func(f *factors) { f.q = nil },
		"R with too many rows":  func(f *factors) { f.r = mat.NewDense(30, 20, nil) },
		"Q with all columns":    func(f *factors) { f.q = mat.NewDense(30, 30, nil) },
		"Q·R, but nothing else": func(f *factors) { f.q, f.r = a, identityOf(20) },
	} {
		t.Run(name, func(t *testing.T) {
			wrong := factors{f.Q(), f.R()}
			poison(&wrong)
			rejected(t, QRRatio(a, wrong.q, wrong.r))
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
