package mathml

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// body converts a formula and strips what every result has in common.
func body(t *testing.T, tex string) string {
	t.Helper()
	out, err := Convert(tex)
	require.NoError(t, err, tex)
	require.Equal(t, 1, strings.Count(out, "<math "), tex)
	out = strings.TrimPrefix(out, `<math display="block"><semantics><mrow>`)
	out, _, _ = strings.Cut(out, "</mrow><annotation")
	return out
}

func TestPieces(t *testing.T) {
	out, err := Convert(`a = b, \quad {c \quad d} \qquad`)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "<math "))
	require.Contains(t, out, ">a = b,</annotation>")
	require.Contains(t, out, `<mi>c</mi><mspace width="1em"></mspace><mi>d</mi>`)
}

func TestConvert(t *testing.T) {
	for tex, want := range map[string]string{
		`x`:             `<mi>x</mi>`,
		`a b`:           `<mi>a</mi><mi>b</mi>`,
		`12.5`:          `<mn>12.5</mn>`,
		`12.`:           `<mn>12</mn><mo>.</mo>`,
		`x_i`:           `<msub><mi>x</mi><mi>i</mi></msub>`,
		`x_i^2`:         `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`x^2_i`:         `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`x^{10}`:        `<msup><mi>x</mi><mn>10</mn></msup>`,
		`x^10`:          `<msup><mi>x</mi><mn>1</mn></msup><mn>0</mn>`,
		`f'`:            `<msup><mi>f</mi><mo>′</mo></msup>`,
		`f''^2`:         `<msup><mi>f</mi><mrow><mo>′′</mo><mn>2</mn></mrow></msup>`,
		`\frac12`:       `<mfrac><mn>1</mn><mn>2</mn></mfrac>`,
		`\frac{a+b}{2}`: `<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>`,
		`\binom nk`: `<mrow><mo>(</mo><mfrac ` +
			`linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>`,
		`\sqrt{2}`:  `<msqrt><mn>2</mn></msqrt>`,
		`\sqrt[3]x`: `<mroot><mi>x</mi><mrow><mn>3</mn></mrow></mroot>`,
		`-x`:        `<mo form="prefix">−</mo><mi>x</mi>`,
		`a-b`:       `<mi>a</mi><mo>−</mo><mi>b</mi>`,
		`a=-b`:      `<mi>a</mi><mo>=</mo><mo form="prefix">−</mo><mi>b</mi>`,
		`(-1)`: `<mo form="prefix" stretchy="false">(</mo><mo form="prefix">−</mo><mn>1</mn><mo ` +
			`form="postfix" stretchy="false">)</mo>`,
		`a \le b`:             `<mi>a</mi><mo>≤</mo><mi>b</mi>`,
		`a<b`:                 `<mi>a</mi><mo>&lt;</mo><mi>b</mi>`,
		`\alpha\beta`:         `<mi>α</mi><mi>β</mi>`,
		`\Gamma`:              `<mi mathvariant="normal">Γ</mi>`,
		`\mathbb{R}^d`:        `<msup><mrow><mi>ℝ</mi></mrow><mi>d</mi></msup>`,
		`\mathbb E`:           `<mi>𝔼</mi>`,
		`\mathbf{W}`:          `<mrow><mi>𝐖</mi></mrow>`,
		`\mathbf\beta`:        `<mi>𝛃</mi>`,
		`\mathcal{N}`:         `<mrow><mi>𝒩</mi></mrow>`,
		`\mathcal L`:          `<mi>ℒ</mi>`,
		`\mathrm{d}x`:         `<mi mathvariant="normal">d</mi><mi>x</mi>`,
		`\mathrm{op}`:         `<mi>op</mi>`,
		`\operatorname{tr} A`: `<mi>tr</mi><mspace width="0.167em"></mspace><mi>A</mi>`,
		`\operatorname{tr}(A)`: `<mi>tr</mi><mo form="prefix" stretchy="false">(</mo><mi>A</mi><mo form="postfix" ` +
			`stretchy="false">)</mo>`,
		`\log x`:       `<mi>log</mi><mspace width="0.167em"></mspace><mi>x</mi>`,
		`\cos^2\theta`: `<msup><mi>cos</mi><mn>2</mn></msup><mspace width="0.167em"></mspace><mi>θ</mi>`,
		`\operatorname{argmin}_x`: `<munder><mo movablelimits="true" lspace="0.167em" rspace="0">arg ` +
			`min</mo><mi>x</mi></munder>`,
		`\text{if } x`: "<mtext>if\u00a0</mtext><mi>x</mi>",
		`\hat\beta`:    `<mover accent="true"><mi>β</mi><mo stretchy="false">ˆ</mo></mover>`,
		`\widehat{AB}`: `<mover accent="true"><mrow><mi>A</mi><mi>B</mi></mrow><mo ` +
			`stretchy="true">ˆ</mo></mover>`,
		`\overline{x}`: `<mrow style="border-top:0.06em solid;padding-top:0.1em"><mi>x</mi></mrow>`,
		`\sum_{i=1}^n`: `<munderover><mo ` +
			`movablelimits="true">∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>`,
		`\int_0^1`: `<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>`,
		`\lim_{n\to\infty}a`: `<munder><mo movablelimits="true" lspace="0.167em" ` +
			`rspace="0">lim</mo><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder><mspace width="0.167em"></mspace><mi>a</mi>`,
		`\left(x\right)`: `<mrow><mo form="prefix" fence="true" stretchy="true" ` +
			`symmetric="true">(</mo><mi>x</mi><mo form="postfix" fence="true" stretchy="true" symmetric="true">)</mo></mrow>`,
		`\left.x\right|`: `<mrow><mi>x</mi><mo form="postfix" fence="true" stretchy="true" ` +
			`symmetric="true">|</mo></mrow>`,
		`\|x\|`: `<mo stretchy="false" lspace="0" rspace="0">‖</mo><mi>x</mi><mo stretchy="false" ` +
			`lspace="0" rspace="0">‖</mo>`,
		`\lVert x\rVert`: `<mo form="prefix" stretchy="false">‖</mo><mi>x</mi><mo form="postfix" ` +
			`stretchy="false">‖</mo>`,
		`a\,b`: `<mi>a</mi><mspace width="0.167em"></mspace><mi>b</mi>`,
		`\begin{matrix}a&b\end{matrix}`: `<mrow><mtable><mtr><mtd><mrow><mi>a</mi></mrow></mtd>` +
			`<mtd><mrow><mi>b</mi></mrow></mtd></mtr></mtable></mrow>`,
		`\begin{pmatrix}a\\b\\\end{pmatrix}`: `<mrow><mo>(</mo><mtable><mtr><mtd><mrow><mi>a</mi></mrow></mtd></mtr>` +
			`<mtr><mtd><mrow><mi>b</mi></mrow></mtd></mtr></mtable><mo>)</mo></mrow>`,
		`\begin{cases}a\end{cases}`: `<mrow><mo>{</mo><mtable><mtr><mtd ` +
			`style="text-align:left"><mrow><mi>a</mi></mrow></mtd></mtr></mtable></mrow>`,
	} {
		require.Equal(t, want, body(t, tex), tex)
	}
}

