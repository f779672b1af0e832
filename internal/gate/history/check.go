package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/list"
)

// CheckResult holds the result of a check of the newest run. It has the codes of a gate (package compare): pass,
// regression, unusable and undecided.
type CheckResult struct {
	compare.Outcome
	Newest Manifest `json:"newest"`
	Worse  []Alarm  `json:"worse"`   // changes for the worse that the newest run has brought to light
	Short  []string `json:"short"`   // rows with too few runs
	Absent []string `json:"missing"` // rows of the run before that the newest lacks
}

// Alarm is a change for the worse.
type Alarm struct {
	Row    string `json:"row"`
	Change Change `json:"change"`
	Commit string `json:"commit"` // of the first run after it
}

// Allowances say what does not keep a check from passing.
type Allowances struct {
	Short   bool // rows with too few runs, if others have enough
	Missing bool // rows that the newest run lacks
}

// Check asks whether the newest run has brought a change for the worse to light: one that the history shows with this
// run and not without it. The change may have begun some runs before. Only runs of the same setup count.
func (h *History) Check(p Policy, allow Allowances) CheckResult {
	v := CheckResult{Worse: []Alarm{}, Short: []string{}, Absent: []string{}}
	if len(h.Runs) == 0 {
		v.Outcome = compare.Outcome{Code: compare.UnusableInput, Name: "unusable", Reason: "there is no run on record"}
		return v
	}
	newest := h.Runs[len(h.Runs)-1]
	v.Newest = newest.Manifest
	same := &History{}
	for _, r := range h.Runs {
		if r.Setup() == newest.Setup() {
			same.Runs = append(same.Runs, r)
		}
	}
	last := len(same.Runs) - 1
	now, before := same.Analyse(p), (&History{same.Runs[:last]}).Analyse(p)
	judged := 0
	for _, r := range now.Rows {
		s := r.Series[0]
		switch n := len(s.Points); {
		case s.Points[n-1].Run != last:
			if last > 0 && slices.ContainsFunc(s.Points, func(p Point) bool { return p.Run == last-1 }) {
				v.Absent = append(v.Absent, r.title())
			}
			continue
		case r.Exact && n < 2, !r.Exact && s.Delay == 0:
			v.Short = append(v.Short, r.title())
		case slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Drift }):
			v.Short = append(v.Short, r.title()+" (it drifts)")
		default:
			judged++
		}
		v.alarm(r, s, before, same)
	}
	v.conclude(judged, newest.Failed, allow)
	return v
}

// alarm notes the changes of a row for the worse if there are more of them than before. Those that are new are taken
// to be the last ones.
func (v *CheckResult) alarm(r Row, s Series, before *Analysis, h *History) {
	known := 0
	for _, old := range before.Rows {
		if old.title() == r.title() {
			known = len(worse(old.Series[0]))
		}
	}
	changes := worse(s)
	for _, c := range changes[min(known, len(changes)):] {
		v.Worse = append(v.Worse, Alarm{r.title(), c, h.Runs[c.Run].Revision()})
	}
}

func worse(s Series) []Change {
	return slices.DeleteFunc(slices.Clone(s.Changes), func(c Change) bool { return !c.Worse })
}

// title names a row.
func (r Row) title() string { return fmt.Sprintf("%s, %s (pkg: %s)", r.Name, r.Unit, r.Package) }

// conclude applies the policy: a regression comes first, then what could not be judged.
func (v *CheckResult) conclude(judged, failed int, allow Allowances) {
	say := func(code int, name, format string, args ...any) {
		v.Outcome = compare.Outcome{Code: code, Name: name, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(v.Worse) > 0:
		rows := list.Map(v.Worse, func(a Alarm) string {
			return fmt.Sprintf("%s is %.3g times what it was, since %s", a.Row, float64(a.Change.Ratio), a.Commit)
		})
		say(compare.Regression, "regression", "%s", strings.Join(rows, "; "))
	case failed > 0:
		say(compare.NotDecided, "undecided", "the newest run has failures: %d of its samples", failed)
	case len(v.Absent) > 0 && !allow.Missing:
		say(compare.NotDecided, "undecided", "the newest run lacks %d rows that the run before it has, such as %s",
			len(v.Absent), v.Absent[0])
	case judged == 0, len(v.Short) > 0 && !allow.Short:
		say(compare.NotDecided, "undecided", "%d of %d rows have too few runs on this machine to tell a change from "+
			"chance, such as %s",
			len(v.Short), judged+len(v.Short), slices.Concat(v.Short, []string{"none"})[0])
	default:
		say(compare.Pass, "pass", "%d rows show no change for the worse that was not there before", judged)
	}
}
