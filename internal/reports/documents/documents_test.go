package documents

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory"
)

// Only the text between the markers of a part is replaced; a file without markers is refused, and a whole file may be
// new.
func TestRegenerate(t *testing.T) {
	root := t.TempDir()
	table := func(text string) Part {
		return Part{"doc.md", "t", tableOf(func([]*theory.Statement) string { return text })}
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "doc.md"),
		[]byte("a\n<!-- BEGIN GENERATED: t -->\nold\n<!-- END GENERATED: t -->\nb\n"), 0o666))
	old, text, err := table("new\n").Regenerate(root, nil)
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- BEGIN GENERATED: t -->\nnew\n<!-- END GENERATED: t -->\nb\n", text)
	require.NotEqual(t, old, text)
	old, text, err = table("old\n").Regenerate(root, nil)
	require.NoError(t, err)
	require.Equal(t, old, text)

	other := table("")
	other.name = "u"
	_, _, err = other.Regenerate(root, nil)
	require.ErrorContains(t, err, "around the part that is generated")
	other.File = "absent.md"
	_, _, err = other.Regenerate(root, nil)
	require.ErrorContains(t, err, "run this at the root of the repository or give --root")
	other.name = ""
	old, _, err = other.Regenerate(root, nil)
	require.NoError(t, err)
	require.Empty(t, old)
	other.text = drawn(func(string) (string, error) { return "", errors.New("nothing is measured") })
	_, _, err = other.Regenerate(root, nil)
	require.EqualError(t, err, "nothing is measured")
}

func TestTablesEscape(t *testing.T) {
	all := []*theory.Statement{{Slug: "a/b", Plain: "x | y", Standing: theory.Theorem, Limits: "two\nlines"}}
	require.Contains(t, claimsTable(all), `x \| y`)
	require.Contains(t, limitsTable(all), "| `a/b` | two lines |\n")
	require.Contains(t, sourcesTable(all), "| [`a`](doc/claims.md) | 1 | 1 | 0 | 0 | 0 | x \\| y |\n")
}

// A claim that was renamed must not leave its place empty.
func TestStartShowsClaims(t *testing.T) {
	text, err := os.ReadFile("../../../doc/start.md")
	require.NoError(t, err)
	require.NotContains(t, string(text), "No claim is called")
}
