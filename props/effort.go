package props

import "github.com/thm-suite/thm/props/results"

// Effort is the size of a run. The same claims run at every effort, with other sizes.
type Effort = results.Effort

// The efforts.
const (
	Quick    = results.Quick
	Standard = results.Standard
	Deep     = results.Deep
)

// Scale is a size for each effort.
type Scale struct{ Quick, Standard, Deep int }

// Times is the same number of cases at every effort.
func Times(n int) Scale { return Scale{n, n, n} }

// At returns the size at an effort.
func (s Scale) At(e Effort) int { return at(e, s.Quick, s.Standard, s.Deep) }

// Sizes is a list of increasing sizes for each effort: a size sweep.
type Sizes struct{ Quick, Standard, Deep []int }

// At returns the sizes at an effort.
func (s Sizes) At(e Effort) []int { return at(e, s.Quick, s.Standard, s.Deep) }

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

// replicates is how often a control is tried, with fresh streams each time. Whether a version is rejected by luck is
// told by its cases, and by the soak; more replicates than two would cost a quick run a tenth of its time.
var replicates = Scale{Quick: 2, Standard: 5, Deep: 15}

// Indices returns 0, 1, …, n−1 for the size n at an effort: the cells of a sweep over n draws that differ only in their
// streams.
func (s Scale) Indices(e Effort) []int { return Indices(s.At(e)) }
