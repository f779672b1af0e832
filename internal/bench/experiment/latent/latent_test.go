package latent

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// A polynomial kernel of the target's degree learns it from as many samples as there are polynomials, without noise;
// the zero predictor has error 1.
func TestErrorsByClosedForms(t *testing.T) {
	p := problem{Degree: 3, Width: 20, Validation: 100, Nodes: 16, Copies: 2, MaxKernel: 100}
	errors, err := p.run(streams.New(2, "closed"), Cell{Dim: 3, Samples: 60}) // binom(6, 3) = 20 polynomials
	require.NoError(t, err)
	require.Less(t, errors[polynomial], 1e-6)
	require.Len(t, errors, 5)
	require.Zero(t, p.bound(3, 60))
	p.MaxKernel = 10
	errors, err = p.run(streams.New(2, "closed"), Cell{Dim: 3, Samples: 60})
	require.NoError(t, err)
	require.Len(t, errors, 1)
	require.InDelta(t, 1, p.bound(3, -4), 1e-12)
}

var atStandard = experiment.Setting{Effort: props.Standard}

// Claims hold for errors made so, and are refuted with network and kernels exchanged.
func TestJudgements(t *testing.T) {
	judged := func(learnt, fixed float64) map[results.Verdict]int {
		var runs []experiment.Run[Cell, Errors]
		for _, c := range kernels.spec().Plan(props.Standard, nil) {
			e, d := Errors{}, 1e-3*float64(c.Run)
			bound := kernelsProblem(props.Standard).bound(c.Dim, c.Samples)
			for _, k := range kernelNames {
				e[k] = bound + fixed + d
			}
			e[network] = bound + learnt + 2*d
			runs = append(runs, experiment.Run[Cell, Errors]{Cell: c, Value: e})
		}
		out := map[results.Verdict]int{}
		for _, f := range kernels.judge(atStandard, kernels.problem(props.Standard), runs).Findings {
			out[f.Verdict]++
		}
		return out
	}
	require.Equal(t, map[results.Verdict]int{results.Holds: 10*4 + 7*5}, judged(-0.02, 0.02))
	require.Equal(t, map[results.Verdict]int{results.Refuted: 10*4 + 7*5}, judged(0.02, -0.02))
}

// So do those on a learned metric, and are refuted with plain and learned exchanged.
func TestJudgementsOfMetric(t *testing.T) {
	judged := func(sign float64) map[results.Verdict]int {
		var runs []experiment.Run[Cell, Errors]
		for _, c := range metric.spec().Plan(props.Standard, nil) {
			d, bound := 1e-3*float64(c.Run), kernelsProblem(props.Standard).bound(c.Dim, c.Samples)
			e := Errors{tangent: bound + sign*0.02 + d}
			for _, k := range learnedNames {
				e[k] = bound - sign*0.02 + 2*d
			}
			runs = append(runs, experiment.Run[Cell, Errors]{Cell: c, Value: e})
		}
		out := map[results.Verdict]int{}
		for _, f := range metric.judge(atStandard, metric.problem(props.Standard), runs).Findings {
			out[f.Verdict]++
		}
		return out
	}
	require.Equal(t, map[results.Verdict]int{results.Holds: 4 * 5}, judged(1))
	require.Equal(t, map[results.Verdict]int{results.Refuted: 4 * 5}, judged(-1))
}

// The metric puts most of its weight on the direction, and the kernel errs less for it.
func TestMetricRuns(t *testing.T) {
	p := problem{Degree: 3, Width: 100, Validation: 200, Nodes: 16, Copies: 2, MaxKernel: 400}
	errors, err := p.runMetric(streams.New(3, "metric"), Cell{Dim: 8, Samples: 256})
	require.NoError(t, err)
	require.Len(t, errors, 1+len(learnedNames))
	require.Less(t, errors[learnedTangent], 0.75*errors[tangent]) // 0.23 and 0.44 in this stream
}

// Errors that fall with samples and neurons, rise with noise and stay below the right side hold; the other way round
// they are refuted.
func TestJudgementsOfSizes(t *testing.T) {
	judged := func(sign, size float64) map[string]map[results.Verdict]int {
		p := sizesProblem(props.Standard)
		var runs []experiment.Run[Cell, []Sized]
		for _, c := range sizesSpec.Plan(props.Standard, nil) {
			trained := p.trained(c.Samples)
			for i, s := range trained {
				level := -sign * math.Log(float64(c.Samples*s.Width)) / 10
				trained[i].Square = math.Exp(level + sign*s.Noise + 1e-3*float64(c.Run%2))
				trained[i].Absolute = size + 1e-3*float64(c.Run%2)
			}
			runs = append(runs, experiment.Run[Cell, []Sized]{Cell: c, Value: trained})
		}
		out := map[string]map[results.Verdict]int{}
		for _, f := range judgeSizes(atStandard, p, runs).Findings {
			if out[f.Claim] == nil {
				out[f.Claim] = map[results.Verdict]int{}
			}
			out[f.Claim][f.Verdict]++
		}
		return out
	}
	want := func(v results.Verdict) map[string]map[results.Verdict]int {
		return map[string]map[results.Verdict]int{moreSamples: {v: 5}, moreNeurons: {v: 6}, moreNoise: {v: 2},
			rightSide: {v: 12}}
	}
	require.Equal(t, want(results.Holds), judged(1, 0.01))
	require.Equal(t, want(results.Refuted), judged(-1, 2))
}

// Quick runs are whole.
func TestQuickRuns(t *testing.T) {
	for _, e := range Experiments {
		r, err := e.Run(t.Context(), experiment.Options{Effort: props.Quick, Seed: 1, Jobs: 2})
		require.NoError(t, err)
		require.Equal(t, r.Run.Cells.Planned, r.Run.Cells.Run)
		require.Empty(t, e.Unsound(r))
	}
}
