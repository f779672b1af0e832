package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// colour is an escape that only chooses a colour or a weight.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Clean replaces what would make a terminal do something, apart from colours, by what it is called.
func Clean(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range colour.FindAllStringIndex(text, -1) {
		out.WriteString(Plainly(text[end:at[0]]) + text[at[0]:at[1]])
		end = at[1]
	}
	return out.String() + Plainly(text[end:])
}

// Plainly is [Clean] for a text without colours.
func Plainly(text string) string {
	if !strings.ContainsFunc(text, commanding) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if commanding(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// commanding reports whether a terminal acts on a character: controls, and marks that turn the direction of writing.
func commanding(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' ||
		'\u2066' <= r && r <= '\u2069'
}

// Name is a name that somebody else has chosen, in one line and without colours: as it is, or quoted.
func Name(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Sprintf("%q", name)
	}
	return name
}
