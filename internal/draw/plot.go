package draw

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/props/figure"
)

// The measures of a figure, in pixels of its viewBox.
const (
	total     = 480.0 // width
	area      = 236.0 // height of the plotting area
	type12    = 12.0  // size of the type
	leading   = 17.0  // distance of baselines
	maxXTicks = 6
	maxYTicks = 6
)

// plot is one figure being drawn.
type plot struct {
	canvas
	figure.Figure
	x, y   scale
	series []series
	bottom float64        // pixel of the lower edge of the plotting area
	places []Place        // in place of numbers on the horizontal axis; nil for numbers
	beside []figure.Curve // of other figures, which the axes have room for
	apart  bool           // the legend names what was observed apart from what is predicted
}

// series are the curves of one name. They share a colour and an entry in the legend, so that a prediction can be
// paired with its measurement by giving both the same name.
type series struct {
	name   string
	tint   string
	hue    map[role]string // in place of the tint, where roles choose colours
	shape  int
	curves []figure.Curve
}

// SVG draws a figure from its curves as one svg element. The id makes the ids of its title and description unique
// in the page.
func SVG(f figure.Figure, id string) string {
	if heats(f) {
		return heatMaps(f, id)
	}
	return drawn(&plot{Figure: f}, id)
}

// Evidence draws a figure as [SVG] does, with curves that were observed named apart from those that are predicted, and
// in other colours, and with axes that hold the curves of others beside it as well.
func Evidence(f figure.Figure, id string, beside ...figure.Figure) string {
	if heats(f) {
		return heatMaps(f, id)
	}
	p := &plot{Figure: f, apart: true}
	for _, other := range beside {
		p.beside = append(p.beside, other.Curves...)
	}
	return drawn(p, id)
}

func drawn(p *plot, id string) string {
	p.series = grouped(p.Curves)
	if p.apart {
		byRole(p.series)
	}
	p.fit()
	p.layout()
	height := p.bottom + 3.2*type12 + leading*float64(len(p.xLabel())-1)
	p.open(id, height)
	p.header()
	p.axes()
	p.layers()
	p.tooltips()
	p.add("</svg>")
	return p.String()
}

// layers draws the curves, one style over the other.
func (p *plot) layers() {
	for _, layer := range layers {
		for _, s := range p.series {
			for _, c := range s.curves {
				if c.Style == layer {
					p.curve(s, c)
				}
			}
		}
	}
}

