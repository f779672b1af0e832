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
	path, err := filepath.Abs("published/experiments/vcl/training/index.html")
	require.NoError(t, err)
	require.Empty(t, inspect(t, b, path, "experiments-"))
}
