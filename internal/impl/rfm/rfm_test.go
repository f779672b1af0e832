package rfm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Two samples of one dimension, Gaussian kernel, M = 1, no outputs but one: K = [[1, e⁻²], [e⁻², 1]] at distance 2.
func TestFitByHand(t *testing.T) {
	x, y := mat.NewDense(1, 2, []float64{-1, 1}), mat.NewDense(2, 1, []float64{-1, 1})
	f, err := Fit(Gaussian, mat.NewDense(1, 1, []float64{1}), x, y, 0.5)
	require.NoError(t, err)
	alpha := 1 / (1.5 - math.Exp(-2))
	require.InDelta(t, -alpha, f.Alpha.At(0, 0), 1e-15)
	require.InDelta(t, 0, f.Predict([]float64{0})[0], 1e-15)
	require.InDelta(t, 2*alpha*math.Exp(-0.5), f.Jacobian([]float64{0}).At(0, 0), 1e-15)
	require.InDelta(t, math.Pow(2*alpha*math.Exp(-2), 2), f.AGOP().At(0, 0), 1e-15)
	_, err = Fit(Gaussian, mat.NewDense(1, 1, []float64{1}), x, y, -2)
	require.Error(t, err)
}

// The Jacobian is what differences of the predictions say, for both kernels.
func TestJacobian(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	random := func(rows, cols int) *mat.Dense {
		out := mat.NewDense(rows, cols, nil)
		out.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, out)
		return out
	}
	b, x, y := random(3, 3), random(3, 5), random(5, 2)
	var m mat.Dense
	m.Mul(b, b.T())
	for _, kernel := range []Kernel{Gaussian, Rational} {
		f, err := Fit(kernel, &m, x, y, 0.1)
		require.NoError(t, err)
		at := []float64{0.3, -0.2, 0.5}
		j := f.Jacobian(at)
		for i := range at {
			const step = 1e-5
			up, down := append([]float64{}, at...), append([]float64{}, at...)
			up[i] += step
			down[i] -= step
			for o := range 2 {
				quotient := (f.Predict(up)[o] - f.Predict(down)[o]) / (2 * step)
				require.True(t, math.Abs(quotient-j.At(o, i)) < 1e-7, "%s: %v against %v", kernel.Name, quotient, j.At(o, i))
			}
		}
	}
}

// Rounds keep the trace.
func TestLearn(t *testing.T) {
	x, y := mat.NewDense(2, 3, []float64{0, 1, 2, 1, -1, 0}), mat.NewDense(3, 1, []float64{0, 1, 2})
	machines, err := Learn(Gaussian, 0.5, x, y, 0.1, 2)
	require.NoError(t, err)
	require.Len(t, machines, 3)
	for _, f := range machines {
		require.InDelta(t, 1, mat.Trace(f.M), 1e-14)
	}
}
