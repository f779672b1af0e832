package draw

import (
	"math"

	"github.com/thm-suite/thm/props/figure"
)

// Forest draws quantities against a reference, a named row each: X of a curve are the values, Y the numbers of the rows
// from 1, Lo and Hi the ends of intervals. The reference is the curve at one X from row to row.
func Forest(f figure.Figure, id string, names []string) string {
	p := &plot{Figure: f, apart: true, series: grouped(f.Curves)}
	byRole(p.series)
	var xs []float64
	widest := 0.0
	for _, c := range f.Curves {
		xs = append(append(append(xs, c.X...), c.Lo...), c.Hi...)
	}
	for _, name := range names {
		widest = max(widest, width(name))
	}
	p.x.fit(xs, nearZero(xs))
	top := leading*float64(p.legendRows()) + 8
	pitch := 1.6 * leading
	p.bottom = top + pitch*float64(len(names))
	p.x.from, p.x.to = min(widest*type12+12, total/2), total-14
	p.y = scale{lo: 0.5, hi: float64(len(names)) + 0.5, from: top, to: p.bottom}
	p.open(id, p.bottom+2.6*leading)
	p.header()
	p.add(`<path fill="none" stroke="`, ink, `" stroke-opacity="0.14" d="`)
	for _, t := range p.x.ticks(maxXTicks) {
		p.add("M", p.x.at(t.value), " ", top, "V", p.bottom)
	}
	p.add(`"></path>`)
	for _, t := range p.x.thinned(p.x.ticks(maxXTicks), type12) {
		p.text(p.x.at(t.value), p.bottom+leading-2, "middle", "tick", t.label)
	}
	p.text((p.x.from+p.x.to)/2, p.bottom+2*leading, "middle", "label", f.X.Label)
	for i, name := range names {
		p.text(p.x.from-8, p.y.at(float64(i+1))+0.35*type12, "end", "tick", cut(name, (p.x.from-8)/type12))
	}
	for _, s := range p.series {
		for _, c := range s.curves {
			if c.Style != figure.Points {
				p.line(s, c)
				continue
			}
			for i := range c.X {
				x, y, ok := p.pixel(c, i)
				if lo, hi := p.x.clamped(c.Lo[i]), p.x.clamped(c.Hi[i]); ok && !math.IsNaN(lo) && !math.IsNaN(hi) {
					p.add(`<path fill="none" stroke-width="1.5" style="stroke:`, s.colour(c), `" d="M`, lo, " ", y-3, "v6M", lo, " ",
						y, "H", hi, "M", hi, " ", y-3, `v6"></path>`)
				}
				if ok {
					p.add(`<path style="fill:`, s.colour(c), `" d="`, marker(s.shape, x, y, 3.6), `"></path>`)
				}
			}
		}
	}
	p.add("</svg>")
	return p.String()
}
