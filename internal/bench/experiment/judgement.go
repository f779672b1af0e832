package experiment

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Alpha is the level of every interval: of twenty verdicts whose truth lies on the boundary one is expected to be
// wrong.
const Alpha = 0.05

// Judgement holds the conclusions that an experiment draws from its runs. Findings and headlines are stored, the rest
// is drawn again from the runs.
type Judgement struct {
	Findings  []Finding
	Headlines []Finding     // nil for the conjunctions of the findings of each claim and column
	Scope     string        // what the headlines are about
	Setup     []string      // what was run, in paragraphs
	Cover     figure.Figure // of the summary; one without ID is none
	Sections  []Section
}

// Finding is a claim with its evidence: an interval for a quantity, and where that must lie.
type Finding struct {
	Claim    string          `json:"claim"`            // ID of one of the claims
	Row      string          `json:"row,omitempty"`    // where it was tried: data set, network, sizes
	Column   string          `json:"column,omitempty"` // what was tried
	Control  bool            `json:"control,omitempty"`
	Verdict  results.Verdict `json:"verdict"`
	Estimate results.Number  `json:"estimate"`
	Lo       results.Number  `json:"lo"`
	Hi       results.Number  `json:"hi"`
	Bound    results.Number  `json:"bound"`           // what the quantity is compared with
	Upper    bool            `json:"upper,omitempty"` // the quantity must not exceed the bound; else not fall below it
	Slack    float64         `json:"slack,omitempty"` // how far beyond its interval another processor may find it
	Note     string          `json:"note,omitempty"`
}

// AtLeast returns the finding with an interval whose quantity must be at least bound. It holds when the whole interval
// is, and is refuted when all of it is below; an interval that is not one decides nothing, and one of fewer runs than
// were planned is incomplete.
func (f Finding) AtLeast(bound float64, iv stat.Interval, complete bool) Finding {
	f.Upper = false
	return f.judged(bound, iv, iv.Lo >= bound, iv.Hi < bound, complete)
}

// AtMost is [Finding.AtLeast] for a quantity that must not exceed bound.
func (f Finding) AtMost(bound float64, iv stat.Interval, complete bool) Finding {
	f.Upper = true
	return f.judged(bound, iv, iv.Hi <= bound, iv.Lo > bound, complete)
}

func (f Finding) judged(bound float64, iv stat.Interval, inside, outside, complete bool) Finding {
	f.Estimate, f.Lo, f.Hi = results.Number(iv.Estimate), results.Number(iv.Lo), results.Number(iv.Hi)
	f.Bound, f.Verdict = results.Number(bound), results.Undecided
	switch {
	case !complete:
		f.Verdict = results.Incomplete
	case iv.Valid() && inside:
		f.Verdict = results.Holds
	case iv.Valid() && outside:
		f.Verdict = results.Refuted
	}
	return f
}

// Conjunctions join the findings of each claim and column over all rows. Where there is one it stays as it is.
func Conjunctions(findings []Finding) []Finding {
	out := []Finding{}
	for _, f := range findings {
		i := slices.IndexFunc(out, func(g Finding) bool { return g.Claim == f.Claim && g.Column == f.Column })
		if i < 0 {
			out = append(out, f)
			continue
		}
		out[i] = Joint(out[i], f)
	}
	return out
}

// Joint is the finding that a claim holds in all rows: the worst of their verdicts. It has no interval.
func Joint(of ...Finding) Finding {
	none := results.Number(math.NaN())
	joint := Finding{Claim: of[0].Claim, Row: everywhere, Column: of[0].Column, Control: of[0].Control,
		Estimate: none, Lo: none, Hi: none, Bound: none, Verdict: of[0].Verdict}
	for _, f := range of[1:] {
		joint.Verdict = results.Worst(joint.Verdict, f.Verdict)
	}
	return joint
}

// everywhere is the row of a conjunction.
const everywhere = "all"

// IsJoint reports whether the finding is a conjunction.
func (f Finding) IsJoint() bool { return f.Row == everywhere }

// Section is a part of a report after the verdicts.
type Section struct {
	Title   string
	Text    string   // a paragraph
	Facts   []string // a list
	Table   *Table
	Figures []figure.Figure
}

// Table has texts in its cells; the first column heads the rows.
type Table struct {
	Columns []string
	Rows    [][]string
}
