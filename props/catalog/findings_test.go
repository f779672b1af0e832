package catalog_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

// A finding was observed somewhere, and its title says where: at which size.
func TestTitlesOfFindingsNameASize(t *testing.T) {
	size := regexp.MustCompile(`\d`)
	findings := 0
	for _, c := range catalog.All() {
		if s := c.Statement; s.Standing == theory.Finding {
			findings++
			require.Regexp(t, size, s.Title, s.Slug)
			require.Equal(t, theory.Empirical, s.Kind, s.Slug)
		} else {
			require.NotEqual(t, theory.Empirical, s.Kind, s.Slug)
		}
	}
	require.NotZero(t, findings)
}
