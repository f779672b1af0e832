package width

import (
	"math"
	"testing"
)

// close12 compares a formula with twelve printed digits.
func close12(t *testing.T, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 6e-12*max(1, math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", name, got, want)
	}
}

// atCosine returns a pair of inputs of length one with the given cosine.
func atCosine(q int, c float64) Rectified {
	return Rectified{q, math.Atan2(math.Sqrt((1-c)*(1+c)), c), 1}
}

func TestArcCosine(t *testing.T) {
	// J_q by hand.
	c := 0.3
	s, p := math.Sqrt(1-c*c), math.Pi-math.Acos(c)
	for q, want := range []float64{p, s + p*c, 3*s*c + p*(1+2*c*c), s*(4+11*c*c) + p*(9*c+6*c*c*c),
		s*c*(55+50*c*c) + p*(9+72*c*c+24*c*c*c*c)} {
		close12(t, "J", 2*math.Pi*atCosine(q, c).Mean(), want)
	}
	// Normalised to 1 for equal inputs, and the variance of one neuron.
	for q, want := range [][2]float64{{.596986684021, .209395066786}, {.482744283835, .430603358061},
		{.325909245970, 7.14977704440}} {
		close12(t, "κ", atCosine(q, c).Mean()/atCosine(q, 1).Mean(), want[0])
		close12(t, "n Var", atCosine(q, c).Variance(), want[1])
	}
	for _, x := range [][2]float64{
		{atCosine(1, 0).Mean(), 1 / (2 * math.Pi)}, {atCosine(0, 0).Mean(), 1. / 4}, {atCosine(0, 0).Variance(), 3. / 16},
		{4 * atCosine(1, 1).Variance(), 5}, {4 * atCosine(1, 0).Variance(), 1 - 1/(math.Pi*math.Pi)},
		{atCosine(1, -1).Variance(), 0}, {atCosine(2, 1).Variance(), 50.25}, {atCosine(3, 1).Mean(), 15. / 2},
	} {
		close12(t, "by hand", x[0], x[1])
	}
	// Opposite inputs are never active together; near them J_q is (q!)²(π−θ)^(2q+1)/(2q+1)!!.
	p = 1e-3
	for q, odd := range []float64{1, 3, 15, 105} {
		leading := math.Pow(math.Gamma(float64(q+1)), 2) * math.Pow(p, float64(2*q+1)) / odd
		if got := arcCosine(q, math.Pi-p) / leading; math.Abs(got-1) > 1e-6 {
			t.Errorf("J_%d next to π over its leading term: %v", q, got)
		}
	}
	for _, bad := range []Rectified{{-1, 1, 1}, {1, -0.1, 1}, {1, 4, 1}, {1, 1, 0}, {1, math.NaN(), 1}, {9, 1, 1}} {
		if !math.IsNaN(bad.Mean()) || !math.IsNaN(bad.Variance()) {
			t.Errorf("%+v has a mean", bad)
		}
	}
}

// The mean is Σ a_k²cᵏ with the coefficients of σ_q in orthonormal Hermite polynomials.
func TestArcCosineAgainstHermiteSeries(t *testing.T) {
	for q, head := range [][]float64{{0.5}, {1 / math.Sqrt(2*math.Pi), 0.5},
		{0.5, math.Sqrt(2 / math.Pi), math.Sqrt(0.5)}} {
		for _, c := range []float64{-0.9, -0.3, 0.3, 0.9} {
			sum := 0.0
			for k, a := range head {
				sum += a * a * math.Pow(c, float64(k))
			}
			for m := range 150 { // a_k = q! He_{2m}(0)/√(2πk!), k = q+1+2m, |He_{2m}(0)| = (2m)!/(2^m m!)
				k := q + 1 + 2*m
				lgamma := func(n int) float64 { x, _ := math.Lgamma(float64(n + 1)); return x }
				square := 2*(lgamma(q)+lgamma(2*m)-lgamma(m)-float64(m)*math.Ln2) - math.Log(2*math.Pi) - lgamma(k)
				sum += math.Exp(square) * math.Pow(c, float64(k))
			}
			close12(t, "series", atCosine(q, c).Mean(), sum)
		}
	}
}

func TestErf(t *testing.T) {
	for _, c := range []struct {
		Erf
		mean, slope float64
	}{{Erf{1, .3, 1}, .128188433698, .433164889574}, {Erf{.5, -.2, 2}, -.0807430383393, .405893941937},
		{Erf{1e9, 1e9, 1e9}, .999979868315162399, 2.01316848392783534e-5}} {
		close12(t, "mean", c.Mean(), c.mean)
		close12(t, "slope", c.Slope(), c.slope)
	}
	if bad := (Erf{1, 2, 1}); !math.IsNaN(bad.Mean()) || !math.IsNaN(bad.Slope()) {
		t.Error("a product above the lengths has a mean")
	}
}
