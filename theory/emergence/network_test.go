package emergence_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// By hand for k = 1, E S = 0, y = +1 at count 1: 16u is 0 and 4. The knots of count 0 would be −2, 0, 2, so that hat
// moves to −1, 1, 3; the one of count 1 has its knots at 2, 4, 6. Biases are minus the knots.
func TestHatsByHand(t *testing.T) {
	h := emergence.Hats{K: 1, Mean: new(big.Rat), Accept: []bool{false, true}}
	require.NoError(t, h.Valid())
	var out, bias []string
	for _, n := range h.Neurons() {
		out, bias = append(out, n.Out.RatString()), append(bias, n.Bias.RatString())
	}
	require.Equal(t, []string{"-16", "32", "-16", "8", "-16", "8"}, out)
	require.Equal(t, []string{"1/16", "-1/16", "-3/16", "-1/8", "-1/4", "-3/8"}, bias)

	e := h.Extremes()
	require.Equal(t, []string{"32", "1/16", "3/8", "3/8"},
		[]string{e.Out.RatString(), e.LeastBias.RatString(), e.MostBias.RatString(), e.PreActivation.RatString()})
	require.Equal(t, "1/4", h.Slope().RatString())
}

// |p − E S| = 1/8 is the least distance that needs no shift; then the middle knot is 1/(32k) away from zero.
func TestSmallestBiasIsAttained(t *testing.T) {
	for k := 1; k <= 25; k++ {
		h := emergence.Hats{K: k, Mean: big.NewRat(1, 8), Accept: make([]bool, k+1)}
		require.Zero(t, h.Extremes().LeastBias.Cmp(emergence.Bounds(k).LeastBias), "k = %d", k)
	}
}

func TestHatsOutsideTheHypotheses(t *testing.T) {
	for _, h := range []emergence.Hats{
		{K: 0, Mean: new(big.Rat), Accept: []bool{true}},
		{K: 2, Mean: new(big.Rat), Accept: []bool{true}},
		{K: 1, Mean: nil, Accept: []bool{false, true}},
		{K: 1, Mean: big.NewRat(-1, 9), Accept: []bool{false, true}},
		{K: 1, Mean: big.NewRat(10, 9), Accept: []bool{false, true}},
	} {
		require.Error(t, h.Valid())
		require.Nil(t, h.Neurons())
		require.Nil(t, h.Extremes().Out)
	}
	_, err := emergence.Network.Evaluate(map[string]string{"k": "1", "mean": "2"})
	require.ErrorContains(t, err, "the mean count lies in [0, k]")
}
