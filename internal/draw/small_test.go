package draw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/figure"
)

// A small figure has the shape of the large one in few bytes, however many points that has, and a heat map has none.
func TestSmall(t *testing.T) {
	f := slope()
	long := figure.Curve{Name: "many", Style: figure.Points}
	for i := range 5000 {
		long.AddInterval(float64(i+1), float64(i%7+1), 0, 9)
	}
	f.Curves = append(f.Curves, long)
	svg := Small(f)
	require.NoError(t, wellFormed(svg))
	require.Less(t, len(svg), 6000)
	require.Contains(t, svg, "<title>Decay of the remainder</title>")
	require.NotContains(t, svg, "<text")
	require.Contains(t, svg, "stroke-dasharray", "the prediction stays dashed")
	require.Empty(t, Small(figure.Figure{Curves: []figure.Curve{figure.HeatMap("m", 2, 2,
		func(i, j int) float64 { return 1 })}}))
}

// Figures next to one another have axes that hold the curves of all of them.
func TestSameAxes(t *testing.T) {
	before, after := slope(), slope()
	for i := range after.Curves {
		for _, list := range [][]float64{after.Curves[i].Y, after.Curves[i].Lo, after.Curves[i].Hi} {
			for k := range list {
				list[k] /= 1000
			}
		}
	}
	ticks := func(svg string) string {
		var out []string
		for line := range strings.SplitSeq(svg, "<text") {
			if strings.Contains(line, `class="tick"`) {
				out = append(out, line)
			}
		}
		return strings.Join(out, "")
	}
	require.NotEqual(t, ticks(Evidence(before, "a")), ticks(Evidence(after, "a")))
	require.Equal(t, ticks(Evidence(before, "a", before, after)), ticks(Evidence(after, "a", before, after)))
}

// A map has the boxes and steps of a graph without their names, with each band next to the others.
func TestMap(t *testing.T) {
	nodes := []Node{{ID: "a", Band: "one", Text: "name"}, {ID: "b", Band: "one", From: []string{"a"}},
		{ID: "c", Band: "one", From: []string{"a", "b"}}, {ID: "d", Band: "one"}, {ID: "e", Band: "two"},
		{ID: "f", Band: "two", From: []string{"e", "unknown"}}}
	svg := Map(nodes, "A map", "id")
	require.NoError(t, wellFormed(svg))
	require.NotContains(t, svg, "name")
	at := boxes(t, svg)
	require.Len(t, at, len(nodes))
	taken := map[[2]float64]bool{}
	for _, n := range nodes {
		require.False(t, taken[at[n.ID]], "%s stands on another", n.ID)
		taken[at[n.ID]] = true
		for _, other := range nodes {
			if n.Band < other.Band {
				require.Less(t, at[n.ID][0], at[other.ID][0])
			}
		}
	}
	require.Less(t, at["a"][0], at["b"][0])
	require.Less(t, at["b"][0], at["c"][0])
	require.Equal(t, 4, strings.Count(svg, `class="edge"`))
	require.NoError(t, wellFormed(Map(nil, "none", "id")))
}
