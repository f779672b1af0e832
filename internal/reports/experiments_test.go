//go:build system

package reports

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExperimentsInBrowser opens the published results of the experiments in Chromium.
func TestExperimentsInBrowser(t *testing.T) {
	b := startBrowser(t)
	pages, err := filepath.Glob("../../reports/published/experiments/*/*/index.html")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		t.Run(filepath.Base(filepath.Dir(page)), func(t *testing.T) {
			path, err := filepath.Abs(page)
			require.NoError(t, err)
			require.Empty(t, inspect(t, b, path, "experiments-"))
		})
	}
}
