package reports

import (
	"html/template"
	"regexp"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
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

// weave puts the typeset formulas, in order, into the marked places of the text, so that no formula appears twice.
// Formulas without a place are kept for the end.
func weave(claim theory.Text, formulas []template.HTML) woven {
	w := woven{Rest: formulas}
	for _, text := range paragraphs(string(claim)) {
		var out []piece
		for i, part := range strings.Split(text, "$") {
			if marked := i%2 == 1; marked && len(w.Rest) > 0 {
				out = append(out, piece{Math: template.HTML(lastComma.ReplaceAllString(string(w.Rest[0]), "$1"))})
				w.Rest = w.Rest[1:]
				continue
			}
			if i > 0 && len(out) > 0 && out[len(out)-1].Math != "" {
				words := strings.TrimLeft(part, ",.;:")
				out[len(out)-1].Stop = part[:len(part)-len(words)]
				part = words
			}
			if strings.TrimSpace(part) != "" {
				out = append(out, piece{Text: part})
			}
		}
		w.Paragraphs = append(w.Paragraphs, out)
	}
	return w
}

// lastComma separates a formula from the next one, which stands elsewhere.
var lastComma = regexp.MustCompile(`<mo[^>]*>,</mo>(</mrow><annotation)`)

// pieces cuts the elements of a formula apart.
func pieces(formula string) []template.HTML {
	const end = "</math>"
	return list.Map(nonempty(strings.Split(formula, end)),
		func(element string) template.HTML { return template.HTML(element + end) })
}
