package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/number"
)

// Departure is one thing that evidence says otherwise than the pinned evidence.
type Departure struct {
	Text   string
	Weaker bool // the check notices less; otherwise it seems to notice more
}

// Slack holds the factors by which numbers may be apart, and fall short.
type Slack struct {
	Median   float64 // of medians and margins
	Extremes float64 // of extremes of a sample
	Cases    float64 // share of the cases that has to be there
	Drawn    float64 // of the ranges of what is drawn, and of what comes of it
}

// The slacks. A run on another machine moves a median resolution, a tolerance over a size, by little more than
// rounding, and extremes of a sample more. Two files are written on purpose, and mostly on one machine.
var (
	Run   = Slack{Median: 1.25, Extremes: 2, Cases: 0.9, Drawn: 4}
	Files = Slack{Median: 1.05, Extremes: 1.05, Cases: 1, Drawn: 1.05}
)

// grosser is the slack of the ratio at which a control is rejected, which is often one of roundings.
const grosser = 1.25

// rounding is the slack of the worst ratio of an equation, the most rounding that its cases met. A smaller one by more
// says that the two sides are more alike than two computations: as they are when the claim is compared with itself.
const rounding = 100

// oneSided is the share, one of so many, of the cases of an equation by which those without any rounding may become
// more. Where a difference counts on one side only, half of the cases are such.
const oneSided = 4

// Departures lists where evidence departs from the pinned one.
func (s Slack) Departures(pinned, now Evidence) []Departure {
	var out departures
	matched(&out, pinned.Planned, now.Planned, Plan.what, func(p, x Plan) {
		out.planned(p.Check, "quick", p.Quick, x.Quick)
		out.planned(p.Check, "standard", p.Standard, x.Standard)
		out.planned(p.Check, "deep", p.Deep, x.Deep)
		if x.Replicates < p.Replicates {
			out.weaker("%s: tries controls %d times at standard effort, pinned %d", p.what(), x.Replicates, p.Replicates)
		}
		out.drawn(p.what(), p.Cells, x.Cells, 1) // which are planned, and not computed
		out.drawn(p.what(), p.Drawn, x.Drawn, s.Drawn)
	})
	matched(&out, pinned.Criteria, now.Criteria, Criterion.what, func(p, x Criterion) { s.criterion(&out, p, x) })
	matched(&out, pinned.Controls, now.Controls, Control.what, func(p, x Control) {
		if p.Criterion != x.Criterion {
			out.weaker("%s is rejected by criterion %q and no longer by %q", p.what(), x.Criterion, p.Criterion)
			return
		} // a larger ratio says that somebody has made the control grosser
		out.number(p.what()+" is rejected at a ratio of", p.Ratio, x.Ratio, grosser)
		if float64(x.Cases) < s.Cases*float64(p.Cases) {
			out.weaker("%s is tried on %d cases, pinned %d", p.what(), x.Cases, p.Cases)
		}
		for _, name := range slices.Sorted(maps.Keys(p.Also)) {
			if _, rejects := x.Also[name]; p.Also[name] > grosser && !rejects {
				out.weaker("%s is no longer rejected by criterion %q", p.what(), name)
			}
		}
	})
	for _, regime := range now.NotDrawn {
		if !slices.Contains(pinned.NotDrawn, regime) {
			out.weaker("%s is not drawn any more", regime)
		}
	}
	return out
}

