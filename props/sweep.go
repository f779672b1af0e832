package props

import "fmt"

// Sweep is a check that measures cells of type K, in parallel and each with its own stream, and judges the
// measurements: each on its own, all of them together, or both. It suits orders, exponents, limits and probabilities,
// for which a shrunk counterexample would only say that n is small. Cells are identified by how they print (%+v); a
// measurement M is a plain value: its exported fields are all there is to it.
type Sweep[K, M any] struct {
	Name     string
	Cells    func(Effort) []K
	Regimes  []string // all that the statement allows; one that no cell reaches is reported as not drawn
	Measure  func(t *Trial, cell K, done string) M
	Judge    func(r *Record, cell K, m M, claimed string)        // of each cell on its own; may be nil
	Conclude func(r *Record, cells []K, all []M, claimed string) // of all cells together; may be nil
	Controls []Control

	// by criterion, the largest share of the cases of a regime that may be declined, see [Record.Declines]
	Declined   map[string]float64
	Proven     map[string]string // by criterion, why its tolerance covers every draw, where ratios come close to 1
	Cost       func(K) float64   // of a cell relative to the others; nil where all cost the same
	Coarse     map[string]string // by criterion, why its resolution cannot be finer
	Replicates int               // bounds how often a control is tried, for costly measurements; 0 is no bound
}

func (s Sweep[K, M]) erase() checker {
	return checker{
		name: s.Name, regimes: s.Regimes, coarse: s.Coarse, declined: s.Declined, proven: s.Proven,
		controls:   named(s.Controls),
		replicates: s.Replicates,
		plan:       s.plan,
		measure: func(t *Trial, _ cell, done string, _ []string) any {
			return s.Measure(t, s.Cells(t.Effort)[t.Index], done)
		},
		judge: s.judge,
		codec: codecOf[M](),
	}
}

func (s Sweep[K, M]) plan(e Effort) []cell {
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

func (s Sweep[K, M]) judge(j judging, claimed string) *tally {
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

// Indices returns 0, 1, …, n−1: the cells of a sweep over n instances that differ only in their streams.
func Indices(n int) []int {
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	return cells
}
