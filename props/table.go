package props

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/strictjson"
)

// table is a sweep whose measurements a user can bring: a row says which cell it is of and what was measured there.
type table struct {
	check          string
	cell, measured []tableColumn
	kind           reflect.Type // of a measurement
	many           bool         // it is a list of structs: a cell has a row for each
	cells          func(Effort) []any
	measure        func(t *Trial, cell any) any
}

// tableColumn is a number or a name of a cell, or what a field of a measurement holds.
type tableColumn struct {
	name string
	at   []int // the fields on the way to it
	kind reflect.Type
}

// of returns the value of a column for a cell or a measurement.
func (c tableColumn) of(v reflect.Value) reflect.Value {
	if len(c.at) > 0 {
		return v.FieldByIndex(c.at)
	}
	return v
}

// tableOf returns nil for a sweep whose cells or measurements do not fit into a row, such as matrices.
func tableOf(s sweep) *table {
	t := &table{check: s.Name, kind: s.Kind, cells: func(e Effort) []any { return s.Cells(e).all() },
		many:    s.Kind.Kind() == reflect.Slice && s.Kind.Elem().Kind() == reflect.Struct,
		measure: func(t *Trial, cell any) any { return s.Measure(t, cell, "") }}
	if s.Cell == nil || !listed(s.Cell, true, nil) || !listed(s.Kind, false, nil) {
		return nil
	}
	t.cell, t.measured = columnsOf(s.Cell, "cell", nil), columnsOf(t.row(), "value", nil)
	for i, m := range t.measured {
		if slices.ContainsFunc(t.cell, func(c tableColumn) bool { return c.name == m.name }) {
			t.measured[i].name = "measured_" + m.name
		}
	}
	return t
}

// row is the type of what was measured in a row.
func (t *table) row() reflect.Type {
	if t.many {
		return t.kind.Elem()
	}
	return t.kind
}

// listed reports whether text holds every part of a type; of a cell, also whether each part is a number or a name.
func listed(t reflect.Type, cell bool, within []reflect.Type) bool {
	if slices.Contains(within, t) {
		return true
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64, reflect.String:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return !cell && listed(t.Elem(), false, within)
	case reflect.Map:
		return !cell && t.Key().Kind() == reflect.String && listed(t.Elem(), false, within)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() || !listed(f.Type, cell, within) || f.Anonymous && hidden(t, f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// hidden reports whether a struct has a field of the name of one of a struct in it, which JSON would leave out.
func hidden(t, within reflect.Type) bool {
	for i := 0; within.Kind() == reflect.Struct && i < within.NumField(); i++ {
		if f, _ := t.FieldByName(within.Field(i).Name); len(f.Index) != 2 {
			return true
		}
	}
	return false
}

// columnsOf lists the fields of a struct, those of structs in it included. Anything else is one column of that name.
func columnsOf(t reflect.Type, name string, at []int) (out []tableColumn) {
	if t.Kind() != reflect.Struct {
		return []tableColumn{{name, at, t}}
	}
	for i := range t.NumField() {
		name := columnName(t.Field(i).Name)
		for _, c := range columnsOf(t.Field(i).Type, name, append(slices.Clone(at), i)) {
			if len(c.at) > len(at)+1 {
				c.name = name + "." + c.name
			}
			out = append(out, c)
		}
	}
	return out
}

// columnName writes a name of Go as one of Python: ToCome is to_come.
func columnName(name string) string {
	var out []rune
	runes := []rune(name)
	for i, r := range runes {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || next) {
			out = append(out, '_')
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(out)
}

// names returns the names of columns.
func names(columns ...tableColumn) (out []string) {
	for _, c := range columns {
		out = append(out, c.name)
	}
	return out
}

// header are the names of all columns.
func (t *table) header() []string { return names(slices.Concat(t.cell, t.measured)...) }

// key is a cell as its columns say it.
func (t *table) key(cell any) (out []string) {
	for _, c := range t.cell {
		out = append(out, fmt.Sprint(plainly(c.of(reflect.ValueOf(cell)))))
	}
	return out
}

// plainly is a number or a name without the methods of its type.
func plainly(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int64:
		return v.Int()
	case reflect.Float64:
		return v.Float()
	case reflect.String:
		return v.String()
	}
	return v.Interface()
}

// parse fills a value from the text of a field: a number, a name, or JSON with nothing missing or left over.
func parse(text string, v reflect.Value) error {
	text = strings.TrimSpace(text)
	switch v.Kind() {
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%.40q is not a finite number", text)
		}
		v.SetFloat(x)
	case reflect.Int, reflect.Int64:
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%.40q is not an integer", text)
		}
		v.SetInt(x)
	case reflect.Bool:
		x, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%.40q is neither true nor false", text)
		}
		v.SetBool(x)
	case reflect.String:
		v.SetString(text)
	default:
		var given, taken any
		err := errors.Join(strictjson.Decode([]byte(text), v.Addr().Interface()), strictjson.Decode([]byte(text), &given))
		if err != nil {
			return fmt.Errorf("%.40q is not a list as the template writes it", text)
		}
		again, err := json.Marshal(v.Interface())
		if err = errors.Join(err, json.Unmarshal(again, &taken)); err != nil || !reflect.DeepEqual(given, taken) {
			return fmt.Errorf("%.40q does not have the parts that the template writes", text)
		}
	}
	return nil
}

// tableRow is a row of a file.
type tableRow struct {
	line int
	key  []string
	m    reflect.Value
}

