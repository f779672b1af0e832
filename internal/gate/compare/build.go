package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"github.com/thm-suite/thm/internal/terminal"
)

// Files compares files of benchmark results: the first with each of the others, or the columns that the options make. A
// word is PATH, LABEL=PATH or "-" for the standard input. The error is about a file that cannot be read or an option
// that cannot be parsed; everything else that is wrong is among the table's problems.
func Files(words []string, o Options, p Policy) (*Table, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.tidy()
	g, err := load(words, o)
	if err != nil {
		return nil, err
	}
	return g.compare(p), nil
}

// Side is one of two versions whose results are in memory, each of a process of its own unless Together says that all
// results of a benchmark are of one.
type Side struct {
	Label    string
	Units    []*benchfmt.UnitMetadata
	Results  []*benchfmt.Result
	Together bool
}

// Rule judges a row in which chance has a part, at the level that rows of them share. What is exact about a count that
// does not vary on either side is judged already.
type Rule func(r *Row, s Spec, rows int)

// Results compares the results of two versions. Without a rule they are judged as those of files.
func Results(old, new Side, o Options, p Policy, rule Rule) (*Table, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	g, err := newGrid(o)
	if err != nil {
		return nil, err
	}
	g.rule, g.units = rule, benchfmt.UnitMetadataMap{}
	process := 0
	for _, u := range old.Units {
		g.units[u.UnitMetadataKey] = u
	}
	for _, u := range slices.Concat(old.Units, new.Units) {
		p := Problem{unitDefect(u), true}
		if said := g.units[u.UnitMetadataKey]; said != nil && said.Value != u.Value {
			p.Text = fmt.Sprintf("Unit %s: %s is %s as well as %s", u.Unit, u.Key, said.Value, u.Value)
		}
		if p.Text != "" && !slices.Contains(g.problems, p) {
			g.problems = append(g.problems, p)
		}
		g.saidLate(u, new.Label)
	}
	for _, side := range []Side{old, new} {
		for _, r := range side.Results {
			r = r.Clone()
			tidy(r)
			r.SetConfig(".file", side.Label)
			if process++; side.Together {
				process = 0
			}
			if err := g.add(r, process); err != nil {
				return nil, err
			}
		}
	}
	return g.compare(p.tidy()), nil
}

func (g *grid) compare(p Policy) *Table {
	t := &Table{Policy: p, Problems: slices.Concat(g.problems, g.differences(p))}
	if g.rule == nil {
		t.Problems = append(t.Problems, g.orderWarnings()...)
	}
	b := builder{grid: g, table: t}
	cols := sorted(g.cols)
	for _, key := range sorted(g.blocks) {
		b.block(key, cols)
	}
	b.absent()
	b.judge()
	if g.rule == nil {
		t.Overrule()
	}
	t.Disagree()
	t.Method = method(p, b.statistical) + t.RuleOfCounts()
	return t
}

// absent notes units of the policy that no result has: they were to be gated and are not.
func (b *builder) absent() {
	for _, unit := range b.table.Policy.Units {
		if !slices.ContainsFunc(b.table.Rows, func(r Row) bool { return r.Unit == unit }) {
			b.problem(Problem{fmt.Sprintf("the unit %s is to be gated, but no result has it", unit), true})
		}
	}
}

// method is the sentence about what α is the chance of.
func method(p Policy, rows int) string {
	return fmt.Sprintf("%s judged by intervals that hold together: the chance of any wrong verdict is at most α = "+
		"%v, if nothing but the code differs; drift of the machine between two files is only covered as far as it "+
		"shows within them, as the noise floor",
		terminal.Plural(rows, "row"), p.Alpha)
}

// builder turns blocks into rows.
type builder struct {
	*grid
	table       *Table
	pairs       []pair // one for each row
	statistical int    // rows that share the policy's α
}

// pair is the raw data of a row.
type pair struct{ old, new *cell }

func (b *builder) block(key benchproc.Key, all []benchproc.Key) {
	block := b.blocks[key]
	group := b.describe(key)
	cols := sorted(block.cols)
	base := cols[0]
	if len(cols) == 1 && len(all) > 1 && base != all[0] {
		base = all[0] // the block has no old results
		cols = append([]benchproc.Key{base}, cols...)
	}
	if len(cols) == 1 {
		others := all[1:]
		if base != all[0] {
			others = nil
		}
		cols = append(cols, others...)
	}
	if len(cols) == 1 {
		b.column(block, group, base, benchproc.Key{})
	}
	for _, col := range cols[1:] {
		b.column(block, group, base, col)
	}
}

// column adds the rows that compare one column with the base, or only show the base if col is zero.
func (b *builder) column(block *block, group string, base, col benchproc.Key) {
	start := len(b.table.Rows)
	for _, row := range sorted(block.rows) {
		b.row(block, group, row, base, col)
	}
	if rows := b.table.Rows[start:]; len(rows) > 1 {
		b.table.Geomeans = append(b.table.Geomeans, geomean(rows))
	}
}

// describe prints the configuration of a block, without the unit.
func (b *builder) describe(key benchproc.Key) string {
	var lines []string
	for _, f := range key.Projection().FlattenedFields() {
		if value := key.Get(f); f.Name != ".unit" && value != "" {
			lines = append(lines, f.Name+": "+value)
		}
	}
	return strings.Join(lines, "\n")
}

