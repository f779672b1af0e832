package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/catalog"
)

// Every claim can be compared with numbers of a user, or says in a sentence why not.
func TestEveryClaimIsCertifiedOrSaysWhyNot(t *testing.T) {
	byInstance, byTable, neither := 0, 0, 0
	for _, c := range catalog.All() {
		instances, tables := c.Certifiable()
		if why := c.Uncertifiable(); len(instances)+len(tables) == 0 {
			require.Equal(t, 1, strings.Count(why, "."), c.Statement.Slug)
			_, err := c.Certify("", "table.csv")
			require.ErrorContains(t, err, why)
			neither++
			continue
		} else {
			require.Empty(t, why)
		}
		if len(instances) > 0 {
			byInstance++
		} else {
			byTable++
		}
		for _, check := range append(instances, tables...) {
			require.NotEmpty(t, c.Arrays(check), "%s: %s", c.Statement.Slug, check)
		}
	}
	t.Logf("%d claims by an instance, %d by a table alone, %d not at all", byInstance, byTable, neither)
	require.Greater(t, byInstance, 30)
	require.Greater(t, byTable, 20)
}
