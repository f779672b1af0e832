package props

import (
	"container/heap"
	"maps"
	"math"
	"slices"
)

// WorkUnit is a unit of work: one cell of one check, for one thing done, on one replicate.
type WorkUnit struct {
	Claim string // slug
	Check string
	Cases int
	Cost  float64 // expected seconds of processor time

	done            string
	replicate, cell int
	label           func() string // of the cell; nil where there is but one
}

// unitPlace says which unit of a run one is by the position of its cell, whose label takes longer to write than all
// else in planning.
type unitPlace struct {
	slug string
	measurementKey
	cell int
}

// key names the unit within its run, in a journal.
func (u WorkUnit) key() string {
	label := ""
	if u.label != nil {
		label = u.label()
	}
	return unitKey(u.place(), label)
}

func (u WorkUnit) place() unitPlace {
	return unitPlace{u.Claim, measurementKey{u.Check, u.done, u.replicate}, u.cell}
}

// Rate is the cost of a case of a check: seconds of processor time at quick, standard and deep effort. The cases of a
// sweep differ, and this is the mean.
type Rate [3]float64

// unknownRate is the rate of a check that nobody has measured.
var unknownRate = Rate{0.01, 0.01, 0.01}

// at is the rate at an effort. Between standard and deep, where sizes grow by a factor a step, it does so too: a power
// law in the size through the two that were measured.
func (r Rate) at(e Effort) float64 {
	if level := levelOf(e); 0 < level && level < levels {
		return r[1] * math.Pow(r[2]/r[1], float64(level)/levels)
	}
	return at(e, r[0], r[1], r[2])
}

// Plan lists the units of a run in the order in which they are made. The costs belong to checks, by [CostKey].
func Plan(claims []Claim, o Options, costs map[string]Rate) []WorkUnit {
	var out [][]WorkUnit // by check
	for _, c := range claims {
		for _, k := range c.checks {
			out = append(out, k.units(c.Statement.Slug, o.effortOf(c.Statement.Slug, k.name), costs))
		}
		if c.Along != nil {
			key := CostKey(c.Statement.Slug, figureName)
			out = append(out, []WorkUnit{{Claim: c.Statement.Slug, Check: figureName,
				Cost: rateOf(costs, key).at(o.Effort)}})
		}
	}
	return slices.Concat(out...)
}

// CostKey is the key of a check in a table of costs.
func CostKey(slug, check string) string { return slug + ": " + check }

func rateOf(costs map[string]Rate, key string) Rate {
	if r, known := costs[key]; known {
		return r
	}
	return unknownRate
}

// units lists the work of one check: the claim itself once, and everything that a control does on every replicate.
//
// A check whose plan panics has no units: the run says what is wrong with it.
func (k checker) units(slug string, e Effort, costs map[string]Rate) (out []WorkUnit) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	rate, batches, n := rateOf(costs, CostKey(slug, k.name)), k.batches(e), 0
	for _, b := range batches {
		n += len(b.cells)
	}
	out = make([]WorkUnit, 0, n) // there may be 100 000
	for _, b := range batches {
		for i, c := range b.cells {
			out = append(out, WorkUnit{Claim: slug, Check: k.name, Cases: casesIn(b.cells[i : i+1]),
				Cost: rate.at(c.priced) * c.cost, done: b.done, replicate: b.replicate, cell: i, label: c.label})
		}
	}
	return out
}

// batch is all cells of one thing done, on one replicate.
type batch struct {
	measurementKey
	cells []cell
}

func (k checker) batches(e Effort) (out []batch) {
	for i, run := range k.runs(e) {
		if i > 0 && run.done == out[i-1].done { // replicates have the same cells
			out = append(out, batch{run, out[i-1].cells})
			continue
		}
		out = append(out, batch{run, k.cells(k.at(e, run.done), run.done)})
	}
	return out
}

// at is the effort at which a check does something: what controls do costs no more than at standard effort.
func (k checker) at(e Effort, done string) Effort {
	if done != "" && levelOf(e) > 0 {
		return Standard
	}
	return e
}

// runs lists what a check measures: each thing done, on each replicate that something asks for.
func (k checker) runs(e Effort) []measurementKey {
	out := []measurementKey{{k.name, "", 0}}
	for _, c := range k.controls {
		for replicate := range k.times(k.at(e, c.done), c.done) {
			key := measurementKey{k.name, c.done, replicate}
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

// times returns the number of repetitions, with fresh streams, of a control of a check that does this.
func (k checker) times(e Effort, done string) int {
	if e == Quick && k.tries > 0 && done == "" {
		return 1
	}
	if levelOf(e) > 0 {
		e = Deep
	}
	n := replicates.At(e)
	if k.replicates > 0 {
		n = min(n, k.replicates)
	}
	return n
}

// Shards deals units to n shards of about the same cost: each goes, the most expensive first, to the shard with the
// least to do. The result depends on the arguments only. A shard keeps the order of the plan.
func Shards(units []WorkUnit, n int) [][]WorkUnit {
	alike := map[float64][]int{} // most units cost as much as many others, so that this sorts them
	for i, u := range units {
		alike[u.Cost] = append(alike[u.Cost], i)
	}
	shards, owner := make(loads, n), make([]int, len(units))
	for i := range shards {
		shards[i].shard = i
	}
	for _, cost := range slices.Backward(slices.Sorted(maps.Keys(alike))) {
		for _, i := range alike[cost] {
			owner[i] = shards[0].shard
			shards[0].cost += cost
			heap.Fix(&shards, 0)
		}
	}
	out := make([][]WorkUnit, n)
	for i, u := range units {
		out[owner[i]] = append(out[owner[i]], u)
	}
	return out
}

// loads is a heap of shards, the one with the least to do on top.
type loads []struct {
	cost  float64
	shard int
}

func (l loads) Len() int { return len(l) }
func (l loads) Less(i, j int) bool {
	return l[i].cost < l[j].cost || l[i].cost == l[j].cost && l[i].shard < l[j].shard
}
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *loads) Push(any)     { panic("no shard is added") }
func (l *loads) Pop() any     { panic("no shard is removed") }
