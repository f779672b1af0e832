package props

import (
	"cmp"
	"slices"
)

// WorkUnit is a unit of work: one cell of one check, for one thing done, on one replicate.
type WorkUnit struct {
	Key   string // unique within the run
	Claim string // slug
	Check string
	Cases int
	Cost  float64 // expected seconds of processor time
}

// Plan lists the units of a run in the order in which they are made. The costs are seconds per case by claim and check,
// as [Results.Costs] of an earlier run has them; what is not in there counts as one hundredth of a second.
func Plan(claims []Claim, e Effort, costs map[string]float64) []WorkUnit {
	var out []WorkUnit
	for _, c := range claims {
		for _, k := range c.checks {
			out = append(out, k.units(c.Statement.Slug, e, costs)...)
		}
	}
	return out
}

// CostKey is the key of a check in a table of costs.
func CostKey(slug, check string) string { return slug + ": " + check }

const unknownCost = 0.01

// units lists the work of one check: the claim itself once, and everything that a control does on every replicate.
//
// A check whose plan panics has no units: the run says what is wrong with it.
func (k checker) units(slug string, e Effort, costs map[string]float64) (out []WorkUnit) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	perCase, known := costs[CostKey(slug, k.name)]
	if !known {
		perCase = unknownCost
	}
	cells := k.plan(e)
	total, planned := 0.0, float64(casesIn(cells))
	for _, c := range cells {
		total += c.cost
	}
	for _, run := range k.runs(e) {
		for _, c := range k.cells(e, run.done) {
			share := c.cost / total * planned
			out = append(out, WorkUnit{unitKey(slug, k.name, run.done, run.replicate, c.label), slug, k.name,
				casesIn([]cell{c}), perCase * share})
		}
	}
	return out
}

// runs lists what a check measures: each thing done, on each replicate that something asks for.
func (k checker) runs(e Effort) []measurementKey {
	out := []measurementKey{{k.name, "", 0}}
	for _, c := range k.controls {
		for replicate := range k.times(e) {
			key := measurementKey{k.name, c.done, replicate}
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

// times is how often a control of a check is repeated with fresh streams.
func (k checker) times(e Effort) int {
	n := replicates.At(e)
	if k.replicates > 0 {
		n = min(n, k.replicates)
	}
	return n
}

// Shards deals units to n shards of about the same cost: each goes, the most expensive first, to the shard with the
// least to do. The result depends on the arguments only. A shard keeps the order of the plan.
func Shards(units []WorkUnit, n int) [][]WorkUnit {
	order := make([]int, len(units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(units[b].Cost, units[a].Cost) })
	load, owner := make([]float64, n), make([]int, len(units))
	for _, i := range order {
		shard := 0
		for s := range load {
			if load[s] < load[shard] {
				shard = s
			}
		}
		owner[i] = shard
		load[shard] += units[i].Cost
	}
	out := make([][]WorkUnit, n)
	for i, u := range units {
		out[owner[i]] = append(out[owner[i]], u)
	}
	return out
}
