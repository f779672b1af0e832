package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n":                "a\tb\n",
		"\x1b[31mred\x1b[0m":    "\x1b[31mred\x1b[0m",
		"\x1b]0;title\x07":      `\u001b]0;title\u0007`,
		"\x1b[2J\x1b[1mbold\r":  `\u001b[2J` + "\x1b[1m" + `bold\u000d`,
		"\u202etxt.exe ‖W‖ ≤ 1": `\u202etxt.exe ‖W‖ ≤ 1`,
	} {
		require.Equal(t, want, Clean(text))
	}
	require.Equal(t, `\u001b[31m`, Plainly("\x1b[31m"))
}

func TestTableWithin(t *testing.T) {
	table := NewTable("claim", "#n", "title")
	table.Add(Text("a/b"), Text("12345"), Text("a title of some length that goes on and on, and on"))
	require.Equal(t, "claim      n  title\na/b    12345  a title of some\n              length that goes\n"+
		"              on and on, and on\n", table.Within(31).Render(Style{}))
	require.Equal(t, table.Render(Style{}), table.Within(80).Render(Style{}))
	require.Equal(t, []string{"abcdef", "gh ij"}, breakWords("abcdefgh ij", 6))
}

func TestName(t *testing.T) {
	require.Equal(t, "dir/größe 1.npz", Name("dir/größe 1.npz"))
	require.Equal(t, `"a\nb\x1b[31m.npz"`, Name("a\nb\x1b[31m.npz"))
}
