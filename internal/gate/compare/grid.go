package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// Options choose and arrange results, in the language of benchstat (golang.org/x/perf/benchproc/syntax).
type Options struct {
	Filter string // which results; empty is all of them
	Table  string // keys that split tables; empty is .config
	Row    string // keys that split rows; empty is .fullname
	Col    string // keys that split columns; empty is .file
	Ignore string // keys whose differences do not matter
}

// cell holds the results of one benchmark, unit and column.
type cell struct {
	values    []float64 // in the order of the file
	processes []int     // that they are of
	residue   map[benchproc.Key]struct{}
}

// samples are the values that the verdict rests on, one for each process: the median of its results. Those of one
// process share its hash seeds, addresses and map orders, and are no evidence of what another would do. No argument
// about the order of samples holds for them.
func (c *cell) samples() []float64 {
	var out []float64
	for from, to := 0, 0; from < len(c.values); from = to {
		for to < len(c.values) && c.processes[to] == c.processes[from] {
			to++
		}
		x := slices.Sorted(slices.Values(c.values[from:to])) // a NaN first
		middle := x[len(x)/2]
		switch low := x[(len(x)-1)/2]; {
		case len(x) == 1:
		case math.IsNaN(x[0]) || math.IsInf(x[0], -1) || math.IsInf(x[len(x)-1], 1):
			middle = math.NaN()
		case low != middle:
			middle = low/2 + middle/2
		}
		out = append(out, middle)
	}
	return out
}

type place struct{ row, col benchproc.Key }

// block is one table of benchstat: one configuration and one unit.
type block struct {
	unit       string
	rows, cols map[benchproc.Key]struct{}
	cells      map[place]*cell
}

// grid is all the results, arranged.
type grid struct {
	filter                   *benchproc.Filter
	table, row, col, residue *benchproc.Projection
	unit                     *benchproc.Field
	blocks                   map[benchproc.Key]*block
	cols                     map[benchproc.Key]struct{}
	config                   map[benchproc.Key]map[string]map[string]bool // column, key, values
	kept                     int
	order                    map[benchproc.Key]*order
	units                    benchfmt.UnitMetadataMap
	rule                     Rule // nil for the rule of files
	problems                 []Problem
}

// newGrid parses the options.
func newGrid(o Options) (*grid, error) {
	g := &grid{order: map[benchproc.Key]*order{}, blocks: map[benchproc.Key]*block{},
		cols: map[benchproc.Key]struct{}{}, config: map[benchproc.Key]map[string]map[string]bool{}}
	var err error
	if g.filter, err = benchproc.NewFilter(cmp.Or(o.Filter, "*")); err != nil {
		return nil, fmt.Errorf("--filter: %w", err)
	}
	var parser benchproc.ProjectionParser
	if g.table, g.unit, err = parser.ParseWithUnit(cmp.Or(o.Table, ".config"), g.filter); err != nil {
		return nil, fmt.Errorf("--table: %w", err)
	}
	if g.row, err = parser.Parse(cmp.Or(o.Row, ".fullname"), g.filter); err != nil {
		return nil, fmt.Errorf("--row: %w", err)
	}
	if g.col, err = parser.Parse(cmp.Or(o.Col, ".file"), g.filter); err != nil {
		return nil, fmt.Errorf("--col: %w", err)
	}
	if _, err = parser.Parse(o.Ignore, g.filter); err != nil {
		return nil, fmt.Errorf("--ignore: %w", err)
	}
	g.residue = parser.Residue()
	return g, nil
}

// load reads and arranges files.
func load(words []string, o Options) (*grid, error) {
	g, err := newGrid(o)
	if err != nil {
		return nil, err
	}
	inputs, err := open(words)
	if err != nil {
		return nil, err
	}
	return g, g.read(inputs)
}

func (g *grid) read(inputs []input) error {
	var reader benchfmt.Reader
	g.problems = twins(inputs)
	last := 0 // process of the inputs before
	for i, in := range inputs {
		before := last
		problems, err := scan(&reader, in, func(r *benchfmt.Result, process int) error {
			last = before + process
			return g.add(r, last)
		})
		if err != nil {
			return err
		}
		g.problems = append(g.problems, problems...)
		if i == 0 {
			g.units = maps.Clone(reader.Units())
		}
		for _, u := range reader.Units() {
			g.saidLate(u, in.label)
		}
	}
	if g.kept == 0 && len(g.problems) == 0 {
		g.problems = append(g.problems, Problem{"the filter leaves no results", true})
	}
	return nil
}

// saidLate warns of what only new results say of their units. It is not believed: new code does not choose how it is
// judged.
func (g *grid) saidLate(u *benchfmt.UnitMetadata, label string) {
	if _, said := g.units[u.UnitMetadataKey]; said || known(u.Unit) != 0 && u.Key == "better" {
		return
	}
	p := Problem{fmt.Sprintf("%s alone says Unit %s %s=%s, which is not believed; the old results or the policy say it",
		label, u.Unit, u.Key, u.Value), false}
	if !slices.ContainsFunc(g.problems, func(q Problem) bool { return strings.HasSuffix(q.Text, p.Text[len(label):]) }) {
		g.problems = append(g.problems, p)
	}
}

