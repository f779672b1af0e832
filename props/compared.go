package props

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// compared holds the obtained and the claimed value of one comparison. Of vectors and matrices it is the entry in which
// the two differ most.
type compared struct {
	Got, Want, Lo, Hi float64 // Lo and Hi are Got where it is no interval
	Relation          results.Relation
}

// The numbers of comparisons that are kept of a criterion in one regime, and that a figure shows of one criterion of
// the claim and of a control.
const (
	keptPairs    = 30
	shownPairs   = 120
	controlPairs = 40
)

// pairedCases is the number of instances of a check whose comparisons its figure shows: those of the first blocks.
const pairedCases = 2 * blockSize

func scalars(got, want float64, relation results.Relation) []compared {
	return []compared{{got, want, got, got, relation}}
}

func interval(iv stat.Interval, want float64, relation results.Relation) []compared {
	return []compared{{iv.Estimate, want, iv.Lo, iv.Hi, relation}}
}

// entryApart is the entry in which two matrices differ most.
func entryApart(got, want mat.Matrix) []compared {
	i, j := farthest(got, want)
	return scalars(got.At(i, j), want.At(i, j), results.Equal)
}

// series are the comparisons of one criterion by the claim or by a control.
type series struct {
	check, criterion string
	control          string // its name; empty for the claim itself
	pairs            []compared
}

// seriesOf collects the comparisons of a tally, the regimes of a criterion together.
func seriesOf(check, control string, t *tally) []series {
	var out []series
	for _, r := range t.Rows {
		at := slices.IndexFunc(out, func(s series) bool { return s.criterion == r.Criterion.Name })
		if at < 0 {
			at = len(out)
			out = append(out, series{check: check, criterion: r.Criterion.Name, control: control})
		}
		out[at].pairs = append(out[at].pairs, r.Pairs...)
	}
	return out
}

// spread is the number of different claimed values. A criterion that always claims the same one has no picture.
func (s series) spread() int {
	seen := map[float64]bool{}
	for _, p := range s.pairs {
		seen[p.Want] = true
	}
	return len(seen)
}

// comparison draws obtained against claimed values of a claim: of the first criterion whose claimed values differ, with
// the wrong versions that it rejects. Without such a criterion there is none.
func comparison(all []series, rejects func(check, criterion, control string) bool) (Figure, bool) {
	const enough = 5
	at := slices.IndexFunc(all, func(s series) bool { return s.control == "" && s.spread() >= enough })
	if at < 0 {
		return Figure{}, false
	}
	return all[at].figure(all, rejects), true
}

// figure draws one series of the claim, with the wrong versions among all series.
func (s series) figure(all []series, rejects func(check, criterion, control string) bool) Figure {
	main := s
	main.pairs = thinned(main.pairs, shownPairs)
	log := main.positive()
	lo, hi := main.ends()
	beyond := 0
	if !log {
		lo, hi = main.bulk()
		shown := slices.DeleteFunc(slices.Clone(main.pairs), func(p compared) bool { return !within(p, lo, hi, false) })
		beyond, main.pairs = len(main.pairs)-len(shown), shown
	}
	obtained := main.curve("claim")
	f := Figure{Kind: figure.Compared, ID: "compared", Title: "Obtained against claimed: " + main.criterion,
		X: Axis{Label: "claimed", Log: log}, Y: Axis{Label: "obtained", Log: log}}
	var wrong []Curve
	for _, s := range all {
		if s.control == "" || s.check != main.check || s.criterion != main.criterion || len(wrong) == 3 ||
			!rejects(s.check, s.criterion, s.control) {
			continue
		}
		pairs := thinned(s.pairs, controlPairs)
		s.pairs = slices.DeleteFunc(slices.Clone(pairs), func(p compared) bool { return !within(p, lo, hi, log) })
		beyond += len(pairs) - len(s.pairs)
		if len(s.pairs) > 0 {
			c := s.curve(s.control)
			c.Of = OfControl
			wrong = append(wrong, c)
		}
	}
	line := []float64{lo, hi}
	f.Curves = append([]Curve{obtained, {Name: lineOf(main.relation()), Style: Dashed, X: line, Y: line}}, wrong...)
	f.Caption = main.caption(wrong, beyond)
	return f
}

