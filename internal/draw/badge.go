package draw

import (
	"fmt"
	"unicode/utf8"
)

// The grounds of the outcome on a badge: white text has enough contrast on each.
const (
	Passed    = "#2e7d32"
	Broken    = "#c62828"
	Undecided = "#8a6100"
	Unusable  = "#616161"
)

// Badge is an outcome as an SVG for a README: what was judged, and a few words on the ground of a colour.
func Badge(label, words, color string) string {
	const left, height, letter, margin = 82, 20, 6.7, 7.0 // in pixels; of a letter of 11 px, widely
	right := int(letter*float64(utf8.RuneCountInString(words)) + 2*margin)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" role="img" `+
		`aria-label="%[9]s: %[3]s"><title>%[9]s: %[3]s</title><clipPath id="r"><rect width="%[1]d" height="%[2]d" `+
		`rx="3"/></clipPath><g clip-path="url(#r)"><rect width="%[4]d" height="%[2]d" fill="#444"/><rect x="%[4]d" `+
		`width="%[5]d" height="%[2]d" fill="%[6]s"/></g><g fill="#fff" text-anchor="middle" font-size="11" `+
		`font-family="Verdana,DejaVu Sans,sans-serif"><text x="%[7]d" y="14">%[9]s</text><text x="%[8]d" y="14">%[3]s`+
		"</text></g></svg>\n", left+right, height, escaped(words), left, right, color, left/2, left+right/2, escaped(label))
}
