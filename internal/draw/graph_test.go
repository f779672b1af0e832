package draw

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// places of the boxes of a graph by their names.
func boxes(t *testing.T, svg string) map[string][2]float64 {
	t.Helper()
	out := map[string][2]float64{}
	for _, m := range regexp.MustCompile(`data-node="([^"]*)"><title>[^<]*</title><rect x="([\d.]+)" y="([\d.]+)"`).
		FindAllStringSubmatch(svg, -1) {
		x, err := strconv.ParseFloat(m[2], 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(m[3], 64)
		require.NoError(t, err)
		out[m[1]] = [2]float64{x, y}
	}
	return out
}

// TestGraph asks that every node stands to the right of what it comes from, on a place of its own, and that bands do
// not mix.
func TestGraph(t *testing.T) {
	nodes := []Node{{ID: "a", Band: "one"}, {ID: "b", Band: "one", From: []string{"a"}},
		{ID: "c", Band: "one", From: []string{"a", "b"}}, {ID: "d", Band: "one", From: []string{"a"}},
		{ID: "e", Band: "one"}, {ID: "f", Band: "one"}, {ID: "g", Band: "one"}, {ID: "h", Band: "one"},
		{ID: "i", Band: "one"}, {ID: "j", Band: "two", From: []string{"c", "unknown"}},
		{ID: "k", Band: "two", From: []string{"j"}}, {ID: "l", Band: "two", Text: "<b>", Title: "</title>", Link: `"`}}
	svg := Graph(nodes, "A graph", "id")
	require.NoError(t, wellFormed(svg))
	require.NotContains(t, svg, "<b>")
	at := boxes(t, svg)
	require.Len(t, at, len(nodes))
	taken := map[[2]float64]string{}
	for _, n := range nodes {
		require.Empty(t, taken[at[n.ID]], "%s stands on another", n.ID)
		taken[at[n.ID]] = n.ID
		for _, from := range n.From {
			if from != "unknown" {
				require.Greater(t, at[n.ID][0], at[from][0], "%s after %s", n.ID, from)
			}
		}
		for _, other := range nodes {
			if n.Band < other.Band {
				require.Less(t, at[n.ID][1], at[other.ID][1])
			}
		}
	}
	require.Equal(t, 6, strings.Count(svg, `class="edge"`))
	require.Equal(t, svg, Graph(nodes, "A graph", "id"))
}

// A circle, which no catalogue should have, is drawn all the same, and so is a claim that rests on itself.
func TestGraphOfACircle(t *testing.T) {
	svg := Graph([]Node{{ID: "a", From: []string{"b"}}, {ID: "b", From: []string{"c"}}, {ID: "c", From: []string{"a"}},
		{ID: "d", From: []string{"d"}}}, "circle", "id")
	require.NoError(t, wellFormed(svg))
	require.Len(t, boxes(t, svg), 4)
	require.NoError(t, wellFormed(Graph(nil, "none", "id")))
}
