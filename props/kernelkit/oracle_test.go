package kernelkit_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOraclesAreIndependent: no kernel computes with the arithmetic of what checks it.
func TestOraclesAreIndependent(t *testing.T) {
	read := 0
	require.NoError(t, fs.WalkDir(os.DirFS("../.."), "impl", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "../../"+file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		read++
		for _, spec := range parsed.Imports {
			require.NotContains(t, spec.Path.Value, "internal/doubledouble", file)
		}
		return nil
	}))
	require.Positive(t, read)
}
