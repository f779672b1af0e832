package runs

import (
	"slices"

	"github.com/thm-suite/thm/internal/list"
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
	return list.Map(claims, func(c props.Claim) *theory.Statement { return c.Statement })
}

// verified returns the statements of the rows. A row that is unknown to this program has none.
func verified(r *results.Results, claims []props.Claim) []*theory.Statement {
	return list.Where(Statements(claims), func(s *theory.Statement) bool { return Row(r, s.Slug) != nil })
}

// ids lists the slugs of the rows.
func ids(r *results.Results) []string {
	return list.Map(r.Claims, func(row results.Claim) string { return row.ID })
}

// Slugs lists the names of claims.
func Slugs(claims []props.Claim) []string {
	return list.Map(claims, func(c props.Claim) string { return c.Statement.Slug })
}
