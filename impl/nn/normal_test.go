package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNormal compares with math.Erfc, whose argument −z/√2 has a rounding error that the tail enlarges by z², with
// math.Exp alike, and with digits of mpmath.
func TestNormal(t *testing.T) {
	const u = 0x1p-53
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		z := 14*r.Float64() - 7
		p, density := normal(z)
		require.InEpsilon(t, math.Erfc(-z/math.Sqrt2)/2, p, (12+2*z*z)*u, "at %g", z)
		require.InEpsilon(t, math.Exp(-z*z/2)/math.Sqrt(2*math.Pi), density, (12+z*z)*u, "at %g", z)
	}
	for _, known := range []struct{ z, p, density float64 }{
		{-5.96875, 1.1953905299616736614e-9, 7.325335987791965292e-9},
		{-3.7, 0.00010779973347738826148, 0.00042478027055075140767},
		{-1.5, 0.066807201268858066004, 0.12951759566589172761},
		{-0.3, 0.38208857781104736693, 0.38138781546052408688},
		{0, 0.5, 0.39894228040143267794},
		{0.001, 0.50039894221391106259, 0.398942080930342345},
		{0.84375, 0.80059543952862723204, 0.27946015227085438905},
		{2.3, 0.98927588997832418958, 0.028327037741601183602},
		{5.5, 0.99999998101043753411, 1.0769760042543276359e-7},
		{6.5, 0.99999999995983999416, 2.6695566147628519167e-10},
	} {
		p, density := normal(known.z)
		require.InEpsilon(t, known.p, p, 10*u, "at %g", known.z)
		require.InEpsilon(t, known.density, density, 10*u, "at %g", known.z)
	}
	for _, z := range []float64{math.Inf(1), math.Inf(-1), 40, -40} {
		p, _ := normal(z)
		require.Equal(t, math.Erfc(-z/math.Sqrt2)/2, p, "at %g", z)
	}
	p, density := normal(math.NaN())
	require.True(t, math.IsNaN(p) && math.IsNaN(density))
}

// TestGELUInFours asks for the same bits four at a time as one at a time, at any length, with and without slopes, in
// place, and next to numbers that leave the fours.
func TestGELUInFours(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Copysign(0, -1), 6, -6, math.Nextafter(6, 7), -7.5, 50, 1e-300, math.Inf(1),
		math.Inf(-1), math.NaN()}
	for n := range 70 {
		z := make([]float64, n)
		for i := range z {
			z[i] = 2 * r.NormFloat64()
			if r.IntN(3) == 0 && n%2 == 1 {
				z[i] = special[r.IntN(len(special))]
			}
		}
		values, slopes, alone := make([]float64, n), make([]float64, n), make([]float64, n)
		GELU.Apply(values, slopes, z)
		GELU.Apply(alone, nil, z)
		for i, v := range z {
			same(t, GELU.Value(v), values[i])
			same(t, GELU.Slope(v), slopes[i])
			same(t, values[i], alone[i])
		}
		GELU.Apply(z, nil, z)
		for i := range z {
			same(t, values[i], z[i])
		}
	}
}

// same asks for the same bits, but of NaN, of which any does.
func same(t *testing.T, want, got float64) {
	t.Helper()
	if math.Float64bits(want) != math.Float64bits(got) && !(math.IsNaN(want) && math.IsNaN(got)) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkGELU(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	z, values, slopes := make([]float64, 1024), make([]float64, 1024), make([]float64, 1024)
	for i := range z {
		z[i] = r.NormFloat64()
	}
	for b.Loop() {
		GELU.Apply(values, slopes, z)
	}
}
