package props

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/results"
)

// evidenceOf returns what is to be pinned of a claim and its row.
func evidenceOf(row *results.Claim, c Claim) evidence.Evidence {
	e := evidence.Evidence{Claim: row.ID, NotDrawn: row.NotDrawn}
	for i, k := range c.checks {
		planned := func(e Effort) int { return casesIn(k.plan(e)) }
		e.Planned = append(e.Planned, evidence.Plan{Check: k.name, Quick: planned(Quick), Standard: planned(Standard),
			Deep: planned(Deep), Replicates: k.times(Standard, ""), Cells: k.cellRanges(), Drawn: row.Checks[i].Drawn})
	}
	for _, p := range row.Criteria {
		c := evidence.Criterion{Check: p.Check, Name: p.Name, Form: string(p.Form), Margin: evidence.Rounded(p.Margin),
			Alpha: evidence.Rounded(results.Number(p.Alpha)), Coarse: p.Coarse, Proven: p.Proven, Chosen: p.Chosen}
		for _, r := range p.Regimes {
			x := evidence.Regime{Name: r.Name, Cases: r.Cases, Run: evidence.Rounded(r.Run),
				Median: evidence.Rounded(r.Median), Decile: evidence.Rounded(r.Decile), Allowed: evidence.Rounded(r.Allowed),
				Comparisons: r.Comparisons, MayDecline: r.MayDecline}
			if r.Comparisons == r.Cases {
				x.Comparisons = 0
			}
			if !(x.Allowed > 0) {
				x.Allowed = 0
			}
			if p.Form == results.Equation && r.Cases >= manyCases {
				x.Ratio, x.Same = evidence.Rounded(r.Ratio), r.Same
			}
			c.Regimes = append(c.Regimes, x)
		}
		e.Criteria = append(e.Criteria, c)
	}
	for _, c := range row.Controls {
		x := evidence.Control{Check: c.Check, Name: c.Name, Criterion: c.Criterion, Ratio: evidence.Rounded(c.Ratio),
			Cases: c.Cases,
			Also:  map[string]results.Number{}}
		for name, ratio := range c.RejectedAt {
			if name != c.Criterion {
				x.Also[name] = evidence.Rounded(ratio)
			}
		}
		e.Controls = append(e.Controls, x)
	}
	return e
}

// cellRanges returns the ranges of the cells at every effort.
func (c checker) cellRanges() evidence.Ranges {
	if c.drawn == nil {
		return nil
	}
	out := evidence.Ranges{}
	out.Join(c.drawn(Quick), "")
	for _, e := range []Effort{Standard, Deep} {
		out.Join(c.drawn(e), fmt.Sprintf(" at %s effort", e))
	}
	return out
}

// compareEvidence reads the pinned evidence of a claim and lists what departs from it now. A missing file is a
// complaint.
func compareEvidence(dir string, now evidence.Evidence) []string {
	raw, err := os.ReadFile(evidence.File(dir, now.Claim))
	if errors.Is(err, os.ErrNotExist) {
		return []string{fmt.Sprintf("no evidence is pinned for %s; run its test with -update", now.Claim)}
	}
	var pinned evidence.Evidence
	if err == nil {
		pinned, err = evidence.Parse(raw)
	}
	if err == nil && pinned.Claim != now.Claim {
		err = fmt.Errorf("it is that of %q", pinned.Claim)
	}
	if err != nil {
		return []string{fmt.Sprintf("the pinned evidence of %s cannot be used: %v", now.Claim, err)}
	}
	var out []string
	for _, d := range evidence.Run.Departures(pinned, now) {
		out = append(out, map[bool]string{true: "weaker", false: "other"}[d.Weaker]+" than the pinned evidence: "+d.Text)
	}
	if len(out) > 0 {
		out = append(out, "to pin the evidence as it is now, run this test with -update")
	}
	return out
}

// orphans lists pinned evidence that belongs to no claim.
func orphans(dir string, claims []Claim) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		if !slices.ContainsFunc(claims, func(c Claim) bool { return evidence.File(dir, c.Statement.Slug) == file }) {
			out = append(out, fmt.Sprintf("%s is pinned evidence of no claim", file))
		}
	}
	return out
}
