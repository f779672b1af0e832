package compare

import (
	"fmt"
	"math"
)

// Outcome holds the decision of a policy about a table.
type Outcome struct {
	// Code is 0 for pass, 1 for a regression, 2 for unusable input and 3 for undecided.
	Code int `json:"code"`
	// Name is pass, regression, unusable or undecided.
	Name string `json:"name"`
	// Reason says why, in a sentence.
	Reason string `json:"reason"`
}

// The codes of an outcome, which are exit codes.
const (
	Pass          = 0
	Regression    = 1
	UnusableInput = 2
	NotDecided    = 3
)

// Outcome applies the policy. Unusable input comes before regressions, since the numbers cannot be trusted, and
// regressions before what is undecided. A table without a row that was compared is unusable: nothing was gated. One
// of rows for which the time did not suffice is undecided.
func (t *Table) Outcome() Outcome {
	for _, p := range t.Problems {
		if p.Fatal {
			return Outcome{UnusableInput, "unusable", p.Text}
		}
	}
	compared, gated := 0, 0
	for _, r := range t.Rows {
		if r.Gated {
			gated++
		}
		if r.Gated && r.Old.N > 0 && r.New.N > 0 {
			compared++
		}
	}
	unusable, slower, missing := t.Count(Unusable), t.Count(Slower), t.Count(Missing)
	open := gated - unusable - slower - missing - t.Count(Same) - t.Count(Faster) - t.Count(Added)
	switch {
	case compared == 0 && unusable == 0 && t.Count(Undecided) > 0:
		return Outcome{NotDecided, "undecided", rows(open, "is", "are") + " undecided, since the time did " +
			"not suffice for any"}
	case compared == 0:
		return Outcome{UnusableInput, "unusable", "no benchmark is in both results in a gated unit, so nothing was " +
			"compared"}
	case unusable > 0:
		return Outcome{UnusableInput, "unusable", fmt.Sprintf("%s values that no measurement has",
			rows(unusable, "has", "have"))}
	case missing > 0 && t.Policy.Missing == MissingUnusable:
		return Outcome{UnusableInput, "unusable", rows(missing, "is", "are") + " missing from the new results"}
	case slower > 0:
		return Outcome{Regression, "regression", fmt.Sprintf("%s worse, of %d", rows(slower, "is", "are"), compared)}
	case missing > 0 && t.Policy.Missing != MissingAllowed:
		return Outcome{NotDecided, "undecided", rows(missing, "is", "are") + " missing from the new results"}
	case open > 0 && t.Policy.Undecided == UndecidedAllowed:
		return Outcome{Pass, "pass", fmt.Sprintf("%s compared, none worse; %s undecided, which the policy allows%s",
			rows(compared, "was", "were"), rows(open, "is", "are"), t.unseen())}
	case open > 0:
		return Outcome{NotDecided, "undecided", fmt.Sprintf("%s undecided, of %d%s", rows(open, "is", "are"), compared,
			t.needed())}
	}
	return Outcome{Pass, "pass", fmt.Sprintf("%s compared, none worse", rows(compared, "was", "were"))}
}

// unseen is the price of allowing open rows: the largest change for the worse that their intervals do not exclude.
func (t *Table) unseen() string {
	largest, unbounded := 0.0, 0
	for _, r := range t.Rows {
		if !r.Gated || r.Verdict != Undecided && r.Verdict != Changed {
			continue
		}
		worst := max(float64(r.Change.Hi), 1/float64(r.Change.Lo)) // in either direction: a unit may want more
		if !(worst <= math.MaxFloat64) {
			unbounded++
			continue
		}
		largest = max(largest, worst-1)
	}
	if unbounded > 0 {
		return fmt.Sprintf(": for %d of them no change is excluded", unbounded)
	}
	return fmt.Sprintf(": a change of up to %.0f %% may have passed unseen", 100*largest)
}

// rows counts rows with a verb.
func rows(n int, singular, plural string) string {
	if n == 1 {
		return "1 row " + singular
	}
	return fmt.Sprintf("%d rows %s", n, plural)
}

// needed says how many samples would decide what is undecided.
func (t *Table) needed() string {
	highest, helped, open := 0, 0, t.Count(Undecided)
	for _, r := range t.Rows {
		if r.Gated && r.Verdict == Undecided && r.Needs > 0 {
			highest, helped = max(highest, r.Needs), helped+1
		}
	}
	switch {
	case open == 0:
		return ""
	case helped == 0:
		return "; more samples alone would not decide"
	case helped < open:
		return fmt.Sprintf("; n=%d would decide %d of them, each with probability 0.8 if its change is what it looks "+
			"like, and more samples alone not the others", highest, helped)
	}
	return fmt.Sprintf("; n=%d would decide, each with probability 0.8 if its change is what it looks like", highest)
}
