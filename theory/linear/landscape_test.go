package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The target diag(3, 2, 1) with two hidden units: loss, index, and some spectra.
func TestLandscapeOfThreeModes(t *testing.T) {
	at := func(keep string) Critical {
		return Critical{Target: []float64{3, 2, 1}, Kept: KeptModes(keep), Inputs: 3, Outputs: 3, Hidden: 2}
	}
	for keep, want := range map[string][2]float64{
		"none": {7, 6}, "1": {2.5, 2}, "3": {6.5, 4}, "12": {0.5, 0}, "13": {2, 1}, "23": {4.5, 2},
	} {
		require.Equal(t, want, [2]float64{at(keep).Loss(), at(keep).Index()}, keep)
	}
	for keep, want := range map[string][]float64{
		"none": {-3, -3, -2, -2, -1, -1, 1, 1, 2, 2, 3, 3},
		"1":    {-2, -1, 0, 0, 0, 1, 1, 2, 2, 4, 5, 6},
		"3":    {-3, -2, -2, -1, 0, 0, 0, 2, 2, 3, 3, 4},
		"12":   {0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 5, 6},
		"23":   {-2, -1, 0, 0, 0, 0, 2, 3, 3, 4, 4, 5},
	} {
		require.Equal(t, want, at(keep).Spectrum(), keep)
	}
}

// Three layers with the target [[2, 1], [0, −1]] at (0, [[1, 2], [0, 3]], 0).
func TestLandscapeOfThreeLayers(t *testing.T) {
	singular := func(trace, determinant float64) []float64 { // of a 2×2 matrix with that ‖·‖² and determinant
		root := math.Sqrt(trace*trace - 4*determinant*determinant)
		return []float64{math.Sqrt((trace + root) / 2), math.Sqrt((trace - root) / 2)}
	}
	got := SaddleSpectrum(singular(6, 2), singular(14, 3), 12)
	for i, want := range []float64{8.35274071, 3.19046305, 1.88060476, .7183271} {
		require.InDelta(t, want, -got[i], 1e-7)
		require.InDelta(t, want, got[11-i], 1e-7)
	}
	require.Equal(t, make([]float64, 4), got[4:8])
	require.Equal(t, make([]float64, 3), SaddleSpectrum([]float64{1}, nil, 3))
	require.True(t, math.IsNaN(SaddleSpectrum([]float64{0}, []float64{1}, 3)[0]))
}

// By hand: one mode of one unit, whose origin is a saddle and whose minimum has the eigenvalues 2 and 0. Beyond the
// hypotheses there is nothing.
func TestLandscapeByHand(t *testing.T) {
	one := Critical{Target: []float64{1}, Kept: []bool{false}, Inputs: 1, Outputs: 1, Hidden: 1}
	require.Equal(t, []float64{-1, 1}, one.Spectrum())
	one.Kept = []bool{true}
	require.Equal(t, []float64{0, 2}, one.Spectrum())
	one.Hidden = 0
	require.True(t, math.IsNaN(one.Loss()) && math.IsNaN(one.Index()) && math.IsNaN(one.Spectrum()[0]))
	_, err := Landscape.Evaluate(map[string]string{"keep": "123"})
	require.ErrorContains(t, err, "hidden unit")
}
