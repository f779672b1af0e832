package draw

import (
	"github.com/thm-suite/thm/props/figure"
	"slices"
	"strings"
)

// The measures of a legend entry, in pixels.
const (
	swatch    = 22.0
	entryGap  = 16.0
	roleWidth = 72.0
)

// role says whether a curve shows what was observed or what is predicted.
type role string

const (
	observed  role = "observed"
	predicted role = "predicted"
	contrary  role = "wrong form" // observed or predicted of a wrong version of the claim
)

// foretells are words by which the name of a curve says that it is a prediction.
var foretells = []string{"predict", "closed form", "formula", "claimed", "law ", "bound"}

// roleOf returns, of a curve that is about the claim itself, predicted for a dashed one, for a line that is named as a
// prediction, and for points that are named predicted.
func roleOf(c figure.Curve) role {
	if c.Of != "" {
		return contrary
	}
	name := strings.ToLower(c.Name)
	named := slices.ContainsFunc(foretells, func(word string) bool { return strings.Contains(name, word) })
	if c.Style == figure.Dashed || c.Style == figure.Line && named || strings.Contains(name, foretells[0]) {
		return predicted
	}
	return observed
}

// entry is one name in the legend.
type entry struct {
	series
	text   string
	x      float64 // of the swatch
	row    int
	extent float64
}

// heading is a role at the beginning of a row of the legend.
type heading struct {
	text string
	row  int
}

// legend sets the names of all series in rows, for evidence that shows both with what was observed apart from what is
// predicted. A single series needs no legend: the label of the axis names it.
func (p *plot) legend() ([]entry, []heading) {
	if len(p.series) < 2 {
		return nil, nil
	}
	roles := map[role]bool{}
	for _, c := range p.Curves {
		roles[roleOf(c)] = true
	}
	if !p.apart || len(roles) < 2 {
		return p.rows(p.series, 0, 0), nil
	}
	var out []entry
	var heads []heading
	row := 0
	for _, r := range []role{observed, predicted, contrary} {
		if !roles[r] {
			continue
		}
		heads = append(heads, heading{string(r), row})
		entries := p.rows(only(p.series, r), roleWidth, row)
		row = entries[len(entries)-1].row + 1
		out = append(out, entries...)
	}
	return out, heads
}

// only returns the series that have curves of a role, with these curves alone.
func only(all []series, r role) []series {
	var out []series
	for _, s := range all {
		curves := slices.DeleteFunc(slices.Clone(s.curves), func(c figure.Curve) bool { return roleOf(c) != r })
		if s.curves = curves; len(curves) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// rows sets names one after the other from a row on, each row from the given indent.
func (p *plot) rows(all []series, indent float64, row int) []entry {
	var out []entry
	x := indent
	for _, s := range all {
		text := cut(s.name, (total-indent-swatch-8)/type12)
		extent := swatch + 6 + width(text)*type12
		if x > indent && x+extent > total {
			x, row = indent, row+1
		}
		out = append(out, entry{s, text, x, row, extent})
		x += extent + entryGap
	}
	return out
}

func (p *plot) legendRows() int {
	entries, _ := p.legend()
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
	middle := func(row int) float64 { return y + leading*(float64(row)+0.5) }
	entries, heads := p.legend()
	for _, h := range heads {
		p.text(0, middle(h.row)+0.35*type12, "start", "tick", h.text)
	}
	for _, e := range entries {
		for _, c := range e.curves {
			p.swatch(e, c.Style, middle(e.row))
		}
		p.text(e.x+swatch+6, middle(e.row)+0.35*type12, "start", "name", e.text)
	}
}

// swatch draws a sample of a style in the legend.
func (p *plot) swatch(e entry, style figure.Style, y float64) {
	switch style {
	case figure.Points:
		p.add(`<path style="fill:`, e.colour, `" d="`, marker(e.shape, e.x+swatch/2, y, 3.4), `"></path>`)
	case figure.Band, figure.Bars:
		p.add(`<rect x="`, e.x, `" y="`, y-5, `" width="`, swatch, `" height="10" fill-opacity="`, opacity[style],
			`" style="fill:`, e.colour, `"></rect>`)
	default:
		p.add(`<path fill="none" stroke-width="1.8"`, dashes(style), ` style="stroke:`, e.colour, `" d="M`, e.x, " ", y,
			"h",
			swatch, `"></path>`)
	}
}

// opacity lets the grid and later curves show through areas.
var opacity = map[figure.Style]string{figure.Band: "0.2", figure.Bars: "0.45"}

func dashes(style figure.Style) string {
	if style == figure.Dashed {
		return ` stroke-dasharray="6 4"`
	}
	return ""
}
