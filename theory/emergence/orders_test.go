package emergence_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

func starts(dim, k int, background float64) emergence.Starts {
	m := emergence.Mixture{Dim: dim, Count: k, Background: background, Uniform: 0.5}
	return emergence.Starts{Law: m.Bits(), Scale: 1 / float64(k), Noise: math.Pow(float64(k), -1.5)}
}

// Without a bias and with the upper cut out of reach the gate is a sign, and its changes are angles over π.
func TestStartsBySign(t *testing.T) {
	s := starts(100, 5, 0.5)
	s.Scale, s.Noise = 1e-3, 2e-3
	sigma := 5.0
	tau := math.Hypot(s.Noise, s.Scale*math.Sqrt(95)/2/sigma)
	within(t, "β", s.Beta(), 0.5, 1e-12)
	within(t, "ε_A", s.ChangedByA(), math.Atan(s.Scale*math.Sqrt(5)/2/sigma/tau)/math.Pi, 1e-14)
	half := s.Scale / 2 / sigma
	all := math.Hypot(s.Noise, s.Scale*math.Sqrt(99)/2/sigma)
	within(t, "ε", s.ChangedByOne(), 2*math.Atan(half/all)/math.Pi, 1e-14)
}

// Bivariate normal probabilities by Plackett's identity, in 30 digits: neurons whose background hardly varies, that
// jump over the interval, and in the source's scales.
func TestStartsByPlackett(t *testing.T) {
	for _, c := range []struct {
		dim, k                                  int
		background, uniform, scale, bias, noise float64
		beta, onA, one                          float64
	}{
		{3, 1, 0.001, 0, 10, 0.5, 0, 0.99804106326889422, 0.95811736503444519, 0.056332524092381268},
		{3, 1, 0.3, 1, 1, 0.2, 0.1, 0.47661111285970523, 0.34011702657393331, 0.44601603822268075},
		{11, 9, 0.001, 0.3, 10, 1, 0, 0.49911982925987609, 0.49917514063366896, 0.06825402466227233},
		{30, 5, 0.1, 0, 3, -0.5, 0, 0.16058433966938871, 0.22060507794357185, 0.18567780509753674},
		{400, 7, 0.5, 0.5, 1. / 7, 0.02, math.Pow(7, -1.5), 0.55249690692041216, 0.039151148895453101,
			0.029531521504034181},
	} {
		m := emergence.Mixture{Dim: c.dim, Count: c.k, Background: c.background, Uniform: c.uniform}
		s := emergence.Starts{Law: m.Bits(), Scale: c.scale, Bias: c.bias, Noise: c.noise}
		within(t, "β", s.Beta(), c.beta, 1e-14)
		within(t, "ε_A", s.ChangedByA(), c.onA, 1e-14)
		within(t, "ε", s.ChangedByOne(), c.one, 1e-14)
	}
}

// Neighbouring numbers of ones give lengths that differ by 8·10⁻⁷, and count on their own.
func TestStartsOfManyBits(t *testing.T) {
	s := starts(100000, 5, 0.49)
	s.Bias, s.Noise = 0.04, 0
	within(t, "β, in 25 digits", s.Beta(), 0.579260873117062605, 1e-13)
}

// The ratios of β and of both changes to their limits are series in 1/D with the constant 1, which Richardson's
// extrapolation finds.
func TestStartsTendToTheirLimits(t *testing.T) {
	for _, p := range []float64{0.5, 0.2} {
		var ratios [3][]float64
		for _, dim := range []int{500, 1000, 2000, 4000, 8000} {
			s := starts(dim, 5, p)
			s.Bias = 0.04
			beta, onA, one := s.Limits()
			for i, ratio := range []float64{s.Beta() / beta, s.ChangedByA() / onA, s.ChangedByOne() / one} {
				require.Less(t, math.Abs(ratio-1), 12/(p*float64(dim)))
				ratios[i] = append(ratios[i], ratio)
			}
		}
		for _, r := range ratios {
			for factor := 2.0; len(r) > 1; factor *= 2 {
				for i, next := range r[1:] {
					r[i] = (factor*next - r[i]) / (factor - 1)
				}
				r = r[:len(r)-1]
			}
			within(t, "extrapolated ratio", r[0], 1, 1e-9)
		}
	}
}

func TestStartsOutsideTheHypotheses(t *testing.T) {
	require.True(t, math.IsNaN(emergence.Starts{}.Beta()))
	s := starts(6, 5, 0.5) // no background but one bit
	require.True(t, math.IsNaN(s.ChangedByOne()))
	s = starts(100, 5, 0.5)
	s.Noise = -1
	require.True(t, math.IsNaN(s.ChangedByA()))
	s = starts(100, 5, 0.5)
	s.Law.Pattern = make([]float64, 32) // no probabilities
	require.True(t, math.IsNaN(s.Beta()))
}

// At the ends of its domain every prediction is found at once, and every probability is one.
func TestStartsAtTheEndsOfTheirDomain(t *testing.T) {
	predict := func(dim, k string, law [2]string, neuron [3]string) {
		args := map[string]string{"D": dim, "k": k, "background": law[0], "uniform": law[1], "scale": neuron[0],
			"bias": neuron[1], "noise": neuron[2]}
		start := time.Now()
		quantities, err := emergence.Orders.Evaluate(args)
		require.Less(t, time.Since(start), 5*time.Second, "%v", args)
		require.NoError(t, err)
		for i, q := range quantities {
			require.True(t, q.Value >= 0 && (q.Value <= 1 || i > 3), "%s = %v at %v", q.Name, q.Value, args)
		}
	}
	for _, law := range [][2]string{{"0.001", "0"}, {"0.3", "0.3"}, {"0.5", "0.7"}} { // p_o and λ
		for _, neuron := range [][3]string{{"0.001", "0.5", "0"}, {"0.001", "0", "100"}, {"10", "1", "0"}, {"10", "-10", "0"},
			{"0.001", "10", "0.001"}} { // s, b and σ_ξ
			predict("3", "1", law, neuron)
			predict("11", "1", law, neuron)
			predict("11", "9", law, neuron)
		}
		predict("100000", "9", law, [3]string{"0.001", "0.5", "0"})
	}
}
