package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/props/figure"
)

// conditions says how a study was made.
func (p Plan) conditions(comparisons, rows int, load [3]float64) string {
	return fmt.Sprintf("%d comparisons of a table of %d rows, %d rounds a look, at most %d looks, samples of %s.\n%s",
		comparisons, rows, p.Rounds, p.Looks, p.Benchtime, where(p.Started, p.Commit, p.Machine, load))
}

// where says on what was measured.
func where(begun time.Time, commit, machine string, load [3]float64) string {
	return fmt.Sprintf("Begun %s at commit %s.\nMachine: %s.\nLoad average %.1f to %.1f, median %.1f.\n",
		begun.Format("2006-01-02 15:04 MST"), commit, machine, load[0], load[2], load[1])
}

// Markdown is the result as a table.
func (r *NullResult) Markdown() string {
	var out strings.Builder
	out.WriteString("# Null study: identical binaries compared\n\n")
	out.WriteString("A false alarm is a table in which at least one row is called changed; a false regression is a " +
		"table in which at least\none row is called slower. Intervals are at 95 %.\n\n")
	out.WriteString("| judged by | measured | states at most | false alarms | interval | false regressions |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, s := range r.Schemes {
		states := "nothing"
		if nominal := float64(s.Nominal); !math.IsNaN(nominal) {
			states = percent(nominal)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %d of %d | %s to %s | %d |\n", s.Scheme, s.Measured, states,
			s.Alarms.Events, s.Alarms.Trials,
			percent(float64(s.Alarms.Lo)), percent(float64(s.Alarms.Hi)), s.Regressions.Events)
	}
	fmt.Fprintf(&out, "\nthm bench diff left %d of %d rows undecided after the first look, and %d after the last.\n",
		r.FirstLook.Events, r.FirstLook.Trials, r.Undecided.Events)
	fmt.Fprintf(&out, "\n%s\nMade by `go run ./cmd/thm bench study null`.\n",
		r.Plan.conditions(r.Comparisons, r.Rows, r.Load))
	return out.String()
}

// Markdown is the result as a table.
func (r *PowerResult) Markdown() string {
	var out strings.Builder
	out.WriteString("# Power study: a known slowdown\n\n")
	fmt.Fprintf(&out, "*Found* is the fraction of comparisons in which thm bench diff called the row slower, in one "+
		"look and at α = %v for\nthe whole table. *Promised* is the mean power that a pilot of %d rounds promised before "+
		"the slow code ran. Intervals\nare at 95 %%.\n\n", r.Alpha, r.Plan.Pilot)
	out.WriteString("| slowdown | change that matters | promised | found | interval | kept | measured ratio | called " +
		"faster |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, d := range r.Detections {
		kept := "yes"
		if !d.Kept() {
			kept = "**no**"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %d of %d | %s to %s | %s | %.4f | %d |\n",
			percent(d.Slowdown), percent(d.Margin), percent(float64(d.Estimated)), d.Found.Events, d.Found.Trials,
			percent(float64(d.Found.Lo)), percent(float64(d.Found.Hi)), kept, float64(d.Ratio), d.Blamed.Events)
	}
	fmt.Fprintf(&out, "\nThe noise of a single sample (standard deviation of its logarithm, median of the pilots) "+
		"was %s.\n",
		percent(float64(r.Noise)))
	fmt.Fprintf(&out, "\n%s\nMade by `go run ./cmd/thm bench study power`.\n",
		r.Plan.conditions(r.Comparisons, r.Rows, r.Load))
	return out.String()
}

func percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }

// JSON is a result as it is published.
func JSON(result any) ([]byte, error) {
	text, err := json.MarshalIndent(result, "", "  ")
	return append(text, '\n'), err
}

// figure draws how the false alarms of some schemes gather.
func (r *NullResult) figure() figure.Figure {
	f := figure.Figure{ID: "null", Title: "False alarms on identical binaries",
		Caption: "Number of comparisons of identical binaries, so far, in which a rule called any row changed.",
		X:       figure.Axis{Label: "comparisons"}, Y: figure.Axis{Label: "false alarms"}}
	for k, s := range Schemes {
		if s.drawn == "" {
			continue
		}
		curve := figure.Curve{Name: s.drawn, Style: figure.Line, X: []float64{0}, Y: []float64{0}}
		total := 0
		for i, alarm := range r.alarms[k] {
			total += number.Indicator(alarm)
			curve.Add(float64(i+1), float64(total))
		}
		f.Curves = append(f.Curves, curve)
	}
	return f
}

// figure draws found and estimated power over the slowdown.
func (r *PowerResult) figure() figure.Figure {
	f := figure.Figure{ID: "power", Title: "Slowdowns found, and promised to be found",
		Caption: "Fraction of comparisons in which a slowdown was called slower, with its 95 % interval, " +
			"and the power that was promised beforehand, for two sizes of the change that matters.",
		X: figure.Axis{Label: "slowdown in per cent"}, Y: figure.Axis{Label: "fraction"}}
	for k, margin := range powerMargins {
		name := fmt.Sprintf("%.0f %% matters: found (points) and promised (dashed)", 100*margin)
		found, estimated := figure.Curve{Name: name, Style: figure.Points},
			figure.Curve{Name: name, Style: figure.Dashed}
		aside := 0.15 * float64(k) // so that intervals do not cover each other
		for _, d := range r.Detections {
			if d.Margin != margin {
				continue
			}
			found.AddInterval(100*d.Slowdown+aside, float64(d.Found.Rate), float64(d.Found.Lo), float64(d.Found.Hi))
			estimated.Add(100*d.Slowdown, float64(d.Estimated))
		}
		f.Curves = append(f.Curves, found, estimated)
	}
	return f
}

// Publication holds the parts that a study publishes besides its data.
type Publication struct {
	Result   any // of the study
	Markdown string
	Figure   figure.Figure // without curves where there is none
}

// table is the result of a study.
type table interface{ Markdown() string }

// tables judge the data of studies, by their format.
var tables = map[string]func(text []byte) (table, error){
	nullFormat:  judged(Read, (*Data).Null),
	powerFormat: judged(Read, (*Data).Power),
	trialFormat: judged(ReadTrial, (*TrialData).Judge),
	pairsFormat: judged(readPairs, (*pairsData).judge),
	// add here
}

func judged[D any, R table](read func([]byte) (D, error), judge func(D) (R, error)) func([]byte) (table, error) {
	return func(text []byte) (table, error) {
		d, err := read(text)
		if err != nil {
			return nil, err
		}
		return judge(d)
	}
}

// Publish judges the data of a study.
func Publish(text []byte) (Publication, error) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	for format, judge := range tables {
		if bytes.Contains(first, []byte(format)) {
			r, err := judge(text)
			if err != nil {
				return Publication{}, err
			}
			out := Publication{Result: r, Markdown: r.Markdown()}
			if drawn, ok := r.(interface{ figure() figure.Figure }); ok {
				out.Figure = drawn.figure()
			}
			return out, nil
		}
	}
	_, err := Read(text) // which says what else there is no study of
	return Publication{}, err
}
