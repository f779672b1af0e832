package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/testmatrix"
)

func TestPolarRatioRejectsWrongFactors(t *testing.T) {
	for _, shape := range [][2]int{{30, 20}, {20, 20}} {
		spectrum := testmatrix.Geometric(20)
		a := testmatrix.WithSingularValues(shape[0], shape[1], spectrum)
		right, err := Gonum().Polar(a)
		require.NoError(t, err)
		holds(t, PolarRatio(a, spectrum, right))
		rejected(t, PolarRatio(a, spectrum, nil))
		rejected(t, PolarRatio(a, spectrum[1:], right))
		rejected(t, PolarRatio(a, spectrum, a))
		for name, poison := range map[string]func(*mat.Dense){
			"NaN":             func(u *mat.Dense) { u.Set(2, 3, math.NaN()) },
			"infinity":        func(u *mat.Dense) { u.Set(2, 3, math.Inf(1)) },
			"sign of a row":   func(u *mat.Dense) { u.SetRow(0, negated(mat.Row(nil, 0, u))) },
			"sign of all":     func(u *mat.Dense) { u.Scale(-1, u) },
			"swapped columns": func(u *mat.Dense) { swapColumns(u, 0, 1) },
			"not normalised":  func(u *mat.Dense) { u.Scale(1+1e-10, u) },
			"one entry off":   func(u *mat.Dense) { u.Set(1, 1, u.At(1, 1)+1e-9) },
			"single": func(u *mat.Dense) {
				u.Apply(func(_, _ int, x float64) float64 { return float64(float32(x)) }, u)
			},
		} {
			t.Run(name, func(t *testing.T) {
				u := mat.DenseCopyOf(right)
				poison(u)
				rejected(t, PolarRatio(a, spectrum, u))
			})
		}
	}
}

func TestRotationsRatioRejectsWrongSweeps(t *testing.T) {
	const m, n, sweeps = 12, 9, 5
	for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
		r := randomSweeps(side, m, n, sweeps)
		a := testmatrix.Uniform("rotated", m, n)
		rotated := func(c, s []float64, count int) *mat.Dense {
			out := mat.DenseCopyOf(a)
			sweepsOf(Gonum())(side, m, n, count, c, s, len(r.C)/sweeps, out.RawMatrix().Data, n)
			return out
		}
		right := rotated(r.C, r.S, sweeps)
		holds(t, rotationsRatio(right, a, r))
		rejected(t, rotationsRatio(nil, a, r))
		rejected(t, rotationsRatio(mat.DenseCopyOf(right.T()), a, r))
		rejected(t, rotationsRatio(a, a, r))
		rejected(t, rotationsRatio(rotated(r.C, r.S, sweeps-1), a, r))
		rejected(t, rotationsRatio(rotated(r.C, negated(append([]float64{}, r.S...)), sweeps), a, r))
		off := append([]float64{}, r.C...)
		off[len(off)-1] += 1e-13
		rejected(t, rotationsRatio(rotated(off, r.S, sweeps), a, r))
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			broken := mat.DenseCopyOf(right)
			broken.Set(m-1, n-1, bad)
			rejected(t, rotationsRatio(broken, a, r))
		}
	}
}

// TestImplementationsAreRight verifies what the benchmarks time, at a size that tests can afford.
func TestImplementationsAreRight(t *testing.T) {
	spectrum := testmatrix.Geometric(48)
	a := testmatrix.WithSingularValues(48, 48, spectrum)
	s := testmatrix.WithEigenvalues(testmatrix.Linear(48))
	for _, im := range Impls() {
		t.Run(im.Name, func(t *testing.T) {
			defer begun(t, im)()
			if im.BLAS != nil {
				c := mat.NewDense(48, 48, nil)
				gemm(im.BLAS, gblas.NoTrans, c, a, a)
				holds(t, MatMulRatio(c, a, a))
			}
			if im.SVD != nil {
				f, err := SVD(im, a, mat.SVDThin)
				require.NoError(t, err)
				holds(t, SVDRatio(a, spectrum, mat.SVDThin, f))
			}
			if im.SymEigen != nil {
				f, err := SymEigen(im, s, true)
				require.NoError(t, err)
				holds(t, EigenRatio(s, testmatrix.Linear(48), true, f))
			}
			if im.Polar != nil {
				u, err := im.Polar(a)
				require.NoError(t, err)
				holds(t, PolarRatio(a, spectrum, u))
			}
			if im.Rotations != nil {
				r := randomSweeps(gblas.Right, 48, 48, 7)
				out := mat.DenseCopyOf(a)
				sweepsOf(im)(gblas.Right, 48, 48, 7, r.C, r.S, 47, out.RawMatrix().Data, 48)
				holds(t, rotationsRatio(out, a, r))
			}
		})
	}
}

func TestLimits(t *testing.T) {
	l := MeasureLimits(1 << 16)
	require.True(t, l.Flops > 0 && l.Bytes > 0)
	l = Limits{Flops: 100, Bytes: 10}
	require.Equal(t, 3.0, l.Seconds(300, 20))
	require.Equal(t, 4.0, l.Seconds(300, 40))
	require.Equal(t, Limits{100, 20}, l.Best(Limits{50, 20}))
}
