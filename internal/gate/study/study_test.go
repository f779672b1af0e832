package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
)

func init() { collector.Set() }

var begun = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// invented is a study whose times come from a seeded distribution. What is measured one after the other drifts.
func invented(format string, comparisons int) *Data {
	d := &Data{Plan: Plan{Format: format, Seed: 1, Rounds: 10, Looks: 2, Pilot: 20, Benchtime: "10ms", Machine: "none",
		Started: begun}}
	rng := streams.New(1, "study", format)
	time := func(level float64) float64 { return 1000 * math.Exp(level+0.01*rng.NormFloat64()) }
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

// lines are the raw data of a study.
func lines(t *testing.T, d *Data) []byte {
	t.Helper()
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	require.NoError(t, to.Encode(d.Plan))
	for _, c := range d.Comparisons {
		require.NoError(t, to.Encode(c))
	}
	return text.Bytes()
}

// The published pages are what the published data give; that of the null study, which takes a minute, is a system test
// of the command.
func TestPublishedPages(t *testing.T) {
	const dir = "../../../reports/published/study/"
	for _, name := range []string{"power", "pairs", "trial"} {
		text, err := ReadPacked(dir + name + ".jsonl.gz")
		require.NoError(t, err)
		p, err := Publish(text)
		require.NoError(t, err)
		document, err := JSON(p.Result)
		require.NoError(t, err)
		want, err := os.ReadFile(dir + name + ".json")
		require.NoError(t, err)
		require.Equal(t, string(want), string(document))
		want, err = os.ReadFile(dir + name + ".md")
		require.NoError(t, err)
		require.Equal(t, string(want), p.Markdown)
		if len(p.Figure.Curves) > 0 {
			want, err = os.ReadFile(dir + name + ".svg")
			require.NoError(t, err)
			require.Equal(t, string(want), draw.Standalone(draw.SVG(p.Figure, "study-"+name)))
		}
	}
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
	p, err := Publish(lines(t, d))
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
	p, err := Publish(lines(t, invented(powerFormat, 2)))
	require.NoError(t, err)
	require.Contains(t, p.Markdown, "| 20 % | 1 % | 100 % | 2 of 2 |")
	require.Len(t, p.Figure.Curves, 4)
}

func TestReadRefuses(t *testing.T) {
	text := string(lines(t, invented(nullFormat, 2)))
	_, err := Read([]byte(text))
	require.NoError(t, err)
	lines := strings.SplitAfter(text, "\n")
	for name, c := range map[string]struct{ text, want string }{
		"nothing":       {"", "line 1: a study begins with its plan"},
		"torn plan":     {lines[0][:20], "line 1: unexpected"},
		"other format":  {strings.Replace(text, "null/v1", "null/v2", 1), "line 1: format"},
		"unknown field": {strings.Replace(text, `"seed"`, `"seeds"`, 1), "line 1: json: unknown field"},
		"no rounds":     {strings.Replace(text, `"rounds":10`, `"rounds":0`, 1), "line 1: rounds and looks"},
		"short rows": {strings.Replace(text, `"rounds":10`, `"rounds":11`, 1),
			"line 2: row Spin/dose=0 has 10 rounds of at least 11"},
		"twice": {lines[0] + lines[1] + lines[1], "line 3: comparison 0 is in the place of 1"},
		"no rows": {lines[0] + `{"i":0,"at":"2026-01-02T03:04:05Z","rows":[]}` + "\n",
			"line 2: a comparison has rows"},
		"negative time": {strings.Replace(text, `"old":[`, `"old":[-1,`, 1), "line 2: -1 is not a valid time"},
		"two values":    {lines[0] + strings.TrimSpace(lines[1]) + " {}\n", "line 2: something follows"},
	} {
		_, err := Read([]byte(c.text))
		require.ErrorContains(t, err, c.want, name)
	}
	_, err = invented(nullFormat, 0).Null()
	require.Error(t, err)
	_, err = invented(nullFormat, 1).Power()
	require.Error(t, err)
	_, err = invented(powerFormat, 1).Null()
	require.Error(t, err)
}
