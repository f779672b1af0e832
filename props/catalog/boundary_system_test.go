//go:build system

package catalog_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
)

// The pairs of ends that TestBoundaries leaves out.
func TestBoundariesOfDearPredictions(t *testing.T) {
	for _, slug := range dear {
		i := slices.IndexFunc(catalog.All(), func(c props.Claim) bool { return c.Statement.Slug == slug })
		require.NotEqual(t, -1, i, slug)
		require.Positive(t, walk(t, catalog.All()[i].Statement, true), slug)
	}
}
