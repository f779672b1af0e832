package draw

import (
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/figure"
)

// The measures of heat maps, in pixels of the viewBox.
const (
	panelGap    = 14.0
	panelHeight = 270.0 // at most
	keyWidth    = 130.0
	keyHeight   = 11.0
	tickedAbove = 5 // so many panels are small pictures, without numbers at their edges
)

// heats reports whether a figure consists of heat maps.
func heats(f figure.Figure) bool {
	return len(f.Curves) > 0 && !slices.ContainsFunc(f.Curves, func(c figure.Curve) bool {
		return c.Style != figure.Heat || len(c.Z) != len(c.X)*len(c.Y)
	})
}

// grid is a figure of heat maps that is being drawn.
type grid struct {
	canvas
	figure.Figure
	colours shades
	perRow  int
	left    float64 // room for the numbers of rows
	wide    float64 // of a panel
	high    float64
	top     float64 // of the first panel
}

// heatMaps draws the panels of a figure from left to right and from the top down.
func heatMaps(f figure.Figure, id string) string {
	g := &grid{Figure: f, colours: shadesOf(f)}
	g.layout()
	lines := wrapped(f.X.Label, total/type12)
	rows := (len(f.Curves) + g.perRow - 1) / g.perRow
	bottom := g.top + float64(rows)*g.pitch()
	height := bottom + leading*float64(len(lines)) + 4
	g.add(`<svg class="figure" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, total, " ", height,
		`" role="img" aria-labelledby="`, escaped(id), `-title `, escaped(id), `-desc" font-size="`, type12,
		`" font-family="system-ui,sans-serif" fill="currentColor"><title id="`, escaped(id), `-title">`, escaped(f.Title),
		`</title><desc id="`, escaped(id), `-desc">`, escaped(f.Caption), "</desc>")
	y := 0.0
	for _, line := range wrapped(f.Y.Label, total/type12) {
		y += leading
		g.text(0, y-3, "start", "label", line)
	}
	g.key(y + leading/2)
	for i, c := range f.Curves {
		g.panel(c, g.left+float64(i%g.perRow)*(g.wide+panelGap), g.top+float64(i/g.perRow)*g.pitch())
	}
	for i, line := range lines {
		g.text(g.left+float64(min(g.perRow, len(f.Curves)))*(g.wide+panelGap)/2-panelGap/2, bottom+leading*float64(i)+10,
			"middle", "label", line)
	}
	g.add("</svg>")
	return g.String()
}

// layout chooses the size of the panels: as wide as fits, with square cells unless the matrix is very long or wide.
func (g *grid) layout() {
	n := len(g.Curves)
	switch {
	case n < tickedAbove:
		g.perRow = n
	case n <= 12:
		g.perRow = 4
	default:
		g.perRow = 8
	}
	widest, shape := 0.0, 0.1
	for _, c := range g.Curves {
		if n < tickedAbove {
			for _, v := range c.Y {
				widest = max(widest, width(Number(v))*type12+8)
			}
		}
		shape = max(shape, float64(len(c.Y))/float64(max(1, len(c.X))))
	}
	g.left = min(widest, total/4)
	g.wide = (total - g.left - panelGap*float64(g.perRow-1) - 2) / float64(g.perRow)
	g.high = g.wide * min(shape, 3)
	if g.high > panelHeight {
		g.wide, g.high = max(g.wide*panelHeight/g.high, min(g.wide, panelHeight/2)), panelHeight
	}
	g.top = leading*float64(len(wrapped(g.Y.Label, total/type12))+1) + 8
}

// pitch is the distance from the top of a panel to that of the one below: with its name and its numbers.
func (g *grid) pitch() float64 { return g.nameHeight() + g.high + g.numberHeight() }

func (g *grid) nameHeight() float64 {
	if len(g.Curves) == 1 {
		return 0
	}
	return leading
}

func (g *grid) numberHeight() float64 {
	if len(g.Curves) >= tickedAbove {
		return 6
	}
	return leading + 2
}

