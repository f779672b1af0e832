package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"

	"github.com/thm-suite/thm/internal/list"
)

// Settles reports whether a unit counts something, so that Settle is right for it.
func Settles(unit string) bool {
	return unit == "B/op" || unit == "allocs/op" || slices.Contains(Counted, unit)
}

// Settle calls an undecided count the same if an interval says so that takes the logarithms of both sides for normal
// with one variance: Student's, with m+n-2 degrees of freedom. Counts vary little and by nothing that the rank tests
// would have to guard against, so that a few samples show that nothing changed. That something changed rests on the
// order of the samples alone, as for time: a wrong model can hide a change of the size of the noise, and accuses
// nobody.
func (j *Judgement) Settle(old, new []float64, s Spec) {
	if j.Verdict != Undecided || unusable(old, new) != "" {
		return
	}
	c := student(old, new, s.Alpha)
	if s.Verdict(c) == Same {
		j.Change, j.Verdict, j.Needs = c, Same, 0
		j.Reason = "the same by an interval for normal counts; too few samples for one that assumes nothing"
	}
}

// SettleShift calls a count the same whose ranges overlap, if an interval for the difference of the two sides says that
// it is less than an allocation: Hodges and Lehmann's, which assumes no distribution and can hold zeros. With too few
// samples for the level it says how many there must be. It accuses nobody.
func (j *Judgement) SettleShift(old, new []float64, unit string, alpha float64) {
	if j.Verdict != Undecided || j.Needs > 0 {
		return
	}
	k := rankSumOrder(len(old), len(new), alpha)
	if k == 0 {
		j.Needs = max(rankSumMinimum(alpha), min(len(old), len(new))+1)
		return
	}
	allocation := 1.0
	if unit == "B/op" {
		allocation = MinBytes
	}
	differences := make([]float64, 0, len(old)*len(new))
	for _, b := range new {
		for _, a := range old {
			differences = append(differences, b-a)
		}
	}
	slices.Sort(differences)
	if differences[k-1] > -allocation && differences[len(differences)-k] < allocation {
		j.Verdict, j.Reason = Same, ShiftReason
	}
}

// ShiftReason is the reason of a verdict of SettleShift.
const ShiftReason = "the same up to less than an allocation, by an interval for the difference"

// student is Student's interval for the ratio of two samples, by their logarithms.
func student(old, new []float64, alpha float64) Interval {
	m, n := float64(len(old)), float64(len(new))
	df := m + n - 2
	if df < 1 {
		return nowhere(alpha)
	}
	mean := func(x []float64) (center, squares float64) {
		x = list.Map(x, math.Log)
		for _, v := range x {
			center += v / float64(len(x))
		}
		for _, v := range x {
			squares += (v - center) * (v - center)
		}
		return center, squares
	}
	a, sa := mean(old)
	b, sb := mean(new)
	t := stats.InvCDF(stats.TDist{V: df})(1 - alpha/2)
	half := t * math.Sqrt((sa+sb)/df*(1/m+1/n))
	return Interval{Number(math.Exp(b - a)), Number(math.Exp(b - a - half)), Number(math.Exp(b - a + half)), 1 - alpha}
}

// RuleOfCounts says what is different about counts, where there are any.
func (t *Table) RuleOfCounts() string {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return slices.Contains(Counted, r.Unit) }) {
		return ""
	}
	return "; a count is worse or better if its interval excludes no change and not the margin"
}

// Disagree notes the benchmarks whose time and instructions are decided, and not alike.
func (t *Table) Disagree() {
	type key struct{ group, name, column string }
	times := map[key]Decision{}
	for _, r := range t.Rows {
		if r.Unit == "sec/op" {
			times[key{r.Group, r.Name, r.Column}] = r.Verdict
		}
	}
	decided := []Decision{Slower, Faster, Same}
	var names []string
	for _, r := range t.Rows {
		time := times[key{r.Group, r.Name, r.Column}]
		if r.Unit == Counted[0] && time != r.Verdict && slices.Contains(decided, time) &&
			slices.Contains(decided, r.Verdict) {
			names = append(names, r.Name+" (time "+string(time)+", instructions "+r.Verdict.Word(r.Unit)+")")
		}
	}
	t.Problems = slices.DeleteFunc(t.Problems, func(p Problem) bool { return strings.HasPrefix(p.Text, disagreement) })
	if len(names) > 0 {
		t.Problems = append(t.Problems, Problem{disagreement + strings.Join(names, ", "), false})
	}
}

const disagreement = "time and instructions disagree: "
