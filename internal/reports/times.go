package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props/results"
)

// ownShare is the share of the whole time from which on a claim has to say why it takes so long.
const ownShare = 0.04

// timeView is the processor time of a claim.
type timeView struct {
	Slug, Time, Share, Resolution, Dearest, Why string
	Href                                        template.URL
}

// checkTime is the processor time of a check, and the resolution that it buys.
type checkTime struct {
	Check, Cases, Time, PerCase, Resolution string
}

// timesView is the table of times: those above their share, and the rest.
type timesView struct {
	Total       string
	Below       string // how many the rest is
	Large, Rest []timeView
}

// times sorts the claims by the time that they took.
func times(entries []entry, l links) timesView {
	total := 0.0
	var rows []entry
	for _, e := range entries {
		if e.result != nil {
			rows = append(rows, e)
			total += e.result.Seconds
		}
	}
	slices.SortStableFunc(rows, func(a, b entry) int { return cmp.Compare(b.result.Seconds, a.result.Seconds) })
	if len(rows) < 2 { // there is nothing to share
		return timesView{}
	}
	out := timesView{Total: duration(total)}
	for _, e := range rows {
		c := e.result
		view := timeView{Slug: c.ID, Href: l.to(c.ID), Time: duration(c.Seconds), Resolution: finest(c), Dearest: dearest(c)}
		if total > 0 {
			view.Share = percent(c.Seconds / total)
		}
		if c.Seconds > ownShare*total {
			if view.Why = "It gives no reason."; e.statement != nil && e.statement.Cost != "" {
				view.Why = e.statement.Cost
			}
			out.Large = append(out.Large, view)
		} else {
			out.Rest = append(out.Rest, view)
		}
	}
	out.Below = plural(len(out.Rest), "claim", "claims")
	return out
}

// dearest returns the name of the check that takes most of a claim's time.
func dearest(c *results.Claim) string {
	if len(c.Costs) == 0 {
		return ""
	}
	dear := slices.MaxFunc(c.Costs, func(a, b results.Cost) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return fmt.Sprintf("%s (%s)", dear.Check, duration(dear.Seconds))
}

// checkTimes returns the times of a claim by checks, with the coarsest resolution among the criteria of each check.
func checkTimes(c *results.Claim) []checkTime {
	var out []checkTime
	for _, cost := range c.Costs {
		view := checkTime{Check: cost.Check, Cases: whole(cost.Cases), Time: duration(cost.Seconds), PerCase: "–",
			Resolution: "–"}
		if cost.Cases > 0 {
			view.PerCase = draw.Number(1000*cost.Seconds/float64(cost.Cases)) + " ms"
		}
		coarsest := -1.0
		for _, p := range c.Criteria {
			if p.Check == cost.Check && p.Form != results.YesNo {
				coarsest = max(coarsest, float64(p.Resolution))
			}
		}
		if coarsest >= 0 {
			view.Resolution = draw.Number(coarsest)
		}
		out = append(out, view)
	}
	return out
}
