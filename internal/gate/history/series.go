package history

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/list"
)

// Row is one benchmark and unit, with a series for every setup on which it ran.
type Row struct {
	Package string   `json:"pkg"`
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Better  int      `json:"better"` // 1 if higher is better, -1 if lower is, 0 if nobody said
	Exact   bool     `json:"exact"`  // compared without statistics
	Series  []Series `json:"series"`
}

// Series holds the measurements of a row with one setup.
type Series struct {
	Setup  string  `json:"setup"`
	Points []Point `json:"points"`
	Level  float64 `json:"level"` // its share of α; 0 where nothing is left to chance
	// runs after which a change larger than the noise is found at the earliest
	Delay   int      `json:"delay,omitempty"`
	Needs   int      `json:"needs,omitempty"` // runs from which on a change can be found, if there are fewer
	Changes []Change `json:"changes"`
}

// Point is the median of a run with its interval of 95 % (of order statistics, as benchstat's).
type Point struct {
	Run    int            `json:"run"` // index in the history
	Center compare.Number `json:"center"`
	Lo     compare.Number `json:"lo"` // NaN if there are too few samples for an interval
	Hi     compare.Number `json:"hi"`
	N      int            `json:"n"`
}

// Change is a change point.
type Change struct {
	Run    int            `json:"run"`    // the first run after it
	P      compare.Number `json:"p"`      // for the whole table of the setup; 0 where nothing is left to chance
	Before compare.Number `json:"before"` // median of the runs between the change before it and this one
	After  compare.Number `json:"after"`  // median of the runs between this one and the next
	Ratio  compare.Number `json:"ratio"`  // of After to Before
	Worse  bool           `json:"worse"`
	Better bool           `json:"better"`
	Drift  bool           `json:"drift,omitempty"` // the series drifts, and no step can be told from that: undecided
}

// place identifies a row.
type place struct{ pkg, name, unit string }

// cell is the samples of a row in one run.
type cell struct {
	run    int
	values []float64
}

// rows arranges the samples of the first n runs by benchmark and unit.
func (h *History) rows(p Policy) []Row {
	cells, units := map[place][]cell{}, map[place]*unit{}
	for i, r := range h.Runs {
		meta := r.units()
		for _, s := range r.record.Samples {
			if s.Result == nil {
				continue
			}
			for _, v := range s.Result.Values {
				if u := meta[v.Unit]; p.tracks(v.Unit, u) {
					at := place{s.Package, string(s.Result.Name), v.Unit}
					cells[at], units[at] = gather(cells[at], i, v.Value), u // as the newest run has it
				}
			}
		}
	}
	return list.Map(slices.SortedFunc(maps.Keys(cells), comparePlaces),
		func(at place) Row { return h.row(at, cells[at], units[at]) })
}

// gather adds a value of a run to the cells of a row.
func gather(cells []cell, run int, value float64) []cell {
	if n := len(cells); n == 0 || cells[n-1].run != run {
		cells = append(cells, cell{run: run})
	}
	last := &cells[len(cells)-1]
	last.values = append(last.values, value)
	return cells
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(padded(a.name), padded(b.name)), cmp.Compare(a.name, b.name),
		-cmp.Compare(a.unit, b.unit)) // sec/op first
}

var digits = regexp.MustCompile(`[0-9]+`)

// padded gives numbers in a name zeros in front, so that they sort by size.
func padded(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%020s", n) })
}

// unit holds the metadata that a file has for a unit.
type unit struct {
	exact  bool
	better int
}

// units collects what a run says of its units.
func (r Run) units() map[string]*unit {
	out := map[string]*unit{}
	for _, s := range r.record.Samples {
		for _, m := range s.Units {
			if out[m.Unit] == nil {
				out[m.Unit] = &unit{}
			}
			out[m.Unit].learn(m)
		}
	}
	return out
}

func (u *unit) learn(m *benchfmt.UnitMetadata) {
	switch m.Key + "=" + m.Value {
	case "assume=exact":
		u.exact = true
	case "better=lower":
		u.better = -1
	case "better=higher":
		u.better = 1
	}
}

// tracks reports whether a unit has a history: the same units as a gate's, and the ones that were asked for.
func (p Policy) tracks(name string, u *unit) bool {
	if len(p.Units) > 0 {
		return slices.Contains(p.Units, name)
	}
	switch name {
	case "sec/op", "B/op", "allocs/op", compare.Counted[0]:
		return true
	}
	return u != nil && u.exact && u.better != 0
}

// row makes the series of one row.
func (h *History) row(at place, cells []cell, u *unit) Row {
	r := Row{Package: at.pkg, Name: at.name, Unit: at.unit, Exact: at.unit == "allocs/op" || at.unit == "B/op"}
	switch {
	case u != nil && u.better != 0:
		r.Better = u.better
	case at.unit == "sec/op" || at.unit == "B/op" || at.unit == "allocs/op":
		r.Better = -1
	}
	if u != nil && u.exact {
		r.Exact = true
	}
	for _, c := range cells {
		setup := h.Runs[c.run].Setup()
		i := slices.IndexFunc(r.Series, func(s Series) bool { return s.Setup == setup })
		if i < 0 {
			i = len(r.Series)
			r.Series = append(r.Series, Series{Setup: setup, Changes: []Change{}})
		}
		r.Series[i].Points = append(r.Series[i].Points, point(c))
		if slices.Min(c.values) != slices.Max(c.values) {
			r.Exact = false
		}
	}
	return r
}

// point summarises a run.
func point(c cell) Point {
	n := len(c.values)
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(c.values), &benchmath.DefaultThresholds),
		0.95)
	p := Point{c.run, compare.Number(s.Center), compare.Number(s.Lo), compare.Number(s.Hi), n}
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		p.Lo, p.Hi = compare.Number(math.NaN()), compare.Number(math.NaN())
	}
	return p
}

// varies reports whether the runs have different medians.
func (s Series) varies() bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return p.Center != s.Points[0].Center })
}

// centers are the medians of the runs.
func (s Series) centers() []float64 {
	return list.Map(s.Points, func(p Point) float64 { return float64(p.Center) })
}
