package vcl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// rising is a run whose test accuracy goes through the values.
func rising(test ...float64) Curve { return Curve{Validation: test, Test: test} }

// judged are the headlines of three runs per rule at one step size: SGD ends at 0.8, the others do as told.
func judged(others func(seed int) Curve, missing Rule) map[string]results.Verdict {
	g := Grid{Dataset: "x", Network: TwoLayer}
	for _, rule := range Rules {
		gc := GammaCurve{Gamma: 1}
		for seed := range 3 {
			c := others(seed)
			if rule == SGD {
				c = rising(0.1, 0.5, 0.6, 0.8+0.001*float64(seed))
			}
			if seed < 2 || rule != missing {
				gc.Runs = append(gc.Runs, c)
			}
		}
		g.Rules = append(g.Rules, RuleCurve{Rule: rule, Gammas: []GammaCurve{gc}})
	}
	out := map[string]results.Verdict{}
	for _, h := range headlines([]Grid{g}, g.judge(3)) {
		if h.Column == VCL.Title() {
			out[h.Claim] = h.Verdict
		}
	}
	return out
}

// Each claim about training can be refuted, and can hold.
func TestTrainingVerdicts(t *testing.T) {
	all := func(v results.Verdict) map[string]results.Verdict {
		return map[string]results.Verdict{Efficient: v, RobustRates: v, NoOverfit: v, RobustSeeds: v}
	}
	require.Equal(t, all(results.Holds),
		judged(func(seed int) Curve { return rising(0.1, 0.9, 0.9, 0.9+0.0001*float64(seed)) }, ""))
	require.Equal(t, all(results.Refuted),
		judged(func(seed int) Curve { return rising(0.1, 0.3, 0.3, 0.7, 0.4+0.02*float64(seed)) }, ""))
	late := judged(func(int) Curve { return rising(0.1, 0.3, 0.3, 0.9) }, "")
	require.Equal(t, results.Refuted, late[Efficient], "the third epoch is too late")
	require.Equal(t, all(results.Incomplete), judged(func(int) Curve { return rising(0.1, 0.9, 0.9, 0.9) }, VCL))
}

func TestReached(t *testing.T) {
	runs := []Curve{rising(0.1, 0.5, 0.9), rising(0.1, 0.2, 0.3), rising(0.9, 0.1, 0.2)}
	require.Equal(t, []int{1, never, 0}, reached(runs, []float64{0.503, 0.5, 0.5}))
}

// Correlations and kept Gram matrices are judged by their ends.
func TestOtherVerdicts(t *testing.T) {
	verdicts := func(shift, agop, increment, change float64) (out []results.Verdict) {
		set := experiment.Setting{Effort: props.Quick, Datasets: []string{"x"}}
		var covariances []experiment.Run[Seeded, CovarianceRun]
		var keepings []experiment.Run[Seeded, NewtonSchulzRun]
		for i := range seeds[props.Quick] {
			cell, d := Seeded{"x", i}, 1e-6*float64(i)
			covariances = append(covariances, experiment.Run[Seeded, CovarianceRun]{Cell: cell, Value: CovarianceRun{
				Epochs: []Agreement{{Shift: shift + d, AGOP: agop, Increment: increment + d}}}})
			keepings = append(keepings, experiment.Run[Seeded, NewtonSchulzRun]{Cell: cell, Value: NewtonSchulzRun{
				Ten: []Keeping{{Change: change}}, Exact: []Keeping{{}}}})
		}
		for _, f := range append(judgeCovariance(set, sizes[props.Quick], covariances).Findings,
			judgeNewtonSchulz(set, sizes[props.Quick], keepings).Findings...) {
			out = append(out, f.Verdict)
		}
		return out
	}
	h, r, u := results.Holds, results.Refuted, results.Undecided
	require.Equal(t, []results.Verdict{h, h, h}, verdicts(0.9, 0.7, 0.999, 1e-12))
	require.Equal(t, []results.Verdict{r, r, r}, verdicts(0.6, 0.7, 0.9, 1e-3))
	require.Equal(t, []results.Verdict{u, u, u}, verdicts(math.NaN(), 0.7, math.NaN(), math.NaN()))
}

// The exact polar factor keeps the Gram matrix of a square layer, ten Newton–Schulz steps do not, in the quick run.
func TestNewtonSchulzRun(t *testing.T) {
	s := sizes[props.Quick]
	s.Wide = 96
	task := newTask(streams.New(1, "a"), experiment.SyntheticSet(3).Data, s, s.Cell)
	run, err := runNewtonSchulz(t.Context(), task, s, newStreams(5))
	require.NoError(t, err)
	for i, k := range run.Exact {
		require.True(t, k.Change <= keepTolerance && k.Lost == 0, "%+v", k)
		require.True(t, run.Ten[i].Change > 1e-4, "%+v", run.Ten[i])
	}
	require.Greater(t, run.Ten[len(run.Ten)-1].Lost, 0.0)
}
