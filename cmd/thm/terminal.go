package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// isTerminal reports whether a stream ends at a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// size is the number of columns and lines of a terminal, and 80×24 where there is none.
func size(w io.Writer) (columns, lines int) {
	if f, ok := w.(*os.File); ok {
		if c, l, err := term.GetSize(int(f.Fd())); err == nil && c > 0 && l > 0 {
			return c, l
		}
	}
	return 80, 24
}

// style paints text, or leaves it as it is.
type style struct{ on bool }

// styleOf decides on colour: only for a terminal that has it, and never against the user's wish (no-color.org).
func styleOf(w io.Writer, noColor bool) style {
	return style{isTerminal(w) && !noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// paint is a terminal's code for a colour or weight; empty is none.
type paint string

const (
	plain  paint = ""
	bold   paint = "1"
	faint  paint = "2"
	red    paint = "31"
	green  paint = "32"
	yellow paint = "33"
)

func (s style) paint(p paint, text string) string {
	if !s.on || p == plain || text == "" {
		return text
	}
	return "\x1b[" + string(p) + "m" + text + "\x1b[0m"
}

// columns is the width of a text on a terminal. Marks that combine with the letter before them take no room.
func columns(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// fit cuts a text to a width, and says so with an ellipsis.
func fit(text string, width int) string {
	if columns(text) <= width {
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

// wrap breaks a text into lines of at most width columns between its words. A longer word has a line of its own.
// Line breaks of the text stay.
func wrap(text string, width int) []string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case columns(line)+1+columns(word) <= width:
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
