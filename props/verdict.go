package props

// Verdict is what a run says about a claim.
type Verdict string

// The verdicts. Only Holds is green.
const (
	Holds      Verdict = "holds"
	Refuted    Verdict = "refuted"
	Undecided  Verdict = "undecided"  // the interval is neither inside the equivalence margin nor outside
	Incomplete Verdict = "incomplete" // fewer cases ran than were planned
	Error      Verdict = "error"      // the check itself broke
)

// Verdicts lists all verdicts in the order of a summary.
var Verdicts = []Verdict{Holds, Refuted, Undecided, Incomplete, Error}

// severity orders verdicts so that the worst of several criteria decides.
var severity = map[Verdict]int{Holds: 0, Undecided: 1, Incomplete: 2, Refuted: 3, Error: 4}

func worst(a, b Verdict) Verdict {
	if severity[b] > severity[a] {
		return b
	}
	return a
}
