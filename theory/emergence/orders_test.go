package emergence_test

import (
	"math"
	"testing"

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

// Both changes fall as D^(−1/2), to the constants of the limits; the rest of each is of the order 1/D.
func TestStartsTendToTheirLimits(t *testing.T) {
	for _, p := range []float64{0.5, 0.1} {
		last := 1.0
		for _, dim := range []int{400, 4000, 40000} {
			s := starts(dim, 5, p)
			s.Bias = 0.04
			beta, onA, one := s.Limits()
			off := max(math.Abs(s.Beta()/beta-1), math.Abs(s.ChangedByA()/onA-1), math.Abs(s.ChangedByOne()/one-1))
			require.Less(t, off, 12/(p*float64(dim)))
			require.Less(t, off, last/8)
			last = off
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
}
