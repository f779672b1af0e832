package draw

import "strings"

// Standalone turns a figure of a page into a file of its own, on a white ground.
func Standalone(svg string) string {
	head, rest, _ := strings.Cut(svg, ">")
	return head + ` style="color:#1b1b1b"><rect x="-10" y="-4" width="110%" height="110%" fill="#fff"></rect>` +
		rest + "\n"
}
