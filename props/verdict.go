package props

// Verdict is what a run says about a claim.
type Verdict string

// The verdicts. Only Holds is green.
const (
	Holds      Verdict = "holds"
	Refuted    Verdict = "refuted"
	Undecided  Verdict = "undecided"  // the interval straddles the boundary of the indifference zone
	Incomplete Verdict = "incomplete" // fewer cases ran than were planned
	Error      Verdict = "error"      // the check itself broke
)

// Verdicts lists all verdicts in the order of a summary.
var Verdicts = []Verdict{Holds, Refuted, Undecided, Incomplete, Error}

// severity orders verdicts so that the worst of several parts decides.
var severity = map[Verdict]int{Holds: 0, Undecided: 1, Incomplete: 2, Refuted: 3, Error: 4}

func worst(a, b Verdict) Verdict {
	if severity[b] > severity[a] {
		return b
	}
	return a
}

// Effort is the size of a run. The same claims run at every effort, with other sizes.
type Effort string

// The efforts.
const (
	Quick    Effort = "quick"    // what go test runs: all claims in well under two minutes on two cores
	Standard Effort = "standard" // the command's default: minutes
	Deep     Effort = "deep"     // hours
)

// Efforts lists the efforts from the smallest to the largest.
var Efforts = []Effort{Quick, Standard, Deep}

// Scale is a size for each effort.
type Scale struct{ Quick, Standard, Deep int }

// At returns the size at an effort.
func (s Scale) At(e Effort) int { return at(e, s.Quick, s.Standard, s.Deep) }

// Ladder is a list of increasing sizes for each effort.
type Ladder struct{ Quick, Standard, Deep []int }

// At returns the sizes at an effort.
func (l Ladder) At(e Effort) []int { return at(e, l.Quick, l.Standard, l.Deep) }

func at[T any](e Effort, quick, standard, deep T) T {
	switch e {
	case Quick:
		return quick
	case Deep:
		return deep
	default:
		return standard
	}
}

// replicates is how often a control or a dose is tried, with fresh streams each time.
var replicates = Scale{Quick: 3, Standard: 5, Deep: 15}

// Indices returns 0, 1, …, n−1 for the size n at an effort: the cells of a sweep over n draws that differ only in their
// streams.
func (s Scale) Indices(e Effort) []int { return Indices(s.At(e)) }
