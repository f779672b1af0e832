package results

// Verdict is the outcome of a run for a claim.
type Verdict string

// The verdicts. Only Holds is green.
const (
	Holds      Verdict = "holds"
	Refuted    Verdict = "refuted"
	Undecided  Verdict = "undecided"  // the interval is neither inside the equivalence margin nor outside
	Unproven   Verdict = "unproven"   // the checks pass, and would pass a wrong version as well: no evidence
	Incomplete Verdict = "incomplete" // fewer cases ran than were planned
	Error      Verdict = "error"      // the check itself broke
)

// Verdicts lists all verdicts in the order of a summary.
var Verdicts = []Verdict{Holds, Refuted, Undecided, Unproven, Incomplete, Error}

// severity orders verdicts so that the worst of several criteria decides.
var severity = map[Verdict]int{Holds: 0, Unproven: 1, Undecided: 2, Incomplete: 3, Refuted: 4, Error: 5}

// Worst is the verdict on a conjunction: of none it holds.
func Worst(all ...Verdict) Verdict {
	worst := Holds
	for _, v := range all {
		if severity[v] > severity[worst] {
			worst = v
		}
	}
	return worst
}
