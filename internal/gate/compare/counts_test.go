package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// TestStudentCovers: at the level of 90 % an interval may miss in one trial of ten; of 2000 trials 200, and more than
// 200 + 4·√(2000·0.1·0.9) = 253 or fewer than 147 with probability below 1e-3.
func TestStudentCovers(t *testing.T) {
	r := streams.New(1, "compare", "student")
	for _, sizes := range [][2]int{{6, 3}, {2, 2}, {10, 10}} {
		missed := 0
		for range 2000 {
			c := student(noisy(r, sizes[0], 1, 0.001, false), noisy(r, sizes[1], 1.02, 0.001, false), 0.1)
			if !(float64(c.Lo) <= 1.02 && 1.02 <= float64(c.Hi)) {
				missed++
			}
		}
		require.Greater(t, missed, 146, "%v", sizes)
		require.Less(t, missed, 254, "%v", sizes)
	}
	require.True(t, math.IsNaN(float64(student([]float64{1}, []float64{1}, 0.1).Lo)))
}

// TestSettle: a few counts show that nothing changed, never that something did, and nothing where they are noisier than
// the margin.
func TestSettle(t *testing.T) {
	spec := Spec{Alpha: 0.001, Margin: CountMargin, Better: -1}
	old := []float64{1000, 1000.4, 999.8, 1000.1, 999.9, 1000.2}
	for _, c := range []struct {
		new  []float64
		want Decision
	}{
		{[]float64{1000.1, 999.9, 1000.3}, Same}, {[]float64{1020, 1020.4, 1019.8}, Undecided},
		{[]float64{980, 980.2, 980.1}, Undecided}, {[]float64{1000, 1020, 980}, Undecided},
		{[]float64{1000, math.NaN(), 1000}, Unusable},
	} {
		j := Judge(old, c.new, spec)
		j.Settle(old, c.new, spec)
		require.Equal(t, c.want, j.Verdict, "%v", c.new)
	}
	floored := spec
	floored.Floor = 0.02
	j := Judge(old, old[:3], floored)
	j.Settle(old, old[:3], floored)
	require.Equal(t, Undecided, j.Verdict)
}

// TestGateOn: what gates is what the policy says, and rows that disagree are named.
func TestGateOn(t *testing.T) {
	p := DefaultPolicy()
	for on, want := range map[string][2]bool{"": {true, false}, "time": {true, false}, "instructions": {false, true},
		"both": {true, true}} {
		p.GateOn = on
		require.NoError(t, p.Validate())
		b := &builder{grid: &grid{}, table: &Table{Policy: p}}
		require.Equal(t, want, [2]bool{b.gates("sec/op"), b.gates(Counted[0])}, on)
		require.True(t, b.gates("allocs/op"))
	}
	p.GateOn = "hope"
	require.Error(t, p.Validate())
	require.Equal(t, CountMargin, p.MarginOf(Counted[0]))
	require.Equal(t, p.Margin, p.MarginOf("sec/op"))
	p.Margins = map[string]float64{Counted[0]: 0.5}
	require.Equal(t, 0.5, p.MarginOf(Counted[0]))

	table := &Table{Rows: []Row{{Name: "A", Unit: "sec/op", Judgement: Judgement{Verdict: Same}},
		{Name: "B", Unit: "sec/op", Judgement: Judgement{Verdict: Undecided}},
		{Name: "A", Unit: Counted[0], Judgement: Judgement{Verdict: Slower}},
		{Name: "B", Unit: Counted[0], Judgement: Judgement{Verdict: Slower}}}}
	table.Disagree()
	table.Disagree() // says it once
	require.Equal(t, []Problem{{"time and instructions disagree: A (time same, instructions worse)", false}},
		table.Problems)
}
