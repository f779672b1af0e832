package props

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

type throw struct {
	Size  int
	Index int
}

type thrown struct {
	Mean   float64
	Nested struct{ ToCome [2]float64 }
}

// throws claims that means are 1, by their median at each size.
func throws(controls ...WrongCell[throw, thrown, float64]) Claim {
	return claim("throws", Grid[throw, thrown, float64]{
		Name: "throws", Claim: 1,
		Cells: func(e Effort) (out []throw) {
			for _, size := range []int{10, 20} {
				for i := range at(e, 40, 60, 80) {
					out = append(out, throw{size, i})
				}
			}
			return out
		},
		Measure: func(t *Trial, _ throw) thrown { return thrown{Mean: 1 + 0.01*t.Rand.NormFloat64()} },
		Conclude: func(r *Record, _ []throw, all []thrown, claimed float64) {
			var means []float64
			for _, m := range all {
				means = append(means, m.Mean)
			}
			r.Equals("mean", stat.Median(means, stat.CriterionAlpha), claimed, 0.05)
		},
		Controls: append([]WrongCell[throw, thrown, float64]{
			{Name: "claimed twice", Instead: 2},
			{Name: "not thrown", Measure: func(*Trial, throw) thrown { return thrown{} }},
		}, controls...),
	})
}

// tableOfThrows is a table with the mean at each index, and with words in place of others.
func tableOfThrows(t *testing.T, n int, mean func(i int) float64, words ...string) string {
	var b strings.Builder
	b.WriteString("index,size,mean,nested.to_come\n")
	for _, size := range []int{20, 10} {
		for i := range n {
			fmt.Fprintf(&b, "%d,%d,%.17g,\"[1, 2.5]\"\n", i, size, mean(i))
		}
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	require.NoError(t, os.WriteFile(path, []byte(strings.NewReplacer(words...).Replace(b.String())), 0o600))
	return path
}

// Numbers of a user are judged as those of the suite, whatever the order of rows and columns, and by the effort that
// has their cells.
func TestCertifyTable(t *testing.T) {
	near := func(of float64) func(int) float64 {
		return func(i int) float64 { return of + 0.001*float64(i%7-3) }
	}
	for _, tt := range []struct {
		name     string
		rows     int
		mean     func(int) float64
		controls []WrongCell[throw, thrown, float64]
		want     results.Verdict
		says     string
	}{
		{"right", 40, near(1), nil, results.Holds, "1 of 2 controls judge your table"},
		{"more rows", 60, near(1), nil, results.Holds, "1 of 2"},
		{"copies", 40, func(int) float64 { return 1.01 }, nil, results.Undecided, "rows are copies"},
		{"wrong", 40, near(1.5), nil, results.Refuted, ""},
		{"a control", 40, near(2), nil, results.Refuted, "your numbers agree with: claimed twice"},
		{"too coarse", 40, near(1), []WrongCell[throw, thrown, float64]{{Name: "a hundredth more", Instead: 1.01}},
			results.Undecided, "your table cannot tell the claim from: a hundredth more"},
	} {
		found, err := throws(tt.controls...).Certify("", tableOfThrows(t, tt.rows, tt.mean))
		require.NoError(t, err, tt.name)
		require.Equal(t, tt.want, found.Verdict, "%s: %+v", tt.name, found)
		require.Contains(t, found.Message, tt.says, tt.name)
		require.Equal(t, "mean", found.Criteria[0].Name)
	}
}

// A check that judges each cell judges each row.
func TestCertifyTableByRows(t *testing.T) {
	c := claim("heads", Grid[throw, thrown, float64]{
		Name: "heads", Claim: 1,
		Cells:   func(Effort) []throw { return []throw{{10, 0}, {10, 1}, {20, 0}, {20, 1}} },
		Measure: func(*Trial, throw) thrown { return thrown{Mean: 1} },
		Judge:   func(r *Record, _ throw, m thrown, claimed float64) { r.Within("mean", m.Mean, claimed, 0.05) },
		Controls: []WrongCell[throw, thrown, float64]{
			{Name: "claimed twice", Instead: 2},
		},
	})
	for size, want := range map[float64]results.Verdict{1: results.Holds, 1.5: results.Refuted} {
		found, err := c.Certify("", tableOfThrows(t, 2, func(i int) float64 { return size + 0.01*float64(i) }))
		require.NoError(t, err)
		require.Equal(t, want, found.Verdict, "%+v", found)
	}
}

func TestTablesThatDoNotFit(t *testing.T) {
	one := func(int) float64 { return 1 }
	for _, tt := range []struct {
		rows     int
		from, to string
		want     string
	}{
		{40, ",mean", "", "line 1: the column mean is missing: the columns are size, index, mean, nested.to_come"},
		{40, "mean", "maen", `line 1: "maen" is not a column, or is repeated: the columns are`},
		{40, "\n3,20,1,", "\n3,20,NaN,", `line 5, column mean: "NaN" is not a finite number`},
		{40, "\n3,20,1,", "\n3,20,one,", `line 5, column mean: "one" is not a finite number`},
		{40, "\n3,20,1,", "\n3.5,20,1,", `line 5, column index: "3.5" is not an integer`},
		{40, "\n3,20,1,\"[1, 2.5]", "\n3,20,1,\"[1]", `line 5, column nested.to_come: "[1]" does not have the parts that`},
		{40, "\n3,20,1,\"[1, 2.5]", "\n3,20,1,\"[NaN]", `line 5, column nested.to_come: "[NaN]" is not a list as the`},
		{40, "\n3,20,1,", "\n3,30,1,", `line 5, column size: "30" is outside of the claim's cells: 10, 20`},
		{40, "\n3,20,1,", "\n4,20,1,", "line 6: a second row of the cell size = 20, index = 4"},
		{40, "\n3,20,1,\"[1, 2.5]\"", "", "too few rows: 1 of 80 cells have none, the first is size = 20, index = 3"},
		{40, "\n3,20,1,", "\n3,20,1,1,", "record on line 5: wrong number of fields"},
		{39, "", "", "too few rows: 2 of 80 cells have none, the first is size = 10, index = 39"},
	} {
		path := tableOfThrows(t, tt.rows, one, tt.from, tt.to)
		_, err := throws().Certify("", path)
		require.ErrorContains(t, err, path+": "+tt.want, "%q", tt.to)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := throws().Certify("", "instance.npz")
	require.ErrorContains(t, err, "synthetic/throws needs a different file")
}

// Inner is in structs of which one hides its field.
type Inner struct{ Size float64 }

// JSON leaves out a field that another one hides, and a table would lose it.
func TestTablesLoseNothing(t *testing.T) {
	require.True(t, listed(reflect.TypeFor[struct {
		Inner
		Mean float64
	}](), false, nil))
	require.False(t, listed(reflect.TypeFor[struct {
		Inner
		Size float64
	}](), false, nil))
}
