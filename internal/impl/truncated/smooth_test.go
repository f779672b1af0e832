package truncated_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/internal/impl/truncated"
)

func close(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.17g, want %.17g within %.2g", what, got, want, tolerance)
	}
}

// Values that were computed apart, to 15 digits.
func TestSmoothByHand(t *testing.T) {
	s := truncated.Smooth(0.1)
	close(t, "value at 0", s.Value(0), 0.0398942280401433, 1e-15)
	close(t, "value at 0.05", s.Value(0.05), 0.0697796557401306, 1e-15)
	close(t, "value at 1", s.Value(1), 0.960105771959857, 1e-15)
	close(t, "slope at 0", s.Slope(0), 0.5, 1e-15)
	close(t, "slope at 0.05", s.Slope(0.05), 0.691462461274013, 1e-15)
	hard := truncated.Smooth(0)
	for _, c := range [][3]float64{{-1, 0, 0}, {0, 0, 0}, {0.25, 0.25, 1}, {1, 1, 0}, {2, 1, 0}} {
		value, slope := hard.Both(c[0])
		close(t, "hard value", value, c[1], 0)
		close(t, "hard slope", slope, c[2], 0)
	}
}

// The averages over the noise by Gauss–Legendre on the three pieces of the rectifier, out to nine deviations.
func TestSmoothAgainstQuadrature(t *testing.T) {
	for _, s := range []float64{0.05, 0.1, 0.3, 2} {
		for _, z := range []float64{-3, -0.2, 0.01, 0.4, 0.49, 0.51, 0.9, 1.3, 4} {
			density := func(x float64) float64 {
				return math.Exp(-(x-z)*(x-z)/(2*s*s)) / (s * math.Sqrt(2*math.Pi))
			}
			panels := func(f func(float64) float64, lo, hi float64) float64 {
				lo, hi = max(lo, z-9*s), min(hi, z+9*s)
				sum, n := 0.0, 40.0
				for i := 0.0; i < n && hi > lo; i++ {
					sum += quad.Fixed(f, lo+(hi-lo)*i/n, lo+(hi-lo)*(i+1)/n, 12, nil, 0)
				}
				return sum
			}
			slope := panels(density, 0, 1)
			value := panels(func(x float64) float64 { return x * density(x) }, 0, 1) + panels(density, 1, math.Inf(1))
			gotValue, gotSlope := truncated.Smooth(s).Both(z)
			close(t, "value", gotValue, value, 1e-13)
			close(t, "slope", gotSlope, slope, 1e-13)
		}
	}
}

func BenchmarkSmooth(b *testing.B) {
	s, sum := truncated.Smooth(0.0894), 0.0
	for b.Loop() {
		for i := range 1000 {
			v, g := s.Both(float64(i-500) / 1000)
			sum += v + g
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/value")
}

// The table is the formula by the complementary error function, to some roundings of 1, and in the lower tail relative
// to the value, where 81 roundings cancel at nine deviations. At its ends it meets the formula.
func TestSmoothTable(t *testing.T) {
	for i := range 20001 {
		z := -10 + float64(i)/1000
		open, density := math.Erfc(-z/math.Sqrt2)/2, math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
		value, slope := truncated.Smooth(1e-3).Both(z * 1e-3) // zero is in sight, one is a thousand deviations away
		close(t, "value", 1e3*value, z*open+density, 1e-15*(1+max(0, z))*min(1, 200*density+max(0, z)))
		close(t, "slope", slope, open, 2e-15*min(1, 1000*open))
	}
}
