package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
)

var begun = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// invented is a study whose times come from a seeded distribution. What is measured one after the other drifts.
func invented(format string, comparisons int) *Data {
	d := &Data{Plan: Plan{Format: format, Seed: 1, Rounds: 10, Looks: 2, Pilot: 20, Benchtime: "10ms", Machine: "none",
		Started: begun}}
	rng := streams.New(1, "study", format)
	time := func(level float64) float64 { return nanoseconds(1e-6 * math.Exp(level+0.01*rng.NormFloat64())) }
	for i := range comparisons {
		c := Comparison{Index: i, At: begun, Load: []float64{float64(i), 1}}
		for _, slowdown := range []float64{0, 2, 3, 5, 10, 20} {
			row := Row{Name: fmt.Sprintf("Spin/dose=%v", slowdown)}
			shift := math.Log1p(slowdown / 100)
			if format == nullFormat {
				shift = 0
			}
			for range d.Plan.Rounds {
				level := rng.Float64()
				row.Rounds = append(row.Rounds, Rounds{time(level), time(level), time(level + shift)})
			}
			if format == nullFormat {
				drift := 0.15 * rng.NormFloat64()
				for range d.Plan.Rounds {
					row.Old, row.New = append(row.Old, time(0)), append(row.New, time(drift))
				}
			} else {
				for _, margin := range powerMargins {
					c.Power = append(c.Power, PowerEstimate{slowdown / 100, margin, min(1, slowdown/20)})
				}
			}
			c.Rows = append(c.Rows, row)
		}
		if format == powerFormat {
			for range d.Plan.Pilot {
				c.Pilot = append(c.Pilot, Rounds{time(0), time(0), time(0)})
			}
		}
		d.Comparisons = append(d.Comparisons, c)
	}
	return d
}

// Where files drift apart, rules that see only the files raise alarms and randomised blocks do not.
func TestNullResult(t *testing.T) {
	d := invented(nullFormat, 12)
	r, err := d.Null()
	require.NoError(t, err)
	require.Equal(t, 12, r.Comparisons)
	require.Len(t, r.Schemes, len(Schemes))
	alarms := map[string]int{}
	for i, s := range r.Schemes {
		require.Equal(t, 12, s.Alarms.Trials)
		require.LessOrEqual(t, s.Regressions.Events, s.Alarms.Events)
		require.Equal(t, Schemes[i].Measured == interleaved && s.Alarms.Events == 12, false, s.Scheme)
		alarms[s.Scheme+" "+s.Measured] = s.Alarms.Events
	}
	require.Zero(t, alarms["thm bench diff "+interleaved])
	require.Equal(t, 12, alarms["benchstat, p < 0.05 "+sequentially])
	require.Greater(t, alarms["medians differ by 10 % "+sequentially], 6)
	p, err := d.Publish()
	require.NoError(t, err)
	require.Contains(t, p.Markdown, "| benchstat, p < 0.05 | one after the other | nothing | 12 of 12 |")
	require.Len(t, p.Figure.Curves, 4)
	text, err := JSON(p.Result)
	require.NoError(t, err)
	require.True(t, json.Valid(text))

	r.Schemes[0].Alarms = fraction(12, 12)
	require.True(t, r.Schemes[0].Exceeds())
	r.Schemes[0].Alarms.Lo = number.Number(math.NaN())
	require.True(t, r.Schemes[0].Exceeds(), "NaN passes")
}

func TestPowerResult(t *testing.T) {
	d := invented(powerFormat, 12)
	r, err := d.Power()
	require.NoError(t, err)
	require.Len(t, r.Detections, 12)
	for _, det := range r.Detections {
		switch {
		case det.Slowdown == 0.2:
			require.Equal(t, 12, det.Found.Events)
			require.True(t, det.Kept())
		case det.Slowdown < det.Margin:
			require.Zero(t, det.Found.Events, "slowdown %v at margin %v", det.Slowdown, det.Margin)
		}
		require.Zero(t, det.Blamed.Events)
		require.True(t, math.Abs(float64(det.Ratio)-1-det.Slowdown) < 0.01)
	}
	// the noise was drawn with the standard deviation 0.01; 12 pilots of 40 degrees of freedom
	require.True(t, math.Abs(float64(r.Noise)-0.01) < 0.003, "%v", r.Noise)
	det := r.Detections[0]
	det.Estimated = 1
	require.False(t, det.Kept())
	det.Estimated = number.Number(math.NaN())
	require.False(t, det.Kept(), "NaN is kept")

	d.Comparisons[3].Power = nil
	_, err = d.Power()
	require.ErrorContains(t, err, "was promised 11 times in 12 comparisons")
	p, err := invented(powerFormat, 2).Publish()
	require.NoError(t, err)
	require.Contains(t, p.Markdown, "| 20 % | 1 % | 100 % | 2 of 2 |")
	require.Len(t, p.Figure.Curves, 4)
}

// The work that was done is checked, not believed.
func TestInjection(t *testing.T) {
	sample := func(arm, name string, steps float64) measure.Sample {
		return measure.Sample{Benchmark: measure.Benchmark{Name: name}, Arm: arm,
			Result: &benchfmt.Result{Values: []benchfmt.Value{{Value: steps, Unit: "steps/op"}}}}
	}
	require.NoError(t, injected(sample(diff.Old, "Spin/dose=20", 20000)))
	require.NoError(t, injected(sample(diff.New, "Spin/dose=20", 24000)))
	require.NoError(t, injected(sample(diff.New, "Spin/dose=3", 20600)))
	for _, wrong := range []measure.Sample{sample(diff.New, "Spin/dose=20", 20000),
		sample(diff.Old, "Spin/dose=20", 24000), sample(diff.New, "Spin/dose=20", 24001),
		sample(diff.New, "Spin", 20000), sample(diff.New, "Spin/dose=3", math.NaN()), {Fail: "no luck"}} {
		require.Error(t, injected(wrong))
	}
}

