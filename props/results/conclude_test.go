package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A reader is warned once of a check, however many of its criteria are green by luck.
func TestWarnedOncePerCheck(t *testing.T) {
	row := &Claim{Criteria: []Criterion{
		{Name: "a", Check: "first", Verdict: Holds, Form: Equation, Ratio: 0.6},
		{Name: "b", Check: "first", Verdict: Holds, Form: Equation, Ratio: 0.8},
		{Name: "c", Check: "second", Verdict: Holds, Form: Equation, Ratio: 0.7},
		{Name: "d", Check: "third", Verdict: Holds, Form: Equation, Ratio: 0.4},
	}}
	require.Equal(t, []string{
		"first: b passed at a ratio of 0.80, and 1 more at up to that: more than half of what would refute it",
		"second: c passed at a ratio of 0.70: more than half of what would refute it",
	}, row.Warned())
	require.Len(t, row.warnings(), 3)
}

// Counts are as exact as comparisons to the last bit where no other number passes; what is coarser shows before both.
func TestCountsAreExact(t *testing.T) {
	count := Criterion{Form: Estimate, Unit: Whole, Resolution: 0.5}
	for _, c := range []struct {
		of   []Criterion
		want string
	}{
		{[]Criterion{count}, "exact"},
		{[]Criterion{{Form: Exactness, Unit: Exact}, count}, "exact"},
		{[]Criterion{{Form: Estimate, Unit: Relative, Resolution: 0.04}, count}, "0.04 rel."},
		{[]Criterion{{Form: Estimate, Unit: Whole, Resolution: 1.5}, count}, "1.5 more or less"},
	} {
		row := &Claim{Criteria: c.of}
		require.Equal(t, c.want, row.ResolutionText())
	}
}

// A printed form that several controls try is one form, and refuted if all of them are.
func TestPrintedFormsAreCountedOnce(t *testing.T) {
	of := func(id string, refuted bool) Erratum { return Erratum{ID: id, Refuted: refuted} }
	r := Results{Claims: []Claim{{Readings: []Erratum{of("a", true), of("a", true), of("b", true), of("b", false)}},
		{Readings: []Erratum{of("a", true)}}}}
	r.Summarise()
	require.Equal(t, Count{Planned: 3, Run: 2}, r.Summary.Readings)
}
