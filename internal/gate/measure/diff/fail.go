package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/list"
)

// fail makes the rows of benchmarks with failed samples unusable. One that has no row gets one. Where the old code
// failed as well nothing can be said about the change, and the rows do not gate: a benchmark that was broken before
// blocks nobody.
func (c Comparison) fail(t *compare.Table) {
	type failure struct {
		key
		arm string
	}
	count, taken, why := map[failure]int{}, map[failure]int{}, map[failure]string{}
	var order []failure
	for _, s := range c.Samples {
		if !slices.Contains(Arms, s.Arm) {
			continue // relinked
		}
		f := failure{key{group: group(s.Package), name: s.Name}, s.Arm}
		taken[f]++
		if s.Fail != "" {
			if count[f] == 0 {
				order = append(order, f)
				why[f] = s.Fail
			}
			count[f]++
		}
	}
	var before []string
	for _, f := range order {
		broken := failedBefore(func(arm string) (failed, all int) {
			f := failure{f.key, arm}
			return count[f], taken[f]
		})
		if name := f.name; broken && !slices.Contains(before, name) {
			before = append(before, name)
		}
		reason := fmt.Sprintf("%d of %d samples of the %s code failed: %s", count[f], taken[f], f.arm, why[f])
		found := false
		for i := range t.Rows {
			r := &t.Rows[i]
			if r.Group == f.group && (r.Name == f.name || measure.Bare(r.Name) == f.name) {
				r.Verdict, r.Reason, r.Needs, found = compare.Unusable, reason, 0, true
				r.Gated = r.Gated && !broken
			}
		}
		if !found {
			r := c.lone(f.group, f.name, compare.Unusable, reason)
			r.Gated = !broken
			t.Rows = append(t.Rows, r)
		}
	}
	if len(before) > 0 {
		t.Problems = append(t.Problems, compare.Problem{Text: "not gated, because they fail in the old code as well: " +
			strings.Join(before, ", ")})
	}
}

// failedBefore reports whether a benchmark failed in the old code, and not only now in every sample.
func failedBefore(arm func(name string) (failed, taken int)) bool {
	old, oldTaken := arm(Old)
	again, againTaken := arm(Again)
	new, newTaken := arm(New)
	always := old+again == oldTaken+againTaken
	return old+again > 0 && (always || new < newTaken)
}

// uncounted leaves the instructions of benchmarks undecided that could not be counted in every sample. Counts that were
// dropped leave the rest to judge by, and are said.
func (c Comparison) uncounted(t *compare.Table) {
	dropped, why, notes, lost := map[key]int{}, map[key]string{}, map[key]string{}, map[key]string{}
	var order []key
	for _, s := range c.Samples {
		at := key{group: group(s.Package), name: s.Name}
		if s.Note != "" {
			notes[at] = s.Note
		}
		if s.Uncounted == "" {
			continue
		}
		if _, seen := why[at]; !seen {
			order = append(order, at)
			why[at] = ""
		}
		switch {
		case s.Dropped():
			dropped[at]++
			lost[at] = s.Uncounted
		case why[at] == "":
			why[at] = s.Uncounted
		}
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		if note := notes[key{group: r.Group, name: measure.Bare(r.Name)}]; note != "" && r.Unit == measure.InstructionUnit {
			r.Warnings = append(r.Warnings, note)
		}
	}
	for _, at := range order {
		found := false
		for i := range t.Rows {
			r := &t.Rows[i]
			if r.Unit != measure.InstructionUnit || r.Group != at.group || measure.Bare(r.Name) != at.name {
				continue
			}
			found = true
			if why[at] != "" || r.Old.N == 0 || r.New.N == 0 {
				r.Verdict, r.Reason, r.Needs = compare.Undecided, cmp.Or(why[at], lost[at]), 0
			} else {
				r.Warnings = append(r.Warnings, fmt.Sprintf("counts dropped: %d, because %s", dropped[at], lost[at]))
			}
		}
		if !found {
			r := c.lone(at.group, at.name, compare.Undecided,
				"not counted: "+cmp.Or(why[at], lost[at]))
			r.Unit = measure.InstructionUnit
			r.Gated = c.Policy.GateOn == compare.GateOnInstructions || c.Policy.GateOn == compare.GateOnBoth
			t.Rows = append(t.Rows, r)
		}
	}
}

// lone is a row without numbers.
func (c Comparison) lone(group, name string, v compare.Decision, reason string) compare.Row {
	nan := compare.Number(math.NaN())
	none := compare.Summary{Center: nan, Lo: nan, Hi: nan}
	return compare.Row{Group: group, Name: name, Unit: "sec/op", Base: c.Old, Column: c.New,
		Old: none, New: none, P: nan, Gated: true,
		Judgement: compare.Judgement{Change: compare.Interval{Center: nan, Lo: nan, Hi: nan}, Verdict: v,
			Reason: reason}}
}

// Sets adds rows for the benchmarks that only one of the versions has.
func (c Comparison) Sets(t *compare.Table, old, new []measure.Benchmark) {
	for _, b := range list.Without(old, new) {
		t.Rows = append(t.Rows, c.lone(group(b.Package), b.Name, compare.Missing, "not in "+c.New))
	}
	for _, b := range list.Without(new, old) {
		t.Rows = append(t.Rows, c.lone(group(b.Package), b.Name, compare.Added, "not in "+c.Old))
	}
}

// Common lists the benchmarks that both versions have, in the order of the old one.
func Common(old, new []measure.Benchmark) []measure.Benchmark {
	return list.Without(old, list.Without(old, new))
}
