package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A test is built by go test from the tree that it runs in, and so knows its commit where there is a repository.
func TestNow(t *testing.T) {
	s := Now()
	require.Len(t, s.Binary, 64)
	require.NotEmpty(t, s.Build)
	if _, ok := git(".", "rev-parse", "HEAD"); ok {
		require.Regexp(t, "^[0-9a-f]{40,64}$", s.Commit)
	}
	_, ok := rootOf("example.org/other")
	require.False(t, ok)
}

func TestSame(t *testing.T) {
	clean := State{Commit: "a", Binary: "1"}
	for _, c := range []struct {
		other State
		same  bool
	}{
		{State{Commit: "a", Binary: "2"}, true},
		{State{Commit: "b", Binary: "2"}, false},
		{State{Commit: "a", Modified: true, Binary: "2"}, false},
		{State{Commit: "a", Modified: true, Binary: "1"}, true},
		{State{}, false},
	} {
		require.Equal(t, c.same, clean.Same(c.other), c.other)
	}
	require.False(t, State{}.Same(State{}), "what is not known is not the same")
	require.Equal(t, "a", clean.Name())
	require.Equal(t, "a with changes, program 2", State{Commit: "a", Modified: true, Binary: "2"}.Name())
	require.Equal(t, "program 1", State{Binary: "1"}.Name())
}

func TestTemporary(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build4255773431/b001/exe/x":                                                      true,
		"/home/a/cache/01/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef-d/thm": true,
		"/home/a/bin/thm": false,
	} {
		require.Equal(t, want, temporary(path), path)
	}
}
