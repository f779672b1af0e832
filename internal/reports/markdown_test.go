package reports

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nothing in a Markdown report can speak to the terminal that shows it.
func TestMarkdownHasNoControls(t *testing.T) {
	const text = "a\x1b[31mb\u202e"
	for _, shown := range []string{inline(text), code(text), fenced(text, "text")} {
		require.Contains(t, shown, "001b")
		require.NotContains(t, shown, "\x1b")
		require.NotContains(t, shown, "\u202e")
	}
}
