package tangent

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// A pair is sound, and the same again from the same streams.
func TestPairIsSoundAndRepeatable(t *testing.T) {
	set := experiment.SyntheticSet(1).Data
	x, classes, err := twoClasses(set.Train, 40)
	require.NoError(t, err)
	first, err := picturesSpec.Sizes[props.Quick].once(streams.New(1, "a"), x, classes, descent)
	require.NoError(t, err)
	second, err := picturesSpec.Sizes[props.Quick].once(streams.New(1, "a"), x, classes, descent)
	require.NoError(t, err)
	require.Equal(t, first, second)
	for _, l := range []Labelled{first.Smooth, first.Sign} {
		require.Greater(t, l.Alignment, 0.0)
		require.Less(t, l.Alignment, 1.0)
		require.Greater(t, l.Predicted, l.Start, "Theorem 1 never lowers the alignment")
		require.GreaterOrEqual(t, l.StableRank, 1.0)
	}
	_, _, err = twoClasses(set.Train, 3000)
	require.ErrorContains(t, err, "3000 wanted")
}

// Small labels leave the kernel as it was: the averaged kernel is the one at the start, up to the scale of the labels.
func TestSmallLabelsAreLazy(t *testing.T) {
	gained := func(scale float64) float64 {
		p, err := spheresSpec.Sizes[props.Quick].once(streams.New(1, "b"), scale)
		require.NoError(t, err)
		return p.Sign.Alignment / p.Sign.Start
	}
	small, smaller := gained(2e-3)-1, gained(1e-3)-1
	require.InDelta(t, 2, small/smaller, 0.1, "the change is of first order in the scale")
	require.Greater(t, gained(1)-1, 100*small)
}

// Every claim holds for pairs made so, is refuted with the labels exchanged, and is undecided by runs that disagree.
func TestPairsAreJudged(t *testing.T) {
	more := Labelled{Alignment: 0.3, NearFar: 1.5, Difficulty: 2, Predicted: 0.2, StableRank: 1}
	less := Labelled{Alignment: 0.1, NearFar: 1.1, Difficulty: 1, Predicted: 0.1, StableRank: 3}
	other := more
	other.Alignment, other.NearFar, other.Difficulty, other.Predicted, other.StableRank = 0.31, 1.52, 2.1, 0.21, 1.1
	for want, pairs := range map[results.Verdict][]Pair{
		results.Holds:      {{Smooth: less, Sign: more}, {Smooth: less, Sign: other}},
		results.Refuted:    {{Smooth: more, Sign: less}, {Smooth: other, Sign: less}},
		results.Undecided:  {{Smooth: less, Sign: more}, {Smooth: more, Sign: less}},
		results.Incomplete: {{Smooth: less, Sign: more}},
	} {
		for _, f := range (group{Planned: 2, Pairs: pairs}).judge("") {
			require.Equal(t, want, f.Verdict, "%s %v [%v, %v]", f.Claim, f.Estimate, f.Lo, f.Hi)
		}
	}
}

// Both fits solve the normal equations of a small problem: least squares at once, descent where it is well conditioned.
func TestFits(t *testing.T) {
	r := streams.New(1, "c")
	x := mat.NewDense(60, 5, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() / 3 }, x)
	net := tangent.HeNet(r, 5, 4, 3, 1)
	classes := make([]float64, 60)
	for i := range classes {
		classes[i] = math.Copysign(1, x.At(i, 0))
	}
	want, err := fit("").of(r, net, x, classes)
	require.NoError(t, err)
	got, err := descent.of(r, net, x, classes)
	require.NoError(t, err)
	require.InDeltaSlice(t, want, got, 1e-3)
	h := x
	for _, layer := range net[:2] { // by gonum
		var z mat.Dense
		z.Mul(h, layer.W.T())
		z.Apply(func(_, _ int, v float64) float64 { return max(0, v) }, &z)
		h = &z
	}
	var miss mat.VecDense
	miss.MulVec(h.T(), mat.NewVecDense(60, floats.SubTo(make([]float64, 60), want, classes)))
	require.InDelta(t, 0, mat.Norm(&miss, 2), 1e-6, "residuals are orthogonal to the features")
}