func (s Slack) criterion(out *departures, p, now Criterion) {
	at := p.what() + ": "
	if now.Form != p.Form {
		say := out.weaker
		if p.Form == unresolved {
			say = out.other
		}
		say("%sis of the form %q and was of %q", at, now.Form, p.Form)
	}
	if now.Proven != "" && p.Proven == "" {
		out.weaker("%sits tolerance is called proven, and was not", at)
	}
	if now.Coarse != "" && p.Coarse == "" {
		out.weaker("%sit is called coarse, and was not", at)
	}
	switch {
	case now.Chosen == p.Chosen:
	case p.Chosen == "":
		out.other("%ssays what was chosen after a look at the data: its %s", at, now.Chosen)
	default:
		out.weaker("%sno longer says what was chosen after a look at the data: its %s", at, p.Chosen)
	}
	out.number(at+"equivalence margin", p.Margin, now.Margin, s.Median)
	if p.Alpha > 0 && now.Alpha != p.Alpha {
		out.weaker("%sfalse-alarm rate %v, pinned %v", at, now.Alpha, p.Alpha)
	}
	matched(out, p.Regimes, now.Regimes, func(r Regime) string { return strings.TrimSuffix(at+r.Name, ": ") },
		func(r, x Regime) {
			in := at
			if r.Name != "" {
				in += r.Name + ", "
			}
			if float64(x.Cases) < s.Cases*float64(r.Cases) {
				out.weaker("%s%d cases, pinned %d", in, x.Cases, r.Cases)
			}
			if n := x.made(); n < r.made() && (x.Cases >= r.Cases || float64(n) < s.Cases*float64(r.made())) {
				out.weaker("%s%d comparisons, pinned %d", in, n, r.made())
			}
			if x.MayDecline > r.MayDecline && float64(x.MayDecline) > s.Median*float64(r.MayDecline) {
				out.weaker("%s%d cases may be declined, pinned %d", in, x.MayDecline, r.MayDecline)
			}
			if r.Allowed == 0 && x.Allowed > 0 {
				out.other("%swhat it allows, %v, is not pinned", in, x.Allowed)
			} else {
				out.number(in+"allows", r.Allowed, x.Allowed, s.Median)
			}
			if y, z := float64(r.Ratio), float64(x.Ratio); y > 0 && !(z <= rounding*y && y <= rounding*z) {
				out.weaker("%sthe worst ratio is %v, pinned %v", in, x.Ratio, r.Ratio)
			}
			if r.Allowed > 0 && x.Same-r.Same > x.Cases/oneSided {
				out.weaker("%sboth sides are the same in %d cases, pinned %d", in, x.Same, r.Same)
			}
			out.number(in+"resolution of the run", r.Run, x.Run, s.Extremes)
			out.number(in+"resolution of the median case", r.Median, x.Median, s.Median)
			out.number(in+"resolution of nine cases of ten", r.Decile, x.Decile, s.Extremes)
		})
}

// made counts the comparisons, of which a declined case has none.
func (r Regime) made() int { return cmp.Or(r.Comparisons, r.Cases) }

func (p Plan) what() string      { return fmt.Sprintf("check %q", p.Check) }
func (c Criterion) what() string { return c.Check + " / " + c.Name }
func (c Control) what() string   { return fmt.Sprintf("%s / control %q", c.Check, c.Name) }

// matched compares what is of one name. What is gone makes a check weaker, and what is new has to be pinned.
func matched[T any](out *departures, pinned, now []T, what func(T) string, compare func(pinned, now T)) {
	find := func(in []T, name string) int { return slices.IndexFunc(in, func(x T) bool { return what(x) == name }) }
	for _, p := range pinned {
		if at := find(now, what(p)); at >= 0 {
			compare(p, now[at])
		} else {
			out.weaker("%s is gone", what(p))
		}
	}
	for _, x := range now {
		if find(pinned, what(x)) < 0 {
			out.other("%s is not pinned", what(x))
		}
	}
}

// unresolved is the form of a criterion that has no resolution: any other says more.
const unresolved = "yes or no"

type departures []Departure

func (d *departures) weaker(format string, args ...any) {
	*d = append(*d, Departure{fmt.Sprintf(format, args...), true})
}

func (d *departures) other(format string, args ...any) {
	*d = append(*d, Departure{fmt.Sprintf(format, args...), false})
}

func (d *departures) planned(check, effort string, pinned, now int) {
	if now != pinned {
		*d = append(*d, Departure{fmt.Sprintf("%s: plans %d cases at %s effort, pinned %d", check, now, effort, pinned),
			now < pinned})
	}
}

// number compares a number that is larger where less is noticed. Infinities are equal to themselves, NaN as well.
func (d *departures) number(what string, pinned, now number.Number, factor float64) {
	x, y := float64(pinned), float64(now)
	if x == y || math.IsNaN(x) && math.IsNaN(y) || (y <= factor*x && x <= factor*y) {
		return
	}
	*d = append(*d, Departure{fmt.Sprintf("%s %v, pinned %v", what, now, pinned), !(y < x)})
}
