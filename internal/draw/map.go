package draw

// The measures of a map, in pixels of its viewBox.
const (
	mapBox    = 10.0
	mapRow    = 13.0
	mapColumn = 26.0
	mapBand   = 30.0 // between two bands
)

// Map draws what [Graph] does small enough for the head of a page: boxes without text, the bands side by side.
func Map(nodes []Node, title, id string) string {
	g := newGraph(nodes)
	g.order()
	placed := make([]bool, len(nodes))
	x, rows := make([]float64, len(nodes)), 0
	var heads []head // at a horizontal place
	left := 0.0
	for _, band := range g.bands() {
		rows = max(rows, g.placeBand(band, 0, placed))
		columns := 1
		for i, n := range nodes {
			if n.Band == band {
				x[i] = left + float64(g.column[i])*mapColumn
				columns = max(columns, g.column[i]+1)
			}
		}
		heads = append(heads, head{band, left})
		left += max(float64(columns-1)*mapColumn+mapBox, width(band)*type12) + mapBand
	}
	wide, height := left-mapBand+4, float64(rows)*mapRow+leading+8
	g.begin("graph map", wide, height, title, id)
	y := func(i int) float64 { return leading + 6 + float64(g.row[i])*mapRow }
	for _, h := range heads {
		g.text(h.y, type12, "start", "band", h.name)
	}
	for i := range nodes {
		for _, k := range g.before(i) {
			g.edge(k, i, x[k]+mapBox, y(k)+mapBox/2, x[i], y(i)+mapBox/2, mapColumn/2)
		}
	}
	for i := range nodes {
		g.link(i, x[i], y(i), mapBox, mapBox)
		g.add("</a>")
	}
	g.add("</svg>")
	return g.String()
}
