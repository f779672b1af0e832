package console

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// TestABrokenControlIsNotARejectedOne: three wrong versions, of which one was rejected, one accepted and one could not
// be tried.
func TestABrokenControlIsNotARejectedOne(t *testing.T) {
	row := results.Claim{ID: "a/b", Verdict: results.Holds, Controls: []results.Control{
		{Name: "good", Rejected: true, Fraction: 1, Ratio: 5},
		{Name: "tame", Fraction: 0.5, Ratio: 0.25},
		{Name: "broken", Message: "it panicked"},
	}}
	require.Equal(t, results.Count{Run: 1, Planned: 3}, reports.Tried(row).Controls)
	require.Equal(t, []string{
		"control accepted: tame; rejected on a fraction 0.5 of replicates only, smallest ratio 0.25",
		"control not tried: broken; it panicked",
	}, missedLines(row))
	said := failures(&results.Results{Claims: []results.Claim{row}}, terminal.Style{})
	require.Contains(t, said, "control not tried: broken")
}

// TestAnAcceptedErratumIsNamed: three printed forms, of which one was refuted again, one not, and one could not be
// tried.
func TestAnAcceptedErratumIsNamed(t *testing.T) {
	row := results.Claim{ID: "a/b", Verdict: results.Holds, Errata: []results.Erratum{
		{ID: "equation-1", Refuted: true, Ratio: 5},
		{ID: "equation-2", Ratio: 0.25},
		{ID: "equation-3", Message: "it panicked"},
	}}
	require.Equal(t, results.Count{Run: 1, Planned: 3}, reports.Tried(row).Errata)
	require.Equal(t, []string{
		"printed form not refuted: equation-2; ratio 0.25",
		"printed form not tried: equation-3; it panicked",
	}, missedLines(row))
	said := failures(&results.Results{Claims: []results.Claim{row}}, terminal.Style{})
	require.Contains(t, said, "printed form not refuted: equation-2")
}

// TestWhatWasChosenIsSaid: that a bound was chosen after a look at the data is said where a criterion fails, and where
// the last run of its claim is shown.
func TestWhatWasChosenIsSaid(t *testing.T) {
	row := results.Claim{ID: "a/b", Verdict: results.Refuted, Criteria: []results.Criterion{
		{Check: "c", Name: "first", Verdict: results.Refuted, Ratio: 2, Chosen: "bound"},
		{Check: "c", Name: "second", Verdict: results.Holds, Chosen: "bound"},
		{Check: "c", Name: "third", Verdict: results.Holds}}}
	require.Contains(t, verdictLines(row)[0], "at most 1 is allowed; bound chosen after a look at the data")
	p := page{width: 100}
	p.chosen(&row)
	require.Equal(t, "  bound chosen after a look at the data: c: first; c: second\n", p.text.String())
}
