package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Errors of samples that are left out equal the errors of ridge regression on the others, by normal equations.
func TestLeftOutAgainstNormalEquations(t *testing.T) {
	r := streams.New(1, "left out")
	const n, width = 7, 4
	f, y := features.Gaussian(r, n, width), features.Gaussian(r, 1, n).RawRowView(0)
	penalties := []float64{0.05, 2}
	got, err := leftOut(f, y, penalties)
	require.NoError(t, err)
	for k, lambda := range penalties {
		want := 0.0
		for i := range n {
			normal, right := mat.NewDense(width, width, nil), mat.NewVecDense(width, nil)
			for j := range width {
				normal.Set(j, j, lambda*n)
			}
			for l := range n {
				if l != i {
					normal.RankOne(normal, 1, f.RowView(l), f.RowView(l))
					right.AddScaledVec(right, y[l], f.RowView(l))
				}
			}
			var weights mat.VecDense
			require.NoError(t, weights.SolveVec(normal, right))
			want += math.Pow(y[i]-mat.Dot(&weights, f.RowView(i)), 2) / n
		}
		require.Less(t, math.Abs(got[k]-want), 1e-12*want)
	}
}

// A step of size one moves pre-activations by the fresh samples times G, for which differences of the loss stand here,
// or by the displayed matrix of rank one.
func TestDirections(t *testing.T) {
	r := streams.New(2, "directions")
	setup := setting(1)
	setup.Act.Run = features.Series(0, 0.8, 0.3)
	step := setup.Draw(r, 6)
	n, d := step.X.Dims()
	width, fresh := len(step.A), features.Gaussian(r, 3, d)
	loss := func() float64 { // ½‖y − N^(−1/2)σ(XWᵀ)a‖²/n
		sum, f := 0.0, features.Apply(setup.Act.Run, features.PreActivations(step.X, step.W))
		for i, y := range step.Y {
			sum += math.Pow(y-floats.Dot(f.RawRowView(i), step.A)/math.Sqrt(float64(width)), 2) / 2 / float64(n)
		}
		return sum
	}
	got := direction(setup, step, gradient, fresh)
	const h = 1e-5
	for i := range 3 {
		for j := range width {
			want := 0.0
			for k := range d {
				at := step.W.At(j, k)
				step.W.Set(j, k, at+h)
				up := loss()
				step.W.Set(j, k, at-h)
				want -= math.Sqrt(float64(width)) * (up - loss()) / (2 * h) * fresh.At(i, k)
				step.W.Set(j, k, at)
			}
			require.Less(t, math.Abs(got.At(i, j)-want), 1e-8)
		}
	}
	shown := direction(setup, step, displayed, fresh)
	c1 := setup.Act.Closed.Coefficient(1)
	want := c1 * floats.Dot(fresh.RawRowView(2), step.Beta) * step.A[1]
	require.Less(t, math.Abs(shown.At(2, 1)-want), 1e-12)
}

// A network is the same again, whatever the order; steps of both kinds start from one.
func TestRunsAreRepeatable(t *testing.T) {
	spectra, errors := spectrumSpec.Sizes[props.Quick], errorsSpec.Sizes[props.Quick]
	for _, act := range activations {
		cell := SpectrumCell{act, gradient, 0.3, 1}
		first, err := spectra.once(1, cell)
		require.NoError(t, err)
		second, err := spectra.once(1, cell)
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
	before, err := errors.once(1, ErrorCell{gradient, 0})
	require.NoError(t, err)
	other, err := errors.once(1, ErrorCell{displayed, 0})
	require.NoError(t, err)
	require.Equal(t, before[0].Penalties[0], other[0].Penalties[0], "without a step")
	require.NotEqual(t, before[0].Penalties[1], other[0].Penalties[1])
}

// Every claim about spectra holds for networks that show what is predicted, and is refuted by others.
func TestSpectraAreJudged(t *testing.T) {
	cell := SpectrumCell{cubic, displayed, 0.3, 0}
	bulk := cell.bulk(0.01)
	good := Spectrum{Outliers: []float64{9, 4}, Predicted: []float64{9, 4}, Behind: bulk.Edge(), Noise: 0.01,
		Within: []float64{0.9, 0.8}, Share: []float64{0.9, 0.8}, Histogram: []int{1}}
	bad := good
	bad.Outliers, bad.Behind, bad.Within = []float64{9, 3, 3}, 1.2*bulk.Edge(), []float64{0.9, 0.2}
	for want, of := range map[results.Verdict][]Spectrum{results.Holds: {good, good}, results.Refuted: {bad, bad}} {
		findings := cell.judge(of, true)
		require.Len(t, findings, len(spectrumClaims))
		for _, f := range findings {
			require.Equal(t, want, f.Verdict, f.Claim)
		}
	}
}

// Every claim about errors holds for curves like those of the slides, and is refuted by others.
func TestErrorsAreJudged(t *testing.T) {
	s := errorsSpec.Sizes[props.Quick]
	like := func(worse func(setting, step int) float64) [2]Curves {
		var out [2]Curves
		for i := range out {
			for k, alpha := range s.Exponents {
				out[i].Exponents = append(out[i].Exponents, s.predicted(i, displayed, alpha, penalty)*worse(i, k))
			}
			for k, alpha := range swept {
				var all []float64
				for _, lambda := range s.Penalties {
					all = append(all, s.predicted(i, displayed, alpha, lambda)*worse(i, k))
				}
				out[i].Penalties = append(out[i].Penalties, all)
			}
		}
		return out
	}
	good := like(func(int, int) float64 { return 1 })
	bad := like(func(setting, step int) float64 {
		return [2][3]float64{{1, 1.2, 1.1}, {1, 1.3, 1.9}}[setting][step]
	})
	for want, of := range map[results.Verdict][2]Curves{results.Holds: good, results.Refuted: bad} {
		g := tried{s, displayed, [][2]Curves{of, of}, true}
		for _, f := range g.judge() {
			if want == results.Refuted && (f.Claim == bestGain && f.Column == settings[0]) {
				continue
			}
			require.Equal(t, want, f.Verdict, "%s %s %v", f.Claim, f.Column, f.Estimate)
		}
		g.runs = g.runs[:1]
		g.complete = false
		for _, f := range g.judge() {
			require.Equal(t, experiment.Finding{}.AtMost(0, experiment.Mean(g.runs, tuned(0)), false).Verdict, f.Verdict)
		}
	}
}
