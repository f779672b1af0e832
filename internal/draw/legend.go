package draw

import (
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/figure"
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
	bounding  role = "bound"
	contrary  role = "wrong form" // observed or predicted of a wrong version of the claim
)

// foretells are words by which the name of a curve says that it is a prediction.
var foretells = []string{"predict", "closed form", "formula", "claimed", "law "}

// bounds are words by which it says that it is a bound.
var bounds = []string{"bound", "at most", "at least", "≤", "≥"}

// roleOf returns, of a curve that is about the claim itself, predicted for a dashed one, for a line that is named as a
// prediction, and for points that are named predicted; a bound for a dashed one or a line that is named so.
func roleOf(c figure.Curve) role {
	if c.Of != "" {
		return contrary
	}
	name := strings.ToLower(c.Name)
	named := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
	}
	switch drawn := c.Style == figure.Dashed || c.Style == figure.Line; {
	case drawn && named(bounds):
		return bounding
	case c.Style == figure.Dashed, drawn && named(foretells), strings.Contains(name, foretells[0]):
		return predicted
	}
	return observed
}

// hues are the colours of each role, by which it is known in every figure of evidence: what was observed is cool, what
// is predicted warm.
var hues = map[role][]string{
	observed:  {colours[0], colours[2], colours[4]},
	predicted: {colours[1], colours[5], brown},
	bounding:  {ink},
	contrary:  {colours[3]},
}

// colour returns the colour of a curve of a series.
func (s series) colour(c figure.Curve) string {
	if s.hue == nil {
		return s.tint
	}
	return s.hue[roleOf(c)]
}

// byRole gives every series the colours of its roles. Those of one role take turns.
func byRole(all []series) {
	next := map[role]int{}
	for i := range all {
		s := &all[i]
		s.hue, s.shape = map[role]string{}, i
		for _, c := range s.curves {
			if r := roleOf(c); s.hue[r] == "" {
				s.hue[r] = hues[r][next[r]%len(hues[r])]
				next[r]++
			}
		}
	}
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
	for _, r := range []role{observed, predicted, bounding, contrary} {
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
			p.swatch(e, c, middle(e.row))
		}
		p.text(e.x+swatch+6, middle(e.row)+0.35*type12, "start", "name", e.text)
	}
}

// swatch draws a sample of a style in the legend.
func (p *plot) swatch(e entry, c figure.Curve, y float64) {
	switch c.Style {
	case figure.Points:
		p.add(`<path style="fill:`, e.colour(c), `" d="`, marker(e.shape, e.x+swatch/2, y, 3.4), `"></path>`)
	case figure.Band, figure.Bars:
		p.add(`<rect x="`, e.x, `" y="`, y-5, `" width="`, swatch, `" height="10" fill-opacity="`, opacity[c.Style],
			`" style="fill:`, e.colour(c), `"></rect>`)
	default:
		p.add(`<path fill="none" stroke-width="1.8"`, dashes(c.Style), ` style="stroke:`, e.colour(c), `" d="M`, e.x, " ", y,
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
