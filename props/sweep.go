package props

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/evidence"
)

// sweep is [Grid] without its types, which are compiled anew for every check: versions go by their names.
type sweep struct {
	Name     string
	Cell     reflect.Type
	Kind     reflect.Type // of a measurement
	Cells    func(Effort) cellsOfSweep
	Regimes  []string
	Measure  func(t *Trial, cell any, done string) any
	Judge    func(r *Record, cell, m any, claimed string)
	Conclude func(r *Record, cells, all []any, claimed string)
	Controls []Control

	Declined               map[string]float64
	Proven, Coarse, Chosen map[string]string
	Replicates, Tries      int
}

// cellsOfSweep is the list of the cells of a sweep at an effort. There may be 100 000, of which a shard measures some
// hundred: no more than these become values of any type.
type cellsOfSweep struct {
	n    int
	at   func(i int) any
	cost func(i int) float64 // nil where all cost the same
}

func (c cellsOfSweep) all() []any { return list.Fill(c.n, c.at) }

func (s sweep) erase() checker {
	return checker{
		name: s.Name, regimes: s.Regimes, coarse: s.Coarse, declined: s.Declined, proven: s.Proven,
		chosen:     s.Chosen,
		controls:   named(s.Controls),
		replicates: s.Replicates,
		tries:      s.Tries,
		plan:       s.plan,
		even: func(e Effort) (n int, alike bool) {
			cells := s.Cells(e)
			return cells.n, cells.cost == nil
		},
		drawn: func(e Effort) evidence.Ranges { return rangesOf(s.Cells(e).all()) },
		measure: func(t *Trial, _ cell, done string, _ []string) any {
			return s.Measure(t, s.Cells(t.Effort).at(t.Index), done)
		},
		judge:  s.judge,
		codec:  codecOf(s.Kind),
		tabled: sync.OnceValue(func() *table { return tableOf(s) }),
	}
}

func (s sweep) plan(e Effort) []cell {
	cells := s.Cells(e)
	out := make([]cell, cells.n)
	label := func(c cell) string { return fmt.Sprintf("%+v", cells.at(c.index)) }
	for i := range out {
		out[i] = cell{named: label, index: i, cost: 1, priced: e}
		if cells.cost != nil {
			out[i].cost = cells.cost(i)
		}
	}
	return out
}

func (s sweep) judge(j judging, claimed string) *tally {
	planned, total := s.Cells(j.effort), &tally{}
	cells, measured := make([]any, len(j.results)), make([]any, len(j.results))
	for i, result := range j.results {
		cells[i], measured[i] = planned.at(j.cells[i].index), result
	}
	record := func(label func() string) *Record {
		return &Record{unit: j.unit, regimes: s.Regimes, detailed: j.detailed, paired: true, declinable: s.Declined,
			entryOf: func() *rand.Rand { return j.entry(label()) }}
	}
	if s.Judge != nil {
		for i, k := range cells {
			label := j.cells[i].label // which takes a while to write, and is seldom asked for
			r := record(label)
			s.Judge(r, k, measured[i], claimed)
			total.add(i, r, func() string { return render(append([]shown{{"cell", label()}}, r.shown...)) })
		}
	}
	if s.Conclude != nil {
		r := record(func() string { return "all cells" })
		s.Conclude(r, cells, measured, claimed)
		total.add(len(cells), r, func() string { return r.explanation + render(r.shown) })
	}
	return total
}
