package diff

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
)

// The arms of a comparison, in the order of [blocks.Block].
const (
	Old   = "old"
	Again = "old again"
	New   = "new"
)

// Arms lists them.
var Arms = []string{Old, Again, New}

// Comparison is what a table is made of.
type Comparison struct {
	Samples []measure.Sample
	Rounds  int    // of the first look
	Looks   []int  // rounds up to each look; empty if every look takes as many as the first
	Old     string // label of the old version
	New     string
	Policy  compare.Policy
	Scratch string // directory in which files may lie for a moment; empty is the system's
}

// key names a row.
type key struct{ group, name, unit string }

// Table judges all samples so far. Rows whose number of rounds is k times that of a look are at their k-th look. Rows
// of benchmarks that failed are unusable, whatever their other samples say.
func (c Comparison) Table() (*compare.Table, error) {
	table, err := c.benchstat()
	if err != nil {
		return nil, err
	}
	units, rounds := c.units(), c.blocks()
	var sampled []int
	gated := 0
	for i, r := range table.Rows {
		if r.Change.Level < 1 || !r.Exact && r.Verdict != compare.Missing && r.Verdict != compare.Added {
			sampled = append(sampled, i)
			gated += count(r.Gated)
		}
	}
	for _, i := range sampled {
		r := &table.Rows[i]
		row := rounds[key{r.Group, r.Name, r.Unit}]
		look := c.look(len(row))
		if r.Exact {
			attest(r, row, c.Policy.Alpha, gated, look)
			continue
		}
		spec := table.Policy.SpecOf(r.Unit, blocks.Share(c.Policy.Alpha, gated, look), units.GetBetter(r.Unit))
		r.Judgement = blocks.Judge(row, spec)
		if compare.Settles(r.Unit) && r.Verdict == compare.Undecided {
			old, new := blocks.Sides(row)
			spec.Floor = r.Floor
			r.Settle(old, new, spec)
		}
	}
	c.fail(table)
	c.uncounted(table)
	table.Disagree()
	noun := "rows"
	if gated == 1 {
		noun = "row"
	}
	table.Method = fmt.Sprintf("%d %s measured in randomised blocks (old, old again, new): "+
		"the chance of any wrong verdict is at most α = %v over all rows and all looks; look k spends α/(k(k+1)); "+
		"the floor is the difference between the two measurements of the old code", gated, noun, c.Policy.Alpha) +
		table.RuleOfCounts()
	return table, nil
}

// attest leaves a count undecided whose change the random order of n blocks may have brought about: that all new
// samples lie on one side of all old ones has the probability 2·3⁻ⁿ.
func attest(r *compare.Row, row []blocks.Block, alpha float64, rows, look int) {
	share, n := blocks.Share(alpha, rows, look), len(row)
	if r.Reason == compare.ShiftReason { // at a level that knows of no looks
		r.Verdict = compare.Undecided
		old, new := blocks.Sides(row)
		r.SettleShift(old, new, r.Unit, share)
	}
	r.Change.Level = 1 - share
	if r.Needs > 0 { // by the order of all samples, which is the weaker condition
		r.Needs = max(blocks.Minimum(blocks.Share(alpha, rows, look+1)), n+1)
	}
	r.Judgement.Attest(2*math.Pow(3, -float64(n)), share, blocks.Minimum(blocks.Share(alpha, rows, look+1)), n)
}

// units is what the benchmarks say of their units.
func (c Comparison) units() benchfmt.UnitMetadataMap {
	out := benchfmt.UnitMetadataMap{}
	for _, s := range c.Samples {
		for _, u := range s.Units {
			out[u.UnitMetadataKey] = u
		}
	}
	return out
}

// look is that at which a row of so many rounds is, from 1.
func (c Comparison) look(rounds int) int {
	if len(c.Looks) == 0 {
		return max(1, rounds/max(c.Rounds, 1))
	}
	look := 1
	for i, n := range c.Looks {
		if rounds >= n {
			look = i + 1
		}
	}
	return look
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Open lists the benchmarks of which a gated row is undecided and more rounds may decide it.
func Open(t *compare.Table, benchmarks []measure.Benchmark) []measure.Benchmark {
	open := map[key]bool{}
	for _, r := range t.Rows {
		if r.Gated && r.Verdict == compare.Undecided && r.Needs > 0 {
			open[key{group: r.Group, name: measure.Bare(r.Name)}] = true
			open[key{group: r.Group, name: r.Name}] = true
		}
	}
	var out []measure.Benchmark
	for _, b := range benchmarks {
		if open[key{group: group(b.Package), name: b.Name}] {
			out = append(out, b)
		}
	}
	return out
}

// group is the label of the block of a package in a table.
func group(pkg string) string { return "pkg: " + pkg }

// blocks are the rounds of each row that are there as a whole.
func (c Comparison) blocks() map[key][]blocks.Block {
	type place struct {
		key
		round int
	}
	nan := math.NaN()
	partial := map[place]*blocks.Block{}
	last := 0
	for _, s := range c.Samples {
		if s.Result == nil {
			continue
		}
		last = max(last, s.Round)
		for _, v := range s.Result.Values {
			at := place{key{group(s.Package), string(s.Result.Name), v.Unit}, s.Round}
			if partial[at] == nil {
				partial[at] = &blocks.Block{Old: nan, Again: nan, New: nan}
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
	whole := map[key][]blocks.Block{}
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

// benchstat makes the table of the samples as if they came from two files; without any result it is empty.
func (c Comparison) benchstat() (*compare.Table, error) {
	if len(c.of(Arms)) == 0 {
		return &compare.Table{Policy: c.Policy}, nil
	}
	dir, err := os.MkdirTemp(c.Scratch, "table-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	words := make([]string, 2)
	for i, arms := range [][]string{{Old, Again}, {New}} {
		words[i] = []string{label(c.Old), label(c.New)}[i] + "=" + filepath.Join(dir, fmt.Sprint(i))
		if err := c.write(filepath.Join(dir, fmt.Sprint(i)), arms); err != nil {
			return nil, err
		}
	}
	return compare.Files(words, compare.Options{Table: "pkg"}, c.Policy)
}

// label makes a label that cannot be taken for a path.
func label(name string) string { return strings.ReplaceAll(name, "=", ":") }

// write writes the samples of some arms to a file. The package is all of their configuration: the rest is common to
// all arms.
func (c Comparison) write(path string, arms []string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := benchfmt.NewWriter(file)
	for _, s := range c.Samples {
		for _, u := range s.Units {
			if err := w.Write(u); err != nil {
				return err
			}
		}
	}
	for _, s := range c.of(arms) {
		r := &benchfmt.Result{Name: s.Result.Name, Iters: s.Result.Iters, Values: s.Result.Values,
			Config: []benchfmt.Config{{Key: "pkg", Value: []byte(s.Package), File: true}}}
		if err := w.Write(r); err != nil {
			return err
		}
	}
	return nil
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
