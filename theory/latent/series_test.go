package latent_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/hermite"
	"github.com/thm-suite/thm/theory/latent"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// quartic is x₁²x₂ + 2x₁x₂ − x₂⁴ + ½x₁ + 1 by its Hermite expansion, by hand.
var quartic = latent.Target{
	{1, []int{2, 1}}, {1, []int{0, 1}}, {2, []int{1, 1}}, {-1, []int{0, 4}}, {-6, []int{0, 2}}, {-3, nil},
	{0.5, []int{1}}, {1, nil},
}

func TestMeanDerivativesByHand(t *testing.T) {
	require.Equal(t, 4, quartic.Degree())
	require.Equal(t, 2, quartic.Coordinates())
	w := []float64{3, -2}
	require.Equal(t, -2.0, quartic.Form(0, w))
	require.Equal(t, []float64{0.5, 1}, quartic.Contract(1, w))
	require.Equal(t, []float64{2 * -2, 2*3 - 12*-2}, quartic.Contract(2, w)) // H = [[0,2],[2,−12]]
	require.Equal(t, 3*-4.0-2*30, quartic.Form(2, w))
	require.Equal(t, 6*9*-2.0, quartic.Form(3, w)) // ∇³x₁²x₂ contracted with w three times: 3!·w₁²w₂
	require.Equal(t, []float64{0, -24 * -8}, quartic.Contract(4, w))
	require.Equal(t, []float64{0, 0}, quartic.Contract(5, w))
}

// Reference values from two independent quadratures of E[f x 1]; their last digit is uncertain by a few units.
func TestMomentsOfTheQuartic(t *testing.T) {
	for _, c := range []struct {
		w                []float64
		b                float64
		exact, atPMinus1 []float64
	}{
		{[]float64{0.6, 0.8}, 0, []float64{0.804817008199880, -2.145402219033116},
			[]float64{1.098949172694249, -1.753225999707292}},
		{[]float64{0.3, -1.1}, 0.5, []float64{-0.133849614024480, 3.443385124363170},
			[]float64{0.021699056420229, 2.873039999399237}},
	} {
		s := latent.Series{Target: quartic, W: c.w, B: c.b}
		require.NoError(t, s.Valid())
		printed, lost := s.Sum(0, 3, s.Coefficient), s.Term(4, s.Coefficient)
		for i := range c.w {
			near(t, "moment", s.Moment()[i], c.exact[i], s.Rounding(roundoff.Unit)+2e-15)
			near(t, "printed sum", printed[i], c.atPMinus1[i], s.Rounding(roundoff.Unit)+2e-15)
			near(t, "lost term", lost[i], c.exact[i]-c.atPMinus1[i], s.Rounding(roundoff.Unit)+4e-15)
		}
	}
}

func TestReLUCoefficients(t *testing.T) {
	for k, want := range []float64{0.697796557401306, 0.691462461274013, 0.352065326764300, -0.176032663382150,
		-0.264048995073225, 0.484089824300912} {
		near(t, "c_k(½,1)", latent.ReLU(k, 0.5, 1), want, 1e-15) // two more digits are not printed
	}
	for k, want := range []float64{1, math.Sqrt(math.Pi / 2), 1, 0, -1, 0, 3, 0, -15} {
		near(t, "√(2π)c_k(0,1)", math.Sqrt(2*math.Pi)*latent.ReLU(k, 0, 1), want, 1e-15*(1+math.Abs(want)))
	}
	// From the definition: E σ^(k)(sZ+b) = E[σ(sZ+b) He_k(Z)]/sᵏ. The kink at −b/s = −½ is on the grid of the
	// quadrature.
	for k := range 7 {
		definition := hermite.Expectation(func(z float64) float64 {
			return max(3*z+1.5, 0) * hermite.Polynomial(k, z)
		}) / math.Pow(3, float64(k))
		// E|σ He_k| ≤ 4√k!
		near(t, "c_k(1.5,3)", latent.ReLU(k, 1.5, 3), definition, 100*roundoff.Unit*math.Sqrt(math.Gamma(float64(k+1))))
	}
	require.True(t, math.IsNaN(latent.ReLU(2, 1, 0)))
}

func TestSmallestCases(t *testing.T) {
	phi := hermite.PDF(0)
	s := latent.Series{Target: latent.Target{{1, []int{2}}}, W: []float64{1}} // x²−1
	near(t, "E[(x²−1)x 1{x≥0}]", s.Moment()[0], phi, 1e-16)
	near(t, "printed", s.Sum(0, 1, s.Coefficient)[0], 2*phi, 1e-16)
	s.B = 1
	near(t, "E[(x²−1)x 1{x≥−1}]", s.Moment()[0], 2*hermite.PDF(1), 2e-16)
	s = latent.Series{Target: latent.Target{{1, []int{1}}}, W: []float64{1}} // x
	near(t, "E[x² 1{x≥0}]", s.Moment()[0], 0.5, 1e-16)
}

func TestSeriesOutsideTheHypothesesIsNaN(t *testing.T) {
	for _, s := range []latent.Series{
		{Target: quartic, W: []float64{0, 0}},
		{Target: quartic, W: []float64{1}},
		{Target: quartic, W: []float64{math.NaN(), 1}},
		{Target: quartic, W: []float64{1, 1}, B: math.Inf(1)},
	} {
		require.Error(t, s.Valid())
		require.True(t, math.IsNaN(s.Moment()[0]))
		require.True(t, math.IsNaN(s.Coefficient(2)))
	}
}

func TestSeriesPrediction(t *testing.T) {
	quantities, err := latent.HermiteSeries.Evaluate(nil) // He₂/√2, w = u, b = 0
	require.NoError(t, err)
	near(t, "along", quantities[0].Value, hermite.PDF(0)/math.Sqrt2, 1e-16)
	near(t, "lost", quantities[2].Value, hermite.PDF(0)/math.Sqrt2, 1e-16)
	for _, extreme := range []map[string]string{
		{"p": "30", "b": "1e6", "s": "1e-6"}, {"p": "30", "b": "1e6", "s": "1e6"},
		{"p": "30", "s": "1e-6", "cosine": "-0.5"}, {"p": "1", "b": "-1e6"},
	} {
		quantities, err = latent.HermiteSeries.Evaluate(extreme)
		require.NoError(t, err)
		for _, q := range quantities {
			require.False(t, math.IsNaN(q.Value) || math.IsInf(q.Value, 0), "%v: %s = %v", extreme, q.Name, q.Value)
		}
	}
	_, err = latent.HermiteSeries.Evaluate(map[string]string{"s": "0"})
	require.ErrorContains(t, err, "s=0 is outside its domain")
}
