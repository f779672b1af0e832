package runs

import (
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// Row returns the row of a claim, or nil.
func Row(r *results.Results, slug string) *results.Claim {
	i := slices.IndexFunc(r.Claims, func(row results.Claim) bool { return row.ID == slug })
	if i < 0 {
		return nil
	}
	return &r.Claims[i]
}

// Statements returns the statements of claims.
func Statements(claims []props.Claim) []*theory.Statement {
	out := make([]*theory.Statement, len(claims))
	for i, c := range claims {
		out[i] = c.Statement
	}
	return out
}

// verified returns the statements of the rows. A row that is unknown to this program has none.
func verified(r *results.Results, claims []props.Claim) []*theory.Statement {
	var out []*theory.Statement
	for _, s := range Statements(claims) {
		if Row(r, s.Slug) != nil {
			out = append(out, s)
		}
	}
	return out
}

// ids lists the slugs of the rows.
func ids(r *results.Results) []string {
	var out []string
	for _, row := range r.Claims {
		out = append(out, row.ID)
	}
	return out
}

// Slugs lists the names of claims.
func Slugs(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		out = append(out, c.Statement.Slug)
	}
	return out
}
