package blas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
)

// TestSecularSameBits: every kernel computes what the portable one does, on all tails, and writes nothing outside its
// result.
func TestSecularSameBits(t *testing.T) {
	before := active.Load()
	defer active.Store(before)
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		z, delta, d, x := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
		for i := range z {
			z[i], delta[i], d[i], x[i] = r.NormFloat64(), r.NormFloat64(), r.Float64()+2, r.NormFloat64()
		}
		shift, pole := r.NormFloat64(), r.Float64()
		if n%3 == 0 {
			shift = 0 // 0 - 0 in a masked lane must not show
		}
		z[n], delta[n] = math.NaN(), math.NaN()
		var want [5][]float64
		for k, kernel := range available() {
			active.Store(&choice{kernel, "test"})
			sum, slope := SecularSums(z[:n], delta, shift)
			vector, ratios, squares := append([]float64{}, x...), append([]float64{}, x...), append([]float64{}, x...)
			SecularVector(vector[:n], z, delta)
			SecularRatios(false, ratios[:n], d, delta, pole)
			SecularRatios(true, squares[:n], d, delta, pole)
			got := [5][]float64{{sum}, {slope}, vector, ratios, squares}
			if k == 0 {
				want = got
			}
			require.Equal(t, want, got, "n = %d, %s", n, kernel.name)
			require.Equal(t, x[n], vector[n])
		}
	}
}

// TestSecularDefinitions holds the kernels against plain sums: 4n roundings of terms whose moduli add up to the scale.
func TestSecularDefinitions(t *testing.T) {
	z, delta := []float64{3, -1, 2, 0.5, 7, 1, 1, 2, -4, 5}, []float64{1, 2, 4, 8, -1, -2, 5, 7, 9, 11}
	sum, slope := SecularSums(z, delta, 0.5)
	wantSum, wantSlope, scale := 0.0, 0.0, 0.0
	for i, v := range z {
		u := v / (delta[i] - 0.5)
		wantSum, wantSlope, scale = wantSum+v*u, wantSlope+u*u, scale+math.Abs(v*u)+u*u
	}
	allowed := 4 * float64(len(z)) * roundoff.Unit * scale
	if !(math.Abs(sum-wantSum) <= allowed && math.Abs(slope-wantSlope) <= allowed) {
		t.Errorf("got %v %v, want %v %v", sum, slope, wantSum, wantSlope)
	}
	x := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	SecularRatios(true, x, []float64{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, delta, 1)
	for i := range x {
		require.Equal(t, delta[i]/3, x[i])
	}
}