// maxTable is the largest table that is read, in bytes.
const maxTable = 1 << 26

// read reads a table, and which effort has its cells. It is an error if a cell of that effort has no row.
func (t *table) read(path string) (e Effort, measured []any, err error) {
	in, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxTable {
		return "", nil, errors.Join(err, fmt.Errorf("%s is no file of at most %d bytes", path, maxTable))
	}
	rows, err := t.rows(csv.NewReader(in))
	if err == nil {
		e, measured, err = t.sorted(rows)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return e, measured, err
}

// rows reads all rows below the header.
func (t *table) rows(r *csv.Reader) (rows []tableRow, err error) {
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("line 1: wanted the names of columns: %w", err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	wanted := t.header()
	for i, name := range header {
		if !slices.Contains(wanted, name) || slices.Contains(header[:i], name) {
			return nil, fmt.Errorf("line 1: %q is not a column, or is repeated: the columns are %s", name,
				strings.Join(wanted, ", "))
		}
	}
	for _, name := range wanted {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("line 1: the column %s is missing: the columns are %s", name, strings.Join(wanted, ", "))
		}
	}
	columns := slices.Concat(t.cell, t.measured)
	at := list.Map(columns, func(c tableColumn) int { return slices.Index(header, c.name) })
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err // which says the line
		}
		row := tableRow{m: reflect.New(t.row()).Elem()}
		row.line, _ = r.FieldPos(0)
		for i, c := range columns {
			into := reflect.New(c.kind).Elem()
			if i >= len(t.cell) {
				into = c.of(row.m)
			}
			if err := parse(fields[at[i]], into); err != nil {
				return nil, fmt.Errorf("line %d, column %s: %w", row.line, c.name, err)
			}
			if i < len(t.cell) {
				row.key = append(row.key, fmt.Sprint(plainly(into)))
			}
		}
		if v, ok := row.m.Interface().(interface{ Valid() error }); ok && v.Valid() != nil {
			return nil, fmt.Errorf("line %d: %w", row.line, v.Valid())
		}
		rows = append(rows, row)
	}
}

// sorted puts rows into the order of the cells of the effort that has the largest share of them.
func (t *table) sorted(rows []tableRow) (e Effort, measured []any, err error) {
	var keys []string
	largest := -1
	for _, effort := range []Effort{Quick, Standard, Deep} {
		var planned []string
		for _, cell := range t.cells(effort) {
			planned = append(planned, strings.Join(t.key(cell), "\x00"))
		}
		known := map[string]bool{}
		for _, key := range planned {
			known[key] = true
		}
		found := 0
		for _, row := range rows {
			found += count(known[strings.Join(row.key, "\x00")])
		}
		if found > largest {
			e, keys, largest = effort, planned, found
		}
	}
	found := make([]reflect.Value, len(keys))
	at := map[string]int{}
	for i, key := range keys {
		at[key] = i
	}
	for _, row := range rows {
		i, ok := at[strings.Join(row.key, "\x00")]
		switch {
		case !ok:
			return "", nil, fmt.Errorf("line %d, %s", row.line, t.outside(row.key, keys))
		case t.many:
			if !found[i].IsValid() {
				found[i] = reflect.New(t.kind).Elem()
			}
			found[i] = reflect.Append(found[i], row.m)
		case found[i].IsValid():
			return "", nil, fmt.Errorf("line %d: a second row of the cell %s", row.line, t.say(row.key))
		default:
			found[i] = row.m
		}
	}
	missing := 0
	for i := len(found) - 1; i >= 0; i-- {
		if !found[i].IsValid() {
			missing++
			err = fmt.Errorf("too few rows: %d of %d cells have none, the first is %s", missing, len(keys),
				t.say(strings.Split(keys[i], "\x00")))
		}
	}
	if err != nil {
		return "", nil, err
	}
	for _, m := range found {
		measured = append(measured, m.Interface())
	}
	return e, measured, nil
}

// copied reports whether three measurements or more, in all cells that differ in their last column alone, are the same
// to the last bit: replicates with fractions in them never are.
func (t *table) copied(e Effort, measured []any) bool {
	kinds := map[string][]any{}
	for i, cell := range t.cells(e) {
		key := t.key(cell)
		kind := strings.Join(key[:len(key)-1], "\x00")
		kinds[kind] = append(kinds[kind], measured[i])
	}
	for _, of := range kinds {
		text, err := json.Marshal(of[0])
		if len(of) > 2 && err == nil && strings.Contains(string(text), ".") &&
			!slices.ContainsFunc(of, func(m any) bool { return !reflect.DeepEqual(m, of[0]) }) {
			return true
		}
	}
	return false
}

// say writes a cell with the names of its columns.
func (t *table) say(key []string) string {
	var out []string
	for i, c := range t.cell {
		out = append(out, c.name+" = "+key[i])
	}
	return strings.Join(out, ", ")
}

// outside says which column of a row has a value that no cell has.
func (t *table) outside(key, keys []string) string {
	for i, c := range t.cell {
		var known []string
		for _, k := range keys {
			if value := strings.Split(k, "\x00")[i]; !slices.Contains(known, value) {
				known = append(known, value)
			}
		}
		if !slices.Contains(known, key[i]) {
			more := ""
			if len(known) > 8 {
				known, more = known[:8], ", …"
			}
			return fmt.Sprintf("column %s: %.40q is outside of the claim's cells: %s%s", c.name, key[i],
				strings.Join(known, ", "), more)
		}
	}
	return "the claim has no cell " + t.say(key)
}
