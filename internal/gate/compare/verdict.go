package compare

import "strings"

// Decision says what became of one benchmark in one unit.
type Decision string

const (
	// Faster is an improvement beyond the margin and the noise floor, or of counts one beyond the floor that may lie
	// beyond the margin; see [Spec]. Of units other than time read "better".
	Faster Decision = "faster"
	// Slower is a regression of the same size. Of units other than time read "worse".
	Slower Decision = "slower"
	// Same is a change that lies within the margin.
	Same Decision = "same"
	// Changed is a change beyond the margin and the noise floor in a unit of which nobody said which way is better.
	Changed Decision = "changed"
	// Undecided is everything that the data leave open.
	Undecided Decision = "undecided"
	// Missing is a benchmark of the old results that the new ones lack.
	Missing Decision = "missing"
	// Added is a benchmark that the old results lack.
	Added Decision = "added"
	// Unusable is a benchmark with values that no measurement has: NaN, infinite, or not positive in time.
	Unusable Decision = "unusable"
)

// Verdicts lists them in the order of reports: the bad ones first.
var Verdicts = []Decision{Unusable, Slower, Missing, Undecided, Changed, Faster, Added, Same}

// Word is the verdict in the words of a unit: only time is faster or slower, the rest is better or worse.
func (v Decision) Word(unit string) string {
	if strings.HasPrefix(unit, "sec") || strings.HasSuffix(unit, "/sec") || strings.HasSuffix(unit, "/s") {
		return string(v)
	}
	switch v {
	case Faster:
		return "better"
	case Slower:
		return "worse"
	}
	return string(v)
}

// Mark is one character for the verdict, for narrow columns.
func (v Decision) Mark() string {
	switch v {
	case Faster, Same:
		return "✓"
	case Slower, Unusable:
		return "✗"
	case Missing, Undecided, Changed:
		return "?"
	}
	return "+"
}
