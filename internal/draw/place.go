package draw

import (
	"math"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
)

// Place is a place on a horizontal axis that has a name, such as a commit.
type Place struct {
	At    float64
	Label string // on the axis, where there is room
	Title string // shown when one points at the place
}

// Placed draws a figure as [SVG] does, with named places in ascending order on its horizontal axis in place of numbers.
func Placed(f figure.Figure, id string, places []Place) string {
	if places == nil {
		places = []Place{}
	}
	return drawn(&plot{Figure: f, places: places}, id)
}

// named are the divisions of an axis of places. The last one has its label, and before it every second, third, ... one,
// so that none touches its neighbour.
func (p *plot) named() []tick {
	out := list.Map(p.places, func(place Place) tick { return tick{value: place.At} })
	last := len(out) - 1
	for stride := 1; stride <= len(out); stride++ {
		if last < 0 || stride < len(out) && p.touch(stride) {
			continue
		}
		for i := last; i >= 0; i -= stride {
			out[i].label = p.places[i].Label
		}
		break
	}
	return out
}

// touch reports whether labels at every stride-th place, counted from the last, touch one another.
func (p *plot) touch(stride int) bool {
	const em = 1.25 * type12 // a narrow page may set the labels larger
	edge := math.Inf(1)      // left end of the label to the right
	for i := len(p.places) - 1; i >= 0; i -= stride {
		half := width(p.places[i].Label) * em / 2
		px := min(max(p.x.at(p.places[i].At), half), total-half) // as axes has it
		if px+half > edge-em/2 {
			return true
		}
		edge = px - half
	}
	return false
}

// tooltips lays an invisible strip over each place, which says its title when one points at it.
func (p *plot) tooltips() {
	if len(p.places) == 0 {
		return
	}
	p.add(`<g fill="transparent">`)
	left := p.x.from
	for i, place := range p.places {
		right := p.x.to
		if i+1 < len(p.places) {
			right = (p.x.at(place.At) + p.x.at(p.places[i+1].At)) / 2
		}
		if right > left {
			p.add(`<rect x="`, left, `" y="`, p.y.to, `" width="`, right-left, `" height="`, p.bottom-p.y.to,
				`"><title>`,
				escaped(place.Title), "</title></rect>")
			left = right
		}
	}
	p.add("</g>")
}
