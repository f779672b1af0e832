package experiment

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// Alpha is the level of every interval: of twenty verdicts whose truth lies on the boundary one is expected to be
// wrong.
const Alpha = 0.05

// Judgement is what an experiment makes of its runs. Findings and headlines are stored, the rest is drawn again from
// the runs.
type Judgement struct {
	Findings  []Finding
	Headlines []Finding      // nil for the conjunctions of the findings of each claim and column
	Scope     string         // what the headlines are about
	Setup     []string       // what was run, in paragraphs
	Cover     *figure.Figure // the figure of the summary
	Sections  []Section
}

// Finding is a claim with its evidence: an interval for a quantity, and where that must lie.
type Finding struct {
	Claim    string        `json:"claim"`            // ID of one of the claims
	Row      string        `json:"row,omitempty"`    // where it was tried: data set, network, sizes
	Column   string        `json:"column,omitempty"` // what was tried
	Control  bool          `json:"control,omitempty"`
	Verdict  props.Verdict `json:"verdict"`
	Estimate props.Number  `json:"estimate"`
	Lo       props.Number  `json:"lo"`
	Hi       props.Number  `json:"hi"`
	Bound    props.Number  `json:"bound"`           // what the quantity is compared with
	Upper    bool          `json:"upper,omitempty"` // the quantity must not exceed the bound; else not fall below it
	Slack    float64       `json:"slack,omitempty"` // how far beyond its interval another processor may find it
	Note     string        `json:"note,omitempty"`
}

// AtLeast returns the finding with an interval whose quantity must be at least bound. It holds when the whole interval
// is, and is refuted when all of it is below; an interval that is not one decides nothing, and one of fewer runs than
// were planned is incomplete.
func (f Finding) AtLeast(bound float64, iv stat.Interval, complete bool) Finding {
	f.Estimate, f.Lo, f.Hi = props.Number(iv.Estimate), props.Number(iv.Lo), props.Number(iv.Hi)
	f.Bound, f.Upper = props.Number(bound), false
	f.Verdict = verdict(f, iv.Valid())
	if !complete {
		f.Verdict = props.Incomplete
	}
	return f
}

// AtMost is [Finding.AtLeast] for a quantity that must not exceed bound.
func (f Finding) AtMost(bound float64, iv stat.Interval, complete bool) Finding {
	f = f.AtLeast(bound, iv, complete)
	f.Upper = true
	if complete {
		f.Verdict = verdict(f, iv.Valid())
	}
	return f
}

// verdict compares the interval of a finding with its bound.
func verdict(f Finding, valid bool) props.Verdict {
	inside, outside := f.Lo >= f.Bound, f.Hi < f.Bound
	if f.Upper {
		inside, outside = f.Hi <= f.Bound, f.Lo > f.Bound
	}
	switch {
	case !valid:
		return props.Undecided
	case inside:
		return props.Holds
	case outside:
		return props.Refuted
	}
	return props.Undecided
}

// All is the verdict on a conjunction: refuted by one, and holds when all hold.
func All(verdicts []props.Verdict) props.Verdict {
	for _, v := range []props.Verdict{props.Refuted, props.Incomplete, props.Undecided} {
		for _, w := range verdicts {
			if v == w {
				return v
			}
		}
	}
	return props.Holds
}

// Conjunctions join the findings of each claim and column over all rows. Where there is one it stays as it is.
func Conjunctions(findings []Finding) []Finding {
	out := []Finding{}
	index := map[[2]string]int{}
	verdicts := map[[2]string][]props.Verdict{}
	for _, f := range findings {
		key := [2]string{f.Claim, f.Column}
		i, known := index[key]
		verdicts[key] = append(verdicts[key], f.Verdict)
		if !known {
			index[key] = len(out)
			out = append(out, f)
			continue
		}
		out[i] = Joint(f.Claim, f.Column, f.Control, verdicts[key])
	}
	return out
}

// Joint is the finding that a claim holds in all rows; it has no interval.
func Joint(claim, column string, control bool, verdicts []props.Verdict) Finding {
	none := props.Number(math.NaN())
	return Finding{Claim: claim, Row: everywhere, Column: column, Control: control, Verdict: All(verdicts),
		Estimate: none, Lo: none, Hi: none, Bound: none}
}

// everywhere is the row of a conjunction.
const everywhere = "all"

// IsJoint reports whether the finding is a conjunction.
func (f Finding) IsJoint() bool { return f.Row == everywhere }

// Section is a part of a report after the verdicts.
type Section struct {
	Title    string
	Text     string   // a paragraph
	Facts    []string // a list
	Pictures []Picture
	Table    *Table
	Figures  []figure.Figure
}

// Picture shows Side² values, the smallest dark and the largest bright.
type Picture struct {
	Name, Alt string
	Values    []float64
	Side      int
}

// Table has texts in its cells; the first column heads the rows.
type Table struct {
	Columns []string
	Rows    [][]string
}
