package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerated: the assembly of package blas is what this program writes.
func TestGenerated(t *testing.T) {
	committed, err := filepath.Glob("../../*.s")
	require.NoError(t, err)
	written := files()
	require.Len(t, written, len(committed))
	for _, name := range committed {
		text, ok := written[filepath.Base(name)]
		require.True(t, ok, name)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, string(got) == text.String(), "%s is not what go generate writes", name)
	}
}
