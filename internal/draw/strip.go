package draw

import (
	"math"
	"slices"
)

// The measures of a strip, in pixels of its viewBox. A strip has one fixed axis, so that all strips of a page can be
// compared: ratios from 10⁻⁴ to 10⁴, with 1 in the middle.
const (
	stripWidth  = 180.0
	stripHeight = 18.0
	stripEdge   = 12.0 // room for marks beyond the axis
	stripPower  = 4.0
)

// Group says what a mark of a strip stands for. Groups differ in shape and colour.
type Group int

// The groups of marks.
const (
	Check   Group = iota // a condition of the claim: left of 1 when it holds
	Control              // a wrong version: right of 1 when it is rejected
	Erratum              // a printed form that is false: right of 1 when it is refuted
)

// shapes are the markers of the groups.
var shapes = []int{Check: 0, Control: 2, Erratum: 1}

// Mark is a ratio on a strip. Lower is its favourable end; it equals Value for a deterministic check.
type Mark struct {
	Group        Group
	Value, Lower float64
	Failed       bool // it keeps its row from passing: it has a ring, and lies above all others
}

// layer orders marks from below to above: what failed lies above the others, and the claim itself above all.
func (m Mark) layer() int {
	switch {
	case !m.Failed:
		return 0
	case m.Group != Check:
		return 1
	}
	return 2
}

var strip = scale{log: true, lo: -stripPower, hi: stripPower, from: stripEdge, to: stripWidth - stripEdge}

// Strip draws ratios as marks around the boundary 1. The description is its text alternative. A ratio beyond the axis
// becomes a triangle at its end, an infinite one the sign ∞, and zero an open circle.
func Strip(marks []Mark, description string) string {
	var c canvas
	mid := stripHeight / 2
	c.add(`<svg class="strip" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, stripWidth, " ", stripHeight,
		`" role="img" fill="currentColor"><title>`,
		escaped(description), "</title>")
	c.add(`<path fill="none" stroke="`, ink, `" stroke-opacity="0.3" d="M`, strip.from, " ", mid, "H", strip.to)
	for k := -stripPower; k <= stripPower; k += 2 {
		c.add("M", strip.at(math.Pow(10, k)), " ", mid-2, "v4")
	}
	c.add(`"></path><path fill="none" stroke="`, ink, `" stroke-width="1.4" d="M`, strip.at(1), " 1V", stripHeight-1,
		`"></path>`)
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b Mark) int { return a.layer() - b.layer() })
	for _, m := range marks {
		c.mark(m, mid)
	}
	c.add("</svg>")
	return c.String()
}

// mark draws one ratio, with the interval from its floor to its value behind it.
func (c *canvas) mark(m Mark, y float64) {
	colour := colours[m.Group]
	c.add(`<g style="fill:`, colour, ";stroke:", colour, `">`)
	defer c.add("</g>")
	low, high := math.Pow(10, -stripPower), math.Pow(10, stripPower)
	if m.Failed {
		c.add(`<circle style="fill:none;stroke:var(--refuted,#9c1f12)" stroke-width="1.8" cx="`, m.centre(), `" cy="`, y,
			`" r="7"></circle>`)
	}
	if m.Lower < m.Value {
		c.add(`<path fill="none" stroke-width="2" stroke-opacity="0.5" d="M`, strip.clamped(m.Lower), " ", y, "H",
			strip.clamped(m.Value), `"></path>`)
	}
	switch v := m.Value; {
	case math.IsNaN(v) || math.IsInf(v, 1):
		c.add(`<path style="fill:none" stroke-width="1.4" d="M`, strip.to+6, " ", y,
			`c1.4-2.6 4.4-2.6 4.4 0s-3 2.6-4.4 0s-4.4-2.6-4.4 0s3 2.6 4.4 0z"></path>`)
	case v > high:
		c.add(`<path stroke="none" d="M`, strip.to+1, " ", y-4, `l7 4l-7 4z"></path>`)
	case v <= 0:
		c.add(`<circle style="fill:none" stroke-width="1.4" cx="`, strip.from-5, `" cy="`, y, `" r="3"></circle>`)
	case v < low:
		c.add(`<path stroke="none" d="M`, strip.from-1, " ", y-4, `l-7 4l7 4z"></path>`)
	default:
		c.add(`<path stroke="none" fill-opacity="0.8" d="`, marker(shapes[m.Group], strip.at(v), y, 3.4), `"></path>`)
	}
}

// centre is where on the strip a mark lies.
func (m Mark) centre() float64 {
	switch v := m.Value; {
	case math.IsNaN(v) || math.IsInf(v, 1):
		return strip.to + 6
	case v > math.Pow(10, stripPower):
		return strip.to + 4
	case v <= 0:
		return strip.from - 5
	case v < math.Pow(10, -stripPower):
		return strip.from - 4
	}
	return strip.at(m.Value)
}

// Key draws the mark of a group for use inside a line of text.
func Key(g Group) string {
	names := []string{"circle", "diamond", "square"}
	var c canvas
	c.add(`<svg class="key" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" role="img"><title>`, names[g],
		`</title><path style="fill:`,
		colours[g], `" d="`, marker(shapes[g], 5, 5, 4), `"></path></svg>`)
	return c.String()
}

// StripAxis draws the axis that all strips share, for the head of their column.
func StripAxis() string {
	var c canvas
	c.add(`<svg class="strip" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, stripWidth,
		` 16" role="img" fill="currentColor" font-size="11" font-family="system-ui,sans-serif"><title>Axis of ratios, `+
			`logarithmic, from `,
		Power(-stripPower), ` to `, Power(stripPower), `</title>`)
	for _, k := range []int{-4, -2, 0, 2, 4} {
		label := Power(k)
		if k == 0 {
			label = "1"
		}
		c.text(strip.at(math.Pow(10, float64(k))), 12, "middle", "tick", label)
	}
	c.add("</svg>")
	return c.String()
}
