package props

import (
	"cmp"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/list"
)

// WorkUnit is a unit of work: one cell of one check, for one thing done, on one replicate.
type WorkUnit struct {
	Key   string // unique within the run
	Claim string // slug
	Check string
	Cases int
	Cost  float64 // expected seconds of processor time
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
	var out []WorkUnit
	for _, c := range claims {
		for _, k := range c.checks {
			out = append(out, k.units(c.Statement.Slug, o.effortOf(c.Statement.Slug, k.name), costs)...)
		}
		if c.Along != nil {
			key := CostKey(c.Statement.Slug, figureName)
			out = append(out, WorkUnit{figureKey(c.Statement.Slug), c.Statement.Slug, figureName, 0,
				rateOf(costs, key).at(o.Effort)})
		}
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

// units lists the work of one check: the claim itself once, and everything that a control does on every replicate.
//
// A check whose plan panics has no units: the run says what is wrong with it.
func (k checker) units(slug string, e Effort, costs map[string]Rate) (out []WorkUnit) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	rate := rateOf(costs, CostKey(slug, k.name))
	all := k.work(e)
	out = make([]WorkUnit, 0, len(all)) // there may be 100 000
	for _, w := range all {
		out = append(out, WorkUnit{unitKey(slug, k.name, w.done, w.replicate, w.label()), slug, k.name,
			casesIn([]cell{w.cell}), rate.at(w.priced) * w.cost})
	}
	return out
}

// work is one cell of one thing done, on one replicate, and the effort at which that is done.
type work struct {
	measurementKey
	cell
	effort Effort
}

func (k checker) work(e Effort) (out []work) {
	var cells []cell
	var last string
	for i, run := range k.runs(e) {
		at := k.at(e, run.done)
		if i == 0 || run.done != last { // replicates have the same cells
			cells, last = k.cells(at, run.done), run.done
		}
		out = slices.Grow(out, len(cells))
		for _, c := range cells {
			out = append(out, work{run, c, at})
		}
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
	order := list.Fill(len(units), func(i int) int { return i })
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
