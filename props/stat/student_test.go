package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// near fails the test unless got is within a relative error of want. NaN fails.
func near(t *testing.T, got, want, relative float64, name string) {
	t.Helper()
	if ok := math.Abs(got-want) <= relative*math.Abs(want); !ok {
		t.Errorf("%s = %.17g, want %.17g within a relative error of %g", name, got, want, relative)
	}
}

// ulp is the unit of the relative tolerances in these tests.
const ulp = 0x1p-52

func TestStudentQuantile(t *testing.T) {
	// Computed with 40 digits by mpmath 1.3.0 from the incomplete beta function. The columns are 0.025, 1e-3, 5e-9
	// and 1e-15; the first is the one printed in every textbook.
	tails := []float64{0.025, 1e-3, 5e-9, 1e-15}
	table := map[float64][4]float64{
		1:   {12.7062047361747, 318.30883898555, 63661977.2367581, 318309886183791},
		2:   {4.30265272974946, 22.3271247701199, 9999.999925, 22360679.7749979},
		3:   {3.18244630528371, 10.2145318524074, 604.16489581861, 103311.08359285},
		10:  {2.22813885198627, 4.14370049404659, 17.0764289510252, 81.0408908800393},
		30:  {2.04227245630124, 3.38518486682931, 7.82026465468127, 14.925858475139},
		98:  {1.98446745450848, 3.17548628360691, 6.26436779975134, 9.43886246979782},
		300: {1.96790301126109, 3.11761955381152, 5.89634011368691, 8.38517254763399},
		1e4: {1.96020123989063, 3.09104751603061, 5.73558078099179, 7.95408168101281},
		1e6: {1.95996635681411, 3.09024045631652, 5.73077735235165, 7.94147251840351},
	}
	for nu, row := range table {
		for i, want := range row {
			// The argument nu/(nu+t²) is rounded, which moves the tail by nu/2 ulp; 100 ulp are for the
			// incomplete beta function and the digits printed above.
			near(t, studentQuantile(tails[i], nu), want, (nu/2+100)*ulp, "quantile")
		}
	}
	near(t, studentQuantile(5e-9, 1e12), studentQuantile(5e-9, 1e6), 0, "quantile beyond the most degrees of freedom")
	normal := 5.730728869 // of the tail 5e-9
	near(t, studentQuantile(5e-9, 1e6), normal, 1e-5, "quantile near the normal limit")
}

func TestStudentTailIdentities(t *testing.T) {
	// Closed forms: Cauchy for one degree of freedom, (1-2p)/sqrt(2p(1-p)) for two.
	for _, p := range []float64{0.4, 0.1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-50} {
		near(t, studentQuantile(p, 1), 1/math.Tan(math.Pi*p), 100*ulp, "Cauchy quantile")
		near(t, studentQuantile(p, 2), (1-2*p)/math.Sqrt(2*p*(1-p)), 100*ulp, "quantile of two degrees of freedom")
		for _, nu := range []float64{1, 2, 5, 40, 1e3} {
			near(t, studentTail(studentQuantile(p, nu), nu), p, (nu/2+100)*8*ulp, "tail of the quantile")
		}
	}
}

func TestStudentQuantilePoison(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tail := range []float64{nan, inf, -inf, -1, 0, 0.5, 1} {
		require.True(t, math.IsNaN(studentQuantile(tail, 3)), "tail %v", tail)
	}
	for _, nu := range []float64{nan, -inf, -1, 0, 0.5} {
		require.True(t, math.IsNaN(studentQuantile(0.1, nu)), "nu %v", nu)
	}
}

func TestMean(t *testing.T) {
	// 1, 2, 3, 4, 10: mean 4, sum of squares 50, standard error sqrt(50/4/5); t for 4 degrees of freedom is 2.7764451.
	iv := Mean([]float64{1, 2, 3, 4, 10}, 0.05)
	near(t, iv.Estimate, 4, ulp, "mean")
	near(t, iv.Hi-4, 2.7764451051978*math.Sqrt(2.5), 1e-13, "half-width")
	near(t, 4-iv.Lo, iv.Hi-4, 4*ulp, "symmetry")
	require.True(t, iv.Valid())

	far := Mean([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4, 1e9 + 10}, 0.05)
	near(t, far.Hi-far.Estimate, iv.Hi-4, 1e-6, "half-width with a large offset") // an ulp of 1e9 is 1e-7
	for _, unit := range []float64{1e-200, 1e200} {
		iv := Mean([]float64{1 * unit, 2 * unit, 3 * unit, 4 * unit, 10 * unit}, 0.05)
		near(t, (iv.Hi-iv.Estimate)/unit, 2.7764451051978*math.Sqrt(2.5), 1e-13, "half-width in a strange unit")
	}
	same := Mean([]float64{0.1, 0.1, 0.1}, 0.05)
	require.Equal(t, same.Lo, same.Hi, "equal draws have no spread")
}

func TestPaired(t *testing.T) {
	a, b := []float64{5, 7, 4, 9, 12}, []float64{4, 5, 1, 5, 2}
	require.Equal(t, Mean([]float64{1, 2, 3, 4, 10}, 0.05), Paired(a, b, 0.05))
	require.Panics(t, func() { Paired(a, b[1:], 0.05) })
}
