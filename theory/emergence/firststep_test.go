package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// The worked case D = 6, k = 3, λ = 1/2, p_o = 1/4, b = 1/8, weights 3, −2, 5, 4, −1, 2, in exact fractions: σ̃² =
// 21/16, β = 25/64, ε_A = 203/512, σ̃T = 129/1024, 143/1024, 147/1024, −45/2048, −9/2048, −27/2048. The bias is in
// units of the weight, so everything is scaled by 1/64, which keeps z below 1.
func TestCertificateOfSixBits(t *testing.T) {
	law := emergence.Mixture{Dim: 6, Count: 3, Background: 0.25, Uniform: 0.5}.Bits()
	c := emergence.Gradient{Law: law, Steps: []int{3, -2, 5, 4, -1, 2}, Unit: 1. / 64, Bias: 1. / 512}.Certificate()
	require.Equal(t, 25./64, c.Beta)
	require.Equal(t, 203./512, c.Epsilon)
	require.Less(t, math.Abs(c.Sigma*c.Sigma-21./16), 1e-15)
	for j, want := range []float64{129. / 1024, 143. / 1024, 147. / 1024, -45. / 2048, -9. / 2048, -27. / 2048} {
		require.Less(t, math.Abs(c.T[j]*c.Sigma-want), 1e-16*10)
	}
	require.Less(t, math.Abs(c.Level()*c.Sigma-25./256), 1e-15) // βγ, γ = 1/4
}

// D = 9, k = 3, fair bits, no bias, weights 1, 3, …, 17: σ̃T = 1/8 three times, then zeros; σ̃² = 9/4.
func TestCertificateOfTheHalfIdentity(t *testing.T) {
	law := emergence.Mixture{Dim: 9, Count: 3, Background: 0.5, Uniform: 0.5}.Bits()
	c := emergence.Gradient{Law: law, Steps: []int{1, 3, 5, 7, 9, 11, 13, 15, 17}, Unit: 1. / 64}.Certificate()
	require.Equal(t, 0.5, c.Beta)
	require.Equal(t, 1.5, c.Sigma)
	for j, got := range c.T {
		want := 0.0
		if j < 3 {
			want = 1. / 8
		}
		require.Less(t, math.Abs(got*c.Sigma-want), 1e-16*10)
	}
}

// D = 100, k = 5, the values of β, and Predict at its defaults.
func TestCertificateOfAHundredBits(t *testing.T) {
	quantities, err := emergence.FirstStep.Evaluate(nil)
	require.NoError(t, err)
	got := map[string]float64{}
	for _, q := range quantities {
		got[q.Name] = q.Value
	}
	require.Less(t, math.Abs(got["beta"]-0.564482210), 1e-9)
	require.Less(t, math.Abs(got["outside"]-6.722805e-5), 1e-11)
	require.Less(t, math.Abs(got["cosine"]-0.999980904), 1e-9)
	quantities, err = emergence.FirstStep.Evaluate(map[string]string{"background": "0.1"})
	require.NoError(t, err)
	require.Less(t, math.Abs(quantities[2].Value-0.563807671), 1e-9)
	_, err = emergence.FirstStep.Evaluate(map[string]string{"k": "4"})
	require.ErrorContains(t, err, "k is odd")
}

func TestGate(t *testing.T) {
	for _, c := range [][3]float64{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 1}, {0, 0.1, 0.5}, {0.05, 0.1, 0.691462461274013}} {
		require.Less(t, math.Abs(emergence.Gate(c[0], c[1])-c[2]), 1e-15)
	}
}
