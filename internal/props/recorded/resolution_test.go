package recorded

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/results"
)

var allLinks = []string{linkGradient, linkInputs, linkSides, linkUpdate, linkFirst, linkSecond}

// TestNear: an entry of G and one of P that are off by 1.6·10⁻⁵ of the norm are refused in every link that rests on
// them. With sums of 8 and 16 terms in float32 a twentieth of that is rounding.
func TestNear(t *testing.T) {
	for seed := range uint64(20) {
		off := func(by float64) map[string]Criterion {
			l := layerOf(seed, 8, 8)
			l.G.Set(2, 2, l.G.At(2, 2)+by*mat.Norm(l.G, 2))
			l.P.Set(2, 2, l.P.At(2, 2)+by*mat.Norm(l.P, 2))
			return chainOf(l).links
		}
		for name, k := range off(1.6e-5) {
			require.Equal(t, results.Refuted, k.Verdict, "%s at seed %d: %v", name, seed, k)
		}
		for name, k := range off(8e-7) {
			require.True(t, name == linkUpdate || k.Verdict == results.Holds, "%s at seed %d: %v", name, seed, k)
		}
	}
}

// TestNaN: every link that reads a number which is none is refused.
func TestNaN(t *testing.T) {
	rest := []string{linkSides, linkFirst, linkSecond}
	for _, tt := range []struct {
		of    func(l *Layer) *mat.Dense
		links []string
	}{
		{func(l *Layer) *mat.Dense { return l.G }, append([]string{linkGradient, linkUpdate}, rest...)},
		{func(l *Layer) *mat.Dense { return l.P }, append([]string{linkInputs}, rest...)},
		{func(l *Layer) *mat.Dense { return l.H }, append([]string{linkGradient}, rest...)},
		{func(l *Layer) *mat.Dense { return l.Gamma }, []string{linkGradient, linkInputs, linkSecond}},
		{func(l *Layer) *mat.Dense { return l.W }, []string{linkInputs, linkUpdate, linkSides, linkFirst}},
		{func(l *Layer) *mat.Dense { return l.Next }, []string{linkUpdate}},
	} {
		l := layerOf(3, 8, 8)
		tt.of(l).Set(1, 1, math.NaN())
		for _, name := range tt.links {
			require.Equal(t, results.Refuted, chainOf(l).links[name].Verdict, name)
		}
	}
}

// TestBlind: numbers that hide an error of a tenth are undecided, and so are zeros.
func TestBlind(t *testing.T) {
	short := layerOf(7, 8, 8)
	short.Rate = 1e-9
	short.Next = stepped(short, short.G, 1)
	require.Equal(t, results.Undecided, chainOf(short).links[linkUpdate].Verdict)

	coarse := layerOf(7, 8, 8)
	coarse.Products = "bfloat16"
	require.Equal(t, results.Undecided, chainOf(coarse).links[linkFirst].Verdict)

	still := layerOf(7, 8, 8)
	still.G, still.Gamma, still.P, still.Next = mat.NewDense(8, 8, nil), mat.NewDense(8, batch, nil),
		mat.NewDense(8, batch, nil), still.W
	for _, name := range allLinks {
		require.Equal(t, results.Undecided, chainOf(still).links[name].Verdict, name)
	}
}
