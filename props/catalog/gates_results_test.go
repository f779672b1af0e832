package catalog_test

import (
	"fmt"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// overspent complains when the statistical criteria of a run together may be red, undecided included, more often than
// the whole suite is allowed to be with all claims true.
func overspent(results *results.Results) []string {
	var budget stat.Budget
	for _, c := range results.Claims {
		for _, p := range c.Criteria {
			budget.Charge(fmt.Sprintf("%s: %s / %s", c.ID, p.Check, p.Name), stat.Risk{Refuted: p.Alpha, Undecided: p.Undecided})
		}
	}
	return budget.Overspent()
}

// confused lists the figures of a row whose names occur twice: a report could not tell them apart.
func confused(results *results.Results) []string {
	var out []string
	for _, c := range results.Claims {
		var ids []string
		for _, f := range c.Figures {
			ids = append(ids, f.ID)
		}
		for _, problem := range list.Repeated("figure", ids) {
			out = append(out, c.ID+": "+problem)
		}
	}
	return out
}
