package draw

import (
	"math"
	"slices"
)

// Node is a box of a graph. What it is drawn with is text of a program, not of its data: the class chooses colours.
type Node struct {
	ID    string // of the node among its neighbours
	Text  string // inside of the box
	Title string // shown when one points at it
	Class string
	Link  string // where it leads
	Band  string // nodes of a band stand together, under its name
	From  []string
}

// The measures of a graph, in pixels of its viewBox.
const (
	nodeHeight = 24.0
	rowHeight  = 31.0
	columnGap  = 46.0
	bandHead   = 34.0
)

// graph is a graph that is being drawn.
type graph struct {
	canvas
	nodes  []Node
	at     map[string]int
	column []int // the longest way from a node that has nothing before it
	row    []int
	next   [][]int // the nodes after each
	widths float64 // of a box
}

// Graph draws what follows from what, from left to right: every node stands to the right of all that it comes from, the
// bands below one another in the order of the nodes. What is named in From and is no node is left out; on a circle the
// node that comes first stays where it would stand without. The drawing is a group of links, not one image.
func Graph(nodes []Node, title string, id string) string {
	g := newGraph(nodes)
	g.order()
	height, heads := g.place()
	columns := 1
	for _, c := range g.column {
		columns = max(columns, c+1)
	}
	wide := float64(columns)*(g.widths+columnGap) - columnGap + 2
	for _, h := range heads {
		wide = max(wide, 1.2*width(h.name)*type12+2) // it is bold
	}
	g.begin("graph", wide, height, title, id)
	for _, h := range heads {
		g.text(0, h.y+20, "start", "band", h.name)
	}
	g.edges()
	for i := range nodes {
		g.node(i)
	}
	g.add("</svg>")
	return g.String()
}

func newGraph(nodes []Node) *graph {
	g := &graph{nodes: nodes, at: map[string]int{}, column: make([]int, len(nodes)), row: make([]int, len(nodes)),
		next: make([][]int, len(nodes))}
	for i, n := range nodes {
		g.at[n.ID] = i
		g.widths = max(g.widths, width(n.Text)*type12+20)
	}
	return g
}

// begin opens the drawing.
func (g *graph) begin(class string, wide, height float64, title, id string) {
	g.add(`<svg class="`, class, `" xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 `, wide, " ", height, `" width="`,
		wide, `" height="`, height, `" role="group" aria-labelledby="`, escaped(id), `-title" font-size="`, type12,
		`" font-family="system-ui,sans-serif" fill="currentColor"><title id="`, escaped(id), `-title">`, escaped(title),
		"</title>")
}

// order finds the columns.
func (g *graph) order() {
	done := make([]int, len(g.nodes)) // 0 not visited, 1 on the way, 2 finished
	var visit func(i int)
	visit = func(i int) {
		done[i] = 1
		for _, from := range g.nodes[i].From {
			k, known := g.at[from]
			if !known || done[k] == 1 {
				continue
			}
			if done[k] == 0 {
				visit(k)
			}
			g.column[i] = max(g.column[i], g.column[k]+1)
			g.next[k] = append(g.next[k], i)
		}
		done[i] = 2
	}
	for i := range g.nodes {
		if done[i] == 0 {
			visit(i)
		}
	}
}

// bands are their names, in the order of the nodes.
func (g *graph) bands() (all []string) {
	for _, n := range g.nodes {
		if !slices.Contains(all, n.Band) {
			all = append(all, n.Band)
		}
	}
	return all
}

// head is the name of a band at its height.
type head struct {
	name string
	y    float64
}

