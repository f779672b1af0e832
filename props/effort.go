package props

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/props/results"
)

// Effort is the size of a run. The same claims run at every effort, with other sizes.
type Effort = results.Effort

// The efforts.
const (
	Quick    = results.Quick
	Standard = results.Standard
	Deep     = results.Deep
)

// levels is the number of steps from standard to deep. A check that is not affordable at its deep sizes runs at an
// effort between, written "deep 5/16".
const levels = 16

// between is the effort of so many steps above standard.
func between(level int) Effort {
	switch level {
	case 0:
		return Standard
	case levels:
		return Deep
	}
	return Effort(fmt.Sprintf("%s %d/%d", Deep, level, levels))
}

// levelOf counts the steps above standard.
func levelOf(e Effort) int {
	if e == Deep {
		return levels
	}
	share, _ := strings.CutPrefix(string(e), string(Deep)+" ")
	level, _, _ := strings.Cut(share, "/")
	n, _ := strconv.Atoi(level)
	return n
}

// Scale is a size for each effort.
type Scale struct{ Quick, Standard, Deep int }

// Times is the same number of cases at every effort.
func Times(n int) Scale { return Scale{n, n, n} }

// At returns the size at an effort. Between standard and deep it grows by a factor a step, rounded to a multiple of
// what divides both, since that is what a plan may count on.
func (s Scale) At(e Effort) int {
	level, low, high := levelOf(e), float64(s.Standard), float64(s.Deep)
	if level == 0 || level == levels || low <= 0 || high <= 0 {
		return at(e, s.Quick, s.Standard, s.Deep)
	}
	a, b := s.Standard, s.Deep
	for b > 0 {
		a, b = b, a%b
	}
	return a * int(math.Round(low*math.Pow(high/low, float64(level)/levels)/float64(a)))
}

// Sizes is a list of increasing sizes for each effort: a size sweep. Between standard and deep it is the one of
// standard.
type Sizes struct{ Quick, Standard, Deep []int }

// At returns the sizes at an effort. It panics where there are none: a sweep without a size measures nothing.
func (s Sizes) At(e Effort) []int {
	sizes := at(e, s.Quick, s.Standard, s.Deep)
	if len(sizes) == 0 {
		panic("props: Sizes has none at " + string(e) + " effort")
	}
	return sizes
}

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

// replicates is the number of times that a control is tried, with fresh streams each time. Whether a version is
// rejected by luck is told by its cases, and by the soak; more replicates than two would cost a quick run a tenth of
// its time. At deep effort the time goes to the claim: what a control does differently is done as at standard effort,
// and what it claims of the claim's own measurements is tried on them once.
var replicates = Scale{Quick: 2, Standard: 5, Deep: 1}

// Indices returns 0, 1, …, n−1 for the size n at an effort: the cells of a sweep over n draws that differ only in their
// streams.
func (s Scale) Indices(e Effort) []int { return Indices(s.At(e)) }