// add puts one line of results into its cells.
func (g *grid) add(r *benchfmt.Result, process int) error {
	if ok, err := g.filter.Apply(r); !ok {
		return err
	}
	g.kept++
	tables, at, residue := g.table.ProjectValues(r), place{g.row.Project(r), g.col.Project(r)}, g.residue.Project(r)
	for i, key := range tables {
		b := g.blocks[key]
		if b == nil {
			b = &block{key.Get(g.unit), map[benchproc.Key]struct{}{}, map[benchproc.Key]struct{}{}, map[place]*cell{}}
			g.blocks[key] = b
		}
		c := b.cells[at]
		if c == nil {
			c = &cell{residue: map[benchproc.Key]struct{}{}}
			b.cells[at] = c
			b.rows[at.row], b.cols[at.col], g.cols[at.col] = struct{}{}, struct{}{}, struct{}{}
		}
		c.values, c.processes = append(c.values, r.Values[i].Value), append(c.processes, process)
		c.residue[residue] = struct{}{}
	}
	if g.order[at.col] == nil {
		g.order[at.col] = &order{rows: map[benchproc.Key]bool{}, process: -1}
	}
	g.order[at.col].add(at.row, process)
	g.remember(at.col, r)
	return nil
}

// order records the order in which a column was measured, process by process.
type order struct {
	last              benchproc.Key
	process           int // the last
	shared            bool
	processes, repeat int // of one row each, and those after one of the same row
	rows              map[benchproc.Key]bool
}

func (o *order) add(row benchproc.Key, process int) {
	if process == o.process && row == o.last {
		o.shared = true
		return
	}
	o.processes++
	if row == o.last {
		o.repeat++
	}
	o.last, o.rows[row], o.process = row, true, process
}

// blocked reports whether nearly all processes were started directly after another one of the same row. The samples of
// a row then share one moment of the machine, and say little about the next.
func (o *order) blocked() bool {
	highest := o.processes - len(o.rows) // all but the first of each row
	return len(o.rows) > 1 && highest > 0 && 10*o.repeat >= 9*highest
}

// orderWarnings warns of columns with many samples from one process, or that were measured row by row.
func (g *grid) orderWarnings() (out []Problem) {
	for _, w := range []struct {
		is   func(*order) bool
		text string
	}{
		{func(o *order) bool { return o.shared }, "samples of one process (go test -count takes them so) count as one: " +
			"they share its hash seeds and addresses, and another process has others; take them in processes of their " +
			"own with the command run, or measure both versions together with diff"},
		{(*order).blocked, "all samples of a benchmark were taken at one time, so that a slow moment of the machine looks " +
			"like slow code; measure in rounds with the command run, or both versions together with diff"},
	} {
		var names []string
		for _, col := range sorted(g.order) {
			if w.is(g.order[col]) {
				names = append(names, col.StringValues())
			}
		}
		if len(names) > 0 && len(g.cols) > 1 {
			out = append(out, Problem{strings.Join(names, ", ") + ": " + w.text, false})
		}
	}
	return out
}

// blocked reports whether any column was measured row by row.
func (g *grid) blocked() bool {
	for _, o := range g.order {
		if o.blocked() {
			return len(g.cols) > 1
		}
	}
	return false
}

// remember keeps which values of configuration a column has.
func (g *grid) remember(col benchproc.Key, r *benchfmt.Result) {
	have := g.config[col]
	if have == nil {
		have = map[string]map[string]bool{}
		g.config[col] = have
	}
	for _, c := range r.Config {
		if !c.File {
			continue
		}
		if have[c.Key] == nil {
			have[c.Key] = map[string]bool{}
		}
		have[c.Key][string(c.Value)] = true
	}
}

// machine are the keys whose difference makes results incomparable: of the machine, and of the Go that built them,
// whose difference would be taken for a difference of the code.
var machine = []string{
	"goos", "goarch", "cpu", "cpus", "host",
	"goversion", "goamd64", "goarm64", "goexperiment", "cgo",
	// add here
}

// differences says where the configurations of the columns differ. The machine's are fatal unless the policy allows
// them; the rest may be what is being compared.
func (g *grid) differences(p Policy) []Problem {
	cols := sorted(g.cols)
	if len(cols) < 2 {
		return nil
	}
	keys := map[string]bool{}
	for _, have := range g.config {
		for key := range have {
			keys[key] = true
		}
	}
	for _, f := range g.col.FlattenedFields() {
		delete(keys, f.Name) // differs on purpose
	}
	delete(keys, "pkg") // shows in the rows
	var out []Problem
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		first := values(g.config[cols[0]][key])
		for _, col := range cols[1:] {
			if other := values(g.config[col][key]); other != first {
				out = append(out, Problem{
					fmt.Sprintf("%s differs: %s in %s, %s in %s", key, first, cols[0].StringValues(), other,
						col.StringValues()),
					slices.Contains(machine, key) && !p.DifferentMachine && first != none && other != none})
				break
			}
		}
	}
	return out
}

// none stands for a key that a column's results lack.
const none = "nothing"

func values(set map[string]bool) string {
	if len(set) == 0 {
		return none
	}
	return strings.Join(slices.Sorted(maps.Keys(set)), " and ")
}

// sorted lists keys in benchstat's order.
func sorted[V any](set map[benchproc.Key]V) []benchproc.Key {
	keys := slices.Collect(maps.Keys(set))
	benchproc.SortKeys(keys)
	return keys
}