// place gives every node a row. In a band a node with successors stands in the row of the first one that it is the last
// step to; nodes without neighbours fill rows of their own.
func (g *graph) place() (height float64, heads []head) {
	row := 0
	var tops []float64
	y := 0.0
	placed := make([]bool, len(g.nodes))
	for _, band := range g.bands() {
		heads = append(heads, head{band, y})
		y += bandHead
		first := row
		row = g.placeBand(band, row, placed)
		for range row - first {
			tops = append(tops, y)
			y += rowHeight
		}
	}
	for i := range g.row {
		g.row[i] = int(math.Round(tops[g.row[i]]))
	}
	return y + 4, heads
}

// placeBand places the nodes of a band from a row on and returns the row after them.
func (g *graph) placeBand(band string, row int, placed []bool) int {
	var grow func(i int)
	grow = func(i int) {
		placed[i], g.row[i] = true, row
		leaf := true
		for _, k := range g.next[i] {
			if placed[k] || g.nodes[k].Band != band || g.column[k] != g.column[i]+1 {
				continue
			}
			if !leaf {
				row++
			}
			leaf = false
			grow(k)
		}
	}
	var alone []int
	for i, n := range g.nodes {
		switch {
		case placed[i] || n.Band != band:
		case len(g.next[i]) == 0 && g.column[i] == 0:
			alone = append(alone, i)
		case g.column[i] == 0 || !g.reached(i, band):
			grow(i)
			row++
		}
	}
	return g.placeAlone(alone, row, placed)
}

// reached reports whether a node of its own band stands one column before it.
func (g *graph) reached(i int, band string) bool {
	return slices.ContainsFunc(g.nodes[i].From, func(from string) bool {
		k, known := g.at[from]
		return known && g.nodes[k].Band == band && g.column[k] == g.column[i]-1
	})
}

// placeAlone fills rows with nodes that have no neighbours.
func (g *graph) placeAlone(alone []int, row int, placed []bool) int {
	columns := 4
	for _, c := range g.column {
		columns = max(columns, c+1)
	}
	for n, i := range alone {
		placed[i], g.row[i], g.column[i] = true, row+n/columns, n%columns
	}
	return row + (len(alone)+columns-1)/columns
}

// before are the nodes that a node comes from.
func (g *graph) before(i int) []int {
	var out []int
	for _, from := range g.nodes[i].From {
		if k, known := g.at[from]; known && k != i {
			out = append(out, k)
		}
	}
	return out
}

// edges draws a curve for every step, below the boxes.
func (g *graph) edges() {
	for i := range g.nodes {
		for _, k := range g.before(i) {
			g.edge(k, i, float64(g.column[k])*(g.widths+columnGap)+g.widths, float64(g.row[k])+nodeHeight/2,
				float64(g.column[i])*(g.widths+columnGap), float64(g.row[i])+nodeHeight/2, columnGap)
		}
	}
}

// edge draws one step from a place to another, bent over a distance.
func (g *graph) edge(from, to int, x0, y0, x1, y1, bend float64) {
	g.add(`<path class="edge" data-from="`, escaped(g.nodes[from].ID), `" data-to="`, escaped(g.nodes[to].ID),
		`" fill="none" stroke="`, ink, `" d="M`, x0, " ", y0, "C", x0+bend, " ", y0, " ", x1-bend, " ", y1, " ", x1, " ",
		y1, `"></path>`)
}

// node draws a box that is a link.
func (g *graph) node(i int) {
	x, y := float64(g.column[i])*(g.widths+columnGap), float64(g.row[i])
	g.link(i, x, y, g.widths, nodeHeight)
	g.text(x+9, y+nodeHeight/2+0.35*type12, "start", "label", g.nodes[i].Text)
	g.add("</a>")
}

// link opens a link with its box.
func (g *graph) link(i int, x, y, wide, high float64) {
	n := g.nodes[i]
	g.add(`<a class="node `, escaped(n.Class), `" href="`, escaped(n.Link), `" data-node="`, escaped(n.ID), `"><title>`,
		escaped(n.Title), `</title><rect x="`, x, `" y="`, y, `" width="`, wide, `" height="`, high, `" rx="4"></rect>`)
}