// open begins the drawing with its text alternative.
func (p *plot) open(id string, height float64) {
	p.add(`<svg class="figure" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, total, " ", height,
		`" role="img" aria-labelledby="`,
		escaped(id), `-title `, escaped(id), `-desc" font-size="`, type12,
		`" font-family="system-ui,sans-serif" fill="currentColor">`)
	p.add(`<title id="`, escaped(id), `-title">`, escaped(p.Title), `</title><desc id="`, escaped(id), `-desc">`,
		escaped(p.Caption), "</desc>")
}

// layers is the order in which curves are drawn, one over the other.
var layers = []figure.Style{figure.Bars, figure.Band, figure.Dashed, figure.Line, figure.Points}

// grouped joins curves of the same name and gives colours in order of appearance. A single prediction is drawn in
// ink, because it is no measurement.
func grouped(curves []figure.Curve) []series {
	var out []series
	at := map[string]int{}
	predictions := 0
	for _, c := range curves {
		i, known := at[c.Name]
		if !known {
			i = len(out)
			at[c.Name] = i
			out = append(out, series{name: c.Name})
		}
		out[i].curves = append(out[i].curves, c)
		if c.Style == figure.Dashed {
			predictions++
		}
	}
	next := 0
	for i := range out {
		s := &out[i]
		if predictions == 1 && len(s.curves) == 1 && s.curves[0].Style == figure.Dashed {
			s.tint = ink
			continue
		}
		s.tint, s.shape = colours[next%len(colours)], next
		next++
	}
	return out
}

// fit sets the ends of both axes from all that is drawn.
func (p *plot) fit() {
	p.x.log, p.y.log = p.X.Log, p.Y.Log
	var xs, ys []float64
	bars := false
	all := slices.Concat(p.Curves, p.beside)
	for _, c := range all {
		xs = append(xs, c.X...)
		switch c.Style {
		case figure.Band:
			ys = append(append(ys, c.Lo...), c.Hi...)
		case figure.Points:
			ys = append(append(append(ys, c.Y...), c.Lo...), c.Hi...)
		case figure.Bars:
			ys, bars = append(ys, c.Y...), true
		default:
			ys = append(ys, c.Y...)
		}
	}
	p.x.fit(xs, false)
	p.y.fit(ys, bars || nearZero(ys))
	p.x.integral(places(all, xs))
	p.y.integral(ys)
}

// places are the horizontal places of what was observed as points, and where nothing was, all of them. A prediction is
// drawn between the sizes that were tried, which still are integers.
func places(curves []figure.Curve, all []float64) []float64 {
	var out []float64
	for _, c := range curves {
		if c.Style == figure.Points && roleOf(c) == observed {
			out = append(out, c.X...)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// nearZero reports whether values are all positive and their smallest is a small part of their largest. An axis of
// such values starts at 0.
func nearZero(values []float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo > 0 && lo < 0.3*hi
}

// layout places the plotting area: below the header, and to the right of the tick labels.
func (p *plot) layout() {
	top := leading*float64(len(p.yLabel())+p.legendRows()) + 10
	p.bottom = top + area
	p.y.from, p.y.to = p.bottom, top
	widest := 0.0
	for _, t := range p.y.ticks(maxYTicks) {
		widest = max(widest, width(t.label))
	}
	p.x.from, p.x.to = min(widest*type12+10, total/3), total-14
}

func (p *plot) xLabel() []string { return atLeastOne(wrapped(p.X.Label, total/type12)) }

func (p *plot) yLabel() []string { return wrapped(p.Y.Label, total/type12) }

func atLeastOne(lines []string) []string {
	if len(lines) == 0 {
		return []string{""}
	}
	return lines
}

// axes draws the grid, the tick labels and the labels of both axes.
func (p *plot) axes() {
	p.add(`<g stroke="`, ink, `" stroke-width="1">`)
	p.add(`<path stroke-opacity="0.14" fill="none" d="`)
	xs, ys := p.x.thinned(p.x.ticks(maxXTicks), type12), p.y.ticks(maxYTicks)
	if p.places != nil {
		xs = p.named()
	}
	var minor canvas
	for _, t := range xs {
		if px := p.x.at(t.value); inside(px, p.x) && t.label != "" {
			p.add("M", px, " ", p.y.to, "V", p.bottom)
		} else if inside(px, p.x) {
			minor.add("M", px, " ", p.bottom, "v-4")
		}
	}
	for _, t := range ys {
		if py := p.y.at(t.value); inside(py, p.y) && t.label != "" {
			p.add("M", p.x.from, " ", py, "H", p.x.to)
		} else if inside(py, p.y) {
			minor.add("M", p.x.from, " ", py, "h4")
		}
	}
	p.add(`"></path><path stroke-opacity="0.55" fill="none" d="M`, p.x.from, " ", p.y.to, "V", p.bottom, "H", p.x.to,
		minor.String(), `"></path></g>`)
	for _, t := range xs {
		if px := p.x.at(t.value); inside(px, p.x) && t.label != "" {
			half := width(t.label) * type12 / 2
			p.text(min(max(px, half), total-half), p.bottom+leading, "middle", "tick", t.label)
		}
	}
	for _, t := range ys {
		if py := p.y.at(t.value); inside(py, p.y) && t.label != "" {
			p.text(p.x.from-7, py+0.35*type12, "end", "tick", t.label)
		}
	}
	for i, line := range p.xLabel() {
		p.text((p.x.from+p.x.to)/2, p.bottom+leading*float64(i+2), "middle", "label", line)
	}
}

// inside reports whether a pixel lies on the axis. NaN does not.
func inside(px float64, s scale) bool {
	return px >= min(s.from, s.to)-0.01 && px <= max(s.from, s.to)+0.01
}
