package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory/emergence"
)

// D = 100, k = 5, γ = 1/4: σ̃²/(kγ²) = 80, and v = 3/100. Cosines that were measured after the second step with m =
// 300: 0.9636, 0.9962, 0.9991 at n = 10³, 10⁴, 5·10⁴, of one run each: the noise has a relative deviation of 14 %.
func TestSamplingByHand(t *testing.T) {
	d := emergence.Direction{Mixture: emergence.Mixture{Dim: 100, Count: 5, Background: 0.5, Uniform: 0.5},
		Samples: 1000, Rho: 1}
	within(t, "v", d.Along(), 0.03, 1e-15)
	within(t, "tan²", d.Tan2(), 0.0776, 1e-15)
	for n, want := range map[int]float64{1000: 0.9636, 10000: 0.9962, 50000: 0.9991} {
		d.Samples = n
		within(t, "cosine", d.Cosine(), want, 0.2*(1-want))
	}
	d.Samples = 4000 // about where 0.99 is reached
	within(t, "cosine", d.Cosine(), 0.99, 5e-4)
}

// With γ = 1/4 and σ̃ = 5 the claim ends at n = kDσ̃²/γ² = 200000.
func TestSamplingEnds(t *testing.T) {
	for n, violated := range map[string]bool{"200000": false, "200001": true} {
		_, err := emergence.Sampling.Values(map[string]string{"D": "100", "k": "5", "uniform": "0.5", "background": "0.5",
			"n": n})
		require.Equal(t, violated, err != nil, "n = %s: %v", n, err)
	}
}

// Of a gate that does not notice z, ρ = 1; of one that is open half of the time, 2.
func TestRho(t *testing.T) {
	within(t, "wide", emergence.Rho(0.5, 1e-3, 100), 1, 1e-8)
	within(t, "half", emergence.Rho(0, 0.1, 1e-3), 2, 2e-2)
	require.True(t, math.IsNaN(emergence.Rho(0, 0.1, 0)))
	require.True(t, math.IsNaN(emergence.Direction{Samples: 1, Rho: 1}.Tan2()))
	bare := emergence.Direction{Mixture: emergence.Mixture{Dim: 9, Count: 3, Background: 0.5, Uniform: 1}, Samples: 1,
		Rho: 1}
	require.True(t, math.IsNaN(bare.Tan2())) // γ = 0
}

// The moments of the gate by Gauss and Legendre over nine deviations, from narrow gates to wide ones.
func TestRhoAndScatter(t *testing.T) {
	for _, c := range []struct{ bias, deviation, noise float64 }{{0.1, 0.3, 0.02}, {-0.05, 0.2, 0.1}, {0.3, 0.1, 0.5}} {
		moment := func(power float64) float64 {
			sum, panels := 0.0, 400.0
			for i := 0.0; i < panels; i++ {
				sum += quad.Fixed(func(x float64) float64 {
					return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) *
						math.Pow(emergence.Gate(c.bias+c.deviation*x, c.noise), power)
				}, 18*i/panels-9, 18*(i+1)/panels-9, 8, nil, 0)
			}
			return sum
		}
		within(t, "ρ", emergence.Rho(c.bias, c.deviation, c.noise), moment(2)/math.Pow(moment(1), 2), 1e-12)
		within(t, "scatter", emergence.Scatter(c.bias, c.deviation, c.noise),
			math.Sqrt(moment(4)/math.Pow(moment(2), 2)-1), 1e-10)
	}
}

// From n of the order D² on the first step's true error, tan² of some 4·10⁻⁵ at D = 100, exceeds that of sampling.
func TestSamplingNeedsFewSamples(t *testing.T) {
	_, err := emergence.Sampling.Evaluate(map[string]string{"n": "200000"})
	require.NoError(t, err)
	_, err = emergence.Sampling.Evaluate(map[string]string{"n": "10000000"})
	require.ErrorContains(t, err, "true error")
}

// ‖x‖² outside A over all inputs with four coordinates there: what depends on z is its covariance with z over the
// deviation of z. What depends on ⟨u,x⟩ is below its range times half of the largest second derivative, 2φ(1) over the
// variance of the rest, of a mean of values in [0, 1] under Gaussian noise.
func TestDependenceByEnumeration(t *testing.T) {
	const background, k, bias, deviation, noise = 0.2, 3, 0.1, 0.3, 0.25
	relevant := []float64{1, 1, 1, 0, 0, 0, 0}
	d := emergence.Direction{Mixture: emergence.Mixture{Dim: 7, Count: k, Background: background, Uniform: 0.5},
		Samples: 100, Rho: 1}
	variance := math.Pow(d.Mixture.Deviation(), 2)
	scatter, open := emergence.Scatter(bias, deviation, noise), 0.0
	for i := range 72 {
		open += quad.Fixed(func(x float64) float64 {
			return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) * math.Pow(emergence.Gate(bias+deviation*x, noise), 2)
		}, float64(i)/4-9, float64(i+1)/4-9, 12, nil, 0)
	}
	for _, q := range [][]float64{{5, 5, 5, 1, 2, -0.5, 4}, {0, 1, 0, -1, -1, -1, -1}, {0.1, 0.1, 0.1, 1, 1, -1, -1}} {
		var square, product, moved float64
		for bits := range 16 {
			weight, z, length := 1.0, 0.0, 0.0
			for j := range 4 {
				bit := float64(bits >> j & 1)
				weight *= bit*background + (1-bit)*(1-background)
				z += q[k+j] * (bit - background)
				length += (bit - background) * (bit - background) / variance
			}
			square, product = square+weight*z*z, product+weight*z*length
		}
		for bits := range 8 {
			z, probability := 0.0, 0.5/8
			for j := range k {
				z += q[j] * (float64(bits>>j&1) - 0.5)
			}
			if bits == 0 || bits == 7 {
				probability += 0.25
			}
			moved += probability * z * z
		}
		along := min(scatter*k/(8*variance), math.Exp(-0.5)/math.Sqrt(2*math.Pi)*moved/square*k/(4*variance)/open)
		want := (scatter*math.Abs(product)/math.Sqrt(square) + along) / (1 - d.Along())
		within(t, "dependence", d.Dependence(q, relevant, bias, deviation, noise), want, 1e-12*want)
	}
	within(t, "of weights on A alone", d.Dependence(relevant, relevant, bias, deviation, noise),
		scatter*k/(8*variance)/(1-d.Along()), 1e-12)
	require.True(t, math.IsNaN(d.Dependence(relevant[1:], relevant, bias, deviation, noise)))
}
