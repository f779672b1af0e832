//go:build system

package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/catalog"
)

// Scripts of commands that measure, train, or call tools that the go command has to build first.
func TestSystemScripts(t *testing.T) { runScripts(t, "testdata/system") }

// The simulations that TestSimulationsAgreeWithPredictions leaves out.
func TestDearSimulationsAgreeWithPredictions(t *testing.T) {
	for _, slug := range dear {
		c, err := runs.One(catalog.All(), slug)
		require.NoError(t, err)
		agrees(t, c, 16)
	}
}
