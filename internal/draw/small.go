package draw

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/props/figure"
)

// The measures of a small figure, in pixels of its viewBox, which a page shows at half the size, and how many points
// of a curve it has at most.
const (
	smallWidth  = 264.0
	smallHeight = 84.0
	smallPoints = 48
)

// Small draws the shape of a figure without axes and words, for a row of a table. Heat maps have none, and give "".
func Small(f figure.Figure) string {
	if heats(f) {
		return ""
	}
	p := &plot{Figure: f}
	p.Curves = nil
	for _, c := range f.Curves {
		p.Curves = append(p.Curves, sparse(c))
	}
	p.series = grouped(p.Curves)
	p.fit()
	p.x.from, p.x.to, p.y.from, p.y.to = 6, smallWidth-6, smallHeight-5, 5
	p.add(`<svg class="small" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, smallWidth, " ", smallHeight,
		`" role="img" fill="currentColor"><title>`, escaped(f.Title), `</title><path fill="none" stroke="`, ink,
		`" stroke-opacity="0.35" d="M1 1V`, smallHeight-1, "H", smallWidth-1, `"></path>`)
	p.layers()
	p.add("</svg>")
	return p.String()
}

// sparse is a curve with fewer points, and without error bars where it has markers.
func sparse(c figure.Curve) figure.Curve {
	if c.Style == figure.Bars {
		return c
	}
	step := int(math.Ceil(float64(len(c.X)) / smallPoints))
	every := func(list []float64) []float64 {
		if step < 2 {
			return list
		}
		var out []float64
		for part := range slices.Chunk(list, step) {
			out = append(out, part[0])
		}
		return out
	}
	c.X, c.Y, c.Lo, c.Hi = every(c.X), every(c.Y), every(c.Lo), every(c.Hi)
	if c.Style == figure.Points {
		c.Lo, c.Hi = nil, nil
	}
	return c
}
