package props

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/streams"
)

// exampleBytes is the size, in bytes, from which on a template has no further examples.
const exampleBytes = 1 << 13

// python writes a number or a name as Python does.
func python(x any) string {
	switch x := x.(type) {
	case bool:
		return map[bool]string{false: "False", true: "True"}[x]
	case string:
		return strconv.Quote(x)
	}
	return fmt.Sprint(x)
}

// template is a Python script that writes such a table, with what this suite measures in the first cell of each kind in
// place of a user's program. Cells are of a kind if they differ in their last column alone.
func (t *table) template(slug, option string) (string, error) {
	type group struct {
		kind []any
		last []string
		cell any
	}
	var groups []group
	for _, cell := range t.cells(Quick) {
		var parts []any
		for _, c := range t.cell {
			parts = append(parts, plainly(c.of(reflect.ValueOf(cell))))
		}
		kind, last := parts[:len(parts)-1], parts[len(parts)-1]
		at := slices.IndexFunc(groups, func(g group) bool { return slices.Equal(g.kind, kind) })
		if at < 0 {
			at, groups = len(groups), append(groups, group{kind: kind, cell: cell})
		}
		groups[at].last = append(groups[at].last, python(last))
	}
	var cells, examples strings.Builder
	broken := errors.New("no cell is planned")
	for _, g := range groups {
		kind, err := json.Marshal(g.kind)
		if err != nil {
			return "", err
		}
		values := "[" + strings.Join(g.last, ", ") + "]"
		if n := len(g.last); n > 1 && g.last[0] == "0" && g.last[n-1] == strconv.Itoa(n-1) {
			values = fmt.Sprintf("range(%d)", n)
		}
		var before strings.Builder
		for _, part := range g.kind {
			before.WriteString(python(part) + ", ")
		}
		fmt.Fprintf(&cells, "    *((%slast,) for last in %s),\n", &before, values)
		if examples.Len() >= exampleBytes {
			continue
		}
		rows, err := t.example(slug, g.cell)
		if err != nil { // NaN in a measurement of which no judge asks
			broken = err
			continue
		}
		fmt.Fprintf(&examples, "%s[%s, %s]", map[bool]string{false: "\n", true: ",\n"}[examples.Len() > 0], kind, rows)
	}
	if examples.Len() == 0 {
		return "", fmt.Errorf("%s: check %q has no example: %w", slug, t.check, broken)
	}
	header, err := json.Marshal(t.header())
	return strings.NewReplacer("SLUG", slug, "OPTION", option, "HEADER", string(header), "CELLS", cells.String(),
		"EXPLAINED", explained(reflect.TypeOf(groups[0].cell), t.row()),
		"EXAMPLES", examples.String(), "COUNT", strconv.Itoa(len(t.cell))).Replace(tableScript), err
}

// example are the rows of a cell as JSON.
func (t *table) example(slug string, cell any) (string, error) {
	key := []string{slug, t.check, fmt.Sprintf("%+v", cell), "0"}
	trial := &Trial{Effort: Quick, Rand: streams.New(1, key...), seed: 1, key: key}
	trial.Index = slices.IndexFunc(t.cells(Quick), func(c any) bool { return slices.Equal(t.key(c), t.key(cell)) })
	m := reflect.ValueOf(t.measure(trial, cell))
	measured := []reflect.Value{m}
	if t.many {
		measured = nil
		for i := range m.Len() {
			measured = append(measured, m.Index(i))
		}
	}
	var rows [][]any
	for _, m := range measured {
		var row []any
		for _, c := range t.measured {
			row = append(row, plainly(c.of(m)))
		}
		rows = append(rows, row)
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

// explained are the commands that print what the fields of types are.
func explained(types ...reflect.Type) string {
	var out strings.Builder
	for _, t := range types {
		if t.Kind() == reflect.Struct && t.Name() != "" {
			fmt.Fprintf(&out, "# What the columns are: go doc -u %s.%s\n", t.PkgPath(), t.Name())
		}
	}
	return out.String()
}

const tableScript = `# Writes table.csv for: thm certify SLUG table.csvOPTION
# Let measure return what your own program measures in a cell. A list or a dictionary is one field, as JSON.
EXPLAINEDimport csv
import json

columns = HEADER
cells = [
CELLS]
# what this suite measures in the first cell of each kind, without what is first here
examples = {tuple(kind): rows for kind, rows in json.loads(r"""[EXAMPLES
]""")}


def measure(*cell):
    """The rows of a cell: a value for each of columns[COUNT:]."""
    return examples.get(cell[:-1], next(iter(examples.values())))


with open("table.csv", "w", newline="", encoding="utf-8") as f:
    table = csv.writer(f)
    table.writerow(columns)
    for cell in cells:
        for row in measure(*cell):
            table.writerow([*cell, *(x if isinstance(x, (str, int, float)) else json.dumps(x) for x in row)])
`