func TestTheSourceIsKept(t *testing.T) {
	out, err := Convert(`a<b`)
	require.NoError(t, err)
	require.Contains(t, out, `<annotation encoding="application/x-tex">a&lt;b</annotation>`)
}

// TestRefused lists formulas outside the subset, with the errors.
func TestRefused(t *testing.T) {
	for tex, want := range map[string]string{
		`a + \foo`:                       `mathml: unknown command \foo at character 5`,
		`β \foo`:                         `mathml: unknown command \foo at character 3`,
		`{a`:                             `mathml: expected }, found the end at character 3`,
		`a}`:                             `mathml: unexpected } at character 2`,
		`\frac{a}`:                       `mathml: expected an argument, found the end at character 9`,
		`x^`:                             `mathml: expected an argument, found the end at character 3`,
		`x^^2`:                           `mathml: expected an argument, found ^ at character 3`,
		`x_1_2`:                          `mathml: a second _ at character 4`,
		`\left(x`:                        `mathml: expected \right, found the end at character 8`,
		`\left x`:                        `mathml: expected a fence, found x at character 7`,
		`x\right)`:                       `mathml: unexpected \right at character 2`,
		`\begin{matrix}a\end{pmatrix}`:   `mathml: environment matrix ends as pmatrix at character 29`,
		`\begin{tikz}\end{tikz}`:         `mathml: unknown environment tikz at character 13`,
		`\begin{matrix}a`:                `mathml: expected \end, found the end at character 16`,
		`a & b`:                          `mathml: unexpected & at character 3`,
		`\text{a`:                        `mathml: a brace is not closed at character 7`,
		`\text{$x$}`:                     `mathml: no commands or braces inside text; found $ at character 7`,
		`\mathbb{+}`:                     `mathml: no letter + in \mathbb at character 9`,
		`x $ y`:                          `mathml: no meaning for $ at character 3`,
		`\`:                              `mathml: unknown command \ at character 1`,
		"\xff":                           `mathml: the formula is not valid UTF-8`,
		strings.Repeat("{", deepest+1):   `mathml: nested deeper than 100 at character 101`,
		`\sqrt[\foo]{x}`:                 `mathml: the index of the root is not a formula at character 7`,
		`\sqrt[3{x}`:                     `mathml: a bracket is not closed at character 7`,
		`\operatorname tr`:               `mathml: expected {, found t at character 15`,
		`\begin{matrix}a\\b&\end{matrix`: `mathml: a brace is not closed at character 25`,
	} {
		_, err := Convert(tex)
		require.EqualError(t, err, want, tex)
	}
}

// wellFormed returns an error unless s is one XML element.
func wellFormed(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestWellFormedCanFail checks that the oracle of the fuzz target notices a broken result.
func TestWellFormedCanFail(t *testing.T) {
	require.Error(t, wellFormed("<mi>a</mo>"))
	require.Error(t, wellFormed("<mi>a<b</mi>"))
	require.Error(t, wellFormed("<mi>"))
}

func TestEverySymbolConverts(t *testing.T) {
	for _, names := range []map[string]string{identifiers, operators, big, integrals, limits, opening, closing, bars,
		spaces} {
		for name := range names {
			out, err := Convert(`a \` + name + ` b`)
			require.NoError(t, err, name)
			require.NoError(t, wellFormed("<p>"+out+"</p>"), name)
		}
	}
	for name := range accents {
		require.Contains(t, body(t, `\`+name+`{x}`), "<mover", name)
	}
	for name := range alphabets {
		require.NotContains(t, body(t, `\`+name+`{AbZz}`), "A", name)
	}
}

// FuzzConvert asks that any input is either refused or converted to well-formed XML.
func FuzzConvert(f *testing.F) {
	for _, seed := range []string{`x_i^2`, `\left(\frac{a}{b}\right)'`, `\begin{cases}a & b \\ c\end{cases}`,
		`\text{<b>}&amp;`,
		`\mathbf{\beta}`, "\x00", `\sqrt[3]{\hat x}`, `\bigl|`, `f''''^{2}_1`, "\\\u00e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, tex string) {
		out, err := Convert(tex)
		if err != nil {
			require.Empty(t, out)
			return
		}
		require.NoError(t, wellFormed("<p>"+out+"</p>"), "%q", tex)
	})
}
