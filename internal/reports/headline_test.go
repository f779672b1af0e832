package reports

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

func TestSentence(t *testing.T) {
	type counted = map[results.Verdict]int
	for want, c := range map[string]Counts{
		"No claim was verified.":                                {},
		"86 claims hold; 14 findings were observed again.":      {counted{results.Holds: 86}, counted{results.Holds: 14}},
		"1 claim holds; 1 finding was observed again.":          {counted{results.Holds: 1}, counted{results.Holds: 1}},
		"2 claims hold.":                                        {counted{results.Holds: 2}, nil},
		"14 findings were observed again.":                      {nil, counted{results.Holds: 14}},
		"1 claim is refuted; 2 findings are not verified.":      {counted{results.Refuted: 1}, counted{"": 2}},
		"1 of 2 claims holds, 1 is incomplete.":                 {counted{results.Holds: 1, results.Incomplete: 1}, nil},
		"0 of 3 claims hold, 2 are refuted, 1 is in error.":     {counted{results.Refuted: 2, results.Error: 1}, nil},
		"13 of 14 findings were observed again, 1 is unproven.": {nil, counted{results.Holds: 13, results.Unproven: 1}},
		"85 of 86 claims hold, 1 is refuted; 14 findings were observed again.": {
			counted{results.Holds: 85, results.Refuted: 1}, counted{results.Holds: 14}},
		"5 of 9 claims hold, 2 are undecided, 2 are not verified; 1 of 2 findings was observed again, 1 is refuted.": {
			counted{results.Holds: 5, results.Undecided: 2, "": 2}, counted{results.Holds: 1, results.Refuted: 1}},
	} {
		require.Equal(t, want, c.Sentence())
	}
}

func TestTotal(t *testing.T) {
	rows := []results.Claim{{Standing: string(theory.Theorem)}, {Standing: string(theory.Derivation)},
		{Standing: string(theory.Finding)}}
	require.Equal(t, "2 claims and 1 finding", CountRows(rows).Total())
	require.Equal(t, "1 claim", CountRows(rows[:1]).Total())
	require.Equal(t, "1 finding", CountRows(rows[2:]).Total())
	require.Equal(t, "0 claims", CountRows(nil).Total())
	require.Equal(t, "1 finding", CountStatements([]*theory.Statement{{Standing: theory.Finding}}).Total())
}
