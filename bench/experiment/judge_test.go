package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

func TestVerdict(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		lo, at, hi float64
		want       props.Verdict
	}{
		{0.1, 0.2, 0.3, props.Holds}, {0, 0, 0, props.Holds}, {-0.3, -0.2, -0.1, props.Refuted},
		{-0.1, 0, 0.1, props.Undecided},
		{nan, 0, 1, props.Undecided}, {1, nan, 2, props.Undecided}, {1, 2, nan, props.Undecided},
		{1, 2, math.Inf(1), props.Undecided},
		{2, 1, 3, props.Undecided},
	} {
		require.Equal(t, c.want, verdict(stat.Interval{Estimate: c.at, Lo: c.lo, Hi: c.hi}, 0), "%v", c)
	}
}

func TestConjunction(t *testing.T) {
	h, u, i, r := props.Holds, props.Undecided, props.Incomplete, props.Refuted
	require.Equal(t, h, all([]props.Verdict{h, h}))
	require.Equal(t, u, all([]props.Verdict{h, u}))
	require.Equal(t, i, all([]props.Verdict{u, i, h}))
	require.Equal(t, r, all([]props.Verdict{i, r, h}))
}

// The interval for a ratio of spreads covers the truth as often as it promises for correlated samples, and one for
// independent samples of half the width does not.
func TestSpreadRatioCovers(t *testing.T) {
	const runs, n, truth = 4000, 5, 2.0
	r := streams.New(1, "spread ratio")
	missed, missedNarrow := 0, 0
	for range runs {
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			common := r.NormFloat64()
			b[i] = 0.8*common + 0.6*r.NormFloat64()
			a[i] = truth * (0.8*common + 0.6*r.NormFloat64())
		}
		iv := spreadRatio(a, b, Alpha)
		require.True(t, iv.Valid())
		if !(iv.Lo <= truth && truth <= iv.Hi) {
			missed++
		}
		if lo, hi := math.Sqrt(iv.Lo*iv.Estimate), math.Sqrt(iv.Hi*iv.Estimate); !(lo <= truth && truth <= hi) {
			missedNarrow++
		}
	}
	// six standard deviations of a binomial count: 6·√(4000·0.05·0.95) = 83
	expected := int(runs * Alpha)
	require.True(t, missed >= expected-83 && missed <= expected+83, "missed %d times of %d", missed, runs)
	require.Greater(t, missedNarrow, expected+83)
	require.False(t, spreadRatio([]float64{1, 1, 1}, []float64{1, 1, 1}, Alpha).Valid())
	require.False(t, spreadRatio([]float64{1, 2}, []float64{1, 3}, Alpha).Valid())
}

// rising is a run whose test accuracy goes through the values.
func rising(test ...float64) Curve { return Curve{Validation: test, Test: test} }

// grid is a result of two runs per rule at one step size: SGD ends at 0.8, the others do as told.
func grid(others func(seed int) Curve) *Result {
	r := &Result{Run: Setting{Sizes: Sizes{Seeds: 3}}}
	g := Grid{Dataset: "x", Network: TwoLayer}
	for _, rule := range Rules {
		gc := GammaCurve{Gamma: 1}
		for seed := range 3 {
			c := others(seed)
			if rule == SGD {
				c = rising(0.1, 0.5, 0.6, 0.8+0.001*float64(seed))
			}
			gc.Runs = append(gc.Runs, c)
		}
		g.Rules = append(g.Rules, RuleCurve{Rule: rule, Gammas: []GammaCurve{gc}})
	}
	r.Training = []Grid{g}
	r.Judge()
	return r
}

func headline(r *Result, claim string) props.Verdict {
	for _, h := range r.Headlines {
		if h.Claim == claim && h.Rule == VCL {
			return h.Verdict
		}
	}
	return ""
}

