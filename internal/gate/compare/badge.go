package compare

import (
	"fmt"
	"io"
)

// badge prints the outcome as an SVG for a README: a word on a colour that has enough contrast with white.
func (t *Table) badge(w io.Writer) error {
	const left, height, letter, margin = 82, 20, 6.7, 7.0 // in pixels; of a letter of 11 px, widely
	word := t.Outcome().Name
	color := map[string]string{"pass": "#2e7d32", "regression": "#c62828", "undecided": "#8a6100"}[word]
	if color == "" {
		color = "#616161"
	}
	right := int(letter*float64(len(word)) + 2*margin)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" role="img" `+
		`aria-label="benchmarks: %[3]s"><title>benchmarks: %[3]s</title><clipPath id="r"><rect width="%[1]d" height="%[2]d" `+
		`rx="3"/></clipPath><g clip-path="url(#r)"><rect width="%[4]d" height="%[2]d" fill="#444"/><rect x="%[4]d" `+
		`width="%[5]d" height="%[2]d" fill="%[6]s"/></g><g fill="#fff" text-anchor="middle" font-size="11" `+
		`font-family="Verdana,DejaVu Sans,sans-serif"><text x="%[7]d" y="14">benchmarks</text><text x="%[8]d" y="14">%[3]s`+
		"</text></g></svg>\n", left+right, height, word, left, right, color, left/2, left+right/2)
	return err
}