// Data survive packing, and reading back what a torn file holds.
func TestDataSurvive(t *testing.T) {
	for _, format := range []string{nullFormat, powerFormat} {
		d := invented(format, 3)
		path := filepath.Join(t.TempDir(), "packed")
		var packed, again bytes.Buffer
		require.NoError(t, d.Compress(&packed))
		require.NoError(t, d.Compress(&again))
		require.Equal(t, packed.Bytes(), again.Bytes())
		require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o644))
		back, err := ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, d, back)

		open_ := filepath.Join(t.TempDir(), "open")
		require.NoError(t, d.Restore(open_))
		text, err := os.ReadFile(open_)
		require.NoError(t, err)
		for _, cut := range []int{len(text) - 1, len(text) / 2, bytes.IndexByte(text, '\n') + 1} {
			require.NoError(t, os.WriteFile(open_, text[:cut], 0o644))
			b, err := open(open_, d.Plan)
			require.NoError(t, err)
			for i := len(b.data.Comparisons); i < 3; i++ {
				require.NoError(t, b.add(d.Comparisons[i]))
			}
			require.Error(t, b.add(d.Comparisons[0]), "a comparison stands twice")
			require.NoError(t, b.file.Close())
			whole, err := os.ReadFile(open_)
			require.NoError(t, err)
			require.Equal(t, text, whole)
		}
		other := d.Plan
		other.Seed++
		_, err = open(open_, other)
		require.ErrorContains(t, err, "was begun with another plan")
	}
}

func TestReadRefuses(t *testing.T) {
	var good bytes.Buffer
	require.NoError(t, invented(nullFormat, 2).lines(&good))
	text := good.String()
	_, _, err := Read([]byte(text))
	require.NoError(t, err)
	lines := strings.SplitAfter(text, "\n")
	for name, c := range map[string]struct{ text, want string }{
		"nothing":       {"", "line 1: a study begins with its plan"},
		"torn plan":     {lines[0][:20], "line 1: a study begins with its plan"},
		"other format":  {strings.Replace(text, "null/v1", "null/v2", 1), "line 1: format"},
		"unknown field": {strings.Replace(text, `"seed"`, `"seeds"`, 1), "line 1: json: unknown field"},
		"no rounds":     {strings.Replace(text, `"rounds":10`, `"rounds":0`, 1), "line 1: rounds and looks"},
		"short rows": {strings.Replace(text, `"rounds":10`, `"rounds":11`, 1),
			"line 2: row Spin/dose=0 has 10 rounds of at least 11"},
		"twice": {lines[0] + lines[1] + lines[1], "line 3: comparison 0 stands in the place of 1"},
		"no rows": {lines[0] + `{"i":0,"at":"2026-01-02T03:04:05Z","rows":[]}` + "\n",
			"line 2: a comparison has rows"},
		"negative time": {strings.Replace(text, `"old":[`, `"old":[-1,`, 1), "line 2: -1 is the time of nothing"},
		"two values":    {lines[0] + strings.TrimSpace(lines[1]) + " {}\n", "line 2: something follows"},
	} {
		_, _, err := Read([]byte(c.text))
		require.ErrorContains(t, err, c.want, name)
	}
	_, err = invented(nullFormat, 0).Null()
	require.Error(t, err)
	_, err = invented(nullFormat, 1).Power()
	require.Error(t, err)
	_, err = invented(powerFormat, 1).Null()
	require.Error(t, err)
}

// FuzzRead: what can be read reads the same after packing.
func FuzzRead(f *testing.F) {
	for _, format := range []string{nullFormat, powerFormat} {
		var text bytes.Buffer
		require.NoError(f, invented(format, 1).lines(&text))
		f.Add(text.Bytes())
	}
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, whole, err := Read(text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, whole, int64(len(text)))
		var again bytes.Buffer
		require.NoError(t, d.lines(&again))
		back, _, err := Read(again.Bytes())
		require.NoError(t, err)
		require.Equal(t, len(d.Comparisons), len(back.Comparisons))
	})
}

// The workload exists, in the names that the studies count on.
func TestWorkload(t *testing.T) {
	found, err := measure.Packages(t.Context(), "../../..", workload)
	require.NoError(t, err)
	bin := measure.Binary{Package: found[0], Path: filepath.Join(t.TempDir(), "workload.test")}
	require.NoError(t, measure.Build(t.Context(), bin.Package, bin.Path))
	null, failed, err := measure.Discover(t.Context(), bin, "^BenchmarkNull$")
	require.NoError(t, err)
	require.Empty(t, failed)
	require.Len(t, null, 8)
	bin.Arm, bin.Env = diff.New, []string{"THM_STUDY_INJECT=1"}
	spin, _, err := measure.Discover(t.Context(), bin, "^BenchmarkSpin$")
	require.NoError(t, err)
	require.Len(t, spin, 6)
	require.True(t, slowdownOf(spin[0].Name) == 0)
	for _, b := range spin {
		s, err := measure.Take(t.Context(), bin, b, 0, "1x")
		require.NoError(t, err)
		require.NoError(t, injected(s))
	}
}
