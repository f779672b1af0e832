package reports

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports/mathml"
	"github.com/thm-suite/thm/theory"
)

// wovenText returns a claim with its formulas in brackets, as TeX.
func wovenText(t *testing.T, claim theory.Text, tex string) (text string, rest int) {
	t.Helper()
	formula, err := mathml.Convert(tex)
	require.NoError(t, err)
	w := weave(claim, pieces(formula))
	var out strings.Builder
	for _, paragraph := range w.Paragraphs {
		for _, p := range paragraph {
			out.WriteString(p.Text)
			if p.Math != "" {
				_, source, _ := strings.Cut(string(p.Math), `<annotation encoding="application/x-tex">`)
				source, _, _ = strings.Cut(source, "</annotation>")
				require.NotContains(t, string(p.Math), ",</mo></mrow><annotation")
				out.WriteString("⟦" + source + "⟧" + p.Stop)
			}
		}
	}
	return out.String(), len(w.Rest)
}

// A typeset formula replaces the place marked for it, punctuation stays behind it, and nothing else is lost.
func TestWeave(t *testing.T) {
	for _, c := range []struct {
		claim     theory.Text
		tex, want string
		rest      int
	}{
		{"$W⁺ = G$, exactly.", `W_+ = G`, "⟦W_+ = G⟧, exactly.", 0},
		{"In the limit $λ/2 → μ²$ it holds.", `\lambda`, "In the limit ⟦\\lambda⟧ it holds.", 0},
		{"$a = b$, and so $d = e$.", `a = b, \quad d = e`, "⟦a = b,⟧, and so ⟦d = e⟧.", 0},
		{"The error falls.", `x \le C`, "The error falls.", 1},
		{"Of two $a = b$.", `a = b, \quad d = e`, "Of two ⟦a = b,⟧.", 1},
		{"$a = b$ and $c = d$.", `a = b`, "⟦a = b⟧ and c = d.", 0},
		{"$", `a = b`, "⟦a = b⟧", 0},
		{"", `a = b`, "", 1},
	} {
		text, rest := wovenText(t, c.claim, c.tex)
		require.Equal(t, c.want, strings.ReplaceAll(text, `, \quad`, ","))
		require.Equal(t, c.rest, rest, c.claim)
	}
}
