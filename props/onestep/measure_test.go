package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// The fit has to return the coefficients of a matrix that it can represent. The condition number of its normal equations
// is below 10⁶ for each side, which leaves 10⁻¹⁶·10⁶·10⁶ at worst.
func TestBilinearRecoversCoefficients(t *testing.T) {
	r := props.Stream(1, "bilinear")
	h := head{u: make([]float64, 60), sample: sample{a: outputs(r, 50)}}
	for i := range h.u {
		h.u[i] = 1.7 * r.NormFloat64()
	}
	want := mat.NewDense(4, 4, []float64{1, 0, -2, 0, 0.5, 3, 0, 0, 0, 0, 4, 0, 0, -1, 0, 7})
	m := mat.NewDense(60, 50, nil)
	m.Apply(func(i, j int, _ float64) float64 {
		sum := 0.0
		for p := range 4 {
			for q := range 4 {
				sum += want.At(p, q) * math.Pow(h.u[i], float64(p)) * math.Pow(h.a[j], float64(q))
			}
		}
		return sum
	}, m)
	got := h.bilinear(m, 3)
	for p := range 4 {
		for q := range 4 {
			if !(math.Abs(got.At(p, q)-want.At(p, q)) <= 1e-4*7*math.Pow(rms(h.a), -float64(q))) {
				t.Errorf("coefficient of u^%d a^%d: got %v, want %v", p, q, got.At(p, q), want.At(p, q))
			}
		}
	}
}

// The planned standard deviations against the observed ones, over 600 samples: those are known to 1/√1200 = 3 %, and
// the formulas are of first order in 1/n.
func TestSpreadsOfTheLearnedDirection(t *testing.T) {
	const n, count = 300, 600
	for _, name := range spikeNames {
		s := spikeBy[name]
		r := props.Stream(2, name)
		var squares, cosines []float64
		for range count {
			d := learn(r, s, isotropic, n)
			squares = append(squares, d.square/math.Pow(s.step().Length(), 2))
			cosines = append(cosines, d.cosine/s.step().Alignment())
		}
		for what, c := range map[string]struct {
			values []float64
			sd     float64
		}{"‖β‖²": {squares, lengthSpread(s.step(), n)}, "cosine": {cosines, angleSpread(s.step(), n)}} {
			mean, lo, _ := meanAndSpread(column(c.values, func(x float64) []float64 { return []float64{x} }))
			if sd := mean[0] - lo[0]; !(math.Abs(sd/c.sd-1) <= 0.15) {
				t.Errorf("%s, %s: standard deviation %v, planned %v", name, what, sd, c.sd)
			}
		}
	}
}

func TestPowersSpanTheirSpan(t *testing.T) {
	u := []float64{1, -2, 0.5, 3, -1.5}
	basis := orthonormalPowers(u, 2)
	require.Len(t, basis, 2)
	for k, x := range [][]float64{u, power(u, 2)} {
		unit := column(x, func(v float64) float64 { return v / math.Sqrt(float64(len(x))) / rms(x) })
		if s := sine(unit, basis[:k+1]); !(s <= 1e-14) {
			t.Errorf("power %d lies outside of the span by %v", k+1, s)
		}
	}
	require.Equal(t, []float64{1, 4, 0.25, 9, 2.25}, power(u, 2))
}