// Each claim about training can be refuted, and can hold.
func TestTrainingVerdicts(t *testing.T) {
	good := grid(func(seed int) Curve { return rising(0.1, 0.9, 0.9, 0.9+0.0001*float64(seed)) })
	require.Equal(t, props.Holds, headline(good, Efficient))
	require.Equal(t, props.Holds, headline(good, RobustRates))
	require.Equal(t, props.Holds, headline(good, NoOverfit))
	require.Equal(t, props.Holds, headline(good, RobustSeeds))
	bad := grid(func(seed int) Curve { return rising(0.1, 0.3, 0.3, 0.7, 0.4+0.02*float64(seed)) })
	require.Equal(t, props.Refuted, headline(bad, Efficient))
	require.Equal(t, props.Refuted, headline(bad, RobustRates))
	require.Equal(t, props.Refuted, headline(bad, NoOverfit))
	require.Equal(t, props.Refuted, headline(bad, RobustSeeds))
	late := grid(func(seed int) Curve { return rising(0.1, 0.3, 0.3, 0.9) })
	require.Equal(t, props.Refuted, headline(late, Efficient), "the third epoch is too late")
	missing := grid(func(seed int) Curve { return rising(0.1, 0.9, 0.9, 0.9) })
	missing.Training[0].Rules[2].Gammas[0].Runs = missing.Training[0].Rules[2].Gammas[0].Runs[:2]
	missing.Judge()
	require.Equal(t, props.Incomplete, headline(missing, Efficient))
}

func TestReached(t *testing.T) {
	runs := []Curve{rising(0.1, 0.5, 0.9), rising(0.1, 0.2, 0.3), rising(0.9, 0.1, 0.2)}
	require.Equal(t, []int{1, -1, 0}, reached(runs, []float64{0.503, 0.5, 0.5}))
}

// Correlations and kept Gram matrices are judged by their ends.
func TestOtherVerdicts(t *testing.T) {
	run := func(shift, agop, increment, change float64) *Result {
		r := &Result{Run: Setting{Sizes: Sizes{Seeds: 2}}}
		c, n := CovarianceResult{Dataset: "x"}, NewtonSchulzResult{Dataset: "x"}
		for i := range 2 {
			d := 1e-6 * float64(i)
			c.Runs = append(c.Runs,
				CovarianceRun{Epochs: []Agreement{{Shift: shift + d, AGOP: agop, Increment: increment + d}}})
			n.Runs = append(n.Runs, NewtonSchulzRun{Ten: []Keeping{{Change: change}}})
		}
		r.Covariance, r.NewtonSchulz = []CovarianceResult{c}, []NewtonSchulzResult{n}
		r.Judge()
		return r
	}
	verdicts := func(r *Result) (out []props.Verdict) {
		for _, h := range r.Headlines {
			out = append(out, h.Verdict)
		}
		return out
	}
	require.Equal(t, []props.Verdict{props.Holds, props.Holds, props.Holds}, verdicts(run(0.9, 0.7, 0.999, 1e-12)))
	require.Equal(t, []props.Verdict{props.Refuted, props.Refuted, props.Refuted}, verdicts(run(0.6, 0.7, 0.9, 1e-3)))
	require.Equal(t, []props.Verdict{props.Undecided, props.Undecided, props.Undecided},
		verdicts(run(math.NaN(), 0.7, math.NaN(), math.NaN())))
}

// The exact polar factor keeps the Gram matrix of a square layer, ten Newton–Schulz steps do not, in the quick run.
func TestNewtonSchulzRun(t *testing.T) {
	s := SizesAt(props.Quick)
	s.Wide = 96
	task := newTask(streams.New(1, "a"), SyntheticSet(3).Data, s, s.Cell)
	run, err := runNewtonSchulz(t.Context(), task, s, newStreams(5))
	require.NoError(t, err)
	for i, k := range run.Exact {
		require.True(t, k.Change <= keepTolerance && k.Lost == 0, "%+v", k)
		require.True(t, run.Ten[i].Change > 1e-4, "%+v", run.Ten[i])
	}
	require.Greater(t, run.Ten[len(run.Ten)-1].Lost, 0.0)
}
