package reports

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports/mathml"
)

// wovenText is a claim with its formulas in brackets.
func wovenText(t *testing.T, claim, tex string) (text string, rest int) {
	t.Helper()
	formula, err := mathml.Convert(tex)
	require.NoError(t, err)
	w := weave(paragraphs(claim), pieces(formula))
	var out strings.Builder
	for _, paragraph := range w.Paragraphs {
		for _, p := range paragraph {
			out.WriteString(p.Text)
			if p.Math != "" {
				out.WriteString("⟦" + plain(string(p.Math)) + "⟧" + p.Stop)
			}
		}
	}
	return out.String(), len(w.Rest)
}

// A typeset formula takes the place of its spelling, brackets and stops included, and nothing else is lost.
func TestWeave(t *testing.T) {
	for _, c := range []struct {
		claim, tex, want string
		rest             int
	}{
		{"W⁺ᵀW⁺ = G, exactly.", `W_+^{\top} W_+ = G`, "⟦W+⊤W+=G⟧, exactly.", 0},
		{"In the limit (λ₁ + λ₂)/2 → μ² holds.", `\frac{\lambda_1 + \lambda_2}{2} \to \mu^2`,
			"In the limit ⟦λ1+λ22→μ2⟧ holds.", 0},
		{"A sum: Σᵢ xᵢyᵢzᵢuᵢvᵢ = s.", `\sum_{i=1}^{n} x_i y_i z_i u_i v_i = s`, "A sum: ⟦∑i=1nxiyiziuivi=s⟧.", 0},
		{"a + b = c, and so d + e = f.", `a + b = c, \quad d + e = f`, "⟦a+b=c⟧, and so ⟦d+e=f⟧.", 0},
		{"The error falls.", `\lVert x \rVert \le C \eta^2`, "The error falls.", 1},
		{"x = y + w unless z.", `x = y + z`, "x = y + w unless z.", 1},
		{"|a + b| ≤ c always.", `|a + b| \le c`, "⟦|a+b|≤c⟧ always.", 0},
	} {
		text, rest := wovenText(t, c.claim, c.tex)
		require.Equal(t, c.want, text)
		require.Equal(t, c.rest, rest, c.claim)
	}
}

func TestWeaveAnyText(t *testing.T) {
	for _, claim := range []string{"", "(", ")(((", "a", "=", "((((a = b))))", strings.Repeat("a = b ", 50)} {
		for _, tex := range []string{`a = b`, `\left( a = b \right)`, `x`, `\sum_{i} a_i b_i = c`} {
			text, _ := wovenText(t, claim, tex)
			require.GreaterOrEqual(t, len(text), len(strings.TrimSpace(claim))-12)
		}
	}
}