// panel draws one matrix with its upper left corner, name included, at (x, y).
func (g *grid) panel(c figure.Curve, x, y float64) {
	if g.nameHeight() > 0 {
		g.text(x, y+leading-5, "start", "name", cut(c.Name, g.wide/type12))
		y += g.nameHeight()
	}
	g.cells(c, x, y)
	g.add(`<rect fill="none" stroke="`, ink, `" stroke-opacity="0.35" x="`, x, `" y="`, y, `" width="`, g.wide,
		`" height="`, g.high, `"></rect>`)
	if len(g.Curves) >= tickedAbove {
		return
	}
	across := scale{lo: 0, hi: float64(max(1, len(c.X))), from: x, to: x + g.wide}
	edge := math.Inf(-1)
	for j, v := range c.X {
		label := Number(v)
		half := width(label) * type12 / 2
		if px := across.at(float64(j) + 0.5); px-half > edge+type12/2 && px+half <= total {
			g.text(px, y+g.high+leading-3, "middle", "tick", label)
			edge = px + half
		}
	}
	if x > g.left {
		return
	}
	edge = math.Inf(-1)
	for i, v := range c.Y {
		py := y + g.high*(float64(i)+0.5)/float64(len(c.Y))
		if py-type12/2 >= edge {
			g.text(x-5, py+0.35*type12, "end", "tick", Number(v))
			edge = py + 0.7*type12
		}
	}
}

// cells fills the cells of a panel, those of one shade in one path. What is not finite is crossed out.
func (g *grid) cells(c figure.Curve, x, y float64) {
	paths, crosses := map[shade]*canvas{}, canvas{}
	dx, dy := g.wide/float64(max(1, len(c.X))), g.high/float64(max(1, len(c.Y)))
	for k, z := range c.Z {
		left, top := x+dx*float64(k%len(c.X)), y+dy*float64(k/len(c.X))
		s, ok := g.colours.of(z)
		if !ok {
			crosses.add("M", left, " ", top, "l", dx, " ", dy, "m", -dx, " 0l", dx, " ", -dy)
			continue
		}
		if paths[s] == nil {
			paths[s] = &canvas{}
		}
		paths[s].add("M", left, " ", top, "h", dx, "v", dy, "h", -dx, "z")
	}
	g.add(`<g shape-rendering="crispEdges">`)
	for _, s := range everyShade() {
		if d := paths[s]; d != nil {
			g.add(`<path style="fill:`, s.colour(), `" fill-opacity="`, s.opacity(), `" d="`, d.String(), `"></path>`)
		}
	}
	g.add("</g>")
	if crosses.Len() > 0 {
		g.add(`<path fill="none" stroke="`, ink, `" stroke-opacity="0.6" stroke-width="0.7" d="`, crosses.String(),
			`"></path>`)
	}
}

// key draws the scale of colours at a height, with its ends and what they measure.
func (g *grid) key(y float64) {
	low, high := Number(g.colours.lo), Number(g.colours.hi)
	x := width(low)*type12 + 6
	g.text(0, y+0.35*type12, "start", "tick", low)
	g.add(`<g shape-rendering="crispEdges">`)
	const pieces = 2 * levels
	for k := range pieces {
		s := g.colours.at((float64(k) + 0.5) / pieces)
		g.add(`<rect style="fill:`, s.colour(), `" fill-opacity="`, s.opacity(), `" x="`, x+keyWidth*float64(k)/pieces,
			`" y="`, y-keyHeight/2, `" width="`, keyWidth/pieces, `" height="`, keyHeight, `"></rect>`)
	}
	g.add(`</g><rect fill="none" stroke="`, ink, `" stroke-opacity="0.35" x="`, x, `" y="`, y-keyHeight/2, `" width="`,
		keyWidth, `" height="`, keyHeight, `"></rect>`)
	x += keyWidth + 6
	g.text(x, y+0.35*type12, "start", "tick", high)
	label := g.Z.Label
	if g.colours.log {
		label = strings.TrimSpace(label + " (logarithmic)")
	}
	x += width(high)*type12 + 12
	g.text(x, y+0.35*type12, "start", "label", cut(label, (total-x)/type12))
}
