package documents

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestFolders(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	module := fstest.MapFS{
		"impl/b/b.go":             file("// Package b multiplies [Matrix] values. It does more.\npackage b\n"),
		"impl/b/c.go":             file("package b\n"),
		"internal/impl/a/a.go":    file("// Package a adds.\npackage a\n"),
		"internal/a/a_test.go":    file("package a\n"),
		"impl/b/testdata/d/d.go":  file("package d\n"),
		"reports/published/x.go":  file("package x\n"),
		".hidden/x.go":            file("package x\n"),
		"cmd/thm/main.go":         file("// Command thm verifies.\npackage main\n"),
		"reports/published/x.txt": file(""),
	}
	all, err := folders(module)
	require.NoError(t, err)
	require.Equal(t, []folder{{"cmd/thm", "cmd", "verifies"}, {"impl/b", "impl", "multiplies Matrix values"},
		{"internal/impl/a", "impl", "adds"}}, all)
	require.Equal(t, []string{"a", "b"}, folderNames(all, "impl"))

	module["impl/b/b.go"] = module["impl/b/c.go"]
	_, err = folders(module)
	require.EqualError(t, err, "impl/b: no package comment")
	module["impl/b/b.go"] = file("no Go")
	_, err = folders(module)
	require.Error(t, err)
}
