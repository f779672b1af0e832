package runs

import (
	"maps"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Planned is what a run of one claim would do.
type Planned struct {
	Claim   string   `json:"claim"`
	Checks  []string `json:"checks"`
	Cells   int      `json:"cells"`   // units of work, those of the controls included
	Cases   int      `json:"cases"`   // likewise
	Seconds float64  `json:"seconds"` // of processor time, estimated
}

// Estimate says what a run would do and how long it would take: by what an earlier run took, and for a claim that is
// not in there by the table of this program.
func Estimate(claims []props.Claim, e props.Effort, last *results.Results) []Planned {
	table := maps.Clone(costs())
	if last != nil {
		CostsOf(table, last.Claims)
	}
	out := []Planned{}
	for _, c := range claims {
		p := Planned{Claim: c.Statement.Slug, Checks: c.CheckNames()}
		for _, u := range props.Plan([]props.Claim{c}, e, table) {
			p.Cells, p.Cases, p.Seconds = p.Cells+1, p.Cases+u.Cases, p.Seconds+u.Cost
		}
		out = append(out, p)
	}
	return out
}

// SecondsOf is the estimate of each claim.
func SecondsOf(plan []Planned) map[string]float64 {
	out := map[string]float64{}
	for _, p := range plan {
		out[p.Claim] = p.Seconds
	}
	return out
}