// measurements draws measured values against the claimed ones, or against their bounds, where there are several.
func measurements(all []results.Measurement) (Figure, bool) {
	s := series{}
	for _, m := range all {
		if m.Claimed == nil || m.Of != "" {
			continue
		}
		p := compared{float64(m.Value), float64(*m.Claimed), float64(m.Value), float64(m.Value), results.Equal}
		if m.Lo != nil && m.Hi != nil {
			p.Lo, p.Hi = float64(*m.Lo), float64(*m.Hi)
		}
		s.pairs = append(s.pairs, p)
	}
	if len(s.pairs) < 2 {
		return Figure{}, false
	}
	places := make([]float64, len(s.pairs))
	c, claimed := Curve{Name: "measured", Style: Points}, Curve{Name: "claimed", Style: Dashed}
	for i, p := range s.pairs {
		places[i] = float64(i + 1)
		c.Y, c.Lo, c.Hi = append(c.Y, p.Got), append(c.Lo, p.Lo), append(c.Hi, p.Hi)
		claimed.X = append(claimed.X, places[i]-0.4, places[i]+0.4, math.NaN())
		claimed.Y = append(claimed.Y, p.Want, p.Want, math.NaN())
	}
	c.X = places
	return Figure{Kind: figure.Compared, ID: "measured", Title: "Measured against claimed",
		Caption: "The measured values in the order of their table, with their intervals where they have one, and the " +
			"claimed ones, or the bounds on them, as dashes.",
		X: Axis{Label: "number in the table"}, Y: Axis{Label: "value"}, Curves: []Curve{c, claimed}}, true
}

// thinned keeps at most n of the pairs, evenly.
func thinned(pairs []compared, n int) []compared {
	if len(pairs) <= n {
		return pairs
	}
	return list.Fill(n, func(i int) compared { return pairs[i*len(pairs)/n] })
}

// positive reports whether all values are positive and go over two decades: such are drawn on logarithmic axes.
func (s series) positive() bool {
	lo, hi := s.ends()
	return lo > 0 && hi > 100*lo
}

// ends are the smallest and the largest value of either side.
func (s series) ends() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range s.pairs {
		if finite(p.Got, p.Want) {
			lo, hi = min(lo, p.Got, p.Want), max(hi, p.Got, p.Want)
		}
	}
	return lo, hi
}

// bulk are the ends of the middle nine tenths of all values, widened by half of their distance: a few values far away
// would make one point of all others.
func (s series) bulk() (lo, hi float64) {
	var values []float64
	for _, p := range s.pairs {
		values = append(values, p.Got, p.Want)
	}
	lo, hi = quantile(values, 0.05), quantile(values, 0.95)
	first, last := s.ends()
	room := (hi - lo) / 2
	return max(first, lo-room), min(last, hi+room)
}

// within reports whether a point lies between the ends of the axes, or near them.
func within(p compared, lo, hi float64, log bool) bool {
	room := (hi - lo) / 20
	if log {
		room = 0
		lo, hi = lo/10, hi*10
	}
	return min(p.Got, p.Want) >= lo-room && max(p.Got, p.Want) <= hi+room
}

// curve draws pairs as points, with intervals where there are any.
func (s series) curve(name string) Curve {
	c := Curve{Name: name, Style: Points}
	slices.SortStableFunc(s.pairs, func(a, b compared) int { return cmp.Compare(a.Want, b.Want) })
	wide := slices.ContainsFunc(s.pairs, func(p compared) bool { return p.Lo < p.Hi })
	for _, p := range s.pairs {
		c.X, c.Y = append(c.X, p.Want), append(c.Y, p.Got)
		if wide {
			c.Lo, c.Hi = append(c.Lo, p.Lo), append(c.Hi, p.Hi)
		}
	}
	return c
}

func (s series) relation() results.Relation {
	if len(s.pairs) == 0 {
		return results.Equal
	}
	return s.pairs[0].Relation
}

// lineOf names the dashed line.
func lineOf(r results.Relation) string {
	switch r {
	case results.Below:
		return "upper bound"
	case results.Above:
		return "lower bound"
	}
	return "as claimed"
}

func (s series) caption(wrong []Curve, beyond int) string {
	text := fmt.Sprintf("%s, of %d comparisons of the check %q: what was obtained, against what the claim says. ",
		upperFirst(s.criterion), len(s.pairs), s.check)
	switch s.relation() {
	case results.Below:
		text += "The claim holds on the dashed line and below it."
	case results.Above:
		text += "The claim holds on the dashed line and above it."
	default:
		text += "The claim holds on the dashed line; of vectors and matrices the entry is shown in which the two differ " +
			"most."
	}
	if len(wrong) > 0 {
		names := list.Map(wrong, func(c Curve) string { return c.Name })
		text += " Wrong versions, which the criterion rejects: " + strings.Join(names, "; ") + "."
	}
	if beyond > 0 {
		text += fmt.Sprintf(" Beyond the axes lie %d points.", beyond)
	}
	return text
}

// upperFirst writes the first letter as a capital, unless it is a symbol's.
func upperFirst(s string) string {
	if len(s) > 1 && s[0] >= 'a' && s[0] <= 'z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}
