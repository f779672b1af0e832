package props

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// judged returns the finding of one criterion in a record that wants resolutions.
func judged(t *testing.T, judge func(r *Record)) finding {
	t.Helper()
	r := &Record{unit: 0x1p-53, detailed: true, paired: true}
	judge(r)
	require.Len(t, r.findings, 1)
	return r.findings[0]
}

func wave(level, height float64, n int) Path {
	var p Path
	for i := range n {
		p.Times = append(p.Times, float64(i))
		p.Values = append(p.Values, level+height*math.Sin(float64(i)))
	}
	return p
}

func TestPlaceOfAThreshold(t *testing.T) {
	f := judged(t, func(r *Record) { r.Place("onset", stat.Known(2, 0.01, 1e-8), 2.01, 0.1) })
	require.Equal(t, results.Holds, f.Ratio.Verdict())
	require.Equal(t, results.Parameter, f.Unit)
	require.InDelta(t, 0.085, f.Epsilon, 0.01, "a misplacement of 10 % is noticed")
	require.Equal(t, results.Refuted, judged(t, func(r *Record) {
		r.Place("onset", stat.Known(2, 0.01, 1e-8), 2.2, 0.1)
	}).Ratio.Verdict())

	f = judged(t, func(r *Record) { r.Bracketed("onset", 1.9, 2.1, 2) })
	require.Equal(t, results.Holds, f.Ratio.Verdict())
	require.InDelta(t, 0.05, f.Epsilon, 1e-9)
	for _, claimed := range []float64{1.85, 2.15} {
		require.Equal(t, results.Refuted, judged(t, func(r *Record) {
			r.Bracketed("onset", 1.9, 2.1,
				claimed)
		}).Ratio.Verdict())
	}
}

// A path from a time on begins at that time.
func TestPathFrom(t *testing.T) {
	p := Path{Times: []float64{0, 1, 2}, Values: []float64{3, 4, 5}}
	require.Equal(t, Path{Times: []float64{1, 2}, Values: []float64{4, 5}}, p.from(1))
	require.Equal(t, Path{}, p.from(3))
}

func TestStatementsOverTime(t *testing.T) {
	falling := Path{Times: []float64{0, 1, 2, 3}}
	for _, x := range falling.Times {
		falling.Values = append(falling.Values, 5*math.Exp(-0.5*x))
	}
	at := func(rate float64) func(float64) float64 {
		return func(x float64) float64 { return 5 * math.Exp(-rate*x) }
	}
	for want, judge := range map[results.Verdict][]func(r *Record){
		results.Holds: {
			func(r *Record) { r.Throughout("path", falling, at(0.5), 1e-9) },
			func(r *Record) { r.Decays("rate", falling, 0.5, 1e-9) },
			func(r *Record) { r.Hovers("level", wave(2, 0.3, 100), 20, 2, 0.05, 20) },
		},
		results.Refuted: {
			func(r *Record) { r.Throughout("path", falling, at(0.51), 1e-3) },
			func(r *Record) { r.Decays("rate", falling, 0.51, 1e-3) },
			func(r *Record) { r.Hovers("level", wave(2, 0.3, 100), 20, 2.1, 0.05, 20) },
			func(r *Record) { r.Hovers("crossings", wave(2, 0.3, 100), 20, 2, 0.05, 40) },
			func(r *Record) { r.Hovers("crossings", wave(2, 0, 100), 20, 2.001, 0.05, 1) },
		},
		results.Error: {func(r *Record) {
			r.Throughout("path", Path{[]float64{0}, []float64{math.NaN()}}, at(1), 1)
		}},
	} {
		for i, j := range judge {
			f := judged(t, j)
			require.Equal(t, want, f.Ratio.Verdict(), "%d", i)
			if want == results.Holds {
				require.Less(t, f.Epsilon, 0.2, "%d notices no error", i)
				require.Greater(t, f.Near, 1., "%d", i)
			} else {
				require.NotNil(t, f.Sides)
			}
		}
	}
	for _, p := range []Path{{}, {Times: []float64{1}}, {Times: []float64{1, 2}, Values: []float64{1}}} {
		require.Panics(t, func() { judged(t, func(r *Record) { r.Decays("rate", p, 1, 1) }) })
		require.Panics(t, func() { judged(t, func(r *Record) { r.Hovers("level", p, 0, 1, 1, 1) }) })
	}
}

// The value that a reader is shown of a path is the one that is no number, if there is one.
func TestThroughoutShowsWhatIsNoNumber(t *testing.T) {
	p := Path{Times: []float64{0, 1, 2}, Values: []float64{5, math.NaN(), 1}}
	f := judged(t, func(r *Record) { r.Throughout("path", p, func(float64) float64 { return 1 }, 0.1) })
	require.Equal(t, "the value at time 1", f.Sides.Entry)
	require.True(t, math.IsNaN(float64(f.Sides.Obtained)))
}
