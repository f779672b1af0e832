package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// The name of a file cannot speak to the terminal.
func TestCertificateQuotesTheFile(t *testing.T) {
	text := Certificate(&props.Certificate{Slug: "some/claim", File: "a\nb\x1b[31m.npz", Verdict: "holds"},
		terminal.Style{})
	require.NotContains(t, text, "\x1b")
	require.True(t, strings.HasPrefix(text, `some/claim: holds on "a\nb\x1b[31m.npz" (float64`), text)
}

// A table of claims keeps to the width of a narrow terminal.
func TestListIsNarrow(t *testing.T) {
	table := terminal.NewTable("claim", "verdict", "what it says")
	table.AddTexts("source/averylongname", "✓ holds", "A sentence of many words, and then of some more words.")
	for _, line := range strings.Split(table.Within(45).Render(terminal.Style{}), "\n") {
		require.LessOrEqual(t, terminal.Width(line), 45)
	}
}
