package catalog_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the list of exported names anew")

// An exported name is a promise. The list is compared, so that a new one is a line in a review, and it is short.
func TestExportedNames(t *testing.T) {
	const file = "../../doc/api.txt"
	lines, packages, names, err := exportedNames(module)
	require.NoError(t, err)
	t.Logf("%d packages, %d names", packages, names)
	require.LessOrEqual(t, packages, 41) // two for each of eight sources, and 25
	require.LessOrEqual(t, names, 950)   // 140 of them are claims
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	listed, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(listed), text, "exported names came or went; go test ./props/catalog -run Exported -update")
}

func TestExportedNamesAreFound(t *testing.T) {
	lines, packages, names, err := exportedNames(fstest.MapFS{
		"a/a.go": {Data: []byte(`package a
const One, two = 1, 2
var Three int
type Four[T any] struct{ Five int }
type six struct{}
func (*Four[T]) Seven() {}
func (six) Eight() {}
func Nine() {}
func ten() {}`)},
		"a/a_test.go":         {Data: []byte("package a\nfunc Eleven() {}")},
		"a/internal/b/b.go":   {Data: []byte("package b\nfunc Twelve() {}")},
		"cmd/c/main.go":       {Data: []byte("package main\nfunc Thirteen() {}")},
		"a/testdata/d/d.go":   {Data: []byte("package d\nfunc Fourteen() {}")},
		"a/linux/a_amd64.go":  {Data: []byte("package linux\nfunc Fifteen() {}")},
		"a/linux/a_arm64.go":  {Data: []byte("package linux")},
		"a/linux/notes.md":    {Data: []byte("func Sixteen() {}")},
		"a/empty/empty_it.go": {Data: []byte("package empty")},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"pkg a, const One", "pkg a, func Nine", "pkg a, method (Four) Seven", "pkg a, type Four",
		"pkg a, var Three", "pkg a/linux, func Fifteen"}, lines)
	require.Equal(t, []int{3, 5}, []int{packages, names})
}
