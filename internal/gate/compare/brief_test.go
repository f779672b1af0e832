package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBrief: what is worse comes first, what is the same is counted, and nothing else is lost.
func TestBrief(t *testing.T) {
	row := func(name string, v Decision, center Number, gated bool) Row {
		return Row{Name: name, Unit: "sec/op", Base: "old", Column: "new", Gated: gated, Old: Summary{Center: 1, N: 9},
			New:       Summary{Center: 1, N: 9},
			Judgement: Judgement{Verdict: v, Change: Interval{center, center, center, 0.99}}}
	}
	table := &Table{Policy: DefaultPolicy(), Method: "how", Rows: []Row{row("Alike", Same, 1, true),
		row("Better", Faster, 0.8, true), row("Bad", Slower, 1.2, true), row("Open", Undecided, 1.01, true),
		row("Worst", Slower, 1.5, true), row("Aside", Slower, 2, false)}}
	var text strings.Builder
	require.NoError(t, table.Render(&text, "brief"))
	at := -1
	for _, want := range []string{"Worst", "Bad", "Open", "Better", "Aside", "1 row is the same",
		"gated rows: 2 worse, 1 undecided, 1 better, 1 same"} {
		next := strings.Index(text.String(), want)
		require.Greater(t, next, at, "%s in\n%s", want, text.String())
		at = next
	}
	require.NotContains(t, text.String(), "Alike")
	require.Equal(t, "Alike", table.Rows[0].Name, "the table itself keeps its order")
}
