package figure

// The measures of a legend entry, in pixels.
const (
	swatch   = 22.0
	entryGap = 16.0
)

// entry is one name in the legend.
type entry struct {
	series
	text   string
	x      float64 // of the swatch
	row    int
	extent float64
}

// legend sets the names of all series in rows. A single series needs none: the label of the axis names it.
func (p *plot) legend() []entry {
	if len(p.series) < 2 {
		return nil
	}
	var out []entry
	x, row := 0.0, 0
	for _, s := range p.series {
		text := cut(s.name, (total-swatch-8)/type12)
		extent := swatch + 6 + width(text)*type12
		if x > 0 && x+extent > total {
			x, row = 0, row+1
		}
		out = append(out, entry{s, text, x, row, extent})
		x += extent + entryGap
	}
	return out
}

func (p *plot) legendRows() int {
	entries := p.legend()
	if len(entries) == 0 {
		return 0
	}
	return entries[len(entries)-1].row + 1
}

// header draws the label of the vertical axis, level so that it can be read, and the legend below it.
func (p *plot) header() {
	y := 0.0
	for _, line := range p.yLabel() {
		y += leading
		p.text(0, y-3, "start", "label", line)
	}
	for _, e := range p.legend() {
		mid := y + leading*float64(e.row) + 0.5*leading
		for _, c := range e.curves {
			p.swatch(e, c.Style, mid)
		}
		p.text(e.x+swatch+6, mid+0.35*type12, "start", "name", e.text)
	}
}

// swatch draws a sample of a style in the legend.
func (p *plot) swatch(e entry, style Style, y float64) {
	switch style {
	case Points:
		p.add(`<path style="fill:`, e.colour, `" d="`, marker(e.shape, e.x+swatch/2, y, 3.4), `"></path>`)
	case Band, Bars:
		p.add(`<rect x="`, e.x, `" y="`, y-5, `" width="`, swatch, `" height="10" fill-opacity="`, opacity[style],
			`" style="fill:`, e.colour, `"></rect>`)
	default:
		p.add(`<path fill="none" stroke-width="1.8"`, dashes(style), ` style="stroke:`, e.colour, `" d="M`, e.x, " ", y,
			"h",
			swatch, `"></path>`)
	}
}

// opacity lets the grid and later curves show through areas.
var opacity = map[Style]string{Band: "0.2", Bars: "0.45"}

func dashes(style Style) string {
	if style == Dashed {
		return ` stroke-dasharray="6 4"`
	}
	return ""
}
