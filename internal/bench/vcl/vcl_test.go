package vcl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
)

// BenchmarkVCLStep times one step of one layer by each method.
func BenchmarkVCLStep(b *testing.B) {
	all := slices.Clone(layers)
	for _, sweep := range sweeps {
		all = append(all, sweep.layers...)
	}
	for _, method := range vclMethods {
		for _, l := range all {
			solver := method.on(l)
			if solver == nil || method.name == "full" && l.N > 1024 && !slices.Contains(layers, l) {
				continue
			}
			b.Run("method="+method.name+"/"+l.String(), func(b *testing.B) {
				p := l.Problem()
				m, _, err := method.verified(l, p, solver, nil)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					_, _ = solver.Solve(p)
				}
				b.ReportMetric(m.Ratio, "ratio")
				b.ReportMetric(m.flops/(b.Elapsed().Seconds()/float64(b.N)), "flop/s")
			})
		}
	}
}

// BenchmarkVCLSpeedup times methods against the paper's route and against SGD's step, in turns, one round per
// iteration:
//
//	go test -run '^$' -bench VCLSpeedup -benchtime 10x ./bench/vcl
func BenchmarkVCLSpeedup(b *testing.B) {
	for _, method := range vclMethods[2:] {
		for _, l := range layers {
			if solver := method.on(l); solver != nil {
				b.Run("method="+method.name+"/"+l.String(), func(b *testing.B) { speedup(b, method, l, solver) })
			}
		}
	}
}

func speedup(b *testing.B, method vclMethod, l Layer, solver procrustes.Solver) {
	p := l.Problem()
	full := procrustes.Full{}
	_, want, err := vclMethods[1].verified(l, p, full, nil)
	if err != nil {
		b.Fatal(err)
	}
	m, _, err := method.verified(l, p, solver, want)
	if err != nil {
		b.Fatal(err)
	}
	if m.Target != nil && !(math.Abs(m.Error) <= m.Target.Error) {
		b.Fatalf("not timed: error %.3g, at most %.3g is asked for", m.Error, m.Target.Error)
	}
	times := interleavedMedians(b, func() { _, _ = full.Solve(p) }, func() { _, _ = solver.Solve(p) },
		func() { _, _ = descent{}.Solve(p) })
	b.ReportMetric(times[0]/times[1], "x-full")
	b.ReportMetric(times[1]/times[2], "x-sgd")
	b.ReportMetric(times[1]*1e9, "ns/step")
	b.ReportMetric(-math.Log10(math.Abs(m.Error)+roundoff.Unit), "digits")
	if m.Target != nil {
		b.ReportMetric(times[0]/times[1]/m.Target.Faster, "x-bar")
	}
}

// interleavedMedians returns medians of processor times, one round per iteration.
func interleavedMedians(b *testing.B, ops ...func()) []float64 {
	t := interleave(ops...)
	for b.Loop() {
		t.round()
	}
	b.ReportMetric(0, "ns/op") // a round is no operation
	return t.medians()
}

// BenchmarkVCLTraining times whole training steps, forward and backward pass included, against those of SGD on the same
// network: x-sgd and x-sgd-factored are quotients of medians, one round per iteration.
func BenchmarkVCLTraining(b *testing.B) {
	for _, t := range trainings {
		b.Run(fmt.Sprintf("layers=%d/batch=%d/inputs=%d", len(t.Widths)-1, t.Batch, t.Widths[0]), func(b *testing.B) {
			steppers, err := t.steppers()
			if err != nil {
				b.Fatal(err)
			}
			times := interleavedMedians(b, steppers...)
			b.ReportMetric(times[1]/times[0], "x-sgd")
			b.ReportMetric(times[2]/times[0], "x-sgd-factored")
			b.ReportMetric(times[1]*1e9, "ns/step")
			if t.Limit > 0 {
				b.ReportMetric(t.Limit/(min(times[1], times[2])/times[0]), "x-bar")
			}
		})
	}
}

