package compare

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbersAreThoseOfBenchstat runs the pinned benchstat on its own example files and on ours, and compares every
// number it prints, digit by digit: centers at full precision, ranges, deltas, p, n, geometric means.
func TestNumbersAreThoseOfBenchstat(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/perf").Output()
	require.NoError(t, err)
	theirs := func(name string) string {
		return filepath.Join(strings.TrimSpace(string(dir)), "cmd", "benchstat", "testdata", name)
	}
	ours := func(name string) string { return filepath.Join("testdata", name) }
	benchstat, err := exec.Command("go", "tool", "-n", "benchstat").Output() // where it lies, built if need be
	require.NoError(t, err)
	total := 0
	for _, c := range []struct {
		options Options
		files   []string
	}{
		{Options{}, []string{"O=" + theirs("old.txt"), "N=" + theirs("new.txt")}},
		{Options{Row: ".name"}, []string{"N=" + theirs("new.txt")}},
		{Options{Col: "/format", Row: ".name"}, []string{"N=" + theirs("new.txt")}},
		{Options{Filter: "/format:json .unit:ns/op"}, []string{"O=" + theirs("old.txt"), "N=" + theirs("new.txt")}},
		{Options{}, []string{"O=" + theirs("crc-old.txt"), "N=" + theirs("crc-new.txt")}},
		{Options{Ignore: "note"}, []string{"O=" + theirs("crc-old.txt"), "N=" + theirs("crc-new.txt")}},
		{Options{Filter: "/align:0", Row: "/size", Col: "/poly"}, []string{theirs("crc-new.txt")}},
		{Options{Col: "note"}, []string{theirs("units.txt")}},
		{Options{Col: "note"}, []string{theirs("zero.txt")}},
		{Options{Col: "note"}, []string{theirs("smallSample.txt")}},
		{Options{Col: "note"}, []string{theirs("issue19565.txt")}},
		{Options{Col: "note"}, []string{theirs("issue19634.txt")}},
		{Options{}, []string{"O=" + ours("kernels-old.txt"), "N=" + ours("kernels-new.txt")}},
		{Options{Col: "/impl", Row: ".name /n"}, []string{"N=" + ours("kernels-new.txt")}},
		{Options{}, []string{"A=" + theirs("old.txt"), "B=" + theirs("new.txt"), "C=" + theirs("old.txt")}},
	} {
		total += agree(t, strings.TrimSpace(string(benchstat)), c.options, c.files)
	}
	t.Logf("%d numbers agree", total)
	require.Greater(t, total, 600, "numbers compared")
}

// agree compares one call and returns how many numbers it compared.
func agree(t *testing.T, benchstat string, o Options, files []string) int {
	args := []string{"-format", "csv"}
	for name, value := range map[string]string{"filter": o.Filter, "row": o.Row, "col": o.Col, "ignore": o.Ignore} {
		if value != "" {
			args = append(args, "-"+name, value)
		}
	}
	var said bytes.Buffer
	cmd := exec.Command(benchstat, append(args, files...)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, said.String())
	table, err := Files(files, o, DefaultPolicy())
	require.NoError(t, err)

	want := readCSV(t, out)
	var have [][]blockRows // benchstat's tables hold all columns of a group and unit
	for _, b := range table.blocks() {
		if n := len(have); n > 0 && have[n-1][0].Group == b.Group && have[n-1][0].Unit == b.Unit {
			have[n-1] = append(have[n-1], b)
		} else {
			have = append(have, []blockRows{b})
		}
	}
	require.Len(t, have, len(want), "tables of %v", files)
	numbers := 0
	for i, w := range want {
		numbers += w.agrees(t, have[i])
	}
	return numbers
}

// theirTable is one table of benchstat's CSV: labels of columns, and rows of fields.
type theirTable struct {
	labels []string
	rows   [][]string
}

func readCSV(t *testing.T, text []byte) []theirTable {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	require.NoError(t, err)
	var out []theirTable
	var previous []string
	for _, line := range lines {
		switch {
		case len(line) > 2 && line[0] == "" && line[2] == "CI":
			out = append(out, theirTable{labels: previous})
		case len(line) > 1 && line[0] != "":
			last := &out[len(out)-1]
			last.rows = append(last.rows, line)
		}
		previous = line
	}
	return out
}

// field is a field of a line that may be shorter.
func field(line []string, i int) string {
	if i < len(line) {
		return line[i]
	}
	return ""
}

func (w theirTable) agrees(t *testing.T, have []blockRows) int {
	numbers := 0
	same := func(want, got string, of ...any) {
		t.Helper()
		require.Equal(t, want, got, of...)
		numbers++
	}
	show := func(s Summary) (center, interval string) {
		if s.N == 0 {
			return "", ""
		}
		return fmt.Sprint(float64(s.Center)), s.Range
	}
	for _, b := range have {
		at, other := 1, b.Column != "" && b.Rows[0].Base != w.labels[1] // where the column begins
		for i, label := range w.labels {
			if i > 1 && label != "" && label == b.Column {
				at = i
			}
		}
		for _, line := range w.rows {
			if line[0] == "geomean" {
				if m := b.Geomean; m != nil && at > 1 {
					same(field(line, at+2), m.delta(), "geomean in %s", b.Column)
					same(field(line, at), printed(m.New), "geomean in %s", b.Column)
				}
				if m := b.Geomean; m != nil && !other {
					same(field(line, 1), printed(m.Old), "geomean")
				}
				continue
			}
			r := find(b.Rows, line[0])
			if r == nil {
				require.Empty(t, field(line, at), line[0])
				continue
			}
			if at > 1 {
				center, interval := show(r.New)
				same(field(line, at), center, r.Name)
				same(field(line, at+1), interval, r.Name)
				same(field(line, at+2), r.Delta, r.Name)
				same(field(line, at+3), r.Test, r.Name)
			}
			side := r.Old
			if other {
				side = r.New // a table that has new results only
			}
			center, interval := show(side)
			same(field(line, 1), center, r.Name)
			same(field(line, 2), interval, r.Name)
		}
		for _, r := range b.Rows {
			require.True(t, containsLine(w.rows, r.Name), "benchstat has no row %s", r.Name)
		}
	}
	return numbers
}

func printed(x Number) string {
	if x != x {
		return ""
	}
	return fmt.Sprint(float64(x))
}

func find(rows []Row, name string) *Row {
	for i := range rows {
		if rows[i].Name == name {
			return &rows[i]
		}
	}
	return nil
}

func containsLine(lines [][]string, name string) bool {
	for _, line := range lines {
		if line[0] == name {
			return true
		}
	}
	return false
}
