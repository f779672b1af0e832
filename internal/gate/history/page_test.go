package history

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html/atom"

	"github.com/thm-suite/thm/props/figure"

	nethtml "golang.org/x/net/html"
)

// sketch stands for a drawing: what a figure would show, as text in an element.
func sketch(f figure.Figure, id string, places []Place) string {
	return fmt.Sprintf(`<svg id="svg-%s"><title>%s</title>%s</svg>`, id, html.EscapeString(f.Title),
		html.EscapeString(fmt.Sprint(places)))
}

// eventful has a change, another machine, costs, and a name that wants escaping.
func eventful(t testing.TB) *History {
	h := noisy(40, 20, 1.3)
	for i := range h {
		if i >= 36 {
			h[i].cpu = "<b>Other</b>"
		}
		h[i].lines = append(h[i].lines, costs("SVD/impl=<x>/m=%d/n=%d", 3, 0.01, 64, 128, 256, 512)...)
	}
	return recorded(t, h...)
}

func TestPage(t *testing.T) {
	page := eventful(t).Page(DefaultPolicy(), Allowances{}, Look{CSS: "p{}", Draw: sketch})
	text := string(page)
	for _, want := range []string{"<h1>5 benchmarks over 40 runs: 1 worse</h1>", "(changed)", "newest run: undecided",
		`<a href="#row-1">`,
		"consistent", "rows that have never varied", "&lt;b&gt;Other"} {
		require.True(t, strings.Contains(text, want), want)
	}
	for _, never := range []string{"<script", "http:", "https:", "<b>Other", "NaN", "%!"} {
		require.False(t, strings.Contains(text, never), never)
	}
	again := eventful(t).Page(DefaultPolicy(), Allowances{}, Look{CSS: "p{}", Draw: sketch})
	require.True(t, bytes.Equal(page, again)) // nothing of time or of the order of maps
	links(t, page)
}

// No name that others chose is markup, wherever it stands: of a benchmark that changed, of one that never varied, of a
// family with costs, of a processor or a commit.
func TestPageEscapes(t *testing.T) {
	const hostile = `<script>alert("1")</script>'onload="2"&amp;`
	fixtures := noisy(24, 20, 1.3)
	for i := range fixtures {
		f := &fixtures[i]
		f.cpu = hostile
		f.lines[0] = hostile + strings.TrimPrefix(f.lines[0], "A")
		f.lines = append(f.lines, costs(hostile+"/n=%d", 3, 0.01, 64, 128, 256, 512)...)
	}
	h := recorded(t, fixtures...)
	for i := range h.Runs {
		h.Runs[i].Commit = "<script>0123"
	}
	root, err := nethtml.Parse(bytes.NewReader(h.Page(DefaultPolicy(), Allowances{}, Look{Draw: sketch})))
	require.NoError(t, err)
	whole := map[string]int{} // names that stand in an element as they are, by the element
	for n := range root.Descendants() {
		require.NotEqual(t, atom.Script, n.DataAtom)
		for _, a := range n.Attr {
			require.NotEqual(t, "onload", a.Key)
		}
		if n.Type == nethtml.TextNode && (strings.Contains(n.Data, hostile) || n.Data == "<script>0123") {
			whole[n.Parent.Data]++
		}
	}
	for _, element := range []string{"a", "b", "th", "td"} {
		require.NotZero(t, whole[element], element)
	}
}

// links asks that ids are unique and links within the page lead somewhere.
func links(t *testing.T, page []byte) {
	root, err := nethtml.Parse(bytes.NewReader(page))
	require.NoError(t, err)
	ids, targets := map[string]bool{}, []string{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "id" {
				require.False(t, ids[a.Val], a.Val)
				ids[a.Val] = true
			}
			if a.Key == "href" && n.DataAtom == atom.A {
				targets = append(targets, a.Val)
			}
		}
	}
	require.NotEmpty(t, targets)
	for _, to := range targets {
		require.True(t, ids[strings.TrimPrefix(to, "#")], to)
	}
}

// TestCharts asks what a chart is made of.
func TestCharts(t *testing.T) {
	a := eventful(t).Analyse(DefaultPolicy())
	var r Row
	for _, r = range a.Rows {
		if r.Name == "A" && r.Unit == "sec/op" {
			break
		}
	}
	f := a.chart(r, "id")
	var names []string
	for _, c := range f.Curves {
		names = append(names, fmt.Sprint(c.Name[:3], " ", c.Style))
	}
	require.Equal(t, []string{"on ", "on ", "on "}, []string{names[0][:3], names[1][:3], names[3][:3]})
	require.Equal(t, []string{"ano dashed", "wor dashed"}, names[6:])
	require.Equal(t, 20.5, f.Curves[7].X[0]) // between runs 20 and 21
	require.Equal(t, 36.5, f.Curves[6].X[0])
	require.Equal(t, "ns", f.Y.Label)
	places := a.places(r)
	require.Len(t, places, 40)
	for i, p := range places {
		require.Equal(t, float64(i+1), p.At)
		require.Equal(t, a.Runs[i].Commit[:7], p.Label)
		require.Contains(t, p.Title, fmt.Sprintf("run %d, 20", i+1))
		require.Contains(t, p.Title, a.Runs[i].Commit[:12]+", machine "+a.Runs[i].Machine+": ")
	}
	require.Len(t, f.Curves[0].X, 36)
	require.NoError(t, xml.Unmarshal([]byte(sketch(f, "x", nil)), new(struct{})))
}

func TestScaled(t *testing.T) {
	for want, x := range map[string]float64{"2 s": 2, "20 ms": 0.02, "3 µs": 3e-6, "0.5 ns": 5e-10} {
		require.Equal(t, want, quantity("sec/op", x))
	}
	require.Equal(t, "1024 B/op", quantity("B/op", 1024))
}
