package diff

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/terminal"
)

// The arms of a comparison, in the order of [blocks.Block].
const (
	Old   = "old"
	Again = "old again"
	New   = "new"
)

// Arms lists them.
var Arms = []string{Old, Again, New}

// Comparison holds the samples and the settings from which a table is made.
type Comparison struct {
	Samples []measure.Sample
	Rounds  int    // of the first look
	Looks   []int  // rounds up to each look; empty if every look takes as many as the first
	Old     string // label of the old version
	New     string
	Policy  compare.Policy
	Cycles  bool // estimated cycles have rows of their own
}

// key names a row.
type key struct{ group, name, unit string }

// Table judges all samples so far. Rows whose number of rounds is k times the number of a look are at their k-th look.
// Rows of benchmarks that failed are unusable, whatever their other samples say.
func (c Comparison) Table() (*compare.Table, error) {
	rounds, gated := c.blocks(), 0
	old, new := c.side(c.Old, Old, Again), c.side(c.New, New)
	if len(old.Results)+len(new.Results) == 0 {
		old.Units, new.Units = nil, nil
	}
	table, err := compare.Results(old, new, compare.Options{Table: "pkg"}, c.Policy,
		func(r *compare.Row, s compare.Spec, rows int) {
			gated += number.Indicator(r.Gated)
			c.judge(r, rounds[key{r.Group, r.Name, r.Unit}], s, rows)
		})
	if err != nil {
		return nil, err
	}
	if len(old.Results)+len(new.Results) == 0 {
		table = &compare.Table{Policy: c.Policy}
	}
	c.mark(table, rounds)
	c.culprits(table)
	c.fail(table)
	c.uncounted(table)
	table.Overrule()
	c.relinked(table)
	table.Disagree()
	table.Method = fmt.Sprintf("%s measured in randomised blocks (old, old again, new): "+
		"the chance of any wrong verdict is at most α = %v over all rows and all looks; look k spends α/(k(k+1)); "+
		"the floor is the difference between the two measurements of the old code", terminal.Plural(gated, "row"),
		c.Policy.Alpha) +
		table.RuleOfCounts()
	return table, nil
}

// judge judges a row by its blocks. A count that does not vary on either side was judged by its ranges, and is left
// undecided if the random order of n blocks may have brought its change about: that all new samples lie on one side of
// all old ones has the probability 2·3⁻ⁿ.
func (c Comparison) judge(r *compare.Row, row []Block, s compare.Spec, rows int) {
	look, n := c.look(len(row)), len(row)
	s.Alpha = Share(c.Policy.Alpha, rows, look)
	old, new := Sides(row)
	if !r.Exact {
		r.Judgement = Judge(row, s)
		if compare.Settles(r.Unit) && r.Verdict == compare.Undecided {
			s.Floor = r.Floor
			r.Settle(old, new, s)
		}
		return
	}
	next := Minimum(Share(c.Policy.Alpha, rows, look+1))
	r.Change.Level = 1 - s.Alpha
	r.SettleShift(old, new, r.Unit, s.Alpha)
	if r.Needs > 0 { // by the order of all samples, which is the weaker condition
		r.Needs = max(next, n+1)
	}
	r.Attest(2*math.Pow(3, -float64(n)), s.Alpha, next, n)
}

// side are the samples of some arms, as compare has them. The package is all of their configuration: the rest is common
// to all arms.
func (c Comparison) side(label string, arms ...string) compare.Side {
	side := compare.Side{Label: label}
	for _, s := range c.Samples {
		if slices.Contains(arms, s.Arm) {
			side.Units = append(side.Units, s.Units...)
		}
	}
	for _, s := range c.of(arms) {
		side.Results = append(side.Results, &benchfmt.Result{Name: s.Result.Name, Iters: s.Result.Iters,
			Values: s.Result.Values, Config: []benchfmt.Config{{Key: "pkg", Value: []byte(s.Package), File: true}}})
	}
	return side
}

// units collects the metadata that the benchmarks print about their units.
func (c Comparison) units() benchfmt.UnitMetadataMap {
	out := benchfmt.UnitMetadataMap{}
	for _, s := range c.Samples {
		for _, u := range s.Units {
			out[u.UnitMetadataKey] = u
		}
	}
	return out
}

// look returns the look, counted from 1, of a row with the given number of rounds. A row with fewer rounds than its
// look has, because some were interrupted or dropped, belongs to the same look: an earlier one was spent on fewer.
func (c Comparison) look(rounds int) int {
	if len(c.Looks) == 0 {
		return max(1, (rounds+c.Rounds-1)/max(c.Rounds, 1))
	}
	for i, n := range c.Looks {
		if rounds <= n {
			return i + 1
		}
	}
	return len(c.Looks)
}

// Open lists the benchmarks that more rounds may decide: a gated row is undecided, or the time looks changed.
func (c Comparison) Open(t *compare.Table, benchmarks []measure.Benchmark) []measure.Benchmark {
	open, rounds := map[key]bool{}, c.blocks()
	for _, r := range t.Rows {
		if r.Gated && r.Verdict == compare.Undecided && r.Needs > 0 || c.looksChanged(r, rounds) {
			open[key{group: r.Group, name: measure.Bare(r.Name)}] = true
			open[key{group: r.Group, name: r.Name}] = true
		}
	}
	return list.Where(benchmarks, func(b measure.Benchmark) bool {
		return open[key{group: group(b.Package), name: b.Name}]
	})
}

// group is the label of the block of a package in a table.
func group(pkg string) string { return "pkg: " + pkg }

// blocks are the rounds of each row that are there as a whole.
func (c Comparison) blocks() map[key][]Block {
	type place struct {
		key
		round int
	}
	nan := math.NaN()
	partial := map[place]*Block{}
	last := 0
	for _, s := range c.Samples {
		if s.Result == nil {
			continue
		}
		last = max(last, s.Round)
		for _, v := range s.Result.Values {
			at := place{key{group(s.Package), string(s.Result.Name), v.Unit}, s.Round}
			if partial[at] == nil {
				partial[at] = &Block{Old: nan, Again: nan, New: nan}
			}
			switch s.Arm {
			case Old:
				partial[at].Old = math.Log(v.Value)
			case Again:
				partial[at].Again = math.Log(v.Value)
			case New:
				partial[at].New = math.Log(v.Value)
			}
		}
	}
	whole := map[key][]Block{}
	for at := range partial { // the order of rounds is restored below
		whole[at.key] = nil
	}
	for k := range whole {
		for round := 0; round <= last; round++ {
			if b := partial[place{k, round}]; b != nil && !math.IsNaN(b.Old+b.Again+b.New) {
				whole[k] = append(whole[k], *b)
			}
		}
	}
	return whole
}

// of lists the samples of arms that did not fail, one arm after the other and each in the order of measurement.
func (c Comparison) of(arms []string) []measure.Sample {
	var out []measure.Sample
	for _, arm := range arms {
		for _, s := range c.Samples {
			if s.Arm == arm && s.Result != nil {
				out = append(out, s)
			}
		}
	}
	return out
}
