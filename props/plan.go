package props

import (
	"maps"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/list"
)

// WorkUnit is a unit of work: one cell of one check, for one thing done, on one replicate.
type WorkUnit struct {
	Claim string // slug
	Check string
	Cases int
	Cost  float64 // expected seconds of processor time

	in   *batch // that it is of; nil where there is but one
	cell int
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
	if u.in != nil {
		label = u.in.cells[u.cell].label()
	}
	return unitKey(u.place(), label)
}

func (u WorkUnit) place() unitPlace {
	key := measurementKey{check: u.Check}
	if u.in != nil {
		key = u.in.measurementKey
	}
	return unitPlace{u.Claim, key, u.cell}
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

// Work is what a run has to do: its units, in the order in which they are made. There may be a million, of which a
// shard lists its own alone.
type Work struct {
	checks []checkWork
	n      int // units
}

// checkWork is the work of a check, or of the figure of a theorem.
type checkWork struct {
	claim, check string
	rate         Rate
	effort       Effort
	batches      []batch // none where there is but one unit
}

// Planned is the work of a run. The costs belong to checks, by [CostKey].
//
// A check whose plan panics has no units: the run says what is wrong with it.
func Planned(claims []Claim, o Options, costs map[string]Rate) Work {
	w := Work{}
	for _, c := range claims {
		slug := c.Statement.Slug
		for _, k := range c.checks {
			w.add(k.work(slug, o.effortOf(slug, k.name), costs))
		}
		if c.Along != nil {
			w.add(checkWork{slug, figureName, rateOf(costs, CostKey(slug, figureName)), o.Effort, nil})
		}
	}
	return w
}

func (w *Work) add(c checkWork) {
	w.checks, w.n = append(w.checks, c), w.n+c.units()
}

// Plan lists the units of a run in the order in which they are made. The costs belong to checks, by [CostKey].
func Plan(claims []Claim, o Options, costs map[string]Rate) []WorkUnit {
	w := Planned(claims, o, costs)
	out := make([]WorkUnit, 0, w.n)
	for _, c := range w.checks {
		c.each(func(u WorkUnit) { out = append(out, u) })
	}
	return out
}

// CostKey is the key of a check in a table of costs.
func CostKey(slug, check string) string { return slug + ": " + check }

func rateOf(costs map[string]Rate, key string) Rate {
	if r, known := costs[key]; known {
		return r
	}
	return unknownRate
}

// work is what one check has to do: the claim itself once, and everything that a control does on every replicate.
func (k checker) work(slug string, e Effort, costs map[string]Rate) (out checkWork) {
	out = checkWork{claim: slug, check: k.name, rate: rateOf(costs, CostKey(slug, k.name)), effort: e, batches: []batch{}}
	defer func() { _ = recover() }()
	out.batches = k.batches(e)
	return out
}

// units counts the units.
func (c checkWork) units() int {
	if c.batches == nil {
		return 1
	}
	n := 0
	for _, b := range c.batches {
		n += len(b.cells)
	}
	return n
}

// each calls f for each unit.
func (c checkWork) each(f func(WorkUnit)) {
	if c.batches == nil {
		f(WorkUnit{Claim: c.claim, Check: c.check, Cost: c.rate.at(c.effort)})
		return
	}
	var priced Effort // as most of the cells before
	rate := math.NaN()
	for i := range c.batches {
		b := &c.batches[i]
		for n := range b.cells {
			x := &b.cells[n]
			if math.IsNaN(rate) || x.priced != priced {
				priced, rate = x.priced, c.rate.at(x.priced)
			}
			f(WorkUnit{Claim: c.claim, Check: c.check, Cases: casesOf(x), Cost: rate * x.cost, in: b, cell: n})
		}
	}
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

// Shard lists the units of the i-th of n shards, counted from 0, as [Shards] deals them.
func (w Work) Shard(i, n int) []WorkUnit {
	costs := make([]float64, 0, w.n)
	for _, c := range w.checks {
		c.each(func(u WorkUnit) { costs = append(costs, u.Cost) })
	}
	owner := deal(costs, n)
	var out []WorkUnit
	at := 0
	for _, c := range w.checks {
		units := c.units()
		if own := owner[at : at+units]; slices.Contains(own, int32(i)) {
			c.each(func(u WorkUnit) {
				if own[0] == int32(i) {
					out = append(out, u)
				}
				own = own[1:]
			})
		}
		at += units
	}
	return out
}

// Units counts the units of each claim, by slug.
func (w Work) Units() map[string]int {
	out := map[string]int{}
	for _, c := range w.checks {
		out[c.claim] += c.units()
	}
	return out
}

// Shards deals units to n shards of about the same cost: each goes, the most expensive first, to the shard with the
// least to do. The result depends on the arguments only. A shard keeps the order of the plan.
func Shards(units []WorkUnit, n int) [][]WorkUnit {
	owner := deal(list.Map(units, func(u WorkUnit) float64 { return u.Cost }), n)
	sizes := make([]int, n)
	for _, shard := range owner {
		sizes[shard]++
	}
	out := make([][]WorkUnit, n)
	for i := range out {
		out[i] = make([]WorkUnit, 0, sizes[i])
	}
	for i, u := range units {
		out[owner[i]] = append(out[owner[i]], u)
	}
	return out
}

// deal says for each unit, of which it takes the costs, which of n shards it goes to.
func deal(costs []float64, n int) (owner []int32) {
	for i, cost := range costs {
		if math.IsNaN(cost) {
			costs[i] = 0
		}
	}
	alike := map[float64]int{} // most units cost as much as many others, so that counting sorts them
	for i := 0; i < len(costs); {
		same := 1
		for i+same < len(costs) && costs[i+same] == costs[i] {
			same++
		}
		alike[costs[i]] += same
		i += same
	}
	next, begin := map[float64]*int{}, 0
	for _, cost := range slices.Backward(slices.Sorted(maps.Keys(alike))) {
		first := begin
		next[cost], begin = &first, begin+alike[cost]
	}
	order := make([]int32, len(costs))
	var place *int
	for i, cost := range costs {
		if i == 0 || cost != costs[i-1] {
			place = next[cost]
		}
		order[*place] = int32(i)
		*place++
	}
	shards := make(loads, n)
	for i := range shards {
		shards[i].shard = int32(i)
	}
	owner = make([]int32, len(costs))
	for _, i := range order {
		owner[i] = shards[0].shard
		shards.give(costs[i])
	}
	return owner
}

// loads is a heap of shards, the one with the least to do on top.
type loads []load

type load struct {
	cost  float64
	shard int32
}

func (l load) less(other load) bool {
	return l.cost < other.cost || l.cost == other.cost && l.shard < other.shard
}

// give adds a unit to the shard on top.
func (l loads) give(cost float64) {
	moved := load{l[0].cost + cost, l[0].shard}
	at := 0
	for {
		child := 2*at + 1
		if child >= len(l) {
			break
		}
		if child+1 < len(l) && l[child+1].less(l[child]) {
			child++
		}
		if !l[child].less(moved) {
			break
		}
		l[at], at = l[child], child
	}
	l[at] = moved
}
