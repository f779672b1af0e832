package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// The worked neuron D = 12, k = 3, p_o = 0.3, λ = 1/2, b = 0.049924563611, s = 3^(−3/2): T on A is 0.0926790158, up to
// η₁² with η₁ = 10⁻³. Without noise it
// would be γ/σ̃ = 0.1538643637. Derivatives against central differences.
func TestSecondByHand(t *testing.T) {
	s := emergence.Second{Gamma: 0.25, Sigma: 1.624807680927192, Mean: 0.5, Background: 0.3, Bias: 0.049924563611,
		Noise: math.Pow(3, -1.5)}
	require.Less(t, math.Abs(s.Level()-0.0926790158), 1e-8)
	require.Less(t, math.Abs(s.Gamma/s.Sigma-0.1538643637), 1e-10)
	require.Equal(t, s.Level(), s.On(7, 0)) // μ = 1/2, c = 0
	const h = 1e-5
	at := func(z float64) float64 { return emergence.Gate(z, s.Noise) }
	first := (at(s.Bias+h) - at(s.Bias-h)) / (2 * h)
	second := (at(s.Bias+h) - 2*at(s.Bias) + at(s.Bias-h)) / (h * h)
	s.Mixed = 1
	require.Less(t, math.Abs(s.On(0, 1)-s.Level()-first), 1e-8)
	want := second * 0.21 / (s.Sigma * s.Sigma) * s.Gamma / s.Sigma
	require.Less(t, math.Abs(s.Outside(1, 1)-want), 1e-5*math.Abs(want)+1e-8)
	two, three := s.Remainders() // ½·2·0.24197/s² and (1/6)·2·0.39894/s³
	require.Less(t, math.Abs(two-0.24197072451914337*27), 1e-12)
	require.Less(t, math.Abs(three-0.3989422804014327*math.Pow(27, 1.5)/3), 1e-12)
}

func TestSecondOutsideTheHypotheses(t *testing.T) {
	for _, s := range []emergence.Second{{Gamma: 0.25, Sigma: 1}, {Gamma: 0.25, Noise: 1}, {Gamma: 0.6, Sigma: 1,
		Noise: 1}} {
		require.Error(t, s.Valid())
		two, three := s.Remainders()
		for _, x := range []float64{s.Level(), s.On(1, 1), s.Outside(1, 1), two, three} {
			require.True(t, math.IsNaN(x))
		}
	}
}
