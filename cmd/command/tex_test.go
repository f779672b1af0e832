package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports/mathml"
	"github.com/thm-suite/thm/props/catalog"
)

// The formula of every statement is in the subset of LaTeX that a report can show. The gates in props/catalog cannot
// ask for it, because props comes before reports.
func TestFormulasConvert(t *testing.T) {
	for _, c := range catalog.All() {
		s := c.Statement
		_, err := mathml.Convert(s.TeX)
		assert.NoError(t, err, "%s: %s", s.Slug, s.TeX)
	}
	_, err := mathml.Convert(`\frac{1}{`) // the check can fail
	require.Error(t, err)
}
