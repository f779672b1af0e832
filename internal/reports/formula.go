package reports

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"
)

// piece is a stretch of a claim: words, or a formula that takes the place of the same formula in words.
type piece struct {
	Text string
	Math template.HTML
	Stop string // the punctuation after a formula
}

// woven is a claim in the order of reading: paragraphs of words and of the formulas that the words spell out, and after
// them the formulas that they do not.
type woven struct {
	Paragraphs [][]piece
	Rest       []template.HTML
}

// weave puts each typeset formula where the text of the claim has it in plain characters, so that no reader meets the
// same formula twice. A formula that the text does not have is kept for the end.
func weave(claim []string, formulas []template.HTML) woven {
	var out woven
	for _, text := range claim {
		out.Paragraphs = append(out.Paragraphs, []piece{{Text: text}})
	}
	for _, f := range formulas {
		if !out.place(f) {
			out.Rest = append(out.Rest, f)
		}
	}
	return out
}

// place puts a formula in the place of its best match among the words.
func (w *woven) place(typeset template.HTML) bool {
	formula := string(typeset)
	key, _ := spelled(plain(formula))
	for i, paragraph := range w.Paragraphs {
		for k, p := range paragraph {
			start, end, ok := find(p.Text, key)
			if !ok {
				continue
			}
			if bars := strings.HasPrefix(plain(formula), "|"); bars && strings.HasSuffix(p.Text[:start], "|") {
				start--
			}
			formula = lastComma.ReplaceAllString(formula, "$1")
			var pieces []piece
			pieces = append(pieces, paragraph[:k]...)
			if before := p.Text[:start]; strings.TrimSpace(before) != "" {
				pieces = append(pieces, piece{Text: before})
			}
			after := strings.TrimLeft(p.Text[end:], ",.;:")
			pieces = append(pieces, piece{Math: template.HTML(formula), Stop: p.Text[end : len(p.Text)-len(after)]})
			if strings.TrimSpace(after) != "" {
				pieces = append(pieces, piece{Text: after})
			}
			w.Paragraphs[i] = append(pieces, paragraph[k+1:]...)
			return true
		}
	}
	return false
}

var (
	annotation = regexp.MustCompile(`(?s)<annotation.*?</annotation>`)
	markup     = regexp.MustCompile(`<[^>]*>`)
	lastComma  = regexp.MustCompile(`<mo[^>]*>,</mo>(</mrow><annotation)`)
)

// plain is the text of a formula.
func plain(formula string) string {
	return html.UnescapeString(markup.ReplaceAllString(annotation.ReplaceAllString(formula, ""), ""))
}

// pieces cuts the elements of a formula apart.
func pieces(formula string) []template.HTML {
	const end = "</math>"
	var out []template.HTML
	for element := range strings.SplitSeq(formula, end) {
		if element != "" {
			out = append(out, template.HTML(element+end))
		}
	}
	return out
}

// bases are the letters that raised and lowered characters, and variants of one sign, stand for.
var bases = strings.NewReplacer("ᵀ", "T", "⊤", "T", "⁺", "+", "₊", "+", "⁻", "-", "₋", "-", "−", "-", "₀", "0",
	"₁", "1", "₂", "2", "₃", "3", "₄", "4", "₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9",
	"⁰", "0", "¹", "1", "²", "2", "³", "3",
	"⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "ᵢ", "i", "ⱼ", "j", "ₖ", "k", "ₗ", "l", "ₘ", "m", "ₙ", "n",
	"ₛ", "s", "ₜ", "t", "ₓ", "x", "ₐ", "a", "ₑ", "e", "ₒ", "o", "ₚ", "p", "ᵣ", "r", "ᵤ", "u", "ᵥ", "v", "ⁿ", "n", "ᵏ", "k",
	"ᵖ", "p", "ᵈ", "d", "ᵐ", "m", "ʲ", "j", "ⁱ", "i", "ᵗ", "t", "ˡ", "l", "∑", "Σ", "∏", "Π", "½", "12", "¼", "14", "⅓",
	"13", "ϵ", "ε", "ϕ", "φ", "𝔼", "E", "ℙ", "P", "ℝ", "R", "⋆", "*", "★", "*", "′", "'", "∥", "‖", "∣", "|", "⟶", "→",
	"⩽", "≤", "⩾", "≥", "Ḡ", "G", "Δ", "Δ", "ℓ", "l")

// silent are signs of a formula in plain characters that have none of their own when it is typeset, or the other way
// round.
const silent = "()[]{}^_/·⋅.,:;√|×*#˜ˆ¯˙\u2061\u2062\u2063"

// spelled reduces a text to what a formula and its spelling in plain characters have in common, and says at which byte
// of the text each rune of that stands.
func spelled(text string) (key []rune, at []int) {
	for i, r := range text {
		if unicode.IsSpace(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(silent, r) {
			continue
		}
		for _, b := range bases.Replace(string(r)) {
			key, at = append(key, b), append(at, i)
		}
	}
	return key, at
}

// The costs of differences between a formula and its spelling. What only the formula has, such as the limits of a sum,
// is cheap; words that the formula would swallow are dear.
const (
	costFormula = 1
	costChanged = 3
	costWords   = 5
	shortest    = 4   // runes of a formula that is looked for
	tolerated   = 0.2 // cost per rune of the formula
)

// find returns where in a text a formula is spelled out, brackets included.
func find(text string, key []rune) (start, end int, ok bool) {
	words, at := spelled(text)
	if len(key) < shortest || len(words) == 0 {
		return 0, 0, false
	}
	cost, from := align(words, key)
	best := 0
	for j := range cost {
		if cost[j] < cost[best] {
			best = j
		}
	}
	if float64(cost[best]) > tolerated*float64(len(key)) || best == from[best] ||
		words[from[best]] != key[0] || words[best-1] != key[len(key)-1] {
		return 0, 0, false
	}
	start, end = at[from[best]], len(text)
	if best < len(at) {
		end = at[best]
	}
	start, end = widened(text, start, end)
	return start, end, balanced(text[start:end])
}

// align compares a formula with every stretch of the words. For the stretches that end before word rune j it returns
// the smallest cost and where that stretch begins.
func align(words, key []rune) (cost, from []int) {
	cost, from = make([]int, len(words)+1), make([]int, len(words)+1)
	for j := range from {
		from[j] = j
	}
	for _, k := range key {
		diagonal, diagonalFrom := cost[0], from[0]
		cost[0] += costFormula
		for j, w := range words {
			above, aboveFrom := cost[j+1], from[j+1]
			next, nextFrom := above+costFormula, aboveFrom
			step := diagonal
			if w != k {
				step += costChanged
			}
			if step <= next {
				next, nextFrom = step, diagonalFrom
			}
			if left := cost[j] + costWords; left < next {
				next, nextFrom = left, from[j]
			}
			cost[j+1], from[j+1] = next, nextFrom
			diagonal, diagonalFrom = above, aboveFrom
		}
	}
	return cost, from
}

// widened moves the ends of a stretch over the brackets that belong to it, and lets go of the space and the stop that
// follow.
func widened(text string, start, end int) (int, int) {
	for start > 0 && strings.HasSuffix(text[:start], "(") && !balanced(text[start:end]) {
		start--
	}
	body := strings.TrimRight(text[start:end], " \n.,:;")
	for len(body) > 0 && strings.HasSuffix(body, "(") {
		body = strings.TrimRight(body[:len(body)-1], " \n.,:;")
	}
	return start, start + len(body)
}

// balanced reports whether the round brackets of a text are in pairs.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