// row adds one row; col is zero where there is nothing to compare with.
func (b *builder) row(block *block, group string, row, base, col benchproc.Key) {
	old, new := block.cells[place{row, base}], (*cell)(nil)
	if !col.IsZero() {
		new = block.cells[place{row, col}]
	}
	if old == nil && new == nil {
		return
	}
	r := Row{Group: group, Name: row.StringValues(), Unit: block.unit, Base: base.StringValues(), P: Number(math.NaN())}
	if !col.IsZero() {
		r.Column = col.StringValues()
		r.Gated = b.gates(block.unit)
	}
	assume := b.units.GetAssumption(block.unit)
	oldSample, newSample := b.summarize(&r, &r.Old, old, assume), b.summarize(&r, &r.New, new, assume)
	if old != nil && new != nil && !hasNaN(old.values) && !hasNaN(new.values) { // the U-test never ends on NaN
		c := assume.Compare(oldSample, newSample)
		r.P, r.Test = Number(c.P), c.String()
		r.Delta = c.FormatDelta(float64(r.Old.Center), float64(r.New.Center))
		r.warn(c.Warnings)
	}
	b.table.Rows = append(b.table.Rows, r)
	b.pairs = append(b.pairs, pair{old, new})
}

func hasNaN(x []float64) bool { return slices.ContainsFunc(x, math.IsNaN) }

// summarize computes benchstat's summary of a cell.
func (b *builder) summarize(r *Row, into *Summary, c *cell, assume benchmath.Assumption) *benchmath.Sample {
	if c == nil {
		nan := Number(math.NaN())
		*into = Summary{Center: nan, Lo: nan, Hi: nan}
		return nil
	}
	sample := benchmath.NewSample(slices.Clone(c.values), &benchmath.DefaultThresholds) // sorts its argument
	s := assume.Summary(sample, 0.95)
	*into = Summary{Number(s.Center), Number(s.Lo), Number(s.Hi), s.PctRangeString(), len(c.values)}
	r.warn(s.Warnings)
	if fields := benchproc.NonSingularFields(sorted(c.residue)); len(fields) > 0 {
		var names []string
		for _, f := range fields {
			names = append(names, f.Name)
			if slices.Contains(machine, f.Name) && !b.table.Policy.DifferentMachine {
				b.problem(Problem{fmt.Sprintf("results of several machines are mixed in one sample: they vary in %s",
					f.Name), true})
			}
		}
		r.warn([]error{fmt.Errorf("benchmarks vary in %s", strings.Join(names, ", "))})
	}
	return sample
}

// problem adds a problem once.
func (b *builder) problem(p Problem) {
	if !slices.Contains(b.table.Problems, p) {
		b.table.Problems = append(b.table.Problems, p)
	}
}

func (r *Row) warn(warnings []error) {
	for _, w := range warnings {
		if !slices.Contains(r.Warnings, w.Error()) {
			r.Warnings = append(r.Warnings, w.Error())
		}
	}
}

// gates reports whether the outcome depends on a unit.
func (b *builder) gates(unit string) bool {
	if units := b.table.Policy.Units; len(units) > 0 {
		return slices.Contains(units, unit)
	}
	on := b.table.Policy.GateOn
	switch unit {
	case "sec/op":
		return on != GateOnInstructions
	case Counted[0]:
		return on == GateOnInstructions || on == GateOnBoth
	case "B/op", "allocs/op":
		return true
	}
	return b.exact(unit) && b.better(unit) != 0
}

func (b *builder) exact(unit string) bool {
	m := b.units.Get(unit, "assume")
	return m != nil && m.Value == "exact"
}

// geomean computes benchstat's last row: the mean of the centers, and the mean of the ratios of those in both columns.
func geomean(rows []Row) Geomean {
	m := Geomean{Group: rows[0].Group, Unit: rows[0].Unit, Column: rows[0].Column, Ratio: Number(math.NaN())}
	var old, new, ratios []float64
	paired, defined := 0, true
	for _, r := range rows {
		if r.Old.N > 0 {
			old = append(old, float64(r.Old.Center))
		}
		if r.New.N > 0 {
			new = append(new, float64(r.New.Center))
		}
		if r.Old.N == 0 || r.New.N == 0 {
			continue
		}
		paired++
		switch {
		case r.Old.Center == r.New.Center:
			ratios = append(ratios, 1) // also 0/0
		case r.Old.Center == 0:
			defined = false
		default:
			ratios = append(ratios, float64(r.New.Center/r.Old.Center))
		}
	}
	m.Old, m.New = Number(stats.GeoMean(old)), Number(stats.GeoMean(new))
	if defined {
		m.Ratio = Number(stats.GeoMean(ratios))
	}
	if m.Column != "" && paired != len(old) {
		m.Warnings = append(m.Warnings, "benchmark set differs from baseline; geomeans may not be comparable")
	}
	if math.IsNaN(float64(m.Old)) && len(old) > 0 || math.IsNaN(float64(m.New)) && len(new) > 0 {
		m.Warnings = append(m.Warnings, "summaries must be >0 to compute geomean")
	}
	return m
}
