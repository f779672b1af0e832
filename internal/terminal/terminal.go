// Package terminal writes text for people: colours where a terminal has them, lines and tables that fit its width, and
// the progress of a long run.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// IsTerminal reports whether a stream ends at a person.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size is the number of columns and lines of a terminal, and 80×24 where there is none.
func Size(w io.Writer) (columns, lines int) {
	if f, ok := w.(*os.File); ok {
		if c, l, err := term.GetSize(int(f.Fd())); err == nil && c > 0 && l > 0 {
			return c, l
		}
	}
	return 80, 24
}

// Style paints text, or leaves it as it is.
type Style struct{ On bool }

// StyleOf decides on colour: only for a terminal that has it, and never against the user's wish (no-color.org).
func StyleOf(w io.Writer, noColor bool) Style {
	return Style{IsTerminal(w) && !noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Colour is a terminal's code for a colour or weight; empty is none.
type Colour string

// The colours and weights.
const (
	Plain  Colour = ""
	Bold   Colour = "1"
	Faint  Colour = "2"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
)

// Paint sets a text in a colour or weight, which take no room.
func (s Style) Paint(p Colour, text string) string {
	if !s.On || p == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(p) + "m" + text + "\x1b[0m"
}

// Width is the width of a text on a terminal. Marks that combine with the letter before them take no room.
func Width(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// Fit cuts a text to a width, and says so with an ellipsis.
func Fit(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	n := 0
	for i, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
		if n == width {
			return text[:i] + "…"
		}
	}
	return text
}

// Wrap breaks a text into lines of at most width columns between its words. A longer word has a line of its own.
// Line breaks of the text stay.
func Wrap(text string, width int) []string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case Width(line)+1+Width(word) <= width:
				line += " " + word
			default:
				out = append(out, line)
				line = word
			}
		}
		out = append(out, line)
	}
	return out
}
