//go:build system

package onestep

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The curves for ReLU at n = 500 and 20 seeds against those of an independent program, which has standard errors of
// 0.04 to 0.08, with networks of its own.
func TestCurvesReference(t *testing.T) {
	alphas := []float64{-0.2, 0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5}
	all, err := Curves{500, 20, alphas, []string{"relu"}}.Run(runtime.GOMAXPROCS(0))
	require.NoError(t, err)
	for _, row := range []struct {
		rule    string
		setting int
		want    []float64
	}{
		{"displayed", 0, []float64{3.543, 3.492, 3.412, 3.324, 3.297, 3.283, 3.281, 3.301, 3.397}},
		{"mean-field", 0, []float64{3.545, 3.498, 3.424, 3.347, 3.326, 3.326, 3.354, 3.402, 3.567}},
		{"literal", 0, []float64{3.545, 3.489, 3.401, 3.327, 3.317, 3.329, 3.376, 3.455, 3.718}},
		{"displayed", 1, []float64{3.591, 3.526, 3.413, 3.216, 3.064, 2.891, 2.743, 2.643, 2.517}},
		{"mean-field", 1, []float64{3.591, 3.521, 3.399, 3.199, 3.072, 2.958, 2.899, 2.880, 2.873}},
	} {
		got := all[0][slices.Index(Rules, row.rule)][row.setting]
		for i, x := range got {
			t.Logf("%s, Setting %d, α = %v: %.3f, printed %.3f", row.rule, row.setting+1, alphas[i], x, row.want[i])
			require.LessOrEqual(t, math.Abs(x-row.want[i]), 4*math.Sqrt2*0.08)
			// Changes from α = 0.2 on share networks: theirs scatter by 0.02 to 0.04.
			change, printed := x-got[3], row.want[i]-row.want[3]
			require.LessOrEqual(t, math.Abs(change-printed), 4*math.Sqrt2*0.04)
		}
	}
	// The gains from α = 0.2 to 0.4: one above 0.3 in Setting 2, one below 0.1 in Setting 1.
	displayed := all[0][0]
	require.Less(t, displayed[1][7]-displayed[1][3], -0.3)
	require.Less(t, math.Abs(displayed[0][7]-displayed[0][3]), 0.1)
}
