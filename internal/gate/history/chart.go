package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/figure"
)

// scales are the units of times on axes, largest first.
var scales = []struct {
	name    string
	seconds float64
}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}}

// scaled chooses how the values of a unit are written: a factor, and the name of what they then are.
func scaled(unit string, lowest float64) (factor float64, name string) {
	if unit != "sec/op" {
		return 1, unit
	}
	for _, s := range scales {
		if lowest >= s.seconds {
			return 1 / s.seconds, s.name
		}
	}
	last := scales[len(scales)-1]
	return 1 / last.seconds, last.name
}

// chart draws a row over the runs: for each setup the medians in their intervals, and the places where something
// changed.
func (a *Analysis) chart(r Row, id string) figure.Figure {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range r.Series {
		for _, p := range s.Points {
			for _, v := range []compare.Number{p.Center, p.Lo, p.Hi} {
				if v := float64(v); !math.IsNaN(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	factor, unit := scaled(r.Unit, lo)
	f := figure.Figure{ID: id, Title: r.title(), Caption: r.caption(), X: figure.Axis{Label: "commit"},
		Y: figure.Axis{Label: unit}}
	for _, s := range r.Series {
		name := "median of a run"
		if len(r.Series) > 1 {
			name = "on " + s.Setup
		}
		line := figure.Curve{Name: name, Style: figure.Line}
		for _, p := range s.Points {
			line.X = append(line.X, float64(p.Run+1))
			line.Y = append(line.Y, factor*float64(p.Center))
			line.Lo, line.Hi = append(line.Lo, factor*float64(p.Lo)), append(line.Hi, factor*float64(p.Hi))
		}
		band, marks := line, line
		band.Style, marks.Style = figure.Band, figure.Points
		if len(s.Points) > 1 {
			marks.Lo, marks.Hi = nil, nil // the band shows them
		}
		f.Curves = append(f.Curves, band, line, marks)
	}
	f.Curves = append(f.Curves, r.marks(factor*lo, factor*hi)...)
	return f
}

// places are the runs that have the row.
func (a *Analysis) places(r Row) []Place {
	var out []Place
	for _, s := range r.Series {
		for _, p := range s.Points {
			m := a.Runs[p.Run]
			title := fmt.Sprintf("run %d, %s, %s, machine %s: %s", p.Run+1, m.Date.Format(day), m.Revision(), m.Machine,
				measured(r.Unit, p))
			out = append(out, Place{float64(p.Run + 1), m.brief(), title})
		}
	}
	slices.SortFunc(out, func(a, b Place) int { return cmp.Compare(a.At, b.At) })
	return out
}

// marks are upright lines before the runs where something changed: the numbers, or the machine.
func (r Row) marks(lo, hi float64) []figure.Curve {
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	var out []figure.Curve
	mark := func(name string, runs []int) {
		c := figure.Curve{Name: name, Style: figure.Dashed}
		for _, run := range runs {
			x := float64(run) + 0.5
			c.X, c.Y = append(c.X, x, x, x), append(c.Y, lo, hi, math.NaN())
		}
		if len(runs) > 0 {
			out = append(out, c)
		}
	}
	kinds := map[string][]int{}
	setups := map[int]string{}
	highest := 0
	for _, s := range r.Series {
		for _, c := range s.Changes {
			kinds[c.word()] = append(kinds[c.word()], c.Run)
		}
		for _, p := range s.Points {
			setups[p.Run] = s.Setup
			highest = max(highest, p.Run)
		}
	}
	var moves []int // first, so that worse is never green: colours go by order
	last := ""
	for run := range highest + 1 {
		if now := setups[run]; now != "" {
			if last != "" && now != last {
				moves = append(moves, run)
			}
			last = now
		}
	}
	mark("another machine or setting", moves)
	for _, word := range []string{worseWord, betterWord, changedWord} {
		mark(word, kinds[word])
	}
	return out
}

// The words of a change.
const (
	worseWord   = "worse"
	betterWord  = "better"
	changedWord = "changed"
)

func (c Change) word() string {
	switch {
	case c.Worse:
		return worseWord
	case c.Better:
		return betterWord
	}
	if c.Drift {
		return "drifts, undecided"
	}
	return changedWord
}

// caption says in a sentence what a chart shows.
func (r Row) caption() string {
	changes, newest := 0, r.newestSeries()
	for _, s := range r.Series {
		changes += len(s.Changes)
	}
	text := terminal.Plural(r.runs(), "run")
	if changes > 0 {
		text += ", " + terminal.Plural(changes, "change point")
	}
	switch {
	case newest.Needs > 0:
		text += fmt.Sprintf("; %d of the %d on this machine that it takes to find a change", len(newest.Points),
			newest.Needs)
	case changes == 0:
		text += ", no change point"
	}
	return text + "."
}

// cost draws the times of a family over the size, with the fit and the declared power through the last of them.
func (f Fit) cost(id string) figure.Figure {
	out := figure.Figure{ID: id, Title: f.Family + " on " + f.Setup, Caption: f.Sentence() + ".",
		X: figure.Axis{Label: "n", Log: true},
		Y: figure.Axis{Label: "seconds", Log: true}}
	measured := figure.Curve{Name: "median", Style: figure.Points}
	var x, y float64 // means of the logarithms that were fitted
	used := 0
	for _, s := range f.Sizes {
		measured.Add(float64(s.N), float64(s.Seconds))
		if s.N >= f.From {
			x, y, used = x+math.Log(float64(s.N)), y+math.Log(float64(s.Seconds)), used+1
		}
	}
	out.Curves = append(out.Curves, measured)
	last := f.Sizes[len(f.Sizes)-1]
	power := func(name string, style figure.Style, exponent, throughX, throughY float64) {
		if math.IsNaN(exponent) {
			return
		}
		c := figure.Curve{Name: name, Style: style}
		for _, s := range f.Sizes {
			if s.N >= f.From {
				c.X, c.Y = append(c.X, float64(s.N)),
					append(c.Y, math.Exp(throughY+exponent*(math.Log(float64(s.N))-throughX)))
			}
		}
		out.Curves = append(out.Curves, c)
	}
	if used > 0 {
		power("fit", figure.Line, float64(f.Exponent), x/float64(used), y/float64(used))
	}
	power(powerOf(float64(f.Declared)), figure.Dashed, float64(f.Declared), math.Log(float64(last.N)),
		math.Log(float64(last.Seconds)))
	return out
}

// powerOf writes n to a power.
func powerOf(exponent float64) string {
	switch exponent {
	case 2:
		return "n²"
	case 3:
		return "n³"
	}
	return fmt.Sprintf("n^%g", exponent)
}
