package props

import (
	"fmt"
	"reflect"

	"github.com/thm-suite/thm/internal/props/evidence"
)

// sweep is [Grid] without its types, which are compiled anew for every check: versions go by their names.
type sweep struct {
	Name     string
	Cell     reflect.Type
	Kind     reflect.Type // of a measurement
	Cells    func(Effort) []any
	Regimes  []string
	Measure  func(t *Trial, cell any, done string) any
	Judge    func(r *Record, cell, m any, claimed string)
	Conclude func(r *Record, cells, all []any, claimed string)
	Controls []Control

	Declined               map[string]float64
	Proven, Coarse, Chosen map[string]string
	Cost                   func(any) float64
	Replicates, Tries      int
}

func (s sweep) erase() checker {
	return checker{
		name: s.Name, regimes: s.Regimes, coarse: s.Coarse, declined: s.Declined, proven: s.Proven,
		chosen:     s.Chosen,
		controls:   named(s.Controls),
		replicates: s.Replicates,
		tries:      s.Tries,
		plan:       s.plan,
		drawn:      func(e Effort) evidence.Ranges { return rangesOf(s.Cells(e)) },
		measure: func(t *Trial, _ cell, done string, _ []string) any {
			return s.Measure(t, s.Cells(t.Effort)[t.Index], done)
		},
		judge: s.judge,
		codec: codecOf(s.Kind),
		table: tableOf(s),
	}
}

func (s sweep) plan(e Effort) []cell {
	cells := s.Cells(e)
	out := make([]cell, len(cells))
	for i, k := range cells {
		out[i] = cell{label: func() string { return fmt.Sprintf("%+v", k) }, index: i, cost: 1, priced: e}
		if s.Cost != nil {
			out[i].cost = s.Cost(k)
		}
	}
	return out
}

func (s sweep) judge(j judging, claimed string) *tally {
	planned, total := s.Cells(j.effort), &tally{}
	cells, measured := make([]any, len(j.results)), make([]any, len(j.results))
	for i, result := range j.results {
		cells[i], measured[i] = planned[j.cells[i].index], result
	}
	record := func(label string) *Record {
		return &Record{unit: j.unit, regimes: s.Regimes, entry: j.entry(label), detailed: j.detailed, paired: true,
			declinable: s.Declined}
	}
	if s.Judge != nil {
		for i, k := range cells {
			label := j.cells[i].label()
			r := record(label)
			s.Judge(r, k, measured[i], claimed)
			total.add(i, r, func() string { return render(append([]shown{{"cell", label}}, r.shown...)) })
		}
	}
	if s.Conclude != nil {
		r := record("all cells")
		s.Conclude(r, cells, measured, claimed)
		total.add(len(cells), r, func() string { return r.explanation + render(r.shown) })
	}
	return total
}