// TestMeasureVCL measures small shapes for real; it asks for figures that any machine gives.
func TestMeasureVCL(t *testing.T) {
	said := 0
	s, err := MeasureVCL(context.Background(), VCLPlan{Quick: true, Rounds: 1}, func(string) { said++ })
	require.NoError(t, err)
	require.Equal(t, 6, said)
	require.Equal(t, []string{"reduced", "polar", "factored", "reduced", "polar", "factored", "rational", "krylov"},
		methodsOf(s.Steps))
	for _, row := range s.Steps {
		require.True(t, row.Seconds > 0 && row.Full > 0 && row.SGD > 0 && row.Ratio <= 1)
		// Both are asked for Gap 1e-7 and stop on an estimate of it; the gap of an exact step is rounding, and so may be
		// negative.
		limit := 1e-11
		if !row.Exact {
			limit = 1e-6
		}
		require.True(t, math.Abs(row.Error) <= limit, "%+v", row)
	}
	require.True(t, s.Training[0].Seconds > 0 && s.Training[0].SGD > 0 && s.Training[0].Factors > 0)
	for _, c := range s.Costs {
		require.True(t, c.Seconds > 0 && c.Flops > 0)
	}
	require.NotEmpty(t, s.Slopes())

	s, err = MeasureVCL(context.Background(), VCLPlan{Quick: true, Rounds: 1, Methods: []string{"polar"}}, func(string) {})
	require.NoError(t, err)
	require.Equal(t, []string{"polar", "polar"}, methodsOf(s.Steps))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = MeasureVCL(ctx, VCLPlan{Quick: true, Rounds: 1}, func(string) {})
	require.ErrorIs(t, err, context.Canceled)
}

func methodsOf(steps []VCLStep) (names []string) {
	for _, s := range steps {
		names = append(names, s.Method)
	}
	return names
}

// TestWrongStepsAreNotTimed hands the measurement a solver that takes SGD's step for the nearest weights.
func TestWrongStepsAreNotTimed(t *testing.T) {
	l := Layer{12, 30, 4}
	_, _, err := vclMethod{name: "polar", flops: vclMethods[0].flops}.verified(l, l.Problem(), descent{}, nil)
	require.ErrorIs(t, err, ErrWrongStep)
}

// TestSlopesOfPowers: a time 3n², against a count 2n³.
func TestSlopesOfPowers(t *testing.T) {
	var s VCLSpeeds
	for _, n := range []int{64, 128, 256, 512} {
		x := float64(n)
		s.Costs = append(s.Costs, VCLCost{Layer{8, n, 2}, "n", "polar", 3 * x * x, 2 * x * x * x})
	}
	slopes := s.Slopes()
	require.Len(t, slopes, 1)
	// Sums of a few logarithms below 20 round to some 1e-15 each.
	require.True(t, math.Abs(slopes[0].Time-2) <= 1e-12 && math.Abs(slopes[0].Count-3) <= 1e-12, "%+v", slopes[0])
	s.Costs = s.Costs[:2]
	require.Empty(t, s.Slopes())
}

// TestBars judges speed and error, and neither by NaN.
func TestBars(t *testing.T) {
	row := VCLStep{Seconds: 1, Full: 15, Error: 1e-12, Target: &Target{15, 1e-11}}
	require.True(t, row.Reached())
	for _, degrade := range []func(*VCLStep){
		func(r *VCLStep) { r.Full = 14.9 }, func(r *VCLStep) { r.Error = -1e-10 }, func(r *VCLStep) { r.Error = math.NaN() },
		func(r *VCLStep) { r.Seconds = math.NaN() }, func(r *VCLStep) { r.Target = nil },
	} {
		bad := row
		degrade(&bad)
		require.False(t, bad.Reached())
	}
	require.True(t, VCLTraining{Seconds: 2, SGD: 1, Limit: 2}.Reached() &&
		VCLTraining{Seconds: 3, Factors: 2, SGD: 1, Limit: 2}.Reached())
	require.False(t, VCLTraining{Seconds: 2.1, SGD: 1, Limit: 2}.Reached() || VCLTraining{Seconds: 1, SGD: 1}.Reached() ||
		VCLTraining{Seconds: math.NaN(), SGD: 1, Limit: 2}.Reached())
}
