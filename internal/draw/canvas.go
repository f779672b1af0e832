package draw

import (
	"html"
	"math"
	"strconv"
	"strings"
)

// canvas collects the elements of one drawing.
type canvas struct{ strings.Builder }

// add writes fragments of SVG; numbers become coordinates.
func (c *canvas) add(parts ...any) {
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			c.WriteString(v)
		case float64:
			c.WriteString(coordinate(v))
		case int:
			c.WriteString(strconv.Itoa(v))
		default:
			panic("figure: a drawing is made of strings and numbers")
		}
	}
}

// text writes escaped text at a point. Anchor is start, middle or end.
func (c *canvas) text(x, y float64, anchor, class, s string) {
	c.add(`<text class="`, class, `" x="`, x, `" y="`, y, `" text-anchor="`, anchor, `">`, escaped(s), "</text>")
}

// coordinate writes a number with two decimals at most. Rounding makes the bytes independent of the last bits of the
// arithmetic.
func coordinate(x float64) string {
	r := math.Round(x*100) / 100
	if r == 0 {
		r = 0 // not −0
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// escaped makes text safe in SVG. Control characters, which XML does not allow, become U+FFFD.
func escaped(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, s))
}

// colours are the page's series colours with the defaults of a figure that stands alone: Okabe and Ito's palette,
// which readers with any colour vision tell apart, its yellows left out because they vanish on white.
var colours = []string{
	"var(--series-1,#0072b2)", "var(--series-2,#d55e00)", "var(--series-3,#009e73)",
	"var(--series-4,#cc79a7)", "var(--series-5,#56b4e9)", "var(--series-6,#e69f00)",
}

// brown is a third warm colour, for predictions.
const brown = "var(--series-7,#7a3e1d)"

// ink is the colour of axes and of a single prediction.
const ink = "currentColor"

// marker returns a path for marker number shape at (x, y) with radius r. Shapes differ so that series are told apart
// without colour.
func marker(shape int, x, y, r float64) string {
	c := coordinate
	switch shape % 5 {
	case 1: // square
		s := 0.88 * r
		return "M" + c(x-s) + " " + c(y-s) + "h" + c(2*s) + "v" + c(2*s) + "h" + c(-2*s) + "z"
	case 2: // diamond
		s := 1.25 * r
		return "M" + c(x) + " " + c(y-s) + "l" + c(s) + " " + c(s) + "l" + c(-s) + " " + c(s) + "l" + c(-s) + " " +
			c(-s) + "z"
	case 3: // triangle
		s := 1.15 * r
		return "M" + c(x) + " " + c(y-s) + "l" + c(s) + " " + c(1.8*s) + "h" + c(-2*s) + "z"
	case 4: // triangle, point down
		s := 1.15 * r
		return "M" + c(x) + " " + c(y+s) + "l" + c(s) + " " + c(-1.8*s) + "h" + c(-2*s) + "z"
	}
	return "M" + c(x-r) + " " + c(y) + "a" + c(r) + " " + c(r) + " 0 1 0 " + c(2*r) + " 0a" + c(r) + " " +
		c(r) + " 0 1 0 " + c(-2*r) + " 0z"
}
