package runs

import (
	"maps"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Planned describes the work of a run on one claim.
type Planned struct {
	Claim   string   `json:"claim"`
	Checks  []string `json:"checks"`
	Cells   int      `json:"cells"`   // units of work, controls included
	Cases   int      `json:"cases"`   // likewise
	Seconds float64  `json:"seconds"` // of processor time, estimated
}

// Estimate returns the plan of a run and its estimated time. A check that is missing from this program's table costs as
// much as in an earlier run, if there is one.
func Estimate(claims []props.Claim, o props.Options, last *results.Results) []Planned {
	table := maps.Clone(Costs())
	if last != nil {
		for _, row := range last.Claims {
			for _, cost := range row.Costs {
				key, rate := props.CostKey(row.ID, cost.Check), cost.Seconds/float64(max(1, cost.Cases))
				if _, known := table[key]; !known {
					table[key] = props.Rate{rate, rate, rate}
				}
			}
		}
	}
	out, place := make([]Planned, len(claims)), map[string]int{}
	for i, c := range claims {
		out[i], place[c.Statement.Slug] = Planned{Claim: c.Statement.Slug, Checks: c.CheckNames()}, i
	}
	for _, u := range props.Plan(claims, o, table) {
		i := place[u.Claim]
		out[i].Cells, out[i].Cases, out[i].Seconds = out[i].Cells+1, out[i].Cases+u.Cases, out[i].Seconds+u.Cost
	}
	return out
}

// SecondsOf returns the estimate of each claim.
func SecondsOf(plan []Planned) map[string]float64 {
	out := map[string]float64{}
	for _, p := range plan {
		out[p.Claim] = p.Seconds
	}
	return out
}
