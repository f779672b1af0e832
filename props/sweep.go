package props

import (
	"fmt"

	"github.com/thm-suite/thm/internal/props/evidence"
)

// sweep is [Grid] without the type of what is claimed: versions go by their names.
type sweep[K, M any] struct {
	Name     string
	Cells    func(Effort) []K
	Regimes  []string
	Measure  func(t *Trial, cell K, done string) M
	Judge    func(r *Record, cell K, m M, claimed string)
	Conclude func(r *Record, cells []K, all []M, claimed string)
	Controls []Control

	Declined               map[string]float64
	Proven, Coarse, Chosen map[string]string
	Cost                   func(K) float64
	Replicates             int
}

func (s sweep[K, M]) erase() checker {
	return checker{
		name: s.Name, regimes: s.Regimes, coarse: s.Coarse, declined: s.Declined, proven: s.Proven,
		chosen:     s.Chosen,
		controls:   named(s.Controls),
		replicates: s.Replicates,
		plan:       s.plan,
		drawn:      func(e Effort) evidence.Ranges { return rangesOf(s.Cells(e)) },
		measure: func(t *Trial, _ cell, done string, _ []string) any {
			return s.Measure(t, s.Cells(t.Effort)[t.Index], done)
		},
		judge: s.judge,
		codec: codecOf[M](),
	}
}

func (s sweep[K, M]) plan(e Effort) []cell {
	cells := s.Cells(e)
	out := make([]cell, len(cells))
	for i, k := range cells {
		out[i] = cell{label: fmt.Sprintf("%+v", k), index: i, cost: 1}
		if s.Cost != nil {
			out[i].cost = s.Cost(k)
		}
	}
	return out
}

func (s sweep[K, M]) judge(j judging, claimed string) *tally {
	planned, total := s.Cells(j.effort), &tally{}
	cells, measured := make([]K, len(j.results)), make([]M, len(j.results))
	for i, result := range j.results {
		cells[i], measured[i] = planned[j.cells[i].index], result.(M)
	}
	record := func(label string) *Record {
		return &Record{unit: j.unit, regimes: s.Regimes, entry: j.entry(label), detailed: j.detailed, paired: true,
			declinable: s.Declined}
	}
	if s.Judge != nil {
		for i, k := range cells {
			r := record(j.cells[i].label)
			s.Judge(r, k, measured[i], claimed)
			total.add(i, r, func() string { return render(append([]shown{{"cell", j.cells[i].label}}, r.shown...)) })
		}
	}
	if s.Conclude != nil {
		r := record("all cells")
		s.Conclude(r, cells, measured, claimed)
		total.add(len(cells), r, func() string { return r.explanation + render(r.shown) })
	}
	return total
}
