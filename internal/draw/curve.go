package draw

import (
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/figure"
)

// curve draws one curve.
func (p *plot) curve(s series, c figure.Curve) {
	switch c.Style {
	case figure.Points:
		p.points(s, c)
	case figure.Band:
		p.band(s, c)
	case figure.Bars:
		p.bars(s, c)
	default:
		p.line(s, c)
	}
}

// pixel returns where point i of a curve lies; ok is false where it has no place.
func (p *plot) pixel(c figure.Curve, i int) (x, y float64, ok bool) {
	if i >= len(c.X) || i >= len(c.Y) {
		return 0, 0, false
	}
	x, y = p.x.at(c.X[i]), p.y.at(c.Y[i])
	return x, y, !math.IsNaN(x) && !math.IsNaN(y)
}

// line draws straight pieces between neighbours, and a dot for a point without neighbours.
func (p *plot) line(s series, c figure.Curve) {
	var d canvas
	pen := false
	for i := range c.X {
		x, y, ok := p.pixel(c, i)
		switch {
		case ok && pen:
			d.add("L", x, " ", y)
		case ok:
			d.add("M", x, " ", y)
			if _, _, next := p.pixel(c, i+1); !next {
				d.add("h0.01")
			}
		}
		pen = ok
	}
	p.add(`<path fill="none" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"`, dashes(c.Style),
		` style="stroke:`, s.colour(c), `" d="`, d.String(), `"></path>`)
}

// points draws markers, smaller when there are many, and error bars where both ends of an interval are known.
func (p *plot) points(s series, c figure.Curve) {
	radius := 3.4
	if len(c.X) > 80 {
		radius = 2.2
	}
	if len(c.X) > 600 {
		radius = 1.3
	}
	var marks, errorBars canvas
	for i := range c.X {
		x, y, ok := p.pixel(c, i)
		if !ok {
			continue
		}
		marks.add(marker(s.shape, x, y, radius))
		if i < len(c.Lo) && i < len(c.Hi) && !math.IsNaN(c.Lo[i]) && !math.IsNaN(c.Hi[i]) {
			lo, hi := p.y.clamped(c.Lo[i]), p.y.clamped(c.Hi[i])
			errorBars.add("M", x-3, " ", lo, "h6M", x, " ", lo, "V", hi, "M", x-3, " ", hi, "h6")
		}
	}
	if errorBars.Len() > 0 {
		p.add(`<path fill="none" stroke-width="1.3" style="stroke:`, s.colour(c), `" d="`, errorBars.String(), `"></path>`)
	}
	p.add(`<path style="fill:`, s.colour(c), `" d="`, marks.String(), `"></path>`)
}

// band fills the area between Lo and Hi, in one piece for every run of points that have both.
func (p *plot) band(s series, c figure.Curve) {
	var d canvas
	var lower, upper []string
	flush := func() {
		if len(lower) > 0 {
			slices.Reverse(upper)
			d.add("M", strings.Join(lower, "L"), "L", strings.Join(upper, "L"), "z")
		}
		lower, upper = nil, nil
	}
	for i := range min(len(c.X), len(c.Lo), len(c.Hi)) {
		x, lo, hi := p.x.at(c.X[i]), p.y.clamped(c.Lo[i]), p.y.clamped(c.Hi[i])
		if math.IsNaN(x) || math.IsNaN(lo) || math.IsNaN(hi) {
			flush()
			continue
		}
		lower = append(lower, coordinate(x)+" "+coordinate(lo))
		upper = append(upper, coordinate(x)+" "+coordinate(hi))
	}
	flush()
	p.add(`<path fill-opacity="`, opacity[figure.Band], `" style="fill:`, s.colour(c), `" d="`, d.String(), `"></path>`)
}

// bars draws a histogram: X are the left edges and one more for the right end.
func (p *plot) bars(s series, c figure.Curve) {
	var d canvas
	for i := range c.Y {
		if i+1 >= len(c.X) {
			break
		}
		left, right, top := p.x.at(c.X[i]), p.x.at(c.X[i+1]), p.y.at(c.Y[i])
		base := p.y.clamped(0)
		if math.IsNaN(left) || math.IsNaN(right) || math.IsNaN(top) || top == base {
			continue
		}
		d.add("M", left, " ", base, "V", top, "H", right, "V", base, "z")
	}
	p.add(`<path stroke-width="0.7" fill-opacity="`, opacity[figure.Bars], `" style="fill:`, s.colour(c), `;stroke:`,
		s.colour(c),
		`" d="`, d.String(), `"></path>`)
}
