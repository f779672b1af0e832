package compare

import (
	"regexp"
	"slices"
	"strings"
)

// Memory begins the warning of rows whose cost of cache misses moved, by which no count of instructions changes.
const Memory = "memory: "

// Layout is the factor below which the place of code in memory explains time that changed alone: the counts, of
// instructions and of misses, are the same. It can halve the speed of a loop, as the linker alone did with one of gonum
// (reports/published/study/trial.md), and noise adds to that.
const Layout = 2.5

// LayoutReason is the reason of time that is slower by less, and does not gate by itself.
const LayoutReason = "slower at the same count, by no more than the place of code in memory explains"

// processors matches the number of processors that go test appends to the name of a benchmark.
var processors = regexp.MustCompile(`-[0-9]+$`)

// Overrule makes one verdict of a benchmark's time and instructions, where both are gated. Counts decide where they
// can, since they find small changes; time overrules them where it is sure, since it is what anybody waits for:
//
//   - time that is slower is a regression, whatever the count; with a count that is the same only beyond [Layout];
//   - a count that is worse does not gate if time is faster, or the same where the count says that it cannot be;
//   - an undecided row of one does not gate if the other is decided;
//   - where the misses of the caches moved, the time alone decides.
func (t *Table) Overrule() {
	if t.Policy.GateOn != GateOnBoth || len(t.Policy.Units) > 0 {
		return
	}
	type key struct{ group, name, column string }
	times := map[key]*Row{}
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Unit == "sec/op" {
			times[key{r.Group, r.Name, r.Column}] = r
			times[key{r.Group, processors.ReplaceAllString(r.Name, ""), r.Column}] = r // of a count that there is not
		}
	}
	for i := range t.Rows {
		count := &t.Rows[i]
		time := times[key{count.Group, count.Name, count.Column}]
		if count.Unit != Counted[0] || time == nil || !count.Gated || !time.Gated {
			continue
		}
		switch beyond := 1 + t.Policy.MarginOf("sec/op"); {
		case slices.ContainsFunc(time.Warnings, func(w string) bool { return strings.HasPrefix(w, Memory) }):
			count.Gated = false
		case time.Verdict == Slower && count.Verdict == Same && !(float64(time.Change.Lo) > Layout):
			time.Gated, time.Reason = false, LayoutReason
		case !time.Verdict.decided():
			time.Gated = !count.Verdict.decided()
		case !count.Verdict.decided():
			count.Gated = false
		case count.Verdict == Slower &&
			(time.Verdict == Faster || time.Verdict == Same && float64(count.Change.Lo) > beyond):
			count.Gated, count.Reason = false, "overruled by the time, which is surely "+string(time.Verdict)
		}
	}
}

func (v Decision) decided() bool { return v == Same || v == Faster || v == Slower }
